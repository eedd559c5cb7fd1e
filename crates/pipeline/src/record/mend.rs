//! Repair of JSON lines that strict parsers refuse, so that all output is valid UTF-8 and JSON.
//!
//! The rules hold for every field, also for unknown ones. Invalid UTF-8 becomes U+FFFD, one for each maximal subpart as in the WHATWG
//! decoder. A lone surrogate becomes U+FFFD. A control character in a string is escaped. `NaN` and `Infinity` become `null`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A kind of damage that is repaired in records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    InvalidUtf8,
    LoneSurrogate,
    ControlCharacter,
    NoNumber,
}

impl Flaw {
    /// All flaws, in the order of [`Mended`].
    pub(crate) const ALL: [Flaw; 4] = [
        Flaw::InvalidUtf8,
        Flaw::LoneSurrogate,
        Flaw::ControlCharacter,
        Flaw::NoNumber,
    ];

    /// Returns the name in summaries.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Flaw::InvalidUtf8 => "invalid-utf8",
            Flaw::LoneSurrogate => "lone-surrogate",
            Flaw::ControlCharacter => "control-character",
            Flaw::NoNumber => "nan",
        }
    }
}

/// Numbers of repaired places in one record, by flaw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mended([u32; Flaw::ALL.len()]);

impl Mended {
    /// Counts one place.
    pub(crate) fn note(&mut self, flaw: Flaw) {
        let places = &mut self.0[flaw as usize];
        *places = places.saturating_add(1);
    }

    /// Returns the sum of these places and others in the same record.
    pub(crate) fn and(self, other: Mended) -> Mended {
        let sum = |flaw: usize| self.0[flaw].saturating_add(other.0[flaw]);
        Mended(std::array::from_fn(sum))
    }

    /// Describes the places that became U+FFFD. `None` without such places.
    pub(crate) fn replaced(self) -> Option<String> {
        let [invalid, halves, ..] = self.0;
        let told = [
            (invalid, "sequences of bytes that are not UTF-8"),
            (halves, "halves of surrogate pairs"),
        ];
        let told: Vec<String> = told
            .iter()
            .filter(|(places, _)| *places > 0)
            .map(|(places, what)| format!("{places} {what}"))
            .collect();
        (!told.is_empty()).then(|| format!("{} in the record became U+FFFD", told.join(" and ")))
    }
}

/// Numbers of records with a flaw, and of repaired places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MendedCount {
    /// Number of records with the flaw.
    pub records: u64,
    /// Number of repaired places in them.
    pub places: u64,
}

/// Sums of [`Mended`] over many records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct MendedCounts([MendedCount; Flaw::ALL.len()]);

impl MendedCounts {
    /// Adds a record.
    pub(crate) fn count(&mut self, mended: Mended) {
        for (count, places) in self.0.iter_mut().zip(mended.0) {
            count.records += u64::from(places > 0);
            count.places += u64::from(places);
        }
    }

    /// Adds the counts of other records.
    pub(crate) fn add(&mut self, other: &MendedCounts) {
        for (count, other) in self.0.iter_mut().zip(other.0) {
            count.records += other.records;
            count.places += other.places;
        }
    }

    /// Returns the counts by flaw name. Flaws without records are left out.
    pub(crate) fn by_name(&self) -> BTreeMap<&'static str, MendedCount> {
        let all = Flaw::ALL.iter().map(|flaw| flaw.name()).zip(self.0);
        all.filter(|(_, count)| count.records > 0).collect()
    }
}

/// Facts about the lines of many records, besides the records themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LineNotes {
    pub(crate) mended: MendedCounts,
    /// Bit set of the columns that occur in any of the lines.
    pub(crate) columns: u16,
}

impl LineNotes {
    /// Adds the notes on other lines.
    pub(crate) fn add(&mut self, other: &LineNotes) {
        self.mended.add(&other.mended);
        self.columns |= other.columns;
    }
}

/// Returns `true` if bytes begin with a byte order mark of UTF-16.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// Returns the line with its [flaws](Flaw) repaired, or `None` if it has no flaw. The result may still be
/// invalid JSON for other reasons.
pub(crate) fn mend(line: &[u8]) -> Option<(Vec<u8>, Mended)> {
    // Repairing a UTF-16 line as UTF-8 would leave nothing useful.
    if is_utf16(line) {
        return None;
    }
    let mut mended = Mended::default();
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            mended.note(Flaw::InvalidUtf8);
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    let strict = strict(text.as_bytes(), &mut mended);
    (mended != Mended::default()).then_some((strict, mended))
}

