//! Indexes of captures in crawl archives. They locate pages, so that single pages are fetched out of
//! archives of any size.
//!
//! Rows are read once, before anything is fetched. A condition selects rows ([`condition`]), and one
//! capture per address is kept. The result is a [`Plan`]: ranges of archives, sorted by archive, with
//! neighboring ranges joined. [`Fetching`] reads them.

#[cfg(feature = "parquet")]
mod columnar;
mod columns;
mod condition;
mod fetch;
mod lines;
mod names;
mod plan;
mod ranges;
mod zipnum;

use std::io::{self, BufReader, Read};
use std::path::Path;

use walkdir::WalkDir;

use self::columns::{Wanted, check_columns, no_index};
pub(crate) use self::condition::Condition;
pub(crate) use self::fetch::Fetching;
use self::lines::{Form, Line};
pub use self::plan::IndexCounts;
pub(crate) use self::plan::Plan;
use self::plan::Planner;
use self::ranges::Root;
use self::zipnum::{Block, Blocks};
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::progress::Progress;
use crate::read::chunk::extension;
use crate::read::compression::Unpacked;
use crate::read::files::{self, Kind};
#[cfg(feature = "remote")]
use crate::read::remote;

/// Number of rows between two reports of progress, checks of memory and checks of cancellation.
const AT_ONCE: u64 = 8192;

/// Name of the list of blocks of a ZipNum index.
const CLUSTER: &str = "cluster.idx";

/// Largest size of a list of blocks in bytes. The list of a crawl of three billion pages has about a tenth
/// of it.
const MAX_LIST: u64 = 2 << 30;

/// Extensions of indexes in folders.
const EXTENSIONS: &[&str] = &["cdx", "cdxj", "csv", "jsonl", "ndjson", "parquet", "tsv"];

/// Options for reading indexes.
pub(crate) struct Request<'a> {
    /// Folder or address below which archives lie. `None` stands for the folder of each index.
    pub(crate) base: Option<&'a str>,
    pub(crate) condition: Option<&'a Condition>,
    /// Largest number of bytes of memory that the rows may take.
    pub(crate) memory: Option<u64>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) progress: &'a dyn Progress,
}

/// Reads indexes, files and folders of them.
///
/// # Errors
/// If an index cannot be read or is not an index, if no index has a column of the condition, or if the rows
/// do not fit into memory. Single rows that cannot be read become rejections.
pub(crate) fn read(names: &[String], request: &Request<'_>) -> Result<Plan, Error> {
    request.progress.stage("reading the index", None);
    let mut reading = Reading {
        request,
        planner: Planner::new(request.condition),
        wanted: Wanted::new(request.condition),
        rows: 0,
    };
    for name in names {
        if name == "-" {
            return Err(Error::usage("an index is not read from standard input")
                .with_option("index")
                .with_help("write it to a file first, and name that"));
        }
        let unreadable = |error| Error::input(Path::new(name), error).with_help(files::help(Path::new(name)));
        match files::about(Path::new(name)).map_err(unreadable)?.kind {
            Kind::Folder => {
                let found = indexes_below(name).map_err(unreadable)?;
                if found.is_empty() {
                    let message = format!("`{name}` holds no index");
                    let help = format!(
                        "name a file, or a folder with {CLUSTER} or files of {}",
                        EXTENSIONS.join(", ")
                    );
                    return Err(Error::usage(message).with_path(Path::new(name)).with_help(help));
                }
                found.iter().try_for_each(|name| reading.index(name))?;
            }
            Kind::File | Kind::Other => reading.index(name)?,
        }
    }
    checked(&mut reading.planner, request)?;
    // A column that no row has is probably misspelled, and would select nothing without a message.
    if reading.rows > 0
        && let Some(missing) = reading.wanted.never_found()
    {
        let why = format!(
            "no row of the index has a column `{missing}`; its columns are {}",
            reading.wanted.there.join(", ")
        );
        return Err(Error::value("where", why));
    }
    Ok(reading.planner.plan())
}

/// Returns the indexes below a folder or prefix. Folders are sorted by name. A list of blocks
/// (`cluster.idx`) is returned instead of the other files of its folder.
fn indexes_below(name: &str) -> io::Result<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    match files::address(Path::new(name)) {
        None => {
            for entry in WalkDir::new(name).sort_by_file_name() {
                let entry = entry.map_err(io::Error::from)?;
                if entry.file_type().is_file() {
                    found.extend(entry.path().to_str().map(str::to_owned));
                }
            }
        }
        #[cfg(feature = "remote")]
        Some(address) => {
            let mut listing = remote::Listing::start(address)?;
            while let Some(listed) = listing.next() {
                found.push(listed?.address);
            }
        }
        #[cfg(not(feature = "remote"))]
        Some(_) => return Err(files::unsupported()),
    }
    let folder = |name: &str| name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let is_list = |name: &&String| name.rsplit('/').next() == Some(CLUSTER);
    // A list of blocks leads to the files beside it, which would otherwise be read twice.
    let listed: Vec<String> = found.iter().filter(is_list).map(|name| folder(name)).collect();
    found.retain(|name| {
        let is_known = extension(Path::new(name)).is_some_and(|found| EXTENSIONS.contains(&found.as_str()));
        is_list(&name) || is_known && !listed.contains(&folder(name))
    });
    Ok(found)
}

/// Indexes that are being read.
struct Reading<'a, 'r> {
    request: &'r Request<'a>,
    planner: Planner<'a>,
    wanted: Wanted<'a>,
    rows: u64,
}

