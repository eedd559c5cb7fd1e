//! Units: what a reader takes or leaves as a whole, such as a table, a list of definitions or the steps of a recipe.
//!
//! Lines are what trees decide about; a unit has its lines' chances as evidence, and what stands around it. A unit that is likely as a whole
//! keeps its lines, and one that is not loses those that only just seemed so. A line that is very unlikely by itself is cut out of a unit that
//! is kept, as a button is, but no cell is cut out of a table.

use crate::analysis::tables::is_grid;
use crate::label::extractor::PageView;
use crate::label::model::lines::Line;
use crate::label::model::page_table::{NONE, PageTable};
use crate::label::model::select::DEFAULT_THRESHOLD;
use crate::label::model::title_line::MIN_TITLE;
use dehusk_html::tree::Tag;

/// How a unit is decided about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A table of data: all of it or nothing.
    Table,
    /// Terms with definitions.
    Definitions,
    /// Items or steps.
    List,
    /// What a script shows in place of what stands beside it, such as the panel of a tab.
    Panel,
    /// A block of code.
    Code,
    /// A caption or what else is one with a figure, a quotation, or text that can be opened.
    Group,
}

/// A unit.
#[derive(Clone, Copy, Debug)]
struct Unit {
    kind: Kind,
    /// Number of its element.
    element: u32,
    /// Its first line, and the one behind its last.
    start: u32,
    end: u32,
}

/// The units of a page, those inside others first, and the sections that headings begin.
#[derive(Debug, Default)]
pub(crate) struct Units {
    units: Vec<Unit>,
    sections: Vec<Section>,
}

/// The lines between a heading and the next one that is not of a lower level, as far as they lie in the element around the heading.
#[derive(Clone, Copy, Debug)]
struct Section {
    heading: u32,
    end: u32,
    /// Level of its heading, and how deep that lies in the tree: equal for sections beside each other.
    place: (u8, u32),
    /// Whether it is a few words without links.
    is_short: bool,
}

/// Longest line of a data table, in tokens; a table with a longer one holds texts.
const MAX_CELL_TOKENS: u32 = 30;

/// Most lines of a list, a group or a section that is one unit: longer ones are pages of their own.
const MAX_LINES: u32 = 60;

/// Share of a list in links from which its items stand for themselves.
const MAX_LINKED: f32 = 0.5;

/// Chance of a line from which it stays in a unit that is kept.
const LEAST_INSIDE: f32 = 0.2;

/// Chance of the text around a unit from which it speaks for the unit, and what it multiplies the odds by.
const SURE_AROUND: f64 = 0.75;
const ODDS_AROUND: f32 = 2.0;

/// What the odds of code are multiplied by where the text around it is likely: labelled pages have little code, and less of it below the text.
const ODDS_OF_CODE: f32 = 6.0;

/// What a panel's odds are multiplied by where the text beside it is likely.
const ODDS_OF_PANEL: f32 = 8.0;

/// Elements above a unit whose text is around it.
const LEVELS_AROUND: usize = 6;

/// Least tokens around a unit that say anything.
const MIN_AROUND: f64 = 20.0;

/// Least chance of a line of a panel that is taken along.
const LEAST_OF_PANEL: f32 = 0.1;

/// Most tokens of a heading that is dropped with its section, and the chance, relative to the kept text, below which the section is.
const MAX_HEADING: f64 = 8.0;
const MAX_GONE: f32 = 0.7;

/// What the odds of a heading are multiplied by of whose section something stays.
const ODDS_OF_HEADING: f32 = 1.7;

