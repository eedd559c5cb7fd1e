//! Texts that most pages repeat inside the container of the text, each kind in variants with other names and tags: hints and related links go, and
//! what is repeated as a part of the text stays.

use super::variants::{NEW, check, check_choices, framed, own};
use super::{learn, text};
use crate::options::Options;
use crate::page::Page;
use crate::site::Sample;

/// Choices of pages to learn from. Fewer pages do not show what repeats.
const CHOICES: [std::ops::Range<usize>; 2] = [0..12, 20..36];

/// Paragraphs of a page from part `first` on.
fn paragraphs(page: usize, first: usize, n: usize) -> String {
    (0..n)
        .map(|i| format!("<p>{}</p>", own(page, first + i, 30 + (page + i) % 20)))
        .collect()
}

fn items(page: usize, first: usize, n: usize) -> String {
    (0..n)
        .map(|i| format!("<li>{}</li>", own(page, first + i, 5)))
        .collect()
}

/// The opening and closing tags of containers.
const CONTAINERS: [(&str, &str); 3] = [
    ("<div class=dish>", "</div>"),
    ("<main><article class='card wide'>", "</article></main>"),
    ("<table><tr><td>", "</td></tr></table>"),
];

/// The title of another page.
fn link(page: usize, i: usize) -> String {
    own(page * 7 + i, 400, 6).replace('.', "")
}

/// An article that ends with links below a heading, on two of three pages, without any name. Other pages have lists of their own.
fn linked(page: usize, (open, close): (&str, &str), heading: &str, list: &str) -> String {
    let links: String = (0..3 + page % 3)
        .map(|i| format!("<li><a href=/o{page}-{i}>{}</a></li>", link(page, i)))
        .collect();
    let more = match page % 3 {
        1 => String::new(),
        _ => format!("<{heading}>Read about this, too</{heading}><{list}>{links}</{list}>"),
    };
    let own_list = match page % 2 {
        0 => format!(
            "<{heading}>{}</{heading}><ul>{}</ul>",
            own(page, 80, 3),
            items(page, 10, 4)
        ),
        _ => String::new(),
    };
    let inside = format!(
        "{open}<h1>{}</h1>{}{own_list}{}{more}{close}",
        own(page, 90, 5),
        paragraphs(page, 0, 2),
        paragraphs(page, 30, 2)
    );
    framed(page, &inside)
}

#[test]
fn links_below_a_repeated_heading_at_the_end_go() {
    for (container, heading, list) in [
        (("<div class=dish>", "</div>"), "h2", "ul"),
        (
            ("<div id=page><div class='entry wide'>", "</div></div>"),
            "h3",
            "ul",
        ),
        (("<section class=story>", "</section>"), "h2", "ol"),
    ] {
        let kept = [
            own(NEW, 0, 30 + NEW % 20),
            own(NEW, 10, 5),
            own(NEW, 30, 30 + NEW % 20),
        ];
        let link = link(NEW, 0);
        check_choices(
            &CHOICES[..1],
            &|page| linked(page, container, heading, list),
            &kept,
            &[&link, "Read about this, too"],
        );
    }
}

/// A recipe with the same hint between a heading and its list.
fn hinted(page: usize, (open, close): (&str, &str)) -> String {
    let inside = format!(
        "{open}<h1>{}</h1>{}<h2>What you need</h2><p>Tap an item to put it on your list for the shop</p><ul>{}</ul><h2>How it is \
         made</h2>{}{close}",
        own(page, 90, 3),
        paragraphs(page, 0, 2),
        items(page, 10, 4 + page % 3),
        paragraphs(page, 20, 3)
    );
    framed(page, &inside)
}

#[test]
fn a_hint_between_a_heading_and_its_list_goes() {
    for container in CONTAINERS {
        let kept = [
            own(NEW, 10, 5),
            own(NEW, 20, 30 + NEW % 20),
            "What you need".to_owned(),
            "How it is made".to_owned(),
        ];
        check_choices(&CHOICES, &|page| hinted(page, container), &kept, &["Tap an item"]);
    }
}

