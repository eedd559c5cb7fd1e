//! ZipNum: a sorted index of lines, in blocks of some thousand lines. Each block is a gzip member. A list
//! (`cluster.idx`) has the first line of each block.

use std::collections::VecDeque;
use std::ops::Range;

use super::condition::Condition;
use super::ranges::{Asked, Root};

/// Number of blocks fetched ahead. A block has some hundred KiB.
const AHEAD: usize = 8;

/// Largest size of a block in bytes.
const MAX_BLOCK: u64 = 64 << 20;

/// A block of an index.
pub(super) struct Block {
    /// Key of its first line.
    key: String,
    /// Name of the file that holds it, beside the list.
    pub(super) file: String,
    range: Range<u64>,
}

impl Block {
    /// Reads a line of the list: key and time, file, offset and length, separated by tabs. `None` if the
    /// line has another form or the block is too large.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let head = fields.next()?;
        let file = fields.next()?;
        let offset: u64 = fields.next()?.trim().parse().ok()?;
        let length: u64 = fields.next()?.trim().parse().ok()?;
        let end = offset.checked_add(length).filter(|_| length <= MAX_BLOCK)?;
        Some(Block {
            // The time that follows the key is left out. Keys have no spaces.
            key: head.split(' ').next().unwrap_or_default().to_owned(),
            file: file.to_owned(),
            range: offset..end,
        })
    }
}

/// Returns the range of the blocks that can hold rows that fulfill the condition. All blocks, if they are
/// not sorted by key.
pub(super) fn chosen(blocks: &[Block], condition: Option<&Condition>) -> Range<usize> {
    let all = 0..blocks.len();
    let Some(condition) = condition.filter(|_| blocks.is_sorted_by(|a, b| a.key <= b.key)) else {
        return all;
    };
    let columns = condition.columns().iter().enumerate();
    // Only the key of a block is known, so only tests of the key can exclude blocks.
    let of_key = columns.filter(|(_, name)| ["urlkey", "url_surtkey"].contains(&name.as_str()));
    of_key.fold(all, |range, (column, _)| {
        let (least, above) = condition.bounds(column);
        let above = above.map_or(blocks.len(), |above| {
            blocks.partition_point(|block| block.key < above)
        });
        // The block before the first one with a greater or equal key may end with wanted keys.
        let least = least.map_or(0, |least| {
            blocks
                .partition_point(|block| block.key < least)
                .saturating_sub(1)
        });
        // The end is at least the start: an impossible condition selects an empty range.
        range.start.max(least)..range.end.min(above).max(range.start.max(least))
    })
}

/// The bytes of blocks in order, fetched ahead.
pub(super) struct Blocks<'b> {
    root: Root,
    left: std::slice::Iter<'b, Block>,
    asked: VecDeque<(&'b Block, Asked)>,
}

impl<'b> Blocks<'b> {
    pub(super) fn new(root: Root, blocks: &'b [Block]) -> Self {
        Blocks {
            root,
            left: blocks.iter(),
            asked: VecDeque::new(),
        }
    }
}

impl<'b> Iterator for Blocks<'b> {
    type Item = (&'b Block, std::io::Result<Vec<u8>>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.asked.len() < AHEAD
            && let Some(block) = self.left.next()
        {
            // The list is foreign data as well: its blocks must lie below its folder.
            let asked = match self.root.below(&block.file) {
                Some(file) => self.root.ask(file, block.range.clone()),
                None => Asked::Failed(std::io::Error::other("it lies outside of the folder of its list")),
            };
            self.asked.push_back((block, asked));
        }
        let (block, asked) = self.asked.pop_front()?;
        // A shorter answer means that the file ends within the block.
        let wanted = block.range.end - block.range.start;
        let bytes = asked.wait().and_then(|bytes| match bytes.len() as u64 == wanted {
            true => Ok(bytes),
            false => Err(std::io::ErrorKind::UnexpectedEof.into()),
        });
        Some((block, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_with_wanted_keys_are_chosen() {
        let lines = ["com,a)/ 2024", "com,b)/ 2024", "com,b)/ 2025", "org,c)/ 2024"];
        let blocks: Vec<Block> = lines
            .iter()
            .enumerate()
            .map(|(number, head)| {
                Block::read(&format!("{head}\tcdx-00000.gz\t{}\t100\t{number}", number * 100)).unwrap()
            })
            .collect();
        let chosen = |condition: &str| chosen(&blocks, Some(&condition.parse().unwrap()));
        assert_eq!(chosen("urlkey = 'com,b)/'"), 0..3);
        assert_eq!(chosen("urlkey like 'com,b%'"), 0..3);
        assert_eq!(chosen("urlkey like 'org,%' and status = 200"), 2..4);
        assert_eq!(chosen("urlkey < 'com,b'"), 0..1);
        assert_eq!(chosen("urlkey > 'zz' "), 3..4);
        assert_eq!(chosen("urlkey < 'aa'"), 0..0);
        assert_eq!(chosen("urlkey > 'zz' and urlkey < 'aa'"), 3..3);
        assert_eq!(chosen("status = 200"), 0..4);
        assert!(Block::read("com,a)/ 2024\tcdx\tx\t1").is_none());
        assert!(Block::read("com,a)/ 2024\tcdx\t18446744073709551615\t1").is_none());
    }
}
