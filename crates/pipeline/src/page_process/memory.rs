//! What a page process may take.

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::Cell;
    use std::fs::{self, File};
    use std::io;
    use std::os::unix::fs::FileExt;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Memory that any page may take, and for each byte of it: twice what extraction promises, so that only what breaks the promise
    /// strikes against it.
    const FREE: u64 = 128 << 20;
    const PER_BYTE: u64 = 80;

    /// Bytes that usual pages have at most. All of these have the same limit, and so many of them follow each other before it is set anew:
    /// to ask for the size of the process takes longer than some pages. What they leave behind is little beside the limit.
    const USUAL: usize = 256 << 10;
    const PAGES: u32 = 16;

    /// The limit of the calling process on memory, moved from page to page.
    #[derive(Debug)]
    pub(crate) struct MemoryLimit {
        /// `/proc/self/statm`, whose first number is the size of the process in pages of the system.
        size: Option<File>,
        /// What whoever started the process lets it set as limit.
        maximum: Option<u64>,
        /// Usual pages that are still worked on within the limit that is set.
        pages: Cell<u32>,
    }

    impl MemoryLimit {
        /// Without limit so far. The process leaves no image of its memory when it dies, and is the first to go where the
        /// machine runs out of memory.
        pub(crate) fn new() -> Self {
            // Each of these is a help that a system may refuse.
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

        /// Limits what the process takes from now on for a page of so many bytes.
        pub(crate) fn begin_page(&self, bytes: usize) {
            let is_usual = bytes <= USUAL;
            if is_usual && let Some(left) = self.pages.get().checked_sub(1) {
                self.pages.set(left);
                return;
            }
            self.pages.set(if is_usual { PAGES - 1 } else { 0 });
            let Some(now) = self.size.as_ref().and_then(|file| process_bytes(file).ok()) else {
                return;
            };
            let wanted = now + FREE + PER_BYTE * bytes.max(USUAL) as u64;
            let maximum = self.maximum;
            let current = Some(maximum.map_or(wanted, |maximum| wanted.min(maximum)));
            let _ = setrlimit(Resource::As, Rlimit { current, maximum });
        }
    }

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
    /// Elsewhere memory is not limited.
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
