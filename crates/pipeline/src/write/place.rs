//! Where outputs lie: on this machine, or below the address of a store of objects.
//!
//! An output for a store is made in a folder of this machine, as any other, and sent when it is complete
//! ([`Place::publish`]). The summary is sent last, so a prefix with a summary is complete. The folder stays
//! until everything is sent, so a run can be resumed after it was killed at any moment.

use std::borrow::Cow;
use std::env;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use crate::error::Error;
use crate::job::Job;
use crate::read::files;
use crate::settings::table::Settings;

/// Prefix of the names of folders in which outputs are made before they are sent.
const FOLDER: &str = "dehusk-out-";

/// The local path of an output: the path that the user named, or for an address a folder in which the
/// output is made.
///
/// That folder lies in the folder of temporary files of the settings, or in that of the system.
pub(crate) fn local<'o>(out: &'o Path, settings: &Settings) -> Cow<'o, Path> {
    let Some(address) = files::address(out) else {
        return Cow::Borrowed(out);
    };
    // The name depends on the address alone, so that a later run finds the folder of an interrupted one.
    let of_address = xxh3_128(address.trim_end_matches('/').as_bytes());
    let parent = settings.temp_dir.clone().unwrap_or_else(env::temp_dir);
    Cow::Owned(parent.join(format!("{FOLDER}{of_address:032x}")))
}

/// The place of an output.
pub(crate) struct Place {
    path: PathBuf,
    #[cfg(feature = "remote")]
    remote: Option<store::Prefix>,
}

impl Place {
    /// Prepares an output folder of `verb`.
    ///
    /// # Errors
    /// If the store does not answer, or holds other objects at the address than those of an earlier run of `verb`.
    pub(crate) fn of_folder(out: &Path, verb: &str, job: &Job<'_>) -> Result<Self, Error> {
        Place::find(out, job, Some(verb))
    }

    /// Prepares an output of one file, or of numbered files.
    ///
    /// # Errors
    /// If the store cannot be written to by its address.
    pub(crate) fn of_file(out: &Path, job: &Job<'_>) -> Result<Self, Error> {
        Place::find(out, job, None)
    }

    /// The place of an output, which is below an address or on this machine. `verb` is `None` for files.
    #[cfg(feature = "remote")]
    fn find(out: &Path, job: &Job<'_>, verb: Option<&str>) -> Result<Self, Error> {
        let local = local(out, job.settings);
        let Some(address) = files::address(out) else {
            return Ok(Place {
                path: local.into_owned(),
                remote: None,
            });
        };
        let prefix = store::Prefix::open(address, &local, verb)?;
        Ok(Place {
            path: prefix.path(),
            remote: Some(prefix),
        })
    }

    /// Without the feature `remote`, only places on this machine.
    #[cfg(not(feature = "remote"))]
    fn find(out: &Path, job: &Job<'_>, _: Option<&str>) -> Result<Self, Error> {
        match files::address(out) {
            None => Ok(Place {
                path: local(out, job.settings).into_owned(),
            }),
            Some(_) => Err(Error::input(out, files::unsupported())
                .with_option("out")
                .with_help("build the program with the feature `remote`, or write to a folder")),
        }
    }

    /// The path on this machine.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Sends the output to its store, if it has one, and removes it from this machine. Does nothing for an
    /// output that the store has already.
    ///
    /// # Errors
    /// If the store does not take a file. The output then stays on this machine. The same command with
    /// `--resume` sends it.
    pub(crate) fn publish(self, job: &Job<'_>) -> Result<(), Error> {
        #[cfg(feature = "remote")]
        if let Some(prefix) = self.remote {
            return prefix.publish(job);
        }
        let _ = job;
        Ok(())
    }
}

#[cfg(feature = "remote")]
mod store {
    use std::collections::BTreeSet;
    use std::fs;
    use std::io;
    use std::path::{Path, PathBuf};

    use crate::error::Error;
    use crate::exec::cancel::Cancel;
    use crate::exec::disk;
    use crate::exec::progress::Total;
    use crate::job::Job;
    use crate::read::remote;
    use crate::record::header::{COMING, Header, MARKER, SUMMARY, TOOL};
    use crate::write::file::whole_file;
    use crate::write::journal;

    /// Name of the verb that can be resumed.
    const VERB_RUN: &str = "run";

    /// Longest summary that is read, in bytes.
    const MAX_SUMMARY: u64 = 256 << 20;

    /// An output below an address.
    pub(super) struct Prefix {
        /// Without a slash at its end.
        address: String,
        /// Folder in which the output is made.
        folder: PathBuf,
        kind: Kind,
    }

    /// An output folder, or an output without a summary.
    enum Kind {
        Folder {
            /// Files of earlier runs below the address, without summaries.
            earlier: BTreeSet<String>,
            /// Advice if the output cannot be sent.
            help: String,
        },
        /// The name of the file.
        File(String),
    }

