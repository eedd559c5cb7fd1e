//! An extractor of your own decides which blocks of a page are main text.
//!
//! The extractors of this library are rows of a table (`dehusk methods` lists them). If none suits your
//! pages, implement the trait [`Extractor`] and hand it to the options: parsing, metadata, tables,
//! Markdown, limits and warnings stay as they are, and only the decision about each block is yours.
//!
//! This one knows two things about blocks: the share of their text inside links, and their length in
//! characters. It keeps blocks that are at least as long as the mean block, unless they consist mostly of
//! links. Each verdict has a reason, which [`Options::with_blocks`] shows beside the block.
//!
//! `cargo run -p dehusk --example own_extractor`

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use dehusk::extract::analysis::blocks::Block;
use dehusk::extract::label::{Labels, Verdict};
use dehusk::extract::{Extractor, Options, Page, PageExtractor, PageView};

#[derive(Debug)]
struct LongBlocks;

impl Extractor for LongBlocks {
    fn name(&self) -> &'static str {
        "long-blocks"
    }

    fn summary(&self) -> &'static str {
        "blocks of at least mean length with few links"
    }

    fn label(&self, page: &PageView<'_>) -> Labels {
        let blocks = page.table.blocks();
        // At least one block, since an empty page has none.
        let mean = page.table.chars() / blocks.len().max(1);
        let verdict = |block: &Block| {
            if block.link_density() > 0.5 {
                Verdict::drop("links")
            } else if (block.chars as usize) < mean {
                Verdict::drop("short")
            } else {
                Verdict::keep("long")
            }
        };
        // One verdict for each block, in their order.
        Labels::new(self.name(), blocks.iter().map(verdict).collect())
    }
}

const PAGE: &str = "<nav><a href=/>Home</a> <a href=/news>News of the whole day</a></nav>\
    <h1>Flood</h1><p>The river rose in the night, and by noon it had left its bed.</p><p>Share this</p>";

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let options = Options::default()
        .with_own_extractor(Arc::new(LongBlocks))
        .with_blocks(true);
    // An extractor of pages reuses its buffers, so a program makes one per thread and not one per page.
    let mut pages = PageExtractor::new(&options);
    let found = pages.extract(&Page::decoded(PAGE));
    writeln!(out, "method: {}", found.method)?;
    for block in found.blocks.iter().flatten() {
        let verdict = if block.kept { "kept" } else { "dropped" };
        writeln!(out, "{verdict:8}{:8}{}", block.reason, block.text.trim())?;
    }
    write!(out, "text: {}", found.text)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
