//! Arrow record batches in, record batches out: kernels for programs that hold tables, and for engines that distribute them.
//!
//! An output batch has a row for each input row, in the same order. A row that cannot be used affects no other row, and its column `error`
//! gives the reason. Columns have the names and types of those in Parquet files. No state is kept between batches.
//!
//! For an engine that joins on many machines, the steps of the search for duplicates are separate
//! functions, shared with the search on one machine: [`keyed`] returns join keys, [`Groups`] the candidate
//! pairs of a group, [`ranked`] the sort keys that choose the pairs of a large group, [`Comparer`] the
//! similar pairs, [`Cover`] the texts that are removed for a kept text, and [`Decider`] the decisions on
//! documents of a group. These steps take rows that the engine has sorted, and keep state for what
//! continues in the next batch. [`PassageSearch`] has the steps of a search for passages.

mod compare;
mod cover;
mod decide;
mod extract;
mod fields;
mod groups;
mod ids;
mod keyed;
mod learn;
mod lines;
mod pages;
mod passages;
mod runs;
mod sign;
mod table;

pub use compare::Comparer;
pub use cover::Cover;
pub use decide::Decider;
pub use extract::extract;
pub use groups::{Groups, ranked};
pub use ids::Ids;
pub use keyed::keyed;
pub use learn::{Learner, hosts};
pub use lines::write_lines;
pub use pages::pages;
pub use passages::PassageSearch;
pub use sign::sign;

#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod tests;
