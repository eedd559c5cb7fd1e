//! `style-inbreeding`: removes elements that most pages share.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::method::SiteMethod;
use super::tree::{Element, ElementTree, PathNumbers, texts_without};
use crate::options::Options;
use crate::page::Page;
use crate::parameter::{Parameter, number, one_of};

/// Property by which elements of different pages are compared, in addition to their path with positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElementKey {
    /// No other property. A third of a subtree must then also be links, since articles share their structure, too.
    Dom,
    /// The size of the own text: 0, or the number of bits of its length in characters.
    Size,
    /// CRC-32 of the own text.
    Content,
}

/// Intersects the trees of pages.
///
/// An element is shared if a share `least` of the pages has its key. A subtree is removed if the weighted
/// share of its shared elements reaches `cut`. By size and content, only elements with text of their own are
/// compared, since a shared container without text does not characterize the text in it.
///
/// The name is that of a lecture. No publication was found; the definition is ours. Weaknesses: long texts in
/// a shared structure, since elements are counted instead of words; and everything after the first inserted
/// element, since positions are absolute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StyleInbreeding {
    /// Property by which elements are compared.
    pub key: ElementKey,
    /// Whether tags have weights: 2 for navigation and forms, 1.5 for links and list items, 0.5 for
    /// paragraphs, headings and cells, 1 for the others.
    pub tags: bool,
    /// Minimum share of the pages that must have an element's key, above 0 and up to 1.
    pub least: f64,
    /// Minimum shared share of a subtree's weight for it to be removed.
    pub cut: f64,
}

/// Share of a subtree's characters that must be links, with [`ElementKey::Dom`].
const LINKS: f64 = 0.33;

impl StyleInbreeding {
    /// Returns the method with the default thresholds: 0.7 of the pages, 0.9 of a subtree.
    pub const fn usual(key: ElementKey, tags: bool) -> StyleInbreeding {
        StyleInbreeding {
            key,
            tags,
            least: 0.7,
            cut: 0.9,
        }
    }

    /// Returns the keys of the elements of pages, in document order: the number of the path, and the compared property.
    pub(crate) fn keys(&self, trees: &[ElementTree]) -> Vec<Vec<(u32, u32)>> {
        let mut paths = PathNumbers::default();
        let more = |tree: &ElementTree| -> Vec<u32> {
            let size = |element: &Element| u32::BITS - element.chars.leading_zeros();
            match self.key {
                ElementKey::Dom => vec![0; tree.elements.len()],
                ElementKey::Size => tree.elements.iter().map(size).collect(),
                ElementKey::Content => tree.text_hashes(),
            }
        };
        let of = |tree| paths.of(tree).into_iter().zip(more(tree)).collect();
        trees.iter().map(of).collect()
    }

    /// Returns the weight of an element by its tag; 1 if tags have no weights.
    fn weight(&self, tag: &str) -> f64 {
        if !self.tags {
            return 1.0;
        }
        match tag {
            "nav" | "header" | "footer" | "aside" | "form" => 2.0,
            "a" | "li" | "option" | "button" => 1.5,
            "p" | "pre" | "blockquote" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "td" => 0.5,
            _ => 1.0,
        }
    }

    /// Returns, per page and element, whether it is removed with its whole content.
    pub(crate) fn removed(&self, trees: &[ElementTree]) -> Vec<Vec<bool>> {
        let keys = self.keys(trees);
        let mut pages: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        // A path occurs once on a page, and so does a key.
        for key in keys.iter().flatten() {
            *pages.entry(*key).or_default() += 1;
        }
        let need = self.least * trees.len() as f64;
        let of = |(tree, keys): (&ElementTree, &Vec<(u32, u32)>)| {
            let n = tree.elements.len();
            let (mut shared, mut all, mut links, mut chars) =
                (vec![0.0; n], vec![0.0; n], vec![0; n], vec![0; n]);
            // Iterates from the end, so that the sums of a subtree are complete before they are added to the
            // parent.
            for i in (0..n).rev() {
                let element = &tree.elements[i];
                // Without text of its own an element has neither size nor content to compare.
                let counts = self.key == ElementKey::Dom || element.chars > 0;
                let weight = if counts { self.weight(tree.name(i)) } else { 0.0 };
                all[i] += weight;
                shared[i] += if trees.len() > 1 && pages[&keys[i]] as f64 >= need {
                    weight
                } else {
                    0.0
                };
                links[i] += element.link_chars;
                chars[i] += element.chars;
                if let Some(parent) = element.parent() {
                    all[parent] += all[i];
                    shared[parent] += shared[i];
                    links[parent] += links[i];
                    chars[parent] += chars[i];
                }
            }
            (0..n)
                .map(|i| {
                    // `all > 0`: a subtree without elements to compare is kept.
                    let linked = self.key != ElementKey::Dom || links[i] as f64 > LINKS * chars[i] as f64;
                    shared[i] >= self.cut * all[i] && linked && all[i] > 0.0
                })
                .collect()
        };
        trees.iter().zip(&keys).map(of).collect()
    }
}

impl SiteMethod for StyleInbreeding {
    fn name(&self) -> &'static str {
        "style-inbreeding"
    }

    fn summary(&self) -> &'static str {
        "intersects the trees of pages by path, and by size of text, weights of tags or content as asked; what is shared goes"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter {
                name: "option",
                default: "content",
                help: "what trees are intersected by: dom (path), size (path and size of text), tags (path, tags weighted), or \
                       content (path and text, tags weighted)",
            },
            Parameter {
                name: "weights",
                default: "tags",
                help: "tags or equal: whether tags have weights; `option` sets it, so that it stands behind",
            },
            Parameter {
                name: "share",
                default: "0.7",
                help: "share of the pages that must have an element, 0.01 to 1",
            },
            Parameter {
                name: "cut",
                default: "0.9",
                help: "share of a subtree that must be shared for it to go, 0 to 1",
            },
        ]
    }

    fn with(&self, parameter: &str, value: &str) -> Result<Arc<dyn SiteMethod>, String> {
        let mut out = *self;
        match parameter {
            "option" => {
                let options = [
                    ("dom", (ElementKey::Dom, false)),
                    ("size", (ElementKey::Size, false)),
                    ("tags", (ElementKey::Dom, true)),
                    ("content", (ElementKey::Content, true)),
                ];
                (out.key, out.tags) = one_of(value, &options)?;
            }
            "weights" => out.tags = one_of(value, &[("tags", true), ("equal", false)])?,
            "share" => out.least = number(value, 0.01..=1.0)?,
            _ => out.cut = number(value, 0.0..=1.0)?,
        }
        Ok(Arc::new(out))
    }

    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String> {
        texts_without(pages, options, |trees| self.removed(trees))
    }
}
