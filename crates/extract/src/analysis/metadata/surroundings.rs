//! The surroundings of the main text: the headline, and the short lines above and below the text, with the
//! classes of their names and marks.

use std::borrow::Cow;
use std::collections::HashSet;

use dehusk_html::budget::Meter;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

use super::clean_text::key;
use super::names;
use crate::analysis::blocks::block::Block;
use crate::analysis::blocks::table::BlockTable;

/// Minimum characters of a paragraph of text. Scripts without spaces have few words.
const LONG_CHARS: u32 = 140;
/// Minimum words of a paragraph of text.
const LONG_WORDS: u32 = 22;
/// Share of links, in characters, from which a block is not a paragraph.
const MOSTLY_LINKS: f64 = 0.4;
/// Number of blocks above the headline that are searched.
const ABOVE: usize = 16;
/// Number of blocks that are searched from the first paragraph on.
const INTO: usize = 3;
/// Number of blocks after the last paragraph that are searched.
const BELOW: usize = 6;
/// Maximum number of blocks between the headline and the first paragraph.
const BETWEEN: usize = 60;
/// Maximum number of blocks between two paragraphs of one text.
const GAP: usize = 14;
/// Maximum words of a line.
const MAX_WORDS: u32 = 45;
/// Maximum words of a line that is found by its class alone.
const MAX_MARKED_WORDS: u32 = 12;
/// Maximum number of such lines: more lines are those of other texts.
const MAX_MARKED: usize = 6;
/// Maximum number of lines among the paragraphs that have the class of a date.
const MAX_DATED: usize = 2;
/// Maximum number of blocks between the headline and a hidden line that counts.
const MAX_HIDDEN: u32 = 3;
/// Number of levels above a line whose names describe the line itself.
const OWN: usize = 2;
/// Number of levels above a line whose names describe the line or its surroundings.
const AROUND: usize = 7;

/// Number of blocks at the start of the page among which a line may be the headline without being a heading.
const FIRST_BLOCKS: usize = 120;
/// Maximum characters of such a headline.
const MAX_HEADLINE: u32 = 160;
/// Maximum bytes of a title that headings are compared with.
const MAX_TITLE: usize = 1000;
/// Minimum share of the words of the shorter text that an `h1` and a title in other words have in common.
const SAME_WORDS: f32 = 0.6;
/// Minimum number of words that they have in common.
const MIN_SAME: usize = 4;

/// Position of a line relative to the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Zone {
    /// Above the headline.
    Above,
    /// Between the headline and the first paragraph.
    Head,
    /// Among the first paragraphs.
    Body,
    /// After the last paragraph.
    Below,
    /// Further away, in an element with the class of a writer or of a date.
    Marked,
}

/// A short line near the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearLine {
    /// Number of the block.
    pub(super) block: usize,
    pub(super) zone: Zone,
    /// Number of blocks between it and the headline; `None` without a headline.
    pub(super) distance: Option<u32>,
    /// Classes of the names of the nearest elements, as bits of [`names`].
    pub(super) own: u32,
    /// Classes of the names of the elements farther out.
    pub(super) around: u32,
    /// Whether it lies in an article or a side part that does not contain the headline.
    pub(super) apart: bool,
    /// Whether the page does not show it.
    pub(super) hidden: bool,
}

/// The headline and the lines around the text.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// Number of the first block of the headline.
    pub(super) headline: Option<usize>,
    /// The element of the headline: a heading, or the element of a line that is the headline.
    pub(super) heading: Option<NodeId>,
    /// Whether the head of the page states the headline, too.
    pub(super) stated: bool,
    /// Text of the first heading that the page names as the name of its site.
    pub(super) site_heading: Option<String>,
    /// Whether the first paragraph lies in one of several articles.
    pub(super) lists_articles: bool,
    pub(super) lines: Vec<NearLine>,
}

