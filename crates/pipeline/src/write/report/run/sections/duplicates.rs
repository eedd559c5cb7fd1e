//! Clusters: their sizes, and the members of the largest.

use super::page;
use super::section::{ID_CHARS, Section, columns, figure, nothing, paragraph};
use crate::write::report::chart::count_axis::CountScale;
use crate::write::report::chart::histogram::{self, Column, Histogram, Tick};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{compact, count, counted, unit};
use crate::write::report::run::data::{ClusterRow, MemberRow, ReportData, SimilarityBin, SizeBin};

pub(super) static SECTION: Section = Section {
    id: "duplicates",
    short: "Duplicates",
    title: "Documents that say the same",
    shown: |data| !data.only_passages,
    note,
    body,
};

/// Maximum number of tick labels that fit below the axis of a narrow chart.
const TICKS: usize = 10;
/// Maximum number of characters of a title in the summary line of a cluster.
const HEAD_CHARS: usize = 120;

fn note(html: &mut Html, data: &ReportData) {
    if data.counts.clusters == 0 {
        return;
    }
    paragraph(
        html,
        format!(
            "{} and more, held together by {} of near-duplicates and by identical texts.",
            counted(
                data.counts.clusters,
                "cluster of two documents",
                "clusters of two documents"
            ),
            counted(data.counts.pairs, "pair", "pairs")
        ),
    );
    paragraph(
        html,
        "Classes of sizes double, and heights grow by powers of ten: one cluster of a hundred is as plain to see as a hundred pairs.",
    );
}

fn body(html: &mut Html, data: &ReportData) {
    if data.cluster_sizes.iter().all(|bin| bin.clusters == 0) {
        nothing(html, "No documents were compared.");
        return;
    }
    html.within("figure", &[], |html| sizes(html, &data.cluster_sizes));
    if !data.deleted.is_empty() {
        html.within("figure", &[], |html| deleted(html, data));
    }
    html.element("h3", &[], "The largest clusters");
    if data.largest_clusters.is_empty() {
        nothing(
            html,
            "No clusters: no two documents are duplicates of each other.",
        );
    } else {
        largest(html, &data.largest_clusters);
    }
}

/// Writes the histograms of clusters and of their documents by size, and their figures.
fn sizes(html: &mut Html, bins: &[SizeBin]) {
    html.element(
        "figcaption",
        &[],
        "Clusters by their size; a document without duplicates is a cluster of one",
    );
    html.within("div", &[("class", &"multiples two")], |html| {
        let clusters: Vec<u64> = bins.iter().map(|bin| bin.clusters).collect();
        panel(
            html,
            bins,
            "Histogram of clusters by size, both on logarithmic scales",
            "clusters",
            &clusters,
        );
        let documents: Vec<u64> = bins.iter().map(|bin| bin.documents).collect();
        panel(
            html,
            bins,
            "Histogram of documents by the size of their cluster, both on logarithmic scales",
            "documents in them",
            &documents,
        );
    });
    html.within("details", &[("class", &"table")], |html| {
        html.element("summary", &[], "The figures of these charts");
        html.within("table", &[], |html| {
            html.element("caption", &[], "Clusters by size");
            columns(
                html,
                &["Documents in a cluster", "#Clusters", "#Documents in them"],
            );
            html.within("tbody", &[], |html| {
                for bin in bins {
                    html.within("tr", &[], |html| {
                        html.element("th", &[("scope", &"row")], class(bin));
                        figure(html, count(bin.clusters));
                        figure(html, count(bin.documents));
                    });
                }
            });
        });
    });
}

/// The sizes of a bin in words.
fn class(bin: &SizeBin) -> String {
    if bin.from == bin.to {
        count(bin.from)
    } else {
        format!("{} to {}", count(bin.from), count(bin.to))
    }
}

/// Draws a histogram over the bins of sizes.
fn panel(html: &mut Html, bins: &[SizeBin], label: &str, counted_as: &'static str, counts: &[u64]) {
    let tip = |bin: &SizeBin| {
        let size = if bin.to == 1 {
            "Alone".to_owned()
        } else {
            format!("{} documents", class(bin))
        };
        let clusters = counted(bin.clusters, "cluster", "clusters");
        format!(
            "{size}: {clusters}, {}",
            counted(bin.documents, "document in all", "documents in all")
        )
    };
    // Every bin has a column, but only some have a label.
    let step = bins.len().div_ceil(TICKS).max(1);
    let histogram = Histogram {
        label,
        counted: counted_as,
        across: "size of cluster, up to",
        scale: CountScale::Log,
        fill: 0.72,
        columns: bins
            .iter()
            .zip(counts)
            .map(|(bin, n)| Column {
                count: *n,
                tip: tip(bin),
            })
            .collect(),
        ticks: bins
            .iter()
            .enumerate()
            .step_by(step)
            .map(|(i, bin)| Tick {
                at: i as f64 + 0.5,
                text: if bin.to < 10_000 {
                    count(bin.to)
                } else {
                    compact(bin.to)
                },
            })
            .collect(),
        marker: None,
    };
    html.within("div", &[], |html| histogram::draw(html, &histogram));
}

