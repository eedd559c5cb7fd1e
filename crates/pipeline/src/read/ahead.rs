//! Compressed streams, decompressed on a separate thread ahead of their use.
//!
//! The thread that cuts a file into chunks blocks all others. The slow part, decompression, is therefore
//! done in advance, and the cutting thread only copies.

use std::io::{self, Read};
use std::mem;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use crate::read::compression::{Stored, Unpacked};

/// Number of decompressed bytes per block.
const BLOCK: usize = 64 << 10;
/// Largest number of blocks decompressed in advance. With [`BLOCK`] it bounds memory to about 2 MiB per
/// stream.
const BLOCKS: usize = 32;

/// The bytes of a file or of standard input.
type From = Box<dyn Read + Send>;

/// A stream that is decompressed if its first bytes show compression, on a separate thread if allowed. It behaves like [`Unpacked`].
pub(crate) struct Ahead {
    state: State,
}

enum State {
    /// The reading thread decompresses.
    Here {
        stream: Unpacked<From>,
        /// `true` if a thread may be started and this is not decided yet.
        threads: bool,
    },
    /// A separate thread decompresses and sends blocks. `at` is the number of bytes of `block` already
    /// read.
    There {
        blocks: Receiver<Block>,
        block: Block,
        at: usize,
    },
    /// The stream has ended, or its thread could not be started.
    Ended,
}

/// Result of one read.
struct Block {
    read: io::Result<Vec<u8>>,
    /// Value of [`Stored::member`] after the read.
    member: Option<u64>,
    /// Value of [`Stored::taken`] after the read.
    taken: Option<u64>,
}

impl Ahead {
    /// Creates the stream. `threads` allows a separate thread. `named` is set if the file name indicates compression.
    pub(crate) fn new(from: From, named: bool, threads: bool) -> Self {
        let stream = Unpacked::new(from).named(named);
        Ahead {
            state: State::Here { stream, threads },
        }
    }

    /// Starts the thread if it is allowed and the stream is compressed.
    fn start(&mut self) -> io::Result<()> {
        let State::Here { stream, threads } = &mut self.state else {
            return Ok(());
        };
        // `mem::take` makes the decision final: later reads do not test the stream again.
        if !mem::take(threads) || !stream.is_compressed()? {
            return Ok(());
        }
        let State::Here { stream, .. } = mem::replace(&mut self.state, State::Ended) else {
            return Ok(());
        };
        // The thread waits while `BLOCKS` blocks are not read yet.
        let (to, blocks) = mpsc::sync_channel(BLOCKS);
        thread::Builder::new().spawn(move || inflate(stream, &to))?;
        let block = Block {
            read: Ok(Vec::new()),
            member: None,
            taken: None,
        };
        self.state = State::There { blocks, block, at: 0 };
        Ok(())
    }
}

/// Decompresses until the stream ends or the receiver is dropped.
fn inflate(mut stream: Unpacked<From>, to: &SyncSender<Block>) {
    loop {
        let mut bytes = vec![0; BLOCK];
        let read = stream.read(&mut bytes).map(|read| {
            bytes.truncate(read);
            bytes
        });
        // After damage (`InvalidData`) reading continues with the next intact member. Other errors would
        // only repeat.
        let ends = match &read {
            Ok(bytes) => bytes.is_empty(),
            Err(error) => !matches!(
                error.kind(),
                io::ErrorKind::InvalidData | io::ErrorKind::Interrupted
            ),
        };
        let (member, taken) = (stream.member(), stream.taken());
        if to.send(Block { read, member, taken }).is_err() || ends {
            return;
        }
    }
}

impl Read for Ahead {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.start()?;
        let (blocks, block, at) = match &mut self.state {
            State::Here { stream, .. } => return stream.read(out),
            State::Ended => return Ok(0),
            State::There { blocks, block, at } => (blocks, block, at),
        };
        if out.is_empty() {
            return Ok(0);
        }
        // The block is used up. The initial block is empty, so the first read also waits here.
        if block.read.as_ref().is_ok_and(|bytes| *at == bytes.len()) {
            // The thread ended after an error that was returned before, or it panicked.
            let Ok(next) = blocks.recv() else {
                return Err(io::Error::other("the thread that inflates ended"));
            };
            (*block, *at) = (next, 0);
        }
        let bytes = match mem::replace(&mut block.read, Ok(Vec::new())) {
            Ok(bytes) => bytes,
            Err(error) => {
                // The empty block left in place makes the next call wait for the next block.
                *at = 0;
                return Err(error);
            }
        };
        let some = (bytes.len() - *at).min(out.len());
        out[..some].copy_from_slice(&bytes[*at..*at + some]);
        *at += some;
        // The thread sends an empty block at the end of the stream.
        if bytes.is_empty() {
            self.state = State::Ended;
        } else {
            block.read = Ok(bytes);
        }
        Ok(some)
    }
}

impl Stored for Ahead {
    fn member(&self) -> Option<u64> {
        match &self.state {
            State::Here { stream, .. } => stream.member(),
            State::There { block, .. } => block.member,
            State::Ended => None,
        }
    }

    fn taken(&self) -> Option<u64> {
        match &self.state {
            State::Here { stream, .. } => stream.taken(),
            State::There { block, .. } => block.taken,
            State::Ended => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::read::compression::testing::{gzip, read_all as all};

    fn boxed(bytes: &[u8]) -> From {
        Box::new(io::Cursor::new(bytes.to_vec()))
    }

    #[test]
    fn a_thread_changes_nothing() {
        let text: String = (0..40_000).map(|number| format!("{number} ")).collect();
        let members: Vec<u8> = text.as_bytes().chunks(7000).flat_map(gzip).collect();
        let mut broken = members.clone();
        for at in (0..broken.len()).step_by(broken.len() / 5) {
            broken[at] ^= 0x55;
        }
        for bytes in [text.as_bytes(), &gzip(text.as_bytes()), &members, &broken, b""] {
            let expected = all(Unpacked::new(boxed(bytes)));
            for threads in [false, true] {
                assert!(
                    all(Ahead::new(boxed(bytes), false, threads)) == expected,
                    "{threads}"
                );
            }
        }
    }

    /// Counts the bytes that are read from it.
    struct Counted(io::Cursor<Vec<u8>>, Arc<AtomicUsize>);

    impl Read for Counted {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(out)?;
            self.1.fetch_add(read, Ordering::Relaxed);
            Ok(read)
        }
    }

    #[test]
    fn what_is_inflated_ahead_is_bounded_and_ends_with_the_stream() {
        let mut noise = 1_u64;
        let bytes = std::iter::repeat_with(|| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 56) as u8
        });
        let text: Vec<u8> = bytes.take(8 << 20).collect();
        let (packed, read) = (gzip(&text), Arc::new(AtomicUsize::new(0)));
        let counted = Counted(io::Cursor::new(packed), Arc::clone(&read));
        let mut stream = Ahead::new(Box::new(counted), false, true);
        let mut first = [0; 100];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(first[..], text[..100]);
        let most = (BLOCKS + 4) * BLOCK;
        for _ in 0..20 {
            thread::sleep(std::time::Duration::from_millis(5));
            assert!(read.load(Ordering::Relaxed) <= most);
        }
        drop(stream);
        for _ in 0..6000 {
            if Arc::strong_count(&read) == 1 {
                return;
            }
            thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("the thread goes on");
    }
}
