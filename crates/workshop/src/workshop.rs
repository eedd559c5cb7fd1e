//! The state of the workshop: the crawl, the rules being edited, and the operations on them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dehusk_pipeline::Error;
use dehusk_pipeline::extract::Options;
use dehusk_pipeline::extract::rules::Selector;
use dehusk_pipeline::extract::site::{Candidate, Template, to_rules};
use dehusk_pipeline::site::Store;
use dehusk_pipeline::verbs::explain::KnownPassages;

use crate::clusters::{Clusters, Marks};
use crate::crawl::{Crawl, LayoutMark, SitePages, host_of, path_of};
use crate::draft::{Draft, Left, RulesFolder, rules, store};
use crate::example::example;
use crate::fields::{Fields, link};
use crate::look;
use crate::need::{Need, Needs};
use crate::rule_file::{Action, Example, Parts, RuleFile, Scope};
use crate::selectors::within;

/// Number of pages of a site that are extracted to see how much work it needs.
const NEED_PAGES: usize = 5;
/// Minimum share of the words of a layout's first page that an opened template must know in order to count
/// as that of the layout.
const KNOWN: f64 = 0.5;
/// Share of leave-out samples below which a template counts as unsure.
const SURE: f64 = 0.75;

/// The state of the workshop.
pub(crate) struct Workshop {
    pub(crate) crawl: Crawl,
    pub(crate) options: Options,
    pub(crate) templates: Vec<Template>,
    pub(crate) folder: RulesFolder,
    /// Prefix of all addresses: a slash and the token.
    pub(crate) base: String,
    /// The run that was opened with the crawl.
    pub(crate) clusters: Option<Clusters>,
    /// Which sites need work.
    pub(crate) needs: Needs,
    /// Passages that are marked in texts.
    pub(crate) passages: Option<KnownPassages>,
    /// The command that extracts the opened inputs with the rules and templates that are shown.
    pub(crate) command: String,
    drafts: Mutex<BTreeMap<String, Draft>>,
    marks: Mutex<Marks>,
    /// Held by the request that changes something.
    changing: Mutex<()>,
    /// Whether there are judgments about clusters that have not been written to a labelled set.
    unwritten: AtomicBool,
}

/// Rules and templates of a host: as saved, and with the draft.
pub(crate) struct Stores {
    pub(crate) saved: Store,
    pub(crate) draft: Store,
}

/// The unsaved changes at the end of the workshop.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Ended {
    /// Sites with unsaved rules.
    pub sites: Vec<String>,
    /// Number of judged clusters of duplicates that are in no labelled set.
    pub clusters: usize,
    /// The file in which the changes are stored for the next session; `None` if there are no changes, or no folder of rules was given.
    pub kept: Option<PathBuf>,
}

/// What a workshop is opened with. The fields are those of [`Workshop`].
pub(crate) struct Opened {
    pub(crate) crawl: Crawl,
    pub(crate) options: Options,
    pub(crate) templates: Vec<Template>,
    pub(crate) folder: RulesFolder,
    pub(crate) clusters: Option<Clusters>,
    pub(crate) passages: Option<KnownPassages>,
    pub(crate) command: String,
}

/// The result of saving.
pub(crate) struct Saved {
    /// Path of the file.
    pub(crate) path: String,
    /// Messages for the user.
    pub(crate) notes: Vec<String>,
}

impl Workshop {
    /// Begins with the changes that the last session left. `token` is part of all addresses.
    pub(crate) fn new(opened: Opened, token: &str) -> Result<Workshop, Error> {
        let Opened {
            crawl,
            options,
            templates,
            folder,
            clusters,
            passages,
            command,
        } = opened;
        let left = folder.left()?;
        Ok(Workshop {
            crawl,
            options,
            templates,
            folder,
            base: format!("/{token}"),
            clusters,
            needs: Needs::default(),
            passages,
            command,
            drafts: Mutex::new(left.drafts),
            unwritten: AtomicBool::new(!left.marks.is_empty()),
            marks: Mutex::new(left.marks),
            changing: Mutex::default(),
        })
    }

