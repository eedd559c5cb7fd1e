//! Output is valid UTF-8 and JSON for any input. Records may also be spread over several lines.

use std::fs;

use serde_json::{Value, json};

use crate::support::{dehusk, dehusk_reading, folder, json as read_json, page, prose, rows, text};

/// Runs `dedup` on a file of these bytes. Returns its messages and the documents it kept.
fn deduped(bytes: &[u8], flags: &[&str]) -> (String, Vec<Value>, Value) {
    let dir = folder(&[]);
    let (input, out) = (dir.path().join("in.jsonl"), dir.path().join("out"));
    fs::write(&input, bytes).expect("a file");
    let (from, to) = (text(&input), text(&out));
    let arguments = ["dedup", &from, "--out", &to, "--threads", "2", "--max-bad", "1"];
    let ran = dehusk(arguments.iter().chain(flags)).exits(0);
    let kept = fs::read(out.join("kept.jsonl")).expect("kept.jsonl");
    str::from_utf8(&kept).expect("UTF-8");
    (
        ran.stderr,
        without_counts(rows(&out.join("kept.jsonl"))),
        read_json(&out.join("summary.json")),
    )
}

/// Documents without the counts of their duplicates.
fn without_counts(mut documents: Vec<Value>) -> Vec<Value> {
    for document in &mut documents {
        let members = document.as_object_mut().expect("an object");
        assert!(members.remove("cluster_size").is_some() && members.remove("copies").is_some());
    }
    documents
}

/// A line with these bytes in its text, and these members after it.
fn line(id: u64, odd: &[u8], members: &str) -> Vec<u8> {
    let text = prose(id, 60);
    let start = format!("{{\"id\":\"{id}\",\"text\":\"{text} ");
    [start.as_bytes(), odd, b" end\"", members.as_bytes(), b"}\n"].concat()
}

