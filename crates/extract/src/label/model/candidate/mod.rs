//! The best candidate among the elements that contain lines: the element that Readability would choose if it saw only these.
//!
//! The steps are those of Arc90's readability (2009) in the form of Mozilla's Readability.js, applied in a few passes to the table of
//! elements instead of to a tree. Paragraphs add to the scores of their ancestors; class and id raise or lower them. The best element is
//! kept with the siblings that belong to it, without clutter. Deviations from the method `readability`: images, embedded objects and
//! controls are not counted, all kinds of clutter are removed in one pass, and class and id are looked up together.

pub(crate) mod buffers;

use std::ops::Range;

use self::buffers::{Candidate, CandidateBuffers, ContentCounts, ElementTraits, Place};
use crate::label::extractor::PageView;
use crate::label::model::page_table::{Element, NONE, PageTable};
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Minimum number of kept characters. If fewer are kept, a second attempt includes elements with unlikely names.
const MIN_KEPT_CHARS: u32 = 500;
/// Minimum characters directly in an element for its lines to contribute to scores.
const MIN_CHARS: u32 = 25;
/// Divisors of the score that a paragraph adds to its ancestors, nearest first.
const SHARES: [f32; 5] = [1.0, 2.0, 6.0, 9.0, 12.0];
/// Share of the best score at or above which another candidate is close to it. `MIN_CLOSE`: number of close
/// candidates whose common ancestor is chosen instead.
const CLOSE_SCORE: f32 = 0.75;
const MIN_CLOSE: usize = 3;
/// Minimum score of a sibling: this share of the best score, but at least `SIBLING_MIN`.
const SIBLING_SHARE: f32 = 0.2;
const SIBLING_MIN: f32 = 10.0;

impl ContentCounts {
    fn links(&self) -> f32 {
        link_density(self.linked, self.chars)
    }

    fn add(&mut self, other: &ContentCounts) {
        self.chars += other.chars;
        self.linked += other.linked;
        self.commas += other.commas;
        self.headings += other.headings;
        self.lists += other.lists;
        self.paragraphs += other.paragraphs;
        self.items += other.items;
        self.data |= other.data;
    }
}

fn link_density(linked: u32, chars: u32) -> f32 {
    linked as f32 / chars.max(1) as f32
}

impl CandidateBuffers {
    /// Returns whether each line is kept.
    pub(crate) fn find(&mut self, view: &PageView<'_>, page: &PageTable) -> &[bool] {
        let excludes = self.read_elements(view, page);
        let first = self.attempt(page);
        // Without exclusions, a second attempt would have the same result.
        if first >= MIN_KEPT_CHARS || !excludes {
            return &self.kept[0];
        }
        // After the swap, `kept[1]` holds the first attempt. The second one is returned only if it keeps more.
        self.kept.swap(0, 1);
        // The second attempt excludes no element: `Candidate::new` clears the mark.
        for element in &mut self.elements {
            *element = Candidate::new(element.parent, element.traits);
        }
        let second = self.attempt(page);
        &self.kept[usize::from(second <= first)]
    }

    /// Reads the properties of each element that do not depend on its content, and excludes unlikely elements. Returns whether any was
    /// excluded.
    fn read_elements(&mut self, view: &PageView<'_>, page: &PageTable) -> bool {
        let out = &mut self.elements;
        out.clear();
        out.reserve(page.elements.len());
        let mut excludes = false;
        let all_names = view.name_traits();
        for (context, element) in view.table.contexts().iter().zip(&page.elements) {
            // No rule mentions `svg`, which stands for all elements outside HTML.
            let tag = element.tag.unwrap_or(Tag::SVG);
            let names = all_names[context.names()].lists;
            let (mut in_table_or_code, mut excluded) = (false, false);
            // At the root, `NONE` is out of range.
            if let Some(above) = out.get_mut(element.parent as usize) {
                let traits = &mut above.traits;
                traits.has_block_child = true;
                in_table_or_code = traits.in_table_or_code || matches!(traits.tag, Tag::TABLE | Tag::CODE);
                excluded = above.excluded;
            }
            let safe = in_table_or_code || matches!(tag, Tag::BODY | Tag::HTML);
            excluded |= !safe && names.unlikely() || element.side_by_role;
            excludes |= excluded;
            let traits = ElementTraits {
                tag,
                names,
                has_block_child: false,
                in_table_or_code,
            };
            out.push(Candidate {
                excluded,
                ..Candidate::new(element.parent, traits)
            });
        }
        self.contents
            .resize(self.elements.len(), ContentCounts::default());
        excludes
    }