/// Facts about lines and elements that units read.
pub(crate) trait Chances {
    /// Whether a line is no main text for what it lies in.
    fn is_dropped(&self, line: usize) -> bool;
    /// Tokens of a line.
    fn tokens(&self, line: usize) -> f64;
    /// The element around an element; [`NONE`] at the root.
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
                )
            )
        };
        let has_sections = lines.iter().any(|line| line.heading >= 2);
        // Many short pages have nothing but paragraphs.
        if panels.is_empty() && !has_sections && !page.elements.iter().any(|element| is_any(element.tag)) {
            return Units::default();
        }
        let mut ends = vec![(u32::MAX, 0_u32, 0_u32); contexts.len()];
        for (line, i) in lines.iter().zip(0_u32..) {
            let (start, end, longest) = &mut ends[line.context as usize];
            *start = (*start).min(i);
            *end = i + 1;
            *longest = (*longest).max(line.counts.tokens);
        }
        let mut last_inside: Vec<u32> = (0..contexts.len() as u32).collect();
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
            }
        }
        let mut units = Vec::new();
        for (i, &(start, end, longest)) in ends.iter().enumerate().rev() {
            let kind = match page.elements[i].tag {
                _ if panels.binary_search(&(i as u32)).is_ok() => Kind::Panel,
                Some(Tag::TABLE) if longest <= MAX_CELL_TOKENS && is_grid(view.dom, contexts[i].element) => {
                    Kind::Table
                }
                Some(Tag::DL) => Kind::Definitions,
                Some(Tag::PRE) => Kind::Code,
                Some(Tag::OL | Tag::UL) if page.elements[i].sums.link_density() < MAX_LINKED => Kind::List,
                Some(Tag::FIGURE | Tag::FIGCAPTION | Tag::BLOCKQUOTE | Tag::DETAILS | Tag::CAPTION) => {
                    Kind::Group
                }
                _ => continue,
            };
            let count = end.saturating_sub(start);
            // Of the others, one line is no more than itself.
            let least = u32::from(!matches!(kind, Kind::Panel | Kind::Code));
            if count > least && (kind == Kind::Table || count <= MAX_LINES) {
                units.push(Unit {
                    kind,
                    element: i as u32,
                    start,
                    end,
                });
            }
        }
        let depth = |line: &Line| page.elements[line.context as usize].depth;
        let mut sections = sections(lines, depth, |line| {
            let around = contexts[line.context as usize].parent.unwrap_or(line.context);
            around..=last_inside[around as usize]
        });
        // A heading above the title, such as the day of a post, begins no section of the text.
        if page.title_line.1 > MIN_TITLE {
            let title = page.title_line.0 as u32;
            sections.retain(|section| !(section.heading + 1..section.end).contains(&title));
        }
        Units { units, sections }
    }

    /// Decides about units, given the chances of lines and the least chance of those that are kept.
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
        let sums = self.sums(page, elements, &context_of, chances);
        for unit in &self.units {
            let range = unit.start as usize..unit.end as usize;
            let (mut tokens, mut expected) = (0.0, 0.0);
            // What is very unlikely says nothing of the rest, unless all of it is one table.
            let counts = |i: &usize| {
                !page.is_dropped(*i)
                    && (matches!(unit.kind, Kind::Table | Kind::Panel | Kind::Code)
                        || chances[*i] >= LEAST_INSIDE)
            };
            let counted: Vec<usize> = range.clone().filter(counts).collect();
            for &i in &counted {
                tokens += page.tokens(i);
                expected += page.tokens(i) * f64::from(chances[i]);
            }
            let mean = (expected / f64::max(tokens, f64::MIN_POSITIVE)) as f32;
            if unit.kind == Kind::Panel {
                if self
                    .around(page, &sums, unit)
                    .is_some_and(|around| around >= f64::from(DEFAULT_THRESHOLD))
                {
                    for chance in chances[range]
                        .iter_mut()
                        .filter(|chance| **chance >= LEAST_OF_PANEL)
                    {
                        *chance = multiplied(*chance, ODDS_OF_PANEL);
                    }
                }
                continue;
            }
            let is_amid_text = unit.kind != Kind::List
                && self
                    .around(page, &sums, unit)
                    .is_some_and(|around| around >= SURE_AROUND);
            let mean = match unit.kind {
                _ if !is_amid_text => mean,
                Kind::Code => multiplied(mean, ODDS_OF_CODE),
                _ => multiplied(mean, ODDS_AROUND),
            };
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
        // Of the last section that stayed, the level and the depth of the heading.
        let mut stayed: Option<(u8, u32)> = None;
        for section in self.sections.iter().rev() {
            let heading = section.heading as usize;
            let range = heading + 1..section.end as usize;
            let best = |chances: &[f32]| chances[range.clone()].iter().copied().fold(0.0, f32::max);
            if stayed == Some(section.place)
                && section.is_short
                && best(chances) < least
                && !page.is_dropped(heading)
            {
                let lines = chances[..section.end as usize]
                    .iter_mut()
                    .enumerate()
                    .skip(heading);
                for (i, chance) in lines {
                    if !page.is_dropped(i) && *chance >= LEAST_INSIDE {
                        *chance = multiplied(*chance, ODDS_AROUND);
                    }
                }
            }
            let best = best(chances);
            if best < MAX_GONE * least && page.tokens(heading) <= MAX_HEADING {
                chances[heading] = chances[heading].min(best);
            } else if best >= least && chances[heading] >= LEAST_INSIDE && !page.is_dropped(heading) {
                chances[heading] = multiplied(chances[heading], ODDS_OF_HEADING);
            }
            if best >= least && chances[heading] >= least {
                stayed = Some(section.place);
            }
        }
    }

    /// The chance of the text around a unit: in the nearest element around it that holds enough of it.
    fn around(&self, page: &impl Chances, sums: &[(f64, f64)], unit: &Unit) -> Option<f64> {
        let (tokens, expected) = sums[unit.element as usize];
        let mut at = page.parent(unit.element);
        for _ in 0..LEVELS_AROUND {
            let &(all, likely) = sums.get(at as usize)?;
            if all - tokens >= MIN_AROUND {
                return Some((likely - expected) / (all - tokens));
            }
            at = page.parent(at);
        }
        None
    }

    /// Tokens of each element, and how many of them are expected to be main text.
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
        for i in (0..elements).rev() {
            let parent = page.parent(i as u32);
            if parent != NONE {
                let below = sums[i];
                let sum = &mut sums[parent as usize];
                *sum = (sum.0 + below.0, sum.1 + below.1);
            }
        }
        sums
    }
}