impl Surroundings {
    /// Finds the surroundings. `titles` are the titles that the head of the page states.
    pub(super) fn find(
        dom: &Dom<'_>,
        table: &BlockTable,
        titles: &[&str],
        meter: &mut Meter<'_>,
    ) -> Surroundings {
        let mut out = Surroundings::default();
        out.find_headline(dom, table, titles);
        let blocks = table.blocks();
        if !meter.step(blocks.len() / 8) {
            return out;
        }
        // The text: from the first paragraph below the headline to the last one before a gap.
        let start = out.headline.unwrap_or(0);
        let long = |block: &Block| {
            !block.hidden
                && block.heading == 0
                && (block.chars >= LONG_CHARS || block.words >= LONG_WORDS)
                && block.link_density() < MOSTLY_LINKS
        };
        let first = (start..blocks.len()).find(|&i| long(&blocks[i]));
        let until = first.unwrap_or(blocks.len()).min(start + BETWEEN);
        // The text ends where more than `GAP` blocks follow without a paragraph.
        let mut last = until;
        for (i, block) in blocks.iter().enumerate().skip(until) {
            if i > last + GAP {
                break;
            }
            if long(block) {
                last = i;
            }
        }
        let from = out
            .headline
            .map_or(until.saturating_sub(BETWEEN), |at| at.saturating_sub(ABOVE));
        // Some pages have the headline above the element of the article.
        let paragraph = first
            .filter(|&first| first < start + BETWEEN)
            .map(|first| blocks[first].element);
        out.lists_articles = paragraph.is_some_and(|element| is_in_one_of_several_articles(dom, element));
        let paragraph = paragraph.filter(|_| !out.lists_articles);
        // Elements around the headline or the first paragraph. A line in none of their articles is apart.
        let inside: HashSet<NodeId> = out
            .heading
            .into_iter()
            .chain(paragraph)
            .flat_map(|element| dom.ancestors(element))
            .collect();
        // Classes of names are computed once for each distinct name.
        let mut known = vec![None; table.all_names().len()];
        // Without a headline, all lines before the text count as above it.
        let (above, head) = match out.headline {
            Some(_) => (from..start, start + 1..until),
            None => (from..until, until..until),
        };
        let body = until..until + INTO;
        // `below` begins after `body`, so that no line is read twice.
        let below = (last + 1).max(until + INTO)..last + 1 + BELOW;
        let (mut marked, mut dated) = (Vec::new(), Vec::new());
        // Lines far from the text count by their class alone.
        for (i, block) in blocks.iter().enumerate().skip(start) {
            let near = [&above, &head, &body, &below]
                .into_iter()
                .any(|range| range.contains(&i));
            if near || block.hidden || !(1..=MAX_MARKED_WORDS).contains(&block.words) {
                continue;
            }
            if marked.len() > MAX_MARKED || !meter.step(1) {
                break;
            }
            let own = own_names(dom, table, block, &mut known);
            if own & names::AUTHOR != 0 {
                marked.push(i);
            } else if own & names::DATE != 0 && i <= last && own & names::COMMENT == 0 {
                dated.push(i);
            }
        }
        // Too many marked lines are those of other texts, so that none counts.
        marked.truncate(if marked.len() > MAX_MARKED { 0 } else { MAX_MARKED });
        // A short text, its date and then comments look like one text. More dates are those of other texts.
        marked.extend(dated.first().filter(|_| dated.len() <= MAX_DATED));
        let mut add = |range: &mut dyn Iterator<Item = usize>, zone: Zone| {
            for i in range {
                let Some(block) = blocks.get(i) else { break };
                if block.words > MAX_WORDS || block.words == 0 || !meter.step(16) {
                    continue;
                }
                let (own, around) = names_around(dom, table, block, &mut known);
                let distance = out.headline.map(|headline| narrow::to_u32(i.abs_diff(headline)));
                // Some designs hide the date and the writer beside the headline.
                let is_near = distance.is_some_and(|distance| distance <= MAX_HIDDEN);
                if block.hidden && !(is_near && own & (names::AUTHOR | names::DATE) != 0) {
                    continue;
                }
                let apart = out.heading.is_some() && is_apart(dom, block.element, &inside);
                out.lines.push(NearLine {
                    block: i,
                    zone,
                    distance,
                    own,
                    around,
                    apart,
                    hidden: block.hidden,
                });
            }
        };
        // Zones in this order, so that the sources read the lines of the text before marked lines further away.
        for (mut range, zone) in [
            (above, Zone::Above),
            (head, Zone::Head),
            (body, Zone::Body),
            (below, Zone::Below),
        ] {
            add(&mut range, zone);
        }
        add(&mut marked.into_iter(), Zone::Marked);
        out
    }

