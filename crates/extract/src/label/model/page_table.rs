//! Measurements of a page from which the features of its lines are computed, in one pass up and one pass down the elements.

use std::ops::Range;
use std::sync::LazyLock;

use crate::analysis::blocks::block::Context;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::key_numbers::KeyNumbers;
use crate::label::extractor::PageView;
use crate::label::model::lines::{Line, lines};
use crate::label::model::name_groups::{self, NameTraits, digitless_key};
use crate::label::model::title_line::find_title_line;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, Tag};

/// Sums over the lines of an element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) tokens: f32,
    pub(crate) chars: f32,
    pub(crate) linked: f32,
    pub(crate) lines: f32,
    /// Tokens of long lines with few links.
    pub(crate) long: f32,
    /// Tokens of lines that end like sentences.
    pub(crate) ends: f32,
}

impl Sums {
    fn of(line: &Line) -> Self {
        let tokens = line.counts.tokens as f32;
        Sums {
            tokens,
            chars: line.chars as f32,
            linked: line.link_chars as f32,
            lines: 1.0,
            long: if line.counts.tokens >= 20 && line.link_density < 0.35 {
                tokens
            } else {
                0.0
            },
            ends: if line.counts.ends { tokens } else { 0.0 },
        }
    }

    fn add(&mut self, other: &Sums) {
        self.tokens += other.tokens;
        self.chars += other.chars;
        self.linked += other.linked;
        self.lines += other.lines;
        self.long += other.long;
        self.ends += other.ends;
    }

    pub(crate) fn link_density(&self) -> f32 {
        self.linked / self.chars.max(1.0)
    }

    /// Returns the tokens per line.
    pub(crate) fn mean(&self) -> f32 {
        self.tokens / self.lines.max(1.0)
    }

    /// Returns the share of tokens in long lines with few links.
    pub(crate) fn long_share(&self) -> f32 {
        self.long / self.tokens.max(1.0)
    }

    /// Returns the share of tokens in lines that end like sentences.
    pub(crate) fn ends_share(&self) -> f32 {
        self.ends / self.tokens.max(1.0)
    }

    /// Returns five ratios: share of the page's tokens, link density, tokens per line, and the shares of tokens in long lines and in
    /// sentences.
    #[inline]
    fn measures(&self, total: f32) -> [f32; 5] {
        // Padded to eight divisions: in vector registers they take no longer than one.
        let above = [
            self.tokens,
            self.linked,
            self.tokens,
            self.long,
            self.ends,
            0.0,
            0.0,
            0.0,
        ];
        let below = [
            total,
            self.chars,
            self.lines,
            self.tokens,
            self.tokens,
            1.0,
            1.0,
            1.0,
        ];
        let shares: [f32; 8] = std::array::from_fn(|i| above[i] / below[i].max(1.0));
        [shares[0], shares[1], shares[2], shares[3], shares[4]]
    }
}

/// Groups of tags. The distance from a line up to the nearest element of each group is a feature.
pub(crate) const TAG_GROUPS: &[(&str, &[Tag])] = &[
    ("nav", &[Tag::NAV]),
    ("footer", &[Tag::FOOTER]),
    ("header", &[Tag::HEADER]),
    ("aside", &[Tag::ASIDE]),
    ("form", &[Tag::FORM, Tag::FIELDSET]),
    ("main", &[Tag::MAIN]),
    ("article", &[Tag::ARTICLE]),
    ("section", &[Tag::SECTION]),
    ("table", &[Tag::TABLE]),
    ("list", &[Tag::UL, Tag::OL, Tag::DL, Tag::MENU]),
    ("p", &[Tag::P]),
    ("quote", &[Tag::BLOCKQUOTE]),
    ("figure", &[Tag::FIGURE]),
    ("control", &[Tag::BUTTON, Tag::LABEL, Tag::SELECT, Tag::OPTION]),
    ("dialog", &[Tag::DIALOG, Tag::DETAILS]),
    ("pre", &[Tag::PRE]),
];

/// Name groups whose share of the page's text is a feature.
pub(crate) const NAMES_OF_PAGE: [&str; 9] = [
    "nav", "comment", "related", "meta", "content", "card", "forum", "lead", "code",
];

