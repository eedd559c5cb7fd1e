//! Texts that most pages have, as parts of their own: a repeated line among lines that vary, and the section
//! below a repeated heading.
//!
//! Tags and classes do not separate a list of related links at the end of an article from the lists of the
//! article, nor a hint from the paragraphs around it. Their texts do: the heading of the list, or the hint,
//! is on most pages. The evidence for such a part is then measured like that of all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::site::sample::{Line, Sample};

/// Number of elements around a line for which it counts as their line.
const LEVELS: usize = 4;
/// Maximum number of words of a heading, and of words and bytes of a repeated line.
const MAX_HEADING: u32 = 12;
const MAX_WORDS: u32 = 60;
const MAX_BYTES: usize = 500;
/// Minimum number of words of a repeated line. Shorter ones are labels and values.
const MIN_WORDS: u32 = 4;
/// Minimum share of all pages that must have a repeated line.
const MIN_PAGES: f64 = 0.25;
/// Maximum mean number of a repeated heading on pages that have it. A heading of every post begins no section of the page.
const MAX_COUNT: f64 = 1.25;

/// Minimum mean share of the words of its parent that precede a repeated heading, 0 to 1. What follows a
/// heading at the top is the whole text, with sections of its own.
const MIN_BEFORE: f64 = 0.15;
/// Maximum mean share of the words of its parent after the section of a repeated heading, 0 to 1. A section
/// between others is of the same kind as they are.
const MAX_AFTER: f64 = 0.2;

/// Elements, as pairs of page and element number.
pub(super) type Members = Vec<(usize, u32)>;

/// Returns the level of a heading, 1 to 6; `None` for other tags.
pub(super) fn heading_level(tag: &str) -> Option<u32> {
    match tag.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(u32::from(digit - b'0')),
        _ => None,
    }
}

/// For each element, its line if it has exactly one that is visible.
pub(super) fn only_lines(page: &Sample) -> Vec<Option<&Line>> {
    let mut out: Vec<(u32, Option<&Line>)> = vec![(0, None); page.elements.len()];
    for line in page.lines.iter().filter(|line| !line.hidden && line.tokens > 0) {
        let mut at = Some(line.element);
        for _ in 0..LEVELS {
            let Some(element) = at else { break };
            // `only` is the last line seen; it is used if there was no other.
            let (count, only) = &mut out[element as usize];
            *count += 1;
            *only = Some(line);
            at = page.elements[element as usize].parent;
        }
    }
    out.into_iter()
        .map(|(count, line)| line.filter(|_| count == 1))
        .collect()
}

/// For each element, the number of words in it.
pub(super) fn words(page: &Sample) -> Vec<u32> {
    let mut out = vec![0; page.elements.len()];
    for line in page.lines.iter().filter(|line| !line.hidden) {
        out[line.element as usize] += line.tokens;
    }
    for i in (0..out.len()).rev() {
        if let Some(parent) = page.elements[i].parent {
            out[parent as usize] += out[i];
        }
    }
    out
}

/// Returns the line of an element that may be a repeated heading.
fn heading<'s>(page: &Sample, element: u32, line: Option<&'s Line>) -> Option<(u32, &'s Line)> {
    let level = heading_level(page.str(page.elements[element as usize].tag))?;
    let line = line.filter(|line| line.tokens <= MAX_HEADING)?;
    Some((level, line))
}

/// Pages and lines of one text.
#[derive(Default)]
struct Text {
    pages: BTreeSet<usize>,
    count: usize,
    /// Sum of the shares of its parent's words before it, and (`after`) after its section.
    before: f64,
    after: f64,
    text: String,
}

/// The elements of a section below a repeated heading, with the text of the heading.
pub(super) type Section = (String, Members);