    /// Finds the headline: the heading that matches the longest part of a title in the head, the first of
    /// several; else a line that does; else the only `h1`.
    fn find_headline(&mut self, dom: &Dom<'_>, table: &BlockTable, titles: &[&str]) {
        let whole = titles;
        let titles: Vec<String> = titles
            .iter()
            .map(|title| key(&title[..title.floor_char_boundary(MAX_TITLE)]))
            .filter(|title| !title.is_empty())
            .collect();
        let headings = || {
            let blocks = table.blocks().iter().enumerate();
            blocks
                .filter(|(_, block)| (1..=3).contains(&block.heading) && !block.hidden)
                .take(60)
        };
        let element = |block: &Block| {
            let node = *table.nodes(block).first()?;
            dom.ancestors(node)
                .find(|&a| matches!(dom.html_tag(a), Some(Tag::H1 | Tag::H2 | Tag::H3)))
        };
        // The number of bytes that a heading has in common with a title; `None` if neither contains the other.
        let stated = |text: &str| {
            let heading = key(text);
            // Short headings occur in titles by chance.
            let few = heading.chars().count() < 4;
            let states = |title: &&String| {
                title.contains(&heading)
                    || heading.contains(title.as_str()) && 2 * title.len() > heading.len()
            };
            let longest = titles
                .iter()
                .filter(states)
                .map(|title| title.len().min(heading.len()));
            longest.max().filter(|_| !few)
        };
        let mut best = 0;
        let mut only: Option<(usize, NodeId)> = None;
        let mut several = false;
        // Levels in order: a heading of a lower level must match more to replace one of a higher level.
        for level in 1..=3 {
            for (i, block) in headings().filter(|(_, block)| block.heading == level) {
                let Some(heading) = element(block) else { continue };
                // Of an `h1` in several blocks, the first block counts.
                let begins = only.is_none_or(|(_, known)| known != heading);
                let text = without_kicker(dom, heading, whole).unwrap_or_else(|| text_of(dom, heading));
                if names_site(dom, heading) {
                    self.site_heading.get_or_insert(text);
                    continue;
                }
                // The name of the site is part of its titles, too: the longest match is the headline.
                let in_other_words = || (level == 1).then(|| common_words(&text, whole)).flatten();
                let whole_match = stated(&text);
                let found = whole_match.or_else(in_other_words);
                if let Some(length) = found.filter(|&length| begins && length > best) {
                    (self.headline, self.heading, self.stated) =
                        (Some(i), Some(heading), whole_match.is_some());
                    best = length;
                }
                if level == 1 && begins {
                    several |= only.is_some();
                    only = Some((i, heading));
                }
            }
        }
        if best > 0 {
            return;
        }
        // Some pages mark their headline by a class only. Then only the stated title can identify the line.
        let lines = if titles.is_empty() { 0 } else { FIRST_BLOCKS };
        for (i, block) in table.blocks().iter().enumerate().take(lines) {
            if block.hidden || !(4..=MAX_HEADLINE).contains(&block.chars) || block.link_density() > 0.0 {
                continue;
            }
            let text = key(table.text(block));
            // A line that is less than 40 % of the title may name the section or the site.
            let is_part = |title: &String| title.contains(&text) && 5 * text.len() >= 2 * title.len();
            if text.len() > best && titles.iter().any(is_part) && !names_site(dom, block.element) {
                (self.headline, self.heading, self.stated) = (Some(i), Some(block.element), true);
                best = text.len();
            }
        }
        if let Some((i, heading)) = only.filter(|_| !several && best == 0) {
            (self.headline, self.heading) = (Some(i), Some(heading));
        }
    }

