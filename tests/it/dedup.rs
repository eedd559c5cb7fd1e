//! `dehusk dedup`

use std::fs;

use serde_json::json;

use crate::support::{
    contents, counts_add_up, dehusk, dehusk_reading, folder, json, page, partition, prose, rows, text,
};

/// Documents in families: every fifth one starts a family, the others of it are edits.
fn documents(count: u64) -> Vec<String> {
    let text = |n: u64| {
        let text = prose(n / 5, 92);
        match n % 5 {
            0 | 4 => text,
            edits => text.replacen(' ', " edited ", edits as usize),
        }
    };
    (0..count)
        .map(|n| json!({"id": format!("d{n:05}"), "text": text(n), "n": n}).to_string())
        .collect()
}

#[test]
fn duplicates_are_found_and_lines_stay_as_they_were() {
    let lines = documents(200);
    let dir = folder(&[("docs.jsonl", &(lines.join("\n") + "\n"))]);
    let out = dir.path().join("out");
    dehusk([
        "dedup",
        &text(&dir.path().join("docs.jsonl")),
        "--threshold",
        "0.7",
        "--tsv",
        "--out",
        &text(&out),
    ])
    .exits(0)
    .says(&["200 documents read, 40 documents kept"]);
    counts_add_up(&out);
    let kept = fs::read_to_string(out.join("kept.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 40);
    let is_as_it_was = |line: &str| {
        let (as_it_was, counts) = line.split_once(",\"cluster_size\":").expect("counts");
        assert!(counts.contains(",\"copies\":"), "{line}");
        lines
            .iter()
            .any(|other| other.strip_suffix('}') == Some(as_it_was))
    };
    assert!(kept.lines().all(is_as_it_was));
    let pairs = rows(&out.join("pairs.jsonl"));
    assert!(pairs.iter().all(|pair| pair["a"].as_str() < pair["b"].as_str()));
    assert!(pairs.is_sorted_by_key(|pair| (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap())));
    let first: Vec<&str> = pairs[0].as_object().unwrap().keys().map(String::as_str).collect();
    // A text with a copy is similar to others: the row stands for the copy's pairs, too.
    assert_eq!(first, ["a", "b", "estimate", "link", "method", "similarity"]);
    let stands_for = |row: &serde_json::Value| row["link"].as_u64().unwrap_or(1);
    let all: u64 = pairs.iter().map(stands_for).sum();
    let found = &json(&out.join("summary.json"))["duplicates"];
    assert_eq!(
        (&found["pairs"], &found["all_pairs"]),
        (&json!(pairs.len()), &json!(all))
    );
    assert_eq!(
        found["linked_pairs"],
        json!(pairs.iter().filter(|row| stands_for(row) > 1).count())
    );
    let tsv = fs::read_to_string(out.join("pairs.tsv")).unwrap();
    let line = tsv.lines().next().unwrap();
    let fields: Vec<&str> = line.split('\t').collect();
    assert_eq!((fields[0], fields[1], fields.len()), ("d00000", "d00001", 4));
    assert_eq!(fields[3], stands_for(&pairs[0]).to_string());
    assert_eq!(
        fields[2].parse::<f64>().unwrap(),
        pairs[0]["similarity"].as_f64().unwrap()
    );
}

/// Copies of texts that are all similar: there is one row per document, and `--all-pairs` writes the square.
#[test]
fn pairs_are_as_many_as_documents_unless_all_are_asked_for() {
    let words = |own: u64| {
        let word = |place: u64| match place == 7 * own {
            true => format!("own{own}"),
            false => format!("w{place}"),
        };
        (0..100).map(word).collect::<Vec<_>>().join(" ")
    };
    let line = |n: u64| json!({"id": format!("d{n:05}"), "text": words(n % 10)}).to_string() + "\n";
    let lines: String = (0..200).map(line).collect();
    let dir = folder(&[("docs.jsonl", &lines)]);
    let input = text(&dir.path().join("docs.jsonl"));
    let rows_with = |more: &[&str]| {
        let out = text(&dir.path().join("out"));
        let mut all = vec!["dedup", &input, "--out", &out];
        all.extend(more);
        dehusk(all).exits(0);
        rows(&dir.path().join("out").join("pairs.jsonl"))
    };
    let linked = rows_with(&[]);
    assert_eq!(linked.len(), 190 + 10 * 9 / 2);
    let every = rows_with(&["--all-pairs"]);
    assert_eq!(every.len(), 200 * 199 / 2);
    assert!(every.iter().all(|row| row.get("link").is_none()));
    let stands_for: u64 = linked.iter().map(|row| row["link"].as_u64().unwrap_or(1)).sum();
    assert_eq!(stands_for, every.len() as u64);
}

#[test]
fn neither_threads_nor_order_nor_pipes_change_the_result() {
    let lines = documents(600);
    let dir = folder(&[("docs.jsonl", &(lines.join("\n") + "\n"))]);
    let input = text(&dir.path().join("docs.jsonl"));
    let mut all = Vec::new();
    for threads in ["1", "2", "7"] {
        let out = dir.path().join(threads);
        dehusk(["dedup", &input, "--threads", threads, "--out", &text(&out)]).exits(0);
        all.push(contents(&out));
    }
    assert!(all[1] == all[0] && all[2] == all[0]);

    let out = dir.path().join("piped");
    dehusk_reading(
        ["dedup", "-", "--out", &text(&out)],
        fs::read(&input).unwrap().as_slice(),
    )
    .exits(0);
    let piped = contents(&out);
    for name in ["pairs.jsonl", "clusters.jsonl", "kept.jsonl"] {
        assert_eq!(piped[name], all[0][name], "{name}");
    }
    assert!(
        !piped.keys().any(|name| name.contains("input")),
        "{:?}",
        piped.keys()
    );

    let shuffled: String = (0..600).map(|n| lines[n * 77 % 600].clone() + "\n").collect();
    let out = dir.path().join("shuffled");
    // In the order of the numbers the first one stays; of shuffled lines, the one with the smallest number.
    let keeper = ["--keep", "field:n:min"];
    let arguments = ["dedup", "-", "--out", &text(&out), keeper[0], keeper[1]];
    dehusk_reading(arguments, shuffled.as_bytes()).exits(0);
    assert_eq!(partition(&out), partition(&dir.path().join("1")));
    assert_eq!(contents(&out)["pairs.jsonl"], all[0]["pairs.jsonl"]);
}

/// Any order of documents, and any split into files, gives the same pairs, byte for byte, and for every id the same cluster,
/// representative and fate, in rows that follow the input. This holds also with more copies than have all of
/// their pairs listed. The values of the keepers must all differ: where all else is equal, the first in the input stays.
#[test]
fn neither_order_nor_shards_change_the_result() {
    let mut lines = documents(300);
    // The numbers are no two documents', and not in the order of the ids.
    let numbered =
        |id: String, n: u64, text: &str| json!({"id": id, "text": text, "n": n * 7919 % 10_007 + 300});
    lines.extend((0..1100).map(|n| numbered(format!("c{n:04}"), n, &prose(7, 92)).to_string()));
    let edited = prose(7, 92).replacen(' ', " edited ", 1);
    lines.extend((0..40).map(|n| numbered(format!("e{n:02}"), 2000 + n, &edited).to_string()));
    let shuffled = |by: usize| -> Vec<String> {
        let count = lines.len();
        (0..count).map(|n| lines[n * by % count].clone()).collect()
    };
    for arguments in [
        ["--keep", "field:id:min", "--cluster", "merge-center"],
        ["--keep", "field:n", "--cluster", "star:overlap=false"],
        ["--keep", "field:n:min", "--cluster", "ricochet-sr"],
    ] {
        let run = |files: &[(&str, &str)]| {
            let (dir, out) = (folder(files), folder(&[]));
            let (input, out_folder) = (text(dir.path()), out.path().join("out"));
            dehusk(
                ["dedup", &input, "--out", &text(&out_folder)]
                    .iter()
                    .copied()
                    .chain(arguments),
            )
            .exits(0);
            let kept = contents(&out_folder)["kept.jsonl"].clone();
            let mut kept: Vec<String> = String::from_utf8(kept)
                .expect("UTF-8")
                .lines()
                .map(str::to_owned)
                .collect();
            kept.sort_unstable();
            (
                contents(&out_folder)["pairs.jsonl"].clone(),
                partition(&out_folder),
                kept,
            )
        };
        let whole = run(&[("a.jsonl", &lines.join("\n"))]);
        assert!(whole.0.len() > 100_000);
        for by in [7, 1439] {
            let other = shuffled(by);
            let (first, rest) = other.split_at(333);
            let (second, third) = rest.split_at(700);
            let shards = [first, second, third].map(|shard| shard.join("\n") + "\n");
            let split = run(&[
                ("a.jsonl", &shards[2]),
                ("b.jsonl", &shards[0]),
                ("c/d.jsonl", &shards[1]),
            ]);
            assert!(split.0 == whole.0, "pairs: {arguments:?}");
            assert_eq!(split.1, whole.1, "{arguments:?}");
            assert_eq!(split.2, whole.2, "{arguments:?}");
        }
    }
}

#[test]
fn documents_of_a_run_can_be_compared_again() {
    let dir = folder(&[
        ("a.html", &page("A", &prose(1, 80))),
        ("b.html", &page("B", &prose(1, 80))),
    ]);
    let other = folder(&[]);
    let (first, second) = (other.path().join("first"), other.path().join("second"));
    dehusk(["run", &text(dir.path()), "--out", &text(&first)]).exits(0);
    dehusk([
        "dedup",
        &text(&first.join("documents.jsonl")),
        "--out",
        &text(&second),
    ])
    .exits(0);
    for name in ["pairs.jsonl", "clusters.jsonl", "kept.jsonl"] {
        assert_eq!(contents(&first)[name], contents(&second)[name], "{name}");
    }

    let pairs = text(&first.join("pairs.jsonl"));
    dehusk(["dedup", &pairs, "--out", &text(&second)])
        .exits(2)
        .says(&["pairs.jsonl` is the list of pairs", "documents.jsonl"]);
    let documents = first.join("documents.jsonl");
    let cut = fs::read_to_string(&documents).unwrap();
    fs::write(&documents, &cut[..cut.len() - 5]).unwrap();
    dehusk(["dedup", &text(&documents), "--out", &text(&second)])
        .exits(2)
        .says(&[
            "documents.jsonl` has ",
            " bytes, but summary.json beside it says ",
        ]);
    let summary = fs::read_to_string(first.join("summary.json")).unwrap();
    fs::write(
        first.join("summary.json"),
        summary.replace("\"format_version\": 1", "\"format_version\": 99"),
    )
    .unwrap();
    dehusk(["dedup", &text(&documents), "--out", &text(&second)])
        .exits(2)
        .says(&["has format version 99", "with format version 1"]);
}

#[test]
fn one_wrong_line_in_the_middle_costs_one_line() {
    let mut lines = documents(400);
    lines.insert(200, "{\"id\": \"broken\", \"text\": ".to_owned());
    let dir = folder(&[("docs.jsonl", &(lines.join("\n") + "\n"))]);
    let out = dir.path().join("out");
    dehusk([
        "dedup",
        &text(&dir.path().join("docs.jsonl")),
        "--out",
        &text(&out),
    ])
    .exits(0)
    .says(&["401 documents read", "docs.jsonl: bad-json: line 201: column "]);
    counts_add_up(&out);
    assert_eq!(
        json(&out.join("summary.json"))["counts"]["dropped"]["bad-json"],
        1
    );
    assert_eq!(rows(&out.join("clusters.jsonl")).len(), 400);
}

#[test]
fn empty_and_short_documents_are_compared_exactly_or_not_at_all() {
    let lines = [
        json!({"id": "a", "text": "Two words"}),
        json!({"id": "b", "text": "two WORDS"}),
        json!({"id": "c", "text": " Two\nwords"}),
        json!({"id": "d", "text": "two other words"}),
        json!({"id": "e", "text": " ... "}),
        json!({"id": "f", "text": " \u{200B}\n"}),
        json!({"id": "g", "text": ""}),
    ];
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let dir = folder(&[]);
    let out = dir.path().join("out");
    dehusk_reading(["dedup", "-", "--out", &text(&out)], input.as_bytes()).exits(0);
    let told: Vec<String> = rows(&out.join("clusters.jsonl"))
        .iter()
        .map(|row| format!("{} {} {}", row["id"], row["cluster"], row["reason"]).replace('"', ""))
        .collect();
    assert_eq!(
        told,
        [
            "a a representative",
            "b a near-duplicate",
            "c a exact-duplicate",
            "d d short",
            "e e short",
            "f f empty",
            "g g empty"
        ]
    );
    counts_add_up(&out);
}

/// Texts that differ in what the profile `near` drops, in groups of the same words.
fn told_apart_by_symbols() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "rust1",
            "fn clamp(low: i64, x: i64, high: i64) -> i64 { if x < low { return low; } if x > high { return high; } x + 0 }",
        ),
        (
            "rust2",
            "fn clamp(low: i64, x: i64, high: i64) -> i64 { if x > low { return low; } if x < high { return high; } x - 0 }",
        ),
        (
            "sum",
            "total = 0\nfor k in range(3, n):\n    total += k ** 2\nprint(total / n, total % n, [total], -total)\n",
        ),
        (
            "product",
            "total = 0\nfor k in range(3, n):\n    total -= k // 2\nprint(total * n, total & n, (total), +total)\n",
        ),
        ("music1", "A♯ B C♯ D"),
        ("music2", "A♭ B C♭ D"),
        ("language1", "F#"),
        ("language2", "F*"),
        ("language3", "F"),
        ("price1", "+12,50 €"),
        ("price2", "-12.50 €"),
        ("price3", "12 50"),
        ("цена1", "Скидка: -30 %"),
        ("цена2", "Скидка: +30 %"),
        ("规格1", "尺寸：3×4"),
        ("规格2", "尺寸：3÷4"),
        ("superscript1", "x² y"),
        ("superscript2", "x₂ y"),
        ("table1", "| Δ | −1.5 | +2.5 | −3.5 |\n| ∇ | +1.5 | −2.5 | −3.5 |"),
        ("table2", "| Δ | +1.5 | +2.5 | −3.5 |\n| ∇ | −1.5 | −2.5 | +3.5 |"),
        ("formula1", "∀ x ∈ A: x ≤ y ∧ y < z ⇒ x < z"),
        ("formula2", "∀ x ∈ A: x ≥ y ∨ y > z ⇒ x > z"),
        ("arrow1", "-- >"),
        ("arrow2", "< --"),
    ]
}

