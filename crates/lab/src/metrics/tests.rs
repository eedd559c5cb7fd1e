#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dehusk_pipeline::dedup::Clusters;
use serde_json::Value;

use super::*;
use crate::random::Random;

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() < 5.1e-7,
        "{what}: {found} is not {expected}"
    );
}

fn example(name: &str) -> Value {
    let examples: Value =
        serde_json::from_str(include_str!("../../../../fixtures/worked-examples.json")).unwrap();
    let list = examples["examples"].as_array().unwrap();
    list.iter()
        .find(|example| example["name"] == name)
        .unwrap()
        .clone()
}

/// The labels of documents, from lists of members.
fn labels(groups: &Value) -> Vec<u32> {
    let mut labels = vec![0; 9];
    for (label, group) in (0..).zip(groups.as_array().unwrap()) {
        for member in group.as_array().unwrap() {
            labels[member.as_u64().unwrap() as usize] = label;
        }
    }
    labels
}

#[test]
fn scores_of_the_examples() {
    let example_metrics = example("cluster_metrics");
    let truth = labels(&example_metrics["input"]["truth"]);
    for name in ["center", "merge_center", "mixed"] {
        let found = labels(&example_metrics["input"][name]);
        let expected = &example_metrics["expected"][name];
        let clusters = Clusters::from_labels(&found);
        for scores in [
            partition(&found, &truth),
            overlapping(&clusters, &truth, 1000).unwrap(),
        ] {
            let h = scores.hassanzadeh;
            close(h.precision, &expected["Pr"], name);
            close(h.recall, &expected["Re"], name);
            close(h.f1, &expected["F1"], name);
            close(h.cpr, &expected["CPr"], name);
            close(h.pcpr, &expected["PCPr"], name);
            close(scores.pairs.precision, &expected["pair_precision"], name);
            close(scores.pairs.recall, &expected["pair_recall"], name);
            close(scores.pairs.f1, &expected["pair_F1"], name);
        }
    }
    let cubed = example("bcubed");
    let found = labels(&cubed["input"]["mixed"]);
    let scores = partition(&found, &truth).b_cubed.unwrap();
    for (place, found) in [scores.precision, scores.recall, scores.f1]
        .into_iter()
        .enumerate()
    {
        close(found, &cubed["expected"]["mixed"][place], "B-cubed");
    }
}

#[test]
fn documents_in_any_group_count() {
    // u1 to u5 are in true groups; u2, u3, u4 and u9 are in found groups.
    let truth = [0, 0, 1, 1, 1, 5, 6];
    let found = [0, 1, 1, 2, 4, 2, 6];
    let expected = &example("url_level_metrics")["expected"];
    let scores = url_level(&found, &truth);
    close(scores.precision, &expected["precision"], "precision");
    close(scores.recall, &expected["recall"], "recall");
    close(scores.f1, &expected["F"], "F");
}

/// The expected values were computed once with the reference program.
#[test]
fn scores_of_a_fixed_case() {
    let (found, truth) = random_case(40, 3);
    let scores = partition(&found, &truth);
    let cubed = scores.b_cubed.unwrap();
    let figures = [
        scores.pairs.precision,
        scores.pairs.recall,
        scores.ari.unwrap(),
        cubed.precision,
        cubed.recall,
        scores.hassanzadeh.precision,
        scores.hassanzadeh.recall,
        scores.hassanzadeh.cpr,
        scores.hassanzadeh.pcpr,
    ];
    let rounded: Vec<String> = figures.iter().map(|figure| format!("{figure:.6}")).collect();
    assert_eq!(rounded, FIXED);
}

/// The output of `cluster_scores` of the reference program for `random_case(40, 3)`.
const FIXED: [&str; 9] = [
    "0.765957", "0.521739", "0.591399", "0.833333", "0.675000", "0.877083", "0.775000", "0.696970",
    "0.532977",
];

/// A random partition, and a second one made by splitting and mixing its groups.
fn random_case(documents: usize, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut random = Random::new(seed, 0);
    let truth: Vec<u32> = (0..documents)
        .map(|_| random.below(documents / 3) as u32)
        .collect();
    let found = truth
        .iter()
        .map(|&label| match random.below(10) {
            0 => 1000 + random.below(documents) as u32,
            1 | 2 => label + 1,
            _ => label,
        })
        .collect();
    (found, truth)
}

/// The reference program. It lies next to the data sets, outside of the repository.
fn reference() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("DEHUSK_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("../eval/dedup");
    let program = "import sys; sys.path.insert(0, sys.argv[1]); import score";
    let works = folder.join("score.py").exists()
        && Command::new("python3")
            .args(["-c", program])
            .arg(&folder)
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
    assert!(
        works,
        "{} is not there, or python3 lacks numpy and scipy",
        folder.display()
    );
    folder
}

