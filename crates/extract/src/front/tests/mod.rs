//! Tests of the fronts: conformance, comparison, growth, limits.

mod growth;
mod html5lib;
mod limits;
mod pages;
mod soup;