/// Returns the text with flaws other than invalid UTF-8 repaired.
fn strict(text: &[u8], mended: &mut Mended) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut in_string) = (0, false);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        // Number of bytes that are copied unchanged.
        let taken = match byte {
            b'"' => {
                in_string = !in_string;
                1
            }
            b'\\' if in_string => {
                let length = escape_length(rest);
                if length == HALF && !is_whole(rest) {
                    mended.note(Flaw::LoneSurrogate);
                    out.extend_from_slice(b"\\ufffd");
                    at += HALF;
                    continue;
                }
                length
            }
            0..b' ' if in_string => {
                mended.note(Flaw::ControlCharacter);
                escape(byte, &mut out);
                at += 1;
                continue;
            }
            // `-` also begins numbers, for which `no_number` returns 0.
            b'N' | b'I' | b'-' if !in_string => match no_number(rest) {
                0 => 1,
                length => {
                    mended.note(Flaw::NoNumber);
                    out.extend_from_slice(b"null");
                    at += length;
                    continue;
                }
            },
            _ => 1,
        };
        // The line may end within an escape.
        let end = text.len().min(at + taken);
        out.extend_from_slice(&text[at..end]);
        at = end;
    }
    out
}

/// Length in bytes of the escape of one surrogate.
const HALF: usize = 6;
/// Length in bytes of the escapes of a surrogate pair.
const WHOLE: usize = 12;

/// Returns the length in bytes of the escape at the start of `bytes`: [`HALF`] for a lone surrogate,
/// [`WHOLE`] for a pair, else 2.
fn escape_length(bytes: &[u8]) -> usize {
    match surrogate(bytes) {
        None => 2,
        Some(Half::Low) => HALF,
        Some(Half::High) => match surrogate(&bytes[HALF..]) {
            Some(Half::Low) => WHOLE,
            _ => HALF,
        },
    }
}

/// Returns `true` if an escape of [`HALF`] bytes encodes a character. A lone surrogate does not.
fn is_whole(bytes: &[u8]) -> bool {
    surrogate(bytes).is_none()
}

