//! Parts of a page that its markup and a few words identify: hidden text, requests for consent, the footer, pointers to other pages,
//! furniture of a forum, and notes that the text refers to.
//!
//! The trees see the same names and tags, but weigh them as the labelled pages suggest, and few of these pages have such parts next to a
//! short text. So each part changes the odds of its lines after the refinement, by the factor in its row of [`PARTS`]. A dropped line
//! gets the reason of the first part that matches.

mod bars;
mod controls;
mod copies;
mod hidden;
mod labels;
mod mail;
mod notes;
mod notices;
mod readers;
mod related;
mod requests;
mod teasers;

use std::ops::Range;

use memchr::memmem;

use crate::analysis::blocks::block::BlockKind;
use crate::label::extractor::PageView;
use crate::label::model::lines::Line;
use crate::label::model::name_groups::bit;
use crate::label::model::page_table::PageTable;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, NodeId, Tag};

/// A kind of part.
struct Part {
    /// Reason given for lines that are dropped.
    reason: &'static str,
    /// Factor for the odds of its lines.
    odds: f32,
    /// Returns whether the element with this number is a part of this kind.
    is: fn(&Page<'_>, usize) -> bool,
}

/// All kinds of parts, in order of precedence: an element belongs to the first kind that matches, and so do
/// its descendants.
const PARTS: &[Part] = &[
    Part {
        reason: "consent",
        odds: 0.0005,
        is: |page, i| page.is_consent(i) && !page.is_named_by_heading(i),
    },
    Part {
        reason: FOOTER,
        odds: 0.1,
        is: |page, i| page.is_footer(i),
    },
    Part {
        reason: "sidebar",
        odds: 0.05,
        is: |page, i| page.is_sidebar(i),
    },
    Part {
        reason: "status",
        odds: 0.05,
        is: |page, i| page.is_status(i),
    },
    Part {
        reason: "site-notice",
        odds: 0.05,
        is: |page, i| page.is_notice(i),
    },
    Part {
        reason: SUBSCRIPTION,
        odds: 0.002,
        is: |page, i| page.is_subscription(i),
    },
    Part {
        reason: RELATED,
        odds: 0.002,
        is: |page, i| page.is_related(i),
    },
    Part {
        reason: TEASERS,
        odds: 0.04,
        // Matches no element: `add_teasers` marks rows of lines.
        is: |_, _| false,
    },
    Part {
        reason: COMMENTS,
        odds: 0.01,
        // Matches no element: `add_comments` marks sections of lines.
        is: |_, _| false,
    },
    Part {
        reason: LABEL,
        odds: 0.005,
        // Matches no element: `add_labels` marks lines.
        is: |_, _| false,
    },
    Part {
        reason: "furniture",
        odds: 0.1,
        is: |page, i| page.is_furniture(i),
    },
    Part {
        reason: CONTROL,
        odds: 0.05,
        is: |page, i| page.is_control(i) || page.is_filter(i),
    },
    Part {
        reason: "aside",
        odds: 15.0,
        is: |page, i| page.is_aside_of_text(i),
    },
    Part {
        reason: "signature",
        odds: 6.0,
        is: |page, i| page.is_signature(i),
    },
    Part {
        reason: REFERENCES,
        odds: 6.0,
        // Matches no element: `add_related_sections` marks sections of lines.
        is: |_, _| false,
    },
    Part {
        reason: "name of a tab",
        odds: 6.0,
        is: |page, i| page.is_tab_of_code(i),
    },
    Part {
        reason: "note",
        odds: 50.0,
        is: |page, i| page.is_note(i),
    },
];

/// Reasons of parts that single lines are marked with, too.
const RELATED: &str = "related";
const FOOTER: &str = "footer";
const REFERENCES: &str = "references";
const LABEL: &str = "label";
const COMMENTS: &str = "comments";
const TEASERS: &str = "teasers";
const SUBSCRIPTION: &str = "subscription";
const CONTROL: &str = "control";

/// Placeholder for lines outside all parts.
const NO_PART: u8 = u8::MAX;

/// The part that each line belongs to, and lines and elements with a special role.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// Per line: index into [`PARTS`], or [`NO_PART`]. Empty if no line is in a part.
    of_lines: Vec<u8>,
    /// Hidden lines that no script is known to show.
    pub(crate) hidden: Vec<u32>,
    /// Elements that a script shows in place of their siblings, such as the panels of tabs.
    pub(crate) panels: Vec<u32>,
    /// Lines in the element that is marked as the content of the page, except lines beside the text in it.
    pub(crate) main: Vec<u32>,
    /// Lines that repeat another line: the copy and its original.
    pub(crate) copies: Vec<(u32, u32)>,
    /// Headings without a heading's tag: buttons that open a part of the text, and questions. The line, and the first line of what it
    /// heads.
    pub(crate) panel_headings: Vec<(u32, u32)>,
    /// Lines of a letter to subscribers, without its head and foot. Empty if the page is not a letter.
    pub(crate) mail: Vec<u32>,
}

