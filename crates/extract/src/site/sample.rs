//! The view that templates have of a page: the elements that contain its lines, and the lines with the page-level labels.

use std::ops::Range;

use super::hash::{SEED, hash_name, hash_text, mix};
use super::spots::Spots;
use super::tags::is_text_tag;
use crate::analysis::blocks::block::Boundary;
use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::key_numbers::KeyNumbers;
use crate::analysis::metadata::date::day_of;
use crate::analyze::{Known, PageBuffers, analyze_page, analyze_tree_in};
use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::options::Options;
use crate::page::Page;
use dehusk_html::budget::Budget;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId};

/// A tag, class or id, with its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Name {
    pub(super) hash: u64,
    start: u32,
    end: u32,
}

/// An element that contains lines.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Element {
    /// Number of the parent, which is smaller than the element's own; `None` at the root.
    pub(super) parent: Option<u32>,
    pub(super) tag: Name,
    /// Index of its set of id and classes.
    pub(super) name_set: u32,
    /// Whether it is inline and has neither class nor id, so that its lines count as lines of its parent.
    pub(super) is_transparent: bool,
}

/// An id and classes. Elements of a page with equal names share a set.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct NameSet {
    id: Option<Name>,
    start: u32,
    end: u32,
}

/// A run of blocks that are in one line and one element.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Line {
    /// Number of the element that contains it.
    pub(crate) element: u32,
    /// Range of its block numbers.
    pub(super) blocks: Range<u32>,
    text: Range<u32>,
    /// Hash of the text. Equal for texts that differ in numbers or case only.
    pub(super) hash: u64,
    /// Number of words. In scripts without spaces each character counts as a word.
    pub(super) tokens: u32,
    /// Number of tokens in links, estimated from characters.
    pub(super) linked: f32,
    /// Probability of being main text according to the page-level extractor, 0 to 1.
    pub(super) probability: f32,
    /// Whether the page-level extractor keeps it.
    pub(super) kept: bool,
    /// Whether it is hidden on the page.
    pub(super) hidden: bool,
}

/// A page as templates read it: its elements with their names, and its lines with the page-level labels. It
/// contains the page's text and about 40 bytes for every element with lines, but no other part of the page's
/// source.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample {
    /// Address of the page; empty if unknown.
    name: String,
    date: Option<String>,
    names: String,
    classes: Vec<Name>,
    name_sets: Vec<NameSet>,
    pub(super) elements: Vec<Element>,
    texts: String,
    pub(super) lines: Vec<Line>,
    blocks: usize,
    /// Whether texts of lines are omitted, and (`without_hashes`) their hashes.
    without_texts: bool,
    without_hashes: bool,
    /// Elements that may have title, authors or dates.
    spots: Spots,
}

impl Sample {
    /// Creates the sample of a page, labelled by the page-level extractor of `options`.
    pub fn new(page: &Page<'_>, options: &Options) -> Sample {
        analyze_page(page, options, |view, _, _| {
            Sample::from_view(view, options.extractor.get(), view.url.unwrap_or(""))
        })
    }

    /// Creates the sample of a parsed page. `url` is its address, if it is known.
    pub fn from_dom(dom: &Dom<'_>, url: Option<&str>, options: &Options) -> Sample {
        let budget = Budget::start(&options.limits, dom.source().len());
        analyze_tree_in(
            &mut PageBuffers::default(),
            dom,
            Known::at(url),
            options,
            &budget,
            |view, _| Sample::from_view(view, options.extractor.get(), url.unwrap_or("")),
        )
        .0
    }

    /// Creates the sample of an analyzed page, labelled by `extractor`. `name` is the page's address, or empty if it is unknown.
    pub fn from_view(view: &PageView<'_>, extractor: &dyn Extractor, name: &str) -> Sample {
        let labels = extractor.label(view);
        let empty = Sample {
            name: name.to_owned(),
            date: view.metadata.date.as_deref().map(|date| day_of(date).to_owned()),
            spots: Spots::of(view),
            ..Sample::default()
        };
        empty.filled(view, &labels)
    }

    /// Creates the sample of a page to which a template is applied: its lines have no text, and a hash only if `hashes` is true.
    pub(crate) fn without_texts(view: &PageView<'_>, labels: &Labels, hashes: bool) -> Sample {
        let empty = Sample {
            without_texts: true,
            without_hashes: !hashes,
            ..Sample::default()
        };
        empty.filled(view, labels)
    }

