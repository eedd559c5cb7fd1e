//! The inputs of the cases, prepared once below the build folder.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dehusk_html::narrow;
use dehusk_pipeline::dedup::SplitMix64;
use serde::Deserialize;
use serde_json::{Value, json};

use super::cases::Case;
use crate::result::Result;
use crate::root::root;
use crate::{data, pages};

/// The inputs: the names that cases use, each with a path.
pub(super) struct Inputs {
    places: Vec<(&'static str, String)>,
    /// Hash of the contents of those inputs that are single files.
    pub(super) digest: u64,
}

/// The mark of an input in a command, as in `@pages`.
const MARK: char = '@';

impl Inputs {
    /// Writes the inputs below `folder`. Of the labelled pages, every `every`-th one is used.
    pub(super) fn prepare(folder: &Path, every: usize) -> Result<Self> {
        let root = root();
        let mut places = vec![
            ("crawl", root.join("fixtures/crawl")),
            ("list", root.join("fixtures/crawl/expect.jsonl")),
            ("english", root.join("fixtures/sentences/en.txt")),
            ("russian", root.join("fixtures/sentences/ru.txt")),
            ("rules", root.join("rules/sites")),
            (
                "page",
                root.join("fixtures/crawl/docs.example/guide/install.html"),
            ),
            ("thread", root.join("fixtures/crawl/forum.example")),
        ];
        // A folder for each `every`, so that samples of different sizes do not overwrite each other.
        let made = folder.join(format!("inputs-{every}"));
        fs::create_dir_all(&made)?;
        let mut sources = Vec::new();
        match data::sets(&[])? {
            Ok(sets) => {
                let pages = made.join("pages.jsonl");
                let mut out = BufWriter::new(File::create(&pages)?);
                for set in &sets {
                    for doc in set.docs.iter().step_by(every) {
                        sources.push(doc.gold.clone());
                        let id = format!("{}/{}", set.name, doc.id);
                        write_row(
                            &mut out,
                            &json!({"id": id, "url": doc.url, "path": set.path(doc)}),
                        )?;
                    }
                }
                out.flush()?;
                places.push(("pages", pages));
                places.push(("sites", sites(&made, every)?));
                let texts = data::texts()?.map_err(|why| format!("texts: {why}"))?;
                places.push(("texts", texts));
                let records = data::folder("records")?;
                places.push(("records", records.join("cora.jsonl")));
                places.push(("names", records.join("names-nyse.csv")));
            }
            Err(why) => data::absent("outputs on labelled pages and sites", &why),
        }
        if sources.is_empty() {
            sources = texts_of(&root.join("fixtures/crawl"))?;
        }
        let (all, first, second) = documents(&made, &sources)?;
        places.extend([("documents", all), ("first", first), ("second", second)]);
        let mut hasher = DefaultHasher::new();
        for (_, path) in places.iter().filter(|(_, path)| path.is_file()) {
            hasher.write(&fs::read(path)?);
        }
        let places = places
            // Absolute, since each command runs in the folder of its case.
            .into_iter()
            .map(|(name, path)| Ok((name, fs::canonicalize(path)?.display().to_string())))
            .collect::<Result<_>>()?;
        Ok(Self {
            places,
            digest: hasher.finish(),
        })
    }

    /// Whether all inputs of a case are present.
    pub(super) fn has(&self, case: &Case) -> bool {
        let mut words = case.commands.iter().flat_map(|line| line.split_whitespace());
        // `place` returns a word unchanged if no input has its name.
        words.all(|word| !word.starts_with(MARK) || self.place(word) != word)
    }

    /// Returns the path of an input if the word names one, else the word.
    pub(super) fn place(&self, word: &str) -> String {
        let name = word.strip_prefix(MARK);
        let found = self.places.iter().find(|(known, _)| Some(*known) == name);
        found.map_or(word, |(_, path)| path.as_str()).to_owned()
    }
}

/// Writes a line of JSON.
fn write_row(out: &mut impl Write, row: &Value) -> Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    Ok(out.write_all(b"\n")?)
}

#[derive(Deserialize)]
struct SitePage {
    id: String,
    site: String,
    url: String,
    html: String,
    encoding: String,
}

/// Largest number of pages of a site, unless all pages are wanted.
const PAGES_OF_SITE: usize = 8;

