//! Units: parts of a page that are kept or dropped as a whole, such as a table, a list of definitions or the steps of a recipe.
//!
//! The trees decide about lines. A unit is decided from the chances of its lines and from the text around it. A unit that is likely as a
//! whole keeps its lines. An unlikely table or list of definitions loses the lines that only just seemed likely. A very unlikely line,
//! such as a button, is cut out of a unit that is kept, but no cell is cut out of a table.

use crate::analysis::tables::{is_grid, is_wide_grid};
use crate::label::extractor::PageView;
use crate::label::model::lines::Line;
use crate::label::model::page_table::{NONE, PageTable};
use crate::label::model::select::DEFAULT_THRESHOLD;
use crate::label::model::title_line::MIN_TITLE;
use dehusk_html::narrow;
use dehusk_html::tree::{Namespace, NodeId, Tag};

/// Kind of a unit, which determines how it is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A data table, kept or dropped as a whole.
    Table,
    /// A data table with long cells. If it is likely as a whole, its headers and labels are kept.
    LongTable,
    /// Terms with definitions: a `dl`, or a row of elements with a short label and a short value each, such as the times of a recipe.
    Definitions,
    /// Items or steps.
    List,
    /// An element that a script shows in place of its siblings, such as the panel of a tab.
    Panel,
    /// A block of code.
    Code,
    /// A formula.
    Formula,
    /// A figure or its caption, a quotation, an address, or text that can be opened (`details`).
    Group,
}

/// A unit.
#[derive(Clone, Copy, Debug)]
struct Unit {
    kind: Kind,
    /// Number of its element.
    element: u32,
    /// Number of its first line. `end`: number of the line after its last.
    start: u32,
    end: u32,
    /// Whether its link density is below [`UNLINKED`].
    is_unlinked: bool,
}

/// Units of a page, inner ones before outer ones, and the sections under headings.
#[derive(Debug, Default)]
pub(crate) struct Units {
    units: Vec<Unit>,
    sections: Vec<Section>,
}

/// The lines from a heading to the next heading of the same or a higher level, limited to the parent element of the heading.
#[derive(Clone, Copy, Debug)]
struct Section {
    heading: u32,
    end: u32,
    /// Level of its heading, and the depth of the heading in the tree. Equal for sibling sections.
    place: (u8, u32),
    /// Whether its text is short and contains no links.
    is_short: bool,
    /// Whether all of its lines are links.
    is_linked: bool,
    /// Whether the text of its heading occurs on the page more than once.
    is_repeated: bool,
}

/// Maximum length of a line of a data table, in tokens. Tables with longer lines hold texts.
const MAX_CELL_TOKENS: u32 = 30;

/// Maximum length of a label or value of a row of pairs, in tokens, and the minimum number of its pairs.
const MAX_PAIR_TOKENS: u32 = 8;
const MIN_PAIRS: u32 = 2;

/// Maximum length of a line of a wide data table with long cells, in tokens, and its minimum chance.
const MAX_LONG_CELL: u32 = 120;
const MIN_LONG_TABLE: f32 = 0.6;

/// Maximum number of lines of a unit; longer elements are not units, except tables. Sections are cut off at
/// this length.
const MAX_LINES: u32 = 60;

/// Link density of a list at or above which its items are independent of one another.
const MAX_LINKED: f32 = 0.5;

/// Maximum link density of a list that is content. Lists above it lead to other pages.
const UNLINKED: f32 = 0.05;

/// Minimum chance of a line that counts for its unit and is raised with it.
const MIN_INSIDE: f32 = 0.2;

/// Minimum chance in a list of definitions. Lower, since a term is worth nothing without its meaning.
const MIN_IN_DEFINITIONS: f32 = 0.1;

/// Minimum chance of the surrounding text that supports a unit. `ODDS_AROUND` is the factor for the odds of the unit then.
const SURE_AROUND: f64 = 0.75;
const ODDS_AROUND: f32 = 2.0;

/// Factor for the odds of code and formulas amid likely text. Labelled pages have little code, and less of it
/// below the text.
const ODDS_OF_CODE: f32 = 6.0;

