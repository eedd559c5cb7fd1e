//! Transfer of the content of a page to its process.
//!
//! The content goes through shared memory where the system offers it, since a pipe costs an eighth of an extraction. Short contents, and
//! those on other systems, go through the pipe.

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::FileExt;

    use rustix::fs::{MemfdFlags, memfd_create};

    use crate::page_process::frame::{self, Length};

    /// Maximum length in bytes of contents that go through the pipe.
    const SHORT: usize = 4 << 10;

    /// Maximum bytes of shared memory that are kept from page to page.
    const KEPT: usize = 8 << 20;

    /// The side of the parent.
    #[derive(Debug)]
    pub(crate) struct ContentSender {
        shared: Option<File>,
    }

    impl ContentSender {
        pub(crate) fn new() -> Self {
            let shared = memfd_create("dehusk-page", MemfdFlags::CLOEXEC);
            ContentSender {
                shared: shared.ok().map(File::from),
            }
        }

        /// Offers the shared memory to the process, which answers whether it can open it.
        pub(crate) fn agree(&mut self, to: &mut impl Write, from: &mut impl Read) -> io::Result<()> {
            // The memory has no name. The process opens it through the descriptor of its parent.
            let own = |file: &File| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
            // An empty path offers nothing.
            frame::write(to, self.shared.as_ref().map(own).unwrap_or_default().as_bytes())?;
            let mut answer = Vec::new();
            if !frame::read(from, &mut answer)? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            // The process answers 1 if it could open the memory.
            if answer != [1] {
                self.shared = None;
            }
            Ok(())
        }

        /// Sends the message `fields`, which already has its length, and then the content.
        pub(crate) fn send(&self, to: &mut impl Write, fields: &[u8], content: &[u8]) -> io::Result<()> {
            let bytes = content.len() as u64;
            match &self.shared {
                // If the memory cannot be written, the content goes through the pipe.
                Some(file) if content.len() > SHORT && file.write_all_at(content, 0).is_ok() => {
                    to.write_all(&[fields, &Length::Shared(bytes).to_bytes()].concat())
                }
                _ => frame::write_both(to, fields, content),
            }
        }

        /// Frees the shared memory of a very long content after it was read.
        pub(crate) fn done(&self, content: &[u8]) {
            if let Some(file) = self.shared.as_ref().filter(|_| content.len() > KEPT) {
                // On failure the memory is kept and reused.
                let _ = file.set_len(0);
            }
        }
    }

    /// The side of the page process.
    #[derive(Debug)]
    pub(crate) struct ContentReceiver {
        shared: Option<File>,
    }

    impl ContentReceiver {
        /// Opens the shared memory that the parent offers, and answers whether it could.
        pub(crate) fn agree(from: &mut impl Read, to: &mut impl Write) -> io::Result<Self> {
            let mut path = Vec::new();
            frame::read(from, &mut path)?;
            let shared = str::from_utf8(&path).ok().and_then(|path| File::open(path).ok());
            frame::write(to, &[u8::from(shared.is_some())])?;
            Ok(ContentReceiver { shared })
        }

        /// Reads the content of a page into the beginning of `buffer`. Returns its length in bytes, or `None` at the end of the input.
        pub(crate) fn receive(
            &self,
            from: &mut impl Read,
            buffer: &mut Vec<u8>,
        ) -> io::Result<Option<usize>> {
            match (frame::length(from)?, self.shared.as_ref()) {
                (None, _) => Ok(None),
                (Some(Length::Here(bytes)), _) => frame::rest_within(from, bytes, buffer).map(Some),
                (Some(Length::Shared(bytes)), Some(file)) => {
                    frame::rest_within(&mut FromStart { file, at: 0 }, bytes, buffer).map(Some)
                }
                (Some(Length::Shared(_)), None) => Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    /// Reads a file from its first byte, independently of the file position.
    struct FromStart<'f> {
        file: &'f File,
        at: u64,
    }

    impl Read for FromStart<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let read = self.file.read_at(to, self.at)?;
            self.at += read as u64;
            Ok(read)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::io::{self, Read, Write};

    use crate::page_process::frame::{self, Length};

    /// On other systems all content goes through the pipe.
    #[derive(Debug)]
    pub(crate) struct ContentSender;

    impl ContentSender {
        pub(crate) fn new() -> Self {
            ContentSender
        }

        pub(crate) fn agree(&mut self, _: &mut impl Write, _: &mut impl Read) -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn send(&self, to: &mut impl Write, fields: &[u8], content: &[u8]) -> io::Result<()> {
            frame::write_both(to, fields, content)
        }

        pub(crate) fn done(&self, _: &[u8]) {}
    }

    #[derive(Debug)]
    pub(crate) struct ContentReceiver;

    impl ContentReceiver {
        pub(crate) fn agree(_: &mut impl Read, _: &mut impl Write) -> io::Result<Self> {
            Ok(ContentReceiver)
        }

        pub(crate) fn receive(
            &self,
            from: &mut impl Read,
            buffer: &mut Vec<u8>,
        ) -> io::Result<Option<usize>> {
            match frame::length(from)? {
                None => Ok(None),
                Some(Length::Here(bytes)) => frame::rest_within(from, bytes, buffer).map(Some),
                Some(Length::Shared(_)) => Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{ContentReceiver, ContentSender};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{ContentReceiver, ContentSender};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io;

    use super::*;

    /// The number of bytes that go through the pipe for contents of these lengths, with or without shared memory.
    fn sent(lengths: &[usize], memory: bool) -> io::Result<usize> {
        let (mut sender, mut offer, mut answer) = (ContentSender::new(), Vec::new(), Vec::new());
        // This call only captures the offer. It fails without an answer; the call below completes the exchange.
        let _ = sender.agree(&mut offer, &mut io::empty());
        let told = if memory { offer.as_slice() } else { &[0; 8] };
        let receiver = ContentReceiver::agree(&mut &*told, &mut answer)?;
        sender.agree(&mut Vec::new(), &mut answer.as_slice())?;
        let mut all = 0;
        for &length in lengths {
            let content: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
            let (mut pipe, mut got) = (Vec::new(), Vec::new());
            sender.send(&mut pipe, &[], &content)?;
            all += pipe.len();
            assert_eq!(receiver.receive(&mut pipe.as_slice(), &mut got)?, Some(length));
            sender.done(&content);
            assert!(got[..length] == content, "{length} bytes");
            assert_eq!(receiver.receive(&mut io::empty(), &mut got)?, None);
        }
        Ok(all)
    }

    #[test]
    fn contents_arrive_through_memory_and_through_the_pipe() {
        let lengths = [0, 1, 4096, 4097, 1_000_000, 5000, 9 << 20, 5000];
        assert_eq!(sent(&lengths, true).unwrap(), 8 * lengths.len() + 4097);
        assert_eq!(
            sent(&lengths, false).unwrap(),
            8 * lengths.len() + lengths.iter().sum::<usize>()
        );
    }
}
