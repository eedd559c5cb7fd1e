//! 64-bit signatures, called fingerprints on the page: distances, balance of bits, groups, length windows.

use dehusk_pipeline::chart::{Mark, Plot, Scale};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use super::clusters::histogram;
use crate::compare::{BitSignatures, Results, View};
use crate::report::cells::{brief, framed, heads, number};

/// Writes the section.
pub(super) fn all(html: &mut Html, _: &Results, view: &View) {
    if view.bit_signatures.is_empty() {
        html.element("p", &[("class", &"nothing")], "No method makes fingerprints.");
        return;
    }
    html.element("h3", &[], "Distances, on a logarithmic axis");
    html.within("div", &[("class", &"multiples")], |html| {
        for kind in &view.bit_signatures {
            html.within("figure", &[], |html| {
                html.element("figcaption", &[], &kind.method);
                distances(html, kind);
            });
        }
    });
    html.within("ul", &[("class", &"key")], |html| {
        html.element("li", &[("class", &"b")], "random pairs");
        html.element("li", &[("class", &"a")], "duplicates");
    });
    html.element(
        "h3",
        &[],
        "Share of documents in which each bit is set, from the lowest bit",
    );
    html.within("div", &[("class", &"multiples")], |html| {
        for kind in &view.bit_signatures {
            html.within("figure", &[], |html| {
                html.element("figcaption", &[], &kind.method);
                Plot {
                    label: &format!("Share of documents in which each bit is set: {}", kind.method),
                    across: "bit",
                    up: "share set",
                    x: Scale::Linear(0.0, 64.0),
                    y: Scale::Linear(0.0, 1.0),
                    marks: vec![
                        Mark::Columns {
                            class: "bar",
                            heights: kind.balance.clone(),
                        },
                        // A bit without bias is set in half of the signatures.
                        Mark::Line {
                            class: "line-b",
                            points: vec![(0.0, 0.5), (64.0, 0.5)],
                        },
                    ],
                    ticks: [0, 16, 32, 48, 64]
                        .map(|bit| (f64::from(bit), bit.to_string()))
                        .to_vec(),
                    small: true,
                }
                .draw(html);
            });
        }
    });
    groups(html, view);
    html.element("h3", &[], "Comparisons that a window of lengths leaves");
    framed(html, "", |html| {
        heads(
            html,
            &[
                ("Lengths differ by at most", false),
                ("Pairs", true),
                ("Of all", true),
                ("%", true),
            ],
        );
        html.within("tbody", &[], |html| {
            for window in &view.windows {
                html.within("tr", &[], |html| {
                    html.element(
                        "th",
                        &[("scope", &"row")],
                        format_args!("{:.0} %", 100.0 * window.tolerance),
                    );
                    number(html, count(window.pairs));
                    number(html, count(window.all));
                    number(
                        html,
                        brief(100.0 * window.pairs as f64 / window.all.max(1) as f64),
                    );
                });
            }
        });
    });
}

/// Draws the distances of random and of true pairs.
fn distances(html: &mut Html, kind: &BitSignatures) {
    let line = |counts: &[u64], class| {
        let all = counts.iter().sum::<u64>().max(1) as f64;
        Mark::Line {
            class,
            // A logarithmic axis cannot show 0.
            points: counts
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > 0)
                .map(|(distance, &count)| (distance as f64, count as f64 / all))
                .collect(),
        }
    };
    Plot {
        label: &format!("Share of pairs by number of different bits: {}", kind.method),
        across: "different bits",
        up: "share of pairs",
        x: Scale::Linear(0.0, 64.0),
        y: Scale::Log(1e-6, 1.0),
        marks: vec![line(&kind.random, "line-b"), line(&kind.duplicates, "line-a")],
        ticks: [0, 16, 32, 48, 64]
            .map(|bits| (f64::from(bits), bits.to_string()))
            .to_vec(),
        small: true,
    }
    .draw(html);
}

/// Writes the groups at each distance, as histograms and as a table.
fn groups(html: &mut Html, view: &View) {
    if view.bit_signatures.iter().all(|kind| kind.groups.is_empty()) {
        return;
    }
    html.element("h3", &[], "Groups by greedy degree, within 20 % of length");
    html.within("div", &[("class", &"multiples")], |html| {
        for kind in &view.bit_signatures {
            for groups in &kind.groups {
                let name = format!("{}, up to {} bits", kind.method, groups.distance);
                histogram(html, &name, &groups.sizes);
            }
        }
    });
    framed(html, "", |html| {
        heads(
            html,
            &[
                ("Fingerprint", false),
                ("Bits", true),
                ("Pairs", true),
                ("Groups", true),
                ("Largest groups: documents, main document", false),
            ],
        );
        html.within("tbody", &[], |html| {
            for kind in &view.bit_signatures {
                for groups in &kind.groups {
                    html.within("tr", &[], |html| {
                        html.element("th", &[("scope", &"row")], &kind.method);
                        number(html, groups.distance);
                        number(html, count(groups.pairs));
                        number(html, count(groups.groups));
                        html.within("td", &[], |html| {
                            for (place, (size, id)) in groups.largest.iter().enumerate() {
                                if place > 0 {
                                    html.text(", ");
                                }
                                html.text(format_args!("{} ", count(*size)));
                                html.exact(id, 60);
                            }
                        });
                    });
                }
            }
        });
    });
}