    /// Adds the elements of a page with their names, then its lines with their labels.
    fn filled(mut self, view: &PageView<'_>, labels: &Labels) -> Sample {
        self.blocks = view.table.blocks().len();
        self.elements.reserve_exact(view.table.contexts().len());
        let mut seen = KeyNumbers::new(0);
        for context in view.table.contexts() {
            // The block table numbers sets of id and classes by their first occurrence, so the next number is
            // a new set.
            if context.names() == self.name_sets.len() {
                self.add_name_set(view.dom, context.element, &mut seen);
            }
            let tag = self.intern(view.dom.name(context.element));
            let name_set = &self.name_sets[context.names()];
            // An inline element without names only marks words of its parent's line.
            let named = name_set.id.is_some() || name_set.start < name_set.end;
            self.elements.push(Element {
                parent: context.parent,
                tag,
                name_set: narrow::to_u32(context.names()),
                is_transparent: !named && view.dom.html_tag(context.element).is_some_and(is_phrasing),
            });
        }
        self.read_lines(view, labels);
        self
    }

    /// Adds the id and the distinct classes of an element as a new set.
    fn add_name_set(&mut self, dom: &Dom<'_>, node: NodeId, seen: &mut KeyNumbers) {
        let start = narrow::to_u32(self.classes.len());
        let mut id = None;
        seen.clear();
        for (name, value) in dom.attributes(node) {
            if name.eq_ignore_ascii_case("class") {
                for class in value.split_ascii_whitespace() {
                    let class = self.intern(class);
                    // Numbers go up from 0, so that of a new class is their count before it. A class attribute may have thousands.
                    if seen.id(class.hash) as usize == self.classes.len() - start as usize {
                        self.classes.push(class);
                    }
                }
            } else if name.eq_ignore_ascii_case("id") && !value.trim().is_empty() {
                id = Some(self.intern(value.trim()));
            }
        }
        self.name_sets.push(NameSet {
            id,
            start,
            end: narrow::to_u32(self.classes.len()),
        });
    }

    /// Stores a name.
    fn intern(&mut self, name: &str) -> Name {
        let start = narrow::to_u32(self.names.len());
        self.names.push_str(name);
        Name {
            hash: hash_name(name),
            start,
            end: narrow::to_u32(self.names.len()),
        }
    }

    /// Joins the blocks of the page into lines and labels the lines.
    fn read_lines(&mut self, view: &PageView<'_>, labels: &Labels) {
        let (table, blocks, counts) = (view.table, view.table.blocks(), view.table.counts());
        let opaque = self.nearest_opaque();
        let opaque = |context: u32| opaque.get(context as usize).copied().unwrap_or(context);
        let mut at = 0;
        while at < blocks.len() {
            let first = &blocks[at];
            let element = opaque(first.context);
            let mut end = at + 1;
            // A line goes on over blocks that only a phrase separates, in one element without counting
            // transparent ones.
            while blocks.get(end).is_some_and(|next| {
                next.boundary == Boundary::Phrase
                    && next.hidden == first.hidden
                    && opaque(next.context) == element
            }) {
                end += 1;
            }
            let (start, mut words) = (self.texts.len(), 0);
            let (mut chars, mut linked, mut probability, mut kept) = (0, 0, 0.0, 0);
            for (i, block) in blocks.iter().enumerate().take(end).skip(at) {
                words += counts[i].tokens;
                if !self.without_hashes {
                    // Blocks of a line are joined by single spaces.
                    if self.texts.len() > start {
                        self.texts.push(' ');
                    }
                    self.texts.push_str(table.text(block));
                }
                let keeps = labels.verdicts.get(i).is_some_and(|v| v.kept);
                let own = labels.chances.as_ref().and_then(|c| c.get(i).copied());
                chars += block.chars;
                linked += block.link_chars;
                // Extractors without probabilities get a fixed one for kept and one for dropped blocks.
                probability += block.chars as f32
                    * own.unwrap_or(if keeps {
                        KEPT_PROBABILITY
                    } else {
                        1.0 - KEPT_PROBABILITY
                    });
                kept += if keeps { block.chars } else { 0 };
            }
            let hash = match self.without_hashes {
                true => 0,
                false => hash_text(&self.texts[start..]),
            };
            // The text was needed only for its hash.
            if self.without_texts {
                self.texts.truncate(start);
            }
            self.lines.push(Line {
                element,
                blocks: narrow::to_u32(at)..narrow::to_u32(end),
                text: narrow::to_u32(start)..narrow::to_u32(self.texts.len()),
                hash,
                tokens: words,
                // Links are counted in characters, so the number of their words is estimated by the share.
                linked: words as f32 * (linked as f32 / chars.max(1) as f32).min(1.0),
                probability: probability / chars.max(1) as f32,
                kept: 2 * kept > chars,
                hidden: first.hidden,
            });
            at = end;
        }
    }

