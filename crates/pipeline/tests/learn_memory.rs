//! A crawl of many sites is learnt and extracted in memory that does not grow with its pages.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed test may panic, and says what it met"
)]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Mutex;

use dehusk_pipeline::verbs::run::{Style, run};
use dehusk_pipeline::{Cancel, Job, Progress, Settings, Summary, Total};

#[global_allocator]
static ALLOCATOR: dehusk_heap::Counting = dehusk_heap::Counting;

/// The most bytes that were taken in each stage.
#[derive(Default)]
struct Peaks(Mutex<Vec<(String, usize)>>);

impl Peaks {
    fn end_stage(&self) {
        let peak = dehusk_heap::start_peak();
        if let Some((_, last)) = self.0.lock().unwrap().last_mut() {
            *last = peak;
        }
    }

    fn of(&self, stage: &str) -> usize {
        let peaks = self.0.lock().unwrap();
        let found = peaks.iter().find(|(name, _)| *name == stage);
        found.map(|(_, peak)| *peak).unwrap()
    }
}

impl Progress for Peaks {
    fn stage(&self, name: &str, _: Option<Total>) {
        self.end_stage();
        self.0.lock().unwrap().push((name.to_owned(), 0));
    }
}

/// A sequence of words that are the same for the same seed.
struct Words(u64);

impl Words {
    fn write(&mut self, count: u64, to: &mut String) {
        for _ in 0..count {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mut bits = self.0 >> 33;
            for _ in 0..2 + bits % 7 {
                bits /= 3;
                to.push(char::from(b'a' + (bits % 26) as u8));
            }
            to.push(' ');
        }
    }
}

/// A page of a site: menu, article, teasers and footer. Names and what stands around the article are those of the site.
fn page(site: u64, number: u64) -> String {
    let (mut html, mut own, mut shared) = (String::new(), Words(number * 2 + 1), Words(site * 2 + 2));
    html += &format!("<html><body><div class='head h{site}'><ul class=menu>");
    for item in 0..8 {
        html += &format!("<li><a href='/{item}'>");
        shared.write(2, &mut html);
        html += "</a></li>";
    }
    html += &format!("</ul></div><div id=page class='s{site}'><div class='article a{site}'><h1>");
    own.write(6, &mut html);
    html += "</h1>";
    for _ in 0..4 + number % 3 {
        html += "<p>";
        own.write(30, &mut html);
    }
    html += "<div class=share>";
    shared.write(12, &mut html);
    html += "</div></div><div class=aside><ul>";
    for teaser in 0..5 {
        html += &format!("<li class=teaser><a href='/t/{teaser}'>");
        own.write(5, &mut html);
        html += "</a></li>";
    }
    html += "</ul></div></div><div class=foot>";
    shared.write(25, &mut html);
    html + "</div></body></html>"
}

/// Writes the pages of a crawl that meets its sites by turns.
fn write_crawl(to: &Path, pages: u64, sites: u64) {
    let mut file = BufWriter::new(File::create(to).unwrap());
    for number in 0..pages {
        let (site, at) = (number % sites, number / sites);
        let url = format!("https://s{site}.example/{}/{at}.html", 2000 + at % 20);
        let row = serde_json::json!({"id": number.to_string(), "url": url, "html": page(site, number)});
        writeln!(file, "{row}").unwrap();
    }
}

/// Learns and extracts a crawl. Returns the most bytes that the first and the second pass took, and the result.
fn peaks(pages: u64, sites: u64, memory: Option<&str>) -> (usize, usize, Summary) {
    let dir = tempfile::tempdir().unwrap();
    let (crawl, cancel, peaks) = (dir.path().join("crawl.jsonl"), Cancel::new(), Peaks::default());
    write_crawl(&crawl, pages, sites);
    let mut settings = Settings::default();
    settings.learn_sites = Some(true);
    settings.memory = memory.map(|size| size.parse().unwrap());
    settings.threads = Some("2".parse().unwrap());
    let inputs = [crawl.display().to_string()];
    let job = Job {
        progress: &peaks,
        ..Job::new(&inputs, &settings, &cancel)
    };
    let ran = run(&job, &dir.path().join("out"), Style::default()).unwrap();
    peaks.end_stage();
    let summary = ran.outcome().unwrap().summary.clone();
    let templates = fs::read_dir(dir.path().join("out/templates"))
        .unwrap()
        .map(Result::unwrap);
    let bytes: u64 = templates.map(|entry| entry.metadata().unwrap().len()).sum();
    let learnt = summary.learnt.as_ref().unwrap();
    let (first, second) = (peaks.of("learning sites"), peaks.of("extracting pages"));
    println!(
        "{pages} pages of {sites} sites: {} MB learning, {} MB extracting; {} templates of {bytes} bytes, {} pages looked at; {:?}",
        first >> 20,
        second >> 20,
        learnt.templates.len(),
        learnt.looked_at,
        summary.sites
    );
    (first, second, summary)
}

#[test]
fn memory_of_learning_depends_on_sites_and_not_on_pages() {
    let (few, _, _) = peaks(5_000, 200, None);
    let (many, _, summary) = peaks(20_000, 200, None);
    let learnt = summary.learnt.as_ref().unwrap();
    assert_eq!(learnt.templates.len(), 200);
    assert_eq!(summary.sites.and_then(|sites| sites.fired), Some(20_000));
    assert!(many < few + few / 5 + (4 << 20), "{few} bytes, then {many}");
    assert!(learnt.looked_at < 20_000 && learnt.passed_over > 0, "{learnt:?}");
}

#[test]
#[ignore = "takes minutes: it is the measurement, and the test above the check"]
fn two_hundred_thousand_pages_of_two_thousand_sites() {
    let (learning, extracting, summary) = peaks(200_000, 2_000, None);
    assert!(learning < 512 << 20 && extracting < 512 << 20);
    assert_eq!(summary.counts.read, 200_000);
}