    impl Prefix {
        /// Prepares an output below an address: checks what the store has there, and creates the local
        /// folder.
        pub(super) fn open(address: &str, folder: &Path, verb: Option<&str>) -> Result<Self, Error> {
            let address = address.trim_end_matches('/');
            let failed = |error: io::Error| {
                Error::output(format!("cannot write to `{address}`: {error}"))
                    .with_path(Path::new(address))
                    .with_option("out")
                    .with_help(remote::help(address))
            };
            remote::check_writable(address).map_err(failed)?;
            disk::create_private_folder(folder).map_err(|error| {
                Error::create(folder, error)
                    .with_option("temp-dir")
                    .with_help("outputs for a store are made in a folder of this machine first: name one with --temp-dir")
            })?;
            let Some(verb) = verb else {
                // Files that a killed process left are not part of this output.
                remove_all(folder)?;
                disk::create_private_folder(folder).map_err(|error| Error::create(folder, error))?;
                let name = address.rsplit('/').next().unwrap_or_default().to_owned();
                return Ok(Prefix {
                    address: address.to_owned(),
                    folder: folder.to_owned(),
                    kind: Kind::File(name),
                });
            };
            let mut prefix = Prefix {
                address: address.to_owned(),
                folder: folder.to_owned(),
                kind: Kind::Folder {
                    earlier: BTreeSet::new(),
                    help: match verb {
                        VERB_RUN => format!(
                            "the results are complete in `{}`: the same command with `--resume` sends them",
                            folder.display()
                        ),
                        _ => format!(
                            "the results are complete in `{}`: copy them, or run the same command again",
                            folder.display()
                        ),
                    },
                },
            };
            // A sender that was killed has left `COMING`, which lists its files.
            let mut found = Vec::new();
            for name in [SUMMARY, COMING] {
                found.push(remote::get(&prefix.at(name), MAX_SUMMARY).map_err(failed)?);
            }
            let headers: Vec<Option<Header>> = found
                .iter()
                .map(|found| found.as_ref().and_then(|found| Header::read(&found.bytes)))
                .collect();
            // Without a summary, any object below the address is foreign.
            if headers.iter().all(Option::is_none) {
                prefix.refuse_foreign().map_err(failed)??;
            }
            for found in headers.iter().flatten() {
                if found.verb != verb {
                    let message = format!("`{address}` holds the results of `{TOOL} {}`", found.verb);
                    return Err(Error::usage(message)
                        .with_path(Path::new(address))
                        .with_option("out")
                        .with_help("choose another prefix with --out, or delete this one"));
                }
            }
            if let Kind::Folder { earlier, .. } = &mut prefix.kind {
                for header in headers.into_iter().flatten() {
                    earlier.extend(header.into_files().filter(|name| is_below(name)));
                }
            }
            // A local output that waits to be sent, or a run that waits to be resumed, has precedence over
            // the summary in the store.
            if !is_complete(folder) && journal::head::<serde::de::IgnoredAny>(folder).is_none() {
                let summary = folder.join(SUMMARY);
                match found.swap_remove(0) {
                    Some(found) => {
                        // The summary is fetched, so that a resumed run sees that it is complete.
                        whole_file(&summary, &Cancel::new(), |file| file.write(&found.bytes))?;
                        // With the time of the store, an input that was changed after the run is noticed.
                        if let Some(modified) = found.modified {
                            fs::File::open(&summary)
                                .and_then(|file| file.set_modified(modified))
                                .map_err(|error| Error::write(&summary, error))?;
                        }
                    }
                    None if summary.exists() => {
                        disk::remove(&summary).map_err(|error| Error::write(&summary, error))?;
                    }
                    None => {}
                }
            }
            Ok(prefix)
        }

        /// Path at which the output is made.
        pub(super) fn path(&self) -> PathBuf {
            match &self.kind {
                Kind::Folder { .. } => self.folder.clone(),
                Kind::File(name) => self.folder.join(name),
            }
        }

        /// Address of the object with this name.
        fn at(&self, name: &str) -> String {
            format!("{}/{name}", self.address)
        }

        /// Refuses a prefix with objects that this program did not write. The outer error is an error of
        /// the store.
        fn refuse_foreign(&self) -> io::Result<Result<(), Error>> {
            let mut listing = remote::Listing::start(&self.address)?;
            let Some(first) = listing.next() else {
                return Ok(Ok(()));
            };
            let first = first?.address;
            let message = format!(
                "`{}` is not empty and not an output of dehusk: it holds `{first}`",
                self.address
            );
            Ok(Err(Error::usage(message)
                .with_path(Path::new(&self.address))
                .with_option("out")
                .with_help(
                    "name a new or an empty prefix with --out; nothing was changed",
                )))
        }