/// Bit of each group of [`NAMES_OF_PAGE`].
const BITS_OF_PAGE: [u32; NAMES_OF_PAGE.len()] = {
    let (mut bits, mut i) = ([0; NAMES_OF_PAGE.len()], 0);
    while i < bits.len() {
        bits[i] = name_groups::bit(NAMES_OF_PAGE[i]);
        i += 1;
    }
    bits
};

/// Number that stands in for a missing element or group.
pub(crate) const NONE: u32 = u32::MAX;

/// Siblings that share a style or a tag group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiblingGroup {
    pub(crate) members: f32,
    pub(crate) sums: Sums,
}

impl SiblingGroup {
    /// Returns whether the group has enough members for its features to be computed.
    pub(crate) fn has_enough(&self) -> bool {
        self.members >= MIN_MEMBERS
    }
}

/// Position of an element in a group of siblings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    /// Number of the group; [`NONE`] if the element is in no group.
    pub(crate) group: u32,
    /// Index among the members of the group, from 0.
    pub(crate) ordinal: f32,
}

impl Membership {
    const NONE: Membership = Membership {
        group: NONE,
        ordinal: 0.0,
    };
}

/// An element that contains lines.
#[derive(Debug)]
pub(crate) struct Element {
    /// Number of the parent; [`NONE`] at the root.
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    /// Tag; `None` outside the HTML namespace.
    pub(crate) tag: Option<Tag>,
    pub(crate) sums: Sums,
    /// The ratios of [`Sums::measures`].
    pub(crate) measures: [f32; 5],
    /// Score from the paragraphs inside the element, as in Readability.
    pub(crate) score: f32,
    pub(crate) groups: u32,
    pub(crate) tag_groups: u16,
    pub(crate) itemprop: bool,
    /// Whether its ARIA role marks it as lying outside the content.
    pub(crate) side_by_role: bool,
    /// Number of its style: equal for elements with the same tags from the root and the same class and id.
    pub(crate) style: u32,
    /// Membership among siblings of the same style; `tag_siblings` among those of the same tag group. See [`PageTable::siblings`].
    pub(crate) siblings: Membership,
    pub(crate) tag_siblings: Membership,
}

impl Element {
    pub(crate) fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}

/// The densest run of text lines of the page, `start..end`; see `densest_runs`.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Share of the page's tokens in the run.
    pub(crate) share: f32,
    /// Style of the elements that contain most of the run's text.
    pub(crate) style: u32,
    /// Innermost element that contains the whole run.
    pub(crate) container: usize,
}

/// Measurements of the whole page, taken before the features of its lines are written.
#[derive(Debug)]
pub(crate) struct PageTable {
    pub(crate) lines: Vec<Line>,
    pub(crate) elements: Vec<Element>,
    pub(crate) sibling_groups: Vec<SiblingGroup>,
    /// Sums over all visible lines.
    pub(crate) page: Sums,
    /// Number of the element with the highest score; the first one of equals.
    pub(crate) best: usize,
    pub(crate) cores: [Core; 2],
    /// Sums over the lines in elements of each style.
    pub(crate) by_style: Vec<Sums>,
    /// Number of the text of each line. Lines with equal text have equal numbers. `copies`: how many lines have each text.
    pub(crate) texts: Vec<u32>,
    pub(crate) copies: Vec<u32>,
    /// Index of the line most similar to the title, and their similarity; 0 if the page has no usable title.
    pub(crate) title_line: (usize, f32),
    pub(crate) first_heading: Option<usize>,
    /// Share of the page's text in elements whose name matches each group of [`NAMES_OF_PAGE`].
    pub(crate) name_shares: [f32; NAMES_OF_PAGE.len()],
    /// Share of lines that name a sum of money.
    pub(crate) money: f32,
    /// Number of `article` elements that contain text.
    pub(crate) articles: f32,
}

