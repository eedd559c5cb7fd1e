use std::borrow::Cow;

use super::json::{document, page, with_id};
use super::mend::mend;
use super::*;
use serde_json::{Value, json};

fn rejection(line: &str) -> (Reason, String) {
    let rejection = page(line.as_bytes(), None, None).unwrap_err();
    (rejection.reason, rejection.message)
}

fn html(line: &[u8]) -> String {
    match page(line, None, None).unwrap().content {
        Content::Text(text) => text.into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_borrows_what_needs_no_unescaping() {
    let line = br#"{"id":"p1","url":"http://a.example/","html":"<p>plain</p>","charset":null}"#;
    let record = page(line, None, None).unwrap();
    assert!(matches!(
        &record.content,
        Content::Text(Cow::Borrowed("<p>plain</p>"))
    ));
    assert!(matches!(record.id, Some(Cow::Borrowed("p1"))));
    assert_eq!(record.charset, None);
    assert_eq!(html(br#"{"html":"<p>\"a\"\u0444\n</p>"}"#), "<p>\"a\"ф\n</p>");
}

#[test]
fn broken_strings_cost_characters_and_not_the_record() {
    let html = |line: &[u8]| {
        assert!(page(line, None, None).is_err(), "such a line is not copied");
        html(&mend(line).expect("a flaw").0)
    };
    assert_eq!(html(br#"{"html":"a\ud800b"}"#), "a\u{fffd}b");
    assert_eq!(html(b"{\"html\":\"a\xffb\"}"), "a\u{fffd}b");
    assert_eq!(html(b"{\"html\":\"a\x00b\",\"n\":[-Infinity]}"), "a\u{0}b");
    assert_eq!(
        html(b"{\"html\":\"a\xed\xa0\x80b\"}").chars().next_back(),
        Some('b')
    );
}

#[test]
fn an_id_may_be_a_number() {
    let record = page(br#"{"id":17,"html":""}"#, None, None).unwrap();
    assert_eq!(record.id.as_deref(), Some("17"));
    let (reason, message) = rejection(r#"{"id":[1],"html":""}"#);
    assert_eq!(reason, Reason::BadJson);
    assert!(
        message.contains("`id` is neither a string nor a number"),
        "{message}"
    );
}

#[test]
fn content_is_html_else_base64_else_a_file_beside_the_list() {
    let record = page(br#"{"html_base64":"PHA+/w=="}"#, None, None).unwrap();
    assert!(matches!(&record.content, Content::Bytes(b) if b.as_ref() == b"<p>\xff"));
    let record = page(
        br#"{"path":"a/b.html"}"#,
        Some(std::path::Path::new("crawl")),
        None,
    )
    .unwrap();
    assert!(matches!(&record.content, Content::File { name, path }
        if name == "a/b.html" && path == std::path::Path::new("crawl/a/b.html")));
    assert_eq!(rejection(r#"{"html_base64":"%%"}"#).0, Reason::BadBase64);
    assert_eq!(
        rejection(r#"{"url":"http://a.example/"}"#).0,
        Reason::MissingContent
    );
    let (reason, message) = rejection(r#"{"text":"words"}"#);
    assert_eq!(reason, Reason::MissingContent);
    assert!(message.contains("a document with `text`"), "{message}");
}

#[test]
fn wrong_json_is_told_with_its_column() {
    let (reason, message) = rejection(r#"{"html": 5}"#);
    assert_eq!(reason, Reason::BadJson);
    assert!(message.starts_with("column 1"), "{message}");
    assert!(
        message.contains("expected a string") && !message.contains("line 1"),
        "{message}"
    );
    assert_eq!(rejection("[1,2]").0, Reason::BadJson);
    assert_eq!(rejection(r#"{"html":"#).0, Reason::Truncated);
    assert_eq!(rejection(r#"{"html":"cut"#).0, Reason::Truncated);
}

#[test]
fn a_value_nested_without_end_is_skipped_without_recursion() {
    let deep = format!(
        r#"{{"html":"x","deep":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    assert_eq!(html(deep.as_bytes()), "x");
    let deep = format!(
        r#"{{"text":"x","deep":{}{}}}"#,
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    assert_eq!(document(deep.as_bytes(), None).unwrap().text, "x");
}

#[test]
fn unknown_fields_are_carried_byte_for_byte_and_do_not_nest() {
    let line = br#"{"html":"x","rank":1.50,"tags":["a", "b"],"extra":{"old":true}}"#;
    let record = page(line, None, None).unwrap();
    let text = serde_json::to_string(&record.extra).unwrap();
    assert_eq!(text, r#"{"rank":1.50,"tags":["a", "b"],"old":true}"#);
    let record = page(br#"{"html":"x","extra":5}"#, None, None).unwrap();
    assert_eq!(serde_json::to_string(&record.extra).unwrap(), r#"{"extra":5}"#);
}

#[test]
fn a_document_is_read_with_what_its_keeper_asks_for() {
    let line =
        r#"{"id":"d","text":"words","date":"2020-01-02","popularity":3,"kept_chars":5,"all_chars":9,"x":{}}"#;
    let record = document(line.as_bytes(), None).unwrap();
    assert_eq!(record.text, "words");
    assert_eq!(record.ranking.date.as_deref(), Some("2020-01-02"));
    assert_eq!(record.ranking.popularity, Some(3.0));
    assert_eq!(
        (record.ranking.kept_chars, record.ranking.all_chars),
        (Some(5), Some(9))
    );
    let missing = document(br#"{"id":7,"html":"<p>"}"#, None).unwrap_err();
    assert_eq!(
        (missing.reason, missing.id.as_deref()),
        (Reason::MissingContent, Some("7"))
    );
    assert!(
        missing.message.contains("extract it first"),
        "{}",
        missing.message
    );
}

#[test]
fn a_line_gets_another_id_and_keeps_the_rest() {
    let line = with_id(br#"{"text":"a\u0062","id":"x","n":1.0}"#, "x#2");
    assert_eq!(line, br#"{"id":"x#2","text":"a\u0062","n":1.0}"#);
    let value: Value = serde_json::from_slice(&with_id(br#"{"text":""}"#, "\"q\"")).unwrap();
    assert_eq!(value, json!({"id": "\"q\"", "text": ""}));
}

#[test]
fn every_reason_has_one_name() {
    for reason in Reason::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
    }
}
