//! A job: inputs and settings, with a progress display and a switch to stop it.

use std::cell::RefCell;
use std::sync::Arc;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::ordered_pool::Plan;
use crate::exec::progress::Progress;
use crate::kernel::tokens::{Reads, SymbolRule, Tokenizer};
use crate::page_process::{self, Fingerprint, Launch, PageProcesses, Told};
use crate::read::address::{Addresses, Base};
use crate::read::catalog::PageCatalog;
use crate::read::chunk::Format;
use crate::read::crawl_index;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::kept_stream::KeptStream;
use crate::read::layouts::Layouts;
use crate::read::named_files::AllowedRoots;
use crate::read::page_lines::{self, LastFile};
use crate::read::parts::{FileParts, Portion};
use crate::read::pass::{Pass, guarded};
use crate::read::reader::Position;
use crate::read::records::{Notes, each_page};
use crate::read::walk::Skipped;
use crate::record::mend::LineNotes;
use crate::record::{PageRecord, Rejected, Rejection};
use crate::settings::table::Settings;

/// Maximum number of page processes that are started before there is a page for them. Further ones are
/// started on demand.
const MAX_AHEAD: usize = 8;

/// Inputs, with settings and context of their processing.
///
/// ```
/// use dehusk_pipeline::{Cancel, Job, Settings};
///
/// let folder = tempfile::tempdir()?;
/// let page = folder.path().join("flood.html");
/// std::fs::write(&page, "<title>Flood</title><p>The river rose overnight.")?;
///
/// let (inputs, settings, cancel) = ([page.display().to_string()], Settings::default(), Cancel::new());
/// let job = Job::new(&inputs, &settings, &cancel);
/// let mut pages = 0;
/// let skipped = job.each_page(&mut |page| {
///     pages += usize::from(page.is_ok());
///     true // goes on
/// })?;
/// assert_eq!(pages, 1);
/// # let _ = skipped;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Paths of files and folders, or `-` for standard input.
    pub inputs: &'a [String],
    /// Settings.
    pub settings: &'a Settings,
    /// Address of a page whose record has none. Useful only for a single page.
    pub url: Option<&'a str>,
    /// Switch that ends the work early.
    pub cancel: &'a Cancel,
    /// Receives progress reports.
    pub progress: &'a dyn Progress,
    /// Starts page processes. If `None`, or with the setting `in-process`, pages are processed in this
    /// process, and a page that crashes it ends the run. See the functions `serve` of the verbs that read
    /// pages.
    pub launch: Option<&'a Launch<'a>>,
}

impl<'a> Job<'a> {
    /// A job without progress display, on pages with addresses of their own.
    pub fn new(inputs: &'a [String], settings: &'a Settings, cancel: &'a Cancel) -> Self {
        Job {
            inputs,
            settings,
            url: None,
            cancel,
            progress: &(),
            launch: None,
        }
    }

    /// Validates and opens the inputs.
    ///
    /// From then on, outputs opened with the job's [`Cancel`] cannot replace an input, or a file that the settings refer to.
    ///
    /// # Errors
    /// If an input is missing or there are no inputs, or if both the address of a page and the address of a folder are given.
    pub fn open(&self, kind: RecordKind) -> Result<Inputs, Error> {
        self.open_kept(kind, &[])
    }

    /// Like [`Job::open`]. Streams for which `kept` has a copy are read from the copy.
    pub(crate) fn open_kept(&self, kind: RecordKind, kept: &[Arc<KeptStream>]) -> Result<Inputs, Error> {
        let is_of_pages = self.settings.base.is_some() && self.settings.index != Some(true);
        if kind == RecordKind::Pages && self.url.is_some() && is_of_pages {
            let message = "both the address of a page, `--url`, and that of a folder, `--base`, are given";
            return Err(Error::usage(message)
                .with_option("base")
                .with_help("for a single page give `--url` alone, for pages of a folder `--base` alone"));
        }
        self.open_as(self.settings.format(), kind, kept)
    }