impl PageTable {
    /// Measures a page. Returns `None` for a page without lines.
    pub(crate) fn new(view: &PageView<'_>) -> Option<Self> {
        let lines = lines(view.dom, view.table);
        if lines.is_empty() {
            return None;
        }
        let mut styles = StyleSignatures::new(view.table, view.name_traits());
        let mut children = vec![0; view.table.contexts().len()];
        let (mut elements, all_groups) = elements(view, &mut styles, &mut children);
        let mut by_style = vec![Sums::default(); styles.len()];
        sum_up(&mut elements, &mut by_style, &lines);
        let mut page = Sums::default();
        // Every other element is inside one without a parent, so these sums cover all visible lines.
        for element in elements.iter().filter(|e| e.parent == NONE) {
            page.add(&element.sums);
        }
        let total = page.tokens.max(1.0);
        let mut best = 0;
        // The sums are complete, so that scores can be reduced by link density, as in Readability.
        for i in 0..elements.len() {
            let element = &mut elements[i];
            element.measures = element.sums.measures(total);
            // Entry 1 of the measures is the link density.
            element.score *= 1.0 - element.measures[1];
            if element.score > elements[best].score {
                best = i;
            }
        }
        let sibling_groups = sibling_groups(&mut elements, &children, styles.len());
        let mut ids = KeyNumbers::new(lines.len());
        let (mut texts, mut copies) = (Vec::with_capacity(lines.len()), Vec::with_capacity(lines.len()));
        for line in &lines {
            let text = ids.id(line.counts.hash());
            texts.push(text);
            // Numbers are given from 0 in order, so that an unknown text has the number `copies.len()`.
            match copies.get_mut(text as usize) {
                Some(copies) => *copies += 1,
                None => copies.push(1),
            }
        }
        let name_shares = name_shares(&lines, &all_groups, total);
        let article = TAG_GROUPS.iter().position(|(name, _)| *name == "article");
        debug_assert!(article.is_some(), "`article` is a tag group");
        let article = article.unwrap_or(0);
        let articles = elements
            .iter()
            .filter(|e| e.tag_groups >> article & 1 == 1)
            .count() as f32;
        let money = lines.iter().filter(|line| line.counts.money).count() as f32 / lines.len() as f32;
        // Prices in tokens: a weak line costs 6 in the first run, which spans captions and menus inside a
        // text, and 20 in the second, which breaks off sooner.
        let cores = densest_runs(&lines, [6.0, 20.0]).map(|run| core(&elements, &lines, &styles, run, total));
        Some(PageTable {
            title_line: find_title_line(view, &lines),
            name_shares,
            money,
            articles,
            first_heading: lines.iter().position(|line| line.heading == 1 && !line.hidden),
            lines,
            elements,
            sibling_groups,
            page,
            best,
            cores,
            by_style,
            texts,
            copies,
        })
    }
}

impl PageTable {
    /// Returns the group that an element belongs to, if the group has at least three members.
    #[inline]
    pub(crate) fn siblings(&self, member: Membership) -> Option<&SiblingGroup> {
        let group = self.sibling_groups.get(member.group as usize)?;
        group.has_enough().then_some(group)
    }
}

/// Returns the share of the page's text in elements whose name matches each group of [`NAMES_OF_PAGE`].
fn name_shares(lines: &[Line], all_groups: &[u32], total: f32) -> [f32; NAMES_OF_PAGE.len()] {
    let mut shares = [0.0; NAMES_OF_PAGE.len()];
    for line in lines.iter().filter(|line| !line.hidden) {
        let (groups, share) = (
            all_groups[line.context as usize],
            line.counts.tokens as f32 / total,
        );
        // Every sum is updated, by 0 where the line is in no such element: a branch on the membership would be mispredicted often.
        for (sum, bit) in shares.iter_mut().zip(BITS_OF_PAGE) {
            *sum += if groups & bit != 0 { share } else { 0.0 };
        }
    }
    shares
}

/// Groups of each HTML tag, as a bit mask by tag index.
static TAG_GROUPS_OF: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let tag_groups = |tag| {
        let tag_groups = TAG_GROUPS
            .iter()
            .enumerate()
            .filter(|(_, (_, tags))| tags.contains(&tag));
        tag_groups.fold(0, |all, (i, _)| all | 1 << i)
    };
    Tag::ALL.iter().map(|&tag| tag_groups(tag)).collect()
});

/// Numbers the styles of elements.
///
/// A style is the path of tags from the root together with the element's class and id. Digits in class and id are ignored, since they
/// often number copies of one element.
struct StyleSignatures<'t> {
    table: &'t BlockTable,
    names: &'t [NameTraits],
    ids: KeyNumbers,
    /// Number of the first context with each style.
    first: Vec<u32>,
}

