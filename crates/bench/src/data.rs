//! The development data: labelled pages and running text. They are not part of the repository.
//!
//! They are read from the folder `DEHUSK_DATA`, or else from `../shared/data` next to the repository.
//! Archives are unpacked once, with the system's `tar` and `xz`, into the build folder.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dehusk_html::decode::{CharsetHints, decode};
use serde::Deserialize;

use crate::result::Result;
use crate::root::{root, target};

/// One labelled page.
#[derive(Clone, Deserialize, Debug)]
#[serde(default)]
pub(crate) struct Doc {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    /// The main text as marked by a person.
    pub(crate) gold: String,
    /// Strings that belong to the main text.
    pub(crate) with: Vec<String>,
    /// Strings that do not belong to the main text.
    pub(crate) without: Vec<String>,
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    pub(crate) lang: Option<String>,
    /// Neutral text, which may be extracted or not.
    pub(crate) neutral: Option<String>,
    pub(crate) host: Option<String>,
    /// Share of the label's words that are in the page's source, 0 to 1.
    pub(crate) reach: f64,
    /// Path of the page, relative to the folder of the set.
    html: PathBuf,
    encoding: String,
}

impl Default for Doc {
    fn default() -> Self {
        Doc {
            id: String::new(),
            url: None,
            gold: String::new(),
            with: Vec::new(),
            without: Vec::new(),
            kind: None,
            lang: None,
            neutral: None,
            host: None,
            reach: 1.0,
            html: PathBuf::new(),
            encoding: "utf-8".to_owned(),
        }
    }
}

impl Doc {
    /// Returns a page that is not from a set of labelled pages.
    pub(crate) fn new(id: String, url: Option<String>, gold: String) -> Doc {
        Doc {
            id,
            url,
            gold,
            ..Doc::default()
        }
    }
}

/// A set of labelled pages.
pub(crate) struct Set {
    pub(crate) name: String,
    folder: PathBuf,
    /// XXH3-128 of the file of labels, in hexadecimal.
    pub(crate) digest: String,
    pub(crate) docs: Vec<Doc>,
}

impl Set {
    fn read(name: &str, folder: PathBuf) -> Result<Set> {
        let path = folder.join("docs.jsonl");
        let labels = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut docs = Vec::new();
        for (i, line) in labels
            .split('\n')
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
        {
            let doc: Doc =
                serde_json::from_str(line).map_err(|e| format!("{}, line {}: {e}", path.display(), i + 1))?;
            docs.push(doc);
        }
        let digest = format!("{:032x}", dehusk_pipeline::dedup::content_hash(&labels));
        Ok(Set {
            name: name.to_owned(),
            folder,
            digest,
            docs,
        })
    }

    /// Returns the path of a page.
    pub(crate) fn path(&self, doc: &Doc) -> PathBuf {
        self.folder.join(&doc.html)
    }

    /// Returns the bytes of a page.
    pub(crate) fn bytes(&self, doc: &Doc) -> Result<Vec<u8>> {
        let path = self.path(doc);
        fs::read(&path).map_err(|e| format!("{}: {e}", path.display()).into())
    }

    /// Returns a page decoded with the charset of its label; malformed sequences are replaced.
    pub(crate) fn text(&self, doc: &Doc) -> Result<String> {
        let bytes = self.bytes(doc)?;
        let hints = CharsetHints {
            // `utf-8-sig` is Python's name for UTF-8 with a byte order mark, which no standard of the web
            // knows. The mark itself decides.
            charset: Some(&doc.encoding)
                .filter(|label| *label != "utf-8-sig")
                .map(String::as_str),
            ..CharsetHints::default()
        };
        Ok(decode(&bytes, hints, usize::MAX).text.into_owned())
    }
}

/// Returns the folder of the development data, or the reason why it is missing.
fn home() -> std::result::Result<PathBuf, String> {
    match std::env::var_os("DEHUSK_DATA") {
        Some(home) => {
            // An absolute path replaces the root; a relative path starts there.
            let home = root().join(home);
            if home.is_dir() {
                Ok(home)
            } else {
                Err(format!("DEHUSK_DATA: no folder `{}`", home.display()))
            }
        }
        None => {
            let home = root().join("../shared/data");
            if home.is_dir() {
                Ok(home)
            } else {
                Err("no folder `../shared/data`, and DEHUSK_DATA is not set".into())
            }
        }
    }
}

/// Prints why development data are missing, so that a skipped measurement is not mistaken for a passed one.
pub(crate) fn absent(what: &str, why: &str) {
    eprintln!("SKIPPED: {what}: the development data are absent ({why})");
}

