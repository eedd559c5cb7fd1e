//! Metadata of files written by this program. The summary beside them is their header.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Name of the program in headers.
pub(crate) const TOOL: &str = "dehusk";
/// Version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Version of the file formats, raised when a reader of old files would misread new ones.
pub(crate) const FORMAT_VERSION: u32 = 1;

/// Name of the file that marks a folder as an output folder and serves as its lock.
pub(crate) const MARKER: &str = ".dehusk-lock";
/// Name of the file that describes the others. It is written last: a folder without it is unfinished.
pub(crate) const SUMMARY: &str = "summary.json";
/// Temporary names of the earlier and the new summary, while files are renamed and removed. If the run is killed in between, the next run
/// finds in them which files to remove.
pub(crate) const EARLIER: &str = ".dehusk-earlier.json";
pub(crate) const COMING: &str = ".dehusk-coming.json";

/// Folder of the templates that a run learned.
pub(crate) const TEMPLATES: &str = "templates";
/// Folder in which the templates lie until the run ends.
pub(crate) const LEARNING: &str = ".dehusk-templates";

/// Names of the lists of an output folder. Files have these names, with the extensions of their format.
pub(crate) const DOCUMENTS: &str = "documents";
pub(crate) const PAIRS: &str = "pairs";
pub(crate) const CLUSTERS: &str = "clusters";
pub(crate) const KEPT: &str = "kept";

/// Field for the id of a document in all files of a run. It is used where the field `id` has another value: a number in the user's table,
/// or a value that the setting `column` does not read as the id.
pub(crate) const DOCUMENT_ID_FIELD: &str = "document_id";
pub(crate) const MATCHES: &str = "matches";
pub(crate) const PASSAGES: &str = "passages";
pub(crate) const ITEMS: &str = "items";
pub(crate) const OCCURRENCES: &str = "occurrences";
pub(crate) const CONTAINED: &str = "contained";
pub(crate) const REJECTED: &str = "quarantine";

/// Returns the file name of part `number` of a list. `ending` is the suffix of its format, such as
/// `.jsonl`.
pub(crate) fn shard_name(list: &str, number: usize, ending: &str) -> String {
    format!("{list}-{number:05}{ending}")
}

/// Returns the list to which a file of an output folder belongs, by its name.
pub(crate) fn list_of(name: &str) -> &str {
    // In `pairs-00001.jsonl.zst` the list ends before the number of the shard.
    let list = name.split('.').next().unwrap_or(name);
    match list.rsplit_once('-') {
        Some((list, number)) if number.bytes().all(|b| b.is_ascii_digit()) => list,
        _ => list,
    }
}

/// Length of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileFacts {
    /// Number of rows.
    pub rows: u64,
    /// Number of bytes.
    pub bytes: u64,
}

/// The part of `summary.json` that describes the files beside it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Header {
    tool: String,
    version: String,
    format_version: u32,
    pub(crate) verb: String,
    #[serde(default)]
    files: BTreeMap<String, FileFacts>,
}

impl Header {
    /// Returns the summary in this file. `None` if the file is not a summary of this program.
    pub(crate) fn beside(summary: &Path) -> Option<Header> {
        Header::read(&fs::read(summary).ok()?)
    }

    /// Returns the summary in this text. `None` if it is not a summary of this program.
    pub(crate) fn read(summary: &[u8]) -> Option<Header> {
        let header: Header = serde_json::from_slice(summary).ok()?;
        (header.tool == TOOL).then_some(header)
    }

    /// Returns the names of the listed files.
    pub(crate) fn into_files(self) -> impl Iterator<Item = String> {
        self.files.into_keys()
    }

    /// Checks a file that a summary beside it lists: format version and size must match, and it must hold
    /// documents. Other files pass.
    pub(crate) fn check(file: &Path) -> Result<(), Error> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let (Some(name), Some(header)) = (file.file_name(), Header::beside(&folder.join(SUMMARY))) else {
            return Ok(());
        };
        let name = name.to_string_lossy();
        let Some(facts) = header.files.get(name.as_ref()) else {
            return Ok(());
        };
        let refuse = |message: String| Err(Error::usage(message).with_path(file));
        let shown = file.display();
        if header.format_version != FORMAT_VERSION {
            return refuse(format!(
                "`{shown}` has format version {}, written by {TOOL} {}; this is {TOOL} {VERSION} with format version {FORMAT_VERSION}",
                header.format_version, header.version
            ))
            .map_err(|e| e.with_help("make the file again with this version, or read it with the other"));
        }
        let list = list_of(&name);
        // The list `documents` of `passages` describes documents and holds no texts.
        let is_list_of_documents = list == KEPT || list == DOCUMENTS && header.verb != PASSAGES;
        if !is_list_of_documents {
            return refuse(format!(
                "`{shown}` is the list of {list} of an earlier run, not of documents"
            ))
            .map_err(|e| {
                e.with_help("name documents or kept documents of the same folder, such as documents.jsonl")
            });
        }
        let bytes = fs::metadata(file).map_err(|e| Error::input(file, e))?.len();
        if bytes != facts.bytes {
            return refuse(format!("`{shown}` has {bytes} bytes, but {SUMMARY} beside it says {}", facts.bytes)).map_err(|e| {
                e.with_help("it is incomplete or was changed: run the first step again, or move the file away from its summary")
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_list() {
        for name in ["kept.jsonl", "kept.parquet", "kept-00012.jsonl.gz"] {
            assert_eq!(list_of(name), KEPT, "{name}");
        }
        assert_eq!(list_of("my-notes.jsonl"), "my-notes");
    }

    #[test]
    fn a_file_of_ours_must_be_what_its_summary_says() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        let check = |name: &str| Header::check(&dir.path().join(name)).map_err(|e| e.to_string());
        write("documents.jsonl", "{}\n");
        assert_eq!(check("documents.jsonl"), Ok(()));
        let summary = |format: u32, bytes: u64| {
            let text = format!(
                r#"{{"tool":"dehusk","version":"9.1.0","format_version":{format},"verb":"run","settings":{{}},
                "files":{{"documents.jsonl":{{"rows":1,"bytes":{bytes}}},"pairs.jsonl":{{"rows":0,"bytes":0}}}}}}"#
            );
            write(SUMMARY, &text);
        };
        summary(FORMAT_VERSION, 3);
        assert_eq!(check("documents.jsonl"), Ok(()));
        assert_eq!(check("other.jsonl"), Ok(()));
        assert!(check("pairs.jsonl").unwrap_err().contains("the list of pairs"));
        summary(FORMAT_VERSION, 4);
        assert!(
            check("documents.jsonl")
                .unwrap_err()
                .contains("has 3 bytes, but summary.json beside it says 4")
        );
        summary(77, 3);
        let refused = check("documents.jsonl").unwrap_err();
        assert!(
            refused.contains("format version 77, written by dehusk 9.1.0"),
            "{refused}"
        );
        assert!(
            refused.contains(&format!("format version {FORMAT_VERSION}")),
            "{refused}"
        );
    }
}
