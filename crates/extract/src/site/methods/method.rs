//! What all methods for pages of one site have in common.

use std::sync::Arc;

use crate::options::Options;
use crate::page::Page;
use crate::parameter::Parameter;

/// A method that finds the main texts of pages of one site.
pub trait SiteMethod: Send + Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it does, in one line for help.
    fn summary(&self) -> &'static str;

    /// Parameters, which follow its name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// The method with another value of one of its parameters.
    ///
    /// # Errors
    /// What is wrong with the value, if the parameter cannot have it.
    fn with(&self, parameter: &str, _: &str) -> Result<Arc<dyn SiteMethod>, String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Main texts of the pages, in their order: one line a block.
    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String>;
}
