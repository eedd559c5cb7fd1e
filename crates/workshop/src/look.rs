//! An extracted page for display: its blocks with their verdicts, their elements in the tree, and the part
//! that the user points at.

use dehusk_html::tree::{Dom, NodeId};
use dehusk_pipeline::extract::analysis::metadata::Metadata;
use dehusk_pipeline::extract::rules::{Selector, SelectorSearch};
use dehusk_pipeline::extract::{BlockRecord, Options, PageView, Warning, WarningKind, inspect};
use dehusk_pipeline::site::Store;
use dehusk_pipeline::verbs::explain::{KnownPassages, Spread};
use dehusk_pipeline::{BlockVerdict, Error};

use crate::crawl::CrawlPage;
use crate::selectors::{self, Candidate};

/// Maximum number of characters of a part's text that are shown.
const MAX_TEXT: usize = 400;
/// Maximum number of ancestors of a part that are offered.
const MAX_ABOVE: usize = 8;

/// The result of extracting a page.
pub(crate) struct Look {
    pub(crate) title: Option<String>,
    /// Fields of the metadata that rules may give, each with its value and source.
    pub(crate) fields: Vec<(&'static str, String, String)>,
    pub(crate) text: String,
    pub(crate) method: &'static str,
    pub(crate) confidence: f64,
    pub(crate) kept_chars: usize,
    pub(crate) all_chars: usize,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) blocks: Vec<BlockRecord>,
    /// For each block, the numbers of the elements that contain its text.
    pub(crate) elements: Vec<Vec<usize>>,
    /// For each block, where else it occurs if it is a passage.
    pub(crate) repeated: Vec<Option<Spread>>,
}

impl Look {
    /// Adds which blocks are passages.
    pub(crate) fn with_passages(mut self, passages: Option<&KnownPassages>) -> Self {
        if let Some(passages) = passages {
            self.repeated = passages.of_blocks(&self.blocks);
        }
        self
    }

    /// Returns, for each node of the tree, the verdict on its text; `None` for nodes without text of a
    /// block.
    pub(crate) fn marks(&self) -> Vec<Option<&'static str>> {
        // Nodes after the last one with text need no mark.
        let last = self.elements.iter().flatten().max().map_or(0, |last| last + 1);
        let mut marks = vec![None; last];
        for (block, elements) in self.blocks.iter().zip(&self.elements) {
            for element in elements {
                if let Some(mark) = marks.get_mut(*element)
                    // In an element with texts of several blocks, a kept block decides the mark.
                    && (mark.is_none() || block.kept)
                {
                    *mark = Some(BlockVerdict::of(block).name());
                }
            }
        }
        marks
    }
}

/// Extracts a page as `dehusk extract` does with these rules and templates.
pub(crate) fn look(read: &CrawlPage, store: &Store, options: &Options) -> Result<Look, Error> {
    let page = read.page()?;
    let got = store.extract(&page, &options.clone().with_blocks(true));
    // The page is parsed once more: extraction does not return its tree. The blocks are the same, in the
    // same order.
    let elements = inspect(&page, options, |view| {
        let blocks = view.table.blocks().iter();
        blocks
            .map(|block| {
                let nodes = view.table.nodes(block).iter();
                let mut elements: Vec<usize> = nodes
                    .filter_map(|node| view.dom.parent(*node))
                    .map(NodeId::index)
                    .collect();
                // Successive texts of a block mostly have the same parent.
                elements.dedup();
                elements
            })
            .collect()
    });
    let fields = fields(&got.metadata);
    let blocks = got.blocks.unwrap_or_default();
    Ok(Look {
        repeated: vec![None; blocks.len()],
        fields,
        title: got.metadata.title,
        text: got.text,
        method: got.method,
        confidence: got.confidence,
        kept_chars: got.kept_chars,
        all_chars: got.all_chars,
        warnings: got.warnings,
        blocks,
        elements,
    })
}

/// Returns the fields that rules may give, each with its value and source.
fn fields(metadata: &Metadata) -> Vec<(&'static str, String, String)> {
    let sources = metadata.sources();
    let values = [
        ("title", "title", &metadata.title),
        ("author", "authors", &metadata.author),
        ("date", "date", &metadata.date),
        ("modified", "modified", &metadata.modified),
    ];
    let known = values
        .into_iter()
        .filter_map(|(key, name, value)| Some((key, name, value.clone()?)));
    known
        .map(|(key, name, value)| (key, value, sources.get(name).cloned().unwrap_or_default()))
        .collect()
}