    /// Determines which lines are kept, except those in excluded elements. Returns the number of characters kept.
    fn attempt(&mut self, page: &PageTable) -> u32 {
        let elements = &mut self.elements;
        for line in page.lines.iter().filter(|line| !line.hidden) {
            let element = &mut elements[line.context as usize];
            if !element.excluded {
                element.own.chars += line.chars;
                element.own.linked += line.link_chars;
                element.own.commas += line.counts.commas;
            }
        }
        score(elements);
        let top = sum_up(elements);
        // If no element has a score, all visible lines are kept, as Readability.js falls back to the whole
        // body.
        let best = best(elements, &page.elements, top.elements());
        if let Some(best) = best {
            let chosen = choose(elements, &page.elements, best);
            remove_clutter(elements, &mut self.contents, chosen);
        }
        let mut chars = 0;
        let kept = &mut self.kept[0];
        kept.clear();
        kept.extend(page.lines.iter().map(|line| {
            let element = &elements[line.context as usize];
            let chosen = matches!(element.place, Place::Chosen | Place::Inside);
            let kept = !line.hidden && !element.excluded && (best.is_none() || chosen);
            chars += if kept { line.chars } else { 0 };
            kept
        }));
        chars
    }
}

/// Sets the scores that lines contribute to elements, and initializes the counts of each element with those of its own lines.
fn score(elements: &mut [Candidate]) {
    for i in 0..elements.len() {
        let element = &mut elements[i];
        let Candidate {
            parent, traits, own, ..
        } = *element;
        (element.chars, element.linked) = (own.chars, own.linked);
        if own.chars < MIN_CHARS {
            continue;
        }
        // Readability.js: 1, the number of parts between commas, and 1 for every 100 characters, at most 3.
        let given = 2.0 + own.commas as f32 + (own.chars / 100).min(3) as f32;
        let tag = traits.tag;
        let is_paragraph = matches!(tag, Tag::P | Tag::TD | Tag::PRE | Tag::SECTION)
            || tag.heading_level().is_some_and(|level| level > 1)
            || tag == Tag::DIV && !traits.has_block_child;
        // A paragraph contributes to its ancestors. Text outside a paragraph contributes to its own element as well.
        let mut at = if is_paragraph { parent as usize } else { i };
        for share in SHARES {
            // The root gets no score, as in Readability.js, where an ancestor needs a parent element.
            let Some(above) = elements.get_mut(at).filter(|above| above.parent != NONE) else {
                break;
            };
            if above.score == f32::MIN {
                above.score = initial_score(above.traits);
            }
            above.score += given / share;
            at = above.parent as usize;
        }
    }
}

/// Number of top elements among which the best one is chosen.
const TOP: usize = 5;

/// The elements with the highest scores, best first. Ties are in document order.
#[derive(Default)]
struct Top {
    elements: [usize; TOP],
    scores: [f32; TOP],
    len: usize,
}

impl Top {
    /// Adds an element. Elements must be added in reverse document order.
    fn add(&mut self, element: usize, score: f32) {
        // Of equal scores, the element added last comes first: it is the first one in the document.
        let at = self.scores[..self.len].iter().position(|&other| score >= other);
        let at = at.unwrap_or(self.len);
        if at == TOP {
            return;
        }
        self.len = (self.len + 1).min(TOP);
        self.elements.copy_within(at..self.len - 1, at + 1);
        self.scores.copy_within(at..self.len - 1, at + 1);
        (self.elements[at], self.scores[at]) = (element, score);
    }