impl<'t> StyleSignatures<'t> {
    fn new(table: &'t BlockTable, names: &'t [NameTraits]) -> Self {
        StyleSignatures {
            table,
            names,
            ids: KeyNumbers::new(table.contexts().len() / 2),
            first: Vec::with_capacity(table.contexts().len()),
        }
    }

    /// Returns the number of a context's style.
    fn of(&mut self, i: usize, context: &Context) -> u32 {
        let key = context.path_hash ^ self.names[context.names()].digitless.rotate_left(32);
        let style = self.ids.id(key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        if style as usize == self.first.len() {
            self.first.push(narrow::to_u32(i));
        }
        style
    }

    fn len(&self) -> usize {
        self.first.len()
    }

    /// Returns a hash of a style that does not depend on the other styles of the page.
    fn key(&self, style: u32) -> u64 {
        let context = &self.table.contexts()[self.first[style as usize] as usize];
        let names = self.table.names(context).bytes();
        names.fold(context.path_hash, digitless_key)
    }
}

/// Returns all elements, and for each element the name groups of it and its ancestors. Adds to `children` the number of child elements
/// that contain lines.
fn elements(
    view: &PageView<'_>,
    styles: &mut StyleSignatures<'_>,
    children: &mut [u32],
) -> (Vec<Element>, Vec<u32>) {
    let (dom, table) = (view.dom, view.table);
    let tag_groups_of = &*TAG_GROUPS_OF;
    let mut out: Vec<Element> = Vec::with_capacity(table.contexts().len());
    let mut all_groups: Vec<u32> = Vec::with_capacity(table.contexts().len());
    for (i, context) in table.contexts().iter().enumerate() {
        // Parents precede their children, so their entries exist.
        let (depth, groups_above) = context
            .parent
            .map_or((0, 0), |p| (out[p as usize].depth + 1, all_groups[p as usize]));
        let (mut role, mut itemprop) = (0, false);
        for attr in dom.attrs_of(context.element) {
            if attr.is(AttrName::ROLE) {
                role = name_groups::of_role(&dom.attr_value(attr));
            } else if attr.is(AttrName::ITEMPROP) {
                let value = dom.attr_value(attr);
                itemprop = value.contains("articleBody") || value == "text" || value == "description";
            }
        }
        let tag = dom.html_tag(context.element);
        let tag_groups = tag.and_then(|tag| tag_groups_of.get(tag.index()));
        if let Some(parent) = context.parent {
            children[parent as usize] += 1;
        }
        let groups = styles.names[context.names()].groups | role;
        all_groups.push(groups | groups_above);
        out.push(Element {
            parent: context.parent.unwrap_or(NONE),
            depth,
            tag,
            sums: Sums::default(),
            measures: [0.0; 5],
            score: 0.0,
            groups,
            tag_groups: tag_groups.copied().unwrap_or(0),
            itemprop,
            side_by_role: name_groups::is_side_role(role),
            style: styles.of(i, context),
            siblings: Membership::NONE,
            tag_siblings: Membership::NONE,
        });
    }
    (out, all_groups)
}

/// Divisors of a paragraph's score for its own element and its ancestors, nearest first.
const SHARES: [f32; 6] = [1.0, 1.0, 2.0, 6.0, 9.0, 12.0];

/// Sums up the lines of each element and of each style, and scores the elements.
fn sum_up(elements: &mut [Element], by_style: &mut [Sums], lines: &[Line]) {
    for line in lines {
        let (element, sums) = (&mut elements[line.context as usize], Sums::of(line));
        by_style[element.style as usize].add(&sums);
        // Styles include hidden lines, elements do not.
        if line.hidden {
            continue;
        }
        element.sums.add(&sums);
        // As in Readability.js, shorter paragraphs do not count.
        if line.chars < 25 {
            continue;
        }
        // Readability.js starts at 1 and adds the number of parts between commas, which is one more than the
        // commas. It rounds the characters down to hundreds; here they count in full.
        let score = 2.0 + line.counts.commas as f32 + (line.chars as f32 / 100.0).min(3.0);
        let score = score * (1.0 - line.link_density);
        let mut at = Some(line.context as usize);
        for score in SHARES.map(|share| score / share) {
            let Some(i) = at else { break };
            elements[i].score += score;
            at = elements[i].parent();
        }
    }
    // Children follow their parents, so each sum is complete before it is passed up.
    for i in (1..elements.len()).rev() {
        if let Some(parent) = elements[i].parent() {
            let sums = elements[i].sums;
            elements[parent].sums.add(&sums);
        }
    }
}

/// Minimum number of members of a sibling group.
const MIN_MEMBERS: f32 = 3.0;

/// The last group of siblings with one key (style, or depth and tag group), and the parent of its members.
#[derive(Clone, Copy)]
struct LastGroup {
    parent: u32,
    group: u32,
}

impl LastGroup {
    const NONE: LastGroup = LastGroup {
        parent: NONE,
        group: NONE,
    };