/// Factor for the odds of the lines of a panel if the text around it is likely.
const ODDS_OF_PANEL: f32 = 8.0;

/// Number of ancestors of a unit that are searched for surrounding text.
const LEVELS_AROUND: usize = 6;

/// Minimum number of tokens around a unit for their chance to count.
const MIN_AROUND: f64 = 20.0;

/// Minimum number of tokens of a line that is text rather than a label.
const MIN_SENTENCE: f64 = 8.0;

/// Minimum chance of a line of a panel that is raised with it.
const MIN_OF_PANEL: f32 = 0.1;

/// Maximum number of tokens of a heading that falls with its section. `MAX_GONE`: the heading of a section
/// with text falls if the best chance of the section is below this share of the threshold.
const MAX_HEADING: f64 = 8.0;
const MAX_GONE: f32 = 0.7;

/// Factor for the odds of a short section after a kept one, if its own heading is kept as well.
const ODDS_UNDER_HEADING: f32 = 3.0;

/// Factor for the odds of a heading if lines of its section are kept.
const ODDS_OF_HEADING: f32 = 1.7;

/// Facts about lines and elements that units depend on.
pub(crate) trait Chances {
    /// Returns whether the elements around a line exclude it from the main text.
    fn is_dropped(&self, line: usize) -> bool;
    /// Returns the number of tokens of a line.
    fn tokens(&self, line: usize) -> f64;
    /// Returns the parent of an element; [`NONE`] at the root.
    fn parent(&self, element: u32) -> u32;
}