/// Whether a section is of a few words that are no links.
fn is_short(lines: &[Line]) -> bool {
    const MAX_TOKENS: u32 = 60;
    let is_linked = |line: &Line| line.link_density >= MAX_LINKED;
    lines.iter().map(|line| line.counts.tokens).sum::<u32>() <= MAX_TOKENS && !lines.iter().any(is_linked)
}

/// The chance whose odds are those of `chance`, multiplied.
pub(crate) fn multiplied(chance: f32, odds: f32) -> f32 {
    let above = chance * odds;
    let below = above + 1.0 - chance;
    if below > 0.0 { above / below } else { chance }
}

/// The sections of a page, the innermost first. `around` gives the numbers of the elements in the element around the one of a line.
fn sections(
    lines: &[Line],
    depth: impl Fn(&Line) -> u32,
    around: impl Fn(&Line) -> std::ops::RangeInclusive<u32>,
) -> Vec<Section> {
    let mut out = Vec::new();
    for (i, line) in lines.iter().enumerate().rev() {
        if line.heading < 2 {
            continue;
        }
        let range = around(line);
        let inside = lines[i + 1..].iter().take(MAX_LINES as usize).take_while(|next| {
            range.contains(&next.context) && !(next.heading > 0 && next.heading <= line.heading)
        });
        let count = inside.count();
        if count > 0 {
            out.push(Section {
                heading: i as u32,
                end: (i + 1 + count) as u32,
                place: (line.heading, depth(line)),
                is_short: is_short(&lines[i + 1..i + 1 + count]),
            });
        }
    }
    out
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
        // Lines outside of tables, and of a table with a long text, are not changed.
        assert_eq!((got[0], &got[9..]), (chances[0], &chances[9..]));
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
    fn what_is_very_unlikely_is_cut_out_of_a_list() {
        let page = "<ol><li>Cut the leek.<li>Boil it.<li>Share this</ol>";
        let got = settled(page, [0.8, 0.4, 0.05]);
        assert!(got[0] >= 0.6 && got[1] >= 0.6 && got[2] < 0.1, "{got:?}");
        // Links stand for themselves.
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
    fn odds_are_multiplied() {
        assert!((multiplied(0.5, 3.0) - 0.75).abs() < 1e-6);
        assert!(multiplied(0.0, 9.0) == 0.0 && multiplied(1.0, 0.1) > 0.999_999);
    }
}
