//! Templates in a folder: one file for each part of a site and layout.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use extract::site::{self, Sample, Template};
use extract::{Extracted, Options, Page};

use super::key;
use crate::error::Error;
use crate::output::WholeFile;
use crate::stop::Stop;

/// End of the name of a template's file.
const EXTENSION: &str = "toml";

/// Templates by the part of the site they were learnt for, with counts of the pages they met.
#[derive(Debug, Default)]
pub struct Store {
    templates: BTreeMap<String, Vec<Template>>,
    fired: AtomicU64,
    unknown: AtomicU64,
    without: AtomicU64,
}

/// How many pages met a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Met {
    /// Pages whose main text a template gave.
    pub fired: u64,
    /// Pages of a site with templates, none of which fits.
    pub unknown: u64,
    /// Pages of sites without templates, or without an address.
    pub without: u64,
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
                .entry(template.about.site.clone())
                .or_default()
                .push(template);
        }
        Ok(out)
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

    /// Finds the main text of a page by the templates of its site, see [`extract::site::extract`].
    pub fn extract(&self, page: &Page<'_>, options: &Options) -> Extracted {
        let templates = page.url().map_or_else(Vec::new, |url| self.of(url));
        let got = site::extract(page, options, &templates);
        let count = match (templates.is_empty(), got.method) {
            (true, _) => &self.without,
            (false, site::NAME) => &self.fired,
            (false, _) => &self.unknown,
        };
        count.fetch_add(1, Ordering::Relaxed);
        got
    }

    /// How many pages met a template so far.
    pub fn met(&self) -> Met {
        Met {
            fired: self.fired.load(Ordering::Relaxed),
            unknown: self.unknown.load(Ordering::Relaxed),
            without: self.without.load(Ordering::Relaxed),
        }
    }

    /// The template of this place that fits a page best, if one fires, and whether the place has any.
    pub(crate) fn best(&self, url: &str, page: &Sample) -> (Option<(&Template, site::Fit)>, bool) {
        let templates = self.of(url);
        let any = !templates.is_empty();
        let fits = templates.into_iter().map(|t| (t, t.fit(page)));
        let best = fits.filter(|(_, fit)| fit.fires).max_by(|a, b| {
            a.1.known
                .total_cmp(&b.1.known)
                .then(b.0.about.layout.cmp(&a.0.about.layout))
        });
        (best, any)
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
    let hash = dedup::content_hash(site) as u32;
    format!("{name}-{hash:08x}-{layout}.{EXTENSION}")
}

/// Writes a template into a folder; the file appears whole. Returns its path.
pub(crate) fn write(folder: &Path, template: &Template, stop: &Stop) -> Result<PathBuf, Error> {
    use std::io::Write;
    let path = folder.join(file_name(&template.about.site, template.about.layout));
    let mut file = WholeFile::create(&path, stop)?;
    file.write_all(template.to_toml().as_bytes())
        .map_err(|e| Error::write(&path, e))?;
    file.commit()?;
    Ok(path)
}
