//! The inputs named by the user: files, folders and standard input. They are checked at once and read in order.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::progress::Total;
use crate::read::chunk::{Bounds, Format, is_compressed};
use crate::read::columns::Columns;
use crate::read::crawl_index::{self, IndexCounts, Plan};
use crate::read::files::{self, About};
use crate::read::format::Jsonl;
use crate::read::input::{Input, of_plan, open_one};
use crate::read::kept_stream::KeptStream;
use crate::read::named_files::AllowedRoots;
use crate::read::reader::{Position, Reader};
use crate::read::walk::{Skipped, Walk, files_below};

pub use crate::read::input::RecordKind;

/// The inputs of a run. All of them exist.
pub struct Inputs {
    list: Vec<Input>,
    columns: Columns,
    /// Folders in which records may name files, in addition to the folder of their list.
    allowed: AllowedRoots,
    /// `true` for a file written by this crate, whose records may have any length.
    own: bool,
}

impl Inputs {
    /// Returns the documents in a file written by this crate: plain JSON Lines, with no limit on length.
    pub(crate) fn documents_in(plain: &Path) -> Result<Inputs, Error> {
        let name = plain.display().to_string();
        let inputs = Inputs::open(&[name], Some(&Jsonl), RecordKind::Documents)?;
        Ok(Inputs { own: true, ..inputs })
    }

    /// Checks every input before any work: each must exist and be readable.
    ///
    /// Each input is read in `format`. If that is `None`, the format follows from the extension, else from
    /// the kind of records: HTML for pages, JSON Lines for documents. `-` is standard input.
    pub fn open(
        names: &[String],
        format: Option<&'static dyn Format>,
        kind: RecordKind,
    ) -> Result<Inputs, Error> {
        Inputs::open_kept(names, format, kind, &[])
    }

    /// Like [`Inputs::open`], with copies that are read instead of streams that can be read only once.
    pub(crate) fn open_kept(
        names: &[String],
        format: Option<&'static dyn Format>,
        kind: RecordKind,
        kept: &[Arc<KeptStream>],
    ) -> Result<Inputs, Error> {
        if names.is_empty() {
            return Err(Error::usage("no input is named")
                .with_help("name files or folders, or `-` for standard input"));
        }
        let list: Vec<Input> = names
            .iter()
            .map(|name| open_one(name, format, kind, kept.iter().find(|kept| kept.name == *name)))
            .collect::<Result<_, _>>()?;
        // Of the inputs opened here, only standard input has no path.
        if list.iter().filter(|input| input.path.is_none()).count() > 1 {
            return Err(Error::usage("standard input `-` is named twice").with_help("name it once"));
        }
        Ok(Inputs {
            list,
            columns: Columns::default(),
            allowed: AllowedRoots::default(),
            own: false,
        })
    }

    /// Reads indexes of captures, whose pages are the input.
    ///
    /// # Errors
    /// The errors of [`crawl_index::read`]; also if nothing is named.
    pub(crate) fn of_indexes(names: &[String], request: &crawl_index::Request<'_>) -> Result<Inputs, Error> {
        if names.is_empty() {
            return Err(
                Error::usage("no index is named").with_help("name files of indexes, or folders of them")
            );
        }
        Ok(Inputs {
            list: vec![of_plan(crawl_index::read(names, request)?)],
            columns: Columns::default(),
            allowed: AllowedRoots::default(),
            own: false,
        })
    }

    /// Returns the plan of captures, if the inputs are indexes.
    fn plan(&self) -> Option<&Plan> {
        self.list.first()?.plan.as_deref()
    }

    /// Returns the sizes of the files of [positions](Position): 0 for each rejected row, then the number of
    /// bytes of each request. `None` if the inputs are not indexes.
    pub(crate) fn request_sizes(&self) -> Option<Vec<u64>> {
        let plan = self.plan()?;
        let bytes = plan.spans.iter().map(|span| plan.range(span));
        let rejected = plan.bad.iter().map(|_| 0);
        Some(
            rejected
                .chain(bytes.map(|range| range.end - range.start))
                .collect(),
        )
    }

    /// Returns the numbers of captures that indexes list and that are read. `None` if the inputs are not
    /// indexes.
    pub(crate) fn index_counts(&self) -> Option<&IndexCounts> {
        self.plan().map(|plan| &plan.counts)
    }