/// Divides the children of one part: into children outside of sections, and sections at the end of the part,
/// below headings that at least half of the pages have. A section begins with its heading and ends before the
/// next heading of its level or above. `lines` are the results of [`only_lines`] for each page, `words` the
/// results of [`words`].
///
/// A heading at the beginning of its parent begins no section, since the parent is one.
pub(super) fn sections(
    pages: &[&Sample],
    lines: &[Vec<Option<&Line>>],
    words: &[Vec<u32>],
    elements: Members,
) -> (Members, Vec<Section>) {
    let parent = |&(p, e): &(usize, u32)| (p, pages[p].elements[e as usize].parent);
    let heading_of = |&(p, e): &(usize, u32)| heading(pages[p], e, lines[p][e as usize]);
    let level_of = |&(p, e): &(usize, u32)| heading_level(pages[p].str(pages[p].elements[e as usize].tag));
    let mut texts: BTreeMap<u64, Text> = BTreeMap::new();
    let mut holders = BTreeSet::new();
    for siblings in elements.chunk_by(|a, b| parent(a) == parent(b)) {
        let all: f64 = siblings
            .iter()
            .map(|&(p, e)| f64::from(words[p][e as usize]))
            .sum();
        // Shares of the parent's words, so that long pages count no more than short ones.
        let share = |words: f64| words / all.max(1.0);
        let mut before = 0.0;
        // Headings whose sections go on, with their levels, which increase.
        let mut open: Vec<(u32, u64)> = Vec::new();
        for element in siblings {
            holders.insert(element.0);
            let here = before;
            before += f64::from(words[element.0][element.1 as usize]);
            let Some(level) = level_of(element) else { continue };
            while let Some((_, ended)) = open.pop_if(|(above, _)| *above >= level) {
                texts.entry(ended).or_default().after += share(all - here);
            }
            let Some((_, line)) = heading_of(element) else {
                continue;
            };
            open.push((level, line.hash));
            let text = texts.entry(line.hash).or_default();
            text.pages.insert(element.0);
            text.count += 1;
            text.before += share(here);
            if text.text.is_empty() {
                pages[element.0].text(line).clone_into(&mut text.text);
            }
        }
    }
    // Sections that are open at the end of their parent have no words after them, so `after` stays as it is.
    let begins = |text: &Text| {
        let n = text.pages.len();
        n >= 2
            && 2 * n >= holders.len()
            && text.before >= MIN_BEFORE * text.count as f64
            && text.after <= MAX_AFTER * text.count as f64
            && text.count as f64 <= MAX_COUNT * n as f64
            && text.text.len() <= MAX_BYTES
    };
    texts.retain(|_, text| begins(text));
    if texts.is_empty() {
        return (elements, Vec::new());
    }
    // Second pass: each element goes to the section of the last repeated heading before it, or to none.
    let (mut outside, mut inside): (Members, BTreeMap<u64, Members>) = Default::default();
    for siblings in elements.chunk_by(|a, b| parent(a) == parent(b)) {
        let mut section: Option<(u64, u32)> = None;
        for element in siblings {
            if let Some(level) = level_of(element) {
                let own = heading_of(element).filter(|(_, line)| texts.contains_key(&line.hash));
                section = match own {
                    Some((level, line)) => Some((line.hash, level)),
                    None => section.filter(|(_, above)| *above < level),
                };
            }
            match section {
                Some((hash, _)) => inside.entry(hash).or_default().push(*element),
                None => outside.push(*element),
            }
        }
    }
    let sections = inside.into_iter().filter_map(|(hash, members)| {
        let text = texts.remove(&hash)?;
        Some((text.text, members))
    });
    (outside, sections.collect())
}

/// Splits elements of one kind by repeated texts, if most of them have other texts: returns the others, and
/// the elements of each repeated text.
pub(super) fn by_text(
    pages: &[&Sample],
    lines: &[Vec<Option<&Line>>],
    members: Members,
) -> (Members, Vec<(String, Members)>) {
    let Some(&(p, e)) = members.first() else {
        return (members, Vec::new());
    };
    let tag = pages[p].str(pages[p].elements[e as usize].tag);
    if !matches!(tag, "p" | "div" | "li" | "blockquote" | "center") {
        return (members, Vec::new());
    }
    let line_of = |&(p, e): &(usize, u32)| {
        // The line must be in the element itself, not in one inside it.
        let line = lines[p][e as usize].filter(|line| line.element == e)?;
        let fits = (MIN_WORDS..=MAX_WORDS).contains(&line.tokens) && pages[p].text(line).len() <= MAX_BYTES;
        fits.then_some(line)
    };
    let mut texts: BTreeMap<u64, Text> = BTreeMap::new();
    let mut holders = BTreeSet::new();
    for member in &members {
        holders.insert(member.0);
        let Some(line) = line_of(member) else { continue };
        let text = texts.entry(line.hash).or_default();
        text.pages.insert(member.0);
        text.count += 1;
        if text.text.is_empty() {
            pages[member.0].text(line).clone_into(&mut text.text);
        }
    }
    let repeats = |text: &Text| {
        let n = text.pages.len();
        n >= 2 && 2 * n >= holders.len() && n as f64 >= MIN_PAGES * pages.len() as f64
    };
    texts.retain(|_, text| repeats(text));
    let repeated: usize = texts.values().map(|text| text.count).sum();
    // If most members repeat, the kind as a whole repeats. Otherwise more than half remain in `others`.
    if repeated == 0 || 2 * repeated >= members.len() {
        return (members, Vec::new());
    }
    let (mut others, mut split): (Members, BTreeMap<u64, Members>) = Default::default();
    for member in members {
        match line_of(&member).filter(|line| texts.contains_key(&line.hash)) {
            Some(line) => split.entry(line.hash).or_default().push(member),
            None => others.push(member),
        }
    }
    let split = split.into_iter().filter_map(|(hash, members)| {
        let text = texts.remove(&hash)?;
        Some((text.text, members))
    });
    (others, split.collect())
}
