//! Opening of files whose names come from data or from folders. Only regular files are opened, and opening never blocks.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// The type is checked on the open file, so that the file cannot be swapped in between. The file is opened without blocking, since opening
/// a pipe waits for a writer.
///
/// # Errors
/// If the file cannot be opened, or is a folder, a pipe, a device or a socket.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    #[allow(
        clippy::disallowed_methods,
        reason = "opened to be read: nothing on the disk changes"
    )]
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        // `NOCTTY` keeps a terminal from becoming that of this process.
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits() as i32);
    }
    checked(options.open(path)?)
}

/// Opens a regular file below the folder `root`. `below` is a relative path of plain names.
///
/// No link is followed: the path was resolved earlier, and a link that was put in its place since then leads to an error instead of out of
/// the folder.
///
/// # Errors
/// The errors of [`open`]; also if a part of the path is a link or not a plain name.
#[cfg(unix)]
pub(crate) fn open_below(root: &Path, below: &Path) -> io::Result<File> {
    use std::path::Component;

    use rustix::fs::{Mode, OFlags, open, openat};

    // Folders are not read, so that search permission suffices.
    #[cfg(target_os = "linux")]
    let lookup = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let lookup = OFlags::RDONLY;
    let folder = lookup | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let file = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;

    let mut at = open(root, folder, Mode::empty())?;
    let mut names = below.components().peekable();
    while let Some(component) = names.next() {
        let Component::Normal(name) = component else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        // The last name is the file, all others are folders.
        if names.peek().is_none() {
            return checked(File::from(openat(&at, name, file, Mode::empty())?));
        }
        at = openat(&at, name, folder | OFlags::NOFOLLOW, Mode::empty())?;
    }
    Err(io::ErrorKind::IsADirectory.into())
}

/// Opens a regular file below the folder `root` by its relative path.
///
/// # Errors
/// The errors of [`open`].
#[cfg(not(unix))]
pub(crate) fn open_below(root: &Path, below: &Path) -> io::Result<File> {
    open(&root.join(below))
}

/// Returns the file if it is a regular one.
fn checked(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn pipes_and_folders_are_not_opened_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
        for path in [&pipe, dir.path(), Path::new("/dev/null")] {
            assert!(open(path).is_err(), "{}", path.display());
        }
        assert!(open_below(dir.path(), Path::new("pipe")).is_err());
        fs::write(dir.path().join("file"), "text").unwrap();
        assert_eq!(
            io::read_to_string(open(&dir.path().join("file")).unwrap()).unwrap(),
            "text"
        );
    }

    #[test]
    fn no_link_leads_out_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("root/a/b")).unwrap();
        fs::write(at("root/a/b/file"), "inside").unwrap();
        fs::write(at("secret"), "outside").unwrap();
        symlink("../../../secret", at("root/a/b/link")).unwrap();
        symlink("..", at("root/up")).unwrap();
        let read = |below: &str| {
            let file = open_below(&at("root"), Path::new(below));
            file.and_then(io::read_to_string).ok()
        };
        assert_eq!(read("a/b/file").as_deref(), Some("inside"));
        for below in [
            "a/b/link",
            "up/secret",
            "../secret",
            "/etc/passwd",
            "a/b",
            "",
            "none",
        ] {
            assert_eq!(read(below), None, "{below}");
        }
    }
}
