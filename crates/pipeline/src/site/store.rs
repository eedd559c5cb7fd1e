//! Templates and manual rules of sites, applied to pages.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use dehusk_extract::site::{self, Sample, Template, TemplateUse};
use dehusk_extract::{
    Extracted, Options, Overrides, Page, SiteTemplates, WarningKind, extract_traced, extract_with,
};

use crate::error::Error;
use crate::settings::table::Settings;
use crate::site::folder::read_folder;
use crate::site::key;
use crate::site::rules::{RuleSet, is_rule, rules, with_rules};
use crate::site::shelf::TemplateShelf;
use crate::site::usage::{Answer, PageUse, ShownPage, SiteTally, SiteUse, SmallestHashes, TemplatePage};
use crate::write::report::explain::marked;
use crate::write::summary::SiteCounts;

/// Maximum number of templates that are tried on a page.
pub(crate) const MAX_TRIED: usize = 32;

/// Templates by the part of the site they were learnt for, and manual rules.
#[derive(Debug, Default)]
pub struct Store {
    /// Templates by the places of their keys, see [`key::place`].
    templates: BTreeMap<String, Vec<Template>>,
    /// Learnt templates, for hosts without templates in `templates`.
    learnt: Option<TemplateShelf>,
    rules: Option<RuleSet>,
}

/// Templates for the pages of one host.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostTemplates(Arc<Vec<Template>>);

impl Store {
    /// A store of given templates and rules.
    pub fn from_parts(templates: impl IntoIterator<Item = Template>, rules: Option<RuleSet>) -> Store {
        let mut out = Store {
            rules,
            ..Store::default()
        };
        for template in templates {
            let place = key::place(&template.origin.site).to_owned();
            out.templates.entry(place).or_default().push(template);
        }
        out
    }

    /// Reads all templates of a folder.
    ///
    /// # Errors
    /// If the folder cannot be read or has a `.toml` file that is not a template. The error names file and position.
    pub fn open(folder: &Path) -> Result<Store, Error> {
        Ok(Store::from_parts(read_folder(folder)?, None))
    }

    /// The store of the templates and rules that the settings name; `None` if they name neither.
    ///
    /// # Errors
    /// The errors of [`Store::open`] and [`rules`](super::rules).
    pub fn of_settings(settings: &Settings) -> Result<Option<Store>, Error> {
        if settings.templates.is_none() && settings.rules.is_none() {
            return Ok(None);
        }
        let templates = settings.templates.as_deref().map(read_folder).transpose()?;
        let rules = settings.rules.as_deref().map(rules).transpose()?;
        Ok(Some(Store::from_parts(templates.unwrap_or_default(), rules)))
    }

    /// The manual rules, if the store has any.
    pub fn rules(&self) -> Option<&RuleSet> {
        self.rules.as_ref()
    }

    /// Adds learnt templates, for hosts that have no templates in this store.
    pub(crate) fn with_learnt(self, learnt: TemplateShelf) -> Store {
        let learnt = Some(learnt).filter(|shelf| !shelf.is_empty());
        Store { learnt, ..self }
    }

    /// Whether the store has templates of a host, without learnt ones.
    pub(crate) fn has_host(&self, host: &str) -> bool {
        self.of_host(host).next().is_some()
    }

