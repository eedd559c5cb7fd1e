//! Decodes and parses a page, and takes the measurements that every later stage reads.

use crate::analysis::address::KnownAddress;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::metadata::{self, KnownPage, Metadata, Wanted};
use crate::analysis::noscript;
use crate::label::extractor::PageView;
use crate::label::scratch::Scratch;
use crate::layout::page_layout::PageLayout;
use crate::layout::record::Layout;
use crate::options::Options;
use crate::page::Page;
use crate::warning::{Warning, WarningKind};
use dehusk_html::budget::Budget;
use dehusk_html::decode::Charset;
use dehusk_html::tree::{Dom, TreeBuffers};

/// Decoded bytes that count as one step of the budget.
const DECODED_STEP: usize = 16;

/// Memory that is reused from one page to the next.
#[derive(Debug, Default)]
pub(crate) struct PageBuffers {
    tree: TreeBuffers,
    table: Option<BlockTable>,
    scratch: Scratch,
}

/// Decodes and parses a page, reads its blocks and metadata, and calls `work` with the result, the warnings and the charset.
pub(crate) fn analyze_page<T>(
    page: &Page<'_>,
    options: &Options,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>, Charset) -> T,
) -> T {
    analyze_page_in(&mut PageBuffers::default(), page, options, work).0
}

/// Like [`analyze_page`], but reuses the memory of an earlier page. Also returns the metadata.
pub(crate) fn analyze_page_in<T>(
    buffers: &mut PageBuffers,
    page: &Page<'_>,
    options: &Options,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>, Charset) -> T,
) -> (T, Metadata) {
    let mut decoded = page.decode(options);
    let (layout, misfit) = match page.layout_of(&mut decoded, options) {
        Ok(layout) => (layout, None),
        Err(warning) => (None, Some(warning)),
    };
    let budget = Budget::start(&options.limits, decoded.text.len());
    // Decoding is done; charging it leaves less for the stages after it. The next of them sees whether the
    // budget is spent.
    budget.charge("decoding", decoded.text.len() / DECODED_STEP);
    let (dom, limits_hit) = noscript::parse_visible(
        &options.html_parser(),
        &decoded.text,
        &budget,
        std::mem::take(&mut buffers.tree),
    );
    // In the order of the stages.
    let warnings = decoded.warnings.into_iter().chain(limits_hit);
    let warnings = warnings.map(Warning::from).chain(misfit).collect();
    let known = Known {
        page: page.known(),
        layout,
    };
    let out = analyze_tree_in(buffers, &dom, known, options, &budget, |view, found| {
        let mut warnings: Vec<Warning> = warnings;
        warnings.extend(found);
        work(view, warnings, decoded.charset)
    });
    buffers.tree = dom.into_buffers();
    out
}

/// Knowledge of a page besides its tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    pub(crate) page: KnownPage<'a>,
    pub(crate) layout: Option<&'a Layout>,
}

impl<'a> Known<'a> {
    /// A page at address `url`, or of unknown address if `None`, without a layout.
    pub(crate) fn at(url: Option<&'a str>) -> Self {
        Known {
            page: KnownPage {
                address: KnownAddress::Given(url),
                captured: None,
                last_modified: None,
            },
            layout: None,
        }
    }
}

/// Reads blocks and metadata of a parsed page, and calls `work` with the result and the warnings. Also returns the metadata.
pub(crate) fn analyze_tree_in<T>(
    buffers: &mut PageBuffers,
    dom: &Dom<'_>,
    known: Known<'_>,
    options: &Options,
    budget: &Budget,
    work: impl FnOnce(&PageView<'_>, Vec<Warning>) -> T,
) -> (T, Metadata) {
    let table = buffers.table.take().unwrap_or_default().refill(dom, budget);
    buffers.scratch.begin_page();
    let mut warnings = Vec::new();
    let wanted = Wanted {
        paths: options.blocks,
        structured: options.structured,
    };
    let (metadata, address) = metadata::read(dom, &table, known.page, wanted, budget, &mut warnings);
    let layout = known.layout.and_then(|layout| {
        let joined = PageLayout::join(layout, dom, &table);
        // A layout that does not fit is dropped with a warning, and the page is extracted without it.
        let misfit = |why| {
            let message = format!("the layout does not fit the page: {why}; it was not used");
            warnings.push(Warning::new(WarningKind::LayoutMismatch, message));
        };
        joined.map_err(misfit).ok()
    });
    let view = PageView {
        dom,
        table: &table,
        title: metadata.stated.title.as_deref(),
        metadata: &metadata,
        url: address.url.as_deref(),
        url_source: address.source,
        focus: options.focus,
        fast: options.fast,
        limits: options.limits,
        budget,
        layout: layout.as_ref(),
        scratch: &buffers.scratch,
    };
    let out = work(&view, warnings);
    buffers.table = Some(table);
    (out, metadata)
}