/// Returns the main text of a page, and before it a line for each field that rules may give.
pub(crate) fn fields_and_text(read: &CrawlPage, store: &Store, options: &Options) -> Result<String, Error> {
    let got = store.extract(&read.page()?, options);
    let lines = fields(&got.metadata).into_iter();
    let lines: String = lines.map(|(key, value, _)| format!("{key}: {value}\n")).collect();
    Ok(lines + &got.text)
}

/// Returns the confidence of a page's main text (`None` without main text), and whether no template fits
/// although the site has some.
pub(crate) fn confidence(
    read: &CrawlPage,
    store: &Store,
    options: &Options,
) -> Result<(Option<f64>, bool), Error> {
    let got = store.extract(&read.page()?, options);
    let is_unknown = |warning: &Warning| warning.kind == WarningKind::UnknownLayout;
    let confidence = (!got.text.is_empty()).then_some(got.confidence);
    Ok((confidence, got.warnings.iter().any(is_unknown)))
}

/// What the user points at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pointed {
    /// The element with this number.
    Element(usize),
    /// The first match of a selector.
    Selector(String),
}

/// A part of a page.
pub(crate) struct Part {
    /// Number of its element.
    pub(crate) element: usize,
    /// Its tag with id and classes.
    pub(crate) name: String,
    /// Beginning of its text.
    pub(crate) text: String,
    /// Selectors that match it.
    pub(crate) candidates: Vec<Candidate>,
    /// Elements around it, nearest first: numbers and names.
    pub(crate) above: Vec<(usize, String)>,
}

/// Returns the part that the user points at; `None` if the page has no such part.
pub(crate) fn part(read: &CrawlPage, options: &Options, pointed: &Pointed) -> Result<Option<Part>, Error> {
    inspect(&read.page()?, options, |view| {
        let search = SelectorSearch::new(view);
        let (element, given) = match pointed {
            Pointed::Element(number) => (node(view.dom, *number), None),
            Pointed::Selector(text) => {
                let selector = Selector::read(text).map_err(|error| Error::usage(error.to_string()))?;
                let found = search.find(&selector).map_err(Error::failed)?;
                let count = found.len();
                let given = Candidate {
                    selector: text.clone(),
                    found: count,
                };
                (found.first().copied(), Some(given))
            }
        };
        let Some(element) = element else { return Ok(None) };
        let mut candidates = selectors::candidates(view, &search, element);
        // The selector that the user gave comes first, once.
        if let Some(given) = given {
            candidates.retain(|known| known.selector != given.selector);
            candidates.insert(0, given);
        }
        let above = view
            .dom
            .ancestors(element)
            .filter(|id| view.dom.element(*id).is_some());
        Ok(Some(Part {
            element: element.index(),
            name: name_of(view.dom, element),
            text: beginning(&text_of(view.dom, element)),
            candidates,
            above: above
                .take(MAX_ABOVE)
                .map(|id| (id.index(), name_of(view.dom, id)))
                .collect(),
        }))
    })
}

/// Returns the element with this number; `None` if the node is not an element.
fn node(dom: &Dom<'_>, number: usize) -> Option<NodeId> {
    // The number may come from an old address, so it need not be that of an element.
    let mut all = dom.tree().ids();
    all.nth(number).filter(|id| dom.element(*id).is_some())
}

/// Returns tag, id and classes of an element.
fn name_of(dom: &Dom<'_>, id: NodeId) -> String {
    let mut out = dom.name(id).to_owned();
    if let Some(id) = dom.short_attr(id, "id", 60).filter(|id| !id.is_empty()) {
        out.push('#');
        out.push_str(&id);
    }
    for class in dom
        .short_attr(id, "class", 200)
        .unwrap_or_default()
        .split_ascii_whitespace()
    {
        out.push('.');
        out.push_str(class);
    }
    out
}

