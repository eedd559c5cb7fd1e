//! Synthetic sites of kinds on which template learners fail, with their main text and their boilerplate.

use super::{learn, text, words};
use crate::options::Options;
use crate::page::Page;
use crate::site::Sample;

fn samples(make: fn(usize) -> String, pages: usize) -> Vec<Sample> {
    let sample = |page: usize| {
        let url = format!("https://example.org/{page}");
        Sample::new(
            &Page::decoded(&make(page)).with_url(Some(&url)),
            &Options::default(),
        )
    };
    (0..pages).map(sample).collect()
}

/// Learns from eight pages of a kind, and checks the texts of one more.
#[track_caller]
fn check(make: fn(usize) -> String, kept: &[String], gone: &[String]) {
    let template = learn(&samples(make, 8));
    let got = text(&template, &make(20));
    assert_eq!(got.method, "site");
    for part in kept {
        assert!(got.text.contains(part.as_str()), "lost `{part}`: {}", got.text);
    }
    for part in gone {
        assert!(!got.text.contains(part.as_str()), "kept `{part}`: {}", got.text);
    }
}

fn own(page: usize, part: usize, n: usize) -> String {
    words(page, part, n)
}

/// Wraps content in a header and footer that every site of these tests has.
fn framed(page: usize, inside: &str) -> String {
    format!(
        "<html><head><title>{}</title></head><body><div class=head><a href=/>Home of the valley</a> <a href=/all>All that there is</a> \
         <a href=/about>About the people here</a></div>{inside}<div class=foot>Written by the people of the valley since 2003</div></body></html>",
        own(page, 99, 4)
    )
}

fn frame() -> Vec<String> {
    ["Home of the valley", "since 2003"].map(str::to_owned).to_vec()
}

/// Builds a page of a forum whose answers use the markup of comments.
fn answers(page: usize) -> String {
    let answers: String = (0..3 + page % 3)
        .map(|i| {
            format!(
                "<li class=comment><div class=comment-author>Member {i}</div><div class=comment-body><p>{}</p></div></li>",
                own(page, 10 + i, 50)
            )
        })
        .collect();
    framed(
        page,
        &format!(
            "<div class=question><h1>{}</h1><p>{}</p></div><ol class=comments>{answers}</ol>",
            own(page, 0, 6),
            own(page, 1, 25)
        ),
    )
}

#[test]
fn answers_in_the_markup_of_comments_are_the_text_of_a_forum() {
    let kept: Vec<String> = [own(20, 1, 25), own(20, 10, 50), own(20, 12, 50)].to_vec();
    check(answers, &kept, &frame());
}

/// Builds a page of a blog whose readers write more than its author.
fn commented(page: usize) -> String {
    let comments: String = (0..4 + page % 5)
        .map(|i| {
            format!(
                "<li class='comment depth-1'><div class=comment-author>{} says:</div><p>{}</p><a href=#r>Reply</a></li>",
                own(page, 30 + i, 1),
                own(page, 10 + i, 25)
            )
        })
        .collect();
    framed(
        page,
        &format!(
            "<div class=entry><h1>{}</h1><p>{}</p><p>{}</p></div><div id=comments><h3>Comments of readers</h3><ol class=commentlist>{comments}</ol>\
             <p>Leave a reply below, your address will not be shown</p></div>",
            own(page, 0, 6),
            own(page, 1, 45),
            own(page, 2, 35)
        ),
    )
}

#[test]
fn comments_that_outweigh_the_post_are_not_the_text_of_a_blog() {
    let kept = [own(20, 1, 45), own(20, 2, 35)];
    let mut gone = frame();
    gone.extend([own(20, 10, 25), "Leave a reply".to_owned()]);
    check(commented, &kept, &gone);
}

/// Builds a fact sheet: labels repeat on every page, values vary.
fn facts(page: usize) -> String {
    let rows: String = [
        "Height above the sea",
        "Year of the first ascent",
        "Names in other languages",
        "Rock and soil",
    ]
    .iter()
    .enumerate()
    .map(|(i, label)| format!("<dt>{label}</dt><dd>{}</dd>", own(page, 10 + i, 6)))
    .collect();
    framed(
        page,
        &format!(
            "<div class=sheet><h1>{}</h1><p>{}</p><dl>{rows}</dl></div>",
            own(page, 0, 3),
            own(page, 1, 30)
        ),
    )
}

/// Builds a fact sheet as a table with one row per fact.
fn facts_in_rows(page: usize) -> String {
    let replaced = [
        ("<dl>", "<table>"),
        ("</dl>", "</table>"),
        ("<dt>", "<tr><th>"),
        ("</dt><dd>", "</th><td>"),
        ("</dd>", "</td></tr>"),
    ];
    replaced
        .iter()
        .fold(facts(page), |html, (from, to)| html.replace(from, to))
}

