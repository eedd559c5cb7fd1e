//! Reads the lists of an output folder, in any format in which they were written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::read::chunk::{Body, Bounds, Chunk, Format, Source};
use crate::read::format::{self, each_line};
use crate::read::rows::Wanted;

/// Returns the files of a list of an output folder, such as `pairs`: one file, or shards in order. They may
/// have any list format and be compressed.
///
/// # Errors
/// If the folder cannot be read.
pub fn files_of_list(folder: &Path, list: &str) -> Result<Vec<PathBuf>, Error> {
    let failed = |error| Error::input(folder, error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy());
        let rest = name.as_deref().and_then(|name| name.strip_prefix(list));
        // The names of shards go on with `-` and a number.
        let rest = rest.map(|rest| rest.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit()));
        let is_list = rest.is_some_and(|rest| rest.starts_with('.'));
        if is_list && path.is_file() && format_of(&path).is_some() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the format of a list, or `None` if the file is not a list.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    format::by_extension(path).filter(|format| format.has_documents() && !format.is_archive())
}

/// Visits the rows of a list file, each as a line of JSON.
///
/// The number is the byte offset of the line in the file. It is `None` if the line is not stored literally,
/// as in compressed files and tables.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn each_row(path: &Path, visit: &mut dyn FnMut(Option<u64>, &[u8])) -> Result<(), Error> {
    let broken = |why: &str| {
        Error::failed(format!("`{}` is broken: {why}", path.display()))
            .with_path(path)
            .with_help("run the command that wrote it again")
    };
    let Some(format) = format_of(path) else {
        return Err(broken("it is no list"));
    };
    let source = Arc::new(Source::of_file(path.to_owned(), format));
    let mut chunks = format.open(&source, &Bounds::NONE);
    while let Some(chunk) = chunks.next() {
        rows_of(&chunk, visit).map_err(|why| broken(&why))?;
    }
    Ok(())
}

/// Visits the rows of a chunk. Returns the message of its last rejection, if there is one.
fn rows_of(chunk: &Chunk, visit: &mut dyn FnMut(Option<u64>, &[u8])) -> Result<(), String> {
    let mut result = Ok(());
    match &chunk.body {
        Body::Rejected(rejection) => result = Err(rejection.message.clone()),
        Body::Rows(rows) => rows.each(Wanted::All, &mut |row| match row {
            Ok((row, _)) => visit(None, row),
            Err(why) => result = Err(why.to_owned()),
        }),
        _ => {
            let is_plain = chunk.packed.is_none();
            each_line(chunk, &mut |place, _| {
                visit(is_plain.then_some(place.offset), place.raw);
            });
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_in_all_forms() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "pairs-00002.jsonl",
            "pairs-00001.jsonl",
            "pairs.tsv",
            "clusters.jsonl.gz",
            "clustersize.jsonl",
            "pairs.jsonl.part",
        ] {
            fs::write(dir.path().join(name), "{\"a\":1}\n\n{\"a\":2}\n").unwrap();
        }
        let names = |list: &str| -> Vec<String> {
            let files = files_of_list(dir.path(), list).unwrap();
            files
                .iter()
                .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
                .collect()
        };
        assert_eq!(names("pairs"), ["pairs-00001.jsonl", "pairs-00002.jsonl"]);
        assert_eq!(names("clusters"), ["clusters.jsonl.gz"]);
        let mut rows = Vec::new();
        each_row(&dir.path().join("pairs-00001.jsonl"), &mut |at, row| {
            rows.push((at, String::from_utf8_lossy(row).into_owned()));
        })
        .unwrap();
        assert_eq!(
            rows,
            [
                (Some(0), "{\"a\":1}".to_owned()),
                (Some(9), "{\"a\":2}".to_owned())
            ]
        );
        let packed = dir.path().join("clusters.jsonl.gz");
        fs::write(&packed, crate::read::compression::testing::gzip(b"{\"a\":3}\n")).unwrap();
        let mut count = 0;
        each_row(&packed, &mut |at, _| {
            assert_eq!(at, None);
            count += 1;
        })
        .unwrap();
        assert_eq!(count, 1);
        assert!(files_of_list(&dir.path().join("none"), "pairs").is_err());
    }
}
