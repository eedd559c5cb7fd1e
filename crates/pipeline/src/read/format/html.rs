//! HTML files with one page each.

use std::path::Path;
use std::sync::Arc;

use crate::error::plain;
use crate::read::chunk::{
    Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile, extension, read_up_to,
};
use crate::read::mirror::is_html_with_query;
use crate::record::{Content, PageRecord, Reason, Rejection};

/// HTML: one page per file.
///
/// In folders, files named `.html`, `.htm`, `.xhtml`, `.xht` or `.shtml` are pages, as are names with a query followed by `.html`, such as
/// `news.php?id=3.html`. Files with other names, or without extension, are pages if their first bytes say so.
pub struct Html;

impl Format for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn summary(&self) -> &'static str {
        "HTML files, one page each; folders are searched for them"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "xhtml", "xht", "shtml"]
    }

    fn takes(&self, path: &Path) -> bool {
        let with_query = |name: &std::ffi::OsStr| is_html_with_query(name.as_encoded_bytes());
        extension(path).is_some_and(|found| self.extensions().contains(&found.as_str()))
            || path.file_name().is_some_and(with_query)
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let read = || read_up_to(source.stream()?, bounds.page_bytes);
        let body = match (&source.path, &source.kept) {
            // A file is read later, by the thread that extracts it.
            (Some(_), None) => Body::File,
            _ => match read() {
                Ok(bytes) => Body::Page(bytes),
                Err(error) => Body::Rejected(Rejection::new(Reason::Unreadable, plain(&error))),
            },
        };
        Box::new(WholeFile::new(source, body))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let content = match (&chunk.body, &chunk.source.path) {
            (Body::Page(bytes), _) => Content::Bytes(bytes.as_slice().into()),
            (Body::File, Some(path)) => Content::File {
                name: chunk.source.label.as_str().into(),
                path: path.clone(),
            },
            _ => return,
        };
        visit(Place::at(0), Found::Record(PageRecord::new(content)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_saved_with_their_queries_are_pages() {
        let takes = |name: &str| Html.takes(Path::new(name));
        for page in [
            "a.html",
            "a.html?x=1",
            "a.html@x=1",
            "view.php?id=3.html",
            "view.php@id=3.html",
            "a.html#b?c",
        ] {
            assert!(takes(page), "{page}");
        }
        for other in [
            "a.css",
            "view.php",
            "view.php?id=3",
            "a.html@x",
            "me@home.css",
            "@x=1.css",
            "about",
            "about?x=1.5",
        ] {
            assert!(!takes(other), "{other}");
        }
    }
}
