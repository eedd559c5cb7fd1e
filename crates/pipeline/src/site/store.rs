//! Templates in a folder: one file for each part of a site and layout; with them, rules by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use dehusk_extract::rules::RuleSet;
use dehusk_extract::site::{self, Sample, Template};
use dehusk_extract::{Extracted, Options, Overrides, Page, WarningKind, extract_traced, extract_with};
use serde::Serialize;

use super::key;
use super::watch::{Seen, Shown, Watch};
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::settings::table::Settings;
use crate::write::file::WholeFile;
use crate::write::report::explain::marked;

/// End of the name of a template's file.
const EXTENSION: &str = "toml";

/// Templates by the part of the site they were learnt for, and rules by hand, with counts of the pages they met.
#[derive(Debug, Default)]
pub struct Store {
    templates: BTreeMap<String, Vec<Template>>,
    rules: Option<RuleSet>,
    watch: Option<Watch>,
    ruled: AtomicU64,
    silent: AtomicU64,
    fired: AtomicU64,
    unknown: AtomicU64,
    without: AtomicU64,
}

/// How many pages met a rule or a template; of rules, or templates, that are not there nothing is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Met {
    /// Pages whose main text a rule by hand gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<u64>,
    /// Pages with a rule that found nothing, or was given up: others answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<u64>,
    /// Pages whose main text a template gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<u64>,
    /// Pages of a site with templates, none of which fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u64>,
    /// Pages of sites without templates, or without an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<u64>,
}