#[test]
fn labels_beside_varying_values_belong_to_the_record() {
    let kept = [
        own(20, 1, 30),
        "Height above the sea".to_owned(),
        "Rock and soil".to_owned(),
        own(20, 13, 6),
    ];
    check(facts, &kept, &frame());
    check(facts_in_rows, &kept, &frame());
}

/// Builds a page that is laid out with nested tables without any names.
fn tables(page: usize) -> String {
    let paragraphs: String = (0..3 + page % 2)
        .map(|i| format!("<p>{}</p>", own(page, i, 45)))
        .collect();
    format!(
        "<table width=100%><tr><td><a href=/>Home of the valley</a> <a href=/all>All that there is</a></td></tr><tr><td><table><tr>\
         <td width=150><a href=/1>The first part</a><br><a href=/2>The second part</a><br><a href=/3>The third part of it</a></td>\
         <td>{paragraphs}</td></tr></table></td></tr><tr><td>Written by the people of the valley since 2003</td></tr></table>"
    )
}

#[test]
fn nested_tables_without_names_have_a_column_of_text() {
    let kept = [own(20, 0, 45), own(20, 2, 45)];
    let mut gone = frame();
    gone.push("The second part".to_owned());
    check(tables, &kept, &gone);
}

/// Builds a page of a portal with a ticker and teasers that change from page to page.
fn portal(page: usize) -> String {
    let teasers: String = (0..6)
        .map(|i| {
            format!(
                "<li><a href=/t{i}>{}</a><p class=teaser>{}</p></li>",
                own(page * 3 + i, 60, 6),
                own(page * 3 + i, 61, 9)
            )
        })
        .collect();
    framed(
        page,
        &format!(
            "<div class=ticker><a href=/now>{}</a></div><div class=story><h1>{}</h1><p>{}</p><p>{}</p><p>{}</p></div><div class=more><h3>More of \
             today</h3><ul>{teasers}</ul></div>",
            own(page, 70, 8),
            own(page, 0, 7),
            own(page, 1, 50),
            own(page, 2, 40),
            own(page, 3, 45)
        ),
    )
}

#[test]
fn tickers_and_teasers_of_a_portal_are_not_its_text() {
    let kept = [own(20, 1, 50), own(20, 3, 45)];
    let mut gone = frame();
    gone.extend([own(20, 70, 8), own(62, 61, 9), "More of today".to_owned()]);
    check(portal, &kept, &gone);
}

/// Builds a page of a shop whose description is short and surrounded by labels, prices and offers.
fn shop(page: usize) -> String {
    let offers: String = (0..4)
        .map(|i| {
            format!(
                "<li><a href=/o{i}>{}</a> <span class=price>{} coins</span></li>",
                own(page + i, 80, 3),
                10 + page + i
            )
        })
        .collect();
    framed(
        page,
        &format!(
            "<div class=product><h1>{}</h1><div class=price>{} coins</div><button>Put it into the basket</button><div class=description><p>{}</p></div>\
             <dl><dt>Weight of the parcel</dt><dd>{} grams</dd></dl></div><div class=offers><h3>Others have bought</h3><ul>{offers}</ul></div>",
            own(page, 0, 4),
            20 + page,
            own(page, 1, 22),
            100 + page
        ),
    )
}

#[test]
fn a_short_description_is_the_text_of_a_shop() {
    let mut gone = frame();
    gone.extend(["Others have bought".to_owned(), own(21, 80, 3)]);
    check(shop, &[own(20, 1, 22)], &gone);
}

#[test]
fn two_pages_are_a_site() {
    let template = learn(&samples(portal, 2));
    let got = text(&template, &portal(20));
    assert_eq!(got.method, "site");
    assert!(got.text.contains(&own(20, 1, 50)), "{}", got.text);
    assert!(!got.text.contains("Home of the valley"), "{}", got.text);
}

#[test]
fn pages_of_an_index_among_articles_spoil_nothing() {
    let index: String = (30..42)
        .map(|page| format!("<li><a href=/{page}>{}</a></li>", own(page, 0, 7)))
        .collect();
    let mut pages = samples(portal, 7);
    let html = framed(
        50,
        &format!("<div class=list><h1>All that there is</h1><ul>{index}</ul></div>"),
    );
    pages.push(Sample::new(&Page::decoded(&html), &Options::default()));
    let got = text(&learn(&pages), &portal(20));
    assert!(got.text.contains(&own(20, 1, 50)), "{}", got.text);
    assert!(!got.text.contains("More of today"), "{}", got.text);
}