/// A song whose refrain is on the page several times.
fn song(page: usize, (open, close): (&str, &str)) -> String {
    let verses: String = (0..3)
        .map(|i| format!("<p>{}</p><p>{}</p>", own(page, i, 20), own(page, 50, 12)))
        .collect();
    framed(
        page,
        &format!("{open}<h1>{}</h1>{verses}{close}", own(page, 90, 3)),
    )
}

/// A page of documentation whose sections have the same headings.
fn reference(page: usize, (open, close): (&str, &str)) -> String {
    let inside = format!(
        "{open}<h1>{}</h1>{}<h2>Arguments</h2><ul>{}</ul><h2>Errors</h2>{}<h2>Examples</h2>{}{close}",
        own(page, 90, 2),
        paragraphs(page, 0, 1),
        items(page, 10, 2 + page % 4),
        paragraphs(page, 20, 1),
        paragraphs(page, 30, 2)
    );
    framed(page, &inside)
}

#[test]
fn refrains_and_sections_with_the_same_headings_stay() {
    for container in CONTAINERS {
        check(
            &|page| song(page, container),
            &[own(NEW, 2, 20), own(NEW, 50, 12)],
            &["Front of the board"],
        );
        let kept = [
            own(NEW, 10, 5),
            own(NEW, 20, 30 + NEW % 20),
            own(NEW, 30, 30 + NEW % 20),
            "Arguments".to_owned(),
            "Errors".to_owned(),
            "Examples".to_owned(),
        ];
        check(&|page| reference(page, container), &kept, &["Front of the board"]);
    }
}

#[test]
#[cfg(feature = "template-files")]
fn sections_and_repeated_texts_survive_files() {
    let sample = |page: usize| {
        let html = linked(page, CONTAINERS[0], "h2", "ul");
        Sample::new(&Page::decoded(&html), &Options::default())
    };
    let samples: Vec<Sample> = (0..9).map(sample).collect();
    let mut template = learn(&samples);
    let mut read = crate::site::Template::from_toml(&template.to_toml()).expect("a template");
    assert_eq!(read.to_toml(), template.to_toml());
    let page = linked(NEW, CONTAINERS[0], "h2", "ul");
    assert_eq!(text(&read, &page).text, text(&template, &page).text);
    // Pages that are added find the sections, and add none.
    let more: Vec<Sample> = (20..24).map(sample).collect();
    let parts = template.parts().len();
    for template in [&mut template, &mut read] {
        template.add(&more.iter().collect::<Vec<_>>());
        assert_eq!(template.parts().len(), parts);
        assert_eq!(template.pages(), 13);
    }
    let same = template.counterparts(&read);
    assert!(
        same.iter().enumerate().all(|(i, part)| *part == Some(i)),
        "{same:?}"
    );
}

#[test]
#[cfg(feature = "rules")]
fn sections_are_exported_as_conditions_on_their_headings() {
    let sample = |page: usize| {
        let html = linked(page, CONTAINERS[0], "h2", "ul");
        Sample::new(&Page::decoded(&html), &Options::default())
    };
    let samples: Vec<Sample> = (0..9).map(sample).collect();
    let mut template = learn(&samples);
    template.origin.site = "https://example.org/".to_owned();
    let rules = crate::site::to_rules(&[&template]);
    let set = crate::rules::RuleSet::read([("learnt", rules.as_str())]).expect("rules");
    let html = linked(NEW, CONTAINERS[0], "h2", "ul");
    let page = Page::decoded(&html).with_url(Some("https://example.org/60"));
    let overrides = crate::overrides::Overrides::default().with_rules(Some(&set));
    let got = crate::pipeline::extract_with(&page, &Options::default(), &overrides).text;
    assert!(!got.contains("Read about this, too"), "{rules}\n{got}");
    assert!(!got.contains(&link(NEW, 0)), "{rules}\n{got}");
    assert!(got.contains(&own(NEW, 10, 5)), "{rules}\n{got}");
}