/// Draws removed near-duplicates by their similarity to the documents that are kept for them.
fn deleted(html: &mut Html, data: &ReportData) {
    let below = data.deleted_below_threshold;
    let caption = match below {
        0 => "Deleted near-duplicates by their similarity to the document that stays for them".to_owned(),
        _ => format!(
            "Deleted near-duplicates by their similarity to the document that stays for them; {} below the threshold to every document \
             that stays, as `--delete transitive` was asked for",
            counted(below, "document is", "documents are")
        ),
    };
    html.element("figcaption", &[], caption);
    let step = |bin: &SimilarityBin| format!("{} to {}", unit(bin.from, 2), unit(bin.to, 2));
    // Every step has a column, but only some have a label.
    let every = data.deleted.len().div_ceil(TICKS).max(1);
    let histogram = Histogram {
        label: "Histogram of deleted near-duplicates by similarity to the document that stays for them",
        counted: "documents",
        across: "similarity, from",
        scale: CountScale::Log,
        fill: 0.72,
        columns: data
            .deleted
            .iter()
            .map(|bin| Column {
                count: bin.documents,
                tip: format!(
                    "{}: {}",
                    step(bin),
                    counted(bin.documents, "document", "documents")
                ),
            })
            .collect(),
        ticks: data
            .deleted
            .iter()
            .enumerate()
            .step_by(every)
            .map(|(place, bin)| Tick {
                at: place as f64,
                text: unit(bin.from, 2),
            })
            .collect(),
        marker: None,
    };
    histogram::draw(html, &histogram);
    html.within("details", &[("class", &"table")], |html| {
        html.element("summary", &[], "The figures of this chart");
        html.within("table", &[], |html| {
            html.element("caption", &[], "Deleted near-duplicates by similarity");
            columns(html, &["Similarity", "#Documents"]);
            html.within("tbody", &[], |html| {
                for bin in &data.deleted {
                    html.within("tr", &[], |html| {
                        html.element("th", &[("scope", &"row")], step(bin));
                        figure(html, count(bin.documents));
                    });
                }
            });
        });
    });
}

/// Writes the largest clusters, folded.
fn largest(html: &mut Html, clusters: &[ClusterRow]) {
    let similarities = |cluster: &ClusterRow| -> Vec<f64> {
        let dropped = cluster
            .members
            .iter()
            .filter(|member| member.reason != "representative");
        dropped
            .filter_map(|member| member.similarity)
            .filter(|s| s.is_finite())
            .collect()
    };
    // All strips share one scale, so that clusters can be compared. It begins at the smallest similarity
    // shown, rounded down to a tenth.
    let least = clusters.iter().flat_map(similarities).fold(1.0, f64::min);
    let from = ((least * 10.0).floor() / 10.0).clamp(0.0, 0.9);
    paragraph(
        html,
        format!(
            "Each is named by its representative. Dots are its other documents, placed by their similarity to the \
             representative: {from:.1} on the left, 1 on the right."
        ),
    );
    html.within("ol", &[("class", &"clusters")], |html| {
        for (i, cluster) in clusters.iter().enumerate() {
            html.within("li", &[], |html| {
                html.within("details", &[], |html| {
                    html.within("summary", &[], |html| {
                        summary(html, i + 1, cluster, from, &similarities(cluster));
                    });
                    members(html, cluster, from);
                });
            });
        }
    });
}

/// Writes the line of a folded cluster.
fn summary(html: &mut Html, rank: usize, cluster: &ClusterRow, from: f64, similarities: &[f64]) {
    html.element("span", &[("class", &"rank")], rank);
    html.text(" ");
    let title = cluster.members.first().and_then(|member| member.title.as_deref());
    page::title_of(html, title, HEAD_CHARS);
    html.text(" ");
    html.element(
        "span",
        &[("class", &"size")],
        counted(cluster.size, "document", "documents"),
    );
    html.text(" ");
    html.within("span", &[("class", &"strip")], |html| {
        strip::strip(html, from, similarities.iter().copied());
    });
    html.text(" ");
    let low = similarities.iter().copied().reduce(f64::min);
    let high = similarities.iter().copied().reduce(f64::max);
    // Equal figures after rounding are written once.
    let range = match (low, high) {
        (Some(low), Some(high)) if unit(low, 2) == unit(high, 2) => unit(low, 2),
        (Some(low), Some(high)) => format!("{} to {}", unit(low, 2), unit(high, 2)),
        _ => "not compared".to_owned(),
    };
    html.element("span", &[("class", &"range")], range);
}

/// Writes the table of the members of a cluster.
fn members(html: &mut Html, cluster: &ClusterRow, from: f64) {
    html.within("table", &[("class", &"members")], |html| {
        html.within("caption", &[], |html| {
            html.text("Cluster ");
            html.exact(&cluster.id, ID_CHARS);
            let shown = cluster.members.len() as u64;
            if shown < cluster.size {
                html.text(format!(
                    ": the first {} of {}",
                    count(shown),
                    counted(cluster.size, "document", "documents")
                ));
            }
        });
        columns(html, &["#Similarity", "", "Document", "Outcome"]);
        html.within("tbody", &[], |html| {
            for member in &cluster.members {
                html.within("tr", &[], |html| row(html, member, from));
            }
        });
    });
}

/// Writes the cells of a member.
fn row(html: &mut Html, member: &MemberRow, from: f64) {
    match member.similarity {
        Some(similarity) => figure(html, unit(similarity, 3)),
        None => html.element(
            "td",
            &[
                ("class", &"number"),
                ("title", &"Not compared with the representative"),
            ],
            "–",
        ),
    }
    super::section::drawing(html, |html| {
        if let Some(similarity) = member.similarity {
            strip::strip(html, from, std::iter::once(similarity));
        }
    });
    html.within("th", &[("scope", &"row")], |html| {
        page::name(html, member.title.as_deref(), member.url.as_deref(), &member.id);
    });
    html.within("td", &[("class", &"outcome")], |html| {
        let (class, outcome) = if member.kept {
            ("kept", "kept")
        } else {
            ("dropped", "dropped")
        };
        html.element("strong", &[("class", &class)], outcome);
        html.text(" ");
        html.exact(&member.reason, ID_CHARS);
    });
}
