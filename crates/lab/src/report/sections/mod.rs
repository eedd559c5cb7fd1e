//! The sections of the page, in order.

mod bit_signatures;
mod clusters;
mod errors;
mod languages;
mod leaderboard;
mod recall;
mod settings;
mod views;

use dehusk_pipeline::markup::Html;

use crate::compare::{Results, View};

/// A section of the page.
pub(super) struct Section {
    /// The anchor: the id of the element.
    pub(super) id: &'static str,
    /// The heading.
    pub(super) title: &'static str,
    /// One or two sentences on what the section shows.
    pub(super) note: &'static str,
    /// Writes the contents.
    pub(super) write: fn(&mut Html, &Results, &View),
}

/// All sections, in order.
pub(super) static ALL: &[Section] = &[
    Section {
        id: "leaderboard",
        title: "Leaderboard",
        note: "Methods by F1 over pairs of documents. Alone: documents with an equal key, an estimate at or above the threshold, or \
               few different bits are duplicates. Verified: candidates by signatures, kept if Jaccard of their shingles reaches the \
               threshold. Bars hold the score with 95 %, by bootstrap over true groups; p says how likely chance alone puts a row \
               level with the first. Best F1 is that of the best threshold of its curve, or the best distance.",
        write: leaderboard::table,
    },
    Section {
        id: "precision-recall",
        title: "Precision and recall",
        note: "A point for each row, by its rank in the leaderboard. The line is exact search by shingles at all thresholds.",
        write: leaderboard::plot,
    },
    Section {
        id: "texts",
        title: "What cleaning does",
        note: "F1 over pairs of the same methods on the same pages: their whole text, their extracted text, and the text by templates \
               learnt from their sites.",
        write: views::table,
    },
    Section {
        id: "recall",
        title: "Recall by similarity",
        note: "Share of the true pairs that each row finds, by the Jaccard similarity of their shingles. An empty cell has no true pair.",
        write: recall::table,
    },
    Section {
        id: "languages",
        title: "Languages",
        note: "Precision and recall over the pairs of each language that the truth names, of the rows with the best F1. A wrong pair of \
               documents in two languages counts half in each.",
        write: languages::table,
    },
    Section {
        id: "banding",
        title: "S-curves of banding",
        note: "Share of pairs that become candidates by MinHash in bands: lines by the formula 1 − (1 − s^r)^b, points as measured on all \
               pairs of different texts that are at least as similar as the lowest threshold.",
        write: recall::bandings,
    },
    Section {
        id: "clusterings",
        title: "Clusterings of the same edges",
        note: "Every clustering on exactly the pairs at or above the threshold. Pr, Re, F1, CPr and PCPr are the measures of Hassanzadeh \
               et al. (2009). Clusters of star, ricochet-cr, ricochet-ocr and articulation may overlap.",
        write: clusters::table,
    },
    Section {
        id: "sizes",
        title: "Sizes of clusters",
        note: "Number of clusters by size, on a logarithmic axis; columns for 1, 2, 3 to 4, 5 to 8 documents and so on.",
        write: clusters::sizes,
    },
    Section {
        id: "fingerprints",
        title: "Fingerprints",
        note: "How many of 64 bits differ: of random pairs, and of duplicates. A good fingerprint keeps the two apart, and sets every bit \
               in half of the documents.",
        write: bit_signatures::all,
    },
    Section {
        id: "cost",
        title: "Cost and quality",
        note: "Processor time of signing and searching per document, without the work that all rows share, beside F1 over pairs.",
        write: leaderboard::costs,
    },
    Section {
        id: "errors",
        title: "Hardest errors",
        note: "Texts as methods see them. Marked words stand in one of the two only.",
        write: errors::all,
    },
    Section {
        id: "settings",
        title: "Settings",
        note: "What decides these figures beside the documents and the truth.",
        write: settings::table,
    },
];
