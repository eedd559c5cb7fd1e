//! Recall by similarity, and the S-curves of banding.

use dehusk_pipeline::chart::{Mark, Plot, Scale};
use dehusk_pipeline::dedup::recall_at;
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use crate::compare::{BandingFacts, Results, View};
use crate::report::cells::{brief, framed};

/// Number of segments of a drawn curve.
const STEPS: u32 = 100;

/// The style class of a share. 0 has a class of its own, other shares are in five steps.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the fraction is dropped: a shade begins at a whole number"
)]
fn shade(share: f64) -> &'static str {
    const SHADES: [&str; 6] = ["q0", "q1", "q2", "q3", "q4", "q5"];
    let place = if share <= 0.0 {
        0
    } else {
        1 + (share * 4.999) as usize
    };
    SHADES[place.min(5)]
}

/// Writes the recall of each row by similarity. Ranges without true pairs are left out.
#[expect(clippy::cast_possible_truncation, reason = "numbers of pairs are whole")]
pub(super) fn table(html: &mut Html, _: &Results, view: &View) {
    let used: Vec<usize> = (0..view.similarity.len())
        .filter(|&place| view.similarity[place].pairs > 0.0)
        .collect();
    if used.is_empty() {
        html.element("p", &[("class", &"nothing")], "There are no true pairs.");
        return;
    }
    framed(html, "heat", |html| {
        html.within("thead", &[], |html| {
            html.within("tr", &[], |html| {
                html.element("th", &[("scope", &"col")], "from");
                for &place in &used {
                    let from = format!("{:.2}", view.similarity[place].from);
                    html.element("th", &[("scope", &"col")], from.trim_start_matches('0'));
                }
            });
            html.within("tr", &[], |html| {
                html.element("th", &[("scope", &"row")], "pairs");
                for &place in &used {
                    html.element("th", &[], count(view.similarity[place].pairs as u64));
                }
            });
        });
        html.within("tbody", &[], |html| {
            for row in &view.rows {
                html.within("tr", &[], |html| {
                    html.within("th", &[("scope", &"row")], |html| {
                        html.prose(&row.name, 60);
                        html.element(
                            "span",
                            &[("class", &"soft")],
                            format_args!(", {}", row.mode.name()),
                        );
                    });
                    for &place in &used {
                        match row.recall_by_similarity.get(place).copied().flatten() {
                            Some(recall) => {
                                // Only a recall of 1 is shown as 100.
                                let most = if recall < 1.0 { 99.0 } else { 100.0 };
                                let text = format!("{:.0}", (recall * 100.0).round().min(most));
                                html.element("td", &[("class", &shade(recall))], text);
                            }
                            None => html.element("td", &[], ""),
                        }
                    }
                });
            }
        });
    });
}

/// Draws the share of candidates by similarity, as measured and by the formula.
pub(super) fn bandings(html: &mut Html, results: &Results, view: &View) {
    let threshold = results
        .settings
        .iter()
        .find(|(name, _)| name == "threshold")
        .and_then(|(_, value)| value.parse::<f64>().ok());
    let mut marks = Vec::new();
    for (number, banding) in view.bandings.iter().enumerate() {
        let (line, dot) = if number == 0 {
            ("line-b", "dot-b")
        } else {
            ("line-a", "dot-a")
        };
        marks.push(Mark::Line {
            class: line,
            points: (0..=STEPS)
                .map(|step| f64::from(step) / f64::from(STEPS))
                .map(|s| (s, recall_at(s, banding.bands, banding.rows)))
                .collect(),
        });
        for (place, &(pairs, measured, formula)) in
            banding.bins.iter().enumerate().filter(|(_, bin)| bin.0 > 0)
        {
            let from = place as f64 / 20.0;
            marks.push(Mark::Dot {
                class: dot,
                // The middle of the range of 0.05.
                at: ((from + 0.025).min(1.0), measured),
                label: String::new(),
                tip: format!(
                    "{} x {} from {from:.2}: {} of {} pairs, formula {}",
                    banding.bands,
                    banding.rows,
                    brief(measured),
                    count(pairs),
                    brief(formula)
                ),
            });
        }
    }
    if let Some(at) = threshold {
        let label = "threshold".to_owned();
        marks.push(Mark::Upright { at, label });
    }
    html.within("figure", &[("class", &"wide")], |html| {
        Plot {
            label: "Share of pairs that become candidates, over similarity",
            across: "Jaccard similarity",
            up: "share that becomes candidates",
            x: Scale::Linear(0.0, 1.0),
            y: Scale::Linear(0.0, 1.0),
            marks,
            ticks: Vec::new(),
            small: false,
        }
        .draw(html);
        html.within("ul", &[("class", &"key")], |html| {
            for (number, banding) in view.bandings.iter().enumerate() {
                let class = if number == 0 { "d" } else { "a" };
                html.element("li", &[("class", &class)], name(banding));
            }
        });
    });
    for banding in &view.bandings {
        html.element(
            "p",
            &[("class", &"note")],
            format_args!(
                "{}: {} of {} pairs of different texts were compared, {} %.",
                name(banding),
                count(banding.candidates),
                count(banding.all),
                brief(100.0 * banding.candidates as f64 / banding.all.max(1) as f64)
            ),
        );
    }
}

/// Name of a banding in the legend.
fn name(banding: &BandingFacts) -> String {
    let chosen = if banding.chosen {
        ", chosen by the threshold"
    } else {
        ", as in the lecture"
    };
    format!("{} bands of {}{chosen}", banding.bands, banding.rows)
}
