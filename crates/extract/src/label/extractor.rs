//! The trait of extractors, and what they see of a page.

use std::fmt;
use std::sync::Arc;

use crate::analysis::address::AddressSource;
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

/// A method that labels the blocks of a page. Programs may bring their own: see
/// [`Options::with_own_extractor`](crate::Options::with_own_extractor).
pub trait Extractor: fmt::Debug + Send + Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it does, in one line for help.
    fn summary(&self) -> &'static str;

    /// Parameters, which follow its name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// The same method with another value of one of its parameters.
    ///
    /// # Errors
    /// What is wrong with the value, if the parameter cannot have it.
    fn with(&self, parameter: &str, _: &str) -> Result<Arc<dyn Extractor>, String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Labels every block of a page. A method that does not trust its answer abstains: see [`Labels::abstained`].
    fn label(&self, page: &PageView<'_>) -> Labels;
}

/// What the extractor `default` prefers in doubtful cases.
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

/// One page as extractors see it: its tree and everything that is measured once.
#[derive(Debug)]
#[non_exhaustive]
pub struct PageView<'a> {
    /// The tree.
    pub dom: &'a Dom<'a>,
    /// Its blocks.
    pub table: &'a BlockTable,
    /// The page's title, the site's name taken off.
    pub title: Option<&'a str>,
    /// What the page says about itself; the language is the declared one.
    pub metadata: &'a Metadata,
    /// Address of the page, if it is known.
    pub url: Option<&'a str>,
    /// What tells it, if the page came without.
    pub url_source: Option<AddressSource>,
    /// What to prefer in doubtful cases, as [`Options::with_focus`](crate::Options::with_focus) set.
    pub focus: Focus,
    /// Whether speed comes before quality, as [`Options::with_fast`](crate::Options::with_fast) set.
    pub fast: bool,
    /// Bounds on what the page may cost.
    pub limits: Limits,
    /// The time limit, which methods check whose work may grow faster than the page.
    pub budget: &'a Budget,
    /// Where a browser drew the page, if that is known.
    pub layout: Option<&'a PageLayout>,
    pub(crate) scratch: &'a Scratch,
}

impl PageView<'_> {
    /// What class and id of elements tell, by the number of these names.
    pub(crate) fn name_traits(&self) -> &[NameTraits] {
        let traits = || self.table.all_names().map(NameTraits::of).collect();
        self.scratch.name_traits.get_or_init(traits)
    }
}
