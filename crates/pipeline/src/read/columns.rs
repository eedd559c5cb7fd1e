//! Mapping of fields with other names to the fields known here.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::record::field::FieldName;
#[cfg(feature = "parquet")]
use crate::record::weight::{CLUSTER_SIZE, COPIES};
use crate::record::{Rejection, json};

/// Names of the known fields, to which other columns can be mapped.
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

/// Mapping of fields of lines, or columns of tables, to known fields: `OURS=THEIRS,...`.
///
/// `THEIRS` may be a path into nested objects, such as `meta.content`. A field whose own name contains the dots takes precedence.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Columns {
    named: Vec<(String, String)>,
    /// Further field, besides the [known ones](FIELDS), that is read from documents.
    asked: Option<FieldName>,
}

impl Columns {
    /// Adds a field that is read from documents.
    pub(crate) fn asking_for(self, field: Option<&FieldName>) -> Self {
        Columns {
            asked: field.cloned(),
            ..self
        }
    }

    /// Returns `true` if comparing documents needs this member. That is a [known field](FIELDS), a field
    /// with the number of documents it represents, or a member that may contain the requested field.
    #[cfg(feature = "parquet")]
    pub(crate) fn compares(&self, name: &str) -> bool {
        let weighs = name == CLUSTER_SIZE || name == COPIES;
        weighs || FIELDS.contains(&name) || self.asked.as_ref().is_some_and(|asked| asked.is_in(name))
    }

    /// Returns the column mapped to a known field, or `None` if no column is.
    pub(crate) fn of(&self, ours: &str) -> Option<&str> {
        let named = self.named.iter().find(|(field, _)| field == ours);
        named.map(|(_, theirs)| theirs.as_str())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Returns `true` if a column, or a member below it, is mapped to a known field.
    #[cfg(feature = "parquet")]
    pub(crate) fn reads(&self, theirs: &str) -> bool {
        self.named.iter().any(|(_, path)| below(path, theirs).is_some())
    }

    /// Returns the line of a record with fields renamed, and a bit set of the columns found: bit `i` for the `i`-th column.
    ///
    /// Other members are kept. A member is dropped if another one is mapped to its name. A mapped value is removed from its original place.
    ///
    /// # Errors
    /// If the line is not a JSON object in UTF-8.
    pub(crate) fn renamed(&self, line: &[u8]) -> Result<(Vec<u8>, u16), Rejection> {
        let members = json::fields(line)?;
        // A member whose own name has dots wins over a path into objects.
        let whole = |path: &str| members.iter().any(|(name, _)| name == path);
        let mut renamed: Vec<(Cow<'_, str>, Cow<'_, RawValue>)> = Vec::new();
        // Each of the 13 known fields can be mapped once, so the bits fit into `u16`.
        let mut found = 0_u16;
        for (name, value) in &members {
            let mut rest = Cow::Borrowed(*value);
            let mut taken = false;
            for (number, (ours, path)) in self.named.iter().enumerate() {
                match below(path, name) {
                    // The member itself is mapped, so it does not stay under its own name.
                    Some("") => {
                        taken = true;
                        renamed.push((Cow::Borrowed(ours), Cow::Borrowed(*value)));
                    }
                    // The mapped value lies inside this member, which keeps the rest.
                    Some(inner) if !whole(path) => match member(value, inner) {
                        Some(value) => {
                            rest = without(&rest, inner).map_or(rest, Cow::Owned);
                            renamed.push((Cow::Borrowed(ours), Cow::Borrowed(value)));
                        }
                        None => continue,
                    },
                    _ => continue,
                }
                found |= 1 << number;
            }
            // A member named like a mapped field is dropped: the mapped value takes its place.
            if !taken && self.of(name).is_none() {
                renamed.push((Cow::Borrowed(name), rest));
            }
        }
        Ok((json::object_of(&renamed).into_bytes(), found))
    }

    /// Returns the columns whose bits are missing in `found`, in the form `OURS=THEIRS`.
    pub(crate) fn missing(&self, found: u16) -> Vec<String> {
        let missing = |(number, _): &(usize, &(String, String))| found & 1 << number == 0;
        let columns = self.named.iter().enumerate().filter(missing);
        columns
            .map(|(_, (ours, theirs))| format!("{ours}={theirs}"))
            .collect()
    }

    /// Returns the known fields with the columns mapped to them.
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

/// Returns the rest of a path below a member of this name; empty if the path is that member. `None` if the path leads elsewhere.
fn below<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(name)?;
    match rest {
        "" => Some(""),
        _ => rest.strip_prefix('.').filter(|rest| !rest.is_empty()),
    }
}

/// Returns the value at a path below an object. The number of steps is at most the number of dots plus one.
fn member<'v>(object: &'v RawValue, path: &str) -> Option<&'v RawValue> {
    let (mut object, mut path) = (object, path);
    loop {
        let members = json::fields(object.get().as_bytes()).ok()?;
        // Of several members with one name the last one counts, as in all JSON read here.
        let (name, value) = members
            .into_iter()
            .rev()
            .find(|(name, _)| below(path, name).is_some())?;
        match below(path, &name)? {
            "" => return Some(value),
            rest => {
                path = &path[path.len() - rest.len()..];
                object = value;
            }
        }
    }
}

