//! Scores, deletions and sizes of clusterings.

use dehusk_pipeline::chart::{Mark, Plot, Scale};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use crate::compare::{ClusteringRow, Results, View};
use crate::report::cells::{brief, figure, framed, heads, number};

/// The rows of each threshold, in the order of thresholds. Rows of a threshold are adjacent.
fn by_threshold(view: &View) -> impl Iterator<Item = &[ClusteringRow]> {
    view.clusterings
        .chunk_by(|a, b| a.threshold.to_bits() == b.threshold.to_bits())
}

/// F1 of Hassanzadeh et al.; -1 for a clustering that was not scored.
fn f1(row: &ClusteringRow) -> f64 {
    row.scores.map_or(-1.0, |scores| scores.hassanzadeh.f1)
}

/// Writes the scores of all clusterings.
pub(super) fn table(html: &mut Html, results: &Results, view: &View) {
    let thresholds: Vec<&[ClusteringRow]> = by_threshold(view).collect();
    let Some(first) = thresholds.first() else {
        html.element("p", &[("class", &"nothing")], "No clustering was compared.");
        return;
    };
    html.element("h3", &[], "F1 of Hassanzadeh et al. by threshold");
    framed(html, "", |html| {
        let labels: Vec<String> = thresholds
            .iter()
            .map(|rows| format!("{}", rows[0].threshold))
            .collect();
        let mut columns = vec![("Clustering", false)];
        columns.extend(labels.iter().map(|label| (label.as_str(), true)));
        heads(html, &columns);
        html.within("tbody", &[], |html| {
            for (place, row) in first.iter().enumerate() {
                html.within("tr", &[], |html| {
                    html.element("th", &[("scope", &"row")], &row.name);
                    for rows in &thresholds {
                        // Several clusterings may be equally good; all of them are marked.
                        let best = rows.iter().map(f1).fold(-1.0, f64::max);
                        let Some(own) = rows.get(place) else { continue };
                        let text = if f1(own) < 0.0 {
                            "–".to_owned()
                        } else {
                            figure(f1(own))
                        };
                        html.within("td", &[("class", &"number")], |html| {
                            if f1(own) >= best - 1e-12 {
                                html.element("strong", &[], text);
                            } else {
                                html.text(text);
                            }
                        });
                    }
                });
            }
        });
    });
    let Some(rows) = chosen(results, view) else { return };
    html.element("h3", &[], format_args!("All scores at {}", rows[0].threshold));
    framed(html, "", |html| {
        let columns = [
            ("Clustering", false),
            ("Pr", true),
            ("Re", true),
            ("F1", true),
            ("CPr", true),
            ("PCPr", true),
            ("Pairs P", true),
            ("R", true),
            ("F1", true),
            ("B-cubed F1", true),
            ("ARI", true),
            ("Clusters", true),
            ("Largest", true),
            ("ms", true),
        ];
        heads(html, &columns);
        html.within("tbody", &[], |html| {
            for row in rows {
                html.within("tr", &[], |html| scores(html, row));
            }
        });
    });
    html.element(
        "p",
        &[("class", &"note")],
        format_args!("{} edges between different texts.", count(rows[0].edges)),
    );
    deletions(html, rows);
}

/// Writes the losses if one document of each cluster is kept.
fn deletions(html: &mut Html, rows: &[ClusteringRow]) {
    html.element(
        "h3",
        &[],
        format_args!("If one document of each cluster stays, at {}", rows[0].threshold),
    );
    framed(html, "", |html| {
        let columns = [
            ("Clustering", false),
            ("Pairs P", true),
            ("R", true),
            ("Kept", true),
            ("Deleted", true),
            ("Like none that stays", true),
            ("Share", true),
            ("Pairs that stay", true),
        ];
        heads(html, &columns);
        html.within("tbody", &[], |html| {
            for row in rows {
                let deletion = &row.deletion;
                html.within("tr", &[], |html| {
                    html.element("th", &[("scope", &"row")], &row.name);
                    let pairs = row.scores.map(|scores| scores.pairs);
                    for value in [
                        pairs.map(|pairs| pairs.precision),
                        pairs.map(|pairs| pairs.recall),
                    ] {
                        number(html, value.map_or_else(|| "–".to_owned(), figure));
                    }
                    number(html, count(deletion.kept));
                    number(html, count(deletion.deleted));
                    number(html, count(deletion.uncovered));
                    number(html, figure(deletion.uncovered_share()));
                    number(html, count(deletion.kept_pairs));
                });
            }
        });
    });
    html.element(
        "p",
        &[("class", &"note")],
        "Deleted documents that are like none that stays are lost: below the threshold to every document that is left. Pairs that stay are \
         duplicates that are left over. By default the documents of `cover` stay, whatever the clustering; `--delete transitive` leaves one \
         document of each cluster.",
    );
    html.within("div", &[("class", &"multiples")], |html| {
        for row in rows {
            by_similarity(html, row);
        }
    });
}