    /// Stores unsaved changes next to the rules for the next session, and returns a summary of them.
    pub(crate) fn end(&self) -> Result<Ended, Error> {
        // Judgments that are in a labelled set already are not stored.
        let marks = match self.unwritten.load(Ordering::Relaxed) {
            true => self.marks(),
            false => Marks::default(),
        };
        let drafts = self.drafts().clone();
        let mut left = Left {
            drafts: BTreeMap::new(),
            marks,
        };
        if self.folder.path().is_some() {
            // Another workshop may have stored drafts and judgments since this one began. Those of other hosts and clusters are
            // preserved. A file that cannot be read is set aside, so that it costs no draft of this session.
            let others = self.folder.left().or_else(|_| self.folder.set_left_aside())?;
            left.drafts.extend(
                others
                    .drafts
                    .into_iter()
                    .filter(|(host, _)| !drafts.contains_key(host)),
            );
            let own = self.marks();
            left.marks.extend(
                others
                    .marks
                    .into_iter()
                    .filter(|(cluster, _)| !own.contains_key(cluster)),
            );
        }
        let mut ended = Ended {
            sites: self.unsaved(),
            clusters: left.marks.len(),
            kept: None,
        };
        // Drafts that equal their files need not be stored.
        left.drafts
            .extend(drafts.into_iter().filter(|(_, draft)| draft.is_changed()));
        if self.folder.path().is_some() {
            ended.kept = self.folder.leave(&left)?;
        }
        Ok(ended)
    }

    /// Returns the address of a page of this program.
    pub(crate) fn link(&self, path: &str, fields: &[(&str, &str)]) -> String {
        link(&format!("{}{path}", self.base), fields)
    }

    /// Returns the draft of a host. Without a draft, returns its saved rules.
    pub(crate) fn draft(&self, host: &str) -> Result<Draft, Error> {
        if let Some(draft) = self.drafts().get(host) {
            return Ok(draft.clone());
        }
        // A host may have its rules in a file of any name, which was written by hand.
        let files = self.folder.files()?;
        let of_host = |text: &&String| RuleFile::read(text).is_ok_and(|file| file.has_host(host));
        let file = files
            .iter()
            .find(|(_, text)| of_host(text))
            .map(|(name, _)| name.clone());
        let file = file.unwrap_or_else(|| RulesFolder::file_name(host));
        let text = files.get(&file).cloned().unwrap_or_default();
        Ok(Draft::new(file, text))
    }

