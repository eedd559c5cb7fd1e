//! Copies of inputs that can be read only once, such as standard input, for a run that reads its inputs twice.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::exec::disk;
use crate::job::Job;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::kept_stream::{CopyError, KeptStream, copy};
use crate::settings::table::Settings;
use crate::verbs::run::work_folder;
use crate::write::file::{OutFile, whole_file};
use crate::write::folder::OutFolder;
use crate::write::journal::Journal;

/// Name of the folder of the copies, and prefix of its name in the folder of temporary files.
const FOLDER: &str = ".dehusk-input";

/// File that lists the copies. It is written after all copies are complete.
const KEPT: &str = "kept.json";

/// The folder of the copies of a run: in its output folder, or in the folder for temporary files, under a name derived from the output
/// folder.
fn folder_of(settings: &Settings, out: &Path) -> PathBuf {
    let Some(temporary) = &settings.temp_dir else {
        return out.join(FOLDER);
    };
    // An output folder that does not exist yet has no copies.
    let at = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    let run = xxh3_64(at.as_os_str().as_encoded_bytes());
    temporary.join(format!("{FOLDER}-{run:016x}"))
}

/// Opens the inputs of a run. A resumed run that learns reads its earlier copies in place of streams, which
/// are not touched.
///
/// # Errors
/// The errors of [`Job::open`]; also if such copies are missing.
pub(in crate::verbs) fn open(job: &Job<'_>, out: &Path, resume: bool) -> Result<Inputs, Error> {
    if !resume || job.settings.learn_sites != Some(true) {
        return job.open(RecordKind::Pages);
    }
    let inputs = job.open_kept(RecordKind::Pages, &kept_before(job, out))?;
    match inputs.rereadable() {
        true => Ok(inputs),
        false => Err(gone()),
    }
}

/// The copies of an earlier run in the same output folder. Empty unless all are complete.
fn kept_before(job: &Job<'_>, out: &Path) -> Vec<Arc<KeptStream>> {
    let folder = folder_of(job.settings, out);
    let read = || serde_json::from_slice::<Vec<KeptStream>>(&fs::read(folder.join(KEPT)).ok()?).ok();
    let kept = read().unwrap_or_default().into_iter();
    let kept: Vec<_> = kept.map(|kept| Arc::new(kept.in_folder(&folder))).collect();
    match kept.iter().all(|kept| kept.file.is_file()) {
        true => kept,
        false => Vec::new(),
    }
}

/// Copies the inputs that can be read only once, if the run reads its inputs twice. Returns the inputs,
/// with copies in place of streams.
pub(super) fn keep(job: &Job<'_>, inputs: Inputs, out: &OutFolder, resume: bool) -> Result<Inputs, Error> {
    let learns = job.settings.learn_sites == Some(true);
    if resume {
        // Copies of an earlier run are already open. Streams that it did not copy are gone.
        return Ok(inputs);
    }
    // A new run must not read the copies of an earlier run.
    discard(job.settings, out.path())?;
    if !learns || inputs.rereadable() {
        return Ok(inputs);
    }
    // The copies of the earlier run are gone, and until all streams are copied there is nothing to resume.
    Journal::discard(out)?;
    if let Err(error) = copy_all(job, &inputs, &folder_of(job.settings, out.path())) {
        // Copies that cannot be removed here are removed by the next run.
        let _ = discard(job.settings, out.path());
        return Err(of_place(job, error));
    }
    job.open_kept(RecordKind::Pages, &kept_before(job, out.path()))
}

/// Copies all inputs that can be read only once to a folder.
fn copy_all(job: &Job<'_>, inputs: &Inputs, folder: &Path) -> Result<(), Error> {
    disk::create_folder(folder).map_err(|error| Error::create(folder, error))?;
    let mut kept: Vec<KeptStream> = Vec::new();
    for (name, path) in inputs.streams() {
        // A stream that is named twice can be read only once.
        if kept.iter().all(|kept| kept.name != name) {
            let file = PathBuf::from(format!("input-{}.zst", kept.len() + 1));
            let (bytes, hash) = copied(job, (name, path), &folder.join(&file))?;
            let name = name.to_owned();
            kept.push(KeptStream {
                name,
                file,
                bytes,
                hash,
            });
        }
    }
    let text = serde_json::to_vec(&kept).map_err(|e| Error::failed(format!("cannot write {KEPT}: {e}")))?;
    whole_file(&folder.join(KEPT), job.cancel, |file| file.write(&text))
}

/// Copies a stream to a file. Returns the number of its bytes and their hash.
fn copied(job: &Job<'_>, (name, path): (&str, Option<&Path>), to: &Path) -> Result<(u64, String), Error> {
    job.progress.stage("keeping the input", None);
    let advance = |bytes| job.progress.advance(0, bytes);
    whole_file(to, job.cancel, |file: &mut OutFile| {
        let opened: io::Result<Box<dyn Read>> = match path {
            None => Ok(Box::new(io::stdin())),
            Some(path) => File::open(path).map(|file| Box::new(file) as Box<dyn Read>),
        };
        let copied = match opened {
            Ok(mut from) => copy(&mut *from, file, job.cancel, &advance),
            Err(error) => Err(CopyError::Read(error)),
        };
        copied.map_err(|error| match error {
            CopyError::Read(error) => Error::input(Path::new(name), error),
            CopyError::Write(error) => file.failed(error),
            CopyError::Cancelled => job
                .cancel
                .check()
                .err()
                .unwrap_or_else(|| Error::failed("cancelled")),
        })
    })
}

/// Adds the option `temp-dir` to an error about the folder of the copies, if the setting names that folder.
fn of_place(job: &Job<'_>, error: Error) -> Error {
    match &job.settings.temp_dir {
        Some(folder) if error.path().is_some_and(|path| path.starts_with(folder)) => {
            error.with_option("temp-dir")
        }
        _ => error,
    }
}

/// Error for a run that cannot be resumed, because its input is gone.
fn gone() -> Error {
    let message = "an input can be read only once, and no copy of it is there: its run has ended, or was killed before all was read";
    Error::usage(message)
        .with_option("resume")
        .with_help("give the same command without `--resume`, and the input from its beginning")
}

/// Removes the copies of a run.
pub(super) fn discard(settings: &Settings, out: &Path) -> Result<(), Error> {
    work_folder::discard(&folder_of(settings, out), KEPT)
}