    /// Adds a child of `parent` to this group if the parent is the same, and to a new group otherwise.
    #[inline]
    fn add(&mut self, parent: u32, sums: &Sums, groups: &mut Vec<SiblingGroup>) -> Membership {
        if self.parent != parent {
            *self = LastGroup {
                parent,
                group: narrow::to_u32(groups.len()),
            };
            groups.push(SiblingGroup::default());
        }
        // A root has the parent `NONE`, like an unused entry, so that no group was created for it.
        let Some(found) = groups.get_mut(self.group as usize) else {
            debug_assert!(parent == NONE, "an element with a parent is in a group");
            return Membership::NONE;
        };
        let ordinal = found.members;
        found.members += 1.0;
        found.sums.add(sums);
        Membership {
            group: self.group,
            ordinal,
        }
    }
}

/// Slots per depth: one for each tag group and one for elements in no tag group.
const TAG_PLACES: usize = TAG_GROUPS.len() + 1;

/// Groups siblings and sets the membership of each element.
///
/// Elements are in document order. Among the elements of one style or one depth, those with the same parent are therefore consecutive. So
/// the group of an element is either the last group with its style (or with its depth and tag group), or a new one.
fn sibling_groups(elements: &mut [Element], children: &[u32], styles: usize) -> Vec<SiblingGroup> {
    let mut out: Vec<SiblingGroup> = Vec::with_capacity(elements.len() / 2);
    let mut of_style = vec![LastGroup::NONE; styles];
    let mut of_tags: Vec<LastGroup> = Vec::new();
    for element in elements {
        let siblings = element.parent().map_or(0, |parent| children[parent]);
        // With too few siblings, no group can have enough members.
        if (siblings as f32) < MIN_MEMBERS {
            continue;
        }
        let style = &mut of_style[element.style as usize];
        element.siblings = style.add(element.parent, &element.sums, &mut out);
        // The tag groups are disjoint, so at most one bit is set. Without one, `trailing_zeros` is at least
        // the number of groups: the last slot.
        let first = TAG_PLACES * element.depth as usize;
        if of_tags.len() < first + TAG_PLACES {
            of_tags.resize(first + TAG_PLACES, LastGroup::NONE);
        }
        let tags = &mut of_tags[first + (element.tag_groups.trailing_zeros() as usize).min(TAG_GROUPS.len())];
        element.tag_siblings = tags.add(element.parent, &element.sums, &mut out);
    }
    out
}

/// Returns, for each price, the run of lines with the maximum sum: lines of text add to the sum, lines without much text subtract the
/// price.
fn densest_runs(lines: &[Line], prices: [f32; 2]) -> [Range<usize>; 2] {
    let (mut best, mut most) = ([0..1, 0..1], [f32::MIN; 2]);
    let (mut start, mut sum) = ([0; 2], [0.0; 2]);
    for (i, line) in lines.iter().enumerate() {
        let weak = line.hidden || line.link_density > 0.4 || line.counts.tokens < 6;
        // A single long line counts at most 60 tokens. Lines that do not end like sentences count half.
        let value = match (line.counts.tokens as f32).min(60.0) {
            tokens if line.counts.ends => tokens - 3.0,
            tokens => tokens / 2.0 - 3.0,
        };
        // Kadane's algorithm: a run whose sum is not positive is abandoned.
        for k in 0..prices.len() {
            if sum[k] <= 0.0 {
                (start[k], sum[k]) = (i, 0.0);
            }
            sum[k] += if weak { -prices[k] } else { value };
            if sum[k] > most[k] {
                (best[k], most[k]) = (start[k]..i + 1, sum[k]);
            }
        }
    }
    best
}

/// Describes a run of lines.
fn core(
    elements: &[Element],
    lines: &[Line],
    styles: &StyleSignatures<'_>,
    run: Range<usize>,
    total: f32,
) -> Core {
    let inside = &lines[run.clone()];
    let (mut tokens, mut most) = (vec![0.0; styles.len()], 0.0_f32);
    for line in inside {
        let sum = &mut tokens[elements[line.context as usize].style as usize];
        *sum += line.counts.tokens as f32;
        most = most.max(*sum);
    }
    // `most` is the largest final sum, since sums only grow. They are whole numbers below 2^24, so that `==`
    // is exact.
    let tokens_of = |style: &u32| tokens[*style as usize];
    let of_inside = || inside.iter().map(|line| elements[line.context as usize].style);
    let mut equals = of_inside().filter(|style| tokens_of(style) == most);
    let style = match equals.next() {
        Some(first) if equals.all(|style| style == first) => first,
        // Ties between styles are broken by the greatest key, which does not depend on the rest of the page.
        _ => {
            let mut equals: Vec<u32> = of_inside().filter(|style| tokens_of(style) == most).collect();
            equals.sort_unstable();
            equals.dedup();
            equals
                .into_iter()
                .max_by_key(|&style| styles.key(style))
                .unwrap_or(0)
        }
    };
    debug_assert!(!inside.is_empty(), "a run of lines has a line");
    let mut container = None;
    let mut known = None;
    for line in inside.iter().map(|line| line.context as usize) {
        // Skips lines in the same element as the previous line.
        if known.replace(line) != Some(line) {
            container = Some(container.map_or(line, |at| common_ancestor(elements, at, line)));
        }
    }
    Core {
        share: inside.iter().map(|line| line.counts.tokens as f32).sum::<f32>() / total,
        start: run.start,
        end: run.end,
        style,
        container: container.unwrap_or(0),
    }
}

/// Returns the innermost element that contains both `a` and `b`; the smaller of their roots if they share no ancestor.
fn common_ancestor(elements: &[Element], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let (up, other) = if elements[a].depth >= elements[b].depth {
            (&mut a, b)
        } else {
            (&mut b, a)
        };
        match elements[*up].parent() {
            Some(parent) => *up = parent,
            None => return other.min(*up),
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::analyze::analyze_page;
    use crate::options::Options;
    use crate::page::Page;

    proptest::proptest! {
        #[test]
        fn groups_are_the_siblings_of_one_style_or_tag_group(
            parts in proptest::collection::vec((0..8_usize, 0..3_usize), 0..80),
        ) {
            let tags = ["div", "p", "ul", "li", "section", "/div", "/ul", "/section"];
            let open = |&(tag, name): &(usize, usize)| format!("<{} class={}>text", tags[tag], ["a", "b", "c"][name]);
            let html: String = parts.iter().map(open).collect();
            analyze_page(&Page::decoded(&html), &Options::default(), |view, _, _| {
                let Some(page) = PageTable::new(view) else { return };
                // Members of each group so far, by parent and shared property.
                let mut members: BTreeMap<(u32, bool, u32), Vec<Membership>> = BTreeMap::new();
                for element in page.elements.iter().filter(|element| element.parent != NONE) {
                    let kinds = [
                        (false, element.style, element.siblings),
                        (true, element.tag_groups.into(), element.tag_siblings),
                    ];
                    for (is_tag, kind, member) in kinds {
                        members.entry((element.parent, is_tag, kind)).or_default().push(member);
                    }
                }
                let mut known = BTreeMap::new();
                for (key, members) in members {
                    let found = page.siblings(members[0]);
                    assert_eq!(found.map_or(0, |group| group.members as usize) >= 3, members.len() >= 3, "{html}");
                    let Some(group) = found else { continue };
                    assert_eq!(group.members as usize, members.len(), "{html}");
                    assert_eq!(known.insert(members[0].group, key), None, "{html}");
                    for (member, ordinal) in members.iter().zip(0_u16..) {
                        assert_eq!((member.group, member.ordinal), (members[0].group, f32::from(ordinal)), "{html}");
                    }
                }
            });
        }
    }
}
