//! Comparison of the object parser with `serde_json`.

use std::fmt::Debug;

use proptest::prelude::*;

use super::*;
use crate::record::mend::{has_lone_surrogate, mend};

/// The result of `serde_json`; an error for invalid UTF-8 and lone surrogates.
fn expected<'de, V>(line: &'de [u8], visitor: V) -> Result<V::Value, (Reason, String)>
where
    V: Visitor<'de> + Copy,
{
    let fields = by_serde(line, visitor).map_err(|error| {
        let rejection = bad_json(&error);
        (rejection.reason, rejection.message)
    })?;
    match (str::from_utf8(line), has_lone_surrogate(line)) {
        (Err(_), _) => Err((Reason::BadJson, NO_UTF8.to_owned())),
        (_, true) => Err((Reason::BadJson, HALF_A_PAIR.to_owned())),
        _ => Ok(fields),
    }
}

fn compared<'de, V>(line: &'de [u8], room: &'de StringRoom, visitor: V)
where
    V: Visitor<'de> + Copy,
    V::Value: Debug,
{
    let wanted = format!("{:?}", expected(line, visitor));
    for room in [Some(room), None] {
        let ours = parse(line, room, visitor).map_err(|rejection| (rejection.reason, rejection.message));
        assert_eq!(format!("{ours:?}"), wanted, "{}", String::from_utf8_lossy(line));
    }
    // Valid lines must not be left to the slower parser, and accepted lines must be safe to copy.
    if let Some(fields) = object::read(line, None, visitor) {
        assert_eq!(format!("Ok({fields:?})"), wanted);
        assert!(serde_json::from_slice::<Value>(line).is_ok() || is_out_of_bounds(line));
        assert_eq!(mend(line), None);
    } else {
        assert!(wanted.starts_with("Err("), "{wanted}");
    }
}

/// Whether the line has numbers or a nesting depth beyond the limits of `serde_json`.
fn is_out_of_bounds(line: &[u8]) -> bool {
    let told = serde_json::from_slice::<Value>(line).map_err(|error| error.to_string());
    told.is_err_and(|error| error.contains("number out of range") || error.contains("recursion limit"))
}

/// Compares all three parsers of a line with `serde_json`.
fn check(line: &[u8]) {
    // The room still holds the bytes of another line.
    let mut room = StringRoom::default();
    let earlier = format!(r#"{{"html":"\"{}"}}"#, "<p>earlier".repeat(1000));
    assert!(page(earlier.as_bytes(), None, Some(&room)).is_ok());
    room.clear();
    compared(line, &room, PageVisitor);
    room.clear();
    compared(line, &room, DocumentVisitor);
    room.clear();
    compared(line, &room, AllVisitor);
}

#[test]
fn odd_objects_are_read_as_serde_reads_them() {
    let deep = format!(r#"{{"x":{}{},"html":""}}"#, "[".repeat(200), "]".repeat(200));
    for line in [
        "",
        "{}",
        " { } ",
        "{}x",
        "{},",
        "[]",
        "null",
        r#"{"html":"a","html":"b","html":null}"#,
        r#"{"id":null,"id":1,"id":"x","id":-1.50e+3,"date":01}"#,
        r#"{"id":true}"#,
        r#"{"url":1}"#,
        r#"{"html":"a",}"#,
        r#"{,"html":"a"}"#,
        r#"{"html" "a"}"#,
        r#"{"html":"a" "url":"b"}"#,
        r#"{"html":"a""#,
        r#"{"html":"a"#,
        r#"{"html":"a\"#,
        r#"{"html":"a\u00"#,
        r#"{"html":"\u00e9\u0000\uD83D\ude00\/\b\f\n\r\t\\\""}"#,
        r#"{"html":"\uD83D"}"#,
        r#"{"html":"\uDE00"}"#,
        r#"{"html":"\uD83Dx"}"#,
        r#"{"html":"\uD83D\n"}"#,
        r#"{"html":"\uD83D\u0041"}"#,
        r#"{"html":"\uD83D\uD83D\uDE00"}"#,
        r#"{"html":"\x"}"#,
        r#"{"html":"\u00g0"}"#,
        r#"{"html":"\u+123"}"#,
        "{\"html\":\"a\tb\"}",
        "{\"html\":\"a\u{0}b\"}",
        "{\"html\":\"a\u{7f}\u{85}b\"}",
        r#"{"\u0068tml":"a","\"\\":[1,{"a":"\ud800"}]}"#,
        r#"{"popularity":1,"popularity":1e400}"#,
        r#"{"popularity":null,"kept_chars":-1}"#,
        r#"{"popularity":"1"}"#,
        r#"{"extra":{"a":1,"extra":{"b":"\u0062"}},"extra":[],"extra":"\q"}"#,
        r#"{"text":"a","x":tru}"#,
        r#"{"x":1 2}"#,
        r#"{"x":1.}"#,
        r#"{"x":nul,"html":""}"#,
        r#"{"html":nullx}"#,
        &deep,
    ] {
        check(line.as_bytes());
    }
    check(b"{\"html\":\"a\xff\"}");
    check(b"{\"h\xfftml\":\"a\"}");
    check(b"{\"x\":[\"\xe2\x82\"]}");
    check(br#"{"text":"a","x":{"y":["\ud83d"]}}"#);
    check(br#"{"text":"a","x":"\ud83d\ude00"}"#);
    check(br#"{"text":"a","x":[NaN]}"#);
}

#[test]
fn strings_of_any_length_end_where_they_end() {
    for length in (0..200).chain([1000, 1023, 1024, 1025, 5000]) {
        for escape in [
            "",
            r#"\""#,
            r"\\",
            r"\n\t",
            r"\u00e9",
            r"\ud83d\ude00",
            r"\ud83d",
            "\u{1}",
            "é",
        ] {
            let plain = "a".repeat(length);
            check(format!(r#"{{"html":"{plain}{escape}"}}"#).as_bytes());
            check(format!(r#"{{"html":"{escape}{plain}{escape}{escape}b"}}"#).as_bytes());
            check(format!(r#"{{"html":"{plain}{escape}"#).as_bytes());
        }
    }
}

/// A known or an unknown name.
fn name() -> impl Strategy<Value = String> {
    let known = [
        "id",
        "url",
        "html",
        "html_base64",
        "path",
        "text",
        "title",
        "date",
        "popularity",
        "kept_chars",
        "extra",
        "other",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => ".*"]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,80}".prop_map(Value::from),
        "[a\"\\\\\n\té\u{1F600}]{0,300}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,5}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A line whose names may repeat.
fn line() -> impl Strategy<Value = String> {
    prop::collection::vec((name(), value()), 0..6).prop_map(|members| {
        let member = |(name, value)| format!("{}:{value}", Value::from(name));
        format!(
            "{{{}}}",
            members.into_iter().map(member).collect::<Vec<_>>().join(", ")
        )
    })
}

proptest! {
    #[test]
    fn records_are_read_as_serde_reads_them(line in line()) {
        check(line.as_bytes());
    }

    #[test]
    fn damaged_records_are_refused_as_serde_refuses_them(
        line in line(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(b"\"\\{}[]:,u0dD8n \t\x01\xff\xc3t".to_vec())), 1..4),
    ) {
        let mut line = line.into_bytes();
        for (at, how, byte) in changes {
            let at = at.index(line.len().max(1)).min(line.len());
            match how {
                0 => line.truncate(at),
                1 => line.insert(at, byte),
                2 if at < line.len() => line[at] = byte,
                _ if at < line.len() => drop(line.remove(at)),
                _ => {}
            }
        }
        check(&line);
    }
}
