//! Quotations that only indent: old pages set margins by `blockquote`.

use crate::document::{Block, Inline, Span};

/// Minimum share of the text of a page that quotations must hold to count as its margin.
const MIN_SHARE: f64 = 0.9;
/// Minimum text in these quotations, in bytes.
const MIN_BYTES: usize = 600;

/// Quotation of `blocks`. A quotation whose only block is a quotation only indents it, and is merged with
/// it.
pub(super) fn quoted(mut blocks: Vec<Block>) -> Block {
    if let [Block::Quote { blocks: inner }] = &mut blocks[..] {
        blocks = std::mem::take(inner);
    }
    Block::Quote { blocks }
}

/// Unwraps the quotations of a page if they hold nearly all of its text.
pub(super) fn without_margin(blocks: Vec<Block>) -> Vec<Block> {
    let quotes = blocks.iter().filter(|block| matches!(block, Block::Quote { .. }));
    let quoted: usize = quotes.map(bytes_of).sum();
    if quoted < MIN_BYTES {
        return blocks;
    }
    let all: usize = blocks.iter().map(bytes_of).sum();
    if (quoted as f64) < MIN_SHARE * all as f64 {
        return blocks;
    }
    let mut out = Vec::with_capacity(blocks.len());
    for block in blocks {
        match block {
            Block::Quote { blocks } => out.extend(blocks),
            block => out.push(block),
        }
    }
    out
}

/// Bytes of the text of a block.
fn bytes_of(block: &Block) -> usize {
    let mut bytes = 0;
    let mut open: Vec<&Block> = vec![block];
    let mut lines: Vec<&[Inline]> = Vec::new();
    while let Some(block) = open.pop() {
        match block {
            Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => lines.push(inlines),
            Block::List(list) => open.extend(list.items.iter().flat_map(|item| &item.blocks)),
            Block::Definitions { items } => {
                for item in items {
                    lines.extend(item.terms.iter().map(Vec::as_slice));
                    open.extend(item.definitions.iter().flatten());
                }
            }
            Block::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                open.extend(cells.flat_map(|cell| &cell.blocks));
            }
            Block::Code { text, .. } => bytes += text.len(),
            Block::Quote { blocks } => open.extend(blocks),
            Block::Figure { blocks, caption } => {
                open.extend(blocks);
                lines.push(caption);
            }
            Block::Formula(_) => {}
        }
        while let Some(inlines) = lines.pop() {
            for inline in inlines {
                match inline {
                    Inline::Text(text) => bytes += text.len(),
                    Inline::Span(span) => match &**span {
                        Span::Marked { inlines, .. } | Span::Link { inlines, .. } => lines.push(inlines),
                        Span::Code { text, .. } => bytes += text.len(),
                        _ => {}
                    },
                }
            }
        }
    }
    bytes
}