impl Units {
    pub(crate) fn new(view: &PageView<'_>, page: &PageTable, panels: &[u32]) -> Units {
        let contexts = view.table.contexts();
        let lines = &page.lines;
        let is_any = |tag: Option<Tag>| {
            matches!(
                tag,
                Some(
                    Tag::TABLE
                        | Tag::DL
                        | Tag::OL
                        | Tag::UL
                        | Tag::FIGURE
                        | Tag::FIGCAPTION
                        | Tag::BLOCKQUOTE
                        | Tag::DETAILS
                        | Tag::CAPTION
                        | Tag::PRE
                        | Tag::ADDRESS
                )
            )
        };
        let first_level = first_level(lines);
        let has_sections = lines.iter().any(|line| line.heading >= first_level);
        // Pages of paragraphs alone are frequent and have no units.
        let has_formulas = || contexts.iter().any(|context| is_formula(view, context.element));
        if panels.is_empty()
            && !has_sections
            && !contexts
                .iter()
                .any(|context| is_any(view.dom.acting_tag(context.element)))
            && !has_formulas()
        {
            return Units::default();
        }
        // Per element: its first line, the end of its last line, and the tokens of its longest line.
        let mut ends = vec![(u32::MAX, 0_u32, 0_u32); contexts.len()];
        for (line, i) in lines.iter().zip(0_u32..) {
            let (start, end, longest) = &mut ends[line.context as usize];
            *start = (*start).min(i);
            *end = i + 1;
            *longest = (*longest).max(line.counts.tokens);
        }
        let mut last_inside: Vec<u32> = (0..narrow::to_u32(contexts.len())).collect();
        // Children of each element that hold two lines.
        let mut pairs = vec![0_u32; contexts.len()];
        // Parents precede their children, so each entry is complete before it is passed up.
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent.map(|parent| parent as usize) {
                let inside = ends[i];
                let around = &mut ends[parent];
                *around = (
                    around.0.min(inside.0),
                    around.1.max(inside.1),
                    around.2.max(inside.2),
                );
                last_inside[parent] = last_inside[parent].max(last_inside[i]);
                pairs[parent] += u32::from(inside.1.saturating_sub(inside.0) == 2);
            }
        }
        let is_row_of_pairs = |i: usize| {
            let (start, end, longest) = ends[i];
            // A data table is decided as a whole, whatever its rows hold.
            let is_of_table = matches!(
                view.dom.acting_tag(contexts[i].element),
                Some(Tag::TABLE | Tag::THEAD | Tag::TBODY | Tag::TFOOT | Tag::TR)
            );
            pairs[i] >= MIN_PAIRS
                && !is_of_table
                && end - start == 2 * pairs[i]
                && longest <= MAX_PAIR_TOKENS
                && page.elements[i].sums.link_density() == 0.0
        };
        let mut units = Vec::new();
        // Reverse document order: inner units come before the outer ones, which `settle` relies on.
        for (i, &(start, end, longest)) in ends.iter().enumerate().rev() {
            let kind = match view.dom.acting_tag(contexts[i].element) {
                _ if panels.binary_search(&narrow::to_u32(i)).is_ok() => Kind::Panel,
                Some(Tag::TABLE) if longest <= MAX_CELL_TOKENS && is_grid(view.dom, contexts[i].element) => {
                    Kind::Table
                }
                Some(Tag::TABLE)
                    if (MAX_CELL_TOKENS + 1..=MAX_LONG_CELL).contains(&longest)
                        && is_wide_grid(view.dom, contexts[i].element) =>
                {
                    Kind::LongTable
                }
                Some(Tag::DL) => Kind::Definitions,
                Some(Tag::PRE) => Kind::Code,
                _ if is_formula(view, contexts[i].element) => Kind::Formula,
                _ if is_row_of_pairs(i) => Kind::Definitions,
                Some(Tag::OL | Tag::UL) if page.elements[i].sums.link_density() < MAX_LINKED => Kind::List,
                Some(
                    Tag::FIGURE
                    | Tag::FIGCAPTION
                    | Tag::BLOCKQUOTE
                    | Tag::DETAILS
                    | Tag::CAPTION
                    | Tag::ADDRESS,
                ) => Kind::Group,
                _ => continue,
            };
            // Number of lines of the element; 0 if it has none.
            let count = end.saturating_sub(start);
            // A panel, code or a formula may be a single line. Any other unit of one line would decide
            // nothing beyond the line itself.
            let least = u32::from(!matches!(kind, Kind::Panel | Kind::Code | Kind::Formula));
            if count > least && (matches!(kind, Kind::Table | Kind::LongTable) || count <= MAX_LINES) {
                units.push(Unit {
                    kind,
                    element: narrow::to_u32(i),
                    start,
                    end,
                    is_unlinked: page.elements[i].sums.link_density() < UNLINKED,
                });
            }
        }
        let depth = |line: &Line| page.elements[line.context as usize].depth;
        let mut sections = sections(lines, depth, |line| {
            let around = contexts[line.context as usize].parent.unwrap_or(line.context);
            around..=last_inside[around as usize]
        });
        for section in &mut sections {
            let text = page.texts[section.heading as usize];
            section.is_repeated = page.copies[text as usize] > 1;
        }
        // A heading above the title, such as the date of a post, does not begin a section of the text.
        if page.title_line.1 > MIN_TITLE {
            let title = narrow::to_u32(page.title_line.0);
            sections.retain(|section| !(section.heading + 1..section.end).contains(&title));
        }
        Units { units, sections }
    }

    /// Adjusts chances by units. `least` is the minimum chance of lines that are kept.
    pub(crate) fn settle(
        &self,
        page: &impl Chances,
        elements: usize,
        context_of: impl Fn(usize) -> u32,
        chances: &mut [f32],
        least: f32,
    ) {
        if self.units.is_empty() && self.sections.is_empty() {
            return;
        }
        // The text around a unit is judged by the chances before any unit was settled; the lines inside it by
        // the current ones.
        let sums = self.sums(page, elements, &context_of, chances);
        let is_sure = |i: &usize| {
            f64::from(chances[*i]) >= SURE_AROUND && page.tokens(*i) >= MIN_SENTENCE && !page.is_dropped(*i)
        };
        let first_sure = (0..chances.len()).find(is_sure).map_or(u32::MAX, narrow::to_u32);
        for unit in &self.units {
            let range = unit.start as usize..unit.end as usize;
            let (mut tokens, mut expected) = (0.0, 0.0);
            // Very unlikely lines, such as buttons, are no evidence about the rest of a unit, except in
            // tables, panels, code and formulas.
            let counts = |i: &usize| {
                let min = match unit.kind {
                    Kind::Table | Kind::Panel | Kind::Code | Kind::Formula => 0.0,
                    Kind::Definitions => MIN_IN_DEFINITIONS,
                    _ => MIN_INSIDE,
                };
                !page.is_dropped(*i) && chances[*i] >= min
            };
            let counted: Vec<usize> = range.clone().filter(counts).collect();
            for &i in &counted {
                tokens += page.tokens(i);
                expected += page.tokens(i) * f64::from(chances[i]);
            }
            #[expect(clippy::cast_possible_truncation, reason = "chances are f32")]
            let mean = (expected / f64::max(tokens, f64::MIN_POSITIVE)) as f32;
            // A panel is not decided as a whole: its lines keep the order of their chances.
            if unit.kind == Kind::Panel {
                if self
                    .around(page, &sums, unit)
                    .is_some_and(|around| around >= f64::from(DEFAULT_THRESHOLD))
                {
                    for chance in chances[range]
                        .iter_mut()
                        .filter(|chance| **chance >= MIN_OF_PANEL)
                    {
                        *chance = multiplied(*chance, ODDS_OF_PANEL);
                    }
                }
                continue;
            }
            // A list counts only after the first sure sentence: the date and the author above a text are a
            // list on some pages.
            let is_amid_text = unit.kind != Kind::LongTable
                && (unit.kind != Kind::List || unit.is_unlinked && unit.start > first_sure)
                && self
                    .around(page, &sums, unit)
                    .is_some_and(|around| around >= SURE_AROUND);
            let mean = match unit.kind {
                _ if !is_amid_text => mean,
                Kind::Code | Kind::Formula => multiplied(mean, ODDS_OF_CODE),
                _ => multiplied(mean, ODDS_AROUND),
            };
            let least = match unit.kind {
                Kind::LongTable => least.max(MIN_LONG_TABLE),
                _ => least,
            };
            // A kept unit lifts its counted lines to its own chance. A dropped table or list of definitions
            // keeps no line above it.
            if mean >= least {
                for i in counted {
                    chances[i] = chances[i].max(mean);
                }
            } else if matches!(unit.kind, Kind::Table | Kind::Definitions) {
                chances[range]
                    .iter_mut()
                    .for_each(|chance| *chance = chance.min(mean));
            }
        }
        self.settle_sections(page, chances, least);
    }

    /// Adjusts the chances of headings by their sections, and of short sections by those beside them.
    fn settle_sections(&self, page: &impl Chances, chances: &mut [f32], least: f32) {
        // Level and depth of the heading of the last section that was kept. The sections are stored from the last to the first.
        let mut stayed: Option<(u8, u32)> = None;
        for section in self.sections.iter().rev() {
            let heading = section.heading as usize;
            let range = heading + 1..section.end as usize;
            let best = |chances: &[f32]| chances[range.clone()].iter().copied().fold(0.0, f32::max);
            // A short section after a kept section of the same level is raised.
            if stayed == Some(section.place)
                && section.is_short
                && best(chances) < least
                && !page.is_dropped(heading)
            {
                let odds = match chances[heading] >= least {
                    true => ODDS_UNDER_HEADING,
                    false => ODDS_AROUND,
                };
                // The heading is raised together with its section.
                let lines = chances[..section.end as usize]
                    .iter_mut()
                    .enumerate()
                    .skip(heading);
                for (i, chance) in lines {
                    if !page.is_dropped(i) && *chance >= MIN_INSIDE {
                        *chance = multiplied(*chance, odds);
                    }
                }
            }
            let best = best(chances);
            // A heading over links alone, or over dropped lines, falls with them. Prose may lie just below
            // the threshold, so its heading stays unless even the best line is clearly below.
            let is_empty = section.is_linked || range.clone().all(|i| page.is_dropped(i));
            let gone = if is_empty { 1.0 } else { MAX_GONE };
            if best < gone * least && page.tokens(heading) <= MAX_HEADING {
                chances[heading] = chances[heading].min(best);
            } else if best >= least && chances[heading] >= MIN_INSIDE && !page.is_dropped(heading) {
                chances[heading] = multiplied(chances[heading], ODDS_OF_HEADING);
            }
            if best >= least && chances[heading] >= least {
                stayed = Some(section.place);
            }
        }
        // Once upwards and once downwards: the row that supports a heading may follow or precede it.
        keep_headings_of_rows(self.sections.iter(), page, chances, least);
        keep_headings_of_rows(self.sections.iter().rev(), page, chances, least);
    }

    /// Returns the chance of the text around a unit, in its nearest ancestor with enough other tokens; `None` if absent.
    fn around(&self, page: &impl Chances, sums: &[(f64, f64)], unit: &Unit) -> Option<f64> {
        // The sums of an ancestor include the unit itself, which is subtracted.
        let (tokens, expected) = sums[unit.element as usize];
        let mut at = page.parent(unit.element);
        for _ in 0..LEVELS_AROUND {
            // Above the root, `NONE` is out of range.
            let &(all, likely) = sums.get(at as usize)?;
            if all - tokens >= MIN_AROUND {
                return Some((likely - expected) / (all - tokens));
            }
            at = page.parent(at);
        }
        None
    }

    /// Returns, per element, the number of tokens and how many of them are expected to be main text.
    fn sums(
        &self,
        page: &impl Chances,
        elements: usize,
        context_of: &impl Fn(usize) -> u32,
        chances: &[f32],
    ) -> Vec<(f64, f64)> {
        let mut sums = vec![(0.0, 0.0); elements];
        for (i, &chance) in chances.iter().enumerate() {
            let sum = &mut sums[context_of(i) as usize];
            sum.0 += page.tokens(i);
            sum.1 += page.tokens(i) * f64::from(chance);
        }
        // Parents precede their children, so each sum is complete before it is passed up.
        for i in (0..elements).rev() {
            let parent = page.parent(narrow::to_u32(i));
            if parent != NONE {
                let below = sums[i];
                let sum = &mut sums[parent as usize];
                *sum = (sum.0 + below.0, sum.1 + below.1);
            }
        }
        sums
    }
}