/// Draws the deleted documents by their similarity to the kept ones.
fn by_similarity(html: &mut Html, row: &ClusteringRow) {
    let steps = &row.deletion.by_similarity;
    let most = steps.iter().copied().max().unwrap_or(1) as f64;
    let width = 1.0 / steps.len().max(1) as f64;
    html.within("figure", &[], |html| {
        html.element("figcaption", &[], &row.name);
        Plot {
            label: &format!(
                "Deleted documents by their similarity to what stays: {}",
                row.name
            ),
            across: "similarity, 0: below the threshold",
            up: "deleted",
            x: Scale::Linear(0.0, steps.len() as f64),
            y: Scale::log([0.5, most].into_iter()),
            marks: vec![Mark::Columns {
                class: "bar",
                heights: steps.iter().map(|&documents| documents as f64).collect(),
            }],
            ticks: (0..=steps.len())
                .step_by(4)
                .map(|step| (step as f64, format!("{:.1}", step as f64 * width)))
                .collect(),
            small: true,
        }
        .draw(html);
    });
}

/// Writes the scores of a clustering at the main threshold.
fn scores(html: &mut Html, row: &ClusteringRow) {
    html.element("th", &[("scope", &"row")], &row.name);
    let Some(scores) = &row.scores else {
        html.element(
            "td",
            &[("class", &"soft"), ("colspan", &"10")],
            "its clusters hold too many pairs to be counted",
        );
        number(html, "");
        number(html, count(row.largest));
        number(html, "");
        return;
    };
    let h = &scores.hassanzadeh;
    for value in [h.precision, h.recall, h.f1, h.cpr, h.pcpr] {
        number(html, figure(value));
    }
    for value in [scores.pairs.precision, scores.pairs.recall, scores.pairs.f1] {
        number(html, figure(value));
    }
    number(
        html,
        scores
            .b_cubed
            .map_or_else(|| "–".to_owned(), |cubed| figure(cubed.f1)),
    );
    number(html, scores.ari.map_or_else(|| "–".to_owned(), figure));
    number(html, count(scores.clusters));
    number(html, count(row.largest));
    number(
        html,
        row.cost
            .map_or_else(String::new, |cost| brief(1000.0 * cost.seconds)),
    );
}

/// The rows at the threshold of the comparison; `None` without rows.
fn chosen<'v>(results: &Results, view: &'v View) -> Option<&'v [ClusteringRow]> {
    let (_, value) = results.settings.iter().find(|(name, _)| name == "threshold")?;
    let threshold: f64 = value.parse().ok()?;
    by_threshold(view).find(|rows| (rows[0].threshold - threshold).abs() < 1e-9)
}

/// Draws the sizes of the true groups and of all clusterings.
pub(super) fn sizes(html: &mut Html, results: &Results, view: &View) {
    html.within("div", &[("class", &"multiples")], |html| {
        histogram(html, "the truth", &view.set.sizes);
        for row in chosen(results, view).unwrap_or_default() {
            histogram(html, &row.name, &row.sizes);
        }
    });
}

/// Draws the number of groups by size class, on a logarithmic axis.
pub(super) fn histogram(html: &mut Html, name: &str, sizes: &[u64]) {
    let most = sizes.iter().copied().max().unwrap_or(1) as f64;
    // At least eight classes, so that few bars are not drawn too wide.
    let classes = sizes.len().max(8);
    // At most seven classes are labelled.
    let every = classes / 7 + 1;
    let ticks = (0..classes)
        .filter(|class| class % every == 0)
        .map(|class| (class as f64 + 0.5, (1_u64 << class.min(63)).to_string()))
        .collect();
    html.within("figure", &[], |html| {
        html.element("figcaption", &[], name);
        Plot {
            label: &format!("Clusters by size: {name}"),
            across: "documents, at most",
            up: "clusters",
            x: Scale::Linear(0.0, classes as f64),
            y: Scale::log([0.5, most].into_iter()),
            marks: vec![Mark::Columns {
                class: "bar",
                heights: sizes.iter().map(|&size| size as f64).collect(),
            }],
            ticks,
            small: true,
        }
        .draw(html);
    });
}
