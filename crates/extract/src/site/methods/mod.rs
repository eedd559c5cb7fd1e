//! Methods that read several pages of a site together: the templates of [`crate::site`], and published methods.
//!
//! They extract the texts of a group of pages. Only `site` learns something for later pages.

mod infholder;
mod method;
mod site;
mod style_inbreeding;
mod style_tree;
mod tree;
mod xml_blocks;

#[cfg(test)]
mod tests;

pub use infholder::{BlockHash, Consensus, Infholder, InfholderOptions, frequent, progressive, voting};
pub use method::SiteMethod;
pub use site::Site;
pub use style_inbreeding::{ElementKey, StyleInbreeding};
pub use style_tree::{StyleTree, composite, leaf_importance, node_importance};
pub use tree::{ElementTree, similarity};
pub use xml_blocks::Block;

pub use crate::parameter::Chosen;
use crate::parameter::{MethodError, set_each};

/// All methods, with their default parameters.
pub static ALL: &[&dyn SiteMethod] = &[
    &Site,
    &Infholder(InfholderOptions::USUAL),
    &StyleInbreeding::usual(ElementKey::Content, true),
    &StyleTree::USUAL,
];

/// Returns the method named by `NAME[:PARAMETER=VALUE,...]`; `None` if no method has this name.
///
/// # Errors
/// If the method has no such parameter, or a value is invalid for it.
pub fn find(text: &str) -> Option<Result<Chosen<dyn SiteMethod>, MethodError>> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let listed = ALL.iter().find(|method| method.name() == name)?;
    let mut chosen = Chosen::Listed(*listed);
    let set = set_each((name, listed.parameters()), settings, |parameter, value| {
        chosen = Chosen::Own(chosen.with(parameter, value)?);
        Ok(())
    });
    Some(set.map(|()| chosen))
}
