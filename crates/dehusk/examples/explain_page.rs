//! Why is this part of a page in the text, and that one not?
//!
//! Every block of a page is kept or dropped with a reason. [`Options::with_blocks`] adds the blocks to the
//! result: text, kind, path in the tree, position in the source, verdict, reason, scores, and the votes of
//! other extractors. That is enough to answer a question about one page, and to count reasons over many.
//!
//! For people, [`explain_page`] writes one HTML file that shows the page beside its text, with each block
//! marked. The file loads nothing and runs no script.
//!
//! `cargo run -p dehusk --features pipeline --example explain_page -- explained.html`

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write};

use dehusk::extract::{Options, Page, extract};
use dehusk::pipeline::record::{Content, PageRecord};
use dehusk::pipeline::verbs::explain::explain_page;

const PAGE: &str = "<title>Flood - The Valley Post</title>\
    <nav><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a><li><a href=/about>About us</a></ul></nav>\
    <article><h1>Flood</h1>\
    <p>The river rose in the night, and by noon it had left its bed and flooded the lower town.</p>\
    <p>Three hundred people were taken to the school on the hill, where the baker brought bread.</p></article>\
    <div class=related><a href=/a>Ten photographs of the flood</a> <a href=/b>What to do with wet cellars</a></div>\
    <footer>Copyright The Valley Post. All rights reserved.</footer>";

pub(crate) fn run(out: &mut dyn Write, file: Option<&str>) -> Result<(), Box<dyn Error>> {
    let options = Options::default().with_blocks(true);
    let found = extract(&Page::decoded(PAGE), &options);
    writeln!(
        out,
        "{} kept {} of {} characters",
        found.method, found.kept_chars, found.all_chars
    )?;
    for block in found.blocks.iter().flatten() {
        let verdict = if block.kept { "kept" } else { "dropped" };
        let text: String = block.text.trim().chars().take(48).collect();
        writeln!(out, "{verdict:8}{:20}{text}", block.reason)?;
    }

    let record = PageRecord::new(Content::Text(PAGE.into()));
    let html = explain_page(&record, &options).map_err(|rejection| rejection.message)?;
    match file {
        Some(file) => fs::write(file, html)?,
        None => writeln!(out, "name a file to get the page for people")?,
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock(), env::args().nth(1).as_deref())
}
