//! Export of templates as manual rules, which a person may edit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dehusk_extract::rules::RuleSet;
use dehusk_extract::site::{self, Template};
use dehusk_html::url::Address;

use super::folder::{file_name, read_all, write_whole};
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::disk;
use crate::settings::folders::toml_files;

/// Writes templates as manual rules into a folder: one file for each part of a site, with all its layouts. Returns the files, each with its
/// number of rules.
///
/// # Errors
/// If the templates cannot be read, one of them belongs to a site without a valid host, or the folder cannot be written.
pub fn export(templates: &Path, out: &Path, cancel: &Cancel) -> Result<Vec<(PathBuf, usize)>, Error> {
    let files = match templates.is_dir() {
        true => toml_files(templates)?,
        false => vec![templates.to_owned()],
    };
    files.iter().for_each(|path| cancel.reads("the template", path));
    let mut sites: BTreeMap<String, Vec<Template>> = BTreeMap::new();
    for template in read_all(templates)? {
        sites
            .entry(template.origin.site.clone())
            .or_default()
            .push(template);
    }
    if let Some(site) = sites.keys().find(|site| !has_host(site)) {
        return Err(Error::usage(format!(
            "the templates of `{site}` are of no host that rules could name"
        ))
        .with_path(templates)
        .with_help("remove them, or learn them from pages with whole addresses"));
    }
    disk::create_folder(out).map_err(|e| Error::create(out, e))?;
    let mut written = Vec::new();
    for (site, mut all) in sites {
        all.sort_by_key(|template| template.origin.layout);
        let path = out.join(file_name(&site, 0).replace("-0.toml", ".toml"));
        let rules = site::to_rules(&all.iter().collect::<Vec<_>>());
        // Checks that `--rules` can read the result.
        let read = RuleSet::read([(path.to_string_lossy().as_ref(), rules.as_str())]).map_err(|error| {
            Error::failed(format!(
                "the templates of `{site}` cannot be told as rules: {error}"
            ))
            .with_path(templates)
        })?;
        write_whole(&path, &rules, cancel)?;
        written.push((path, read.rules().len()));
    }
    Ok(written)
}

/// Whether the key of a part of a site has a host.
fn has_host(site: &str) -> bool {
    Address::split(site).is_some_and(|address| address.has_host())
}
