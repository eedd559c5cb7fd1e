//! Templates of sites with rules by hand, applied to pages and counted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use dehusk_extract::site::{self, Sample, Template};
use dehusk_extract::{Extracted, Options, Overrides, Page, WarningKind, extract_traced, extract_with};

use crate::error::Error;
use crate::settings::table::Settings;
use crate::site::folder::read_folder;
use crate::site::key;
use crate::site::rules::{RuleSet, is_rule, rules, with_rules};
use crate::site::usage::{ShownPage, SiteUsage, TemplateUsageCounts};
use crate::write::report::explain::marked;
use crate::write::summary::SiteCounts;

/// Templates by the part of the site they were learnt for, and rules by hand, with counts of the pages they were applied to.
#[derive(Debug, Default)]
pub struct Store {
    templates: BTreeMap<String, Vec<Template>>,
    rules: Option<RuleSet>,
    usage: Option<TemplateUsageCounts>,
    ruled: AtomicU64,
    silent: AtomicU64,
    fired: AtomicU64,
    unknown: AtomicU64,
    without: AtomicU64,
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

    /// The same store, which from now on counts what templates remove, site by site, for [`super::page`].
    pub(crate) fn counting_usage(mut self) -> Store {
        self.usage = (!self.templates.is_empty()).then(TemplateUsageCounts::default);
        self
    }

    /// What templates did so far, by site, if they are counted.
    pub(crate) fn usage(&self) -> Option<BTreeMap<String, SiteUsage>> {
        self.usage.as_ref().map(TemplateUsageCounts::usage)
    }

    /// Rules by hand, if there are any.
    pub fn rules(&self) -> Option<&RuleSet> {
        self.rules.as_ref()
    }

    /// Templates for an address: those of its folder, or else of the nearest one above that has any.
    pub fn for_url(&self, url: &str) -> Vec<&Template> {
        let key = key::site_key(url);
        let mut at = key.as_deref();
        while let Some(key) = at {
            if let Some(found) = self.templates.get(key) {
                return found.iter().collect();
            }
            at = key::parent_key(key);
        }
        Vec::new()
    }

    /// All templates, by site and layout.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.templates.values().flatten()
    }

    /// Finds the main text of a page by the rules and templates of its site, see [`dehusk_extract::extract_with`].
    pub fn extract(&self, page: &Page<'_>, options: &Options) -> Extracted {
        let templates = page.url().map_or_else(Vec::new, |url| self.for_url(url));
        let overrides = with_rules(Overrides::default(), self.rules.as_ref()).with_templates(&templates);
        let got = match (&self.usage, templates.first()) {
            (Some(usage), Some(first)) => {
                let (site, url) = (&first.origin.site, page.url().unwrap_or(""));
                let (got, used) = extract_traced(page, options, &overrides);
                if let Some(used) = used {
                    let (layout, hash) = (used.template.origin.layout, dehusk_dedup::content_hash(url));
                    if usage.count(site, Some(&used), hash) {
                        let all = options.clone().with_blocks(true).with_visible_nodes(true);
                        let marked_page = extract_with(page, &all, &overrides);
                        let prefix = format!("s{:08x}-{layout}-", dehusk_dedup::content_hash(site) as u32);
                        let html = marked(
                            marked_page.visible_nodes.as_deref().unwrap_or_default(),
                            marked_page.blocks.as_deref().unwrap_or_default(),
                            &prefix,
                        );
                        let url = url.to_owned();
                        usage.show(site, layout, ShownPage { hash, url, html });
                    }
                } else if got.method != site::NAME && !is_rule(got.method) {
                    usage.count(site, None, 0);
                }
                got
            }
            _ => extract_with(page, options, &overrides),
        };
        let silent =
            |w: &dehusk_extract::Warning| matches!(w.kind, WarningKind::RuleSilent | WarningKind::RuleLimit);
        if got.warnings.iter().any(silent) {
            self.silent.fetch_add(1, Ordering::Relaxed);
        }
        let count = match got.method {
            method if is_rule(method) => &self.ruled,
            _ if templates.is_empty() => &self.without,
            site::NAME => &self.fired,
            _ => &self.unknown,
        };
        count.fetch_add(1, Ordering::Relaxed);
        got
    }

    /// Templates of exactly this part of a site.
    pub(crate) fn of_site(&self, site: &str) -> &[Template] {
        self.templates.get(site).map_or(&[], Vec::as_slice)
    }

    /// Counts of the pages so far.
    pub fn counts(&self) -> SiteCounts {
        let of = |there: bool, count: &AtomicU64| there.then(|| count.load(Ordering::Relaxed));
        let (rules, templates) = (self.rules.is_some(), !self.templates.is_empty());
        SiteCounts {
            ruled: of(rules, &self.ruled),
            silent: of(rules, &self.silent),
            fired: of(templates, &self.fired),
            unknown: of(templates, &self.unknown),
            without: of(templates, &self.without),
        }
    }

    /// The template for this address that fits a page best, if one fires.
    pub(crate) fn best_for(&self, url: &str, page: &Sample) -> Option<(&Template, site::TemplateFit)> {
        site::best_of(self.for_url(url), page)
    }
}
