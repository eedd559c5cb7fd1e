//! Methods that look at several pages of a site at once: the templates of [`crate::site`], and those of others beside them.
//!
//! They take a group of pages and answer for all of them. `site` alone keeps something for later pages.

mod infholder;
mod site;
mod style_inbreeding;
mod style_tree;
mod tree;

#[cfg(test)]
mod tests;

pub use infholder::{Block, BlockHash, Form, Infholder, Rules, frequent, progressive, voting};
pub use site::Site;
pub use style_inbreeding::{Key, StyleInbreeding};
pub use style_tree::{StyleTree, composite, leaf_importance, node_importance};
pub use tree::{Tree, similarity};

use crate::options::Options;
use crate::page::Page;
use crate::parameter::{MethodError, Parameter};
use crate::parameter::{number, set_each};

/// Every method, with the parameters that are usual.
pub static ALL: &[&dyn SiteMethod] = &[
    &Site,
    &Infholder(Rules::USUAL),
    &StyleInbreeding::usual(Key::Content, true),
    &StyleTree {
        threshold: 0.4,
        gamma: 0.9,
    },
];

/// A method that finds the main texts of pages of one site.
pub trait SiteMethod: Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it does, in one line for help.
    fn summary(&self) -> &'static str;

    /// Parameters that can be set behind its name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// The method with another value of one of its parameters.
    ///
    /// # Errors
    /// What is wrong with the value, if the parameter cannot have it.
    fn with(&self, parameter: &str, _: &str) -> Result<Box<dyn SiteMethod>, String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Main texts of the pages, in their order: one line a block.
    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String>;
}

/// A method with its parameters.
pub enum Chosen {
    /// As it stands in [`ALL`].
    Usual(&'static dyn SiteMethod),
    /// With parameters of its own.
    Set(Box<dyn SiteMethod>),
}

impl std::ops::Deref for Chosen {
    type Target = dyn SiteMethod;

    fn deref(&self) -> &Self::Target {
        match self {
            Chosen::Usual(method) => *method,
            Chosen::Set(method) => &**method,
        }
    }
}

/// The method that `NAME[:PARAMETER=VALUE,...]` names; `None` if no method has this name.
///
/// # Errors
/// If it has no such parameter, or a value is not one the parameter can have.
pub fn find(text: &str) -> Option<Result<Chosen, MethodError>> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let method = ALL.iter().find(|method| method.name() == name)?;
    let mut chosen = Chosen::Usual(*method);
    let set = set_each((name, method.parameters()), settings, |parameter, value| {
        chosen = Chosen::Set(chosen.with(parameter, value)?);
        Ok(())
    });
    Some(set.map(|()| chosen))
}

/// What a word of a list stands for.
fn one_of<T: Copy>(word: &str, known: &[(&str, T)]) -> Result<T, String> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("`{word}` is none of {}", names.join(", "))
    })
}
