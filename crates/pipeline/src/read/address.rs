//! Addresses of pages whose records have none: given by the user, or derived from files and folders.

use std::borrow::Cow;
use std::path::{Component, Path};
use std::str::FromStr;

use dehusk_html::url::{Address, is_web};

use crate::read::chunk::{Place, Source};
use crate::read::mirror;
use crate::read::percent::{Triples, encode};
use crate::record::{Content, PageRecord, UrlSource};

/// Value of the setting `base`: where the inputs come from.
///
/// For pages of folders it is the address that they had; for indexes the folder or the address below which archives lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    text: String,
    url: Result<BaseUrl, String>,
}

impl Base {
    /// Returns the value: an address of a folder of pages with a slash at its end.
    pub fn as_str(&self) -> &str {
        self.url.as_ref().map_or(&self.text, BaseUrl::as_str)
    }

    /// Returns the address of a folder of pages.
    ///
    /// # Errors
    /// A message that says why it is not one.
    pub(crate) fn of_pages(&self) -> Result<&BaseUrl, &str> {
        self.url.as_ref().map_err(String::as_str)
    }
}

impl FromStr for Base {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Err("it is empty".to_owned()),
            // An invalid URL is not an error yet: for indexes the value may be a folder. `of_pages` reports
            // it where a URL is required.
            text => Ok(Base {
                text: text.to_owned(),
                url: text.parse(),
            }),
        }
    }
}

/// Address of a folder: an absolute http or https URL without query and fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Returns the address, which ends with a slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address of a file in the folder.
    fn join(&self, path: &[&[u8]]) -> String {
        let mut url = self.0.clone();
        for (number, part) in path.iter().enumerate() {
            if number > 0 {
                url.push('/');
            }
            encode(part, Triples::Encode, b"", &mut url);
        }
        url
    }
}

impl FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let odd = |c: char| c.is_whitespace() || c.is_control();
        if !is_web(text) || text.contains(odd) || !Address::split(text).is_some_and(|url| url.has_host()) {
            return Err(format!(
                "`{text}` is not the address of a folder, such as https://news.example/archive/"
            ));
        }
        if text.contains(['?', '#']) {
            return Err(format!(
                "`{text}` has a query or a fragment, which a folder does not have; leave them out"
            ));
        }
        // `join` appends paths to the address, so it must end with a slash.
        let end = if text.ends_with('/') { "" } else { "/" };
        Ok(BaseUrl(format!("{text}{end}")))
    }
}

/// Addresses given by the user for pages whose records have none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Addresses<'a> {
    /// Address of a page.
    pub(crate) url: Option<&'a str>,
    /// Address of the input folder.
    pub(crate) base: Option<&'a BaseUrl>,
}

impl Addresses<'_> {
    /// Sets the address of a page that has none from the base address. Without a base address, stores the one derived from folder names.
    pub(crate) fn complete(&self, record: &mut PageRecord<'_>, source: &Source, place: &Place<'_>) {
        // An empty address counts as missing.
        if record.url.as_deref().is_some_and(|url| !url.is_empty()) {
            return;
        }
        let Some(path) = path_in_folder(record, source, place) else {
            return;
        };
        if let Some(base) = self.base {
            let url = base.join(&path);
            (record.url, record.url_source) = (Some(Cow::Owned(url)), Some(UrlSource::Base));
            return;
        }
        // Mirroring programs name folders after host and path, so the names give an address. It is kept
        // apart from `url`, because a page that states its own address overrides it.
        let names = source.folder.as_ref().map_or(&[][..], |folder| &folder.names);
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let url = mirror::address(&names, &path);
        record.folder_url = url.map(Cow::Owned);
    }
}

/// Returns the parts of the path of a page relative to the input folder.
///
/// Entries of an archive are placed in the folder of the archive. A file named as input is placed in a
/// folder of unknown name. `None` for pages that are not files, and for paths that leave the folder.
fn path_in_folder<'p>(
    record: &'p PageRecord<'_>,
    source: &'p Source,
    place: &'p Place<'_>,
) -> Option<Vec<&'p [u8]>> {
    let below = match (&source.folder, &source.path) {
        (Some(folder), Some(path)) => path.strip_prefix(&folder.path).ok()?,
        (None, Some(path)) => Path::new(path.file_name()?),
        (_, None) => Path::new(""),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(name) => parts.push(name.as_encoded_bytes()),
            Component::CurDir => {}
            // `..`, a root or a drive prefix leads out of the folder.
            _ => return None,
        }
    }
    let inner = match (place.entry, &record.content) {
        (Some(entry), _) => Some(entry),
        (None, Content::File { name, .. }) if source.format.holds_many() => Some(name.as_ref()),
        // A page from standard input, or from a record that names no file.
        (None, _) if source.format.holds_many() || source.path.is_none() => return None,
        (None, _) => None,
    };
    if let Some(inner) = inner {
        // Drop the name of the archive: its entries lie in its folder.
        parts.pop();
        // An absolute name does not say where the file lies below the folder.
        if inner.starts_with('/') {
            return None;
        }
        for part in inner.split('/') {
            match part {
                "" | "." => {}
                // An entry such as `../x.html` may leave the folder.
                ".." => return None,
                _ => parts.push(part.as_bytes()),
            }
        }
    }
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_the_address_of_a_folder() {
        let join = |base: &str, path: &[&str]| {
            let path: Vec<&[u8]> = path.iter().map(|part| part.as_bytes()).collect();
            base.parse::<BaseUrl>().unwrap().join(&path)
        };
        assert_eq!(
            join("https://news.example", &["a", "index.html"]),
            "https://news.example/a/index.html"
        );
        assert_eq!(
            join(" http://news.example:8080/x/ ", &["what? 100%.html"]),
            "http://news.example:8080/x/what%3F%20100%25.html"
        );
        for (wrong, why) in [
            ("", "is not the address of a folder"),
            ("news.example", "is not the address of a folder"),
            ("ftp://news.example/", "is not the address of a folder"),
            ("https://a b/", "is not the address of a folder"),
            ("https:///a", "is not the address of a folder"),
            ("https://news.example/?a", "query or a fragment"),
            ("https://news.example/#a", "query or a fragment"),
        ] {
            let error = wrong.parse::<BaseUrl>().unwrap_err();
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }
}
