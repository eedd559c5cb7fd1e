#![allow(clippy::unwrap_used, reason = "tests")]

use base64::Engine;
use sha2::{Digest, Sha256};

use super::*;
use crate::compare::{Example, Row, View};

#[test]
fn the_policy_names_the_style_sheet() {
    let sheet = include_str!("style.css").replace("\r\n", "\n");
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(&sheet));
    assert_eq!(
        hash,
        page::STYLE_SHA256,
        "the style sheet was changed: set `STYLE_SHA256` to {hash}"
    );
    assert!(!sheet.contains('<'), "markup in the style sheet");
}

fn hostile() -> Results {
    let evil = "<script>alert(1)</script>\u{202e}\"'&".to_owned();
    Results {
        title: evil.clone(),
        views: vec![View {
            name: evil.clone(),
            rows: vec![Row {
                name: evil.clone(),
                ..Row::default()
            }],
            false_positives: vec![Example {
                ids: [evil.clone(), evil.clone()],
                texts: [vec![(evil.clone(), true)], vec![(evil.clone(), false)]],
                wrong: vec![evil],
                ..Example::default()
            }],
            ..View::default()
        }],
        ..Results::default()
    }
}

#[test]
fn foreign_text_is_never_markup() {
    let page = render(&hostile());
    assert!(!page.contains("<script") && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;script&gt;"));
}

#[test]
fn every_section_is_linked_and_there() {
    let page = render(&hostile());
    for section in sections::ALL {
        assert!(
            page.contains(&format!("href=\"#{}\"", section.id)),
            "{}",
            section.id
        );
        assert!(
            page.contains(&format!("<section id=\"{}\"", section.id)),
            "{}",
            section.id
        );
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(render(&Results::default()).contains("Nothing was compared"));
}

#[test]
fn cells_are_quoted_where_they_must_be() {
    for (name, bytes) in tables::tables(&hostile()).unwrap() {
        let text = String::from_utf8(bytes).unwrap();
        let columns = text.lines().next().unwrap().split(',').count();
        assert!(columns > 3, "{name}");
    }
    let leaderboard = String::from_utf8(tables::tables(&hostile()).unwrap().swap_remove(0).1).unwrap();
    assert!(leaderboard.contains("\"<script>alert(1)</script>\u{202e}\"\"'&\""));
}

#[test]
fn json_comes_back() {
    let results = hostile();
    let text = serde_json::to_string(&results).unwrap();
    let back: Results = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
}
