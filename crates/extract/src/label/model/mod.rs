//! The learned model: gradient boosted trees that classify every line of a page.
//!
//! The trees decide about lines, independent of any page type. `cargo xtask train` trains them on labelled pages of several collections,
//! with whole domains held out; see the headers of `lines.model` and `refinement.model`.

pub(crate) mod ancestor_features;
pub(crate) mod candidate;
pub(crate) mod decide;
pub(crate) mod features;
pub(crate) mod lexicon;
pub(crate) mod line_tokens;
pub(crate) mod lines;
pub(crate) mod lone_lines;
pub(crate) mod name_groups;
pub(crate) mod neighbor_features;
pub(crate) mod page_table;
pub(crate) mod parts;
pub(crate) mod refinement;
pub(crate) mod row;
pub(crate) mod select;
pub(crate) mod title_line;
pub(crate) mod tree_file;
pub(crate) mod tree_walk;
pub(crate) mod trees;
pub(crate) mod units;
pub(crate) mod vote_buffers;
pub(crate) mod votes;
pub(crate) mod word_file;