    fn elements(&self) -> &[usize] {
        &self.elements[..self.len]
    }
}

/// Sums up the counts of each element, innermost first, and reduces its score by its link density. Returns the elements with the highest
/// scores.
fn sum_up(elements: &mut [Candidate]) -> Top {
    let mut top = Top::default();
    for i in (0..elements.len()).rev() {
        // Children follow their parents, so the counts of this element are complete.
        let (chars, linked) = (elements[i].chars, elements[i].linked);
        if elements[i].score > f32::MIN {
            elements[i].score *= 1.0 - link_density(linked, chars);
            top.add(i, elements[i].score);
        }
        if let Some(above) = elements.get_mut(elements[i].parent as usize) {
            above.chars += chars;
            above.linked += linked;
        }
    }
    top
}

/// Returns the element with the highest score; the common ancestor of it and several close candidates; or an ancestor with a higher
/// score. `None` if no element has a score.
fn best(elements: &[Candidate], page: &[Element], top: &[usize]) -> Option<usize> {
    let mut best = *top.first()?;
    let parent = |e: usize| Some(elements[e].parent as usize).filter(|&p| p < elements.len());
    let above = |from: usize| std::iter::successors(parent(from), |&e| parent(e));
    let holds = |outer: usize, inner: usize| above(inner).any(|e| e == outer);
    let is_close = |&&other: &&usize| elements[other].score >= CLOSE_SCORE * elements[best].score;
    // Several candidates of about equal score are parts of one text: their common ancestor is taken, but
    // neither `html` nor `body`.
    if top[1..].iter().filter(is_close).count() >= MIN_CLOSE {
        let shared = above(best).find(|&outer| {
            let close = top[1..].iter().filter(is_close);
            close.filter(|&&inner| holds(outer, inner)).count() >= MIN_CLOSE && page[outer].depth > 1
        });
        best = shared.unwrap_or(best);
    }
    // Scores fall on the way up, since ancestors get smaller shares. An ancestor with a higher score than its
    // child collects the text of several children, unless it lies after a drop to a third.
    let mut last = elements[best].score;
    let floor = last / 3.0;
    for outer in above(best).filter(|&e| page[e].depth > 1) {
        let score = elements[outer].score;
        if score == f32::MIN {
            continue;
        }
        if score < floor {
            break;
        }
        if score > last {
            best = outer;
            break;
        }
        last = score;
    }
    Some(best)
}

/// Chooses the best element and the siblings that belong to it. Returns a range that covers all chosen elements and their descendants.
fn choose(elements: &mut [Candidate], page: &[Element], best: usize) -> Range<usize> {
    let Candidate { parent, score, .. } = elements[best];
    let threshold = SIBLING_MIN.max(score * SIBLING_SHARE);
    let (outer, first) = if parent == NONE {
        (narrow::to_u32(best), best)
    } else {
        (parent, parent as usize + 1)
    };
    let mut end = first;
    for i in first..elements.len() {
        let element = &elements[i];
        // Elements are in document order, so those inside one parent are consecutive: the first element whose
        // parent comes before `outer` ends them.
        if i != best && !(outer..NONE).contains(&element.parent) {
            break;
        }
        let chosen = if i == best {
            true
        } else if parent != NONE && element.parent == parent {
            let alike = page[i].style == page[best].style;
            let bonus = if alike { score * SIBLING_SHARE } else { 0.0 };
            let links = link_density(element.linked, element.chars);
            // Unlike in Readability.js, a short paragraph need not contain the end of a sentence.
            let text = element.traits.tag == Tag::P
                && (element.chars > 80 && links < 0.25 || element.chars > 0 && element.linked == 0);
            !element.excluded && (element.score > f32::MIN && element.score + bonus >= threshold || text)
        } else {
            false
        };
        let above = elements.get(element.parent as usize);
        elements[i].place = if chosen {
            Place::Chosen
        } else if above.is_some_and(|above| above.place != Place::Outside) {
            Place::Inside
        } else {
            continue;
        };
        end = i + 1;
    }
    first..end
}