        /// Sends all files, the summary last, and removes the local folder.
        pub(super) fn publish(self, job: &Job<'_>) -> Result<(), Error> {
            let failed = |name: &str, error: io::Error| {
                Error::output(format!("cannot write `{}`: {error}", self.at(name)))
                    .with_path(Path::new(&self.address))
                    .with_option("out")
            };
            match &self.kind {
                Kind::File(name) => self.send_files(name)?,
                Kind::Folder { earlier, help } => {
                    let failed = |name: &str, error| failed(name, error).with_help(help.as_str());
                    let summary = self.folder.join(SUMMARY);
                    let text = fs::read(&summary).map_err(|error| Error::input(&summary, error))?;
                    let Some(header) = Header::read(&text) else {
                        return Err(Error::failed(format!(
                            "cannot read `{}` again",
                            summary.display()
                        )));
                    };
                    let files: Vec<String> = header.into_files().collect();
                    if let Some(missing) = files.iter().find(|name| !self.folder.join(name).is_file()) {
                        // The summary was fetched from the store by `open`, and the run had nothing to do.
                        let stored = remote::get(&self.at(SUMMARY), MAX_SUMMARY)
                            .map_err(|error| failed(SUMMARY, error))?;
                        if stored.is_some_and(|stored| stored.bytes == text) {
                            return remove_all(&self.folder);
                        }
                        // Sent as it is, it would make an incomplete output look complete.
                        let missing = self.folder.join(missing);
                        return Err(Error::failed(format!("`{}` is gone, nothing was sent", missing.display()))
                            .with_path(&missing)
                            .with_option("temp-dir")
                            .with_help("name a folder that no other program cleans with --temp-dir, and run the command again"));
                    }
                    job.progress
                        .stage("sending the results", Some(Total::Bytes(self.bytes(&files))));
                    // `COMING` lists all files before the first is sent, so that a later run can remove
                    // them. Removing the summary marks the prefix as incomplete.
                    remote::put(&self.at(COMING), text.clone()).map_err(|error| failed(COMING, error))?;
                    remote::remove(&self.at(SUMMARY)).map_err(|error| failed(SUMMARY, error))?;
                    for name in earlier.iter().filter(|name| !files.contains(name)) {
                        remote::remove(&self.at(name)).map_err(|error| failed(name, error))?;
                    }
                    for name in &files {
                        job.cancel
                            .check()
                            .map_err(|error| error.with_help(help.as_str()))?;
                        let file = self.folder.join(name);
                        let bytes = fs::metadata(&file).map_or(0, |meta| meta.len());
                        remote::Upload::start(&self.at(name), file)
                            .and_then(remote::Upload::wait)
                            .map_err(|error| failed(name, error))?;
                        job.progress.advance(0, bytes);
                    }
                    remote::put(&self.at(SUMMARY), text).map_err(|error| failed(SUMMARY, error))?;
                    remote::remove(&self.at(COMING)).map_err(|error| failed(COMING, error))?;
                }
            }
            remove_all(&self.folder)
        }

        /// Size of these local files in bytes.
        fn bytes(&self, files: &[String]) -> u64 {
            let length = |name: &String| fs::metadata(self.folder.join(name)).map_or(0, |meta| meta.len());
            files.iter().map(length).sum()
        }

        /// Sends the files of an output without a summary: the file itself, or its shards.
        fn send_files(&self, name: &str) -> Result<(), Error> {
            let parent = self.address.strip_suffix(name).unwrap_or(&self.address);
            let entries = fs::read_dir(&self.folder).map_err(|error| Error::input(&self.folder, error))?;
            let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            files.sort_unstable();
            for file in files {
                let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
                    continue;
                };
                if name.starts_with('.') {
                    continue; // left behind by a killed process
                }
                let to = format!("{parent}{name}");
                remote::Upload::start(&to, file.clone())
                    .and_then(remote::Upload::wait)
                    .map_err(|error| {
                        Error::output(format!("cannot write `{to}`: {error}"))
                            .with_option("out")
                            .with_help(remote::help(&to))
                    })?;
            }
            Ok(())
        }
    }

    /// Whether a folder has a summary and all files that it lists.
    fn is_complete(folder: &Path) -> bool {
        let header = Header::beside(&folder.join(SUMMARY));
        header.is_some_and(|header| {
            let mut files = header.into_files();
            files.all(|name| is_below(&name) && folder.join(name).is_file())
        })
    }

    /// Whether a name lies in the folder or one level below it. Summaries in a store may have been edited.
    fn is_below(name: &str) -> bool {
        let is_name = |part: &str| !part.is_empty() && part != "." && part != ".." && part != MARKER;
        name.split('/').count() <= 2 && name.split('/').all(is_name)
    }

    /// Removes a folder with all its files.
    fn remove_all(folder: &Path) -> Result<(), Error> {
        let failed = |error| Error::write(folder, error);
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            match entry.file_type().map_err(failed)?.is_dir() {
                // Recursion is one level deep: output folders have one level of folders.
                true => remove_all(&entry.path())?,
                false => disk::remove(&entry.path()).map_err(failed)?,
            }
        }
        disk::remove_folder(folder).map_err(failed)
    }
}