impl Parts {
    pub(crate) fn new(view: &PageView<'_>, page: &PageTable) -> Parts {
        let parts = Page::new(view, page);
        let of_elements = parts.of_elements();
        let mut of_lines: Vec<u8> = Vec::new();
        if of_elements.iter().any(|&part| part != NO_PART) {
            of_lines.extend(page.lines.iter().map(|line| of_elements[line.context as usize]));
        }
        // In this order: the steps for controls, bars, requests and labels skip lines that are in a part
        // already.
        parts.add_related_sections(&mut of_lines);
        parts.add_related_lines(&mut of_lines);
        parts.add_labelled_links(&mut of_lines);
        parts.add_control_lines(&mut of_lines);
        parts.add_comments(&mut of_lines);
        parts.add_teasers(&mut of_lines);
        parts.add_bars(&mut of_lines);
        parts.add_requests(&mut of_lines);
        parts.add_labels(&mut of_lines);
        let (hidden, panels) = parts.hidden();
        Parts {
            main: parts.main_lines(&of_lines),
            of_lines,
            hidden,
            panels,
            copies: parts.copies(),
            panel_headings: parts.panel_headings(),
            mail: parts.mail_lines(),
        }
    }

    /// Returns the factor for the odds of a line; 1 outside all parts.
    pub(crate) fn odds(&self, line: usize) -> f32 {
        self.part(line).map_or(1.0, |part| part.odds)
    }

    /// Returns the reason for dropping a line, if it is in a part outside the main text.
    pub(crate) fn reason(&self, line: usize) -> Option<&'static str> {
        self.part(line)
            .filter(|part| part.odds < 1.0)
            .map(|part| part.reason)
    }

    fn part(&self, line: usize) -> Option<&'static Part> {
        PARTS.get(usize::from(*self.of_lines.get(line)?))
    }
}

/// Flag: named like something that a forum shows around its posts.
const OF_FURNITURE: u8 = 1;
/// Flag: named like notes. Lists of sources are cited in the same way, but are excluded here, since labelled pages do not agree on
/// keeping them.
const OF_NOTES: u8 = 2;
/// Flag: named like a quotation.
const OF_QUOTES: u8 = 4;
/// Flag: named like a pull quote.
const OF_PULLED_QUOTES: u8 = 8;
/// Flag: named like a notice of the site.
const OF_NOTICES: u8 = 16;

/// Returns the flags of the class and id of an element. They are computed once per distinct name: otherwise one long class around many
/// lines would be scanned for each of the lines.
fn named(names: &str) -> u8 {
    let mut found = 0;
    for name in names.split(' ').filter(|name| !name.is_empty()) {
        if ["online-list", "online_list", "whos-online", "stat-block"]
            .iter()
            .any(|part| name.contains(part))
        {
            found |= OF_FURNITURE;
        }
        // Searched as substrings, since the words below are split at hyphens.
        if ["pullquote", "pull-quote", "pull_quote"]
            .iter()
            .any(|part| name.contains(part))
        {
            found |= OF_PULLED_QUOTES;
        }
        for part in name.split(|c: char| !c.is_alphanumeric()) {
            found |= match part {
                "signature" | "postsignature" | "usertitle" | "postsig" | "online" | "whosonline"
                | "whoisonline" => OF_FURNITURE,
                "footnote" | "footnotes" | "endnote" | "endnotes" | "fn" | "note" | "notes" => OF_NOTES,
                "notice" | "notices" => OF_NOTICES,
                "quote" | "quotes" | "quoted" | "quotecontent" | "quotation" => OF_QUOTES,
                _ => 0,
            };
        }
    }
    found
}

