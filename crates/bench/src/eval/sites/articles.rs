//! Generated articles with parts that most pages repeat inside the container of the text: a hint between a
//! heading and its list, related links below a heading at the end, a box with a contact. Repeated headings
//! of the text stay.

use dehusk_pipeline::dedup::SplitMix64;

use super::forums::{Made, other, prose};
use dehusk_lab::metrics::main_text::Label;

/// Number of pages of each site.
const PAGES: u64 = 16;

/// A kind of pages: the markup around the content, and the function that makes the lines of the content.
struct Kind {
    name: &'static str,
    open: &'static str,
    close: &'static str,
    content: fn(u64, &mut SplitMix64) -> Vec<Line>,
}

struct Line {
    main: bool,
    before: &'static str,
    text: String,
    after: &'static str,
}

/// Returns a line of the main text, between two pieces of markup.
fn main(before: &'static str, text: String, after: &'static str) -> Line {
    Line {
        main: true,
        before,
        text,
        after,
    }
}

/// Returns a line that is not main text.
fn rest(before: &'static str, text: &str, after: &'static str) -> Line {
    Line {
        main: false,
        before,
        text: text.to_owned(),
        after,
    }
}

/// Returns 1 to `n` paragraphs of main text, each one sentence of 20 to 69 words.
fn paragraphs(seed: u64, random: &mut SplitMix64, n: u64) -> Vec<Line> {
    (0..1 + random.number() % n)
        .map(|i| main("<p>", prose(seed * 131 + i, 20 + random.number() % 50), "</p>\n"))
        .collect()
}

/// Returns `n` items of a list that is main text, each of 3 to 8 words.
fn items(seed: u64, random: &mut SplitMix64, n: u64) -> Vec<Line> {
    (0..n)
        .map(|i| main("<li>", prose(seed * 137 + i, 3 + random.number() % 6), "</li>\n"))
        .collect()
}

/// Links to other pages.
fn links(seed: u64, n: u64) -> Vec<Line> {
    (0..n)
        .map(|i| {
            rest(
                "<li><a href=/l>",
                prose(seed * 139 + i, 5).trim_end_matches('.'),
                "</a></li>\n",
            )
        })
        .collect()
}

/// Returns a recipe with a hint between the heading and the list of ingredients.
fn recipe(seed: u64, random: &mut SplitMix64) -> Vec<Line> {
    let mut out = paragraphs(seed, random, 2);
    out.push(main("<h2>", "Ingredients".to_owned(), "</h2>"));
    out.push(rest(
        "<p>",
        "Tap an ingredient to put it on your shopping list for later",
        "</p>\n<ul>",
    ));
    // Drawn before the call, since both need the generator.
    let n = 3 + random.number() % 5;
    out.extend(items(seed + 1, random, n));
    out.push(main("</ul><h2>", "Method".to_owned(), "</h2>"));
    out.extend(paragraphs(seed + 2, random, 4));
    out
}

/// Tags of a heading, and of the heading of a list with what opens the list, and what closes it.
struct Tags {
    heading: &'static str,
    to_list: &'static str,
    end: &'static str,
}

/// Text that may have a list of its own, and ends with links below the same heading on two of three pages.
fn further_in(seed: u64, random: &mut SplitMix64, tags: &Tags, heading: &str) -> Vec<Line> {
    let mut out = paragraphs(seed, random, 3);
    if random.number().is_multiple_of(2) {
        out.push(main(
            tags.heading,
            prose(seed + 3, 3).replace('.', ""),
            tags.to_list,
        ));
        out.extend(items(seed + 1, random, 4));
        // Closes the list. The line has no text of its own.
        out.push(rest(tags.end, "", ""));
    }
    out.extend(paragraphs(seed + 2, random, 3));
    if !random.number().is_multiple_of(3) {
        out.push(rest(tags.heading, heading, tags.to_list));
        out.extend(links(seed + 4, 2 + seed % 4));
        out.push(rest(tags.end, "", ""));
    }
    out
}

/// Returns an article with a section that has its own heading and list, and, on two of three pages, related links.
fn further(seed: u64, random: &mut SplitMix64) -> Vec<Line> {
    let tags = Tags {
        heading: "<h2>",
        to_list: "</h2><ul>",
        end: "</ul>",
    };
    further_in(seed, random, &tags, "Read also")
}

