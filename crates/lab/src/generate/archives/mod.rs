//! Small archives of pages, as different programs have written them since 1996, with the list of the pages
//! in each.

mod arc;
mod bundles;
mod bytes;
mod capture;
mod manner;
mod warc;

use std::path::Path;

use dehusk_pipeline::{Cancel, Error, OutFolder};
use serde_json::json;

use self::capture::Capture;
use crate::random::Random;

/// Options of [`archives`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Archives {
    /// Number of pages in each archive, 1 or more, default 3. Archives of a single page have 1.
    pub pages: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for Archives {
    fn default() -> Self {
        Self { pages: 3, seed: 1 }
    }
}

/// Writes an archive for each manner, and `archives.jsonl` with a row for each archive: `file`, `manner`,
/// and `pages`, the addresses of the pages that a reader must find, in their order. The text of each page
/// has the word with which its address ends. Returns the number of archives.
///
/// # Errors
/// If `pages` is 0, or the folder cannot be written to.
pub fn archives(options: &Archives, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    if options.pages == 0 {
        return Err(Error::value("pages", "an archive has at least one page"));
    }
    let folder = OutFolder::open(out, "generate", cancel)?;
    let mut list = folder.file("archives.jsonl")?;
    let mut files = Vec::new();
    let manners = [warc::manners(), arc::manners(), bundles::manners()];
    for (number, manner) in manners.into_iter().flatten().enumerate() {
        cancel.check()?;
        // Each archive has its own sequence, so that a new manner does not change the others.
        let mut random = Random::new(options.seed, number as u64);
        let captures: Vec<Capture> = (0..options.pages)
            .map(|page| Capture::page(number, page, &mut random))
            .collect();
        let made = (manner.write)(&captures)?;
        let mut file = folder.file(&manner.file)?;
        file.write(&made.bytes)?;
        files.push(file.finish()?);
        let row = json!({"file": manner.file, "manner": manner.what, "pages": made.pages});
        list.line(row.to_string().as_bytes())?;
    }
    let count = files.len() as u64;
    files.push(list.finish()?);
    let mut about = folder.file("generated.json")?;
    let options = json!({"generator": "archives", "pages": options.pages, "seed": options.seed});
    about.line(options.to_string().as_bytes())?;
    files.push(about.finish()?);
    folder.commit(files)?;
    Ok(count)
}
