//! Files that records name as their pages: which of them may be read.
//!
//! A crawl list may come from an untrusted source. A `path` in it is therefore read only below the folder
//! of the list, or below folders named by the setting `allow-paths`.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, plain};
use crate::exec::regular_file;
use crate::read::files;
use crate::record::Reason;

/// Folders below which records may name files, in addition to the folder of their list: `DIR,DIR,...`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllowedFolders(Vec<PathBuf>);

impl FromStr for AllowedFolders {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let folders = text.split(',').map(PathBuf::from).collect::<Vec<_>>();
        match folders.iter().any(|folder| folder.as_os_str().is_empty()) {
            true => Err("a name of a folder is empty; `.` is the current one".to_owned()),
            false => Ok(AllowedFolders(folders)),
        }
    }
}

impl fmt::Display for AllowedFolders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, folder) in self.0.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{}", folder.display())?;
        }
        Ok(())
    }
}

/// Allowed folders as canonical paths without links, shared by all files of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedRoots(Arc<[PathBuf]>);

impl AllowedRoots {
    /// Resolves the folders of the setting.
    ///
    /// # Errors
    /// If a folder does not exist or is not a folder.
    pub(crate) fn resolve(folders: &AllowedFolders) -> Result<Self, Error> {
        let resolve = |folder: &PathBuf| {
            let root = fs::canonicalize(folder).and_then(|root| fs::read_dir(&root).map(|_| root));
            root.map_err(|error| {
                let message = format!("`--allow-paths {}`: {}", folder.display(), plain(&error));
                Error::usage(message)
                    .with_path(folder)
                    .with_option("allow-paths")
                    .with_help("name a folder that is there")
            })
        };
        let roots = folders.0.iter().map(resolve).collect::<Result<Vec<_>, _>>()?;
        Ok(AllowedRoots(roots.into()))
    }
}

/// Rules for the files that records of one list may name.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedFiles {
    allowed: AllowedRoots,
    /// Folder of the list as named by the user, once looked up. `None` is the current folder.
    folder: OnceLock<Option<PathBuf>>,
    /// Canonical path of that folder, once looked up. `None` if it no longer exists.
    root: OnceLock<Option<PathBuf>>,
}

impl NamedFiles {
    pub(crate) fn new(allowed: AllowedRoots) -> Self {
        NamedFiles {
            allowed,
            ..NamedFiles::default()
        }
    }

    /// Creates the rules for a list whose folder is known.
    pub(crate) fn in_folder(allowed: AllowedRoots, folder: Option<&Path>) -> Self {
        NamedFiles {
            allowed,
            folder: OnceLock::from(folder.map(Path::to_owned)),
            root: OnceLock::new(),
        }
    }

    /// Returns the folder to which paths in the list are relative. This is the folder of the list, or
    /// `None` (the current folder) for standard input and other streams.
    pub(crate) fn folder(&self, list: Option<&Path>) -> Option<&Path> {
        let look = || {
            let list = list.filter(|list| fs::metadata(list).is_ok_and(|meta| meta.is_file()))?;
            // Stream names such as `/dev/stdin` may refer to regular files too.
            let is_stream = ["/dev", "/proc"].iter().any(|folder| list.starts_with(folder));
            let folder = list.parent().filter(|folder| !folder.as_os_str().is_empty());
            folder.filter(|_| !is_stream).map(Path::to_owned)
        };
        self.folder.get_or_init(look).as_deref()
    }

    /// Opens the file `path`, which a record of the list names `name`.
    ///
    /// # Errors
    /// If the file lies outside of the allowed folders, or cannot be read.
    pub(crate) fn open(
        &self,
        list: Option<&Path>,
        path: &Path,
        name: &str,
    ) -> Result<File, (Reason, String)> {
        let unreadable = |error: io::Error| {
            let message = format!("cannot read `{}`: {}", path.display(), plain(&error));
            (Reason::Unreadable, message)
        };
        // Links are resolved before the check, so that a link in an allowed folder cannot lead out of it.
        // `open_below` then follows none, in case one was put in place since.
        match fs::canonicalize(path) {
            Ok(resolved) => match self.root_of(list, &resolved) {
                Some(root) => {
                    let below = resolved.strip_prefix(root).unwrap_or(&resolved);
                    regular_file::open_below(root, below).map_err(unreadable)
                }
                None => Err(outside(name)),
            },
            // For paths outside of the allowed folders, not even the existence of a file is revealed.
            Err(error) => {
                // The nearest existing folder decides whether the error may name the file.
                let above = path
                    .ancestors()
                    .skip(1)
                    .find_map(|above| match above.as_os_str().is_empty() {
                        true => fs::canonicalize(".").ok(),
                        false => fs::canonicalize(above).ok(),
                    });
                match above.is_some_and(|above| self.root_of(list, &above).is_some()) {
                    true => Err(unreadable(error)),
                    false => Err(outside(name)),
                }
            }
        }
    }

