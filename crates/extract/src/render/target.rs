//! Addresses: what links and images of a page point to.

use std::borrow::Cow;

use crate::dom::{Dom, NodeId, Tag};
use crate::metadata::join;

/// What relative addresses of a page are resolved against.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base<'u> {
    url: Option<Cow<'u, str>>,
}

impl<'u> Base<'u> {
    /// The page's first `base`, else its own address.
    pub(crate) fn of(dom: &Dom<'_>, url: Option<&'u str>) -> Self {
        let mut marked = dom.preorder(NodeId::DOCUMENT);
        let marked = marked.find_map(|id| {
            let is_base = dom.html_tag(id) == Some(Tag::BASE);
            is_base.then(|| dom.attr(id, "href")).flatten()
        });
        let marked = marked.and_then(|href| match url {
            _ if is_web(&href) => Some(Cow::Owned(href.trim().to_owned())),
            Some(url) => join(url, href.trim()).map(Cow::Owned),
            None => None,
        });
        Base {
            url: marked.or(url.map(Cow::Borrowed)),
        }
    }

    /// The absolute address of a link that a reader could follow: http, https or mailto. A relative one stays as it is where
    /// nothing tells what it is relative to.
    pub(crate) fn resolve(&self, href: &str) -> Option<String> {
        // Browsers take line ends and tabs out of addresses; so must whoever checks their scheme.
        let href: String = href.trim().chars().filter(|c| !c.is_control()).collect();
        match scheme(&href) {
            Some("http" | "https" | "mailto") => Some(href),
            Some(_) => None,
            None if href.is_empty() || href.starts_with('#') => None,
            None => match &self.url {
                Some(url) => join(url, &href),
                None => Some(href),
            },
        }
    }

    /// Whether relative addresses can be resolved.
    pub(crate) fn is_known(&self) -> bool {
        self.url.is_some()
    }
}

/// The scheme of an address in lower case, `""` for one that is none of those known here; `None` for a relative address.
fn scheme(href: &str) -> Option<&'static str> {
    let (name, _) = href.split_once(':')?;
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    if !name.bytes().all(fits) {
        return None;
    }
    let known = ["http", "https", "mailto"];
    let found = known.iter().find(|known| name.eq_ignore_ascii_case(known));
    Some(found.copied().unwrap_or(""))
}

/// Whether an address is absolute and one of the web.
pub(crate) fn is_web(href: &str) -> bool {
    let href = href.trim();
    matches!(scheme(href), Some("http" | "https")) && href.contains("://")
}
