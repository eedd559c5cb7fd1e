//! Passages: the most frequent ones, their share of documents, and sites with passages of their own.

use super::section::{Section, TEXT_CHARS, columns, drawing, figure, nothing, paragraph};
use crate::write::report::chart::count_axis::CountScale;
use crate::write::report::chart::histogram::{self, Column, Histogram, Tick};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, counted, fraction, share, unit};
use crate::write::report::run::data::{
    PassageReport, PassageSeen, RepeatedSeen, ReportData, SiteRepeats, TextPart,
};

pub(super) static SECTION: Section = Section {
    id: "passages",
    short: "Passages",
    title: "What stands at several places",
    shown: |data| data.passages.is_some(),
    note,
    body,
};

fn note(html: &mut Html, _: &ReportData) {
    paragraph(
        html,
        "A passage of several documents of one host is a part of that site: something that extraction has left, or what the site says \
         again, such as headings and code of a manual. One of several hosts is syndicated or quoted.",
    );
    paragraph(
        html,
        "All passages are in the list passages, with their places in occurrences.",
    );
}

fn body(html: &mut Html, data: &ReportData) {
    let Some(found) = &data.passages else {
        return;
    };
    if found.passages == 0 {
        nothing(html, "Nothing stands at several places.");
        return;
    }
    paragraph(html, in_words(found));
    most_frequent(html, found);
    shares(html, found);
    sites(html, found);
    marked(html, found);
}

/// The figures in words.
fn in_words(found: &PassageReport) -> String {
    let cut = match found.cuts {
        true => format!(" {} were cut.", share(found.cut_chars, found.chars)),
        false => String::new(),
    };
    let contained = match found.contained {
        0 => String::new(),
        n => format!(
            " {} in another one.",
            counted(n, "document is contained", "documents are contained")
        ),
    };
    format!(
        "{} at {}, in {}: {} in one document alone, {} in several of one host, {} on several hosts{}. {} of all characters are part of a \
         passage.{cut}{contained}",
        counted(found.passages, "passage", "passages"),
        counted(found.places, "place", "places"),
        counted(found.documents, "document", "documents"),
        count(found.of_document),
        count(found.of_host),
        count(found.of_hosts),
        match found.of_unknown {
            0 => String::new(),
            n => format!(", {} in several documents of unknown hosts", count(n)),
        },
        share(found.repeated_chars, found.chars)
    )
}

/// Writes the passages that most documents have.
fn most_frequent(html: &mut Html, found: &PassageReport) {
    html.within("table", &[("class", &"passages")], |html| {
        html.element("caption", &[], "The passages of the most documents");
        // Passages of other units have no number of tokens.
        let columns_of = match found.unit.as_str() {
            "tokens" => &["#Documents", "#Hosts", "#Tokens", "Passage"][..],
            _ => &["#Documents", "#Hosts", "Passage"],
        };
        columns(html, columns_of);
        html.within("tbody", &[], |html| {
            for row in &found.most_frequent {
                html.within("tr", &[], |html| passage(html, row, columns_of.len() == 4));
            }
        });
    });
}

/// Writes the cells of a passage.
fn passage(html: &mut Html, row: &PassageSeen, with_tokens: bool) {
    figure(html, count(row.documents));
    figure(html, count(row.hosts));
    if with_tokens {
        figure(html, count(row.tokens));
    }
    html.within("td", &[], |html| {
        html.prose(&row.text, TEXT_CHARS);
        if row.by_host.is_empty() {
            return;
        }
        html.within("div", &[("class", &"where")], |html| {
            for (number, host) in row.by_host.iter().enumerate() {
                html.text(if number == 0 { "" } else { ", " });
                html.exact(&host.name, TEXT_CHARS);
                html.text(format!(" {}", count(host.count)));
            }
            if row.hosts > row.by_host.len() as u64 {
                html.text(" …");
            }
        });
    });
}