/// Marks as clutter the unwanted elements of this range that are inside chosen ones, with their descendants.
fn remove_clutter(elements: &mut [Candidate], contents: &mut [ContentCounts], chosen: Range<usize>) {
    for (element, inside) in elements[chosen.clone()].iter().zip(&mut contents[chosen.clone()]) {
        *inside = ContentCounts {
            chars: element.own.chars,
            linked: element.own.linked,
            commas: element.own.commas,
            ..ContentCounts::default()
        };
    }
    // Innermost first, so that the counts of an element are complete when it is judged.
    for i in chosen.clone().rev() {
        let element = &mut elements[i];
        if element.place != Place::Inside {
            continue;
        }
        let mut inside = contents[i];
        if is_clutter(element.traits, &inside) {
            element.place = Place::Clutter;
            continue;
        }
        match element.traits.tag {
            Tag::P => inside.paragraphs += 1,
            Tag::LI => inside.items += 1,
            Tag::UL | Tag::OL => inside.lists = inside.chars,
            Tag::TH | Tag::CAPTION | Tag::THEAD => inside.data = true,
            tag if tag.heading_level().is_some() => inside.headings = inside.chars,
            _ => {}
        }
        // Clutter was skipped above, so its content does not count for its parent.
        contents[element.parent as usize].add(&inside);
    }
    // Parents precede their children, so that one pass marks all descendants.
    for i in chosen {
        if elements[i].place == Place::Inside && elements[elements[i].parent as usize].place == Place::Clutter
        {
            elements[i].place = Place::Clutter;
        }
    }
}

/// Returns the score of an element before lines contribute to it.
fn initial_score(traits: ElementTraits) -> f32 {
    let by_tag = match traits.tag {
        Tag::DIV => 5.0,
        Tag::PRE | Tag::TD | Tag::BLOCKQUOTE => 3.0,
        Tag::ADDRESS | Tag::OL | Tag::UL | Tag::DL | Tag::DD | Tag::DT | Tag::LI | Tag::FORM => -3.0,
        Tag::TH => -5.0,
        tag if tag.heading_level().is_some() => -5.0,
        _ => 0.0,
    };
    by_tag + traits.names.weight()
}

/// Returns whether an element inside a chosen one is clutter, given the counts of its content.
fn is_clutter(traits: ElementTraits, inside: &ContentCounts) -> bool {
    let list = match traits.tag {
        Tag::FOOTER | Tag::ASIDE | Tag::BUTTON | Tag::SELECT | Tag::TEXTAREA => return true,
        Tag::H1 | Tag::H2 => return traits.names.weight() < 0.0,
        Tag::TABLE if inside.data => return false,
        Tag::UL => true,
        Tag::FORM | Tag::FIELDSET | Tag::TABLE | Tag::DIV => inside.lists as f32 > 0.9 * inside.chars as f32,
        _ => return false,
    };
    let weight = traits.names.weight();
    if weight < 0.0 {
        return true;
    }
    if inside.commas >= 10 {
        return false;
    }
    // From `_cleanConditionally` of Readability.js, which also counts images, embedded objects and inputs.
    let (links, chars) = (inside.links(), inside.chars as f32);
    !list && inside.items as f32 - 100.0 > inside.paragraphs as f32
        || !list && (inside.headings as f32) < 0.9 * chars && inside.chars < 25 && links > 0.0
        || !list && weight < 25.0 && links > 0.2
        || weight >= 25.0 && links > 0.5
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