    /// Sets the mapping of table columns to fields.
    ///
    /// # Errors
    /// If a table lacks a required column.
    pub(crate) fn with_columns(mut self, columns: Columns, kind: RecordKind) -> Result<Self, Error> {
        // Files of folders are not known before the folders are walked.
        for input in self.list.iter().filter(|input| !input.folder) {
            let documents = kind == RecordKind::Documents;
            input.format.check(input.path.as_deref(), documents, &columns)?;
        }
        self.columns = columns;
        Ok(self)
    }

    /// Sets the additional folders in which records may name files.
    pub(crate) fn with_allowed(mut self, allowed: AllowedRoots) -> Self {
        self.allowed = allowed;
        self
    }

    /// Sets whether all files of folders are examined, whatever their names.
    pub(crate) fn with_all_files(mut self, all: bool) -> Self {
        for input in &mut self.list {
            input.all = all;
        }
        self
    }

    /// Returns the mapping of table columns to fields.
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the names as the user typed them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|input| input.name.as_str())
    }

    /// Returns the inputs that can be read only once, as names and paths. The path is `None` for standard input.
    pub(crate) fn streams(&self) -> impl Iterator<Item = (&str, Option<&Path>)> {
        let streams = self.list.iter().filter(|input| !input.rereadable);
        streams.map(|input| (input.name.as_str(), input.path.as_deref()))
    }

    /// Returns the copies that are read instead of such streams.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &KeptStream> {
        self.list.iter().filter_map(|input| input.kept.as_deref())
    }

    /// Returns the names as the user typed them, each with the name of its format.
    pub(crate) fn formats(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.list.iter().map(|input| match input.plan {
            Some(_) => (input.name.as_str(), "index"),
            None => (input.name.as_str(), input.format.name()),
        })
    }

    /// Returns `true` if the input is a single file of a format that holds one page.
    pub(crate) fn is_single_page(&self) -> bool {
        matches!(self.list.as_slice(), [one] if !one.folder && !one.format.holds_many())
    }

    /// Returns `true` if records come from standard input line by line, perhaps from a program that waits for each answer.
    pub(crate) fn is_conversation(&self) -> bool {
        matches!(self.list.as_slice(), [one] if one.path.is_none() && one.format.is_lines())
    }

    /// Returns the amount to read: the number of pages if each file is one page, else bytes. `None` if this
    /// cannot be determined before reading, or if walking the folders takes more than a second.
    ///
    /// The size of standard input is unknown. The size of compressed lines does not help either, because
    /// progress is counted in decompressed bytes.
    pub fn total(&self) -> Option<Total> {
        if let Some(plan) = self.plan() {
            return Some(Total::Pages(plan.captures.len() as u64));
        }
        let until = Instant::now() + LOOK;
        let (mut files, mut bytes, mut are_pages) = (0, 0, true);
        let mut add = |path: &Path, format: &dyn Format, size: u64| {
            files += 1;
            bytes += size;
            are_pages &= !format.holds_many() && !format.is_archive();
            // `None` ends the count: progress in such a file is not counted in stored bytes.
            tells_bytes(path, format).then_some(())
        };
        for input in &self.list {
            let path = input.path.as_deref()?;
            if !input.folder {
                add(path, input.format, input.bytes)?;
                continue;
            }
            if files::address(path).is_some() {
                return None; // listing a bucket twice takes too long
            }
            for (path, format, about) in files_below(input, path, &mut Skipped::default()) {
                if Instant::now() > until {
                    return None;
                }
                add(&path, format, about.bytes)?;
            }
        }
        Some(if are_pages {
            Total::Pages(files)
        } else {
            Total::Bytes(bytes)
        })
    }

    /// Returns a lower estimate of the number of chunks, from the sizes of the files.
    pub(crate) fn least_chunks(&self) -> usize {
        let files = self.list.iter().filter(|input| !input.folder);
        let chunks = files.map(|input| input.bytes / CHUNK).sum::<u64>();
        usize::try_from(chunks).unwrap_or(usize::MAX)
    }

    /// Returns the number of files and bytes of each input, and what is skipped.
    ///
    /// An input that can be read only once, such as standard input, has `None`. Every file is examined.
    pub(crate) fn sizes(&self) -> (Vec<Option<(u64, u64)>>, Skipped) {
        let mut skipped = Skipped::default();
        let sizes = self.list.iter().map(|input| match &input.path {
            None if input.plan.is_some() => {
                let archives = input.plan.as_ref().map_or(0, |plan| plan.counts.archives);
                Some((archives, input.bytes))
            }
            Some(path) if input.folder => {
                let files = files_below(input, path, &mut skipped);
                Some(files.fold((0, 0), |(files, bytes), (.., about)| {
                    (files + 1, bytes + about.bytes)
                }))
            }
            _ if input.rereadable => Some((1, input.bytes)),
            _ => None,
        });
        (sizes.collect(), skipped)
    }

    /// Returns `true` if every input can be read a second time.
    pub(crate) fn rereadable(&self) -> bool {
        self.list.iter().all(|input| input.rereadable)
    }

    /// Returns the files among the inputs, without those in folders.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.list
            .iter()
            .filter(|input| !input.folder)
            .filter_map(|input| input.path.as_deref())
    }

    /// Reads the inputs in order. With `singly`, each record of standard input is a chunk of its own.
    pub fn reader(&self, bounds: Bounds, singly: bool) -> Reader<'_> {
        self.reader_from(Position::default(), bounds, singly)
    }

    /// Reads from a position that an earlier reader returned. If reading cannot start there, chunks before
    /// the position are returned too, marked as passed.
    pub(crate) fn reader_from(&self, start: Position, bounds: Bounds, singly: bool) -> Reader<'_> {
        let bounds = if self.own { Bounds::NONE } else { bounds };
        Reader::new(&self.list, (&self.columns, &self.allowed), start, bounds, singly)
    }

    /// Registers the input files with `cancel`, so that no output of the run overwrites them.
    pub(crate) fn protect(&self, cancel: &Cancel) {
        for input in &self.list {
            if let Some(plan) = &input.plan {
                let here = plan.indexes.iter().map(Path::new);
                here.filter(|path| files::address(path).is_none())
                    .for_each(|path| cancel.reads("the index", path));
                continue;
            }
            match &input.path {
                None => cancel.reads_stdin(),
                // No output lies on another machine under a name that could be compared.
                Some(path) if files::address(path).is_some() => {}
                Some(path) if input.folder => {
                    // The folder is walked only if an output exists that might replace one of its files.
                    let (input, folder) = (input.clone(), path.clone());
                    let visit = move |visit: &mut dyn FnMut(&Path)| {
                        let mut skipped = Skipped::default();
                        files_below(&input, &folder, &mut skipped).for_each(|(path, ..)| visit(&path));
                    };
                    cancel.reads_folder("the input", path, Box::new(visit));
                }
                Some(path) => cancel.reads("the input", path),
            }
        }
    }

    /// Visits all files to be read, input by input and in the order of each folder, each with its metadata
    /// if available. Standard input and streams with copies are left out.
    pub(crate) fn each_file(&self, visit: &mut dyn FnMut(&str, &Path, Option<About>)) {
        for input in &self.list {
            for index in input.plan.iter().flat_map(|plan| &plan.indexes) {
                // Sizes of archives are not requested: an index may name many archives and read little of each.
                let path = Path::new(index);
                visit(&input.name, path, files::about(path).ok());
            }
            match &input.path {
                _ if input.kept.is_some() => {}
                Some(path) if input.folder => {
                    let (mut walk, mut skipped) = (Walk::start(path), Skipped::default());
                    while let Some(found) = walk.next(input, &mut skipped) {
                        visit(&input.name, &found.path, found.about);
                    }
                }
                Some(path) => visit(&input.name, path, files::about(path).ok()),
                None => {}
            }
        }
    }
}