/// Like [`further`], with headings of the third level.
fn further_below(seed: u64, random: &mut SplitMix64) -> Vec<Line> {
    let tags = Tags {
        heading: "<h3>",
        to_list: "</h3><ul>",
        end: "</ul>",
    };
    further_in(seed, random, &tags, "More on the same")
}

/// Like [`further`], with numbered lists.
fn further_numbered(seed: u64, random: &mut SplitMix64) -> Vec<Line> {
    let tags = Tags {
        heading: "<h2>",
        to_list: "</h2><ol>",
        end: "</ol>",
    };
    further_in(seed, random, &tags, "You may also want to read this")
}

/// Returns an article with, on three of four pages, a box with a contact.
fn contact(seed: u64, random: &mut SplitMix64) -> Vec<Line> {
    let mut out = paragraphs(seed, random, 5);
    out.push(main("<h3>", "What it means".to_owned(), "</h3>"));
    out.extend(paragraphs(seed + 2, random, 3));
    if !random.number().is_multiple_of(4) {
        out.push(rest("<h3>", "Do you have a question?", "</h3>"));
        // Five persons, so that boxes recur on several pages but not on all.
        let person = prose(seed % 5 + 900, 2).replace('.', "");
        let call = format!(
            "Call {person} of the office on {} or write a letter",
            1000 + seed % 5
        );
        out.push(rest("<p>", &call, "</p>\n"));
    }
    out
}

const KINDS: [Kind; 8] = [
    Kind {
        name: "recipes with a hint",
        open: "<div class=recipe>",
        close: "</div>",
        content: recipe,
    },
    Kind {
        name: "instructions with a hint",
        open: "<main><section><article>",
        close: "</article></section></main>",
        content: recipe,
    },
    Kind {
        name: "articles with links at the end",
        open: "<div id=main><div class=entry>",
        close: "</div></div>",
        content: further,
    },
    Kind {
        name: "posts with links at the end",
        open: "<table><tr><td>",
        close: "</td></tr></table>",
        content: further,
    },
    Kind {
        name: "advice with a contact",
        open: "<article class=text>",
        close: "</article>",
        content: contact,
    },
    Kind {
        name: "services with a contact",
        open: "<div class=page><div class=content>",
        close: "</div></div>",
        content: contact,
    },
    Kind {
        name: "stories with links at the end",
        open: "<section class=story>",
        close: "</section>",
        content: further_below,
    },
    Kind {
        name: "notes with links at the end",
        open: "<div class=page><div class='note wide'>",
        close: "</div></div>",
        content: further_numbered,
    },
];

/// Returns all generated sites of articles.
pub(crate) fn sites() -> impl Iterator<Item = Made> {
    KINDS.iter().zip(1..).map(|(kind, site)| made(kind, site))
}

/// Generates the pages and labels of one site. Equal numbers give equal sites.
fn made(kind: &Kind, site: u64) -> Made {
    let mut out = Made {
        name: kind.name,
        urls: Vec::new(),
        html: Vec::new(),
        labels: Vec::new(),
    };
    for page in 0..PAGES {
        let seed = site * 1_000_003 + page * 10_007;
        let lines = (kind.content)(seed, &mut SplitMix64::new(seed));
        let title = prose(seed + 77, 5).replace('.', "");
        let content: String = lines
            .iter()
            .map(|line| format!("{}{}{}", line.before, line.text, line.after))
            .collect();
        let html = format!(
            "<html><head><title>{title}</title></head><body><div class=top><a href=/>The valley</a> <a href=/a>All pages</a> <a \
             href=/b>About us and the valley</a></div>{}<h1>{title}</h1>{content}{}<div class=bottom>Printed in the valley \
             since 2003</div></body></html>",
            kind.open, kind.close
        );
        let gold: String = lines
            .iter()
            .filter(|line| line.main)
            .map(|line| format!("{}\n", line.text))
            .collect();
        // The title stands in the heading and may be extracted or not.
        let neutral = title.clone() + "\n";
        out.urls.push(format!("https://articles{site}.example/t/{page}"));
        out.labels.push(Label {
            other: other(&html, &[&gold, &neutral]),
            wide: format!("{neutral}{gold}"),
            gold,
            neutral,
        });
        out.html.push(html);
    }
    out
}
