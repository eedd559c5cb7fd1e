//! Writes labelled sets.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use dehusk_pipeline::{OutFile, OutFolder};
use serde::Serialize;
use serde_json::{Map, Value};

use super::romip;

/// The truth about one document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Label {
    /// Number of its group of near-duplicates.
    pub group: u32,
    /// Number of its group of equal texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<u32>,
    /// Number of its group of texts on the same story, possibly in other words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub story: Option<u32>,
    /// The edit that made the document, such as `words` or `mirror`.
    pub op: &'static str,
    /// Rate of the edit, in millionths, written as a share; 0 if the edit has none.
    #[serde(serialize_with = "share")]
    pub rate: u32,
    /// ISO 639-1 code of its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
    /// Id of the document that was edited.
    pub parent: Option<String>,
}

/// Writes millionths as a share.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's form")]
fn share<S: serde::Serializer>(rate: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*rate) / 1e6)
}

/// Writes a set to a folder: `corpus.jsonl` and `truth.jsonl`, or for pages `pages.xml`, `truth.jsonl` and `truth.xml`.
/// The files appear together when all are complete.
///
/// ```
/// use dehusk_lab::sets::{Label, SetWriter};
/// use dehusk_pipeline::Cancel;
///
/// let folder = tempfile::tempdir()?;
/// let mut set = SetWriter::documents(&folder.path().join("set"), &Cancel::new())?;
/// set.add("a", "The river rose.", &Label { group: 1, op: "base", ..Label::default() })?;
/// set.add("b", "The river rises.", &Label { group: 1, op: "words", parent: Some("a".to_owned()), ..Label::default() })?;
/// assert_eq!(set.finish(&serde_json::json!({ "about": "rivers" }))?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SetWriter {
    folder: OutFolder,
    corpus: OutFile,
    /// For pages, the name of their collection, and the ids of each group.
    pages: Option<(String, BTreeMap<u32, Vec<String>>)>,
    truth: OutFile,
    /// `planted.jsonl`, if passages are planted.
    planted: Option<OutFile>,
    count: u64,
}

impl SetWriter {
    /// Starts a set of documents, written as `{"id","text"}`.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn documents(out: &Path, cancel: &Cancel) -> Result<Self, Error> {
        Self::open(out, cancel, "corpus.jsonl", None)
    }

    /// Starts a set of pages, in ROMIP XML.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn pages(out: &Path, cancel: &Cancel, collection: &str) -> Result<Self, Error> {
        let pages = Some((collection.to_owned(), BTreeMap::new()));
        let mut writer = Self::open(out, cancel, "pages.xml", pages)?;
        writer.corpus.write(romip::head(collection).as_bytes())?;
        Ok(writer)
    }

    /// Starts a set whose documents go to the file `name`.
    fn open(
        out: &Path,
        cancel: &Cancel,
        name: &'static str,
        pages: Option<(String, BTreeMap<u32, Vec<String>>)>,
    ) -> Result<Self, Error> {
        let folder = OutFolder::open(out, "generate", cancel)?;
        let corpus = folder.file(name)?;
        let truth = folder.file("truth.jsonl")?;
        Ok(Self {
            folder,
            corpus,
            pages,
            truth,
            planted: None,
            count: 0,
        })
    }

    /// Adds a document, or a page whose id is its address.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, id: &str, content: &str, label: &Label) -> Result<(), Error> {
        if let Some((_, groups)) = &mut self.pages {
            groups.entry(label.group).or_default().push(id.to_owned());
            self.corpus.write(romip::document(id, content).as_bytes())?;
        } else {
            let row = serde_json::json!({"id": id, "text": content});
            self.corpus.line(row.to_string().as_bytes())?;
        }
        // The id comes first, then the fields of the label.
        let mut row = Map::from_iter([("id".to_owned(), Value::from(id))]);
        if let Ok(Value::Object(fields)) = serde_json::to_value(label) {
            row.extend(fields);
        }
        self.truth.line(Value::Object(row).to_string().as_bytes())?;
        self.count += 1;
        Ok(())
    }

    /// Adds a row to `planted.jsonl`, the list of passages at known places.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn planted(&mut self, row: &Value) -> Result<(), Error> {
        // The file is created with its first row, since most sets have no planted passages.
        let mut file = match self.planted.take() {
            Some(file) => file,
            None => self.folder.file("planted.jsonl")?,
        };
        file.line(row.to_string().as_bytes())?;
        self.planted = Some(file);
        Ok(())
    }

    /// Completes the set and returns its number of documents. `about` is written to `generated.json`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self, about: &Value) -> Result<u64, Error> {
        let mut files = Vec::new();
        if let Some(planted) = self.planted.take() {
            files.push(planted.finish()?);
        }
        if let Some((collection, groups)) = &self.pages {
            self.corpus.write(romip::TAIL.as_bytes())?;
            // ROMIP lists only groups of two or more documents.
            let groups: Vec<Vec<&str>> = groups
                .values()
                .filter(|group| group.len() > 1)
                .map(|group| group.iter().map(String::as_str).collect())
                .collect();
            let mut file = self.folder.file("truth.xml")?;
            file.write(romip::groups(collection, "dehusk", &groups).as_bytes())?;
            files.push(file.finish()?);
        }
        let mut told = Vec::new();
        let pretty = serde_json::to_writer_pretty(&mut told, about).map_err(std::io::Error::from);
        pretty
            .and_then(|()| writeln!(told))
            .map_err(|e| Error::failed(format!("cannot write what was generated: {e}")))?;
        let mut file = self.folder.file("generated.json")?;
        file.write(&told)?;
        files.push(file.finish()?);
        files.extend([self.corpus.finish()?, self.truth.finish()?]);
        self.folder.commit(files)?;
        Ok(self.count)
    }
}
