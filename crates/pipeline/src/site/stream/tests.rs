use std::fs;

use dehusk_extract::site::Sample;
use dehusk_extract::{Options, Page};

use super::*;
use crate::exec::background::Background;
use crate::exec::cancel::Cancel;
use crate::site::group::GroupedPage as _;
use crate::site::page_marks::PageMeasure;
use crate::site::template_writer::TemplateSink;

/// Running text of words that are unique to `seed`.
fn words(seed: u64, count: u64) -> String {
    let word = |n| {
        let mut random = dehusk_dedup::SplitMix64::new(seed * 1000 + n);
        format!("w{:x}", random.number() >> 40)
    };
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

fn page(url: &str, layout: u64, seed: u64, length: u64) -> PackedPage {
    let text = words(seed, length);
    let html = format!(
        "<div class=top{}><p>Menu {}</p></div><div class=text{}><p>{text}</p><div class=note{}>Note {}</div></div>",
        word_of(layout),
        layout,
        word_of(layout),
        word_of(layout),
        layout
    );
    let sample = Sample::new(&Page::decoded(&html).with_url(Some(url)), &Options::default());
    PackedPage::of(&sample, &mut PageMeasure::new()).unwrap()
}

/// A name without digits, since digits do not distinguish layouts.
fn word_of(number: u64) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(b'a' + digit - b'0'))
        .collect()
}

/// Learns from pages, given as host and layout, with at most `most_bytes` of memory. Returns the result and the peak of the bytes held.
fn learnt(pages: impl IntoIterator<Item = (u64, u64)>, most_bytes: u64) -> (LearntSites, u64) {
    learnt_of(pages, 40, most_bytes)
}

/// Like [`learnt`], with pages of `length` words.
fn learnt_of(
    pages: impl IntoIterator<Item = (u64, u64)>,
    length: u64,
    most_bytes: u64,
) -> (LearntSites, u64) {
    let (dir, settled) = (tempfile::tempdir().unwrap(), SettledHosts::default());
    let sink = TemplateSink {
        folder: dir.path().to_owned(),
        method: "default".to_owned(),
        cancel: Cancel::new(),
    };
    let writer = TemplateWriter::new(sink, &Background::new(2));
    let spill = PageSpill::new(dir.path().to_owned());
    let mut learner = StreamLearner::new(&settled, writer, spill, most_bytes);
    let mut most = 0;
    for (number, (host, layout)) in (0..).zip(pages) {
        let (host, url) = (
            format!("http://h{host}.example/"),
            format!("http://h{host}.example/{number}/x"),
        );
        let page = (!settled.pass_over(&host, &url)).then(|| page(&url, layout, number, length));
        learner.take(&host, &url, page, (number, "crawl")).unwrap();
        most = most.max(learner.bytes());
    }
    let learnt = learner.finish().unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), learnt.templates.len());
    (learnt, most)
}

#[test]
fn layouts_close_when_their_pages_change_nothing_and_hosts_settle() {
    let (learnt, _) = learnt((0..2000).map(|_| (1, 7)), u64::MAX);
    let [template] = learnt.templates.as_slice() else {
        panic!("{learnt:?}")
    };
    assert_eq!(
        (template.pages, template.since.clone()),
        (CHECKED_PAGES as u32, None)
    );
    let until_settled = CHECKED_PAGES as u64 + u64::from(SETTLED_RUN);
    let later = learnt.looked_at - until_settled;
    assert!(
        (50..150).contains(&later),
        "one in {LOOKED_AT} of the others: {later}"
    );
    assert_eq!(learnt.looked_at + learnt.passed_over, 2000);
}

#[test]
fn little_room_closes_the_layouts_that_were_met_longest_ago() {
    let one = {
        let dir = tempfile::tempdir().unwrap();
        let page = page("http://h1.example/0/x", 1, 1, 40);
        let member = page.spilled(&PageSpill::new(dir.path().to_owned())).unwrap();
        (member.page.bytes() + member.marks.bytes()) as u64
    };
    // Twenty hosts in sequence, each with ten pages, with memory for about thirty pages.
    let room = 30 * one + 20 * HOST_BYTES;
    let pages = (0..200).map(|number| (number / 10, number / 10));
    let (in_turn, most) = learnt(pages.clone(), room);
    assert_eq!(in_turn.templates.len(), 20);
    assert!(in_turn.templates.iter().all(|of| of.pages == 10), "{in_turn:?}");
    assert!(most <= room, "{most} in {room}");
    assert_eq!(in_turn, learnt(pages, room).0);
    // Hosts interleaved: each learns from the pages it has, and no template is learnt twice.
    let (by_turns, most) = learnt((0..200).map(|number| (number % 20, number % 20)), room);
    assert!(most <= room + 2 * one, "{most} in {room}");
    assert!(by_turns.templates.len() <= 20, "{by_turns:?}");
}

/// Learns from `hosts` hosts whose pages are interleaved. Returns the number of hosts that learnt from fewer pages than they had, and the
/// peak of the bytes held.
fn by_turns(hosts: u64, words: u64, most_bytes: u64) -> (usize, u64) {
    let pages = (0..hosts * CHECKED_PAGES as u64).map(|number| (number % hosts, 7));
    let (learnt, most) = learnt_of(pages, words, most_bytes);
    assert_eq!(learnt.templates.len(), hosts as usize);
    let too_early = learnt
        .templates
        .iter()
        .filter(|of| of.pages < CHECKED_PAGES as u32);
    (too_early.count(), most)
}

#[test]
fn what_is_held_of_a_page_does_not_grow_with_it() {
    // Parsed pages in memory would take more than three times this.
    let room = 60 * CHECKED_PAGES as u64 * (2 << 10);
    let (too_early, most) = by_turns(60, 900, room);
    assert_eq!(too_early, 0);
    assert!(most < room, "{most}");
}

#[test]
#[ignore = "takes minutes: it is the measurement, and the test above the check"]
fn thousands_of_sites_by_turns_learn_enough_from_large_pages() {
    let (too_early, most) = by_turns(3000, 4000, 256 << 20);
    assert_eq!(too_early, 0);
    println!("{most} bytes held at most");
    assert!(most < 200 << 20, "{most}");
}

#[test]
fn a_host_of_ever_new_layouts_holds_few_of_them() {
    let (learnt, most) = learnt((0..400).map(|number| (1, number)), u64::MAX);
    assert_eq!((learnt.templates.len(), learnt.alone), (0, 400));
    let (_, of_forty) = self::learnt((0..40).map(|number| (1, number)), u64::MAX);
    assert!(most < 2 * of_forty, "{most}, of forty pages {of_forty}");
}