fn lines_of(texts: &[(&str, &str)]) -> String {
    let line = |(id, text): &(&str, &str)| format!("{}\n", json!({"id": id, "text": text}));
    texts.iter().map(line).collect()
}

#[test]
fn symbols_tell_code_names_numbers_and_tables_apart() {
    let texts = told_apart_by_symbols();
    let dir = folder(&[]);
    let out = dir.path().join("out");
    let kept = |arguments: &[&str]| {
        let fixed = ["dedup", "-", "--out", &text(&out)];
        dehusk_reading(fixed.iter().chain(arguments), lines_of(&texts).as_bytes()).exits(0);
        counts_add_up(&out);
        let dropped = json(&out.join("summary.json"))["counts"]["dropped"].clone();
        assert_eq!(dropped["exact-duplicate"], json!(0), "{arguments:?}");
        rows(&out.join("kept.jsonl")).len()
    };
    // Only the superscript and the subscript are the same digit by `near` and `exact`.
    assert_eq!(kept(&[]), texts.len() - 1);
    assert_eq!(kept(&["--on-near", "keep"]), texts.len());
    assert_eq!(kept(&["--profile", "exact"]), texts.len() - 1);
    assert_eq!(kept(&["--profile", "canonical"]), texts.len());
    // Without the guard all of the same words are near-duplicates, and none is an exact one.
    let without_guard = kept(&["--symbol-share", "1"]);
    assert!(without_guard < texts.len() / 2 + 1, "{without_guard}");
    assert_eq!(
        kept(&["--symbol-share", "1", "--on-near", "keep"]),
        texts.len() - 2,
        "arrows are empty"
    );
}