/// Half of a surrogate pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Returns the kind of surrogate whose escape, such as `\ud83d`, is at the start of `bytes`. `None` for
/// other bytes.
fn surrogate(bytes: &[u8]) -> Option<Half> {
    match *bytes.first_chunk::<HALF>()? {
        [b'\\', b'u', b'd' | b'D', digit, a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            match digit.to_ascii_lowercase() {
                b'8' | b'9' | b'a' | b'b' => Some(Half::High),
                b'c'..=b'f' => Some(Half::Low),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns `true` if a JSON text has an escape of a surrogate without its other half.
pub(crate) fn has_lone_surrogate(json: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', json.get(at..).unwrap_or_default()) {
        at += found;
        let length = escape_length(&json[at..]);
        if length == HALF {
            return true;
        }
        // The whole escape is passed over, so the second backslash of a pair begins no other escape.
        at += length;
    }
    false
}

/// Returns the length of the word at the start of `bytes` that Python writes for a number without a JSON
/// form, such as `NaN`. 0 if absent.
fn no_number(bytes: &[u8]) -> usize {
    let words: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];
    let word = words.iter().find(|word| bytes.starts_with(word));
    word.map_or(0, |word| match bytes.get(word.len()) {
        Some(next) if next.is_ascii_alphanumeric() || *next == b'_' => 0,
        _ => word.len(),
    })
}

/// Appends a control character as a JSON escape.
fn escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digits = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&digits);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn mended(line: &[u8]) -> (String, [u32; 4]) {
        let (line, mended) = mend(line).expect("a flaw");
        (String::from_utf8(line).expect("UTF-8"), mended.0)
    }

    #[test]
    fn each_flaw_is_mended_and_counted() {
        let flaws: [(&[u8], &str, [u32; 4]); 11] = [
            (b"{\"a\":\"x\xe9y\"}", "{\"a\":\"x\u{fffd}y\"}", [1, 0, 0, 0]),
            // Maximal subparts: the two bytes of a truncated character count as one, each byte that begins no character counts as one.
            (
                b"{\"a\":\"\xe2\x82z\xff\xfe\"}",
                "{\"a\":\"\u{fffd}z\u{fffd}\u{fffd}\"}",
                [3, 0, 0, 0],
            ),
            // A surrogate encoded in three bytes is invalid UTF-8, and none of its bytes begins a character.
            (
                b"{\"a\":\"\xed\xa0\x80\"}",
                "{\"a\":\"\u{fffd}\u{fffd}\u{fffd}\"}",
                [3, 0, 0, 0],
            ),
            (br#"{"a":"\ud800"}"#, r#"{"a":"\ufffd"}"#, [0, 1, 0, 0]),
            (
                br#"{"a":"\uDE00\ud83d\uD83D\ude00"}"#,
                r#"{"a":"\ufffd\ufffd\uD83D\ude00"}"#,
                [0, 2, 0, 0],
            ),
            (
                br#"{"a\udfff":["\\ud800\ud800\\"]}"#,
                r#"{"a\ufffd":["\\ud800\ufffd\\"]}"#,
                [0, 2, 0, 0],
            ),
            (
                b"{\"a\":\"\t\x00\x1f\r\"}",
                r#"{"a":"\t\u0000\u001f\r"}"#,
                [0, 0, 4, 0],
            ),
            (
                b"{\"a\":NaN,\"b\":[Infinity,{\"c\":-Infinity}]}",
                r#"{"a":null,"b":[null,{"c":null}]}"#,
                [0, 0, 0, 3],
            ),
            (
                b"{\"a\":\"NaN\",\"b\":NaN}",
                r#"{"a":"NaN","b":null}"#,
                [0, 0, 0, 1],
            ),
            (
                b"{\"a\":\"say \\\"NaN\\\"\",\"b\":NaN}",
                r#"{"a":"say \"NaN\"","b":null}"#,
                [0, 0, 0, 1],
            ),
            (
                b"{\"a\":\"\xc3\x01\",\"b\":NaN}",
                "{\"a\":\"\u{fffd}\\u0001\",\"b\":null}",
                [1, 0, 1, 1],
            ),
        ];
        for (line, expected, counts) in flaws {
            assert_eq!(mended(line), (expected.to_owned(), counts));
            assert!(serde_json::from_str::<Value>(expected).is_ok(), "{expected}");
        }
    }

    #[test]
    fn lines_without_a_flaw_stay() {
        for line in [
            "{}",
            r#"{"a":"\ud83d\ude00\u0000\\","b":-1}"#,
            "{\"a\": \"\u{2028}\u{7f}\u{fffd}\"}\t",
            "Nano",
            "NaNs",
            "no JSON \u{1}",
            r"\",
            r#""\"#,
            r#""\u"#,
        ] {
            assert_eq!(mend(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn lone_surrogates_are_found_wherever_they_stand() {
        assert!(has_lone_surrogate(br#"["a","\ud83d","b"]"#));
        assert!(has_lone_surrogate(br#""\\\udc00""#) && has_lone_surrogate(br#""\ud83d\ud83d\ude00""#));
        assert!(!has_lone_surrogate(br#""\\ud800 \ud83d\ude00 \n""#) && !has_lone_surrogate(b"\"\\"));
    }

    #[test]
    fn counts_add_up_by_name() {
        let (mut counts, mut one) = (MendedCounts::default(), Mended::default());
        one.note(Flaw::NoNumber);
        one.note(Flaw::NoNumber);
        counts.count(one);
        counts.count(Mended::default());
        let mut all = counts;
        all.add(&counts);
        let expected = MendedCount {
            records: 2,
            places: 4,
        };
        assert_eq!(all.by_name(), BTreeMap::from([("nan", expected)]));
        assert_eq!(one.replaced(), None);
    }

    /// A piece of a JSON string, with arbitrary bytes.
    fn piece() -> impl Strategy<Value = Vec<u8>> {
        let known: Vec<&[u8]> = vec![
            b"\\ud83d",
            b"\\uDE00",
            b"\\u0041",
            b"\\\\",
            b"\\n",
            b"\\\"",
            b"\xe2\x82",
            b"\xed\xa0\x80",
            b"NaN",
            b"\xf0\x9f\x98\x80",
        ];
        prop_oneof![
            prop::sample::select(known).prop_map(<[u8]>::to_vec),
            prop::collection::vec(
                any::<u8>().prop_filter("no end of a string or line", |byte| !b"\"\\\n".contains(byte)),
                0..4
            ),
        ]
    }

    proptest! {
        #[test]
        fn any_line_becomes_text(line in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some((line, _)) = mend(&line) {
                prop_assert!(str::from_utf8(&line).is_ok());
                prop_assert_eq!(mend(&line), None);
            } else {
                prop_assert!(str::from_utf8(&line).is_ok());
            }
        }

        #[test]
        fn objects_of_any_strings_become_json(strings in prop::collection::vec(prop::collection::vec(piece(), 0..6), 1..5)) {
            let members: Vec<Vec<u8>> = strings
                .iter()
                .enumerate()
                .map(|(number, pieces)| [format!("\"{number}\":[NaN,\"").as_bytes(), &pieces.concat(), b"\"]"].concat())
                .collect();
            let line = [b"{", members.join(&b","[..]).as_slice(), b"}"].concat();
            let (mended, _) = mend(&line).expect("NaN");
            let read: Value = serde_json::from_slice(&mended).expect("JSON");
            prop_assert_eq!(read.as_object().map(|object| object.len()), Some(strings.len()));
        }
    }
}
