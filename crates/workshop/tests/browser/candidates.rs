//! A person sees the two candidates for the main text of an unsure layout, takes one, and saves it.

use std::fs;

use dehusk_pipeline::Settings;
use dehusk_pipeline::dedup::SplitMix64;
use dehusk_pipeline::extract::site::{Sample, Template};
use dehusk_pipeline::extract::{Options, Page};
use dehusk_pipeline::site::Store;
use fantoccini::Client;
use serde_json::json;

use super::{click, driver, skipped, told, until, visit, wait};

/// Number of pages of a crawl.
const PAGES: u64 = 6;

fn url(page: u64) -> String {
    format!("https://valley.example/story/{page}")
}

/// A sentence of invented words.
fn sentence(random: &mut SplitMix64, words: u64) -> String {
    const WORDS: &[&str] = &[
        "river", "valley", "meadow", "harbor", "council", "winter", "bridge", "miller", "garden", "stone",
        "orchard", "rose", "fell", "opened", "carried", "found", "kept", "moved", "stayed", "turned",
    ];
    let words: Vec<&str> = (0..words)
        .map(|_| WORDS[(random.number() % WORDS.len() as u64) as usize])
        .collect();
    format!("The {}.", words.join(" "))
}

/// A story with notes of readers, which may be its main text or not: nothing but their number decides.
fn page(crawl: u64, page: u64) -> String {
    let mut random = SplitMix64::new(crawl * 1000 + page);
    let mut text = |sentences: u64| -> String {
        let sentences = (0..sentences).map(|_| {
            let words = 7 + random.number() % 8;
            sentence(&mut random, words)
        });
        sentences.collect::<Vec<_>>().join(" ")
    };
    let (title, first) = (text(1), text(3));
    let more: String = (0..(crawl + page) % 3)
        .map(|_| format!("<p>{}</p>", text(3)))
        .collect();
    let notes: String = (0..(crawl + 2 * page) % 6)
        .map(|i| {
            format!(
                "<div class=note><b>Reader {i}</b> <p>{}</p></div>",
                text(1 + i % 2)
            )
        })
        .collect();
    format!(
        "<!DOCTYPE html><html><head><title>Story {page}</title></head><body><div class=top><a href=/>Front page</a> <a href=/news>News of \
         the valley</a> <a href=/about>About us</a></div><div class=page><div class=story><h1>{title}</h1><p>{first}</p>{more}</div><div \
         class=notes><h3>Notes of the readers</h3>{notes}</div></div><div class=foot>Printed in the valley since 1903</div></body></html>"
    )
}

/// The template of a crawl.
fn learn(crawl: u64) -> Template {
    let sample = |number: u64| {
        let (html, url) = (page(crawl, number), url(number));
        Sample::new(&Page::decoded(&html).with_url(Some(&url)), &Options::default())
    };
    let samples: Vec<Sample> = (0..PAGES).map(sample).collect();
    Template::learn(&samples.iter().collect::<Vec<_>>())
}

#[test]
fn a_person_takes_one_of_two_candidates() {
    let Some((_driver, driver)) = driver() else {
        return skipped("there is no chromedriver");
    };
    let unsure = (0..40).find(|crawl| !learn(*crawl).candidates().is_empty());
    let crawl = unsure.expect("a crawl whose pages are divided");
    let dir = tempfile::tempdir().expect("a folder");
    let row = |number| json!({ "url": url(number), "html": page(crawl, number) }).to_string();
    let pages = dir.path().join("crawl.jsonl");
    fs::write(&pages, (0..PAGES).map(row).collect::<Vec<_>>().join("\n")).expect("written");
    let rules = dir.path().join("rules");
    let mut settings = Settings::default();
    settings.rules = Some(rules.clone());
    if !visit(dir.path(), &driver, &settings, &pages, story) {
        return;
    }
    // What was saved gives the text of the candidate that was taken.
    let file = fs::read_to_string(rules.join("valley.example.toml")).expect("a file");
    let store = Store::of_settings(&settings).expect("rules").expect("a store");
    let template = learn(crawl);
    let second = &template.candidates()[1].template;
    for number in 0..PAGES {
        let (html, url) = (page(crawl, number), url(number));
        let page = Page::decoded(&html).with_url(Some(&url));
        let sample = Sample::new(&page, &Options::default());
        let want = sample.text_of(&second.kept(&sample));
        let got = store.extract(&page, &settings.extraction()).text;
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&got), words(&want), "{file}");
    }
}

/// What the person does.
async fn story(client: &Client, address: &str) {
    client.goto(address).await.expect("the workshop");
    click(client, "tbody a").await;
    click(client, ".layouts a[href*=candidates]").await;
    wait(client, ".candidate button[value='2']").await;
    // Both stand side by side, and each line that only one of them keeps says so.
    let beside = "const [a, b] = [...document.querySelectorAll('.candidate')].map(s => s.getBoundingClientRect()); return a.top === b.top && a.right <= b.left";
    assert_eq!(told(client, beside).await, true);
    let named = "return [...document.querySelectorAll('.versus .only .sign')].every(s => /^Only candidate [12]$/.test(s.textContent))";
    assert_eq!(told(client, named).await, true);
    let any = "return document.querySelectorAll('.versus .only').length > 0";
    assert_eq!(told(client, any).await, true);
    // On a telephone they stand one above the other, and nothing is wider than the window.
    client.set_window_size(400, 800).await.expect("a size");
    until(
        client,
        "const [a, b] = [...document.querySelectorAll('.candidate')].map(s => s.getBoundingClientRect()); return a.bottom <= b.top",
    )
    .await;
    assert_eq!(
        told(
            client,
            "return document.documentElement.scrollWidth <= innerWidth"
        )
        .await,
        true
    );
    client.set_window_size(1400, 900).await.expect("a size");

    // The first one is taken, which is taken back and replaced by the second one.
    click(client, ".candidate button[value='1']").await;
    wait(client, "button[value=undo]").await;
    client.back().await.expect("the candidates");
    click(client, ".candidate button[value='2']").await;
    wait(client, ".diff .new").await;
    click(client, "button[name=example][value='']").await;
    wait(client, "[role=status]").await;
}
