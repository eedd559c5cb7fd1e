use super::count_axis::CountScale;
use super::histogram::{Column, Histogram, Marker, Tick, draw};
use super::strip::{step_bar, strip};
use crate::write::report::markup::Html;

fn drawn(counts: &[u64], scale: CountScale) -> String {
    let mut html = Html::default();
    let columns = counts
        .iter()
        .map(|count| Column {
            count: *count,
            tip: format!("{count} <pages>"),
        })
        .collect();
    let ticks = vec![Tick {
        at: 0.0,
        text: "0%".to_owned(),
    }];
    let marker = Some(Marker {
        at: 0.5,
        text: "median",
    });
    let label = "Pages";
    draw(
        &mut html,
        &Histogram {
            label,
            counted: "pages",
            across: "share",
            scale,
            fill: 0.9,
            columns,
            ticks,
            marker,
        },
    );
    html.finish()
}

/// Values of an attribute, without their unit.
fn lengths(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
    svg.split('<')
        .filter(|tag| tag.starts_with(element))
        .filter_map(|tag| tag.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next())
        .map(|value| value.trim_end_matches('%').parse().unwrap())
        .collect()
}

#[test]
fn columns_stand_on_the_base_line_and_keep_to_the_frame() {
    for scale in [CountScale::Linear, CountScale::Log] {
        for counts in [&[0, 1, 7, 3][..], &[u64::MAX, 1], &[0], &[], &[5; 200]] {
            let svg = drawn(counts, scale);
            let bars: Vec<&str> = svg
                .lines()
                .filter(|line| line.contains("class=\"bar\""))
                .collect();
            assert_eq!(bars.len(), counts.iter().filter(|count| **count > 0).count());
            for bar in bars {
                let get = |name| lengths(bar, "rect", name)[0];
                assert!(get("height") > 0.0 && get("y") >= 0.0, "{bar}");
                assert!((get("y") + get("height") - 196.0).abs() < 0.11, "{bar}");
                assert!(get("x") >= 9.0 && get("x") + get("width") <= 97.6, "{bar}");
            }
        }
    }
}

#[test]
fn tips_are_escaped() {
    assert!(drawn(&[1], CountScale::Linear).contains("<title>1 &lt;pages&gt;</title>"));
}

#[test]
fn small_bars_can_be_seen_and_stay_inside() {
    for (left, taken) in [
        (1.0, 0.0),
        (0.999_999, 0.000_001),
        (0.0, 1.0),
        (0.0, 1e-9),
        (f64::NAN, f64::NAN),
    ] {
        let mut html = Html::default();
        step_bar(&mut html, left, taken, false);
        let svg = html.finish();
        for (x, width) in lengths(&svg, "rect", "x")
            .into_iter()
            .zip(lengths(&svg, "rect", "width"))
        {
            assert!(width >= 0.5 && x >= 0.0 && x + width <= 100.01, "{svg}");
        }
    }
    let mut html = Html::default();
    strip(&mut html, 0.8, [0.8, 0.9, 1.0, 7.0, -1.0, f64::NAN].into_iter());
    let places = lengths(&html.finish(), "circle", "cx");
    assert_eq!(places, [4.0, 50.0, 96.0, 96.0, 4.0]);
}
