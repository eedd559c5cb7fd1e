//! Indented JSON: one object, or an array of objects.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, Framed, Framing, RowFormat, RowWriter};

/// One object for a single page, an array for several.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl RowFormat for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn summary(&self) -> &'static str {
        "one JSON object for a single page, an array for several"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Document]
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        if let Row::Document(document) = row {
            // Rows of strings, numbers and lists always serialize, and writing to memory cannot fail.
            let _ = write_lines(&document, to);
        }
    }

    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter> {
        Framed::writer(if contents.single {
            Framing {
                end: "\n",
                ..Framing::default()
            }
        } else {
            Framing {
                begin: "[",
                before_first: "\n",
                between: ",\n",
                end: "\n]\n",
                end_of_none: "]\n",
            }
        })
    }
}

/// Writes a value with a line for each field and for each entry of its lists. Deeper values stay on the
/// line of their parent.
pub(crate) fn write_lines(value: &impl Serialize, to: &mut Vec<u8>) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(to, Lines::default()))
}

/// Number of levels with a line for each value: the fields of a document, and the entries of their lists.
const LEVELS: usize = 2;

/// Formatter with a line for each value of the upper levels; deeper values are compact.
///
/// Pages decide how deep lists are nested. Indenting every level could make a document many times longer.
#[derive(Default)]
struct Lines {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

/// Methods of [`Formatter`] that delegate to the pretty or the compact formatter. The first literal is
/// added to the depth before the call, the second is subtracted after it.
macro_rules! by_depth {
    ($($method:ident($($first:ident)?), $opens:literal, $closes:literal;)+) => {$(
        fn $method<W: ?Sized + io::Write>(&mut self, to: &mut W $(, $first: bool)?) -> io::Result<()> {
            self.depth += $opens;
            let written = if self.depth <= LEVELS {
                self.pretty.$method(to $(, $first)?)
            } else {
                CompactFormatter.$method(to $(, $first)?)
            };
            self.depth -= $closes;
            written
        }
    )+};
}

impl Formatter for Lines {
    by_depth! {
        begin_array(), 1, 0;
        begin_array_value(first), 0, 0;
        end_array_value(), 0, 0;
        end_array(), 0, 1;
        begin_object(), 1, 0;
        begin_object_key(first), 0, 0;
        begin_object_value(), 0, 0;
        end_object_value(), 0, 0;
        end_object(), 0, 1;
    }
}

#[cfg(test)]
mod tests {
    use dehusk_extract::Options;

    use super::*;
    use crate::kernel::extract::Extractor;
    use crate::record::{Content, PageRecord};

    fn written(page: &str) -> String {
        let options = Options::default().with_blocks(true);
        let page = PageRecord::new(Content::Text(page.into()));
        let document = Extractor::new(options).extract(&page).unwrap();
        let mut out = Vec::new();
        Json.encode(Row::Document(&document), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_and_entries_have_lines_and_what_lies_deeper_has_none() {
        let text = written(
            "<article><p>The bridge was closed to carts.<p>The river rose overnight, and the meadows were under water.",
        );
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        let entries = document["blocks"].as_array().unwrap();
        assert_eq!(entries.len(), 2);
        for entry in entries {
            let is_entry = |line: &str| {
                let line = line.strip_prefix("    ").map(|line| line.trim_end_matches(','));
                line.and_then(|line| serde_json::from_str(line).ok()).as_ref() == Some(entry)
            };
            assert!(text.lines().any(is_entry), "{text}");
        }
        assert!(
            text.contains("\n  \"warnings\": [],\n") && text.ends_with("\n}"),
            "{text}"
        );
    }

    #[test]
    fn deep_lists_take_no_indents() {
        let page = format!("{}{}", "<ul><li>".repeat(200), "x<li>".repeat(2000));
        let text = written(&page);
        let compact = serde_json::from_str::<serde_json::Value>(&text)
            .unwrap()
            .to_string();
        assert!(
            text.len() < compact.len() + compact.len() / 10,
            "{} of {}",
            text.len(),
            compact.len()
        );
    }
}
