//! Numbers as text, and the cells of tables.

use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::{count, unit};

/// A score with three decimals, rounded. Only 1 itself is shown as 1. Infinite values and NaN become a
/// dash.
pub(super) fn figure(value: f64) -> String {
    match value {
        v if (0.0..=1.0).contains(&v) => unit(v, 3),
        v if v.is_finite() => format!("{v:.3}"),
        _ => "–".to_owned(),
    }
}

/// A number with two or three significant digits.
#[expect(clippy::cast_possible_truncation, reason = "a number for people, rounded")]
pub(super) fn brief(value: f64) -> String {
    match value {
        v if !v.is_finite() => "–".to_owned(),
        v if v >= 100.0 => count(v.round() as u64),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 0.1 => format!("{v:.2}"),
        0.0 => "0".to_owned(),
        v if v >= 0.001 => format!("{v:.3}"),
        v => format!("{v:.1e}"),
    }
}

/// A cell with a figure.
pub(super) fn number(html: &mut Html, text: impl std::fmt::Display) {
    html.element("td", &[("class", &"number")], text);
}

/// The head of a table: the names of columns, and whether they have numbers.
pub(super) fn heads(html: &mut Html, columns: &[(&str, bool)]) {
    html.within("thead", &[], |html| {
        html.within("tr", &[], |html| {
            for (name, figures) in columns {
                let class = if *figures { "number" } else { "" };
                html.element("th", &[("class", &class), ("scope", &"col")], name);
            }
        });
    });
}

/// A table in a frame that scrolls if the table is too wide.
pub(super) fn framed(html: &mut Html, class: &'static str, body: impl FnOnce(&mut Html)) {
    html.within("div", &[("class", &"scroll")], |html| {
        html.within("table", &[("class", &class)], body);
    });
}