/// Draws the documents by their repeated or cut share.
fn shares(html: &mut Html, found: &PassageReport) {
    let bins = &found.shares;
    let documents: u64 = bins.iter().sum();
    if documents == 0 {
        return;
    }
    let edge = |bin: usize| format!("{}%", 100 * bin / bins.len().max(1));
    let (label, across, caption) = match found.cuts {
        true => (
            "Histogram of documents by the share of their characters that was cut",
            "characters cut",
            "Documents with cuts by the share of their characters that was cut",
        ),
        false => (
            "Histogram of documents by the share of their characters that is repeated",
            "characters repeated",
            "Documents with passages by the share of their characters in them",
        ),
    };
    let histogram = Histogram {
        label,
        counted: "documents",
        across,
        scale: CountScale::Linear,
        fill: 0.9,
        columns: bins
            .iter()
            .enumerate()
            .map(|(bin, n)| Column {
                count: *n,
                tip: format!(
                    "{} to {}: {}",
                    edge(bin),
                    edge(bin + 1),
                    counted(*n, "document", "documents")
                ),
            })
            .collect(),
        ticks: (0..=5)
            .map(|i| Tick {
                at: bins.len() as f64 * f64::from(i) / 5.0,
                text: format!("{}%", i * 20),
            })
            .collect(),
        marker: None,
    };
    html.within("figure", &[], |html| {
        html.element("figcaption", &[], caption);
        histogram::draw(html, &histogram);
    });
}

/// Writes the hosts with the most characters in passages of their own.
fn sites(html: &mut Html, found: &PassageReport) {
    if found.sites.is_empty() {
        return;
    }
    html.element("h3", &[], "Passages of single sites");
    html.within("p", &[], |html| {
        html.text(format!(
            "{} of all characters are in passages of three and more documents of one host and of no other. ",
            share(found.site_chars, found.chars)
        ));
        html.element("code", &[], "dehusk site learn");
        html.text(
            " on the pages of a host learns what is boilerplate of it; a rule in the workshop cuts the rest. What belongs to the text stays.",
        );
    });
    html.within("table", &[("class", &"by-input")], |html| {
        html.element("caption", &[], "Documents by host");
        columns(html, &["Host", "#Documents", "#With such", "#Share", ""]);
        html.within("tbody", &[], |html| {
            for row in &found.sites {
                html.within("tr", &[], |html| site(html, row));
            }
        });
    });
    if found.more_sites > 0 {
        paragraph(
            html,
            format!("… and {}.", counted(found.more_sites, "more host", "more hosts")),
        );
    }
}

/// Writes the cells of a host, with its most frequent passage.
fn site(html: &mut Html, row: &SiteRepeats) {
    html.within("th", &[("scope", &"row")], |html| {
        html.exact(&row.host, TEXT_CHARS);
        html.within("div", &[("class", &"where")], |html| {
            html.text(format!("in {}: “", count(row.example_documents)));
            html.prose(&row.example, TEXT_CHARS / 2);
            html.text("”");
        });
    });
    figure(html, count(row.documents));
    figure(html, count(row.with));
    figure(html, share(row.repeated_chars, row.chars));
    drawing(html, |html| {
        strip::share_bar(html, fraction(row.repeated_chars, row.chars));
    });
}

/// Writes a few documents with their passages marked.
fn marked(html: &mut Html, found: &PassageReport) {
    if found.marked.is_empty() {
        return;
    }
    html.element("h3", &[], "Documents with their passages");
    html.within("p", &[], |html| {
        html.text("A few documents from all parts of the collection. Marked is what is ");
        html.element("mark", &[], "repeated elsewhere");
        if found.cuts {
            html.text(", struck out what was ");
            html.element("del", &[], "cut");
        }
        html.text("; […] stands for the middle of a long part.");
    });
    html.within("ul", &[("class", &"marked")], |html| {
        for row in &found.marked {
            html.within("li", &[], |html| document(html, row, found.cuts));
        }
    });
}

/// Writes a document: its address and id, and the parts of its text.
fn document(html: &mut Html, row: &RepeatedSeen, cuts: bool) {
    html.within("div", &[("class", &"where")], |html| {
        if let Some(url) = &row.url {
            html.address(url, TEXT_CHARS);
            html.text(" ");
        }
        // The id of a page may be its address, which is not repeated.
        if row.url.as_deref() != Some(&row.id) {
            html.exact(&row.id, TEXT_CHARS);
        }
        let what = if cuts { "cut" } else { "repeated" };
        html.text(format!(" · {} {what}", unit(row.share, 2)));
    });
    html.within("p", &[], |html| {
        for part in &row.parts {
            part_of(html, part);
            html.text(" ");
        }
    });
}

/// Writes a part of a text, marked by its kind. Parts are shortened already.
fn part_of(html: &mut Html, part: &TextPart) {
    let write = |html: &mut Html| html.prose(&part.text, usize::MAX);
    match part.kind.as_str() {
        "cut" => html.within("del", &[], write),
        "repeated" => html.within("mark", &[], write),
        _ => write(html),
    }
}