#[test]
#[ignore = "needs the reference program beside the development data, and python3 with numpy and scipy"]
fn scores_agree_with_the_reference_program() {
    let folder = reference();
    let program = "import sys, json; sys.path.insert(0, sys.argv[1]); import score, numpy as np\n\
                   for f, t in json.load(sys.stdin):\n    print(json.dumps(score.cluster_scores(np.array(f), np.array(t))))";
    let cases: Vec<_> = [(40, 3), (1, 1), (2, 5), (7, 9), (500, 4), (5000, 1), (5000, 2)]
        .into_iter()
        .map(|(documents, seed)| random_case(documents.max(3), seed))
        .collect();
    let mut child = Command::new("python3")
        .args(["-c", program])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    serde_json::to_writer(child.stdin.take().unwrap(), &cases).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), cases.len());
    for (line, (found, truth)) in lines.lines().zip(&cases) {
        let expected: Value = serde_json::from_str(line).unwrap();
        let scores = partition(found, truth);
        let cubed = scores.b_cubed.unwrap();
        let h = scores.hassanzadeh;
        close(scores.pairs.precision, &expected["pair"]["P"], "P");
        close(scores.pairs.recall, &expected["pair"]["R"], "R");
        close(scores.pairs.f1, &expected["pair"]["F1"], "F1");
        close(scores.ari.unwrap(), &expected["ARI"], "ARI");
        close(cubed.precision, &expected["B3"]["P"], "B3 P");
        close(cubed.recall, &expected["B3"]["R"], "B3 R");
        close(cubed.f1, &expected["B3"]["F1"], "B3 F1");
        close(h.precision, &expected["H"]["Pr"], "Pr");
        close(h.recall, &expected["H"]["Re"], "Re");
        close(h.f1, &expected["H"]["F1"], "F1");
        close(h.cpr, &expected["H"]["CPr"], "CPr");
        close(h.pcpr, &expected["H"]["PCPr"], "PCPr");
        assert_eq!(expected["clusters"], scores.clusters);
        assert_eq!(expected["true_clusters"], scores.groups);
    }
}

#[test]
fn overlaps_are_united_before_they_are_counted() {
    let clusters = Clusters::from_groups(vec![vec![0, 1, 2], vec![1, 2, 3], vec![4]]);
    let scores = overlapping(&clusters, &[0, 0, 0, 1, 1], 100).unwrap();
    // The found pairs are 01 02 12 13 23: three of five are right. 34 is missing.
    assert_eq!(scores.pairs, Prf::new(3.0, 5.0, 4.0));
    assert_eq!((scores.b_cubed, scores.ari), (None, None));
    assert_eq!(scores.urls, Prf::new(4.0, 4.0, 5.0));
    assert_eq!(overlapping(&clusters, &[0; 5], 5), None);
}

#[test]
fn nothing_found_and_nothing_to_find() {
    assert_eq!(
        Prf::new(0.0, 0.0, 5.0),
        Prf {
            precision: 1.0,
            recall: 0.0,
            f1: 0.0
        }
    );
    assert_eq!(partition(&[], &[]).pairs.f1, 1.0);
    let alone = partition(&[0, 1, 2], &[0, 1, 2]);
    assert_eq!(
        (alone.pairs.f1, alone.ari, alone.hassanzadeh.cpr),
        (1.0, Some(1.0), 1.0)
    );
}

#[test]
fn intervals_hold_the_score_and_shrink_with_more_groups() {
    let tally = |right, all| Tally {
        right,
        wrong: 0.2,
        all,
    };
    let groups = |count: u32| -> Vec<(u32, Tally)> {
        (0..count)
            .map(|group| (group, tally(f64::from(group % 3), 3.0)))
            .collect()
    };
    let score = Prf::new(100.0, 120.0, 300.0);
    let wide = Bootstrap::new(&groups(100), 1000, 1).f1();
    let narrow = Bootstrap::new(&groups(10_000), 1000, 1).f1();
    assert!(wide.low < score.f1 && score.f1 < wide.high, "{wide:?} {score:?}");
    let ratio = (wide.high - wide.low) / (narrow.high - narrow.low);
    assert!((7.0..14.0).contains(&ratio), "{ratio}");
    // In the second result every group has more pairs found. On paired replicates the difference is significant.
    let better: Vec<_> = groups(100)
        .into_iter()
        .map(|(group, t)| (group, tally(t.right + 0.2, t.all)))
        .collect();
    let (difference, p) = Bootstrap::new(&better, 1000, 1).difference(&Bootstrap::new(&groups(100), 1000, 1));
    assert!(difference.low > 0.0 && p <= 0.001, "{difference:?} {p}");
    let same = Bootstrap::new(&better, 1000, 1);
    assert_eq!(same.difference(&same).1, 1.0);
}