#[test]
fn exact_duplicates_are_those_of_the_chosen_profile() {
    let prose = prose(7, 60);
    let texts = [
        ("a", prose.clone()),
        ("b", format!("\r\n{}\n", prose.replace(' ', "\n \t"))),
        ("c", prose.to_uppercase()),
        ("d", prose.replacen(' ', ", ", 3)),
        ("e", prose.to_uppercase()),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(id, text)| (*id, text.as_str())).collect();
    let dir = folder(&[]);
    let out = dir.path().join("out");
    let told = |arguments: &[&str]| {
        let fixed = ["dedup", "-", "--out", &text(&out)];
        dehusk_reading(fixed.iter().chain(arguments), lines_of(&texts).as_bytes()).exits(0);
        counts_add_up(&out);
        let row = |row: &serde_json::Value| {
            let reason = row["reason"].as_str().unwrap();
            format!("{} {reason} {}", row["id"].as_str().unwrap(), row["kept"])
        };
        let decisions: Vec<String> = rows(&out.join("clusters.jsonl")).iter().map(row).collect();
        let pair = |row: &serde_json::Value| {
            let names = ["a", "b", "method"].map(|name| row[name].as_str().unwrap());
            format!("{} {}", names.join(" "), row["similarity"])
        };
        let pairs: Vec<String> = rows(&out.join("pairs.jsonl")).iter().map(pair).collect();
        (decisions.join(", "), pairs.join(", "))
    };
    let (decisions, pairs) = told(&["--all-pairs"]);
    assert_eq!(
        decisions,
        "a representative true, b exact-duplicate false, c near-duplicate false, d near-duplicate false, e near-duplicate false"
    );
    assert_eq!(
        pairs,
        "a b exact 1.0, a c jaccard 1.0, a d jaccard 1.0, a e jaccard 1.0, b c jaccard 1.0, b d jaccard 1.0, b e jaccard 1.0, \
         c d jaccard 1.0, c e exact 1.0, d e jaccard 1.0"
    );
    let (decisions, _) = told(&["--on-near", "keep"]);
    assert_eq!(
        decisions,
        "a representative true, b exact-duplicate false, c near-duplicate true, d near-duplicate true, e exact-duplicate false"
    );
    let (decisions, _) = told(&["--on-exact", "keep"]);
    assert!(
        decisions.contains("b exact-duplicate true, c near-duplicate false"),
        "{decisions}"
    );
    let (decisions, _) = told(&["--exact-profile", "near"]);
    assert_eq!(
        decisions.matches("exact-duplicate false").count(),
        4,
        "{decisions}"
    );
    dehusk(["dedup", "-", "--exact-profile", "same", "--out", &text(&out)])
        .exits(2)
        .says(&["exact-profile", "known: none, canonical, exact, near, spaceless"]);
    dehusk(["dedup", "-", "--symbol-share", "1.5", "--out", &text(&out)])
        .exits(2)
        .says(&["symbol-share", "`1.5` is not a share from 0 to 1"]);
}