/// Returns an object without the value at a path below it.
fn without(object: &RawValue, path: &str) -> Option<Box<RawValue>> {
    // Levels from the outer object to the inner one, each with the name of the member on the path.
    let (mut levels, mut object, mut path) = (Vec::new(), object, path);
    let mut kept = loop {
        let members = json::fields(object.get().as_bytes()).ok()?;
        let (name, value) = members
            .iter()
            .rev()
            .find(|(name, _)| below(path, name).is_some())?;
        let (name, value) = (name.clone().into_owned(), *value);
        let rest = below(path, &name)?;
        // All members of this name are removed. Removing only the last one would uncover an earlier one.
        let others: Vec<_> = members.into_iter().filter(|(other, _)| *other != name).collect();
        if rest.is_empty() {
            break raw(&others)?;
        }
        path = &path[path.len() - rest.len()..];
        object = value;
        levels.push((name, others));
    };
    // Rebuild the objects from the innermost one outwards.
    for (name, mut others) in levels.into_iter().rev() {
        others.push((Cow::Owned(name), &kept));
        kept = raw(&others)?;
    }
    Some(kept)
}

fn raw(members: &[(Cow<'_, str>, &RawValue)]) -> Option<Box<RawValue>> {
    RawValue::from_string(json::object_of(members)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(columns: &str, line: &str) -> (String, u16) {
        let columns: Columns = columns.parse().unwrap();
        let (line, found) = columns.renamed(line.as_bytes()).unwrap();
        (String::from_utf8(line).unwrap(), found)
    }

    #[test]
    fn fields_get_our_names_wherever_they_are() {
        for (columns, line, expected, found) in [
            (
                "text=content",
                r#"{"id":1,"content":"a"}"#,
                r#"{"id":1,"text":"a"}"#,
                1,
            ),
            (
                "text=content",
                r#"{"content":"a","text":"b"}"#,
                r#"{"text":"a"}"#,
                1,
            ),
            ("text=content", r#"{"body":"a"}"#, r#"{"body":"a"}"#, 0),
            ("text=a,title=a", r#"{"a":"x"}"#, r#"{"text":"x","title":"x"}"#, 3),
            (
                "text=m.c,url=m.u",
                r#"{"m":{"c":"x","d":[1]},"n":0}"#,
                r#"{"text":"x","m":{"d":[1]},"n":0}"#,
                1,
            ),
            (
                "text=m.c.t",
                r#"{"m":{"c":{"t":"x","u":1},"d":2}}"#,
                r#"{"text":"x","m":{"d":2,"c":{"u":1}}}"#,
                1,
            ),
            (
                "text=m.c",
                r#"{"m.c":"whole","m":{"c":"nested"}}"#,
                r#"{"text":"whole","m":{"c":"nested"}}"#,
                1,
            ),
            ("text=m.c.t", r#"{"m":{"c.t":"x"}}"#, r#"{"text":"x","m":{}}"#, 1),
            ("text=m.c", r#"{"m":"no object"}"#, r#"{"m":"no object"}"#, 0),
            ("text=m.c", r#"{"m":{"c":null}}"#, r#"{"text":null,"m":{}}"#, 1),
        ] {
            assert_eq!(
                renamed(columns, line),
                (expected.to_owned(), found),
                "{columns} {line}"
            );
        }
        let columns: Columns = "text=a,url=b.c".parse().unwrap();
        assert_eq!(columns.missing(0b01), ["url=b.c"]);
        #[cfg(feature = "parquet")]
        assert!(columns.reads("a") && columns.reads("b") && !columns.reads("c") && !columns.reads("b.c.d"));
        assert!(columns.renamed(b"[]").is_err());
    }

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
