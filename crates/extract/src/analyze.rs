//! Decodes and parses a page, and measures what every later stage reads.

use crate::analysis::blocks::table::BlockTable;
use crate::analysis::{metadata, noscript};
use crate::label::extractor::PageView;
use crate::options::Options;
use crate::page::Page;
use crate::warning::Warning;
use dehusk_html::decode::Charset;
use dehusk_html::limits::Deadline;

/// Decodes and parses a page and reads its blocks and metadata, then does `work` with what was found, the warnings so far
/// and the charset.
pub(crate) fn analyze_page<T>(
    page: &Page<'_>,
    options: &Options,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>, Charset) -> T,
) -> T {
    let decoded = page.decode(options);
    let deadline = Deadline::start(&options.limits, decoded.text.len());
    let (dom, limits_hit) = noscript::parse_shown(options.parser, &decoded.text, options.limits, &deadline);
    let warnings = decoded.warnings.into_iter().chain(limits_hit);
    let mut warnings: Vec<Warning> = warnings.map(Warning::from).collect();
    let table = BlockTable::fill(&dom);
    let metadata = metadata::read(&dom, &table, page.url(), &mut warnings);
    let view = PageView {
        dom: &dom,
        table: &table,
        title: metadata.title.as_deref(),
        metadata: &metadata,
        focus: options.focus,
        fast: options.fast,
        limits: options.limits,
        deadline: &deadline,
    };
    work(&view, warnings, decoded.charset)
}