#[test]
fn methods_are_chosen_by_name() {
    let lines = documents(50).join("\n");
    let dir = folder(&[]);
    let out = text(&dir.path().join("out"));
    for arguments in [
        ["--signature", "shingles"].as_slice(),
        &["--signature", "minhash:width=64,family=universal", "--seed", "7"],
        &["--candidates", "brute-force", "--signature", "shingles"],
        &[
            "--similarity",
            "containment",
            "--cluster",
            "components",
            "--keep",
            "longest",
        ],
        &["--profile", "exact"],
        &[
            "--profile",
            "spaceless",
            "--unit",
            "char",
            "--shingle",
            "10",
            "--short-docs",
            "near",
        ],
    ] {
        let fixed = ["dedup", "-", "--out", &out];
        dehusk_reading(fixed.iter().chain(arguments), lines.as_bytes()).exits(0);
        counts_add_up(dir.path().join("out").as_path());
    }
}

/// A paragraph in the middle of an article, beside a hundred other articles: the pair says which one lies inside, in every form of file.
#[test]
fn a_text_inside_another_is_found_by_containment() {
    let article = prose(7, 600);
    let paragraph: Vec<&str> = article.split(' ').skip(250).take(80).collect();
    let paragraph = paragraph.join(" ");
    let line = |id: &str, text: &str| json!({"id": id, "text": text}).to_string() + "\n";
    let mut lines: Vec<String> = (0..100)
        .map(|n| line(&format!("other{n:03}"), &prose(1000 + n, 150)))
        .collect();
    lines.insert(30, line("article", &article));
    lines.insert(70, line("paragraph", &paragraph));
    let dir = folder(&[("docs.jsonl", &lines.concat())]);
    let input = text(&dir.path().join("docs.jsonl"));
    let mut all = Vec::new();
    for (name, more) in [
        ("default", &[][..]),
        ("files", &["--memory", "64MiB", "--threads", "2"]),
        ("join", &["--signature", "shingles", "--candidates", "exact-join"]),
        ("all", &["--candidates", "brute-force", "--threshold", "1"]),
    ] {
        let out = dir.path().join(name);
        let to = text(&out);
        let fixed = ["dedup", &input, "--similarity", "containment", "--tsv", "-o", &to];
        dehusk(fixed.iter().chain(more)).exits(0);
        counts_add_up(&out);
        assert_eq!(rows(&out.join("kept.jsonl")).len(), 101, "{name}");
        let pairs = rows(&out.join("pairs.jsonl"));
        assert_eq!(pairs.len(), 1, "{name}");
        assert_eq!(
            pairs[0],
            json!({
                "a": "article", "b": "paragraph", "similarity": 1.0, "method": "containment", "contained": "paragraph",
            }),
            "{name}"
        );
        let tsv = fs::read_to_string(out.join("pairs.tsv")).unwrap();
        assert_eq!(tsv, "article\tparagraph\t1\t1\tparagraph\n");
        all.push(contents(&out)["pairs.jsonl"].clone());
    }
    assert_eq!(all[0], all[1]);
}

#[test]
fn methods_that_miss_a_text_inside_another_are_refused_by_name() {
    let lines = documents(5).join("\n");
    let dir = folder(&[]);
    let out = text(&dir.path().join("out"));
    for (candidates, signature) in [
        ("lsh", "minhash"),
        ("broder", "mod-sketch"),
        ("exact-key", "supershingles"),
    ] {
        let arguments = [
            "dedup",
            "-",
            "--similarity",
            "containment",
            "--candidates",
            candidates,
            "--signature",
            signature,
            "--out",
            &out,
        ];
        let named = format!("`{candidates}`");
        dehusk_reading(arguments, lines.as_bytes()).exits(2).says(&[
            &named,
            "`containment`",
            "exact-join, containment, brute-force",
        ]);
        assert!(!dir.path().join("out").exists(), "{candidates}");
    }
}
