//! Rules of one host that are being worked on: nothing of them is in the folder until they are saved.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dehusk_pipeline::extract::rules::RuleSet;
use dehusk_pipeline::extract::site::Template;
use dehusk_pipeline::site::Store;
use dehusk_pipeline::{Cancel, Error, Job, RecordKind, write_file};
use serde::{Deserialize, Serialize};

use crate::clusters::Marks;
use crate::crawl::host_of;

/// Steps that can be taken back.
const MAX_STEPS: usize = 200;
/// Largest file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// The folder of rules. Nothing is written outside of it.
#[derive(Clone, Debug)]
pub(crate) struct RulesFolder {
    folder: Option<PathBuf>,
    /// Knows the files of the crawl, which nothing that is written may replace.
    writes: Cancel,
}

impl RulesFolder {
    pub(crate) fn new(folder: Option<&Path>) -> RulesFolder {
        RulesFolder {
            folder: folder.map(Path::to_owned),
            writes: Cancel::new(),
        }
    }

    /// Keeps what is written from replacing a file of the inputs of the job. Rules are read and written, and so are not among these.
    ///
    /// # Errors
    /// If an input is missing.
    pub(crate) fn protect_inputs(&self, job: &Job<'_>) -> Result<(), Error> {
        let mut settings = job.settings.clone();
        settings.rules = None;
        let job = Job {
            settings: &settings,
            cancel: &self.writes,
            ..*job
        };
        job.open(RecordKind::Pages).map(drop)
    }

    /// Where it is, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Name of the file that has the rules of a host.
    pub(crate) fn file_name(host: &str) -> String {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
        let name: String = host.chars().map(|c| if plain(c) { c } else { '-' }).collect();
        format!("{}.toml", name.trim_matches('.'))
    }

    /// The files of the folder by name, with their texts.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(crate) fn files(&self) -> Result<BTreeMap<String, String>, Error> {
        let Some(folder) = &self.folder else {
            return Ok(BTreeMap::new());
        };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(Error::input(folder, error)),
        };
        let mut files = BTreeMap::new();
        for entry in entries {
            let path = entry.map_err(|e| Error::input(folder, e))?.path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let length = fs::metadata(&path).map_or(0, |meta| meta.len());
            if length > MAX_BYTES {
                let message = format!("`{}` is too large for a file of rules", path.display());
                return Err(Error::usage(message).with_path(&path));
            }
            let text = fs::read_to_string(&path).map_err(|e| Error::input(&path, e))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            files.insert(name.unwrap_or_default(), text);
        }
        Ok(files)
    }

    /// Writes a file of the folder; `name` has no folder in it. Returns its path.
    ///
    /// # Errors
    /// If there is no folder, or it cannot be written.
    pub(crate) fn write(&self, name: &[&str], content: &[u8]) -> Result<PathBuf, Error> {
        let Some(folder) = &self.folder else {
            return Err(Error::usage("no folder of rules is named").with_help("start with --rules DIR"));
        };
        let mut path = folder.clone();
        for part in name {
            let odd = part.is_empty() || part.starts_with('.') || part.contains(['/', '\\', ':', '\0']);
            if odd {
                return Err(Error::usage(format!("`{part}` is no name of a file")));
            }
            path.push(part);
            // A link could lead out of the folder.
            if fs::symlink_metadata(&path).is_ok_and(|meta| meta.file_type().is_symlink()) {
                let message = format!(
                    "`{}` is a link: nothing is written outside of the folder",
                    path.display()
                );
                return Err(Error::usage(message).with_path(&path));
            }
        }
        write_file(&path, content, &self.writes)?;
        Ok(path)
    }

    /// The catalog of pages that was kept under this name, if any.
    pub(crate) fn catalog(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.as_ref()?.join(CATALOGS).join(name);
        fs::read(path).ok()
    }

    /// Keeps a catalog of pages for the next time. Where it cannot be written, opening takes as long as it did, and nothing else is lost.
    pub(crate) fn keep_catalog(&self, name: &str, bytes: &[u8]) {
        if self.folder.as_ref().is_some_and(|folder| folder.is_dir()) {
            let _ = self.write(&[CATALOGS, name], bytes);
        }
    }

    /// What was left unsaved when a workshop ended.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub(crate) fn left(&self) -> Result<Left, Error> {
        let Some(path) = self.folder.as_deref().map(place_of_left) else {
            return Ok(Left::default());
        };
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Left::default()),
            Err(error) => return Err(Error::input(&path, error)),
        };
        serde_json::from_slice(&text).map_err(|error| {
            let message = format!("`{}` cannot be read: {error}", path.display());
            Error::usage(message)
                .with_path(&path)
                .with_help("mend or remove it: it holds what was not saved")
        })
    }

    /// Keeps what is unsaved for the next time, or nothing if nothing is. Returns its file.
    ///
    /// # Errors
    /// If there is no folder, or it cannot be written.
    pub(crate) fn leave(&self, left: &Left) -> Result<Option<PathBuf>, Error> {
        if left.drafts.is_empty() && left.marks.is_empty() {
            if let Some(path) = self
                .folder
                .as_deref()
                .map(place_of_left)
                .filter(|path| path.is_file())
            {
                fs::remove_file(&path).map_err(|error| Error::write(&path, error))?;
            }
            return Ok(None);
        }
        let text = serde_json::to_string_pretty(left).map_err(|error| Error::failed(error.to_string()))?;
        self.write(&LEFT, (text + "\n").as_bytes()).map(Some)
    }
}

