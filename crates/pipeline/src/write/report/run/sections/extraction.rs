//! The share of each page that was kept, and properties of the documents.

use super::section::{Section, breakdown, columns, figure, nothing, paragraph, total};
use crate::write::report::chart::count_axis::CountScale;
use crate::write::report::chart::histogram::{self, Column, Histogram, Marker, Tick};
use crate::write::report::markup::Html;
use crate::write::report::number::{count, counted, share};
use crate::write::report::run::data::{Count, ReportData};
use crate::write::report::run::descriptions;

pub(super) static SECTION: Section = Section {
    id: "extraction",
    short: "Extraction",
    title: "How much of a page is its text",
    shown: |data| !data.only_passages,
    note,
    body,
};

fn note(html: &mut Html, data: &ReportData) {
    if let Some(median) = Median::of(&data.kept_share) {
        paragraph(
            html,
            "The share of its characters that a page keeps, without menus, banners and the like.",
        );
        paragraph(
            html,
            format!(
                "Half of the pages keep less than the median, which lies between {} and {}.",
                percent(median.bin, data.kept_share.len()),
                percent(median.bin + 1, data.kept_share.len())
            ),
        );
    }
}

fn body(html: &mut Html, data: &ReportData) {
    kept_share(html, &data.kept_share);
    if [&data.methods, &data.languages, &data.charsets]
        .iter()
        .all(|rows| rows.is_empty())
    {
        return;
    }
    let whole = |rows| total(rows).max(1);
    html.within("div", &[("class", &"multiples two")], |html| {
        html.within("div", &[], |html| {
            let names = ["Method", "#Pages"];
            list(
                html,
                "Extractors that answered",
                names,
                &data.methods,
                whole(&data.methods),
                |_| "",
            );
            let names = ["Charset", "#Pages"];
            list(
                html,
                "Charsets",
                names,
                &data.charsets,
                whole(&data.charsets),
                |_| "",
            );
        });
        html.within("div", &[], |html| {
            let names = ["Language", "#Documents"];
            list(
                html,
                "Languages",
                names,
                &data.languages,
                whole(&data.languages),
                descriptions::language,
            );
        });
    });
}

/// Writes a table of names, or a note if it is empty.
fn list(
    html: &mut Html,
    caption: &'static str,
    names: [&'static str; 2],
    rows: &[Count],
    whole: u64,
    meaning: fn(&str) -> &'static str,
) {
    if rows.is_empty() {
        html.element("h3", &[], caption);
        nothing(html, "None.");
    } else {
        breakdown(html, caption, names, rows, whole, meaning);
    }
}

/// The median of a histogram.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Median {
    /// Index of its bin.
    bin: usize,
    /// Its position in bins from the left, interpolated within its bin.
    at: f64,
}

impl Median {
    /// The median; `None` if all bins are empty.
    fn of(bins: &[u64]) -> Option<Median> {
        let pages: u128 = bins.iter().copied().map(u128::from).sum();
        let half = pages as f64 / 2.0;
        let mut before = 0_u128;
        for (bin, pages) in bins.iter().copied().enumerate() {
            let after = before + u128::from(pages);
            // The first bin at which at least half of the pages are counted. Empty bins are skipped, so the
            // division below is safe.
            if pages > 0 && after as f64 >= half {
                return Some(Median {
                    bin,
                    at: bin as f64 + (half - before as f64) / pages as f64,
                });
            }
            before = after;
        }
        None
    }
}

/// The edge of a bin in percent.
fn percent(edge: usize, bins: usize) -> String {
    format!("{}%", edge * 100 / bins.max(1))
}

/// Draws the pages by kept share, with the median marked.
fn kept_share(html: &mut Html, bins: &[u64]) {
    let Some(median) = Median::of(bins) else {
        nothing(html, "No page has any text.");
        return;
    };
    let pages = bins.iter().fold(0, |sum: u64, n| sum.saturating_add(*n));
    let class = |i: usize| format!("{} to {}", percent(i, bins.len()), percent(i + 1, bins.len()));
    let label = format!(
        "Histogram of the kept share of {}; the median lies between {}.",
        counted(pages, "page", "pages"),
        class(median.bin).replace(" to ", " and ")
    );
    let columns_of_pages = bins.iter().enumerate().map(|(i, n)| Column {
        count: *n,
        tip: format!(
            "{} of characters kept: {} ({})",
            class(i),
            counted(*n, "page", "pages"),
            share(*n, pages)
        ),
    });
    let histogram = Histogram {
        label: &label,
        counted: "pages",
        across: "characters kept",
        scale: CountScale::Linear,
        fill: 0.9,
        columns: columns_of_pages.collect(),
        ticks: (0..=5)
            .map(|i| Tick {
                at: bins.len() as f64 * f64::from(i) / 5.0,
                text: format!("{}%", i * 20),
            })
            .collect(),
        marker: Some(Marker {
            at: median.at,
            text: "median",
        }),
    };
    html.within("figure", &[], |html| {
        html.element(
            "figcaption",
            &[],
            "Pages by the share of their characters that was kept",
        );
        histogram::draw(html, &histogram);
        html.within("details", &[("class", &"table")], |html| {
            html.element("summary", &[], "The figures of this chart");
            html.within("table", &[], |html| {
                html.element("caption", &[], "Pages by kept share");
                columns(html, &["Kept share", "#Pages", "#Share of pages"]);
                html.within("tbody", &[], |html| {
                    for (i, n) in bins.iter().enumerate() {
                        html.within("tr", &[], |html| {
                            html.element("th", &[("scope", &"row")], class(i));
                            figure(html, count(*n));
                            figure(html, share(*n, pages));
                        });
                    }
                });
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_where_half_of_the_pages_are() {
        let at = |bins: &[u64]| Median::of(bins).map(|median| (median.bin, median.at));
        assert_eq!(at(&[]), None);
        assert_eq!(at(&[0, 0]), None);
        assert_eq!(at(&[0, 1]), Some((1, 1.5)));
        assert_eq!(at(&[3, 0, 0, 1]), Some((0, 2.0 / 3.0)));
        assert_eq!(at(&[1, 0, 1]), Some((0, 1.0)));
        assert_eq!(
            at(&[u64::MAX, u64::MAX, u64::MAX]).map(|median| median.0),
            Some(1)
        );
    }
}