/// Returns whether an element is the root of a formula in MathML.
fn is_formula(view: &PageView<'_>, element: NodeId) -> bool {
    view.dom.element(element) == Some((Namespace::MathMl, Tag::MATH))
}

/// Returns whether the lines of a section are short together and free of links.
fn is_short(lines: &[Line]) -> bool {
    const MAX_TOKENS: u32 = 60;
    let is_linked = |line: &Line| line.link_density >= MAX_LINKED;
    lines.iter().map(|line| line.counts.tokens).sum::<u32>() <= MAX_TOKENS && !lines.iter().any(is_linked)
}

/// Returns the chance whose odds are `odds` times those of `chance`.
pub(crate) fn multiplied(chance: f32, odds: f32) -> f32 {
    let above = chance * odds;
    let below = above + 1.0 - chance;
    // 0 only for a chance of 1 and a factor of 0.
    if below > 0.0 { above / below } else { chance }
}

/// Returns the highest level of headings that begin sections. A page with many headings of level 1 has sections under them.
fn first_level(lines: &[Line]) -> u8 {
    const MIN_HEADINGS: usize = 3;
    let firsts = lines.iter().filter(|line| line.heading == 1);
    if firsts.take(MIN_HEADINGS).count() == MIN_HEADINGS {
        1
    } else {
        2
    }
}

