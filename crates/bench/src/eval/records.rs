//! `cargo xtask eval --records`: scores of clusterings of records with known groups.
//!
//! Records are compared by sets of character trigrams, with all pairs at or above a threshold of Jaccard
//! similarity. A clustering is scored by the pairs of records that it puts together. If it is a partition, it
//! is also scored by B-cubed (Hassanzadeh, Chiang, Lee, Miller, PVLDB 2009; Bagga, Baldwin 1998).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dehusk_html::narrow;
use dehusk_lab::metrics::{Prf, overlapping, partition};
use dehusk_pipeline::dedup::{Clusters, Deduper, Family, Shingler, VerifiedPairs, candidates, cluster, sign};
use serde::Deserialize;

use crate::data;
use crate::result::Result;

/// Thresholds at which clusterings are scored.
const THRESHOLDS: [f64; 6] = [0.3, 0.4, 0.5, 0.55, 0.6, 0.7];

/// Clusterings with a non-default parameter, as (name, parameter, value), in addition to all clusterings
/// with defaults.
const VARIANTS: [(&str, &str, &str); 6] = [
    ("components", "max_size", "30"),
    ("center", "by", "average"),
    ("merge-center", "by", "average"),
    ("merge-center", "max_size", "30"),
    ("star", "by", "average"),
    ("star", "overlap", "false"),
];

/// Records, and the number of the group of each.
struct Records {
    name: String,
    texts: Vec<String>,
    groups: Vec<u32>,
}

#[derive(Deserialize)]
struct Record {
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct Truth {
    id: String,
    group: serde_json::Value,
}

impl Records {
    /// Reads `NAME.jsonl`, and `NAME.truth.jsonl` next to it.
    fn read(path: &Path) -> Result<Self> {
        let records: Vec<Record> = lines(path)?;
        let truth: Vec<Truth> = lines(&path.with_extension("truth.jsonl"))?;
        let of: BTreeMap<&str, String> = truth
            .iter()
            .map(|row| (row.id.as_str(), row.group.to_string()))
            .collect();
        let mut numbers = BTreeMap::new();
        let mut groups = Vec::with_capacity(records.len());
        // Groups may have any JSON value as name. They are numbered in the order of their first record.
        for record in &records {
            let group = of
                .get(record.id.as_str())
                .ok_or_else(|| format!("{}: no group of `{}`", path.display(), record.id))?;
            let next = narrow::to_u32(numbers.len());
            groups.push(*numbers.entry(group).or_insert(next));
        }
        Ok(Self {
            name: path
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
            texts: records.iter().map(|record| words(&record.text)).collect(),
            groups,
        })
    }

    /// Returns the number of pairs of records in the same group.
    fn pairs(&self) -> u64 {
        let mut sizes = BTreeMap::new();
        for group in &self.groups {
            *sizes.entry(group).or_insert(0_u64) += 1;
        }
        sizes.values().map(|size| size * (size - 1) / 2).sum()
    }
}

/// Reads a file of JSON lines. Empty lines are skipped.
fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let rows = text.lines().filter(|line| !line.is_empty());
    rows.map(|line| serde_json::from_str(line).map_err(|e| format!("{}: {e}", path.display()).into()))
        .collect()
}

/// Returns the runs of letters, digits and underscores in lower case, separated by one space.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// The scores of one result.
struct Score {
    pairs: Prf,
    b_cubed: Option<f64>,
}

impl Score {
    /// Scores pairs as they are, without clusters.
    fn of_pairs(records: &Records, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let (mut right, mut found) = (0.0, 0.0);
        for (a, b) in pairs {
            found += 1.0;
            right += f64::from(u8::from(records.groups[a as usize] == records.groups[b as usize]));
        }
        Self {
            pairs: Prf::new(right, found, records.pairs() as f64),
            b_cubed: None,
        }
    }

    /// Scores clusters. Records in no cluster are clusters of their own.
    fn of_clusters(records: &Records, clusters: &Clusters, overlap: bool) -> Self {
        let scores = if overlap {
            // Without a limit on pairs, there is always a result.
            overlapping(clusters, &records.groups, u64::MAX).unwrap_or_default()
        } else {
            // Each record is its own cluster at first; members of a cluster then get the number of its
            // first member.
            let mut labels: Vec<u32> = (0..).take(records.groups.len()).collect();
            for members in clusters.iter() {
                for &member in members {
                    labels[member as usize] = members[0];
                }
            }
            partition(&labels, &records.groups)
        };
        Self {
            pairs: scores.pairs,
            b_cubed: scores.b_cubed.map(|b_cubed| b_cubed.f1),
        }
    }
}

