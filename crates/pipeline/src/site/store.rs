//! Templates of sites with rules by hand, applied to pages.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;

use dehusk_extract::site::{self, Sample, Template, TemplateUse};
use dehusk_extract::{Extracted, Options, Overrides, Page, WarningKind, extract_traced, extract_with};

use crate::error::Error;
use crate::settings::table::Settings;
use crate::site::folder::read_folder;
use crate::site::key;
use crate::site::rules::{RuleSet, is_rule, rules, with_rules};
use crate::site::usage::{Answer, PageUse, ShownPage, SiteTally, SiteUse, SmallestHashes, TemplatePage};
use crate::write::report::explain::marked;
use crate::write::summary::SiteCounts;

/// Most templates that are tried on a page.
pub(crate) const MAX_TRIED: usize = 32;

/// Templates by the part of the site they were learnt for, and rules by hand.
#[derive(Debug, Default)]
pub struct Store {
    templates: BTreeMap<String, Vec<Template>>,
    rules: Option<RuleSet>,
}

impl Store {
    /// A store of templates and rules that are there already.
    pub fn from_parts(templates: impl IntoIterator<Item = Template>, rules: Option<RuleSet>) -> Store {
        let mut out = Store {
            rules,
            ..Store::default()
        };
        for template in templates {
            let site = template.origin.site.clone();
            out.templates.entry(site).or_default().push(template);
        }
        out
    }

    /// Reads all templates of a folder.
    ///
    /// # Errors
    /// If the folder cannot be read or holds a `.toml` file that is no template; the error names file and place.
    pub fn open(folder: &Path) -> Result<Store, Error> {
        Ok(Store::from_parts(read_folder(folder)?, None))
    }

    /// What the settings name: templates, rules, both or none.
    ///
    /// # Errors
    /// As [`Store::open`] and [`rules`](super::rules).
    pub fn of_settings(settings: &Settings) -> Result<Option<Store>, Error> {
        if settings.templates.is_none() && settings.rules.is_none() {
            return Ok(None);
        }
        let templates = settings.templates.as_deref().map(read_folder).transpose()?;
        let rules = settings.rules.as_deref().map(rules).transpose()?;
        Ok(Some(Store::from_parts(templates.unwrap_or_default(), rules)))
    }

    /// Rules by hand, if there are any.
    pub fn rules(&self) -> Option<&RuleSet> {
        self.rules.as_ref()
    }

    /// Templates for an address: those of its folder and of the folders above, the nearest first; then the others of its host, since a
    /// layout may be met in any folder. At most 32.
    pub fn for_url(&self, url: &str) -> Vec<&Template> {
        let Some(key) = key::site_key(url) else {
            return Vec::new();
        };
        let host = key::host_key(&key);
        let of_host = || {
            let from = self
                .templates
                .range::<str, _>((Bound::Included(host), Bound::Unbounded));
            from.take_while(|(site, _)| site.starts_with(host))
        };
        let mut out: Vec<&Template> = Vec::new();
        let mut at = Some(key.as_str());
        while let Some(above) = at {
            out.extend(self.of_site(above));
            at = key::parent_key(above);
        }
        let others = of_host().filter(|(site, _)| !key.starts_with(site.as_str()));
        out.extend(others.flat_map(|(_, templates)| templates));
        out.truncate(MAX_TRIED);
        out
    }

    /// All templates, by site and layout.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.templates.values().flatten()
    }

    /// Finds the main text of a page by the rules and templates of its site, see [`dehusk_extract::extract_with`].
    pub fn extract(&self, page: &Page<'_>, options: &Options) -> Extracted {
        let templates = page.url().map_or_else(Vec::new, |url| self.for_url(url));
        extract_with(page, options, &self.overrides(&templates))
    }

    fn overrides<'a>(&'a self, templates: &'a [&'a Template]) -> Overrides<'a> {
        with_rules(Overrides::default(), self.rules.as_ref()).with_templates(templates)
    }

    /// As [`Store::extract`]; also tells what rules and templates did. With `report`, it tells what the report about sites shows,
    /// too.
    pub(crate) fn extract_noting(
        &self,
        page: &Page<'_>,
        options: &Options,
        report: Option<&SmallestHashes>,
    ) -> (Extracted, SiteUse) {
        let templates = page.url().map_or_else(Vec::new, |url| self.for_url(url));
        let overrides = self.overrides(&templates);
        let (got, page) = match (report, templates.first()) {
            (Some(report), Some(first)) => {
                let (got, used) = extract_traced(page, options, &overrides);
                let counts = used.is_some() || (got.method != site::NAME && !is_rule(got.method));
                let site = used.as_ref().map_or(*first, |used| used.template);
                let noted = counts.then(|| PageUse {
                    site: site.origin.site.clone(),
                    template: used.map(|used| template_page(page, options, &overrides, &used, report)),
                });
                (got, noted)
            }
            _ => (extract_with(page, options, &overrides), None),
        };
        let silent =
            |w: &dehusk_extract::Warning| matches!(w.kind, WarningKind::RuleSilent | WarningKind::RuleLimit);
        let done = SiteUse {
            answer: match got.method {
                method if is_rule(method) => Answer::Rule,
                _ if templates.is_empty() => Answer::NoTemplates,
                site::NAME => Answer::Template,
                _ => Answer::NoTemplateFits,
            },
            silent: got.warnings.iter().any(silent),
            page,
        };
        (got, done)
    }

    /// The counts of a tally that concern what is in this store.
    pub(crate) fn counts(&self, tally: &SiteTally) -> SiteCounts {
        tally.counts(self.rules.is_some(), !self.templates.is_empty())
    }

    /// Templates of exactly this part of a site.
    pub(crate) fn of_site(&self, site: &str) -> &[Template] {
        self.templates.get(site).map_or(&[], Vec::as_slice)
    }

    /// The template for this address that fits a page best, if one fires.
    pub(crate) fn best_for(&self, url: &str, page: &Sample) -> Option<(&Template, site::TemplateFit)> {
        site::best_of(self.for_url(url), page)
    }
}

/// What the report tells of a page to which a template was applied.
fn template_page(
    page: &Page<'_>,
    options: &Options,
    overrides: &Overrides<'_>,
    used: &TemplateUse<'_>,
    report: &SmallestHashes,
) -> TemplatePage {
    let site = used.template.origin.site.as_str();
    let (layout, url) = (used.template.origin.layout, page.url().unwrap_or(""));
    let hash = dehusk_dedup::content_hash(url);
    let shown = report.lowers(site, layout, hash).then(|| {
        let all = options.clone().with_blocks(true).with_visible_nodes(true);
        let marked_page = extract_with(page, &all, overrides);
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