/// The evidence for parts.
struct Page<'p> {
    view: &'p PageView<'p>,
    page: &'p PageTable,
    /// Per element: whether it contains a visible `h1`. `first_line`: number of the first line in it.
    holds_title: Vec<bool>,
    first_line: Vec<u32>,
    /// Per element: number of its last descendant, or its own number. The elements in between are descendants as well.
    last_inside: Vec<u32>,
    /// The outermost element that is marked as the content of the page, if there is one such element.
    main: Option<usize>,
    /// Per element: whether it is marked as content.
    marked_main: Vec<bool>,
    /// For each distinct name of elements, its flags: [`OF_FURNITURE`] and the others.
    named: Vec<u8>,
    /// Targets of links within the page, sorted and unique: ids of elements that a mark in the text refers to.
    targets: Vec<Box<str>>,
    /// Ids of these marks and of the elements right around them, sorted: a note leads back to one of them.
    marks: Vec<Box<str>>,
}

/// Maximum number of words of a heading that announces other pages.
const MAX_HEADING: u32 = 8;

impl<'p> Page<'p> {
    fn new(view: &'p PageView<'p>, page: &'p PageTable) -> Page<'p> {
        let contexts = view.table.contexts();
        let mut holds_title = vec![false; contexts.len()];
        let mut first_line = vec![u32::MAX; contexts.len()];
        for (line, i) in page.lines.iter().zip(0_u32..) {
            let at = line.context as usize;
            holds_title[at] |= line.heading == 1 && !line.hidden;
            first_line[at] = first_line[at].min(i);
        }
        let mut last_inside: Vec<u32> = (0..narrow::to_u32(contexts.len())).collect();
        // Parents precede their children, so each entry is complete before it is passed up.
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent.map(|parent| parent as usize) {
                holds_title[parent] |= holds_title[i];
                first_line[parent] = first_line[parent].min(first_line[i]);
                last_inside[parent] = last_inside[parent].max(last_inside[i]);
            }
        }
        Page {
            view,
            page,
            holds_title,
            first_line,
            last_inside,
            marked_main: Vec::new(),
            main: None,
            named: view.table.all_names().map(named).collect(),
            targets: Vec::new(),
            marks: Vec::new(),
        }
        .with_main()
        .with_targets()
    }

    /// Finds the elements that are marked as the content of the page.
    fn with_main(mut self) -> Self {
        let contexts = self.view.table.contexts();
        let is_marked =
            |i: usize| self.tag(i) == Some(Tag::MAIN) || self.has_role(contexts[i].element, "main");
        self.marked_main = (0..contexts.len()).map(is_marked).collect();
        let mut outermost = Vec::new();
        // `end` is the first element after the last outermost mark: marked elements before it are nested.
        let mut end = 0;
        for i in (0..contexts.len()).filter(|&i| self.marked_main[i]) {
            if i >= end {
                outermost.push(i);
                end = self.last_inside[i] as usize + 1;
            }
        }
        // Several marks side by side do not say which of them is the content.
        self.main = match outermost[..] {
            [main] => Some(main),
            _ => None,
        };
        self
    }

    fn has_role(&self, element: NodeId, role: &str) -> bool {
        let stated = self.view.dom.known_attr(element, AttrName::ROLE);
        stated.is_some_and(|stated| stated.trim() == role)
    }

    /// Notes the targets of links that look like marks of notes: a number, a letter or a sign.
    fn with_targets(mut self) -> Self {
        const MAX_MARK: usize = 8;
        const MAX_ID: usize = 200;
        let (dom, table) = (self.view.dom, self.view.table);
        for block in table
            .blocks()
            .iter()
            .filter(|block| block.link_chars > 0 && !block.hidden)
        {
            for &node in table.nodes(block) {
                // The mark is short, and its link is close around it: `<a href=#fn1><sup>1</sup></a>`.
                if dom.raw_bytes(node).len() > MAX_MARK {
                    continue;
                }
                let link = dom
                    .ancestors(node)
                    .take(3)
                    .find(|&at| dom.html_tag(at) == Some(Tag::A));
                let Some(link) = link else { continue };
                let target = dom.short_attr(link, "href", MAX_ID);
                if let Some(target) = target
                    .as_deref()
                    .and_then(|target| target.trim().split_once('#'))
                    .map(|(_, name)| name)
                    && !target.is_empty()
                {
                    self.targets.push(target.into());
                    // The note may lead back to the link or to the element around it.
                    let around = std::iter::once(link).chain(dom.parent(link));
                    let ids = around.flat_map(|at| {
                        [
                            dom.short_attr(at, "id", MAX_ID),
                            dom.short_attr(at, "name", MAX_ID),
                        ]
                    });
                    self.marks.extend(ids.flatten().map(|id| id.trim().into()));
                }
            }
        }
        for names in [&mut self.targets, &mut self.marks] {
            names.sort_unstable();
            names.dedup();
        }
        self
    }