    /// The templates of a host, without learnt ones, in the order of their places.
    fn of_host<'s>(&'s self, host: &str) -> impl Iterator<Item = &'s Template> + use<'s> {
        // Places begin with the host and a slash, so the places of a host are adjacent in the map.
        let from = (Bound::Included(host), Bound::Unbounded);
        let host = host.to_owned();
        let sites = self.templates.range::<str, _>(from);
        let of_host = sites.take_while(move |(place, _)| place.starts_with(&host));
        of_host.flat_map(|(_, templates)| templates)
    }

    /// Templates to try for an address, at most 32.
    ///
    /// Templates of its folder and of parent folders come first, nearest first. Other templates of its host follow, since a layout may
    /// occur in any folder.
    pub fn for_url(&self, url: &str) -> Vec<&Template> {
        key::site_key(url).map_or_else(Vec::new, |key| {
            nearest_first(self.of_host(key::host_key(&key)), &key)
        })
    }

    /// The learnt templates of the host of an address. Empty if the store has other templates of the host.
    ///
    /// # Errors
    /// If a template cannot be read.
    fn learnt_for(&self, url: &str) -> Result<HostTemplates, Error> {
        let (Some(shelf), Some(key)) = (&self.learnt, key::site_key(url)) else {
            return Ok(HostTemplates::default());
        };
        let host = key::host_key(&key);
        match self.has_host(host) {
            true => Ok(HostTemplates::default()),
            false => shelf.of_host(host).map(HostTemplates),
        }
    }

    /// All templates by site and layout, without learnt ones.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.templates.values().flatten()
    }

    /// Extracts the main text of a page by the rules and templates of its site, see [`dehusk_extract::extract_with`].
    pub fn extract(&self, page: &Page<'_>, options: &Options) -> Extracted {
        extract_with(page, options, &self.overrides(&PageTemplates::new(self)))
    }

    /// The rules and templates for a page.
    fn overrides<'a>(&'a self, templates: &'a PageTemplates<'_>) -> Overrides<'a> {
        with_rules(Overrides::default(), self.rules.as_ref()).with_site_templates(templates)
    }

    /// Like [`Store::extract`]. Also returns how rules and templates were used.
    ///
    /// With `report`, the use includes data for the report about sites. The second value is an error if the
    /// learnt templates of the page's host cannot be read.
    pub(crate) fn extract_noting(
        &self,
        page: &Page<'_>,
        options: &Options,
        report: Option<&SmallestHashes>,
    ) -> (Extracted, Result<SiteUse, Error>) {
        let templates = PageTemplates::new(self);
        let overrides = self.overrides(&templates);
        let (got, used) = match report {
            Some(_) => extract_traced(page, options, &overrides),
            None => (extract_with(page, options, &overrides), None),
        };
        // The address that the page itself names counts if the record has none, as in extraction.
        let found = got.found_address.as_ref().map(|found| found.url.as_str());
        let url = page.url().or(found);
        let tried = url.map_or_else(Vec::new, |url| templates.of(url));
        let url = url.unwrap_or("");
        let noted = match (report, tried.first()) {
            (Some(report), Some(first)) => {
                // A page whose text comes from a rule says nothing about templates, so it is left out of
                // their report.
                let counts = used.is_some() || (got.method != site::NAME && !is_rule(got.method));
                let site = used.as_ref().map_or(*first, |used| used.template);
                counts.then(|| PageUse {
                    site: site.origin.site.clone(),
                    template: used.map(|used| template_page(page, url, options, &overrides, &used, report)),
                })
            }
            _ => None,
        };
        let silent =
            |w: &dehusk_extract::Warning| matches!(w.kind, WarningKind::RuleSilent | WarningKind::RuleLimit);
        let done = SiteUse {
            answer: match got.method {
                method if is_rule(method) => Answer::Rule,
                _ if tried.is_empty() => Answer::NoTemplates,
                site::NAME => Answer::Template,
                _ => Answer::NoTemplateFits,
            },
            silent: got.warnings.iter().any(silent),
            cut: got.removed_by_rule > 0,
            page: noted,
        };
        // The error of reading templates is kept in the cell: extraction asks for templates by a trait
        // without errors.
        match templates.learnt.into_inner() {
            Some(Err(error)) => (got, Err(error)),
            _ => (got, Ok(done)),
        }
    }

    /// The counts of a tally, limited to rules and templates that the store has.
    pub(crate) fn counts(&self, tally: &SiteTally) -> SiteCounts {
        tally.counts(self.rules.is_some(), self.has_templates())
    }

    /// Whether the store has any templates, learnt or not.
    pub(crate) fn has_templates(&self) -> bool {
        !self.templates.is_empty() || self.learnt.is_some()
    }

    /// Templates of exactly this part of a site.
    ///
    /// # Errors
    /// If a learnt template cannot be read.
    pub(crate) fn of_site(&self, site: &str) -> Result<Vec<Template>, Error> {
        let learnt = match &self.learnt {
            Some(shelf) if !self.has_host(key::host_key(site)) => shelf.of_host(key::host_key(site))?,
            _ => Arc::default(),
        };
        let known = self.templates.get(key::place(site)).into_iter().flatten();
        let of_site = known.chain(learnt.iter());
        Ok(of_site
            .filter(|template| template.origin.site == site)
            .cloned()
            .collect())
    }

    /// The template for this address that fits a page best; `None` if no template applies.
    pub(crate) fn best_for(&self, url: &str, page: &Sample) -> Option<(&Template, site::TemplateFit)> {
        site::best_of(self.for_url(url), page)
    }
}

