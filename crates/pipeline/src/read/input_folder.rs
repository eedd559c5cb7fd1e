//! Input folders and their names.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// An input folder as named by the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InputFolder {
    pub(super) path: PathBuf,
    /// Names of its parent folder and of the folder itself, in this order, as far as the user wrote them.
    pub(super) names: Vec<Vec<u8>>,
}

impl InputFolder {
    pub(crate) fn new(path: &Path) -> Self {
        let names = |path: &Path| {
            let parts = path.components().filter_map(|part| match part {
                Component::Normal(name) => Some(name.as_encoded_bytes().to_vec()),
                _ => None,
            });
            parts.collect::<Vec<_>>()
        };
        let mut names = match path.file_name() {
            Some(_) => names(path),
            // The name of `.` is found by resolving the path.
            None => fs::canonicalize(path).map_or_else(|_| Vec::new(), |path| names(&path)),
        };
        // Only the names of the folder and of its parent are used.
        names.drain(..names.len().saturating_sub(2));
        InputFolder {
            path: path.to_path_buf(),
            names,
        }
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_the_names_that_the_user_wrote() {
        let names = |path: &str| -> Vec<String> {
            let names = InputFolder::new(Path::new(path)).names;
            names
                .into_iter()
                .map(|name| String::from_utf8(name).unwrap())
                .collect()
        };
        assert_eq!(names("a/b/c/"), ["b", "c"]);
        assert_eq!(names("c"), ["c"]);
        assert_eq!(names("./c"), ["c"]);
        assert_eq!(names("/"), [""; 0]);
        let here = std::env::current_dir().unwrap();
        let here = here.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(names(".").last(), Some(&here));
    }
}
