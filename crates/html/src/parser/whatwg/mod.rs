//! Tokenization and tree construction by the HTML standard (section 13.2): from decoded text to the tree.
//!
//! Functions and types are named as in the standard, so that both can be read side by side; `§` marks names
//! of its sections and algorithms.
//!
//! | file | section |
//! |---|---|
//! | `token.rs`, `doctype.rs`, `attribute_names.rs`, `tokenization/` | 13.2.5 Tokenization |
//! | `elements.rs`, `stack.rs`, `formatting.rs`, `state.rs` | 13.2.4 Parse state |
//! | `tree_construction/insertion.rs` | 13.2.6.1 Creating and inserting nodes |
//! | `tree_construction/modes/`, `characters.rs`, `tag_lists.rs` | 13.2.6.4 The rules by insertion mode |
//! | `tree_construction/formatting.rs`, `adoption.rs` | the list of formatting elements, the adoption agency of 13.2.6.4.7 |
//! | `tree_construction/foreign.rs` | 13.2.6.5 The rules for foreign content |
//! | `tree_construction/reset.rs` | 13.2.4.1 Resetting the insertion mode, 13.5 Fragments |
//! | `tag_names.rs`, `flattened.rs`, `tree_construction/depth.rs` | not in the standard: names as numbers, the depth limit |
//!
//! Differences from the standard: parse errors are not reported; comments and doctypes leave no nodes;
//! adjacent texts are not merged; an option is not cloned into `selectedcontent`, which depends on the
//! state of a form control; declarative shadow roots are templates; and the limits of [`crate::Limits`]
//! flatten or cut.

mod attribute_names;
mod deviations;
mod doctype;
mod elements;
mod flattened;
mod formatting;
mod stack;
mod state;
mod tag_lists;
mod tag_names;
#[cfg(any(test, feature = "reference"))]
pub(crate) mod testing;
mod token;
mod tokenization;
#[cfg(test)]
pub(crate) mod tokens;
mod tree_construction;

use self::state::ParserState;
use crate::budget::Budget;
use crate::parser::options::ParseOptions;
use crate::tree::{Dom, Namespace, TreeBuffers};
use crate::warning::Warning;

/// Parses a whole document, or a fragment, whose nodes become children of an `html` element.
pub(crate) fn parse<'s>(
    buffers: TreeBuffers,
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    budget: &Budget,
) -> (Dom<'s>, Vec<Warning>) {
    let mut parser = ParserState::new(buffers, source, options);
    if let Some((namespace, name)) = context {
        parser.enter_fragment(namespace, name);
    }
    parser.run(budget);
    parser.finish()
}
