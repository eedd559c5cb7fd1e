//! Ranges of files below a folder or an address.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::exec::regular_file;
use crate::read::files;
#[cfg(feature = "remote")]
use crate::read::remote;

/// A folder or an address below which files lie.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    Folder(PathBuf),
    /// Without a slash at its end.
    Address(String),
}

impl Root {
    /// Returns the folder or address of this name.
    pub(crate) fn of(name: &str) -> Self {
        match files::address(Path::new(name)) {
            Some(address) => Root::Address(address.trim_end_matches('/').to_owned()),
            None => Root::Folder(PathBuf::from(name)),
        }
    }

    /// Returns the folder or address that holds a file.
    pub(crate) fn beside(file: &str) -> Self {
        let (folder, _) = file.rsplit_once('/').unwrap_or(("", ""));
        match (folder, file.starts_with('/')) {
            ("", true) => Root::of("/"),
            ("", false) => Root::of("."),
            _ => Root::of(folder),
        }
    }

    /// Returns the name of the file at the path `below` this root.
    pub(crate) fn join(&self, below: &str) -> String {
        match self {
            Root::Folder(folder) if folder == Path::new(".") => below.to_owned(),
            Root::Folder(folder) => folder.join(below).display().to_string(),
            Root::Address(address) => format!("{address}/{below}"),
        }
    }

    /// Returns the path below this root that a name in an index denotes. `None` if the name leads
    /// elsewhere: indexes are foreign data and must not choose which other files or servers are read.
    pub(crate) fn below<'n>(&self, name: &'n str) -> Option<&'n str> {
        // Indexes may name archives by their full address.
        let own = match self {
            Root::Address(address) => name.strip_prefix(address.as_str()),
            Root::Folder(_) => None,
        };
        let name = own.and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
        let is_odd = |part: &str| part.is_empty() || part == ".." || part == ".";
        // On Windows, `C:name` and backslashes lead elsewhere too.
        let odd = name.contains([':', '\\', '\0']) && cfg!(windows)
            || name.contains("://")
            || name.contains('\0')
            || name.split('/').any(is_odd);
        (!odd).then_some(name)
    }

    /// Starts a request for a range of the file `below`. Local files are read only by [`Asked::wait`].
    pub(crate) fn ask(&self, below: &str, range: Range<u64>) -> Asked {
        match self {
            Root::Folder(root) => Asked::Here(root.clone(), PathBuf::from(below), range),
            #[cfg(feature = "remote")]
            Root::Address(_) => match remote::AskedRange::start(&self.join(below), range) {
                Ok(asked) => Asked::There(asked),
                Err(error) => Asked::Failed(error),
            },
            #[cfg(not(feature = "remote"))]
            Root::Address(_) => Asked::Failed(files::unsupported()),
        }
    }
}

/// A request for a range of bytes.
pub(crate) enum Asked {
    /// A range of a local file: folder, path below it, and bytes.
    Here(PathBuf, PathBuf, Range<u64>),
    #[cfg(feature = "remote")]
    There(remote::AskedRange),
    Failed(io::Error),
}

impl Asked {
    /// Waits for the bytes. They are fewer than requested if the file ends before.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn wait(self) -> io::Result<Vec<u8>> {
        match self {
            Asked::Here(root, below, range) => {
                // Symbolic links below the folder must not lead out of it.
                let mut file = regular_file::open_below(&root.canonicalize()?, &below)?;
                // The range is clipped to the file, so a wrong length in an index cannot cause a large
                // allocation.
                let length = file.metadata()?.len().min(range.end).saturating_sub(range.start);
                let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
                file.seek(SeekFrom::Start(range.start))?;
                file.take(length).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            #[cfg(feature = "remote")]
            Asked::There(asked) => asked.wait(),
            Asked::Failed(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lie_below_their_root() {
        let (folder, store) = (Root::of("crawls"), Root::of("s3://bucket/in/"));
        for (root, name, expected) in [
            (&folder, "a/b.warc.gz", Some("crawls/a/b.warc.gz")),
            (&folder, "../b", None),
            (&folder, "a/../../b", None),
            (&folder, "/etc/passwd", None),
            (&folder, "", None),
            (&folder, "s3://bucket/in/a", None),
            (&store, "a/b.warc.gz", Some("s3://bucket/in/a/b.warc.gz")),
            (&store, "s3://bucket/in/a", Some("s3://bucket/in/a")),
            (&store, "s3://bucket/inner/a", None),
            (&store, "http://a.example/x", None),
        ] {
            let joined = root.below(name).map(|below| root.join(below));
            assert_eq!(joined.as_deref(), expected, "{name}");
        }
        assert_eq!(Root::beside("a/b/c.cdxj"), Root::of("a/b"));
        assert_eq!(Root::beside("c.cdxj").join("x"), "x");
        assert_eq!(Root::beside("/c.cdxj"), Root::of("/"));
        assert_eq!(Root::beside("s3://b/c.cdxj"), Root::of("s3://b"));
    }
}
