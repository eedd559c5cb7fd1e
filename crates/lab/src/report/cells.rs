//! Figures and the cells of tables that hold them.

use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

/// A score with three decimals, rounded down, so that 0.9996 is not shown as 1. Infinite values and NaN are shown as a
/// dash.
pub(super) fn figure(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    format!("{:.3}", (value * 1000.0 + 1e-9).floor() / 1000.0)
}

/// A number with two or three significant digits.
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

/// The head of a table: the names of columns, and whether they hold numbers.
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