#[test]
fn records_that_are_no_text_are_mended_counted_and_told_of() {
    let lines = [
        line(1, b"caf\xe9 \xe2\x82 \xff", ""),
        line(2, b"a\x01b\x00c\td", ""),
        line(3, br"\ud800x\ud83d\ude00", r#","tags":["\udfff"]"#),
        line(4, b"", r#","score":NaN,"deep":[{"a":[-Infinity,Infinity,1]}]"#),
        line(5, b"sound", r#","n":1.50,"s":"\u00e9""#),
    ];
    let (said, kept, summary) = deduped(&lines.concat(), &[]);
    assert_eq!(kept.len(), 5);
    let ends_with = |row: usize, end: &str| {
        let text = kept[row]["text"].as_str().expect("a text");
        assert!(text.ends_with(&format!(" {end} end")), "{text:?}");
    };
    ends_with(0, "caf\u{fffd} \u{fffd} \u{fffd}");
    ends_with(1, "a\u{1}b\u{0}c\td");
    ends_with(2, "\u{fffd}x\u{1f600}");
    assert_eq!(kept[2]["tags"], json!(["\u{fffd}"]));
    assert_eq!(
        (&kept[3]["score"], &kept[3]["deep"]),
        (&Value::Null, &json!([{"a": [null, null, 1]}]))
    );
    let counts = |records: u64, places: u64| json!({"records": records, "places": places});
    assert_eq!(
        summary["mended"],
        json!({
            "invalid-utf8": counts(1, 3), "control-character": counts(1, 3), "lone-surrogate": counts(1, 2), "nan": counts(1, 3),
        })
    );
    assert_eq!(
        said.matches("warning: the input was mended: ").count(),
        1,
        "{said}"
    );
    assert!(
        said.contains("3 places in 1 record: not UTF-8, now U+FFFD"),
        "{said}"
    );

    // A sound line is copied byte for byte, and says nothing.
    let dir = folder(&[]);
    let sound = line(5, b"sound", r#", "n" : 1.50,"s":"\u00e9\u2028""#);
    fs::write(dir.path().join("a.jsonl"), &sound).expect("a file");
    let out = dir.path().join("out");
    let ran = dehusk(["dedup", &text(&dir.path().join("a.jsonl")), "--out", &text(&out)]).exits(0);
    let counts = b",\"cluster_size\":1,\"copies\":1}\n";
    let with_counts = [&sound[..sound.len() - 2], counts].concat();
    assert_eq!(fs::read(out.join("kept.jsonl")).expect("kept"), with_counts);
    assert!(!ran.stderr.contains("mended"), "{}", ran.stderr);
    assert_eq!(read_json(&out.join("summary.json")).get("mended"), None);
}

#[test]
fn every_verb_mends_by_the_same_rule() {
    let odd = line(1, b"caf\xe9", r#","k\ud800":"\ud800","x":NaN"#);
    let dir = folder(&[]);
    let documents = dir.path().join("d.jsonl");
    fs::write(&documents, &odd).expect("a file");
    for verb in ["normalize", "sign"] {
        let ran = dehusk([verb, &text(&documents)])
            .exits(0)
            .says(&["the input was mended"]);
        for line in ran.stdout.lines() {
            serde_json::from_str::<Value>(line).expect("JSON");
        }
    }
    let index = text(&dir.path().join("index"));
    dehusk(["index", "add", &index, &text(&documents)])
        .exits(0)
        .says(&["the input was mended"]);

    // Standard input is kept as a copy.
    let out = dir.path().join("out");
    dehusk_reading(["dedup", "-", "--out", &text(&out)], &odd)
        .exits(0)
        .says(&["the input was mended"]);
    let kept = rows(&out.join("kept.jsonl"));
    assert_eq!(
        (&kept[0]["k\u{fffd}"], &kept[0]["x"]),
        (&json!("\u{fffd}"), &Value::Null)
    );

    // Pages, in page processes and without.
    let html = page("T", &prose(3, 120)).replace("</p>", " caf\u{e9}</p>");
    let html = serde_json::to_vec(&json!(html)).expect("JSON");
    let html: Vec<u8> = html.iter().copied().filter(|byte| *byte != 0xa9).collect();
    let pages = [
        b"{\"id\":\"p\\udead\",\"x\":[NaN,\"\xff\"],\"html\":",
        html.as_slice(),
        b"}\n",
    ]
    .concat();
    let input = dir.path().join("p.jsonl");
    fs::write(&input, pages).expect("a file");
    let mut documents = Vec::new();
    for flags in [&[][..], &["--in-process"]] {
        let out = dir.path().join("run");
        let ran = dehusk([&["run", &text(&input), "--out", &text(&out)][..], flags].concat()).exits(0);
        ran.says(&["the input was mended"]);
        let kept = rows(&out.join("kept.jsonl"));
        assert_eq!(kept[0]["id"], "p\u{fffd}");
        assert_eq!(kept[0]["extra"], json!({"x": [null, "\u{fffd}"]}));
        assert_eq!(kept[0]["warnings"][0]["code"], "damaged-source");
        let summary = read_json(&out.join("summary.json"));
        assert_eq!(summary["mended"]["nan"], json!({"records": 1, "places": 1}));
        let report = fs::read_to_string(out.join("report.html")).expect("a report");
        assert!(report.contains("not UTF-8 or no JSON"));
        documents.push((kept, summary["mended"].clone()));
    }
    assert_eq!(documents[0], documents[1]);
}

#[test]
fn arrays_and_objects_over_lines_are_read_as_lines() {
    let objects: Vec<Value> = (0..3)
        .map(|id| json!({"id": id.to_string(), "text": prose(id, 60), "m": {"a": [id]}}))
        .collect();
    let array = Value::from(objects.clone());
    let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("JSON");
    let over_lines: Vec<String> = objects.iter().map(pretty).collect();
    for text in [
        array.to_string(),
        pretty(&array),
        format!(
            "\u{feff}[\r\n{}\r\n]",
            objects
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
                .join(",\r\n")
        ),
        over_lines.join("\n"),
    ] {
        let (_, kept, _) = deduped(text.as_bytes(), &[]);
        assert_eq!(kept, objects, "{text}");
    }
    let utf16: Vec<u8> = "\u{feff}{}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = folder(&[]);
    fs::write(dir.path().join("a.jsonl"), utf16).expect("a file");
    let out = text(&dir.path().join("out"));
    dehusk(["dedup", &text(&dir.path().join("a.jsonl")), "--out", &out])
        .exits(3)
        .says(&["UTF-16", "iconv"]);
}

#[test]
fn fields_of_other_names_are_read_and_stay() {
    let row =
        |id: u64| json!({"key": id, "meta": {"content": prose(id / 2, 60), "n": id}, "text": "not this"});
    let lines: String = (0..4).map(|id| format!("{}\n", row(id))).collect();
    let columns = ["--column", "text=meta.content", "--column", "id=key"];
    let (_, kept, summary) = deduped(lines.as_bytes(), &columns);
    assert_eq!(kept, [row(0), row(2)]);
    assert_eq!(summary["counts"]["dropped"]["exact-duplicate"], 2);
    // A field that no record has is reported, and so is a field that some records lack.
    let (said, ..) = deduped(
        lines.as_bytes(),
        &["--column", "text=meta.content", "--column", "url=link"],
    );
    assert!(
        said.contains("no record has the field `link` (`--column url=link`)"),
        "{said}"
    );
    let dir = folder(&[("a.jsonl", &lines)]);
    let out = dir.path().join("out");
    let ran = dehusk([
        "dedup",
        &text(&dir.path().join("a.jsonl")),
        "--out",
        &text(&out),
        "--column",
        "text=body",
    ]);
    ran.exits(3).says(&["no record has the field `body`"]);
    let summary = read_json(&out.join("summary.json"));
    assert_eq!(summary["missing_columns"], json!(["text=body"]));

    // Pages, through page processes; and where an id is given anew beside the user's.
    let pages: String = (0..2)
        .map(|id| {
            format!(
                "{}\n",
                json!({"doc": {"body": page("T", &prose(id, 120)), "n": id}})
            )
        })
        .collect();
    let input = dir.path().join("p.jsonl");
    fs::write(&input, pages).expect("a file");
    let ran = dehusk(["extract", &text(&input), "--column", "html=doc.body"]).exits(0);
    let extracted: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(extracted.len(), 2);
    assert_eq!(extracted[1]["extra"], json!({"doc": {"n": 1}}));
    let twice: String = (0..2)
        .map(|id| format!("{}\n", json!({"id": id, "key": "k", "text": prose(id, 60)})))
        .collect();
    let (_, kept, _) = deduped(twice.as_bytes(), &["--column", "id=key"]);
    assert_eq!((&kept[1]["id"], &kept[1]["key"]), (&json!(1), &json!("k")));
    assert!(
        kept[1]["document_id"].as_str().is_some_and(|id| id != "k"),
        "{kept:?}"
    );
}

#[test]
fn whatever_comes_in_text_comes_out() {
    let pieces: [&[u8]; 5] = [
        b"{\"id\":\"a\\ud800\",\"text\":\"x \xff\x01 y\",\"n\":NaN}\n",
        b"[\n{\"text\":\"a\"},\n",
        b"{\n\"text\":\"b\"\n}\n",
        b"{\"text\":\"cut \xe2\x82",
        b"\n",
    ];
    let mut noise = 5_u64;
    let mut next = |below: usize| {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (noise >> 33) as usize % below
    };
    for case in 0..24 {
        let mut bytes = Vec::new();
        for _ in 0..next(9) {
            match next(2) {
                0 => bytes.extend_from_slice(pieces[next(pieces.len())]),
                _ => (0..next(30)).for_each(|_| bytes.push(next(256) as u8)),
            }
        }
        let dir = folder(&[]);
        let (input, out) = (dir.path().join("in.jsonl"), dir.path().join("out"));
        fs::write(&input, &bytes).expect("a file");
        let ran = dehusk([
            "dedup",
            &text(&input),
            "--out",
            &text(&out),
            "--threads",
            "1",
            "--min-tokens",
            "0",
        ]);
        assert!(
            ran.code == Some(0) || ran.code == Some(3),
            "{case}: {}",
            ran.stderr
        );
        for list in ["kept.jsonl", "clusters.jsonl", "quarantine.jsonl"] {
            let written = fs::read(out.join(list)).expect("a file");
            for row in written.split(|byte| *byte == b'\n').filter(|row| !row.is_empty()) {
                let read = serde_json::from_slice::<Value>(row);
                assert!(read.is_ok(), "{case} {list}: {}", String::from_utf8_lossy(row));
            }
        }
    }
}
