//! The title of a page without the name of its site.

use super::address_words::AddressWords;
use super::clean_text::{clean_text, key};
use super::person;
use super::sources::json_ld::JsonLd;
use super::sources::meta::Meta;
use crate::analysis::blocks::table::BlockTable;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::Address;

/// Separators between a title and the name of the site.
const SEPARATORS: &[&str] = &[
    " | ", " - ", " – ", " — ", " :: ", " » ", " « ", " / ", " • ", " · ", " > ", " \\ ",
];

/// Returns the separators that may occur in a title, judged by their second byte.
fn separators_in(title: &str) -> impl Iterator<Item = &'static str> {
    let bytes = title.as_bytes();
    // All separators begin with a space, so that their second byte distinguishes them.
    let may_occur = |separator: &&&str| memchr::memchr(separator.as_bytes()[1], bytes).is_some();
    SEPARATORS.iter().filter(may_occur).copied()
}

/// Chooses the title: that of OpenGraph, else that of an article in JSON-LD, else `<title>` (`element`),
/// else the first heading.
///
/// The name of the site is removed. If the first heading is a part of `<title>`, the rest of `<title>` is removed, too.
pub(super) fn choose(
    dom: &Dom<'_>,
    table: &BlockTable,
    meta: &Meta<'_>,
    ld: &JsonLd,
    site: Option<&str>,
    url: Option<&str>,
    element: Option<NodeId>,
) -> Option<String> {
    let host = url.and_then(host);
    let strip = |title: String| strip_site(&title, site, host);
    if let Some(title) = meta.first(&["og:title"]).or_else(|| ld.headline.clone()) {
        return Some(strip(title));
    }
    let first_heading = table.blocks().iter().find(|b| b.heading == 1 && !b.hidden);
    let heading = first_heading.and_then(|b| {
        // The heading may consist of several blocks.
        let h1 = dom
            .ancestors(*table.nodes(b).first()?)
            .find(|&a| dom.html_tag(a) == Some(Tag::H1))?;
        clean_text(&dom.text_below(h1))
    });
    let title = element.and_then(|t| clean_text(&dom.text_below(t)));
    let title = title.or_else(|| meta.first(&["twitter:title", "dc.title", "title"]));
    match (title, heading) {
        (Some(title), heading) => {
            let part = heading
                .and_then(|h| heading_in_title(&title, &h))
                .or_else(|| shown_part(&title, table));
            Some(part.unwrap_or_else(|| strip(title)))
        }
        (None, heading) => heading,
    }
}

/// Returns the heading if it is the title or a part of it between separators.
fn heading_in_title(title: &str, heading: &str) -> Option<String> {
    let (low, part) = (title.to_lowercase(), heading.to_lowercase());
    if part.chars().count() < 3 {
        return None;
    }
    // Lower-casing may move bytes, so offsets are used in the lower-cased title only.
    let at = low.find(&part)?;
    let before = low[..at].trim_end();
    let after = low[at + part.len()..].trim_start();
    let is_separated = |s: &str, end: bool| {
        s.is_empty()
            || SEPARATORS
                .iter()
                .map(|m| m.trim())
                .any(|m| if end { s.ends_with(m) } else { s.starts_with(m) })
            || (if end {
                s.ends_with(':')
            } else {
                s.starts_with(['.', ',', '(', ':'])
            })
    };
    (is_separated(before, true) && is_separated(after, false)).then(|| heading.to_owned())
}

/// Whether a heading is a part of a title between marks, or at its ends: neither a word before it nor one
/// after it belongs to the same phrase.
pub(super) fn is_whole_part(title: &str, heading: &str) -> bool {
    let (title, heading) = (title.to_lowercase(), heading.trim().to_lowercase());
    let Some(at) = title.find(&heading) else {
        return false;
    };
    let before = title[..at].trim_end().chars().next_back();
    let after = title[at + heading.len()..].trim_start().chars().next();
    let is_mark = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    is_mark(before) && is_mark(after)
}