/// Returns the sections of a page, last heading first. `around` returns the range of element numbers inside the parent of a line's element.
fn sections(
    lines: &[Line],
    depth: impl Fn(&Line) -> u32,
    around: impl Fn(&Line) -> std::ops::RangeInclusive<u32>,
) -> Vec<Section> {
    let mut out = Vec::new();
    let first_level = first_level(lines);
    for (i, line) in lines.iter().enumerate().rev() {
        if line.heading < first_level {
            continue;
        }
        // A section ends with the parent of its heading, before the next heading of the same or a higher
        // level, or after `MAX_LINES`.
        let range = around(line);
        let inside = lines[i + 1..].iter().take(MAX_LINES as usize).take_while(|next| {
            range.contains(&next.context) && !(next.heading > 0 && next.heading <= line.heading)
        });
        let count = inside.count();
        if count > 0 {
            out.push(Section {
                heading: narrow::to_u32(i),
                end: narrow::to_u32(i + 1 + count),
                place: (line.heading, depth(line)),
                is_short: is_short(&lines[i + 1..i + 1 + count]),
                is_linked: lines[i + 1..i + 1 + count]
                    .iter()
                    .all(|line| line.link_density >= MAX_LINKED),
                is_repeated: false,
            });
        }
    }
    out
}