    /// Returns the text of the headline without the words above it (a kicker) or below it (a subtitle) that
    /// its own elements mark, or that the titles of the head separate from it.
    pub(super) fn headline_text(&self, dom: &Dom<'_>, table: &BlockTable, titles: &[&str]) -> Option<String> {
        let heading = self.heading?;
        match dom.html_tag(heading) {
            Some(Tag::H1 | Tag::H2 | Tag::H3) => Some(
                without_kicker(dom, heading, titles)
                    .or_else(|| without_subtitle(dom, heading, titles))
                    .unwrap_or_else(|| text_of(dom, heading)),
            ),
            // Other elements may contain more than the headline.
            _ => {
                let block = table.blocks().get(self.headline?)?;
                Some(table.text(block).to_owned())
            }
        }
    }
}

/// Returns the bytes of the words that a heading and a title have in common; `None` if they are too few for
/// two versions of one headline.
fn common_words(heading: &str, titles: &[&str]) -> Option<usize> {
    let words = |text: &str| {
        let words = text[..text.floor_char_boundary(MAX_TITLE)]
            .split_whitespace()
            .map(key);
        words.filter(|word| !word.is_empty()).collect::<HashSet<String>>()
    };
    let shown = words(heading);
    let of_title = |title: &&str| {
        let stated = words(title);
        let common: Vec<&String> = shown.intersection(&stated).collect();
        let least = SAME_WORDS * shown.len().min(stated.len()) as f32;
        let fits = common.len() >= MIN_SAME && common.len() as f32 >= least;
        fits.then(|| common.iter().map(|word| word.len()).sum())
    };
    titles.iter().filter_map(of_title).max()
}

/// Whether a heading, or one of the two elements around it, is named as the name of the site.
fn names_site(dom: &Dom<'_>, heading: NodeId) -> bool {
    let above = std::iter::once(heading).chain(dom.ancestors(heading)).take(3);
    above.fold(0, |found, at| {
        let attrs = [AttrName::ID, AttrName::CLASS].into_iter();
        let values = attrs.filter_map(|attr| short_attr(dom, at, attr));
        values.fold(found, |found, value| found | names::of(&value))
    }) & names::SITE
        != 0
}

/// Returns the text of a heading without its kicker; `None` if it has no kicker. The kicker is the first
/// element, if its names say so or if a title of the head has a mark between it and the rest.
fn without_kicker(dom: &Dom<'_>, heading: NodeId, titles: &[&str]) -> Option<String> {
    const MIN_REST: usize = 10;
    // Some headings have one element around all of their text.
    let mut at = heading;
    for _ in 0..4 {
        let mut shown = dom.children(at).filter(|&child| !is_empty(dom, child));
        let first = shown.next()?;
        match shown.next() {
            None => at = first,
            Some(_) if dom.is_text(first) => return None,
            Some(_) => {
                // Several parts. The first is an element: it may be the kicker.
                let kicker = text_of(dom, first);
                let whole = text_of(dom, heading);
                let rest = whole
                    .trim_start()
                    .strip_prefix(kicker.trim_start())?
                    .trim()
                    .to_owned();
                let named = [AttrName::CLASS, AttrName::ID]
                    .into_iter()
                    .filter_map(|attr| short_attr(dom, first, attr))
                    .any(|value| names::of(&value) & names::KICKER != 0);
                // The head may state `Interview: The mill` where the page shows two lines.
                let (before, after) = (key(&kicker), key(&rest));
                let parted = || {
                    titles.iter().any(|title| {
                        let title = &title[..title.floor_char_boundary(MAX_TITLE)];
                        [": ", " - ", " – ", " | ", " — "].iter().any(|mark| {
                            title.split_once(mark).is_some_and(|(left, right)| {
                                key(left) == before && key(right).starts_with(&after)
                            })
                        })
                    })
                };
                // In `Interview: The mill` both are one headline.
                let is_whole = rest.starts_with([':', ',', '-', '–', '|']);
                let fits = !before.is_empty() && !is_whole && rest.chars().count() >= MIN_REST;
                return (fits && (named || parted())).then_some(rest);
            }
        }
    }
    None
}