/// Returns the longer of the two parts of a title, before and after its first or last separator, if the
/// page shows it as a block.
fn shown_part(title: &str, table: &BlockTable) -> Option<String> {
    let low = title.to_lowercase();
    for separator in separators_in(&low) {
        for (head, tail) in [low.rsplit_once(separator), low.split_once(separator)]
            .into_iter()
            .flatten()
        {
            let part = if head.chars().count() >= tail.chars().count() {
                head
            } else {
                tail
            };
            let shown = |block: &crate::analysis::blocks::block::Block| {
                let text = table.text(block);
                // Lower-casing may change the length, but only a little.
                !block.hidden && text.len() <= part.len() * 2 && is_lower_case(part, text)
            };
            if let Some(block) = table.blocks().iter().find(|b| shown(b)) {
                return Some(table.text(block).to_owned());
            }
        }
    }
    None
}

/// Whether `lower` is the lower case of `text`.
fn is_lower_case(lower: &str, text: &str) -> bool {
    if text.is_ascii() {
        // `lower` has no upper case, so ignoring case gives the same result.
        lower.len() == text.len() && lower.eq_ignore_ascii_case(text)
    } else {
        text.to_lowercase() == lower
    }
}

/// Returns the name of the site in `<title>`: the part after the headline and after the last separator.
pub(super) fn rest(title: &str, heading: &str) -> Option<String> {
    const MARKS: [char; 12] = ['|', '｜', '：', '_', '-', '–', '—', '•', '·', '»', '«', ':'];
    const MAX: usize = 40;
    let (title, heading) = (clean_text(title)?, clean_text(heading)?);
    let behind = title.strip_prefix(heading.as_str())?;
    let trimmed = behind.trim_start();
    if !trimmed.starts_with(MARKS) {
        return None;
    }
    let parts = trimmed
        .split(" | ")
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" – "));
    let name = parts
        .last()?
        .trim_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    // `The river - by Ann Lee`
    let fits = name.chars().any(char::is_alphabetic)
        && name.chars().count() <= MAX
        && !person::has_byline_phrase(name);
    fits.then(|| name.to_owned())
}

/// Returns the first or last part of `<title>` between separators that is the name of the host.
pub(super) fn host_part(title: &str, address: &AddressWords) -> Option<String> {
    separators_in(title).find_map(|separator| {
        let first = title.split_once(separator).map(|(first, _)| first);
        let last = title.rsplit_once(separator).map(|(_, last)| last);
        let mut parts = [last, first].into_iter().flatten();
        let part = parts.find(|part| address.is_host(&key(part)))?;
        clean_text(part)
    })
}

/// Returns the name of a site without the motto after it, if the name is that of the host.
pub(super) fn without_motto<'n>(name: &'n str, address: &AddressWords) -> &'n str {
    let mut names = separators_in(name).filter_map(|separator| name.split_once(separator));
    names
        .find(|(first, _)| address.is_host(&key(first)))
        .map_or(name, |(first, _)| first.trim())
}

/// Returns the title before the first bar, where names of sections and sites begin. The whole title is
/// returned if that part is short.
pub(super) fn before_bar(title: &str) -> &str {
    const LEAST: usize = 12;
    let head = title.split(['|', '｜']).next().unwrap_or_default().trim();
    if head.chars().count() >= LEAST {
        head
    } else {
        title
    }
}

/// Removes the site's name, or its host, from either end of a title.
fn strip_site(title: &str, site: Option<&str>, host: Option<&str>) -> String {
    let is_site = |part: &str| {
        let part = key(part);
        // The host without `www.`, or its first label.
        let by_host = host
            .map(|h| h.strip_prefix("www.").unwrap_or(h))
            .is_some_and(|h| part == key(h) || h.split('.').next().is_some_and(|name| part == key(name)));
        !part.is_empty() && (by_host || site.is_some_and(|s| key(s) == part))
    };
    for separator in separators_in(title) {
        if let Some((head, tail)) = title.rsplit_once(separator)
            && is_site(tail)
            && !head.trim().is_empty()
        {
            return head.trim().to_owned();
        }
        if let Some((head, tail)) = title.split_once(separator)
            && is_site(head)
            && !tail.trim().is_empty()
        {
            return tail.trim().to_owned();
        }
    }
    title.to_owned()
}

/// Host of an address; `None` if it has none.
fn host(url: &str) -> Option<&str> {
    let host = Address::split(url)?.host();
    (!host.is_empty()).then_some(host)
}