impl Reading<'_, '_> {
    /// Reads an index. Its form follows from its name, else from its first line.
    fn index(&mut self, name: &str) -> Result<(), Error> {
        self.planner.begin(name.to_owned());
        let root = match self.request.base {
            Some(base) => Root::of(base),
            None => Root::beside(name),
        };
        let file = name.rsplit('/').next().unwrap_or_default();
        if file == CLUSTER {
            return self.zipnum(name, &root);
        }
        if extension(Path::new(name)).as_deref() == Some("parquet") {
            return self.columnar(name, &root);
        }
        let unreadable = |error| Error::input(Path::new(name), error).with_help(files::help(Path::new(name)));
        let from = files::open(Path::new(name), 0).map_err(unreadable)?;
        self.lines(name, None, from, &root)
    }

    #[cfg(feature = "parquet")]
    fn columnar(&mut self, name: &str, root: &Root) -> Result<(), Error> {
        let (path, request, planner) = (Path::new(name), self.request, &mut self.planner);
        let mut seen = 0;
        columnar::rows(path, request.condition, &mut self.wanted, &mut |row, values| {
            seen += 1;
            planner.row(row, values, root);
            match seen % AT_ONCE {
                0 => checked(planner, request),
                _ => Ok(()),
            }
        })?;
        self.rows += seen;
        Ok(())
    }

    #[cfg(not(feature = "parquet"))]
    fn columnar(&mut self, name: &str, _: &Root) -> Result<(), Error> {
        let message = format!("`{name}` is Parquet, which this program was built without");
        Err(Error::usage(message)
            .with_path(Path::new(name))
            .with_help("build it with the feature `parquet`"))
    }

    /// Reads the blocks of a ZipNum index that can hold wanted rows.
    fn zipnum(&mut self, name: &str, root: &Root) -> Result<(), Error> {
        let path = Path::new(name);
        let mut text = String::new();
        files::open(path, 0)
            .and_then(|from| Unpacked::new(from).take(MAX_LIST).read_to_string(&mut text))
            .map_err(|error| Error::input(path, error).with_help(files::help(path)))?;
        // `take` cuts silently, so a text of exactly this size counts as cut.
        if text.len() as u64 == MAX_LIST {
            return Err(Error::usage(format!("`{name}` has {MAX_LIST} bytes and more"))
                .with_path(path)
                .with_help("name the files of its blocks (`cdx-*.gz`) instead"));
        }
        let mut blocks = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            match Block::read(line) {
                Some(block) => blocks.push(block),
                None => {
                    let message = format!("`{name}` has no key, file, offset and length, parted by tabs");
                    return Err(Error::usage(message)
                        .with_path(path)
                        .with_line(number as u64 + 1)
                        .with_help(
                            "a list of blocks goes on with their index, as `cluster.idx` of ZipNum does",
                        ));
                }
            }
        }
        let chosen = zipnum::chosen(&blocks, self.request.condition);
        // Blocks lie beside their list. Archives lie below `root`, which the user may set.
        let beside = Root::beside(name);
        for (block, bytes) in Blocks::new(beside.clone(), &blocks[chosen]) {
            let shard = beside.join(&block.file);
            let bytes =
                bytes.map_err(|error| Error::input(Path::new(&shard), error).with_help(files::help(path)))?;
            self.lines(&shard, Some(Form::Cdxj), bytes.as_slice(), root)?;
        }
        Ok(())
    }

    /// Reads lines, compressed or not. Without `form`, the first line decides.
    fn lines(&mut self, name: &str, form: Option<Form>, from: impl Read, root: &Root) -> Result<(), Error> {
        let path = Path::new(name);
        let mut from = BufReader::with_capacity(1 << 16, Unpacked::new(from));
        let (mut form, mut line, mut number) = (form, Vec::new(), 0);
        loop {
            number += 1;
            let next = lines::next_line(&mut from, &mut line).map_err(|error| {
                Error::input(path, error)
                    .with_line(number)
                    .with_help("fetch the index again: it is cut off or damaged")
            })?;
            let Some(fits) = next else { return Ok(()) };
            let text = match std::str::from_utf8(&line) {
                Ok(text) if fits => text,
                // With a known form, an unreadable line is a rejected row.
                _ if form.is_some() => {
                    self.planner.no_row(number);
                    continue;
                }
                // An unreadable first line becomes an empty text, which no form accepts.
                _ => "",
            };
            let known = match &form {
                Some(known) => known,
                // Empty lines before the first row are skipped.
                None if text.trim().is_empty() && fits && line.is_empty() => continue,
                None => {
                    let Some(found) = lines::form(text, &mut self.wanted) else {
                        return Err(no_index(name, "its first line is of no known form"));
                    };
                    if let Form::Cdx(places) | Form::Separated(_, places) = &found {
                        check_columns(name, places, &self.wanted)?;
                    }
                    if found.has_heading() {
                        form = Some(found);
                        continue;
                    }
                    form.insert(found)
                }
            };
            match known.read(text, &mut self.wanted) {
                Line::Row(values) => self.planner.row(number, values, root),
                // Comments and headings are not counted as rows.
                Line::Other => continue,
                Line::Bad => self.planner.no_row(number),
            }
            self.rows += 1;
            if self.rows.is_multiple_of(AT_ONCE) {
                checked(&mut self.planner, self.request)?;
            }
        }
    }
}

/// Reports progress, and checks memory and cancellation.
fn checked(planner: &mut Planner<'_>, request: &Request<'_>) -> Result<(), Error> {
    request.cancel.check()?;
    request.progress.advance(planner.unreported(), 0);
    let needed = planner.memory();
    match request.memory {
        Some(most) if needed > most => {
            let message =
                format!("the rows that are taken from the index need more than {needed} bytes of memory");
            Err(Error::usage(message)
                .with_option("memory")
                .with_help("take fewer rows with `--where`, or allow more memory with `--memory`"))
        }
        _ => Ok(()),
    }
}