    /// Returns, for each element, the nearest one that is not transparent, from itself upwards.
    fn nearest_opaque(&self) -> Vec<u32> {
        let mut out: Vec<u32> = Vec::with_capacity(self.elements.len());
        for (i, element) in self.elements.iter().enumerate() {
            // A parent has a smaller number, so its entry is known.
            out.push(match element.parent {
                Some(parent) if element.is_transparent => out[parent as usize],
                _ => narrow::to_u32(i),
            });
        }
        out
    }

    /// Returns a name as text.
    pub(super) fn str(&self, name: Name) -> &str {
        &self.names[name.start as usize..name.end as usize]
    }

    /// Returns the id of an element.
    pub(super) fn id(&self, element: &Element) -> Option<Name> {
        self.name_sets[element.name_set as usize].id
    }

    /// Returns the distinct classes of an element, in the order of the page.
    pub(super) fn classes(&self, element: &Element) -> &[Name] {
        self.classes_of(&self.name_sets[element.name_set as usize])
    }

    fn classes_of(&self, name_set: &NameSet) -> &[Name] {
        &self.classes[name_set.start as usize..name_set.end as usize]
    }

    /// Returns all sets of id and classes, by index.
    pub(super) fn name_sets(&self) -> impl Iterator<Item = (Option<Name>, &[Name])> {
        self.name_sets
            .iter()
            .map(|name_set| (name_set.id, self.classes_of(name_set)))
    }

    /// Returns the text of a line, with white space collapsed.
    pub(crate) fn text(&self, line: &Line) -> &str {
        &self.texts[line.text.start as usize..line.text.end as usize]
    }

    /// Returns the texts of all lines in order.
    pub(super) fn texts(&self) -> &str {
        &self.texts
    }

    /// Returns the elements that may have title, authors or dates.
    pub(super) fn spots(&self) -> &Spots {
        &self.spots
    }

    /// Returns the address of the page; empty if unknown.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the date of publication that the page states, as `2024-05-01`.
    pub fn date(&self) -> Option<&str> {
        self.date.as_deref()
    }

    /// Returns features of the page's layout as hashes, sorted and distinct: paths of tags down to the first
    /// tag of text, and classes and ids without digits. Pages of one layout share most of them, independent
    /// of their texts.
    pub fn layout(&self) -> Vec<u64> {
        let mut out = Vec::new();
        let mut paths: Vec<Option<u64>> = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            let above = element.parent.map_or(Some(SEED), |p| paths[p as usize]);
            let tag = self.str(element.tag);
            // Below the first tag of text there are no paths: paragraphs and lists differ from page to page.
            let path = above
                .filter(|_| !element.is_transparent && (tag == "tr" || !is_text_tag(tag)))
                .map(|above| mix(above, element.tag.hash));
            if let Some(path) = path {
                out.push(path);
                let names = self.classes(element).iter().copied().chain(self.id(element));
                let telling = names.filter(|&n| !self.str(n).bytes().any(|b| b.is_ascii_digit()));
                let top = matches!(tag, "html" | "body");
                out.extend(telling.filter(|_| !top).map(|n| mix(element.tag.hash, n.hash)));
            }
            paths.push(path);
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Returns the memory of the sample in bytes, without spare capacity.
    pub fn bytes(&self) -> usize {
        let lists =
            size_of_val(&self.classes[..]) + size_of_val(&self.elements[..]) + size_of_val(&self.lines[..]);
        let name_sets = size_of_val(&self.name_sets[..]);
        let texts = self.name.len() + self.names.len() + self.texts.len();
        size_of::<Sample>() + texts + lists + name_sets + self.spots.bytes()
    }

    /// Returns the number of blocks of the page.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Returns, per block, whether the page-level extractor keeps it.
    pub fn page_level(&self) -> Vec<bool> {
        let mut out = vec![false; self.blocks];
        for line in self.lines.iter().filter(|l| l.kept) {
            for block in line.blocks.clone() {
                out[block as usize] = true;
            }
        }
        out
    }

    /// Returns the texts of the lines whose first block is kept, each followed by a newline.
    pub fn text_of(&self, kept: &[bool]) -> String {
        let mut out = String::new();
        for line in &self.lines {
            if kept.get(line.blocks.start as usize).is_some_and(|&k| k) {
                out.push_str(self.text(line));
                out.push('\n');
            }
        }
        out
    }
}

/// Probability assigned to a kept line by an extractor without probabilities.
const KEPT_PROBABILITY: f32 = 0.85;