/// Returns the text of a heading before an element in it, if a title of the head ends there; `None` if no
/// title does, or if one has the whole text. The element holds a subtitle, buttons or a counter.
fn without_subtitle(dom: &Dom<'_>, heading: NodeId, titles: &[&str]) -> Option<String> {
    const MAX_PARTS: usize = 12;
    let titles: Vec<&str> = titles
        .iter()
        .map(|title| &title[..title.floor_char_boundary(MAX_TITLE)])
        .collect();
    // A title with the whole text shows that no part of the heading is foreign to it.
    let whole = key(&text_of(dom, heading));
    if titles.iter().any(|title| key(title).contains(&whole)) {
        return None;
    }
    let is_title = |text: &str| {
        let text = key(text);
        let is_first = |title: &str| {
            let mut marks = [" | ", " - ", " – ", " — "].iter();
            marks.any(|mark| {
                title
                    .split_once(mark)
                    .is_some_and(|(first, _)| key(first) == text)
            })
        };
        !text.is_empty() && titles.iter().any(|title| key(title) == text || is_first(title))
    };
    let mut at = heading;
    for _ in 0..4 {
        let shown = || {
            dom.children(at)
                .filter(|&child| !is_empty(dom, child))
                .take(MAX_PARTS)
        };
        let first = shown().next()?;
        if shown().count() == 1 {
            at = first;
            continue;
        }
        let mut before = String::new();
        // A title that ends before an element: `<h1>The mill <small>A history</small></h1>`.
        for child in shown() {
            if !dom.is_text(child) && is_title(&before) {
                return Some(before.trim().to_owned());
            }
            match dom.is_text(child) {
                true => before.push_str(&dom.text(child)),
                false => before.push_str(&text_of(dom, child)),
            }
        }
        return None;
    }
    None
}

/// Whether a node shows no text.
fn is_empty(dom: &Dom<'_>, node: NodeId) -> bool {
    match dom.is_text(node) {
        true => dom.text(node).trim().is_empty(),
        false => text_of(dom, node).trim().is_empty(),
    }
}

/// Returns the text of a heading, cut after about 1000 bytes, since a heading may contain half of the page.
fn text_of(dom: &Dom<'_>, heading: NodeId) -> String {
    let mut out = String::new();
    for node in dom.preorder(heading).take(60) {
        if dom.is_text(node) {
            out.push_str(&dom.text(node));
        } else if dom.html_tag(node) == Some(Tag::BR) {
            out.push(' ');
        }
        if out.len() > 1000 {
            break;
        }
    }
    out
}

/// Returns the classes of the names of the elements above a block: of the nearest elements, and of the
/// elements around these.
fn names_around(dom: &Dom<'_>, table: &BlockTable, block: &Block, known: &mut [Option<u32>]) -> (u32, u32) {
    let contexts = table.contexts();
    let above = std::iter::successors(Some(block.context), |&at| contexts[at as usize].parent);
    let (mut own, mut around) = (0, 0);
    for (level, at) in above.take(AROUND).enumerate() {
        let found = names_of(dom, table, at, known);
        match level < OWN {
            true => own |= found,
            false => around |= found,
        }
    }
    (own, around)
}

/// Returns the classes of the names of the nearest elements above a block.
fn own_names(dom: &Dom<'_>, table: &BlockTable, block: &Block, known: &mut [Option<u32>]) -> u32 {
    let contexts = table.contexts();
    let above = std::iter::successors(Some(block.context), |&at| contexts[at as usize].parent);
    above
        .take(OWN)
        .fold(0, |found, at| found | names_of(dom, table, at, known))
}

/// Returns the classes of the names and the tag of a context. `known` caches the classes of each name.
fn names_of(dom: &Dom<'_>, table: &BlockTable, context: u32, known: &mut [Option<u32>]) -> u32 {
    let context = &table.contexts()[context as usize];
    let tag = match dom.html_tag(context.element) {
        Some(Tag::ASIDE | Tag::NAV | Tag::FOOTER) => names::TEASER,
        Some(Tag::TIME) => names::DATE,
        _ => 0,
    };
    let found = match known.get_mut(context.names()) {
        Some(known) => *known.get_or_insert_with(|| names::of(table.names(context))),
        None => names::of(table.names(context)),
    };
    found | tag
}