    /// Returns the allowed folder that contains a canonical path.
    fn root_of(&self, list: Option<&Path>, resolved: &Path) -> Option<&Path> {
        let look = || fs::canonicalize(self.folder(list).unwrap_or(Path::new("."))).ok();
        let own = self.root.get_or_init(look).as_deref();
        // A remote list is not trusted with local files.
        let own = own.filter(|_| list.is_none_or(|list| files::address(list).is_none()));
        own.into_iter()
            .chain(self.allowed.0.iter().map(PathBuf::as_path))
            .find(|root| resolved.starts_with(root))
    }
}

/// Returns the rejection of a file outside of the allowed folders.
fn outside(name: &str) -> (Reason, String) {
    let message = format!(
        "`path` is `{name}`, outside of the folder of the list; `--allow-paths DIR` allows files below DIR"
    );
    (Reason::PathNotAllowed, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(files: &NamedFiles, list: &Path, name: &str) -> Result<String, Reason> {
        let path = files
            .folder(Some(list))
            .map_or(PathBuf::from(name), |base| base.join(name));
        let file = files
            .open(Some(list), &path, name)
            .map_err(|(reason, _)| reason)?;
        io::read_to_string(file).map_err(|_| Reason::Unreadable)
    }

    #[test]
    fn files_are_read_below_the_folder_of_the_list_and_below_those_that_are_allowed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (folder, file) in [("lists/pages", "a"), ("more", "b"), ("secret", "c")] {
            fs::create_dir_all(at(folder)).unwrap();
            fs::write(at(folder).join(file), file).unwrap();
        }
        let list = at("lists/list.jsonl");
        fs::write(&list, "").unwrap();
        let absolute = at("more/b").display().to_string();
        let (own, allowed) = (NamedFiles::default(), AllowedFolders(vec![at("more")]));
        let more = NamedFiles::new(AllowedRoots::resolve(&allowed).unwrap());
        let outside = Err(Reason::PathNotAllowed);
        for (name, by_own, by_more) in [
            ("pages/a", Ok("a"), Ok("a")),
            ("pages/../pages/./a", Ok("a"), Ok("a")),
            ("pages/none", Err(Reason::Unreadable), Err(Reason::Unreadable)),
            ("pages", Err(Reason::Unreadable), Err(Reason::Unreadable)),
            ("../more/b", outside, Ok("b")),
            (&absolute, outside, Ok("b")),
            ("../more/none", outside, Err(Reason::Unreadable)),
            ("../secret/c", outside, outside),
            ("../secret/none", outside, outside),
            ("../more/../secret/c", outside, outside),
            ("/", outside, outside),
        ] {
            assert_eq!(
                told(&own, &list, name).as_deref(),
                by_own.as_ref().copied(),
                "{name}"
            );
            assert_eq!(
                told(&more, &list, name).as_deref(),
                by_more.as_ref().copied(),
                "{name}"
            );
        }
        let missing = AllowedFolders(vec![at("none")]);
        let error = AllowedRoots::resolve(&missing).unwrap_err();
        assert_eq!(error.option(), Some("allow-paths"));
    }

    #[cfg(unix)]
    #[test]
    fn links_count_as_what_they_lead_to() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("lists")).unwrap();
        fs::write(at("secret"), "s").unwrap();
        fs::write(at("lists/page"), "p").unwrap();
        fs::write(at("lists/list.jsonl"), "").unwrap();
        symlink("../secret", at("lists/out")).unwrap();
        symlink("page", at("lists/in")).unwrap();
        symlink("lists", at("alias")).unwrap();
        symlink(dir.path(), at("lists/up")).unwrap();
        let files = NamedFiles::default();
        let list = at("lists/list.jsonl");
        assert_eq!(told(&files, &list, "out"), Err(Reason::PathNotAllowed));
        assert_eq!(told(&files, &list, "up/secret"), Err(Reason::PathNotAllowed));
        assert_eq!(told(&files, &list, "in").as_deref(), Ok("p"));
        assert_eq!(told(&files, &list, "up/lists/page").as_deref(), Ok("p"));
        // The list was named through a link to its folder.
        let files = NamedFiles::default();
        assert_eq!(told(&files, &at("alias/list.jsonl"), "page").as_deref(), Ok("p"));
    }
}
