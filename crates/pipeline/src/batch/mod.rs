//! Record batches of Arrow in, record batches out: the kernels for programs that hold tables, and for engines that hand them around.
//!
//! A batch has a row for each row of its input, in the same order: a row that cannot be used costs itself, and its column `error` says
//! why. Columns are named and typed as those of Parquet files. Nothing is kept from one batch to the next.
//!
//! For an engine that joins on many machines there are the steps of the search for duplicates, each the function that the search on one
//! machine calls: [`keyed`] gives what documents are joined by, [`Groups`] the pairs of a group that are compared, [`ranked`] what chooses
//! those of a large one, [`Comparer`] those that are similar, [`Cover`] the texts that go for one that stays, and [`Decider`] what becomes
//! of documents that are decided together. These read rows that the engine has sorted, and keep what has not ended with a batch.

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
pub use sign::sign;

#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod tests;
