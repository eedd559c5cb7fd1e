//! Methods of others that look at several pages of a site at once, beside the templates of [`crate::site`].
//!
//! They take a group of pages and answer for all of them; nothing is kept for later pages.

mod infholder;
mod style_inbreeding;
mod style_tree;
mod tree;

#[cfg(test)]
mod tests;

pub use infholder::{Block, BlockHash, Form, Infholder, Rules, frequent, progressive, voting};
pub use style_inbreeding::{Key, StyleInbreeding};
pub use style_tree::{StyleTree, composite, leaf_importance, node_importance};
pub use tree::{Tree, similarity};

use crate::options::Options;
use crate::result::Page;

/// Every method, with the options that are usual.
pub static ALL: &[&dyn SiteMethod] = &[
    &Infholder(Rules {
        form: Form::Voting,
        min_block: 20,
        share: 0.6,
        mask_numbers: false,
        hash: BlockHash::Crc32,
        near_equal: 0.9,
    }),
    &StyleInbreeding::usual(Key::Dom, false),
    &StyleInbreeding::usual(Key::Size, false),
    &StyleInbreeding::usual(Key::Dom, true),
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

    /// Main texts of the pages, in their order: one line a block.
    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String>;
}
