//! Record batches of Arrow in, record batches out: the kernels for programs that hold tables, and for engines that hand them around.
//!
//! A batch has a row for each row of its input, in the same order: a row that cannot be used costs itself, and its column `error` says
//! why. Columns are named and typed as those of Parquet files. Nothing is kept from one batch to the next.

mod extract;
mod fields;
mod lines;
mod sign;

pub use extract::extract;
pub use lines::write_lines;
pub use sign::sign;

#[cfg(test)]
mod tests;