/// Where catalogs of large crawls are kept, in the folder of rules.
const CATALOGS: &str = "catalogs";

/// The file of what is unsaved, in the folder of rules.
const LEFT: [&str; 2] = ["drafts", "unsaved.json"];

fn place_of_left(folder: &Path) -> PathBuf {
    let [drafts, file] = LEFT;
    folder.join(drafts).join(file)
}

/// What is unsaved.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Left {
    /// Rules by host.
    pub(crate) drafts: BTreeMap<String, Draft>,
    /// What was said of clusters, and is in no labelled set yet.
    pub(crate) marks: Marks,
}

/// What is known of a host: the file as it is saved, and as it is being worked on.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Draft {
    file: String,
    saved: String,
    text: String,
    #[serde(skip)]
    undo: Vec<String>,
    #[serde(skip)]
    redo: Vec<String>,
}

impl Draft {
    pub(crate) fn new(file: String, saved: String) -> Draft {
        Draft {
            file,
            text: saved.clone(),
            saved,
            ..Draft::default()
        }
    }

    /// Name of its file in the folder.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn saved(&self) -> &str {
        &self.saved
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.text != self.saved
    }

    /// Steps that can be taken back, and that can be taken again.
    pub(crate) fn steps(&self) -> (usize, usize) {
        (self.undo.len(), self.redo.len())
    }

    pub(crate) fn set(&mut self, text: String) {
        if text == self.text {
            return;
        }
        self.undo.push(std::mem::replace(&mut self.text, text));
        if self.undo.len() > MAX_STEPS {
            self.undo.remove(0);
        }
        self.redo.clear();
    }

    pub(crate) fn undo(&mut self) {
        if let Some(before) = self.undo.pop() {
            self.redo.push(std::mem::replace(&mut self.text, before));
        }
    }

    pub(crate) fn redo(&mut self) {
        if let Some(after) = self.redo.pop() {
            self.undo.push(std::mem::replace(&mut self.text, after));
        }
    }

    /// The draft with this text was saved.
    pub(crate) fn saved_as(&mut self, text: String) {
        self.set(text.clone());
        self.saved = text;
    }
}

/// The rules of a folder, with a draft in the place of its file.
///
/// # Errors
/// What is wrong with the rules, with file and line.
pub(crate) fn rules(folder: &RulesFolder, draft: Option<&Draft>) -> Result<RuleSet, Error> {
    let mut files = folder.files()?;
    if let Some(draft) = draft {
        match draft.text.trim().is_empty() {
            true => files.remove(&draft.file),
            false => files.insert(draft.file.clone(), draft.text.clone()),
        };
    }
    let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    RuleSet::read(texts).map_err(|error| {
        let wrong = Error::usage(error.to_string());
        match error.remedy() {
            "" => wrong,
            remedy => wrong.with_help(remedy),
        }
    })
}

/// Rules with the templates of a host.
pub(crate) fn store(rules: RuleSet, host: &str, templates: &[Template]) -> Store {
    let of_host = |template: &&Template| host_of(&template.origin.site).as_deref() == Some(host);
    Store::from_parts(templates.iter().filter(of_host).cloned(), Some(rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_back_and_again() {
        let mut draft = Draft::new("a.toml".to_owned(), "a".to_owned());
        assert!(!draft.is_changed());
        draft.set("b".to_owned());
        draft.set("c".to_owned());
        draft.undo();
        assert_eq!((draft.text(), draft.steps()), ("b", (1, 1)));
        draft.redo();
        assert_eq!(draft.text(), "c");
        draft.undo();
        draft.undo();
        draft.undo();
        assert!(!draft.is_changed());
        draft.set("d".to_owned());
        assert_eq!(draft.steps(), (1, 0));
        draft.saved_as("d".to_owned());
        assert!(!draft.is_changed());
    }

    #[test]
    fn nothing_is_written_outside_of_the_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = RulesFolder::new(Some(&dir.path().join("rules")));
        for name in ["../x.toml", "..", ".x", "", "a/b", "a\\b", "c:d"] {
            assert!(folder.write(&[name], b"x").is_err(), "{name}");
        }
        folder.write(&["labels", "x.jsonl"], b"x").expect("written");
        assert!(!dir.path().join("x.toml").exists());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path(), dir.path().join("rules/out")).expect("a link");
            assert!(folder.write(&["out", "x.toml"], b"x").is_err());
            std::os::unix::fs::symlink("/nowhere", dir.path().join("rules/l.toml")).expect("a link");
            assert!(folder.write(&["l.toml"], b"x").is_err());
        }
        assert!(RulesFolder::new(None).write(&["x.toml"], b"x").is_err());
    }

    #[test]
    fn names_of_files_are_those_of_hosts() {
        assert_eq!(RulesFolder::file_name("a.example"), "a.example.toml");
        assert_eq!(RulesFolder::file_name("[::1]"), "---1-.toml");
        assert_eq!(RulesFolder::file_name("../x"), "-x.toml");
    }
}
