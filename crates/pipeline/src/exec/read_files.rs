//! The files that a run reads. Every output is checked against them when it is opened, so that it replaces none of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::exec::file_id::FileId;

/// Calls its argument for each file of a folder that is read.
pub(crate) type VisitFiles = dyn Fn(&mut dyn FnMut(&Path)) + Send + Sync;

/// Files and folders that are read, with their names in messages.
#[derive(Default)]
pub(crate) struct ReadFiles {
    files: HashMap<FileId, String>,
    folders: Vec<Folder>,
    /// Files of the visited folders, with the index of their folder. A folder is visited only when an existing output must be compared with
    /// its files, and only once, since it may have millions of files.
    found: HashMap<FileId, usize>,
    /// Number of folders visited so far.
    visited: usize,
}

struct Folder {
    path: PathBuf,
    visit: Box<VisitFiles>,
    /// Name of a file of the folder in messages, such as `the input`.
    what: &'static str,
}

impl ReadFiles {
    /// Adds a file. `what` names it in messages, as in ``the input `a.html` ``.
    pub(crate) fn add(&mut self, id: FileId, what: String) {
        self.files.entry(id).or_insert(what);
    }

    /// Adds the files below the folder `path` that `visit` visits. In messages, `what` precedes the path of a file.
    ///
    /// A folder that was already added is ignored, since verbs may open their inputs several times.
    pub(crate) fn add_folder(&mut self, what: &'static str, path: &Path, visit: Box<VisitFiles>) {
        if self.folders.iter().all(|known| known.path != path) {
            let path = path.to_owned();
            self.folders.push(Folder { path, visit, what });
        }
    }

    /// Refuses to write to `output` if it is one of the files, under any name or link.
    ///
    /// # Errors
    /// If it is one of them. The message names both.
    pub(crate) fn refuse(&mut self, output: &Path) -> Result<(), Error> {
        if self.files.is_empty() && self.folders.is_empty() {
            return Ok(());
        }
        // A new file replaces nothing, and a file that is not regular is not replaced.
        let Some(id) = FileId::of_path(output) else {
            return Ok(());
        };
        self.visit_folders();
        let what = match (self.files.get(&id), self.found.get(&id)) {
            (Some(what), _) => what.clone(),
            (None, Some(folder)) => self.folders[*folder].describe(id),
            (None, None) => return Ok(()),
        };
        let message = format!("the output `{}` would replace {what}", output.display());
        Err(Error::usage(message)
            .with_path(output)
            .with_help("name another output; nothing was changed"))
    }

    /// Visits the folders that were added since the last call.
    fn visit_folders(&mut self) {
        for at in self.visited..self.folders.len() {
            (self.folders[at].visit)(&mut |path| {
                if let Some(id) = FileId::of_path(path) {
                    self.found.entry(id).or_insert(at);
                }
            });
        }
        self.visited = self.folders.len();
    }
}

impl Folder {
    /// Describes the file with this ID for messages.
    fn describe(&self, id: FileId) -> String {
        let mut name = None;
        // The paths of visited files are not kept, so the folder is searched again.
        (self.visit)(&mut |path| {
            if name.is_none() && FileId::of_path(path) == Some(id) {
                name = Some(path.display().to_string());
            }
        });
        match name {
            Some(name) => format!("{} `{name}`", self.what),
            None => format!("{} of the same device and number", self.what),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_file_is_refused_by_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["a", "b"] {
            fs::write(at(name), name).unwrap();
        }
        let mut files = ReadFiles::default();
        assert!(files.refuse(&at("a")).is_ok());
        files.add(FileId::of_path(&at("a")).unwrap(), "the input `a`".to_owned());
        assert!(files.refuse(&at("b")).is_ok() && files.refuse(&at("none")).is_ok());
        fs::hard_link(at("a"), at("hard")).unwrap();
        let mut names = vec![at("a"), at("hard"), dir.path().join("./a")];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a"), at("soft")).unwrap();
            names.push(at("soft"));
        }
        for name in names {
            let error = files.refuse(&name).unwrap_err();
            assert_eq!(error.kind(), crate::error::ErrorKind::Usage);
            let told = format!("the output `{}` would replace the input `a`", name.display());
            assert_eq!(error.to_string(), told);
        }
    }

    #[test]
    fn a_folder_is_visited_once_and_only_if_an_output_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let (inside, outside) = (dir.path().join("inside"), dir.path().join("outside"));
        fs::write(&inside, "").unwrap();
        let visits = Arc::new(AtomicUsize::new(0));
        let mut files = ReadFiles::default();
        let (count, path) = (Arc::clone(&visits), inside.clone());
        files.add_folder(
            "the input",
            dir.path(),
            Box::new(move |visit| {
                count.fetch_add(1, Ordering::Relaxed);
                visit(&path);
            }),
        );
        assert!(files.refuse(&outside).is_ok());
        assert_eq!(visits.load(Ordering::Relaxed), 0);
        fs::write(&outside, "").unwrap();
        let done = Cell::new(0);
        for _ in 0..3 {
            done.set(done.get() + 1);
            assert!(files.refuse(&outside).is_ok());
        }
        assert_eq!((visits.load(Ordering::Relaxed), done.get()), (1, 3));
        let error = files.refuse(&inside).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("the input `{}`", inside.display())),
            "{error}"
        );
    }
}