    /// Like [`Job::open_kept`], with this format instead of the format of the settings. Every verb opens
    /// its inputs through this method.
    pub(crate) fn open_as(
        &self,
        format: Option<&'static dyn Format>,
        kind: RecordKind,
        kept: &[Arc<KeptStream>],
    ) -> Result<Inputs, Error> {
        let columns = self.settings.column.clone().unwrap_or_default();
        // The field that the keeper reads is read from records even if no column is named for it.
        let columns = columns.asking_for(self.settings.kept_by_field().as_ref());
        let inputs = match self.settings.index {
            Some(true) => Inputs::of_indexes(self.inputs, &self.index_request()?)?,
            _ => {
                self.check_base()?;
                Inputs::open_kept(self.inputs, format, kind, kept)?
            }
        };
        let inputs = inputs
            .with_columns(columns, kind)?
            .with_allowed(self.allowed_roots()?)
            .with_all_files(self.settings.all_files == Some(true));
        // From here on, no output of this job can replace a file that it reads.
        inputs.protect(self.cancel);
        self.settings.protect(self.cancel);
        Ok(inputs)
    }

    /// How indexes are read.
    ///
    /// # Errors
    /// If another format of the inputs is given.
    fn index_request(&self) -> Result<crawl_index::Request<'a>, Error> {
        if self.settings.format().is_some() {
            return Err(Error::usage("`--input-format` and `--index` contradict each other")
                .with_option("input-format")
                .with_help("leave out `--input-format`: the form of an index follows from its name and its first line"));
        }
        Ok(crawl_index::Request {
            base: self.settings.base.as_ref().map(Base::as_str),
            condition: self.settings.condition.as_ref(),
            memory: self.settings.memory.map(|memory| memory.0),
            cancel: self.cancel,
            progress: self.progress,
        })
    }

    /// Refuses settings of indexes if the inputs are not indexes.
    fn check_base(&self) -> Result<(), Error> {
        if self.settings.condition.is_some() {
            return Err(
                Error::usage("`--where` chooses rows of an index, and the inputs are none")
                    .with_option("where")
                    .with_help("say with `--index` that the inputs are indexes"),
            );
        }
        match self.settings.base.as_ref().map(Base::of_pages) {
            Some(Err(why)) => Err(Error::value("base", why)),
            _ => Ok(()),
        }
    }

    /// Folders in which records may name files, besides the folder of their list.
    fn allowed_roots(&self) -> Result<AllowedRoots, Error> {
        let folders = self.settings.allow_paths.as_ref();
        folders.map_or(Ok(AllowedRoots::default()), AllowedRoots::resolve)
    }

    /// Page processes for inputs with several pages; `None` if pages are processed in this process.
    ///
    /// `work` names their work. It must include everything besides the settings for extraction that decides
    /// the result of a page. The processes start in the background.
    pub(crate) fn page_processes(
        &self,
        inputs: &Inputs,
        work: &str,
    ) -> Result<Option<PageProcesses<'a>>, Error> {
        match self.launch {
            Some(launch) if self.settings.in_process != Some(true) && !inputs.is_single_page() => {
                let threads = self.settings.threads();
                // No more processes than chunks: for a few pages, most processes would be idle.
                let ahead = threads.min(inputs.least_chunks()).min(MAX_AHEAD);
                let fingerprint = self.fingerprint(work)?;
                let processes = PageProcesses::launch(launch, work, fingerprint, (ahead, threads));
                Ok(Some(processes))
            }
            _ => Ok(None),
        }
    }

    /// Processes pages for the parent that started this page process. `work` must equal the `work` of
    /// [`Job::page_processes`].
    pub(crate) fn serve_pages<M: Serialize>(
        &self,
        work: &str,
        page: impl Fn(&PageRecord<'_>) -> Result<M, Rejection>,
    ) -> Result<(), Error> {
        let (last, allowed) = (LastFile::default(), self.allowed_roots()?);
        page_process::serve(self.fingerprint(work)?, &page, &|lines, begin, tell| {
            // Two closures report to the parent, and both need it mutably, hence the cell.
            let tell = RefCell::new(tell);
            let read = &mut |end| tell.borrow_mut()(Told::Read(end));
            let notes = page_lines::each(lines, &last, &allowed, read, &mut |item| {
                let made = item.and_then(|item| {
                    // The parent learns which record is in progress. If this process dies, that record is
                    // the cause.
                    begin(&item.record);
                    guarded(&mut (), &item, |(), item| page(&item.record))
                });
                tell.borrow_mut()(Told::Record(made));
            });
            if let Some(notes) = notes.filter(|notes| *notes != LineNotes::default()) {
                tell.borrow_mut()(Told::Noted(notes));
            }
            notes.is_some()
        })
    }

    /// Hash of everything that decides the result of a page. A page process with another fingerprint is
    /// refused.
    fn fingerprint(&self, work: &str) -> Result<Fingerprint, Error> {
        let (options, sites) = (self.settings.extraction(), self.settings.hash_of_sites()?);
        Ok(Fingerprint::of(&format!("{work} {options:?} {sites:x}")))
    }

    /// Addresses for pages whose records have none. With an index, `base` is the address of the archives
    /// and not of pages.
    pub(crate) fn addresses(&self) -> Addresses<'a> {
        Addresses {
            url: self.url,
            base: match self.settings.index {
                Some(true) => None,
                _ => self.settings.base.as_ref().and_then(|base| base.of_pages().ok()),
            },
        }
    }

    /// The layouts that the settings name; `None` if they name none.
    ///
    /// # Errors
    /// If the file of layouts cannot be read.
    pub fn layouts(&self) -> Result<Option<Layouts>, Error> {
        self.settings.layout.as_deref().map(Layouts::open).transpose()
    }

    /// Visits the pages of the job's inputs in order, on the calling thread, until `visit` returns `false`.
    /// For programs that process pages themselves. Returns the skipped files and records.
    ///
    /// # Errors
    /// If an input is missing, or the job is cancelled. An unusable record is passed to `visit`.
    pub fn each_page(
        &self,
        visit: &mut dyn FnMut(Result<PageRecord<'_>, Rejected>) -> bool,
    ) -> Result<Skipped, Error> {
        self.each_page_of(&Portion::Files(0..u64::MAX), visit)
    }

    /// Like [`each_page`](Self::each_page), for some files of the inputs, or a part of one. Files are numbered in reading order, as in
    /// [`file_parts`](Self::file_parts).
    ///
    /// # Errors
    /// If an input is missing, or the job is cancelled. An unusable record is passed to `visit`.
    pub fn each_page_of(
        &self,
        portion: &Portion,
        visit: &mut dyn FnMut(Result<PageRecord<'_>, Rejected>) -> bool,
    ) -> Result<Skipped, Error> {
        let inputs = self.open(RecordKind::Pages)?;
        let bounds = self.settings.bounds();
        let files = portion.files();
        let mut reader = inputs
            .reader_from(Position::of_file(files.start), bounds, false)
            .with_part(portion.bytes());
        let mut notes = Notes::default();
        let mut goes_on = true;
        while goes_on && let Some(placed) = reader.next_placed() {
            self.cancel.check()?;
            if placed.end.file() >= files.end {
                break;
            }
            let addresses = self.addresses();
            each_page(
                &placed.chunk,
                bounds.page_bytes,
                &addresses,
                &mut notes,
                &mut |item| {
                    // A chunk may have further pages after `visit` has returned `false`. They are not
                    // visited.
                    goes_on = goes_on && visit(item.map(|item| item.record));
                },
            );
        }
        Ok(reader.skipped().clone().with_notes(notes))
    }

    /// Locates all pages of the job's inputs, so that each can be read by itself. Extracts nothing and
    /// keeps no page in memory.
    ///
    /// `known` may be the result of an earlier [`PageCatalog::to_bytes`]. If neither inputs nor settings
    /// have changed since, no page is read.
    ///
    /// # Errors
    /// If an input is missing or can be read only once, or the job is cancelled. An unusable record is passed to `on_rejected`.
    pub fn catalog(
        &self,
        known: Option<&[u8]>,
        on_rejected: &mut dyn FnMut(&Rejected),
    ) -> Result<PageCatalog, Error> {
        let inputs = self.open(RecordKind::Pages)?;
        if inputs.index_counts().is_some() {
            return Err(Error::usage("pages of an index are not read one by one")
                .with_option("index")
                .with_help("write them with `dehusk extract --index` first, or give the archives"));
        }
        if let Some((name, _)) = inputs.streams().next() {
            let message = format!("`{name}` can be read once only");
            return Err(Error::usage(message).with_help("write it to a file first"));
        }
        let bounds = self.settings.bounds();
        PageCatalog::read(
            &inputs,
            known,
            bounds,
            &self.plan(),
            self.addresses(),
            on_rejected,
        )
    }

    /// File name for the catalog of these inputs, derived from their names.
    pub fn catalog_name(&self) -> String {
        format!("{:016x}.pages", xxh3_64(self.inputs.join("\0").as_bytes()))
    }

    /// Sizes in bytes of all files of the inputs, in reading order. For indexes, each request for captures counts as a file.
    ///
    /// # Errors
    /// If an input is missing.
    pub fn file_sizes(&self) -> Result<Vec<u64>, Error> {
        let inputs = self.open(RecordKind::Pages)?;
        if let Some(sizes) = inputs.request_sizes() {
            return Ok(sizes);
        }
        let mut sizes = Vec::new();
        inputs.each_file(&mut |_, _, about| sizes.push(about.map_or(0, |about| about.bytes)));
        Ok(sizes)
    }

    /// Like [`file_sizes`](Self::file_sizes), with the positions at which large archives can be cut into
    /// parts of about `most` bytes. Of each part, about 1 MiB is read to find where a record begins. Other
    /// files are one part.
    ///
    /// # Errors
    /// If an input is missing.
    pub fn file_parts(&self, most: u64) -> Result<Vec<FileParts>, Error> {
        let sizes = self.file_sizes()?;
        let inputs = self.open(RecordKind::Pages)?;
        if inputs.request_sizes().is_some() {
            return Ok(sizes.into_iter().map(FileParts::whole).collect());
        }
        let sources = inputs.reader(self.settings.bounds(), false).files();
        debug_assert_eq!(
            sources.len(),
            sizes.len(),
            "both number the files in reading order"
        );
        let parts = sources.iter().zip(sizes);
        Ok(parts
            .map(|(source, bytes)| match bytes > most {
                true => FileParts::of(source, bytes, most),
                false => FileParts::whole(bytes),
            })
            .collect())
    }

    /// The plan for processing records: on all threads, with results in input order.
    pub(crate) fn plan(&self) -> Plan<'a> {
        Plan::new(self.settings.threads(), self.cancel)
    }

    /// The plan for this number of items: at most one thread for each item, since starting a thread takes
    /// time.
    pub(crate) fn plan_of(&self, items: usize) -> Plan<'a> {
        let plan = self.plan();
        Plan {
            threads: plan.threads.min(items).max(1),
            ..plan
        }
    }

    /// A pass over the records of the job's inputs. `stage` is its name in progress reports.
    pub fn pass<'p>(&self, stage: &'static str, inputs: &'p Inputs) -> Pass<'p>
    where
        'a: 'p,
    {
        Pass {
            stage,
            inputs,
            start: Position::default(),
            bounds: self.settings.bounds(),
            plan: self.plan(),
            progress: self.progress,
            singly: false,
            addresses: self.addresses(),
        }
    }
}

/// Returns a function that makes a tokenizer for each thread.
pub(crate) fn tokenizers(settings: &Settings) -> Result<impl Fn() -> Tokenizer + Sync + use<>, Error> {
    let (profile, reads, symbols) = (settings.profile(), Reads::of(settings)?, SymbolRule::of(settings));
    Ok(move || Tokenizer::new(profile.clone(), reads, symbols))
}
