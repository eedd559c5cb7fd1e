//! Templates in a folder: one file for each layout of each part of a site.

use std::fs;
use std::path::{Path, PathBuf};

use dehusk_extract::site::Template;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::settings::folders::{EXTENSION, toml_files};
use crate::write::file::whole_file;

/// Reads all templates of a folder, in the order of their file names.
pub(super) fn read_folder(folder: &Path) -> Result<Vec<Template>, Error> {
    let paths = toml_files(folder)?;
    if paths.is_empty() {
        return Err(Error::usage(format!("`{}` holds no templates", folder.display()))
            .with_path(folder)
            .with_help("learn some with `dehusk site learn`"));
    }
    paths.iter().map(|path| read(path)).collect()
}

/// Reads the template in a file, or all templates of a folder, ordered by site and file name.
///
/// # Errors
/// If a file cannot be read or is not a template, or the folder has no templates.
pub fn read_all(path: &Path) -> Result<Vec<Template>, Error> {
    if !path.is_dir() {
        return Ok(vec![read(path)?]);
    }
    let mut out = read_folder(path)?;
    out.sort_by(|a, b| a.origin.site.cmp(&b.origin.site));
    Ok(out)
}

/// Reads one template.
///
/// # Errors
/// If the file cannot be read or is not a template.
pub fn read(path: &Path) -> Result<Template, Error> {
    let text = fs::read_to_string(path).map_err(|e| Error::input(path, e))?;
    Template::from_toml(&text).map_err(|e| {
        Error::usage(format!("`{}`: {e}", path.display()))
            .with_path(path)
            .with_help("make it anew with `dehusk site learn`")
    })
}

/// File name of a template: the letters and digits of its site's key, a hash of the key, and the layout.
pub(crate) fn file_name(site: &str, layout: u32) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "32 bits of the hash name the file"
    )]
    let hash = dehusk_dedup::content_hash(site) as u32;
    format!("{}-{hash:08x}-{layout}.{EXTENSION}", name_of(site))
}

/// The smallest layout number, from `from` on, without a file in the folder. The caller holds the lock of
/// the folder.
pub(crate) fn free_layout(folder: &Path, site: &str, from: u32) -> u32 {
    let mut layout = from;
    while folder.join(file_name(site, layout)).exists() {
        layout += 1;
    }
    layout
}

/// Files of a folder that may hold templates of this host, in the order of their names. Callers must check
/// the host.
pub(crate) fn files_of_host(folder: &Path, host: &str) -> Result<Vec<PathBuf>, Error> {
    // `name_of` maps different hosts to one name, such as `a:80` and `a-80`, hence "may hold".
    let start = format!("{}-", name_of(host));
    let mut paths = toml_files(folder)?;
    paths.retain(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(&start))
    });
    Ok(paths)
}

/// The key without its scheme, as part of a file name: each run of characters other than letters, digits
/// and dots becomes a hyphen. At most 80 characters.
fn name_of(site: &str) -> String {
    let mut name = String::new();
    for c in site.split_once("://").map_or(site, |(_, rest)| rest).chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    // Without leading dots, files are not hidden.
    name.trim_matches(['-', '.']).chars().take(80).collect()
}

/// Writes a template into an existing folder. The file appears as a whole. Returns its path.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, template: &Template, cancel: &Cancel) -> Result<PathBuf, Error> {
    let path = folder.join(file_name(&template.origin.site, template.origin.layout));
    write_whole(&path, &template.to_toml(), cancel)?;
    Ok(path)
}

/// Writes a file that appears only when it is complete.
pub(super) fn write_whole(path: &Path, text: &str, cancel: &Cancel) -> Result<(), Error> {
    whole_file(path, cancel, |file| file.write(text.as_bytes()))
}