/// Writes the list of the labelled sites' pages and returns its path. Compressed files are unpacked.
fn sites(made: &Path, every: usize) -> Result<PathBuf> {
    let path = made.join("sites.jsonl");
    let mut out = BufWriter::new(File::create(&path)?);
    for folder in [data::folder("sites-dev")?, data::sites_more()?] {
        let rows = fs::read_to_string(folder.join("pages.jsonl"))?;
        let mut of_site = (String::new(), 0);
        for line in rows.lines() {
            let page: SitePage = serde_json::from_str(line)?;
            // Pages of a site are adjacent in the list, so a counter for the current site is enough.
            if of_site.0 != page.site {
                of_site = (page.site.clone(), 0);
            }
            of_site.1 += 1;
            if every > 1 && of_site.1 > PAGES_OF_SITE {
                continue;
            }
            let mut html = folder.join(&page.html);
            if let Some(name) = page.html.strip_suffix(".gz") {
                let unpacked = made.join("sites").join(name);
                if !unpacked.exists() {
                    gunzip(&html, &unpacked)?;
                }
                html = unpacked;
            }
            let row = json!({"id": page.id, "url": page.url, "path": html, "charset": page.encoding});
            write_row(&mut out, &row)?;
        }
    }
    out.flush()?;
    Ok(path)
}

/// Unpacks a gzip file. The result appears under its name only when it is complete.
fn gunzip(packed: &Path, unpacked: &Path) -> Result<()> {
    fs::create_dir_all(unpacked.parent().unwrap_or(unpacked))?;
    let draft = unpacked.with_extension("draft");
    let status = Command::new("gzip")
        .arg("-dc")
        .arg(packed)
        .stdin(Stdio::null())
        .stdout(File::create(&draft)?)
        .status()?;
    if !status.success() {
        return Err(format!("gzip failed on {}", packed.display()).into());
    }
    Ok(fs::rename(draft, unpacked)?)
}

/// Returns the words of the fixture pages, which replace the labelled texts if these are missing.
fn texts_of(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for name in crate::root::files(folder)?
        .iter()
        .filter(|name| name.ends_with(".html"))
    {
        let html = String::from_utf8_lossy(&fs::read(folder.join(name))?).into_owned();
        let mut text = String::new();
        pages::each_part(&html, |word, part| {
            if word {
                text.push_str(part);
                text.push(' ');
            }
        });
        texts.push(text);
    }
    Ok(texts)
}

/// Percentages of words that are replaced in copies of a document.
const EDITS: [u64; 6] = [0, 1, 3, 8, 15, 40];

/// Writes documents, among them equal, similar and short documents, and repeated ids. Returns the paths of
/// three files: all documents, the first half, the second half.
fn documents(made: &Path, sources: &[String]) -> Result<(PathBuf, PathBuf, PathBuf)> {
    let mut words: Vec<String> = Vec::new();
    for source in sources {
        words.extend(source.split_whitespace().take(200).map(str::to_owned));
    }
    let mut random = SplitMix64::new(7);
    let mut rows = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        // A fixed pattern of group sizes: 1 to 6 documents.
        let copies = [0, 1, 0, 2, 5, 1, 0][number % 7];
        for copy in 0..=copies {
            let mut text = String::new();
            let percent = if copy == 0 {
                0
            } else {
                EDITS[(number + copy) % EDITS.len()]
            };
            pages::exchange(source, percent, &words, &mut random, &mut text);
            // Every eleventh document is cut to 12 words, so that there are short documents too.
            if number % 11 == 3 {
                text = text.split_inclusive(' ').take(12).collect();
            }
            let id = format!("d{number:05}-{copy}");
            let host = random.number() % 9;
            let mut row = json!({"id": id, "url": format!("http://host{host}.example/{id}"), "text": text});
            // A third of the documents has no popularity and no date, which keepers must tolerate.
            if !random.number().is_multiple_of(3) {
                row["popularity"] = json!(random.number() % 50);
                row["date"] = json!(format!(
                    "20{:02}-0{}-11",
                    random.number() % 25,
                    1 + random.number() % 9
                ));
            }
            // A repeated id, as real collections have.
            if random.number().is_multiple_of(40) {
                row["id"] = json!("d00000-0");
            }
            rows.push(row);
        }
    }
    // Shuffled, so that copies are not adjacent.
    for place in (1..rows.len()).rev() {
        rows.swap(place, narrow::to_usize(random.number() % (place as u64 + 1)));
    }
    let half = rows.len() / 2;
    let write = |name: &str, rows: &[Value]| -> Result<PathBuf> {
        let path = made.join(name);
        let mut out = BufWriter::new(File::create(&path)?);
        for row in rows {
            write_row(&mut out, row)?;
        }
        out.flush()?;
        Ok(path)
    };
    Ok((
        write("documents.jsonl", &rows)?,
        write("first.jsonl", &rows[..half])?,
        write("second.jsonl", &rows[half..])?,
    ))
}
