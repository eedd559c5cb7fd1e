//! Comparison of the output of two builds.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::spelling::Spelling;
use crate::result::Result;
use crate::root::files;

/// Returns the first difference between two folders, or `None` if they are equal. Hidden files are not
/// compared.
pub(super) fn folders(
    old: &Path,
    new: &Path,
    of_old: &Spelling,
    of_new: &Spelling,
) -> Result<Option<String>> {
    let names = |folder| -> Result<BTreeSet<String>> {
        let visible = |name: &String| !name.split('/').any(|part| part.starts_with('.'));
        Ok(files(folder)?.into_iter().filter(visible).collect())
    };
    let (old_names, new_names) = (names(old)?, names(new)?);
    // A difference in the list of files says more than a difference inside a file, so it is reported first.
    if let Some(name) = old_names.symmetric_difference(&new_names).next() {
        let which = if old_names.contains(name) {
            "earlier"
        } else {
            "later"
        };
        return Ok(Some(format!("{name}: only the {which} build writes it")));
    }
    for name in &old_names {
        // Each build's names are translated to those of the work tree, so that renaming alone makes no
        // difference.
        let a = of_old.translate(name, fs::read(old.join(name))?);
        let b = of_new.translate(name, fs::read(new.join(name))?);
        if a == b {
            continue;
        }
        if let (Ok(mut a), Ok(mut b)) = (
            serde_json::from_slice::<Value>(&a),
            serde_json::from_slice::<Value>(&b),
        ) {
            // The fields of a JSON object may be in another order if they were renamed.
            // Both spellings drop their values on both sides, since such a value exists in both files.
            for spelling in [of_old, of_new] {
                spelling.drop_values(name, &mut a);
                spelling.drop_values(name, &mut b);
            }
            if let Some(difference) = values("", &a, &b) {
                return Ok(Some(format!("{name}: {difference}")));
            }
            continue;
        }
        return Ok(Some(format!("{name}: {}", bytes(&a, &b))));
    }
    Ok(None)
}

/// Describes the first difference of two files that are not equal.
fn bytes(a: &[u8], b: &[u8]) -> String {
    // Lines are compared in pairs up to the shorter file.
    let lines = a.split(|&byte| byte == b'\n').zip(b.split(|&byte| byte == b'\n'));
    let Some((number, (a_line, b_line))) = lines.enumerate().find(|(_, (a, b))| a != b) else {
        return format!(
            "{} bytes before, {} after, the one begins with the other",
            a.len(),
            b.len()
        );
    };
    let number = number + 1;
    // For JSON Lines, the pointer to the value is more useful than the number of a byte.
    if let (Ok(a), Ok(b)) = (
        serde_json::from_slice::<Value>(a_line),
        serde_json::from_slice::<Value>(b_line),
    ) {
        return match values("", &a, &b) {
            Some(difference) => format!("line {number}: {difference}"),
            None => format!("line {number}: fields in another order"),
        };
    }
    let at = a_line.iter().zip(b_line).take_while(|(a, b)| a == b).count();
    format!(
        "line {number}, byte {at}: {} | {}",
        excerpt(a_line, at),
        excerpt(b_line, at)
    )
}

/// Returns the first difference of two JSON values, with its JSON pointer. `None` if they are equal.
fn values(pointer: &str, a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            // All names of both objects in order, so that the report is the same for any order of fields.
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            names.into_iter().find_map(|name| {
                let pointer = format!("{pointer}/{name}");
                match (a.get(name), b.get(name)) {
                    (Some(a), Some(b)) => values(&pointer, a, b),
                    (None, _) => Some(format!("{pointer}: only after")),
                    (_, None) => Some(format!("{pointer}: only before")),
                }
            })
        }
        (Value::Array(a), Value::Array(b)) => {
            let first = a.iter().zip(b).enumerate();
            let mut first = first.filter_map(|(i, (a, b))| values(&format!("{pointer}/{i}"), a, b));
            // Evaluated only if all common items are equal.
            let lengths =
                || (a.len() != b.len()).then(|| format!("{pointer}: {} and {} items", a.len(), b.len()));
            first.next().or_else(lengths)
        }
        (Value::String(a), Value::String(b)) if a != b => {
            let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
            let excerpts = (excerpt(a.as_bytes(), at), excerpt(b.as_bytes(), at));
            Some(format!("{pointer}, byte {at}: {} | {}", excerpts.0, excerpts.1))
        }
        (a, b) if a != b => Some(format!("{pointer}: {} | {}", shortened(a), shortened(b))),
        _ => None,
    }
}

/// Returns the beginning of a value as text.
fn shortened(value: &Value) -> String {
    excerpt(value.to_string().as_bytes(), 0)
}

/// Returns the text around a byte, at most 90 bytes.
fn excerpt(text: &[u8], at: usize) -> String {
    // May cut a character in two, which is then shown as U+FFFD.
    let around = &text[at.saturating_sub(30)..text.len().min(at + 60)];
    format!("`{}`", String::from_utf8_lossy(around).escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        let of = |a: &str, b: &str| bytes(a.as_bytes(), b.as_bytes());
        assert_eq!(
            of("{\"a\":[1,2]}\n{\"b\":1}", "{\"a\":[1,2]}\n{\"b\":2}"),
            "line 2: /b: `1` | `2`"
        );
        assert_eq!(
            of("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"),
            "line 1: fields in another order"
        );
        assert_eq!(of("one\ntwo", "one\ntoo"), "line 2, byte 1: `two` | `too`");
        assert_eq!(of("a\n", "a\nb\n"), "line 2, byte 0: `` | `b`");
    }
}
