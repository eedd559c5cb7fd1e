//! Columns of tables that have other names than ours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::record::field::FieldName;

/// Names of fields that columns can be read as.
pub(crate) const FIELDS: &[&str] = &[
    "id",
    "url",
    "html",
    "html_base64",
    "path",
    "text",
    "title",
    "content_type",
    "charset",
    "date",
    "popularity",
    "kept_chars",
    "all_chars",
];

/// Which columns are read as which fields: `OURS=THEIRS,...`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Columns {
    named: Vec<(String, String)>,
    /// A field beside [ours](FIELDS) that is read of documents.
    asked: Option<FieldName>,
}

impl Columns {
    /// The same, and a field of this name is read of documents, too.
    pub(crate) fn asking_for(self, field: Option<&FieldName>) -> Self {
        Columns {
            asked: field.cloned(),
            ..self
        }
    }

    /// Whether a member of documents that are compared is of use: one of [ours](FIELDS), or one that may hold the field asked for.
    #[cfg(feature = "parquet")]
    pub(crate) fn compares(&self, name: &str) -> bool {
        FIELDS.contains(&name) || self.asked.as_ref().is_some_and(|asked| asked.is_in(name))
    }

    /// The column that is read as a field, if one was named.
    pub(crate) fn of(&self, ours: &str) -> Option<&str> {
        let named = self.named.iter().find(|(field, _)| field == ours);
        named.map(|(_, theirs)| theirs.as_str())
    }

    /// Fields, with the columns that are read as them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.named
            .iter()
            .map(|(ours, theirs)| (ours.as_str(), theirs.as_str()))
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (ours, theirs)) in self.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{ours}={theirs}")?;
        }
        Ok(())
    }
}

impl FromStr for Columns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut columns = Columns::default();
        for part in text.split(',') {
            let Some((ours, theirs)) = part.split_once('=') else {
                return Err(format!(
                    "`{part}` is not of the form OURS=THEIRS, such as html=content"
                ));
            };
            if !FIELDS.contains(&ours) {
                return Err(format!("unknown field `{ours}`; known: {}", FIELDS.join(", ")));
            }
            if theirs.is_empty() {
                return Err(format!("`{part}` names no column"));
            }
            if columns.of(ours).is_some() {
                return Err(format!("`{ours}` is named twice"));
            }
            columns.named.push((ours.to_owned(), theirs.to_owned()));
        }
        Ok(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named_once_each() {
        let columns: Columns = "html=content,id=key=1".parse().unwrap();
        assert_eq!(
            (columns.of("html"), columns.of("id")),
            (Some("content"), Some("key=1"))
        );
        assert_eq!(columns.of("url"), None);
        for (text, part) in [
            ("html", "OURS=THEIRS"),
            ("body=x", "unknown field `body`; known: id, url, html, "),
            ("id=", "names no column"),
            ("id=a,id=b", "named twice"),
            ("", "OURS=THEIRS"),
        ] {
            let error = text.parse::<Columns>().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
