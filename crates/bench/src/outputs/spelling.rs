//! Names that another build spells differently.
//!
//! A file of spellings has a row per name. Tabs separate its columns, and `#` begins a comment line:
//!
//! | kind | where | work tree | other build |
//! |---|---|---|---|
//! | `flag` | verb, or `*` | `--flag`, or `--flag value` | the other spelling; empty if absent |
//! | `family` | `*` | name of a table in `dehusk methods` | the other name |
//! | `field` | end of a file's name, or `*` | name of a field | the other name |
//! | `text` | end of a file's name, or `*` | any text, `\n` for a new line | the other text |
//! | `drop` | end of a file's name | JSON pointer to a value that depends on names | |

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::result::Result;

/// The names of a build that differ from those of the work tree.
#[derive(Default)]
pub(super) struct Spelling {
    rows: Vec<Row>,
}

struct Row {
    kind: Kind,
    place: String,
    ours: String,
    theirs: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Flag,
    Family,
    Field,
    Text,
    Drop,
}

impl Spelling {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Self::parse(&text).map_err(|e| format!("{}: {e}", path.display()).into())
    }

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let mut rows = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut columns = line.split('\t');
            let mut column = || columns.next().unwrap_or_default().to_owned();
            let kind = match column().as_str() {
                "flag" => Kind::Flag,
                "family" => Kind::Family,
                "field" => Kind::Field,
                "text" => Kind::Text,
                "drop" => Kind::Drop,
                other => return Err(format!("line {}: unknown kind `{other}`", i + 1)),
            };
            let mut text = || column().replace("\\n", "\n");
            let (place, ours, theirs) = (text(), text(), text());
            if place.is_empty() || ours.is_empty() {
                return Err(format!("line {}: columns are missing", i + 1));
            }
            rows.push(Row {
                kind,
                place,
                ours,
                theirs,
            });
        }
        Ok(Self { rows })
    }

    fn rows(&self, kind: Kind) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.kind == kind)
    }

    /// Returns the arguments of the work tree's program in the spelling of this build.
    pub(super) fn arguments(&self, words: &[&str]) -> Vec<String> {
        let of_verb = |row: &&Row| {
            // A verb may have several words: `site learn`.
            row.place == "*"
                || row
                    .place
                    .split(' ')
                    .eq(words.iter().copied().take(row.place.split(' ').count()))
        };
        let mut spelled = Vec::new();
        let mut rest = words;
        while let [first, after @ ..] = rest {
            let pair = after.first().map(|second| format!("{first} {second}"));
            // A flag with its value takes precedence over the flag alone, and a row for a verb over a row
            // for all verbs.
            let find = |name: &str| {
                let rows = || {
                    self.rows(Kind::Flag)
                        .filter(|row| row.ours == name)
                        .filter(of_verb)
                };
                rows().find(|row| row.place != "*").or_else(|| rows().next())
            };
            let (row, used) = match pair.and_then(|pair| find(&pair)) {
                Some(row) => (Some(row), 2),
                None => (find(first), 1),
            };
            match row {
                // One flag may become several words, or none if the build lacks it.
                Some(row) => spelled.extend(row.theirs.split_whitespace().map(str::to_owned)),
                None => spelled.push((*first).to_owned()),
            }
            rest = &rest[used..];
        }
        spelled
    }

    /// Returns the work tree's name of a family of strategies.
    pub(super) fn family(&self, theirs: &str) -> String {
        let row = self.rows(Kind::Family).find(|row| row.theirs == theirs);
        row.map_or(theirs, |row| row.ours.as_str()).to_owned()
    }

    /// Returns the contents of a file of this build with the work tree's names.
    pub(super) fn translate(&self, file: &str, bytes: Vec<u8>) -> Vec<u8> {
        let rows: Vec<_> = self
            .rows
            .iter()
            .filter(|row| matches!(row.kind, Kind::Field | Kind::Text) && applies(row, file))
            .collect();
        if rows.is_empty() {
            return bytes;
        }
        // Binary files, such as indexes, contain no names to translate.
        let Ok(mut text) = String::from_utf8(bytes.clone()) else {
            return bytes;
        };
        for row in rows {
            text = if row.kind == Kind::Field {
                // The quotes and the colon restrict the replacement to names of fields.
                text.replace(&format!("\"{}\":", row.theirs), &format!("\"{}\":", row.ours))
            } else {
                text.replace(&row.theirs, &row.ours)
            };
        }
        text.into_bytes()
    }

    /// Removes values that depend on names.
    pub(super) fn drop_values(&self, file: &str, value: &mut Value) {
        for row in self.rows(Kind::Drop).filter(|row| applies(row, file)) {
            let (above, name) = row.ours.rsplit_once('/').unwrap_or(("", &row.ours));
            if let Some(above) = value.pointer_mut(above).and_then(Value::as_object_mut) {
                above.remove(name);
            }
        }
    }
}

/// Whether a row applies to a file: its place is `*`, or the end of the file's name.
fn applies(row: &Row, file: &str) -> bool {
    row.place == "*" || file.ends_with(&row.place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_fields_get_their_names() {
        let rows = "# comment\nflag\t*\t--output-format\t--output\nflag\textract\t--extractor\t--method\n\
            flag\t*\t--tables omit\t--no-tables\nflag\tsite learn\t--extractor\t--by\n\
            field\tsummary.json\tshort-docs\tshort\ntext\t*\tnew\told\n";
        let spelling = Spelling::parse(rows).unwrap();
        let spelled = |line: &str| spelling.arguments(&line.split(' ').collect::<Vec<_>>()).join(" ");
        assert_eq!(
            spelled("extract --extractor x --tables omit"),
            "extract --method x --no-tables"
        );
        assert_eq!(
            spelled("run --extractor x --tables text"),
            "run --extractor x --tables text"
        );
        assert_eq!(
            spelled("site learn --extractor x --output-format y"),
            "site learn --by x --output y"
        );
        let file = b"{\"short\":\"short\",\"old\":1}".to_vec();
        assert_eq!(
            spelling.translate("a/summary.json", file.clone()),
            b"{\"short-docs\":\"short\",\"new\":1}"
        );
        assert_eq!(
            spelling.translate("a/pairs.jsonl", file),
            b"{\"short\":\"short\",\"new\":1}"
        );
        assert!(Spelling::parse("other\t*\ta\tb").is_err());
    }
}