/// Approximate size of a chunk in bytes.
const CHUNK: u64 = 1 << 20;

/// Longest time spent on finding the sizes of files.
const LOOK: Duration = Duration::from_secs(1);

/// Returns `true` if progress in reading is counted in bytes of the file as stored.
fn tells_bytes(path: &Path, format: &dyn Format) -> bool {
    format.is_archive() || !format.holds_many() || !is_compressed(path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::error::ErrorKind;
    use crate::read::chunk::{Body, Captures, Digests};

    const BOUNDS: Bounds = Bounds {
        page_bytes: 1000,
        ahead: false,
        unread: false,
        exact: false,
        captures: Captures {
            digests: Digests::Warn,
            texts: false,
        },
    };

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "<p>x").unwrap();
        }
        dir
    }

    fn labels(inputs: &Inputs) -> (Vec<String>, Skipped) {
        let mut reader = inputs.reader(BOUNDS, false);
        let mut labels = Vec::new();
        while let Some(chunk) = reader.next_chunk() {
            let mark = if matches!(chunk.body, Body::Rejected(_)) {
                "!"
            } else {
                ""
            };
            labels.push(format!("{mark}{}", chunk.source.label));
        }
        (labels, reader.skipped().clone())
    }

    fn open(names: &[&Path], kind: RecordKind) -> Result<Inputs, Error> {
        let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
        Inputs::open(&names, None, kind)
    }

    #[test]
    fn folders_are_read_in_the_order_of_names_and_what_is_passed_over_is_counted() {
        let files = [
            "b.html",
            "a/z.htm",
            "a/about",
            "a.html",
            "style.css",
            ".git/x.html",
            "c/d/e.html",
            "l.jsonl",
        ];
        let dir = folder(&files);
        let (labels, skipped) = labels(&open(&[dir.path()], RecordKind::Pages).unwrap());
        assert_eq!(labels, ["a/about", "a/z.htm", "a.html", "b.html", "c/d/e.html"]);
        let skipped: Vec<_> = skipped.by_reason().into_iter().collect();
        assert_eq!(skipped, [("hidden", 1), ("other-extension", 2)]);
    }

    #[test]
    #[cfg(unix)]
    fn dead_and_circular_links_cost_only_themselves() {
        use std::os::unix::fs::symlink;
        let dir = folder(&["a.html", "b/c.html"]);
        symlink("nowhere", dir.path().join("b/dead.html")).unwrap();
        symlink("..", dir.path().join("b/up")).unwrap();
        symlink("../a.html", dir.path().join("b/linked.html")).unwrap();
        let (labels, skipped) = labels(&open(&[dir.path()], RecordKind::Pages).unwrap());
        assert_eq!(labels, ["a.html", "b/c.html", "!b/dead.html", "b/linked.html"]);
        assert_eq!(
            skipped.by_reason().into_keys().collect::<Vec<_>>(),
            ["linked-folder"]
        );
    }

    #[test]
    fn folders_that_we_write_to_are_no_input() {
        let dir = folder(&["a.html", "out/report.html", "out/.dehusk-lock"]);
        let (labels, skipped) = labels(&open(&[dir.path()], RecordKind::Pages).unwrap());
        assert_eq!(labels, ["a.html"]);
        assert_eq!(
            skipped.by_reason().into_keys().collect::<Vec<_>>(),
            ["output-folder"]
        );
        let error = open(&[&dir.path().join("out")], RecordKind::Documents)
            .err()
            .unwrap();
        assert!(
            error
                .to_string()
                .ends_with("out` is an output folder of dehusk, not an input"),
            "{error}"
        );
    }

    #[test]
    fn the_total_is_in_pages_where_each_file_is_one_and_else_in_bytes() {
        let dir = folder(&[
            "a.html",
            "b/c.html",
            "b/style.css",
            ".hidden/d.html",
            "lines.jsonl",
            "packed.jsonl.gz",
        ]);
        let total = |names: &[&str]| {
            let paths: Vec<PathBuf> = names.iter().map(|name| dir.path().join(name)).collect();
            let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
            open(&paths, RecordKind::Pages).unwrap().total()
        };
        let one = fs::metadata(dir.path().join("a.html")).unwrap().len();
        assert!(one > 0);
        assert_eq!(total(&["b", "a.html"]), Some(Total::Pages(2)));
        assert_eq!(
            total(&["b", "a.html", "lines.jsonl"]),
            Some(Total::Bytes(3 * one))
        );
        assert_eq!(total(&["a.html", "packed.jsonl.gz"]), None);
    }

    #[test]
    fn with_several_inputs_ids_tell_them_apart() {
        let dir = folder(&["one/a.html", "two/a.html", "list.jsonl"]);
        let at = |name: &str| dir.path().join(name);
        let inputs = open(&[&at("one"), &at("two"), &at("list.jsonl")], RecordKind::Pages).unwrap();
        let labels = labels(&inputs).0;
        assert_eq!(labels.len(), 3);
        assert!(
            labels[0].ends_with("/one/a.html") && labels[1].ends_with("/two/a.html"),
            "{labels:?}"
        );
        assert!(labels[2].ends_with("/list.jsonl"), "{labels:?}");
        let alone = open(&[&at("list.jsonl")], RecordKind::Pages).unwrap();
        let chunk = alone.reader(BOUNDS, false).next_chunk().unwrap();
        assert_eq!(chunk.source.ordinal(7), "7");
    }

    #[test]
    fn what_cannot_be_read_is_refused_before_work_begins() {
        let dir = folder(&["a.html"]);
        let error = open(&[&dir.path().join("none")], RecordKind::Pages)
            .err()
            .unwrap();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("none`: "), "{error}");
        let error = open(&[dir.path(), &dir.path().join("a.html")], RecordKind::Documents)
            .err()
            .unwrap();
        assert!(error.to_string().contains("a.html` is read as html"), "{error}");
        assert!(open(&[], RecordKind::Pages).is_err());
        assert!(open(&[Path::new("-"), Path::new("-")], RecordKind::Pages).is_err());
    }
}
