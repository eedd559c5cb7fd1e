//! The best candidate among the elements that hold lines: what Readability would choose if it saw only these.
//!
//! The steps are those of Arc90's readability (2009) in the form of Mozilla's Readability.js, applied in a few passes to the table of
//! elements instead of to a tree: paragraphs add to the scores of their ancestors, class and id raise or lower them; the best
//! element is kept with the siblings that belong to it, without clutter. Deviations from the method `readability`: images, embedded
//! objects and controls are not counted, all kinds of clutter are removed in one pass, and class and id are looked up together.

use crate::analysis::blocks::table::BlockTable;
use crate::label::class_lists::ClassLists;
use crate::label::model::lines::Line;
use crate::label::model::page_table::{Element, PageTable};
use dehusk_html::tree::{Dom, Tag};

/// Characters that must be kept; otherwise elements with unlikely names are tried too.
const MIN_KEPT_CHARS: u32 = 500;
/// Characters below which a line does not vote.
const MIN_CHARS: u32 = 25;
/// Divisors of the score that a paragraph adds to its ancestors, the nearest first.
const SHARES: [f32; 5] = [1.0, 2.0, 6.0, 9.0, 12.0];
/// Share of the best score at which another candidate is close to it, and number of close ones whose common ancestor is chosen
/// instead.
const CLOSE_SCORE: f32 = 0.75;
const MIN_CLOSE: usize = 3;
/// Score that a sibling needs: this share of the best score, but at least `SIBLING_MIN`.
const SIBLING_SHARE: f32 = 0.2;
const SIBLING_MIN: f32 = 10.0;

/// What is known of an element without its content.
#[derive(Clone, Copy)]
struct ElementTraits {
    tag: Tag,
    names: ClassLists,
    /// Whether one of its children holds lines.
    has_block_child: bool,
    /// Whether class, id or role say that it is no content. Class and id do not count inside tables and code.
    unlikely: bool,
}

/// Counts of what an element holds.
#[derive(Clone, Copy, Default)]
struct ContentCounts {
    chars: u32,
    linked: u32,
    commas: u32,
    /// Characters in headings and in lists.
    headings: u32,
    lists: u32,
    paragraphs: u32,
    items: u32,
    /// Whether it holds header cells or a caption.
    data: bool,
}