impl Store {
    /// Reads all templates of a folder.
    ///
    /// # Errors
    /// If the folder cannot be read or holds a `.toml` file that is no template; the error names file and place.
    pub fn open(folder: &Path) -> Result<Store, Error> {
        let entries = fs::read_dir(folder).map_err(|e| Error::input(folder, e))?;
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            let path = entry.map_err(|e| Error::input(folder, e))?.path();
            if path.extension().is_some_and(|e| e == EXTENSION) {
                paths.push(path);
            }
        }
        paths.sort();
        if paths.is_empty() {
            return Err(Error::usage(format!("`{}` holds no templates", folder.display()))
                .with_path(folder)
                .with_help("learn some with `dehusk site learn`"));
        }
        let mut out = Store::default();
        for path in paths {
            let template = read(&path)?;
            out.templates
                .entry(template.origin.site.clone())
                .or_default()
                .push(template);
        }
        Ok(out)
    }

    /// What the settings name: templates, rules, both or none.
    ///
    /// # Errors
    /// As [`Store::open`] and [`rules`](super::rules).
    pub fn of_settings(settings: &Settings) -> Result<Option<Store>, Error> {
        if settings.templates.is_none() && settings.rules.is_none() {
            return Ok(None);
        }
        let mut out = match &settings.templates {
            Some(folder) => Store::open(folder)?,
            None => Store::default(),
        };
        out.rules = settings.rules.as_deref().map(super::rules).transpose()?;
        Ok(Some(out))
    }

    /// The same, and looks at what templates do, site by site: for [`super::page`].
    pub(crate) fn watching(mut self) -> Store {
        self.watch = (!self.templates.is_empty()).then(Watch::default);
        self
    }

    /// What was seen of each site.
    pub(crate) fn seen(&self) -> Option<BTreeMap<String, Seen>> {
        self.watch.as_ref().map(Watch::seen)
    }

    /// Rules by hand, if there are any.
    pub fn rules(&self) -> Option<&RuleSet> {
        self.rules.as_ref()
    }

    /// Templates for an address: those of its folder, or else of the nearest one above that has any.
    pub fn of(&self, url: &str) -> Vec<&Template> {
        let key = key::key(url);
        let mut at = key.as_deref();
        while let Some(key) = at {
            if let Some(found) = self.templates.get(key) {
                return found.iter().collect();
            }
            at = key::parent(key);
        }
        Vec::new()
    }

    /// All templates, by site and layout.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.templates.values().flatten()
    }

    /// Finds the main text of a page by the rules and templates of its site, see [`dehusk_extract::extract_with`].
    pub fn extract(&self, page: &Page<'_>, options: &Options) -> Extracted {
        let templates = page.url().map_or_else(Vec::new, |url| self.of(url));
        let overrides = Overrides::default()
            .with_rules(self.rules.as_ref())
            .with_templates(&templates);
        let got = match (&self.watch, templates.first()) {
            (Some(watch), Some(first)) => {
                let (site, url) = (&first.origin.site, page.url().unwrap_or(""));
                let (got, used) = extract_traced(page, options, &overrides);
                if let Some(used) = used {
                    let (layout, hash) = (used.template.origin.layout, dehusk_dedup::content_hash(url));
                    if watch.count(site, Some(&used), hash) {
                        let all = options.clone().with_blocks(true).with_visible_nodes(true);
                        let looked = extract_with(page, &all, &overrides);
                        let blocks = crate::kernel::extract::blocks(&looked).unwrap_or_default();
                        let prefix = format!("s{:08x}-{layout}-", dehusk_dedup::content_hash(site) as u32);
                        let html = marked(
                            looked.visible_nodes.as_deref().unwrap_or_default(),
                            &blocks,
                            &prefix,
                        );
                        let url = url.to_owned();
                        watch.show(site, layout, Shown { hash, url, html });
                    }
                } else if got.method != site::NAME && got.method != dehusk_extract::rules::NAME {
                    watch.count(site, None, 0);
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
        let count = match (templates.is_empty(), got.method) {
            (_, dehusk_extract::rules::NAME) => &self.ruled,
            (true, _) => &self.without,
            (false, site::NAME) => &self.fired,
            (false, _) => &self.unknown,
        };
        count.fetch_add(1, Ordering::Relaxed);
        got
    }

    /// Templates of exactly this part of a site.
    pub(crate) fn at(&self, site: &str) -> &[Template] {
        self.templates.get(site).map_or(&[], Vec::as_slice)
    }

    /// How many pages met a rule or a template so far.
    pub fn met(&self) -> Met {
        let of = |there: bool, count: &AtomicU64| there.then(|| count.load(Ordering::Relaxed));
        let (rules, templates) = (self.rules.is_some(), !self.templates.is_empty());
        Met {
            ruled: of(rules, &self.ruled),
            silent: of(rules, &self.silent),
            fired: of(templates, &self.fired),
            unknown: of(templates, &self.unknown),
            without: of(templates, &self.without),
        }
    }

    /// The template of this place that fits a page best, if one fires, and whether the place has any.
    pub(crate) fn best(&self, url: &str, page: &Sample) -> (Option<(&Template, site::TemplateFit)>, bool) {
        let templates = self.of(url);
        let any = !templates.is_empty();
        (site::best_of(templates, page), any)
    }
}

/// Reads the templates of a file, or of all `.toml` files of a folder by name.
///
/// # Errors
/// If one cannot be read or is no template, or the folder holds none.
pub fn read_all(path: &Path) -> Result<Vec<Template>, Error> {
    if path.is_dir() {
        Ok(Store::open(path)?.templates.into_values().flatten().collect())
    } else {
        Ok(vec![read(path)?])
    }
}

/// Reads one template.
///
/// # Errors
/// If the file cannot be read or is no template.
pub fn read(path: &Path) -> Result<Template, Error> {
    let text = fs::read_to_string(path).map_err(|e| Error::input(path, e))?;
    Template::from_toml(&text).map_err(|e| {
        Error::usage(format!("`{}`: {e}", path.display()))
            .with_path(path)
            .with_help("make it anew with `dehusk site learn`")
    })
}

/// Name of the file of a template: what letters and digits its site's key has, the hash of the key, and the layout.
pub(crate) fn file_name(site: &str, layout: u32) -> String {
    let mut name = String::new();
    for c in site.split_once("://").map_or(site, |(_, rest)| rest).chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name: String = name.trim_matches(['-', '.']).chars().take(80).collect();
    let hash = dehusk_dedup::content_hash(site) as u32;
    format!("{name}-{hash:08x}-{layout}.{EXTENSION}")
}

/// Writes a template into a folder; the file appears whole. Returns its path.
pub(crate) fn write(folder: &Path, template: &Template, cancel: &Cancel) -> Result<PathBuf, Error> {
    let path = folder.join(file_name(&template.origin.site, template.origin.layout));
    write_whole(&path, &template.to_toml(), cancel)?;
    Ok(path)
}

fn write_whole(path: &Path, text: &str, cancel: &Cancel) -> Result<(), Error> {
    use std::io::Write;
    let mut file = WholeFile::create(path, cancel)?;
    file.write_all(text.as_bytes())
        .map_err(|e| Error::write(path, e))?;
    file.commit()
}

/// Writes templates as rules by hand into a folder, a file for each part of a site, with all its layouts. Returns the
/// files with the number of rules in each.
///
/// # Errors
/// If the templates cannot be read, or the folder cannot be written.
pub fn export(templates: &Path, out: &Path, cancel: &Cancel) -> Result<Vec<(PathBuf, usize)>, Error> {
    let mut sites: BTreeMap<String, Vec<Template>> = BTreeMap::new();
    for template in read_all(templates)? {
        sites
            .entry(template.origin.site.clone())
            .or_default()
            .push(template);
    }
    fs::create_dir_all(out).map_err(|e| Error::write(out, e))?;
    let mut written = Vec::new();
    for (site, mut all) in sites {
        all.sort_by_key(|template| template.origin.layout);
        let path = out.join(file_name(&site, 0).replace("-0.toml", ".toml"));
        let rules = site::to_rules(&all.iter().collect::<Vec<_>>());
        write_whole(&path, &rules, cancel)?;
        written.push((path, all.len()));
    }
    Ok(written)
}
