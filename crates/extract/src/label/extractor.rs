//! The trait of extractors, and what they see of a page.

use crate::analysis::blocks::BlockTable;
use crate::analysis::metadata::Metadata;
use crate::label::labels::Labels;
use crate::options::Options;
use crate::parameter::Parameter;
use dehusk_html::limits::Deadline;
use dehusk_html::tree::Dom;

/// A method that labels blocks.
pub trait Extractor: Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it does, in one line for help.
    fn summary(&self) -> &'static str;

    /// Parameters that can be set behind its name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// Sets one of them. What is wrong with the value is told if it cannot have it.
    fn set(&self, _: &mut Options, parameter: &str, _: &str) -> Result<(), String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Labels every block of a page. A method that does not trust itself with a page abstains: see [`Labels::abstained`].
    fn label(&self, view: &View<'_>) -> Labels;
}

/// What an extractor sees of a page.
#[derive(Debug)]
pub struct View<'a> {
    /// The tree.
    pub dom: &'a Dom<'a>,
    /// Its blocks.
    pub table: &'a BlockTable,
    /// The page's title, the site's name taken off.
    pub title: Option<&'a str>,
    pub(crate) metadata: &'a Metadata,
    pub(crate) options: &'a Options,
    pub(crate) deadline: &'a Deadline,
}