    /// Marks lines as lying in the part with this reason. `of_lines` is empty until a line lies in a part.
    fn mark(&self, of_lines: &mut Vec<u8>, lines: Range<usize>, reason: &str) {
        let part = PARTS.iter().position(|part| part.reason == reason);
        debug_assert!(part.is_some(), "{reason} is the reason of no part");
        if of_lines.is_empty() {
            of_lines.resize(self.page.lines.len(), NO_PART);
        }
        of_lines[lines].fill(part.map_or(NO_PART, narrow::to_u8));
    }

    /// Returns the part of each element, or [`NO_PART`].
    fn of_elements(&self) -> Vec<u8> {
        let contexts = self.view.table.contexts();
        let mut parts: Vec<u8> = Vec::with_capacity(contexts.len());
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.map_or(NO_PART, |parent| parts[parent as usize]);
            // A part extends to all descendants, so only elements outside all parts are tested.
            parts.push(if above == NO_PART {
                let found = PARTS.iter().position(|part| (part.is)(self, i));
                found.map_or(NO_PART, narrow::to_u8)
            } else {
                above
            });
        }
        parts
    }

    fn tag(&self, i: usize) -> Option<Tag> {
        self.page.elements[i].tag
    }

    fn element(&self, i: usize) -> NodeId {
        self.view.table.contexts()[i].element
    }

    fn groups(&self, i: usize) -> u32 {
        self.page.elements[i].groups
    }

    fn names(&self, i: usize) -> &str {
        self.view.table.names(&self.view.table.contexts()[i])
    }

    /// Returns whether one of the names, or a part of it between hyphens and the like, is in `words`.
    fn has_word(&self, i: usize, words: &[&str]) -> bool {
        let names = self.names(i);
        names
            .split(|c: char| !c.is_alphanumeric())
            .any(|part| words.contains(&part))
    }

    /// Returns whether the names of an element have one of these flags.
    fn is_named(&self, i: usize, kind: u8) -> bool {
        self.named[self.view.table.contexts()[i].names()] & kind != 0
    }

    /// Returns whether the names of an element contain one of these substrings.
    fn has_part(&self, i: usize, parts: &[&str]) -> bool {
        let names = self.names(i).as_bytes();
        parts
            .iter()
            .any(|part| memmem::find(names, part.as_bytes()).is_some())
    }

    /// Returns its share of the page's tokens.
    fn share(&self, i: usize) -> f32 {
        self.page.elements[i].measures[0]
    }

    /// Returns whether an element may lie outside the main text: it does not contain the title and has at most `most` of the page's tokens.
    fn may_be_beside(&self, i: usize, most: f32) -> bool {
        !self.holds_title[i]
            && self.share(i) <= most
            && !matches!(self.tag(i), Some(Tag::HTML | Tag::BODY | Tag::MAIN))
    }

    /// Returns whether an element contains one of these tags, among its first nodes. Only elements that may be a part are scanned, so
    /// that few scans overlap.
    fn holds(&self, i: usize, tags: &[Tag]) -> bool {
        const MAX_NODES: usize = 400;
        let dom = self.view.dom;
        let mut nodes = dom.preorder(self.element(i)).take(MAX_NODES);
        nodes.any(|node| dom.html_tag(node).is_some_and(|tag| tags.contains(&tag)))
    }

    /// Returns the lines in an element, with their numbers.
    fn lines_in(&self, i: usize) -> impl Iterator<Item = (usize, &'p Line)> {
        // Elements are numbered in document order: those inside are `i..=last`, and their lines are
        // consecutive.
        let (first, last) = (self.first_line[i] as usize, self.last_inside[i]);
        let range = narrow::to_u32(i)..=last;
        let lines = self.page.lines.iter().enumerate().skip(first);
        lines.take_while(move |(_, line)| range.contains(&line.context))
    }

    /// Returns the text of a line: its blocks, joined by spaces.
    fn text(&self, line: &Line) -> String {
        let blocks = &self.view.table.blocks()[line.blocks()];
        let texts: Vec<&str> = blocks.iter().map(|block| self.view.table.text(block)).collect();
        texts.join(" ")
    }

    /// Returns the text of the first block of a line.
    fn first_text(&self, line: &Line) -> &'p str {
        let table = self.view.table;
        table.blocks()[line.blocks()]
            .first()
            .map_or("", |block| table.text(block))
    }

    /// Returns the text of a line; empty if the line is long. Bounded because a line is read once for every element that it begins.
    fn short_text(&self, line: &Line) -> String {
        const MAX_CHARS: u32 = 1000;
        if line.chars > MAX_CHARS {
            String::new()
        } else {
            self.text(line)
        }
    }

    /// Returns whether an element is a dialog that asks for consent to cookies or to sharing data.
    fn is_consent(&self, i: usize) -> bool {
        const NAMES: &[&str] = &[
            "cookie",
            "consent",
            "gdpr",
            "onetrust",
            "didomi",
            "usercentrics",
            "cmplz",
            "cookiebot",
        ];
        const WORDS: &[&str] = &[
            "cookie",
            "consent",
            "gdpr",
            "куки",
            "partners store",
            "datenschutz",
            "einwillig",
            "consentement",
        ];
        // A modal needs more evidence: shops show measures and reviews of products in modals.
        let is_modal = self.groups(i) & bit("modal") != 0 || self.tag(i) == Some(Tag::DIALOG);
        if !is_modal && !self.is_apart(i) || !self.may_be_beside(i, 0.9) {
            return false;
        }
        if matches!(self.tag(i), Some(Tag::ARTICLE)) || !self.holds(i, &[Tag::BUTTON, Tag::INPUT, Tag::A]) {
            return false;
        }
        // A policy on cookies may be the main text of a page. It has neither buttons nor fields and is a large part of the page.
        if self.has_part(i, NAMES) {
            return self.holds(i, &[Tag::BUTTON, Tag::INPUT]) || self.share(i) < 0.3;
        }
        const MAX_LINES: usize = 40;
        self.lines_in(i).take(MAX_LINES).any(|(_, line)| {
            let text = self.short_text(line).to_lowercase();
            WORDS.iter().any(|word| text.contains(word))
        })
    }

    /// Returns whether an element is a short box directly in the body that has a button and none of the
    /// sections that a page consists of.
    fn is_apart(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 200.0;
        const PARTS: &[Tag] = &[Tag::MAIN, Tag::ARTICLE, Tag::NAV, Tag::HEADER, Tag::FOOTER];
        let element = &self.page.elements[i];
        let is_of_body = element.parent().and_then(|parent| self.tag(parent)) == Some(Tag::BODY);
        let is_box = matches!(self.tag(i), Some(Tag::DIV | Tag::SECTION | Tag::ASIDE));
        is_of_body
            && is_box
            && element.sums.tokens <= MAX_TOKENS
            && self.holds(i, &[Tag::BUTTON])
            && !self.holds(i, PARTS)
    }

    /// Returns whether an element is the footer of the page, below the text.
    fn is_footer(&self, i: usize) -> bool {
        let by_tag = self.tag(i) == Some(Tag::FOOTER);
        if !by_tag && self.groups(i) & bit("foot") == 0 || !self.may_be_beside(i, 0.4) {
            return false;
        }
        let by_name = self.has_word(
            i,
            &["footer", "colophon", "sitefooter", "pagefooter", "globalfooter"],
        );
        let contexts = self.view.table.contexts();
        let above = std::iter::successors(contexts[i].parent, |&at| contexts[at as usize].parent);
        // Articles have footers of their own, which may contain notes. So do quotations.
        let is_own = above
            .filter_map(|at| self.tag(at as usize))
            .any(|tag| matches!(tag, Tag::ARTICLE | Tag::BLOCKQUOTE | Tag::FIGURE | Tag::SECTION));
        // A name such as `footer` also occurs above the text, so the element must begin below the densest run
        // of text.
        (by_tag || by_name) && !is_own && self.first_line[i] as usize >= self.page.cores[1].end
    }

    /// Returns whether an element is named like a column beside the content and lies outside the element that
    /// is marked as content. It may contain the only `h1`, such as the name of a forum beside its threads.
    fn is_sidebar(&self, i: usize) -> bool {
        const MIN_MAIN: f32 = 20.0;
        const MOST: f32 = 0.5;
        let Some(main) = self.main else { return false };
        let is_outside = i > self.last_inside[main] as usize || (self.last_inside[i] as usize) < main;
        is_outside
            && self.groups(i) & bit("side") != 0
            && self.share(i) <= MOST
            && self.page.elements[main].sums.tokens >= MIN_MAIN
            && self.has_word(i, &["side", "sidebar", "sidebars", "rail"])
    }

    /// Returns whether an element is a message about the state of the page, outside of its articles.
    fn is_status(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 60.0;
        self.page.elements[i].sums.tokens <= MAX_TOKENS
            && self.may_be_beside(i, 0.3)
            && self.has_role(self.element(i), "status")
            && !self.is_in(i, &[Tag::ARTICLE, Tag::FORM])
    }

    /// Returns whether an ancestor of an element has one of these tags.
    fn is_in(&self, i: usize, tags: &[Tag]) -> bool {
        let contexts = self.view.table.contexts();
        let mut above = std::iter::successors(contexts[i].parent, |&at| contexts[at as usize].parent);
        above.any(|at| self.tag(at as usize).is_some_and(|tag| tags.contains(&tag)))
    }

    /// Returns whether an element is one that a forum shows around its posts: users online, ranks,
    /// signatures.
    fn is_furniture(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 150.0;
        let elements = &self.page.elements;
        // The signature of a function has the same names but contains code or is followed by its description.
        elements[i].sums.tokens <= MAX_TOKENS
            && self.may_be_beside(i, 0.4)
            && self.is_named(i, OF_FURNITURE)
            && !self.holds(i, &[Tag::PRE, Tag::CODE])
            && !self.is_described(i)
    }

    /// Returns whether the next sibling of an element describes it, as a description follows the signature of
    /// a function. The signature of a forum member ends a post, so no such text follows.
    fn is_described(&self, i: usize) -> bool {
        const MIN_TOKENS: u32 = 3;
        const MAX_LINKED: f32 = 0.5;
        let contexts = self.view.table.contexts();
        let next = self.last_inside[i] + 1;
        let Some(context) = contexts
            .get(next as usize)
            .filter(|next| next.parent == contexts[i].parent)
        else {
            return false;
        };
        // A form or a button after the element describes nothing.
        let is_text = matches!(
            self.view.dom.html_tag(context.element),
            Some(Tag::DIV | Tag::P | Tag::DL | Tag::SECTION)
        );
        is_text
            && self.lines_in(next as usize).next().is_some_and(|(_, line)| {
                line.counts.tokens >= MIN_TOKENS && line.link_density < MAX_LINKED && !line.hidden
            })
    }

    /// Returns whether an element is a remark within the text: a short `aside` of an article, with sentences
    /// and without links.
    fn is_aside_of_text(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 60.0;
        let element = &self.page.elements[i];
        let around = element.parent().and_then(|parent| self.tag(parent));
        self.tag(i) == Some(Tag::ASIDE)
            && around == Some(Tag::ARTICLE)
            && element.sums.tokens <= MAX_TOKENS
            && element.sums.linked == 0.0
            && self
                .lines_in(i)
                .all(|(_, line)| line.counts.ends && line.heading == 0)
    }

    /// Returns the lines of text in `main`, or in an element with that role.
    fn main_lines(&self, of_lines: &[u8]) -> Vec<u32> {
        const MAX_LINKED: f32 = 0.5;
        let contexts = self.view.table.contexts();
        let mut inside: Vec<bool> = Vec::with_capacity(contexts.len());
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.is_some_and(|parent| inside[parent as usize]);
            // Navigation and forms inside `main` are not content, nor are their descendants unless they are
            // marked themselves.
            inside.push(match self.tag(i) {
                Some(Tag::NAV | Tag::ASIDE | Tag::FOOTER | Tag::FORM | Tag::BUTTON | Tag::SELECT) => false,
                _ => above || self.marked_main[i],
            });
        }
        let lines = self.page.lines.iter().zip(0_u32..);
        let main = lines.filter(|(line, i)| {
            inside[line.context as usize]
                && !line.hidden
                // The text of a card may be one link: paragraphs and headings count at any link density.
                && (line.link_density < MAX_LINKED || matches!(line.kind, BlockKind::Paragraph | BlockKind::Heading))
                && of_lines.get(*i as usize).is_none_or(|&part| part == NO_PART)
        });
        main.map(|(_, i)| i).collect()
    }
}
