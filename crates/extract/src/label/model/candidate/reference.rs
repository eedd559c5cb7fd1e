//! Reference implementation of the method with one pass per step: slower, and easier to compare with its description.

use super::{
    CLOSE_SCORE, ContentCounts, ElementTraits, MIN_CHARS, MIN_CLOSE, MIN_KEPT_CHARS, SHARES, SIBLING_MIN,
    SIBLING_SHARE, initial_score, is_clutter,
};
use crate::label::extractor::PageView;
use crate::label::model::lines::Line;
use crate::label::model::page_table::{Element, PageTable};
use dehusk_html::tree::Tag;

/// Returns whether each line is kept.
pub(super) fn kept(view: &PageView<'_>, page: &PageTable) -> Vec<bool> {
    let (traits, unlikely) = traits(view, page);
    let first = attempt(page, &traits, &unlikely);
    let chars = |kept: &[bool]| {
        let lines = page.lines.iter().zip(kept).filter(|(_, kept)| **kept);
        lines.map(|(line, _)| line.chars).sum::<u32>()
    };
    let least = chars(&first);
    if least >= MIN_KEPT_CHARS {
        return first;
    }
    let second = attempt(page, &traits, &vec![false; unlikely.len()]);
    if chars(&second) > least { second } else { first }
}

/// Returns the properties of each element that do not depend on its content, and whether its class, id or role mark it as not content.
fn traits(view: &PageView<'_>, page: &PageTable) -> (Vec<ElementTraits>, Vec<bool>) {
    let elements = &page.elements;
    let mut out: Vec<ElementTraits> = Vec::with_capacity(elements.len());
    let mut in_table_or_code = Vec::with_capacity(elements.len());
    let mut unlikely = Vec::with_capacity(elements.len());
    for (context, element) in view.table.contexts().iter().zip(elements) {
        let tag = view.dom.html_tag(context.element).unwrap_or(Tag::SVG);
        let names = view.name_traits()[context.names()].lists;
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
            in_table_or_code: inside,
        });
        unlikely.push(!safe && names.unlikely() || element.side_by_role);
    }
    (out, unlikely)
}

fn attempt(page: &PageTable, traits: &[ElementTraits], unlikely: &[bool]) -> Vec<bool> {
    let (elements, lines) = (&page.elements, &page.lines);
    let mut excluded = vec![false; elements.len()];
    for (i, element) in elements.iter().enumerate() {
        let above = element.parent().is_some_and(|p| excluded[p]);
        excluded[i] = above || unlikely[i];
    }
    let seen = |line: &&Line| !line.hidden && !excluded[line.context as usize];
    // Counts of the visible lines directly in each element.
    let own = || {
        let mut own = vec![ContentCounts::default(); elements.len()];
        for line in lines.iter().filter(seen) {
            let inside = &mut own[line.context as usize];
            inside.chars += line.chars;
            inside.linked += line.link_chars;
            inside.commas += line.counts.commas;
        }
        own
    };
    let all = own();
    let scores = line_scores(page, traits, &all);
    // Scores depend on the whole content, clutter included.
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
    // Clutter is not passed up, so that it does not count for the elements around it.
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

/// Adds the counts of each element to those of its parent, innermost first. Elements that `without` accepts are skipped.
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

/// Returns the scores that lines contribute to elements; `f32::MIN` for elements without contributions.
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
        // A paragraph contributes to its ancestors. Text outside a paragraph contributes to its own element as well.
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

/// Reduces each score by the link density of the element.
fn lower_by_links(mut scores: Vec<f32>, all: &[ContentCounts]) -> Vec<f32> {
    for (score, inside) in scores.iter_mut().zip(all) {
        if *score > f32::MIN {
            *score *= 1.0 - inside.links();
        }
    }
    scores
}

/// Returns the element with the highest score; the common ancestor of it and several close candidates; or an ancestor with a higher
/// score. `None` if no element has a score.
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