impl ContentCounts {
    fn links(&self) -> f32 {
        self.linked as f32 / self.chars.max(1) as f32
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

/// Whether each line is kept.
pub(crate) fn kept(dom: &Dom<'_>, table: &BlockTable, page: &PageTable) -> Vec<bool> {
    let traits = traits(dom, table, page);
    let first = attempt(page, &traits, true);
    let chars = |kept: &[bool]| {
        let lines = page.lines.iter().zip(kept).filter(|(_, kept)| **kept);
        lines.map(|(line, _)| line.chars).sum::<u32>()
    };
    let least = chars(&first);
    if least >= MIN_KEPT_CHARS {
        return first;
    }
    let second = attempt(page, &traits, false);
    if chars(&second) > least { second } else { first }
}

fn traits(dom: &Dom<'_>, table: &BlockTable, page: &PageTable) -> Vec<ElementTraits> {
    let elements = &page.elements;
    let mut out: Vec<ElementTraits> = Vec::with_capacity(elements.len());
    let mut in_table_or_code = Vec::with_capacity(elements.len());
    for (context, element) in table.contexts().iter().zip(elements) {
        let tag = dom.html_tag(context.element).unwrap_or(Tag::SVG);
        let names = page.class_lists[context.names()];
        let inside = element.parent().is_some_and(|p| {
            out[p].has_block_child = true;
            in_table_or_code[p] || matches!(out[p].tag, Tag::TABLE | Tag::CODE)
        });
        in_table_or_code.push(inside);
        let safe = inside || matches!(tag, Tag::BODY | Tag::HTML);
        out.push(ElementTraits {
            tag,
            names,
            has_block_child: false,
            unlikely: !safe && names.unlikely() || element.side_by_role,
        });
    }
    out
}

fn attempt(page: &PageTable, traits: &[ElementTraits], strict: bool) -> Vec<bool> {
    let (elements, lines) = (&page.elements, &page.lines);
    let mut excluded = vec![false; elements.len()];
    for (i, element) in elements.iter().enumerate() {
        let above = element.parent().is_some_and(|p| excluded[p]);
        excluded[i] = above || strict && traits[i].unlikely;
    }
    let seen = |line: &&Line| !line.hidden && !excluded[line.context as usize];
    let own = || {
        let mut own = vec![ContentCounts::default(); elements.len()];
        for line in lines.iter().filter(seen) {
            let inside = &mut own[line.context as usize];
            inside.chars += line.chars;
            inside.linked += line.link_chars;
            inside.commas += line.commas;
        }
        own
    };
    let all = own();
    let scores = line_scores(page, traits, &all);
    let all = sum_up(elements, traits, all, |_, _| false);
    let scores = lower_by_links(scores, &all);
    let Some(best) = best(elements, &scores) else {
        return lines.iter().map(|line| seen(&line)).collect();
    };
    // The best element and the siblings that belong to it.
    let mut chosen = vec![false; elements.len()];
    chosen[best] = true;
    if let Some(parent) = elements[best].parent() {
        let threshold = SIBLING_MIN.max(scores[best] * SIBLING_SHARE);
        for (i, element) in elements.iter().enumerate() {
            if element.parent() != Some(parent) || excluded[i] {
                continue;
            }
            let alike = element.style == elements[best].style;
            let bonus = if alike { scores[best] * SIBLING_SHARE } else { 0.0 };
            let inside = &all[i];
            let text = traits[i].tag == Tag::P
                && (inside.chars > 80 && inside.links() < 0.25 || inside.chars > 0 && inside.linked == 0);
            chosen[i] |= scores[i] > f32::MIN && scores[i] + bonus >= threshold || text;
        }
    }
    drop(all);
    let tops = chosen.clone();
    for (i, element) in elements.iter().enumerate() {
        chosen[i] |= element.parent().is_some_and(|p| chosen[p]);
    }
    let mut clutter = vec![false; elements.len()];
    sum_up(elements, traits, own(), |i, inside| {
        clutter[i] = chosen[i] && !tops[i] && is_clutter(traits[i], inside);
        clutter[i]
    });
    for (i, element) in elements.iter().enumerate() {
        clutter[i] |= element.parent().is_some_and(|p| clutter[p]);
    }
    let kept = |line: &Line| seen(&line) && chosen[line.context as usize] && !clutter[line.context as usize];
    lines.iter().map(kept).collect()
}

/// Adds the counts of each element to its parent's, the innermost element first; elements that `without` accepts are left out.
fn sum_up(
    elements: &[Element],
    traits: &[ElementTraits],
    mut own: Vec<ContentCounts>,
    mut without: impl FnMut(usize, &ContentCounts) -> bool,
) -> Vec<ContentCounts> {
    for i in (0..elements.len()).rev() {
        let mut inside = own[i];
        let out = without(i, &inside);
        let Some(parent) = elements[i].parent().filter(|_| !out) else {
            continue;
        };
        match traits[i].tag {
            Tag::P => inside.paragraphs += 1,
            Tag::LI => inside.items += 1,
            Tag::UL | Tag::OL => inside.lists = inside.chars,
            Tag::TH | Tag::CAPTION | Tag::THEAD => inside.data = true,
            tag if tag.heading_level().is_some() => inside.headings = inside.chars,
            _ => {}
        }
        own[parent].add(&inside);
    }
    own
}

/// Scores that the lines give to elements; `f32::MIN` for elements that receive none.
fn line_scores(page: &PageTable, traits: &[ElementTraits], own: &[ContentCounts]) -> Vec<f32> {
    let elements = &page.elements;
    let mut scores = vec![f32::MIN; elements.len()];
    for (i, inside) in own.iter().enumerate() {
        if inside.chars < MIN_CHARS {
            continue;
        }
        let given = 2.0 + inside.commas as f32 + (inside.chars / 100).min(3) as f32;
        let tag = traits[i].tag;
        let is_paragraph = matches!(tag, Tag::P | Tag::TD | Tag::PRE | Tag::SECTION)
            || tag.heading_level().is_some_and(|level| level > 1)
            || tag == Tag::DIV && !traits[i].has_block_child;
        // A whole paragraph adds to its ancestors; text outside a paragraph adds to its own element, too.
        let mut at = if is_paragraph {
            elements[i].parent()
        } else {
            Some(i)
        };
        for share in SHARES {
            let Some(above) = at.filter(|&e| elements[e].parent().is_some()) else {
                break;
            };
            if scores[above] == f32::MIN {
                scores[above] = initial_score(traits[above]);
            }
            scores[above] += given / share;
            at = elements[above].parent();
        }
    }
    scores
}

/// Lowers each score by the link density of the element.
fn lower_by_links(mut scores: Vec<f32>, all: &[ContentCounts]) -> Vec<f32> {
    for (score, inside) in scores.iter_mut().zip(all) {
        if *score > f32::MIN {
            *score *= 1.0 - inside.links();
        }
    }
    scores
}

/// The score of an element before lines add to it.
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

/// The element with the highest score; the common ancestor of it and several close candidates; or an ancestor with a higher
/// score.
fn best(elements: &[Element], scores: &[f32]) -> Option<usize> {
    let mut top: Vec<usize> = Vec::with_capacity(6);
    for (i, &score) in scores.iter().enumerate().filter(|(_, score)| **score > f32::MIN) {
        if let Some(at) = (0..5).find(|&t| top.get(t).is_none_or(|&other| score > scores[other])) {
            top.insert(at, i);
            top.truncate(5);
        }
    }
    let mut best = *top.first()?;
    let above = |from: usize| std::iter::successors(elements[from].parent(), |&e| elements[e].parent());
    let holds = |outer: usize, inner: usize| above(inner).any(|e| e == outer);
    let close: Vec<usize> = top[1..]
        .iter()
        .copied()
        .filter(|&other| scores[other] >= CLOSE_SCORE * scores[best])
        .collect();
    if close.len() >= MIN_CLOSE {
        let shared = above(best).find(|&outer| {
            let held = close.iter().filter(|&&inner| holds(outer, inner)).count();
            held >= MIN_CLOSE && elements[outer].depth > 1
        });
        best = shared.unwrap_or(best);
    }
    let mut last = scores[best];
    let floor = last / 3.0;
    for outer in above(best).filter(|&e| elements[e].depth > 1) {
        let score = scores[outer];
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
    let (links, chars) = (inside.links(), inside.chars as f32);
    !list && inside.items as f32 - 100.0 > inside.paragraphs as f32
        || !list && (inside.headings as f32) < 0.9 * chars && inside.chars < 25 && links > 0.0
        || !list && weight < 25.0 && links > 0.2
        || weight >= 25.0 && links > 0.5
}

#[cfg(test)]
mod tests {
    use crate::training::page_lines;

    /// Lines that the candidate keeps.
    fn kept(html: &str) -> Vec<String> {
        let lines = page_lines(html, None);
        let column = lines
            .features
            .names
            .iter()
            .position(|name| name == "candidate-keeps")
            .unwrap();
        let rows = lines.features.rows.chunks(lines.features.width());
        let kept = rows.zip(lines.texts).filter(|(row, _)| row[column] > 0.5);
        kept.map(|(_, text)| text.chars().take(12).collect()).collect()
    }

    #[test]
    fn paragraphs_choose_the_element_they_stand_in() {
        let long =
            "The river rose overnight, and by morning the meadows, the mill and the road were under water. "
                .repeat(4);
        let page = format!(
            "<body><div class=menu><a href=/>Home of the long, long river</a></div><div class=text><h2>Flood</h2><p>1 {long}<p>2 {long}\
             <div class=share><a href=/>Share this with all of your friends</a></div></div>\
             <div class=sidebar><p>Latest news of the town, all the day, every day, for free</div></body>"
        );
        assert_eq!(kept(&page), ["Flood", "1 The river ", "2 The river "]);
    }

    #[test]
    fn unlikely_names_have_a_second_chance() {
        let page = "<body><div class=community><p>The river rose overnight, and by morning all was under water.</div>";
        assert_eq!(kept(page), ["The river ro"]);
        assert_eq!(kept("<p>x"), ["x"]);
    }
}
