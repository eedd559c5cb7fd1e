//! Scores of held-out probabilities: the F1 of the lines that they select.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use dehusk_pipeline::extract::training;
use serde_json::json;

use super::pages::Labelled;
use crate::eval::metrics;
use crate::result::Result;

/// Bin edges of the table of confidence.
const EDGES: [f64; 8] = [0.2, 0.35, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98];
const BINS: usize = EDGES.len() + 1;

/// A rule that selects lines by their probabilities and numbers of tokens.
type Way = fn(&[f32], &[u32]) -> Vec<bool>;

/// The rules; the first is that of the program.
const WAYS: [(&str, Way); 4] = [
    ("default", training::select),
    (".5", |chances, _| training::at_least(chances, 0.5)),
    (".4", |chances, _| training::at_least(chances, 0.4)),
    ("f1", |chances, tokens| {
        training::at_least(chances, training::best_threshold(chances, tokens))
    }),
];

/// Prints the mean F1 of each set and group for each rule, and the mean over the sets. Returns the mean F1
/// of each set and group for the first rule. F1 is by the longest common subsequence of words, or for pages
/// that are labelled only by strings, by these.
pub(super) fn judge(pages: &[&Labelled], odds: &[f32], save: Option<&Path>) -> Result<BTreeMap<String, f64>> {
    let mut curve = [(0.0, 0.0, 0_u32); BINS];
    let mut scores: BTreeMap<String, Vec<Vec<f64>>> = BTreeMap::new();
    // Three counts of pages: without selected lines, without selected lines and with an empty label, and
    // with an empty label.
    let mut empty = [0_usize; 3];
    let mut saved: BTreeMap<&str, BufWriter<File>> = BTreeMap::new();
    for page in pages {
        let chances = &odds[page.rows.clone()];
        let mut values = Vec::new();
        for (k, (_, way)) in WAYS.into_iter().enumerate() {
            // The program decides all lines of a page together, so a rule gets the whole page.
            let kept = way(chances, &page.tokens);
            let lines = page
                .lines
                .iter()
                .zip(&kept)
                .filter(|(_, kept)| **kept)
                .map(|(line, _)| line.as_str());
            let text = lines.collect::<Vec<_>>().join("\n");
            if k == 0
                && let Some(folder) = save
            {
                if !saved.contains_key(page.set.as_str()) {
                    std::fs::create_dir_all(folder)?;
                    let file = File::create(folder.join(format!("{}.jsonl", page.set)))?;
                    saved.insert(&page.set, BufWriter::new(file));
                }
                if let Some(file) = saved.get_mut(page.set.as_str()) {
                    writeln!(file, "{}", json!({"id": page.id, "text": text}))?;
                }
            }
            let value = metrics::score(&page.doc, &text).page_f1();
            if k == 0 {
                let (said, right) = (
                    text.is_empty(),
                    page.doc.gold.is_empty() && page.doc.with.is_empty(),
                );
                for (count, holds) in empty.iter_mut().zip([said, said && right, right]) {
                    *count += usize::from(holds);
                }
                // Compared with the real F1 below: a calibration curve of the stated confidence.
                let stated = training::confidence(chances, &page.tokens, &kept);
                let bin = EDGES.iter().take_while(|&&edge| stated >= edge).count();
                let (sum, real, count) = &mut curve[bin];
                (*sum, *real, *count) = (*sum + stated, *real + value, *count + 1);
            }
            values.push(value);
        }
        // A page counts for its set and for its group. Names of groups contain `/`, names of sets do not.
        for group in [page.set.clone(), format!("{}/{}", page.set, page.group)] {
            scores.entry(group).or_default().push(values.clone());
        }
    }
    println!(
        "{:32} {:>6} {} {:>12}",
        "held out",
        "pages",
        WAYS.map(|w| format!("{:>9}", w.0)).concat(),
        "worst tenth"
    );
    let mean = |values: &[Vec<f64>], k: usize| values.iter().map(|v| v[k]).sum::<f64>() / values.len() as f64;
    let worst_tenth = |values: &[Vec<f64>]| {
        let mut first: Vec<f64> = values.iter().map(|v| v[0]).collect();
        first.sort_by(f64::total_cmp);
        first.truncate(values.len().div_ceil(10));
        first.iter().sum::<f64>() / first.len() as f64
    };
    // Fewer than ten pages say little about a group.
    for (group, values) in scores.iter().filter(|(_, v)| v.len() >= 10) {
        let means: String = (0..WAYS.len())
            .map(|k| format!("{:9.3}", mean(values, k)))
            .collect();
        println!(
            "{group:32} {:6} {means} {:12.3}",
            values.len(),
            worst_tenth(values)
        );
    }
    println!("{:32} {:>6} {:>9}", "confidence stated", "pages", "F1");
    for (sum, real, count) in curve.into_iter().filter(|c| c.2 > 0) {
        let n = f64::from(count);
        println!("{:<32.3} {count:6} {:9.3}", sum / n, real / n);
    }
    let [said, right, all] = empty;
    println!("no main text: said of {said} pages, {right} of them without any; {all} pages are");
    let of_sets: Vec<f64> = scores
        .iter()
        // Each set counts once, whatever its number of pages.
        .filter(|(group, _)| !group.contains('/'))
        .map(|(_, values)| mean(values, 0))
        .collect();
    println!(
        "mean over {} sets: {:.4}",
        of_sets.len(),
        of_sets.iter().sum::<f64>() / of_sets.len().max(1) as f64
    );
    let first = scores.into_iter().map(|(group, values)| {
        let f1 = mean(&values, 0);
        (group, f1)
    });
    Ok(first.collect())
}
