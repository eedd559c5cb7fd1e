//! Decodes and parses a page, and measures what every later stage reads.

use crate::analysis::address::KnownAddress;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::{metadata, noscript};
use crate::label::extractor::PageView;
use crate::label::scratch::Scratch;
use crate::options::Options;
use crate::page::Page;
use crate::warning::Warning;
use dehusk_html::budget::Budget;
use dehusk_html::decode::Charset;
use dehusk_html::tree::{Dom, TreeBuffers};

/// Bytes that are decoded in a step.
const DECODED_STEP: usize = 16;

/// Memory that one page leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct PageBuffers {
    tree: TreeBuffers,
    table: BlockTable,
    scratch: Scratch,
}

/// Decodes and parses a page and reads its blocks and metadata, then calls `work` with the result, the warnings and the charset.
pub(crate) fn analyze_page<T>(
    page: &Page<'_>,
    options: &Options,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>, Charset) -> T,
) -> T {
    analyze_page_in(&mut PageBuffers::default(), page, options, work)
}

/// As [`analyze_page`], in the memory of an earlier page.
pub(crate) fn analyze_page_in<T>(
    buffers: &mut PageBuffers,
    page: &Page<'_>,
    options: &Options,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>, Charset) -> T,
) -> T {
    let decoded = page.decode(options);
    let budget = Budget::start(&options.limits, decoded.text.len());
    budget.charge("decoding", decoded.text.len() / DECODED_STEP);
    let (dom, limits_hit) = noscript::parse_visible(
        &options.html_parser(),
        &decoded.text,
        &budget,
        std::mem::take(&mut buffers.tree),
    );
    let warnings = decoded.warnings.into_iter().chain(limits_hit);
    let warnings = warnings.map(Warning::from).collect();
    let out = analyze_tree_in(buffers, &dom, page.address(), options, &budget, |view, found| {
        let mut warnings: Vec<Warning> = warnings;
        warnings.extend(found);
        work(view, warnings, decoded.charset)
    });
    buffers.tree = dom.into_buffers();
    out
}

/// Reads blocks and metadata of a page that is parsed already, then calls `work` with them and the warnings.
pub(crate) fn analyze_tree_in<T>(
    buffers: &mut PageBuffers,
    dom: &Dom<'_>,
    address: KnownAddress<'_>,
    options: &Options,
    budget: &Budget,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>) -> T,
) -> T {
    let table = std::mem::take(&mut buffers.table).refill(dom, budget);
    buffers.scratch.begin_page(dom.len());
    let mut warnings = Vec::new();
    let (metadata, address) = metadata::read(dom, &table, address, budget, &mut warnings);
    let view = PageView {
        dom,
        table: &table,
        title: metadata.title.as_deref(),
        metadata: &metadata,
        url: address.url.as_deref(),
        url_source: address.source,
        focus: options.focus,
        fast: options.fast,
        limits: options.limits,
        budget,
        scratch: &buffers.scratch,
    };
    let out = work(&view, warnings);
    buffers.table = table;
    out
}