/// Returns the verified pairs of the records: all pairs at or above the threshold, found by an exact join.
fn verified(
    records: &Records,
    threshold: f64,
    clustering: std::sync::Arc<dyn cluster::Clustering>,
) -> Result<VerifiedPairs> {
    let options = dehusk_pipeline::dedup::Options::default()
        .with_shingler(Shingler::chars(3).with_padding(true))
        .with_signature(<dyn sign::Method>::named("shingles")?)
        .with_candidates(<dyn candidates::Candidates>::named("exact-join")?)
        .with_clustering(clustering)
        .with_threshold(threshold)
        .with_min_tokens(1);
    let mut deduper = Deduper::new(options)?;
    for text in &records.texts {
        deduper.add_joined(text)?;
    }
    Ok(deduper.verified_pairs()?)
}

/// Prints the scores for one set of records.
fn show(records: &Records) -> Result<()> {
    println!(
        "\n{}: {} records, {} groups, {} pairs; F1 of pairs (B-cubed F1) by threshold, and P / R of the best",
        records.name,
        records.texts.len(),
        records.groups.iter().max().map_or(0, |most| most + 1),
        records.pairs()
    );
    print!("{:28}", "");
    for threshold in THRESHOLDS {
        print!("{threshold:>14}");
    }
    println!("{:>22}", "best");
    let mut clusterings = Vec::new();
    for clustering in cluster::ALL {
        clusterings.push((clustering.name().to_owned(), clustering.shared()));
    }
    for (name, parameter, value) in VARIANTS {
        let clustering = <dyn cluster::Clustering>::named(name)?.set(parameter, value)?;
        clusterings.push((format!("{name}:{parameter}={value}"), clustering));
    }
    // The pairs themselves need no clustering, but the options do; `components` is as good as any.
    let pairs = |threshold| -> Result<Score> {
        let verified = verified(
            records,
            threshold,
            <dyn cluster::Clustering>::named("components")?,
        )?;
        Ok(Score::of_pairs(
            records,
            verified.cluster(&()).all_pairs().map(|pair| (pair.a, pair.b)),
        ))
    };
    row(
        "pairs alone",
        &THRESHOLDS.map(pairs).into_iter().collect::<Result<Vec<_>>>()?,
    );
    for (name, clustering) in clusterings {
        let score = |threshold| -> Result<Score> {
            // The clusters of the clustering itself, without the choice of documents to keep.
            let clusters = verified(records, threshold, clustering.clone())?.clusters();
            Ok(Score::of_clusters(records, &clusters, clustering.overlaps()))
        };
        row(
            &name,
            &THRESHOLDS.map(score).into_iter().collect::<Result<Vec<_>>>()?,
        );
    }
    Ok(())
}

/// Prints a row of F1 by threshold, and the threshold with the best F1 of pairs.
fn row(name: &str, scores: &[Score]) {
    print!("{name:28}");
    for Score { pairs, b_cubed } in scores {
        match b_cubed {
            Some(b_cubed) => print!("  {:.4} ({b_cubed:.2})", pairs.f1),
            None => print!("  {:.4}       ", pairs.f1),
        }
    }
    let pairs = THRESHOLDS.iter().zip(scores.iter().map(|score| score.pairs));
    if let Some((threshold, best)) = pairs.max_by(|a, b| a.1.f1.total_cmp(&b.1.f1)) {
        print!(
            "  {threshold:>4}: {:.4} {:.2}/{:.2}",
            best.f1, best.precision, best.recall
        );
    }
    println!();
}

/// Scores clusterings on `files`, or on the labelled records of the development data.
pub(super) fn run(files: &[PathBuf]) -> Result<()> {
    let mut paths = files.to_vec();
    if paths.is_empty() {
        let Some(folder) = data::present("scores of clusterings", data::folder("records")) else {
            return Ok(());
        };
        for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl")
                && path.with_extension("truth.jsonl").is_file()
            {
                paths.push(path);
            }
        }
        paths.sort_unstable();
    }
    for path in paths {
        show(&Records::read(&path)?)?;
    }
    Ok(())
}