/// The templates for one page, looked up once its address is known.
#[derive(Debug)]
struct PageTemplates<'s> {
    store: &'s Store,
    learnt: OnceLock<Result<HostTemplates, Error>>,
}

impl<'s> PageTemplates<'s> {
    /// Templates that were not looked up yet.
    fn new(store: &'s Store) -> PageTemplates<'s> {
        PageTemplates {
            store,
            learnt: OnceLock::new(),
        }
    }

    /// The templates to try: the learnt templates of the host if there are any, else those of the store.
    fn of(&self, url: &str) -> Vec<&Template> {
        match (
            self.learnt.get_or_init(|| self.store.learnt_for(url)),
            key::site_key(url),
        ) {
            (Ok(learnt), Some(key)) if !learnt.0.is_empty() => nearest_first(learnt.0.iter(), &key),
            _ => self.store.for_url(url),
        }
    }
}

impl SiteTemplates for PageTemplates<'_> {
    fn for_url(&self, url: &str) -> Vec<&Template> {
        self.of(url)
    }
}

/// The place that a template was learnt for.
fn place_of(template: &Template) -> &str {
    key::place(&template.origin.site)
}

/// Templates of one host, ordered for a page of this key: those of its folder and of parent folders, nearest first, then the others.
fn nearest_first<'t>(templates: impl Iterator<Item = &'t Template>, key: &str) -> Vec<&'t Template> {
    let place = key::place(key);
    // `partition` keeps the order, and the sort is stable: results do not depend on anything but the store.
    let (mut out, others): (Vec<&Template>, Vec<&Template>) =
        templates.partition(|template| place.starts_with(place_of(template)));
    out.sort_by_key(|template| std::cmp::Reverse(place_of(template).len()));
    out.extend(others);
    out.truncate(MAX_TRIED);
    out
}

/// The data for the report about a page to which a template was applied.
fn template_page(
    page: &Page<'_>,
    url: &str,
    options: &Options,
    overrides: &Overrides<'_>,
    used: &TemplateUse<'_>,
    report: &SmallestHashes,
) -> TemplatePage {
    let site = used.template.origin.site.as_str();
    let layout = used.template.origin.layout;
    let hash = dehusk_dedup::content_hash(url);
    // Extracting again is only worth it for a page that may be shown.
    let shown = report.lowers(site, layout, hash).then(|| {
        let all = options.clone().with_blocks(true).with_visible_nodes(true);
        let marked_page = extract_with(page, &all, overrides);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "32 bits of the hash begin the name"
        )]
        // Ids of different pages must differ: all are shown in one HTML file.
        let prefix = format!("s{:08x}-{layout}-", dehusk_dedup::content_hash(site) as u32);
        let html = marked(
            marked_page.visible_nodes.as_deref().unwrap_or_default(),
            marked_page.blocks.as_deref().unwrap_or_default(),
            &prefix,
        );
        let url = url.to_owned();
        ShownPage { hash, url, html }
    });
    let line = |line: &site::RemovedLine| (line.part, line.words, line.reason.to_owned());
    TemplatePage {
        layout,
        removed: used.removed.iter().map(line).collect(),
        shown,
    }
}