    /// Waits for all other requests that change something. A change reads a draft or a file and writes it
    /// back, so of two at a time one would be lost. Two writes of a file at a time could also fail, since
    /// they share the name of a temporary file.
    pub(crate) fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the hosts with unsaved changes.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let drafts = self.drafts();
        let unsaved = drafts.iter().filter(|(_, draft)| draft.is_changed());
        unsaved.map(|(host, _)| host.clone()).collect()
    }

    /// Returns the rules and templates of a host.
    pub(crate) fn stores(&self, host: &str) -> Result<Stores, Error> {
        let draft = self.draft(host)?;
        let of = |draft| Ok::<_, Error>(store(rules(&self.folder, draft)?, host, &self.templates));
        Ok(Stores {
            saved: of(None)?,
            draft: of(Some(&draft))?,
        })
    }

    /// Returns the judgments about clusters.
    pub(crate) fn marks(&self) -> Marks {
        self.marks_mut().clone()
    }

    /// The judgments, also after a panic of another thread.
    fn marks_mut(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records whether two members of a cluster belong together, or that all do.
    pub(crate) fn mark(&self, fields: &Fields) {
        let members = self
            .clusters
            .as_ref()
            .map(|clusters| clusters.members(fields.text("cluster")));
        // Unknown names are ignored, so every judged cluster has documents for the labelled set.
        if members.is_none_or(<[_]>::is_empty) {
            return;
        }
        let mut marks = self.marks_mut();
        let parts = marks.entry(fields.text("cluster").to_owned()).or_default();
        // Without a member, the judgment is that all members belong together.
        if let Some(member) = fields.get("member") {
            match fields.text("verdict") {
                "wrong" => parts.set_apart(fields.text("a"), member),
                _ => parts.join(fields.text("a"), member),
            }
        }
        self.unwritten.store(true, Ordering::Relaxed);
    }

    /// Writes the labelled set of the judged clusters. Returns its folder.
    pub(crate) fn write_labelled_set(&self) -> Result<String, Error> {
        let Some(clusters) = &self.clusters else {
            return Err(Error::usage("no run was opened"));
        };
        let (documents, truth) = clusters.labelled_set(&self.marks());
        let path = self
            .folder
            .write(&["labels", "duplicates", "documents.jsonl"], documents.as_bytes())?;
        self.folder
            .write(&["labels", "duplicates", "truth.jsonl"], truth.as_bytes())?;
        self.unwritten.store(false, Ordering::Relaxed);
        Ok(path.parent().unwrap_or(&path).display().to_string())
    }

    /// The drafts, also after a panic of another thread.
    fn drafts(&self) -> MutexGuard<'_, BTreeMap<String, Draft>> {
        self.drafts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes a draft. If the changed rules are invalid, the draft stays as it was.
    pub(crate) fn change(&self, host: &str, change: impl FnOnce(&mut Draft)) -> Result<(), Error> {
        let mut draft = self.draft(host)?;
        change(&mut draft);
        // An error ends the change before the draft is stored.
        rules(&self.folder, Some(&draft))?;
        self.drafts().insert(host.to_owned(), draft);
        Ok(())
    }

    /// Returns the scope that the user chose on a page. If addresses do not distinguish its pages from
    /// others, it also returns the element that does.
    fn scope(&self, host: &str, number: usize, name: &str) -> (Scope, Option<String>) {
        let url = self.crawl.url(number).unwrap_or_default();
        match name {
            "page" => (Scope::page(path_of(url)), None),
            "layout" => match self.layout_mark(host, number) {
                LayoutMark::Folder(path) => (Scope::below(&path), None),
                LayoutMark::Element(name) => (Scope::SITE, Some(name)),
                LayoutMark::Nothing => (Scope::below(folder_of(url)), None),
            },
            _ => (Scope::SITE, None),
        }
    }

    /// Extracts some pages of a site by its rules as they stand and its templates, in order to judge how
    /// much work it needs.
    pub(crate) fn need(&self, host: &str) -> Need {
        let mut need = Need::default();
        let Ok(stores) = self.stores(host) else {
            return need;
        };
        for template in self.templates_of(host) {
            need.templates += 1;
            need.unsure += usize::from(is_unsure(template));
        }
        for number in self.crawl.spread(host, NEED_PAGES) {
            let read = self.crawl.read(number);
            let found = read.and_then(|read| look::confidence(&read, &stores.draft, &self.options));
            // Pages that cannot be read say nothing about the rules.
            if let Ok((confidence, is_unknown)) = found {
                need.add(confidence);
                need.unknown += usize::from(is_unknown);
            }
        }
        need
    }

    /// Returns the opened templates of a host.
    pub(crate) fn templates_of(&self, host: &str) -> impl Iterator<Item = &Template> {
        let of_host = move |template: &&Template| host_of(&template.origin.site).as_deref() == Some(host);
        self.templates.iter().filter(of_host)
    }

    /// Returns the template of a layout: the opened template that knows its first page best, or else a
    /// template that is learnt from its pages. `at` is the index of the layout.
    pub(crate) fn template_of<'t>(
        &'t self,
        host: &str,
        pages: &'t SitePages,
        at: usize,
    ) -> Option<&'t Template> {
        let first = pages.layouts.get(at)?.pages.first()?;
        let first = pages.samples.get(*first)?;
        let opened = self
            .templates_of(host)
            .map(|template| (template, template.fit(first).known));
        opened
            .filter(|(_, known)| *known >= KNOWN)
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(template, _)| template)
            .or_else(|| pages.learnt(at))
    }

    /// Takes one of the two candidates for the main text of a layout. The choice becomes a rule of the
    /// draft.
    pub(crate) fn take_candidate(&self, fields: &Fields) -> Result<(), Error> {
        let host = fields.text("host");
        if host.is_empty() {
            return Err(no_address());
        }
        let pages = self.crawl.looked_at(host, &self.options);
        // With other pages, the candidates may be others than those that were shown.
        if fields.number("looked") != Some(pages.numbers.len()) {
            return Err(Error::usage(
                "other pages of the site were looked at since the candidates were shown",
            )
            .with_help("open the layout again and choose between the candidates of these pages"));
        }
        let at = fields.number("layout").and_then(|number| number.checked_sub(1));
        let template = at.and_then(|at| self.template_of(host, &pages, at));
        let candidates = template.map(Template::candidates).unwrap_or_default();
        let (Some(at), [first, second]) = (at, candidates.as_slice()) else {
            return Err(Error::usage("this layout has no two candidates any more"));
        };
        let number = pages.layouts[at]
            .pages
            .first()
            .and_then(|page| pages.numbers.get(*page));
        // No page has the largest number.
        let number = number.copied().unwrap_or(usize::MAX);
        let mark = self.layout_mark(host, number);
        let (scope, outer) = self.scope(host, number, "layout");
        // Pages of another layout are in the scope as well, unless a folder distinguishes them.
        let alone = matches!(mark, LayoutMark::Folder(_));
        let parts = |candidate: &Candidate| {
            let rules = to_rules(&[&candidate.template]);
            Parts::read(&rules, outer.as_deref(), alone).map_err(Error::failed)
        };
        let (first, second) = (parts(first)?, parts(second)?);
        let (taken, other) = match fields.text("candidate") {
            "2" => (second, first),
            _ => (first, second),
        };
        if taken.is_empty() {
            return Err(Error::usage("this candidate keeps nothing"));
        }
        // The draft is edited as text, so that its comments and its order survive.
        let mut file = RuleFile::read(self.draft(host)?.text()).map_err(Error::usage)?;
        file.take(host, &scope, &taken, &other);
        self.change(host, |draft| draft.set(file.text()))
    }

    /// Returns the number of the layout of a page in the list of its site, from 1.
    pub(crate) fn layout_of(&self, host: &str, number: usize) -> Option<usize> {
        self.crawl.looked_at(host, &self.options).number_of(number)
    }

    /// Returns the feature that distinguishes the layout of a page from the other layouts of its site.
    pub(crate) fn layout_mark(&self, host: &str, number: usize) -> LayoutMark {
        let pages = self.crawl.looked_at(host, &self.options);
        pages.mark_of(&self.crawl, number)
    }

    /// Records a decision about the matches of a selector, on the pages of the chosen scope.
    pub(crate) fn decide(&self, fields: &Fields) -> Result<(), Error> {
        let number = fields.number("page").unwrap_or(usize::MAX);
        let host = self.crawl.host(number);
        if host.is_empty() {
            return Err(no_address());
        }
        let selector = fields.text("selector");
        Selector::read(selector).map_err(|error| {
            Error::usage(format!("`{selector}`: {error}")).with_help(error.remedy().to_owned())
        })?;
        let Some(action) = Action::named(fields.text("action")) else {
            return Err(Error::usage("keep or drop?"));
        };
        // A first part that is kept in addition needs the present main text beside it.
        let main = match action {
            Action::Keep => {
                let record = self.crawl.read(number)?;
                let look = look::look(&record, &self.stores(&host)?.draft, &self.options)?;
                look::main_part(&record, &look, &self.options)?
            }
            _ => None,
        };
        let mut file = RuleFile::read(self.draft(&host)?.text()).map_err(Error::usage)?;
        let (scope, outer) = self.scope(&host, number, fields.text("scope"));
        let inside = |selector: &str| match &outer {
            Some(outer) => within(outer, selector),
            None => selector.to_owned(),
        };
        let (selector, main) = (inside(selector), main.as_deref().map(inside));
        file.decide(&host, &scope, action, &selector, main.as_deref());
        self.change(&host, |draft| draft.set(file.text()))
    }

    /// Writes the rules of a host to the folder, with an example from a page if one is given.
    pub(crate) fn save(&self, host: &str, page: Option<usize>) -> Result<Saved, Error> {
        let mut draft = self.draft(host)?;
        // The file is read again: another program may have changed it since it was opened.
        let now = self.folder.files()?.remove(draft.file()).unwrap_or_default();
        if now != draft.saved() {
            let message = format!(
                "`{}` was changed by somebody else since it was opened",
                draft.file()
            );
            return Err(Error::failed(message).with_help(
                "copy what you need from here, and take all steps back to begin with the file as it is",
            ));
        }
        let mut notes = Vec::new();
        // The example is made before the check, so that the check covers it.
        if let Some(number) = page {
            match self.with_example(host, &draft, number)? {
                Some(text) => draft.set(text),
                None => notes.push(
                    "No short example shows what the rule does on this page; none was added.".to_owned(),
                ),
            }
        }
        notes.extend(rules(&self.folder, Some(&draft))?.check(&Options::default()));
        let path = self.folder.write(&[draft.file()], draft.text().as_bytes())?;
        let text = draft.text().to_owned();
        draft.saved_as(text);
        self.drafts().insert(host.to_owned(), draft);
        // The need of the site is measured again by its new rules.
        self.needs.forget(host);
        Ok(Saved {
            path: path.display().to_string(),
            notes,
        })
    }

    /// Returns the text of the draft with an example for the rule that applies to a page; `None` if no valid example can be made.
    fn with_example(&self, host: &str, draft: &Draft, number: usize) -> Result<Option<String>, Error> {
        let Some(url) = self.crawl.url(number).map(str::to_owned) else {
            return Ok(None);
        };
        let all = rules(&self.folder, Some(draft))?;
        // The place of a rule is its file with the line, and examples are added by the index within the
        // file.
        let of_file = format!("{}:", draft.file());
        let mut own = all
            .rules()
            .iter()
            .filter(|rule| rule.place().starts_with(&of_file));
        let found = all.find(&url).map(|rule| rule.place().to_owned());
        let Some(rule) = own.position(|rule| Some(rule.place()) == found.as_deref()) else {
            return Ok(None);
        };
        let record = self.crawl.read(number)?;
        let look = look::look(&record, &self.stores(host)?.draft, &self.options)?;
        let Some((html, text)) = example(&record, &look, &all, &url)? else {
            return Ok(None);
        };
        let mut file = RuleFile::read(draft.text()).map_err(Error::usage)?;
        let before = all.check(&Options::default()).len();
        let example = Example {
            url: &url,
            html: &html,
            text: &text,
        };
        file.add_example(rule, &example);
        // An example that its own rule does not reproduce would add a message, so it is not written.
        let mut with = draft.clone();
        with.set(file.text());
        let holds =
            rules(&self.folder, Some(&with)).is_ok_and(|all| all.check(&Options::default()).len() <= before);
        Ok(holds.then(|| file.text()))
    }
}

/// The error of a page that has no host.
fn no_address() -> Error {
    Error::usage("a page without an address belongs to no site that rules could name")
        .with_help("start with --base, which gives pages in folders addresses")
}

/// Returns whether the choice of parts of a template changes with the pages that it is learnt from.
pub(crate) fn is_unsure(template: &Template) -> bool {
    template.doubt().is_some() || template.sure().is_some_and(|sure| sure < SURE)
}

/// Returns the folder of a page's path.
pub(crate) fn folder_of(url: &str) -> &str {
    let path = path_of(url);
    // The query is not part of the folder.
    let path = &path[..path.find('?').unwrap_or(path.len())];
    path.rfind('/').map_or("/", |slash| &path[..=slash])
}