/// Returns the texts of an element, joined by spaces, since there may be no white space between two blocks.
fn text_of(dom: &Dom<'_>, element: NodeId) -> String {
    let texts = dom.preorder(element).filter(|id| dom.is_text(*id));
    texts
        .map(|id| dom.text(id).into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the beginning of a text with white space collapsed, at most `MAX_TEXT` characters and an
/// ellipsis.
pub(crate) fn beginning(text: &str) -> String {
    let mut out = String::new();
    let mut chars = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        chars += word.chars().count() + 1;
        if chars > MAX_TEXT {
            // The cut is between characters, and may be within a word.
            let end = out.char_indices().nth(MAX_TEXT).map_or(out.len(), |(at, _)| at);
            out.truncate(end);
            out.push('…');
            break;
        }
    }
    out
}

/// Returns a selector for the innermost element that contains everything kept of a page; `None` if nothing
/// is kept.
pub(crate) fn main_part(read: &CrawlPage, look: &Look, options: &Options) -> Result<Option<String>, Error> {
    let kept: Vec<usize> = look
        .blocks
        .iter()
        .zip(&look.elements)
        .filter(|(block, _)| block.kept)
        .flat_map(|(_, elements)| elements.iter().copied())
        .collect();
    Ok(inspect(&read.page()?, options, |view| {
        // The longest common start of the paths from the root to all kept elements. Its last entry is the
        // innermost common ancestor.
        let common = kept
            .iter()
            .filter_map(|number| node(view.dom, *number))
            .map(|id| chain(view, id))
            .reduce(|a, b| {
                let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
                a.into_iter().take(same).collect()
            });
        let element = common?.pop()?;
        selectors::best(view, &SelectorSearch::new(view), element)
    }))
}

/// Returns the elements from the root down to an element.
fn chain(view: &PageView<'_>, id: NodeId) -> Vec<NodeId> {
    let mut chain: Vec<NodeId> = std::iter::once(id)
        .chain(view.dom.ancestors(id))
        .filter(|id| view.dom.element(*id).is_some())
        .collect();
    chain.reverse();
    chain
}

/// Returns, for each selector, the number of its matches on a page and the text of the first match.
pub(crate) fn find(
    read: &CrawlPage,
    options: &Options,
    selectors: &[Selector],
) -> Result<Vec<(usize, String)>, Error> {
    Ok(inspect(&read.page()?, options, |view| {
        let search = SelectorSearch::new(view);
        let found = selectors
            .iter()
            .map(|selector| search.find(selector).unwrap_or_default());
        found
            .map(|found| {
                let first = found.first().map(|id| beginning(&text_of(view.dom, *id)));
                (found.len(), first.unwrap_or_default())
            })
            .collect()
    }))
}

#[cfg(test)]
mod tests {
    use dehusk_pipeline::record::{Content, PageRecord};

    use super::*;

    const HTML: &str = "<body><nav class=menu><a href=/>Home</a></nav><article><h1>Rivers</h1><p>The river rose overnight, and the meadows \
        were under water by the morning.</p><p class=share>Share this page with all of your friends, please do.</p>\
        <p>Nobody was hurt, the fire brigade said in the evening of that day.</p></article>";

    fn record() -> CrawlPage {
        let mut record = PageRecord::new(Content::Text(HTML.into()));
        record.url = Some("http://a.example/1".into());
        CrawlPage::new(record, None)
    }

    #[test]
    fn blocks_are_found_in_the_tree() {
        let (record, options) = (record(), Options::default());
        let look = look(&record, &Store::default(), &options).expect("a page");
        let at = look
            .blocks
            .iter()
            .position(|block| block.text.starts_with("Share"))
            .expect("a block");
        let element = look.elements[at][0];
        let part = part(&record, &options, &Pointed::Element(element))
            .expect("a page")
            .expect("a part");
        assert_eq!(part.name, "p.share");
        assert_eq!(part.candidates[0].selector, ".share");
        assert_eq!(part.above[0].1, "article");
        assert!(part.text.starts_with("Share this page"));
        assert_eq!(
            look.marks()[element],
            Some(BlockVerdict::of(&look.blocks[at]).name())
        );
        assert_eq!(
            main_part(&record, &look, &options).expect("a page").as_deref(),
            Some("article")
        );
    }

    #[test]
    fn selectors_are_pointed_with_too() {
        let (record, options) = (record(), Options::default());
        let pointed = |text: &str| part(&record, &options, &Pointed::Selector(text.to_owned()));
        assert_eq!(
            pointed("article p").expect("fine").expect("a part").candidates[0].found,
            3
        );
        assert!(pointed(".none").expect("fine").is_none());
        assert!(pointed("p::before").is_err());
        assert!(
            part(&record, &options, &Pointed::Element(100_000))
                .expect("fine")
                .is_none()
        );
    }
}
