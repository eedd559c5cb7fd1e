//! Memory limits of page processes.

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::Cell;
    use std::fs::{self, File};
    use std::io;
    use std::os::unix::fs::FileExt;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Bytes of memory that any page may take.
    ///
    /// Like [`PER_BYTE`], it is twice the promised bound of extraction, so that only a page that breaks the
    /// promise reaches the limit.
    const FREE: u64 = 128 << 20;
    /// Further bytes of memory for each byte of a page.
    const PER_BYTE: u64 = 80;

    /// Maximum size in bytes of usual pages, which all get the same limit.
    ///
    /// Reading the size of the process takes longer than some pages, so the limit stays for several usual
    /// pages. Memory that they leave behind is small compared with it.
    const USUAL: usize = 256 << 10;
    /// Number of usual pages in a row before the limit is set again.
    const PAGES: u32 = 16;

    /// Memory limit of the calling process, renewed from page to page.
    #[derive(Debug)]
    pub(crate) struct MemoryLimit {
        /// `/proc/self/statm`, whose first number is the size of the process in memory pages.
        size: Option<File>,
        /// Hard limit that the process inherited; `None` if unlimited.
        maximum: Option<u64>,
        /// Number of further usual pages before the limit is set again.
        pages: Cell<u32>,
    }

    impl MemoryLimit {
        /// Prepares the process, without a memory limit so far.
        ///
        /// The process writes no core dump when it dies, and is the first to be killed when the machine runs out of memory.
        pub(crate) fn new() -> Self {
            // Each of these settings is optional; the system may refuse it.
            #[allow(clippy::disallowed_methods, reason = "no file of ours")]
            let _ = fs::write("/proc/self/oom_score_adj", "500");
            let core = getrlimit(Resource::Core);
            let _ = setrlimit(
                Resource::Core,
                Rlimit {
                    current: Some(0),
                    ..core
                },
            );
            MemoryLimit {
                size: File::open("/proc/self/statm").ok(),
                maximum: getrlimit(Resource::As).maximum,
                pages: Cell::new(0),
            }
        }

        /// Limits the memory that the process may take from now on for a page of `bytes` bytes.
        pub(crate) fn begin_page(&self, bytes: usize) {
            let is_usual = bytes <= USUAL;
            if is_usual && let Some(left) = self.pages.get().checked_sub(1) {
                self.pages.set(left);
                return;
            }
            self.pages.set(if is_usual { PAGES - 1 } else { 0 });
            // Without the size of the process there is no base for a limit.
            let Some(now) = self.size.as_ref().and_then(|file| process_bytes(file).ok()) else {
                return;
            };
            // The limit may stay for several usual pages, so it is that of the largest one.
            let wanted = now + FREE + PER_BYTE * bytes.max(USUAL) as u64;
            let maximum = self.maximum;
            // The system refuses a limit above the inherited one.
            let current = Some(maximum.map_or(wanted, |maximum| wanted.min(maximum)));
            let _ = setrlimit(Resource::As, Rlimit { current, maximum });
        }
    }

    /// Returns the size of the process in bytes.
    fn process_bytes(statm: &File) -> io::Result<u64> {
        let mut text = [0; 32];
        let read = statm.read_at(&mut text, 0)?;
        let number = text[..read].split(|b| *b == b' ').next().unwrap_or_default();
        let pages = str::from_utf8(number)
            .ok()
            .and_then(|text| text.parse::<u64>().ok());
        let pages = pages.ok_or(io::ErrorKind::InvalidData)?;
        Ok(pages * rustix::param::page_size() as u64)
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    /// On other systems memory is not limited.
    #[derive(Debug)]
    pub(crate) struct MemoryLimit;

    impl MemoryLimit {
        pub(crate) fn new() -> Self {
            MemoryLimit
        }

        pub(crate) fn begin_page(&self, _: usize) {}
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::MemoryLimit;
#[cfg(not(target_os = "linux"))]
pub(super) use other::MemoryLimit;
