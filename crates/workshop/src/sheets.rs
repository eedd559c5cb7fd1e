//! Style sheets of pages, from the page itself or from the folder that it was found in.

use std::fs;
use std::path::{Component, Path, PathBuf};

use dehusk_html::url::Address;
use dehusk_pipeline::Error;
use dehusk_pipeline::extract::inspect;

use crate::frame::{self, Sheet};
use crate::look::page_of;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Largest style sheet that is read.
const MAX_BYTES: u64 = 4 << 20;

/// A style sheet of a page, by its number; an empty one where the crawl has none.
pub(crate) fn sheet(workshop: &Workshop, number: usize, at: usize) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let found = inspect(&page_of(&record)?, &workshop.options, |view| {
        frame::sheets(view.dom)
    });
    let text = match found.into_iter().nth(at) {
        Some((Sheet::Inline(text), _)) => text,
        Some((Sheet::Link(href), _)) => linked(workshop, number, &href).unwrap_or_default(),
        None => String::new(),
    };
    Ok(Reply::File("text/css; charset=utf-8", text))
}

/// A style sheet in the folder of the page.
fn linked(workshop: &Workshop, number: usize, href: &str) -> Option<String> {
    let page = workshop.crawl.catalog().pages().get(number)?;
    let (file, folder) = page.file();
    let (file, folder) = (file?, folder?);
    let real = fs::canonicalize(folder).ok()?;
    let url = page.url.as_deref();
    let paths = places(href, url, file.parent()?, folder);
    let inside = paths.into_iter().filter_map(|path| fs::canonicalize(path).ok());
    let found = inside.filter(|path| path.starts_with(&real)).find(|path| {
        let style = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("css"));
        style && fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_BYTES)
    })?;
    let bytes = fs::read(found).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where a style sheet may lie: beside the page, or below the folder of its host, or below the folder that was opened.
fn places(href: &str, url: Option<&str>, beside: &Path, folder: &Path) -> Vec<PathBuf> {
    let href = href.trim();
    let path = &href[..href.find(['?', '#']).unwrap_or(href.len())];
    let page_host = url.and_then(Address::split).map(|address| address.host());
    let (host, path) = match (Address::split(path), path.strip_prefix("//")) {
        (Some(address), _) => (Some(address.host()), address.path()),
        (None, Some(rest)) => {
            let slash = rest.find('/').unwrap_or(rest.len());
            (Some(&rest[..slash]), &rest[slash..])
        }
        (None, None) if path.starts_with('/') => (page_host, path),
        (None, None) => return plain(path).map(|path| beside.join(path)).into_iter().collect(),
    };
    let Some(below) = plain(path.trim_start_matches('/')) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    if let Some(host) = host.and_then(plain) {
        out.push(folder.join(&host).join(&below));
        // The folder of the host may be the one that was opened, or lie above the page.
        let above = beside.ancestors().find(|above| above.ends_with(&host));
        out.extend(above.map(|above| above.join(&below)));
    }
    out.push(folder.join(below));
    out
}

/// A path of names alone, and of steps up, which the caller checks.
fn plain(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(path);
    let fits = |part: Component<'_>| {
        matches!(
            part,
            Component::Normal(_) | Component::ParentDir | Component::CurDir
        )
    };
    (path.components().next().is_some()
        && path.components().all(fits)
        && !path.to_string_lossy().contains('\0'))
    .then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(href: &str, expected: &[&str]) {
        let url = Some("http://a.example/news/1.html");
        let found = places(href, url, Path::new("c/a.example/news"), Path::new("c"));
        let found: Vec<String> = found
            .iter()
            .map(|path| path.to_string_lossy().replace('\\', "/"))
            .collect();
        assert_eq!(found, expected, "{href}");
    }

    #[test]
    fn style_sheets_are_looked_for_where_crawlers_save_them() {
        check("a.css?v=3", &["c/a.example/news/a.css"]);
        check("../a.css", &["c/a.example/news/../a.css"]);
        check(
            "/s/a.css",
            &["c/a.example/s/a.css", "c/a.example/s/a.css", "c/s/a.css"],
        );
        check("http://b.example/s/a.css", &["c/b.example/s/a.css", "c/s/a.css"]);
        check("//b.example/a.css", &["c/b.example/a.css", "c/a.css"]);
        check("", &[]);
    }
}
