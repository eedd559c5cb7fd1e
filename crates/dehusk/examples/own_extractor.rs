//! An extractor of one's own: it keeps the blocks that are at least as long as the page's mean block, and drops those that
//! consist of links.
//!
//! `cargo run -p dehusk-extract --example own_extractor`

use std::sync::Arc;

use dehusk_extract::label::{Labels, Verdict};
use dehusk_extract::{Extractor, Options, Page, PageExtractor, PageView};

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
        let mean = page.table.chars() / blocks.len().max(1);
        let verdict = |block: &dehusk_extract::analysis::blocks::Block| {
            if block.link_density() > 0.5 {
                Verdict::drop("links")
            } else if (block.chars as usize) < mean {
                Verdict::drop("short")
            } else {
                Verdict::keep("long")
            }
        };
        Labels::new(self.name(), blocks.iter().map(verdict).collect())
    }
}

fn main() {
    let html = "<nav><a href=/>Home</a> <a href=/news>News of the whole day</a></nav>\
        <p>The river rose in the night, and by noon it had left its bed.</p><p>Share</p>";
    let options = Options::default().with_own_extractor(Arc::new(LongBlocks));
    let found = PageExtractor::new(&options).extract(&Page::decoded(html));
    assert_eq!(found.method, "long-blocks");
    assert_eq!(
        found.text,
        "The river rose in the night, and by noon it had left its bed.\n"
    );
    #[allow(clippy::print_stdout, reason = "an example shows its result")]
    {
        print!("{}", found.text);
    }
}
