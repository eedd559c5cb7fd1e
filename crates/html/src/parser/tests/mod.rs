//! Tests of both parsers: conformance, comparison, growth, limits.

mod growth;
mod html5ever_tokens;
mod html5lib;
mod limits;
mod pages;
mod repairs;
mod soup;