/// Keeps the heading of a section with kept lines if at least two sections in a row before it, in the order
/// of `sections` and at the same place, are kept with their headings. Repeated headings are excluded: posts
/// of a thread may repeat its title.
fn keep_headings_of_rows<'s>(
    sections: impl Iterator<Item = &'s Section>,
    page: &impl Chances,
    chances: &mut [f32],
    least: f32,
) {
    const MIN_ROW: usize = 2;
    let (mut place, mut row) = ((0, 0), 0);
    for section in sections {
        let heading = section.heading as usize;
        let text = &chances[heading + 1..section.end as usize];
        let is_kept = text.iter().any(|&chance| chance >= least);
        // A section of another level or depth begins a new row.
        if section.place != place {
            (place, row) = (section.place, 0);
        }
        let may_stay = chances[heading] >= MIN_INSIDE && !section.is_repeated && !page.is_dropped(heading);
        if is_kept && row >= MIN_ROW && may_stay {
            chances[heading] = chances[heading].max(least);
        }
        row = if is_kept && chances[heading] >= least {
            row + 1
        } else {
            0
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled<const N: usize>(page: &str, mut chances: [f32; N]) -> [f32; N] {
        let lines = crate::training::page_lines(page, None);
        assert_eq!(lines.texts.len(), N, "{:?}", lines.texts);
        lines.features.line_context.settle(&mut chances, |_| false);
        chances
    }

    #[test]
    fn a_table_is_whole_or_goes() {
        let rows = "<tr><th>Day<th>Water<tr><td>Monday<td>high";
        let page = format!(
            "<p>Before.</p><table>{rows}</table><table>{rows}</table><table>{rows}<tr><td>{}<td>low</table>",
            "long ".repeat(MAX_CELL_TOKENS as usize + 1)
        );
        let chances = [
            0.1, 0.9, 0.9, 0.3, 0.7, 0.9, 0.2, 0.3, 0.2, 0.9, 0.9, 0.3, 0.9, 0.3, 0.9,
        ];
        let got = settled(&page, chances);
        let (likely, unlikely) = (0.7, 0.4);
        assert!(got[1..5].iter().all(|&chance| chance > likely - 1e-6), "{got:?}");
        assert!(
            got[5..9].iter().all(|&chance| chance < unlikely + 1e-6),
            "{got:?}"
        );
        // Lines outside tables, and of a table with a long text, are unchanged.
        assert_eq!((got[0], &got[9..]), (chances[0], &chances[9..]));
    }

    #[test]
    fn names_of_columns_stay_with_a_table_of_long_cells() {
        let long = "long ".repeat(MAX_CELL_TOKENS as usize + 1);
        let page = format!(
            "<table><tr><th>Day<th>Water<th>Road<tr><td>Monday<td>{long}<td><a href=/x>shut</a></table>"
        );
        let got = settled(&page, [0.3, 0.5, 0.4, 0.9, 0.9, 0.1]);
        assert!(
            got[..3].iter().all(|&chance| chance > 0.6) && got[5] < 0.2,
            "{got:?}"
        );
    }

    #[test]
    fn code_stays_with_the_text_around_it() {
        let text = "<p>One two three four five six seven eight nine ten eleven twelve thirteen fourteen.</p>";
        let page = format!("<div>{text}{text}<pre>go(a);</pre></div>");
        let got = settled(&page, [0.9, 0.9, 0.2]);
        assert!(got[2] > 0.5, "{got:?}");
        assert!(settled(&page, [0.4, 0.4, 0.2])[2] <= 0.2 + 1e-6);
    }

    #[test]
    fn labels_and_values_stay_or_go_together() {
        let manners = [
            "<div class=s><div><div>Prep</div><span>10 mins</span></div><div><div>Bake</div><span>1 hour</span></div></div>",
            "<section><p><b>Prep</b><br>10 mins</p><p><b>Bake</b><br>1 hour</p></section>",
            "<ul><li><div>Prep</div><div>10 mins</div><li><div>Bake</div><div>1 hour</div></ul>",
        ];
        for manner in manners {
            let page = format!("<h2>Bread</h2>{manner}<ul><li>One<li>Two</ul>");
            let got = settled(&page, [0.1, 0.4, 0.9, 0.8, 0.7, 0.1, 0.1]);
            assert!(
                got[1..5].iter().all(|&chance| chance >= 0.69),
                "{manner}: {got:?}"
            );
            let got = settled(&page, [0.1, 0.2, 0.1, 0.7, 0.2, 0.1, 0.1]);
            assert!(got[1..5].iter().all(|&chance| chance < 0.5), "{manner}: {got:?}");
        }
        // Links lead elsewhere, and a value of many words is a text.
        let page = "<h2>Bread</h2><div><div><div>Ann</div><a href=/a>All</a></div><div><div>Bo</div><a href=/b>All</a></div></div>";
        assert_eq!(settled(page, [0.1, 0.8, 0.2, 0.8, 0.2])[2], 0.2);
    }

    #[test]
    fn what_is_very_unlikely_is_cut_out_of_a_list() {
        let page = "<ol><li>Cut the leek.<li>Boil it.<li>Share this</ol>";
        let got = settled(page, [0.8, 0.4, 0.05]);
        assert!(got[0] >= 0.6 && got[1] >= 0.6 && got[2] < 0.1, "{got:?}");
        // The items of a list of links are independent of one another.
        let links = "<ol><li><a href=/a>Leek soup</a><li><a href=/b>Pie</a></ol>";
        assert_eq!(settled(links, [0.8, 0.4]), [0.8, 0.4]);
    }

    #[test]
    fn headings_go_and_stay_with_their_sections() {
        let page = "<div><h2>Use</h2><p>Pull the lever</p><h2>More</h2><p>Share this</p></div>";
        let got = settled(page, [0.45, 0.9, 0.6, 0.1]);
        assert!(got[0] > 0.5 && got[2] < 0.2, "{got:?}");
    }

    #[test]
    fn the_last_short_section_stays_with_those_before_it() {
        let page = "<div><h3>Use</h3><p>Pull the lever</p><h3>Notes</h3><p>Keeps three days</p></div>";
        let got = settled(page, [0.8, 0.9, 0.52, 0.31]);
        assert!(got[3] >= 0.5, "{got:?}");
        // A section whose heading is unlikely, and one that is very unlikely itself, are not raised so far.
        assert!(settled(page, [0.8, 0.9, 0.3, 0.31])[3] < 0.5);
        assert!(settled(page, [0.8, 0.9, 0.52, 0.1])[3] < 0.5);
    }

    #[test]
    fn terms_and_meanings_stay_together() {
        let page = "<dl><dt>Made by<dd>The miller<dt>Last changed<dd>24.02.2025</dl>";
        let got = settled(page, [0.7, 0.8, 0.7, 0.15]);
        assert!(got.iter().all(|&chance| chance >= 0.5), "{got:?}");
    }

    #[test]
    fn odds_are_multiplied() {
        assert!((multiplied(0.5, 3.0) - 0.75).abs() < 1e-6);
        assert!(multiplied(0.0, 9.0) == 0.0 && multiplied(1.0, 0.1) > 0.999_999);
    }
}
