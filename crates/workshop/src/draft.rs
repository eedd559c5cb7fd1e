//! Drafts: rules of a host that are being edited. They are written to the folder only when they are saved.

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

/// Maximum number of steps that can be undone.
const MAX_STEPS: usize = 200;
/// Maximum size of a file of rules, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The folder of rules. All writes of the workshop go to this folder.
#[derive(Clone, Debug)]
pub(crate) struct RulesFolder {
    folder: Option<PathBuf>,
    /// Protects the files of the crawl: no write may replace one of them.
    writes: Cancel,
}

impl RulesFolder {
    /// The folder at a path; without a path, there are no rules and nothing can be written.
    pub(crate) fn new(folder: Option<&Path>) -> RulesFolder {
        RulesFolder {
            folder: folder.map(Path::to_owned),
            writes: Cancel::new(),
        }
    }

    /// Protects the inputs of the job from being replaced. The rules are both read and written, so they are
    /// not protected.
    ///
    /// # Errors
    /// If an input is missing.
    pub(crate) fn protect_inputs(&self, job: &Job<'_>) -> Result<(), Error> {
        let mut settings = job.settings.clone();
        // The copy of the job registers its inputs with the cancellation that writes check.
        settings.rules = None;
        let job = Job {
            settings: &settings,
            cancel: &self.writes,
            ..*job
        };
        job.open(RecordKind::Pages).map(drop)
    }

    /// Returns the path of the folder, if one is given.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the name of the file for the rules of a host. Characters that are special in paths become
    /// hyphens.
    pub(crate) fn file_name(host: &str) -> String {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
        // Ports have a colon, which some systems do not allow in names.
        let name: String = host.chars().map(|c| if plain(c) { c } else { '-' }).collect();
        format!("{}.toml", name.trim_matches('.'))
    }

    /// Returns the texts of the files of the folder, by name.
    ///
    /// # Errors
    /// If a file cannot be read or is too large.
    pub(crate) fn files(&self) -> Result<BTreeMap<String, String>, Error> {
        let Some(folder) = &self.folder else {
            return Ok(BTreeMap::new());
        };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            // The first write creates the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(Error::input(folder, error)),
        };
        let mut files = BTreeMap::new();
        for entry in entries {
            let path = entry.map_err(|e| Error::input(folder, e))?.path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            // The size is checked before the file is read.
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

    /// Writes a file of the folder. `name` is its path within the folder, by components. Returns its whole
    /// path.
    ///
    /// # Errors
    /// If no folder is given, a component is not a plain name or is a symbolic link, or the file cannot be
    /// written.
    pub(crate) fn write(&self, name: &[&str], content: &[u8]) -> Result<PathBuf, Error> {
        let Some(folder) = &self.folder else {
            return Err(Error::usage("no folder of rules is named").with_help("start with --rules DIR"));
        };
        let mut path = folder.clone();
        for part in name {
            // No `..`, no hidden file, and no path within a component.
            let odd = part.is_empty() || part.starts_with('.') || part.contains(['/', '\\', ':', '\0']);
            if odd {
                return Err(Error::usage(format!("`{part}` is no name of a file")));
            }
            path.push(part);
            // A symbolic link could lead out of the folder.
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

    /// Returns the stored catalog of pages with this name; `None` if absent.
    pub(crate) fn catalog(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.as_ref()?.join(CATALOGS).join(name);
        fs::read(path).ok()
    }

    /// Stores a catalog of pages for the next start. Errors are ignored: they only make the next start
    /// slower.
    pub(crate) fn keep_catalog(&self, name: &str, bytes: &[u8]) {
        // The folder is not created for a catalog alone.
        if self.folder.as_ref().is_some_and(|folder| folder.is_dir()) {
            let _ = self.write(&[CATALOGS, name], bytes);
        }
    }

    /// Returns the unsaved changes of the previous session.
    ///
    /// # Errors
    /// If the file exists but cannot be read.
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

    /// Renames a file of unsaved changes that cannot be read to `unsaved.json.damaged`. Returns no changes.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub(crate) fn set_left_aside(&self) -> Result<Left, Error> {
        if let Some(path) = self.folder.as_deref().map(place_of_left) {
            let aside = path.with_extension("json.damaged");
            fs::rename(&path, &aside).map_err(|error| Error::write(&aside, error))?;
        }
        Ok(Left::default())
    }

    /// Stores unsaved changes for the next session, or removes the file without any. Returns the path
    /// of the file if it was written.
    ///
    /// # Errors
    /// If no folder is given, or the file cannot be written.
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

/// Subfolder of the folder of rules for catalogs of large crawls.
const CATALOGS: &str = "catalogs";

/// The file of unsaved changes, relative to the folder of rules.
const LEFT: [&str; 2] = ["drafts", "unsaved.json"];

/// Path of the file of unsaved changes.
fn place_of_left(folder: &Path) -> PathBuf {
    let [drafts, file] = LEFT;
    folder.join(drafts).join(file)
}

/// Unsaved changes.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Left {
    /// Drafts of rules, by host.
    pub(crate) drafts: BTreeMap<String, Draft>,
    /// Judgments about clusters that have not been written to a labelled set yet.
    pub(crate) marks: Marks,
}

/// The rules of a host: the text that is saved, and the text that is being edited.
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
    /// A draft without changes.
    pub(crate) fn new(file: String, saved: String) -> Draft {
        Draft {
            file,
            text: saved.clone(),
            saved,
            ..Draft::default()
        }
    }

    /// Returns the name of its file in the folder.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The edited text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The saved text.
    pub(crate) fn saved(&self) -> &str {
        &self.saved
    }

    /// Whether the edited text differs from the saved one.
    pub(crate) fn is_changed(&self) -> bool {
        self.text != self.saved
    }

    /// Returns the numbers of steps that can be undone and redone.
    pub(crate) fn steps(&self) -> (usize, usize) {
        (self.undo.len(), self.redo.len())
    }

    /// Replaces the edited text. This is a step that can be undone; steps that could be redone are dropped.
    pub(crate) fn set(&mut self, text: String) {
        // A step that changes nothing could not be seen when it is undone.
        if text == self.text {
            return;
        }
        self.undo.push(std::mem::replace(&mut self.text, text));
        if self.undo.len() > MAX_STEPS {
            // The oldest step is forgotten.
            self.undo.remove(0);
        }
        self.redo.clear();
    }

    /// Goes back one step, if there is one.
    pub(crate) fn undo(&mut self) {
        if let Some(before) = self.undo.pop() {
            self.redo.push(std::mem::replace(&mut self.text, before));
        }
    }

    /// Repeats a step that was undone, if there is one.
    pub(crate) fn redo(&mut self) {
        if let Some(after) = self.redo.pop() {
            self.undo.push(std::mem::replace(&mut self.text, after));
        }
    }

    /// Records that the draft was saved with this text.
    pub(crate) fn saved_as(&mut self, text: String) {
        self.set(text.clone());
        self.saved = text;
    }
}

/// Returns the rules of a folder, with a draft in place of its file. An empty draft removes the file.
///
/// # Errors
/// If the rules are invalid. The message contains file and line.
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

/// Combines rules with the templates of a host.
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
