//! Templates as rules by hand, which a person may edit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dehusk_extract::site::{self, Template};

use super::folder::{file_name, read_all, write_whole};
use crate::error::Error;
use crate::exec::cancel::Cancel;

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