/// Returns the development data for a measurement, or `None` after printing that they are [`absent`].
pub(crate) fn present<T>(what: &str, found: std::result::Result<T, String>) -> Option<T> {
    found.map_err(|why| absent(what, &why)).ok()
}

/// Returns the sets of labelled pages with these names, or all sets if `names` is empty. `Err` inside `Ok`
/// holds the reason why there are no data.
pub(crate) fn sets(names: &[String]) -> Result<std::result::Result<Vec<Set>, String>> {
    let home = match home() {
        Ok(home) => home.join("pages"),
        Err(why) => return Ok(Err(why)),
    };
    let mut known = Vec::new();
    for entry in fs::read_dir(&home).map_err(|e| format!("{}: {e}", home.display()))? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        // A set is an archive, or its unpacked folder, or both.
        let unpacked = entry.path().join("docs.jsonl").is_file();
        known.extend(
            file.strip_suffix(".tar.xz")
                .or(unpacked.then_some(&file))
                .map(str::to_owned),
        );
    }
    known.sort_unstable();
    known.dedup();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("no set `{unknown}`; there are {}", known.join(", ")).into());
    }
    let wanted = known
        .iter()
        .filter(|name| names.is_empty() || names.contains(name));
    wanted
        .map(|name| Set::read(name, unpacked(&home, name)?))
        .collect::<Result<Vec<_>>>()
        .map(Ok)
}

/// Returns the path of an unpacked folder of the data.
pub(crate) fn folder(name: &str) -> std::result::Result<PathBuf, String> {
    home().map(|home| home.join(name))
}

/// Returns the folder of the second part of the labelled sites, unpacked from its archive.
pub(crate) fn sites_more() -> Result<PathBuf> {
    unpacked(&home()?, "sites-more")
}

/// Returns the folder of the third part of the labelled sites, unpacked from its archive.
pub(crate) fn sites_third() -> Result<PathBuf> {
    unpacked(&home()?, "sites-third")
}

/// Returns the folder of the resources that pages of the labelled sites load, and of their index.
pub(crate) fn site_assets() -> Result<PathBuf> {
    let (home, name) = (home()?, "site-assets-dev");
    let folder = unpacked(&home, name)?;
    // The archive does not have a folder of its own around the sites.
    Ok(match folder.is_dir() {
        true => folder,
        false => folder.parent().unwrap_or(&folder).to_owned(),
    })
}

/// Returns the contents of a file, inflated if it is compressed with gzip.
pub(crate) fn plain_bytes(path: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    // Compressed archives often have a member for each record, so all members are read.
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .read_to_end(&mut plain)
        .map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(plain)
}

/// Returns the folder of running text. `Err` inside `Ok` holds the reason why there are no data.
pub(crate) fn texts() -> Result<std::result::Result<PathBuf, String>> {
    match home() {
        Ok(home) => unpacked(&home.join("texts"), "texts").map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

/// Returns the folder `name` in `home`, or the folder unpacked from the archive `name.tar.xz` there.
fn unpacked(home: &Path, name: &str) -> Result<PathBuf> {
    let folder = home.join(name);
    if folder.is_dir() {
        return Ok(folder);
    }
    let archive = home.join(format!("{name}.tar.xz"));
    let meta = fs::metadata(&archive).map_err(|e| format!("{}: {e}", archive.display()))?;
    let cache = target().join("eval-data");
    // The length distinguishes versions of an archive. The folder is renamed to this name at the end, so if
    // it exists it is complete.
    let place = cache.join(format!("{name}-{}", meta.len()));
    if place.is_dir() {
        return Ok(place.join(name));
    }
    eprintln!("unpacking {}", archive.display());
    // Unpacked under a name of this process first, so that an interrupted unpacking is never mistaken for a
    // complete one.
    let draft = cache.join(format!(".{name}-{}", std::process::id()));
    fs::create_dir_all(&draft)?;
    let status = Command::new("tar")
        .arg("-xJf")
        .arg(&archive)
        .arg("-C")
        .arg(&draft)
        .status();
    let done = match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!(
            "tar failed on {} ({status}); are tar and xz installed?",
            archive.display()
        )),
        Err(e) => Err(format!("cannot start tar to unpack {}: {e}", archive.display())),
    };
    if done.is_ok() && fs::rename(&draft, &place).is_ok() {
        return Ok(place.join(name));
    }
    fs::remove_dir_all(&draft)?;
    done?;
    // Another process has unpacked the archive first.
    Ok(place.join(name))
}
