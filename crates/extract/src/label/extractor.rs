//! The trait of extractors, and their view of a page.

use std::fmt;
use std::sync::Arc;

use crate::analysis::address::AddressSource;
use crate::analysis::blocks::block::Block;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::metadata::Metadata;
use crate::label::labels::Labels;
use crate::label::model::name_groups::NameTraits;
use crate::label::scratch::Scratch;
use crate::layout::page_layout::PageLayout;
use crate::parameter::Parameter;
use dehusk_html::budget::Budget;
use dehusk_html::limits::Limits;
use dehusk_html::tree::Dom;

/// A method that labels the blocks of a page. For methods of your own, see
/// [`Options::with_own_extractor`](crate::Options::with_own_extractor).
///
/// ```
/// use dehusk_extract::label::{Labels, Verdict};
/// use dehusk_extract::{Extractor, Options, Page, PageView, extract};
/// use std::sync::Arc;
///
/// /// Keeps every block that is not hidden and has no links.
/// #[derive(Debug)]
/// struct WithoutLinks;
///
/// impl Extractor for WithoutLinks {
///     fn name(&self) -> &'static str {
///         "without-links"
///     }
///
///     fn summary(&self) -> &'static str {
///         "blocks without links"
///     }
///
///     fn label(&self, page: &PageView<'_>) -> Labels {
///         let verdicts = page.table.blocks().iter().map(|block| match block.link_density() > 0.0 || block.hidden {
///             true => Verdict::drop("links"),
///             false => Verdict::keep("no-links"),
///         });
///         Labels::new(self.name(), verdicts.collect())
///     }
/// }
///
/// let options = Options::default().with_own_extractor(Arc::new(WithoutLinks));
/// let got = extract(&Page::new(b"<p>See <a href=/>here</a>.<p>The river rose."), &options);
/// assert_eq!((got.method, &*got.text), ("without-links", "The river rose.\n"));
/// ```
pub trait Extractor: fmt::Debug + Send + Sync {
    /// Returns the name as users type it.
    fn name(&self) -> &'static str;

    /// Returns a one-line description for help.
    fn summary(&self) -> &'static str;

    /// Returns the parameters. They follow the name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// Returns a copy of the extractor with one parameter set.
    ///
    /// # Errors
    /// If the extractor has no such parameter, or the value is invalid. The message explains why.
    fn with(&self, parameter: &str, _: &str) -> Result<Arc<dyn Extractor>, String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Labels every block of a page. A method that does not trust its result abstains: see [`Labels::abstained`].
    fn label(&self, page: &PageView<'_>) -> Labels;
}

/// Preference of the extractor `default` in doubtful cases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Focus {
    /// Keep lines whose probability to be main text is at least 0.5, or less if the whole page is doubtful.
    #[default]
    Balanced,
    /// Keep only lines that are almost surely main text.
    Precision,
    /// Keep every line that may be main text, at the cost of some boilerplate.
    Recall,
}

/// The view that extractors have of a page: its tree and everything that is measured once.
///
/// ```
/// use dehusk_extract::{Options, Page, inspect};
///
/// let page = Page::new(b"<title>Rivers</title><p>See <a href=/>here</a>.<p hidden>No.");
/// inspect(&page, &Options::default(), |view| {
///     assert_eq!(view.title, Some("Rivers"));
///     let blocks: Vec<_> = view.table.blocks().iter().map(|block| (block.chars, block.hidden)).collect();
///     assert_eq!(blocks, [(9, false), (3, true)]);
/// });
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct PageView<'a> {
    /// The tree.
    pub dom: &'a Dom<'a>,
    /// The blocks of the page.
    pub table: &'a BlockTable,
    /// Title of the page, without the name of the site.
    pub title: Option<&'a str>,
    /// Metadata of the page. The language is the declared one.
    pub metadata: &'a Metadata,
    /// Address of the page, if it is known.
    pub url: Option<&'a str>,
    /// Where the address was found, if it was not passed in with the page.
    pub url_source: Option<AddressSource>,
    /// Preference in doubtful cases, as set by [`Options::with_focus`](crate::Options::with_focus).
    pub focus: Focus,
    /// Whether speed matters more than quality, as set by [`Options::with_fast`](crate::Options::with_fast).
    pub fast: bool,
    /// Limits on the resources that a page may use.
    pub limits: Limits,
    /// The time limit. Methods whose work may grow faster than the page check it.
    pub budget: &'a Budget,
    /// Positions at which a browser drew the page, if they are known.
    pub layout: Option<&'a PageLayout>,
    pub(crate) scratch: &'a Scratch,
}

/// Minimum share of hidden words in a page whose hidden lines count as shown.
const MOSTLY_HIDDEN: f64 = 0.6;

impl PageView<'_> {
    /// Whether a block is hidden from readers. No block counts as hidden on a page that hides most of its words: a script shows
    /// them, or an element with `aria-hidden`, such as an icon, has no end tag and contains all that follows.
    pub(crate) fn is_hidden(&self, block: &Block) -> bool {
        block.hidden
            && !*self.scratch.is_mostly_hidden.get_or_init(|| {
                let words = |is_hidden: bool| -> u64 {
                    let blocks = self.table.blocks().iter();
                    let blocks = blocks.filter(|block| block.hidden == is_hidden);
                    blocks.map(|block| u64::from(block.words)).sum()
                };
                // Computed once per page, at the first hidden block.
                let hidden = words(true) as f64;
                hidden >= MOSTLY_HIDDEN * (hidden + words(false) as f64)
            })
    }

    /// Returns the blocks that readers see, with their numbers, in document order.
    pub(crate) fn shown_blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let blocks = self.table.blocks().iter().enumerate();
        blocks.filter(|(_, block)| !self.is_hidden(block))
    }

    /// Returns the traits of class and id of elements, by the number of the distinct name.
    pub(crate) fn name_traits(&self) -> &[NameTraits] {
        let traits = || self.table.all_names().map(NameTraits::of).collect();
        self.scratch.name_traits.get_or_init(traits)
    }
}
