//! Pages labelled by a person: files that `cargo xtask eval` reads, below `labels/pages/HOST` in the folder
//! of rules.

use std::fs;
use std::path::Path;

use dehusk_lab::metrics::main_text::{Gold, Label, Score};
use dehusk_pipeline::Error;
use serde::{Deserialize, Serialize};

use crate::draft::RulesFolder;

/// Path of the labels in the folder of rules.
const FOLDERS: [&str; 2] = ["labels", "pages"];
/// Name of the file of labels.
const FILE: &str = "docs.jsonl";

/// A labelled page: a line of the file.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct LabelledPage {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    /// The main text according to the person.
    pub(crate) gold: String,
    html: String,
    encoding: String,
    /// All text of the page, one line per block.
    #[serde(default)]
    pub(crate) all: String,
}

/// Returns a file or folder name for a host or an id: at most 80 characters, without characters that are
/// special in paths.
fn name_of(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = text.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    let name = name.trim_matches('.');
    if name.is_empty() {
        "page".to_owned()
    } else {
        name.chars().take(80).collect()
    }
}

/// Reads the labels of a host. Empty without a folder of rules or a file.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn read(folder: &RulesFolder, host: &str) -> Result<Vec<LabelledPage>, Error> {
    let Some(folder) = folder.path() else {
        return Ok(Vec::new());
    };
    let path = place(folder, host).join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).map_err(|error| Error::input(&path, error))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| {
                Error::failed(format!("`{}`, line {}: {error}", path.display(), at + 1)).with_path(&path)
            })
        })
        .collect()
}

/// Folder of the labels of a host.
fn place(folder: &Path, host: &str) -> std::path::PathBuf {
    let [labels, pages] = FOLDERS;
    folder.join(labels).join(pages).join(name_of(host))
}

/// Labels a page, and replaces its previous label. Returns the path of the file of labels.
///
/// # Errors
/// If there is no folder of rules, or it cannot be written.
pub(crate) fn write(folder: &RulesFolder, host: &str, page: &NewLabel<'_>) -> Result<String, Error> {
    let mut all = read(folder, host)?;
    let (id, [labels, pages], host) = (page.id, FOLDERS, name_of(host));
    let name = name_of(id);
    // The page of this id may be written again under its name.
    let taken = |file: &String| all.iter().any(|known| known.id != id && known.html == *file);
    let numbered = (2..).map(|number| format!("{name}-{number}.html"));
    let mut files = std::iter::once(format!("{name}.html")).chain(numbered);
    // Ids that differ only in special characters have the same name, so names are numbered.
    let file = files.find(|file| !taken(file)).unwrap_or_default();
    folder.write(&[labels, pages, &host, &file], page.html.as_bytes())?;
    let label = LabelledPage {
        id: id.to_owned(),
        url: page.url.map(str::to_owned),
        gold: page.gold.to_owned(),
        html: file,
        encoding: "utf-8".to_owned(),
        all: page.all.to_owned(),
    };
    match all.iter_mut().find(|known| known.id == id) {
        Some(known) => *known = label,
        None => all.push(label),
    }
    let mut lines = String::new();
    for label in &all {
        lines += &serde_json::to_string(label).map_err(|error| Error::failed(error.to_string()))?;
        lines.push('\n');
    }
    let path = folder.write(&[labels, pages, &host, FILE], lines.as_bytes())?;
    Ok(path.display().to_string())
}

/// Data of a page to be labelled.
pub(crate) struct NewLabel<'t> {
    pub(crate) id: &'t str,
    pub(crate) url: Option<&'t str>,
    pub(crate) gold: &'t str,
    /// The decoded page.
    pub(crate) html: &'t str,
    /// Its text, one line per block.
    pub(crate) all: &'t str,
}

/// Returns the references for scoring. All lines of a page that are not in its main text count as the rest.
pub(crate) fn gold(labels: &[LabelledPage]) -> Vec<Gold> {
    let labels: Vec<Label> = labels
        .iter()
        .map(|label| {
            // Lines are compared without the white space around them, which editing changes easily.
            let kept: Vec<&str> = label.gold.lines().map(str::trim).collect();
            let rest = label.all.lines().map(str::trim);
            let rest: Vec<&str> = rest.filter(|line| !kept.contains(line)).collect();
            Label {
                gold: label.gold.clone(),
                wide: label.gold.clone(),
                neutral: String::new(),
                other: rest.join("\n"),
            }
        })
        .collect();
    Gold::of_site(&labels)
}

/// Returns the mean of scores. NaN values, such as the leak of pages without a template, are left out.
pub(crate) fn mean(scores: &[Score]) -> Score {
    let of = |value: fn(&Score) -> f64| {
        let values: Vec<f64> = scores.iter().map(value).filter(|value| !value.is_nan()).collect();
        match values.is_empty() {
            true => f64::NAN,
            false => values.iter().sum::<f64>() / values.len() as f64,
        }
    };
    Score {
        precision: of(|score| score.precision),
        recall: of(|score| score.recall),
        f1: of(|score| score.f1),
        leak: of(|score| score.leak),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_written_and_read_and_scored() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = RulesFolder::new(Some(dir.path()));
        let menu = "Home News Sports Weather Travel";
        for (id, gold) in [
            ("http://a.example/1", "One river rose overnight here."),
            ("http://a.example/2", "Two towns were built up."),
            ("http://a.example/1", "One river rose overnight there."),
        ] {
            let all = format!("{menu}\n{gold}");
            let label = NewLabel {
                id,
                url: Some(id),
                gold,
                html: "<p>x",
                all: &all,
            };
            write(&folder, "a.example", &label).expect("written");
        }
        let other = NewLabel {
            id: "http://a.example?1",
            url: None,
            gold: "x",
            html: "<p>other",
            all: "x",
        };
        write(&folder, "a.example", &other).expect("written");
        let mut labels = read(&folder, "a.example").expect("read");
        assert_eq!(labels.len(), 3);
        let other = labels.pop().expect("a label");
        assert!(
            labels.iter().all(|label| label.html != other.html),
            "{}",
            other.html
        );
        assert!(labels[0].gold.ends_with("there."));
        assert!(
            dir.path()
                .join("labels/pages/a.example")
                .join(&labels[0].html)
                .is_file()
        );
        let gold = gold(&labels);
        let right = gold[0].score(&labels[0].gold);
        let leaky = gold[0].score(&labels[0].all);
        assert_eq!((right.f1, right.leak), (1.0, 0.0));
        assert!(leaky.f1 < 1.0 && leaky.leak == 1.0, "{leaky:?}");
        assert!(mean(&[]).f1.is_nan() && mean(&[right, leaky]).leak == 0.5);
    }
}
