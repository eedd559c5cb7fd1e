//! The common interface of methods for pages of one site.

use std::sync::Arc;

use crate::options::Options;
use crate::page::Page;
use crate::parameter::Parameter;

/// A method that finds the main texts of pages of one site.
pub trait SiteMethod: Send + Sync {
    /// Returns the name as users type it.
    fn name(&self) -> &'static str;

    /// Returns a one-line description for help.
    fn summary(&self) -> &'static str;

    /// Returns the parameters. They follow the name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// Returns a copy of the method with one parameter set.
    ///
    /// # Errors
    /// If the method has no such parameter, or the value is invalid. The message explains why.
    fn with(&self, parameter: &str, _: &str) -> Result<Arc<dyn SiteMethod>, String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Returns the main texts of the pages, in order, with one line per block.
    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String>;
}
