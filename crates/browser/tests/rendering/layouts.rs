//! Tests of measured layouts: positions of texts and boxes.

use std::fs;

use dehusk_browser::{Assets, Browser, Chromium, PageSource};
use serde_json::Value;

use crate::{PLAIN, render, settings};

/// Returns the place of the text at a number: left, top, width, height, lines, style, flags.
fn text(layout: &Value, number: usize) -> Vec<i64> {
    let row = layout["texts"][number].as_array().unwrap();
    row.iter().skip(2).map(|value| value.as_i64().unwrap()).collect()
}

#[test]
fn texts_and_boxes_have_their_places() {
    let Some(settings) = settings() else { return };
    let mut browser = Chromium::new(settings).unwrap();
    let html = "<!doctype html><style>body{margin:0} div{position:absolute;left:100px;top:50px;width:200px;font:20px/30px sans-serif;\
        background:#eee} b{display:none} i{position:fixed;top:0}</style>\
        <div>one<br>two<b>hidden</b><p style='text-indent:-9999px'>away</div><i>fixed</i><noscript><p>no</noscript>";
    let layout = render(&mut browser, html).unwrap().layout;
    let rows = layout["texts"].as_array().unwrap();
    // The style sheet, which is not drawn, has a text as well.
    let drawn: Vec<usize> = (0..rows.len())
        .filter(|&i| text(&layout, i)[6] & 1 == 0)
        .collect();
    assert_eq!(drawn.len(), 3, "{layout}");
    let [one, two, fixed] = [0, 1, 2].map(|i| text(&layout, drawn[i]));
    assert_eq!((one[0], two[0] > 0, two[1] - one[1]), (100, true, 30));
    assert_eq!(fixed[6], 2);
    let style = &layout["styles"][one[5] as usize];
    assert_eq!(
        (style["size"].as_f64(), &style["background"]),
        (Some(20.0), &"rgb(238, 238, 238)".into())
    );
    let boxes = layout["boxes"].as_array().unwrap();
    let div = |row: &&Value| row[1] == 100 && row[2] == 50 && row[3] == 200;
    assert!(boxes.iter().any(|row| div(&row)), "{layout}");
    // With scripts on, the content of `noscript` is text and adds no elements.
    assert_eq!(layout["elements"], 10);
    assert_eq!(layout["viewport"], serde_json::json!([1280, 800]));
}

#[test]
fn assets_decide_the_layout_and_what_is_missing_is_told() {
    let Some(settings) = settings() else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("page.example/a")).unwrap();
    fs::write(folder.path().join("page.example/a/s.css"), "p{margin-left:300px}").unwrap();
    let html = format!("<link rel=stylesheet href=s.css><img src=none.png>{PLAIN}");
    let page = PageSource {
        url: "https://page.example/a/b.html",
        html: &html,
    };
    let assets = Assets::open(&[folder.path().to_owned()]).unwrap();
    let mut browser = Chromium::new(settings).unwrap();
    let rendered = browser.render(&page, &assets).unwrap().unwrap();
    assert_eq!((rendered.answered, rendered.missing), (1, 1));
    assert_eq!(rendered.missing_urls, ["https://page.example/a/none.png"]);
    let rows = rendered.layout["texts"].as_array().unwrap();
    assert!(rows.iter().any(|row| row[2] == 308), "{rows:?}");
}

#[test]
fn equal_pages_have_equal_layouts_in_every_browser() {
    let Some(settings) = settings() else { return };
    let mut browser = Chromium::new(settings).unwrap();
    let first = render(&mut browser, PLAIN).unwrap().layout;
    assert_eq!(render(&mut browser, PLAIN).unwrap().layout, first);
    browser.stop();
    assert_eq!(render(&mut browser, PLAIN).unwrap().layout, first);
    assert_eq!(browser.started(), 2);
}

#[test]
fn a_page_that_scripts_build_is_written_down_as_it_was_built() {
    let Some(mut settings) = settings() else { return };
    settings.scripts = true;
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("page.example/a")).unwrap();
    fs::write(
        folder.path().join("page.example/a/data.json"),
        r#"{"text":"The river rose overnight."}"#,
    )
    .unwrap();
    let html = "<!doctype html><style id=s></style><main></main><script>\
        document.getElementById('s').sheet.insertRule('main{margin-left:400px}');\
        setTimeout(() => fetch('data.json').then((r) => r.json()).then((d) => {\
            document.querySelector('main').innerHTML = '<h1>Rivers</h1><p>' + d.text; }), 2000);\
        for (let i = 0; i < 5; i += 1) alert(i);</script>";
    let page = PageSource {
        url: "http://page.example/a/b.html",
        html,
    };
    let assets = Assets::open(&[folder.path().to_owned()]).unwrap();
    let mut browser = Chromium::new(settings).unwrap();
    let rendered = browser.render(&page, &assets).unwrap().unwrap();
    let built = rendered.html.unwrap();
    assert!(
        built.starts_with("<!DOCTYPE html>") && built.contains("<p>The river rose overnight.</p>"),
        "{built}"
    );
    assert!(built.contains("margin-left: 400px"), "{built}");
    let rows = rendered.layout["texts"].as_array().unwrap();
    assert!(rows.iter().any(|row| row[2] == 408), "{rows:?}");
}