/// Whether the nearest article around an element has another article beside it: the page lists texts.
fn is_in_one_of_several_articles(dom: &Dom<'_>, element: NodeId) -> bool {
    const MAX_BESIDE: usize = 60;
    let is_article = |node: NodeId| dom.html_tag(node) == Some(Tag::ARTICLE);
    let around = || std::iter::once(element).chain(dom.ancestors(element)).take(30);
    let Some(at) = around().position(is_article) else {
        return false;
    };
    // The article itself, or an item of a list that holds it alone.
    around().skip(at).take(2).any(|child| {
        let Some(parent) = dom.ancestors(child).next() else {
            return false;
        };
        let others = dom
            .children(parent)
            .take(MAX_BESIDE)
            .filter(|&other| other != child);
        others
            .into_iter()
            .any(|other| is_article(other) || dom.children(other).take(4).any(is_article))
    })
}

/// Whether an element lies in an article or a side part that does not contain the headline. `inside` has
/// the elements that contain the headline.
pub(super) fn is_apart(dom: &Dom<'_>, element: NodeId, inside: &HashSet<NodeId>) -> bool {
    let above = std::iter::once(element).chain(dom.ancestors(element)).take(30);
    above.take_while(|at| !inside.contains(at)).any(|at| {
        matches!(
            dom.html_tag(at),
            Some(Tag::ARTICLE | Tag::ASIDE | Tag::NAV | Tag::FOOTER)
        )
    })
}

/// Returns the classes of the names of the inline elements around a text node, below the element of its block.
pub(super) fn inline_names(dom: &Dom<'_>, block: &Block, node: NodeId) -> u32 {
    let above = dom.ancestors(node).take_while(|&at| at != block.element).take(5);
    above.fold(0, |found, at| {
        let mut found = found;
        for attr in [AttrName::CLASS, AttrName::ID] {
            if let Some(value) = short_attr(dom, at, attr) {
                found |= names::of(&value);
            }
        }
        match dom.html_tag(at) {
            Some(Tag::TIME) => found |= names::DATE,
            Some(Tag::A) => found |= link(dom, at),
            _ => {}
        }
        found
    })
}

/// Maximum bytes of an attribute: it is read once for each text in its element.
const MAX_ATTR: usize = 300;

/// Returns the value of an attribute; `None` if it is missing or longer than [`MAX_ATTR`].
pub(super) fn short_attr<'d>(dom: &'d Dom<'_>, at: NodeId, name: AttrName) -> Option<Cow<'d, str>> {
    let attr = dom.attrs_of(at).iter().find(|attr| attr.is(name))?;
    (dom.attr_bytes(attr).0.len() <= MAX_ATTR).then(|| dom.attr_value(attr))
}

/// Returns [`names::AUTHOR_LINK`] if a link leads to the page of a writer, by `rel` or by a part of its address; else 0.
pub(super) fn link(dom: &Dom<'_>, at: NodeId) -> u32 {
    const WRITERS: &[&str] = &[
        "author",
        "authors",
        "autor",
        "autoren",
        "autores",
        "auteur",
        "auteurs",
        "profile",
        "profiles",
        "people",
        "person",
        "staff",
        "user",
        "users",
        "member",
        "members",
        "contributor",
        "contributors",
        "by",
        "journalist",
        "journalists",
        "writer",
        "writers",
        "columnist",
        "columnists",
        "redakteur",
        "autori",
        "byline",
        "reporter",
        "reporters",
        "our-team",
        "bio",
        "u",
        "editors",
        "autorzy",
        "blogger",
        "bloggers",
        "columnista",
        "columnistas",
        "forfatter",
        "journaliste",
        "journalistes",
        "kolumnisten",
        "periodista",
        "periodistas",
        "redactie",
        "redacteur",
        "skribent",
        "yazar",
        "yazarlar",
    ];
    if short_attr(dom, at, AttrName::REL).is_some_and(|rel| {
        rel.split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case("author"))
    }) {
        return names::AUTHOR_LINK;
    }
    let Some(href) = short_attr(dom, at, AttrName::HREF) else {
        return 0;
    };
    let path = href
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    // The last part of the path names the writer; one of the three parts before it is a word for writers.
    let leads = path
        .rsplit('/')
        .skip(1)
        .take(3)
        .any(|part| WRITERS.contains(&part.to_ascii_lowercase().as_str()));
    let by_number = ["?author=", "author_id=", "authorid="]
        .iter()
        .any(|part| href.contains(part));
    if leads || by_number { names::AUTHOR_LINK } else { 0 }
}
