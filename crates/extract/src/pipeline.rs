//! Runs the stages of a page in order. No other file calls all of them.

use crate::analysis::address::FoundAddress;
use crate::analysis::blocks::block::Block;
use crate::analysis::language::{self, language};
use crate::analysis::metadata::Metadata;
use crate::analysis::{noscript, visible};
use crate::analyze::{Known, PageBuffers, analyze_page, analyze_page_in, analyze_tree_in};
use crate::build::{self, output_bound};
use crate::extracted::{BlockRecord, Extracted};
use crate::label;
use crate::label::classes::BlockClass;
use crate::label::comments::split::split_comments;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use crate::label::methods::readability;
use crate::options::Options;
use crate::overrides::Overrides;
use crate::page::Page;
use crate::site::apply::TemplateUse;
use crate::warning::{Warning, WarningKind};
use dehusk_html::budget::Budget;
use dehusk_html::decode::{self, Charset};
use dehusk_html::tree::{Dom, TreeBuffers};

/// Finds the main text of a page.
///
/// Never fails and never panics: any bytes give a text, which may be empty, and warnings. Cost is linear in the page's length
/// and bounded by [`Limits`](crate::Limits). For many pages, [`PageExtractor`] reuses memory between them.
pub fn extract(page: &Page<'_>, options: &Options) -> Extracted {
    extract_with(page, options, &Overrides::default())
}

/// Finds the main text of a page with rules and templates of its site. Adds a warning if such overrides exist but none applies.
pub fn extract_with(page: &Page<'_>, options: &Options, overrides: &Overrides<'_>) -> Extracted {
    extract_in(&mut PageBuffers::default(), page, options, overrides, None)
}

/// Like [`extract_with`], and also returns which template was applied and what it removed; `None` if no template was applied.
pub fn extract_traced<'t>(
    page: &Page<'_>,
    options: &Options,
    overrides: &Overrides<'t>,
) -> (Extracted, Option<TemplateUse<'t>>) {
    let mut used = None;
    let extracted = extract_in(
        &mut PageBuffers::default(),
        page,
        options,
        overrides,
        Some(&mut used),
    );
    (extracted, used)
}

/// Finds the main text of a parsed page. `url` is its address, if known.
///
/// The tree is read as it is: texts inside `noscript` count only if the page was parsed without scripting.
///
/// ```
/// use dehusk_extract::{Options, extract_dom};
/// use dehusk_html::Parser;
///
/// let (dom, _) = Parser::default().parse("<title>Rivers</title><p>The river rose overnight.");
/// assert_eq!(extract_dom(&dom, None, &Options::default()).text, "The river rose overnight.\n");
/// ```
pub fn extract_dom(dom: &Dom<'_>, url: Option<&str>, options: &Options) -> Extracted {
    extract_dom_with(dom, url, options, &Overrides::default())
}

/// Like [`extract_dom`], with rules and templates of the page's site.
pub fn extract_dom_with(
    dom: &Dom<'_>,
    url: Option<&str>,
    options: &Options,
    overrides: &Overrides<'_>,
) -> Extracted {
    let budget = Budget::start(&options.limits, dom.source().len());
    // The charset of a page that came as text.
    let charset = decode::from_text("", 0).charset;
    let (mut extracted, page) = analyze_tree_in(
        &mut PageBuffers::default(),
        dom,
        Known::at(url),
        options,
        &budget,
        |view, warnings| label_and_render(view, options, overrides, None, warnings, charset),
    );
    extracted.metadata.complete(page);
    extracted
}

/// Extracts pages one after another, with the same results as [`extract`] and fewer allocations.
///
/// The tree, the block table and the features reuse the memory of the page before. Memory beyond a few megabytes is freed after each page.
///
/// ```
/// use dehusk_extract::{Options, Page, PageExtractor};
///
/// let mut extractor = PageExtractor::new(&Options::default());
/// for html in ["<p>The river rose overnight.", "<p>The mill stood in the water."] {
///     assert!(extractor.extract(&Page::decoded(html)).text.starts_with("The "));
/// }
/// ```
#[derive(Debug)]
pub struct PageExtractor {
    options: Options,
    buffers: PageBuffers,
}

impl PageExtractor {
    /// Creates an extractor with the given options.
    pub fn new(options: &Options) -> Self {
        PageExtractor {
            options: options.clone(),
            buffers: PageBuffers::default(),
        }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Like [`extract`].
    pub fn extract(&mut self, page: &Page<'_>) -> Extracted {
        self.extract_with(page, &Overrides::default())
    }

    /// Like [`extract_with`].
    pub fn extract_with(&mut self, page: &Page<'_>, overrides: &Overrides<'_>) -> Extracted {
        extract_in(&mut self.buffers, page, &self.options, overrides, None)
    }
}

/// Extracts a page in reused memory. Sets `used` to the template that was applied, if any.
fn extract_in<'t>(
    buffers: &mut PageBuffers,
    page: &Page<'_>,
    options: &Options,
    overrides: &Overrides<'t>,
    used: Option<&mut Option<TemplateUse<'t>>>,
) -> Extracted {
    let (mut extracted, page) = analyze_page_in(buffers, page, options, |view, warnings, charset| {
        label_and_render(view, options, overrides, used, warnings, charset)
    });
    extracted.metadata.complete(page);
    extracted
}

/// Labels and renders an analyzed page.
///
/// The metadata of the result contain only the language and the fields that rules and templates of the site
/// give; the caller completes them.
fn label_and_render<'t>(
    view: &PageView<'_>,
    options: &Options,
    overrides: &Overrides<'t>,
    used: Option<&mut Option<TemplateUse<'t>>>,
    mut warnings: Vec<Warning>,
    charset: Charset,
) -> Extracted {
    let (mut labels, fields) = overrides.label(view, options.extractor.get(), used);
    let comments = split_comments(view, &mut labels, options.comments, options.no_comments);
    options.convention.apply(view, &mut labels);
    if options.no_tables {
        build::drop_tables(view, &mut labels);
    }
    // Only records and documents have classes. Without budget the classes stay unknown.
    if (options.blocks || options.content) && view.budget.charge("the classes of blocks", view.dom.len()) {
        labels.classes = Some(label::classes::classes(view, &labels.kept_blocks()));
    }
    let mut extracted = render_labels(view, options, &labels, &mut warnings, charset);
    extracted.comments = comments;
    extracted.metadata.of_site = fields;
    extracted
}

/// Writes the forms of the result that the options request, and adds the warnings of all stages.
fn render_labels(
    view: &PageView<'_>,
    options: &Options,
    labels: &Labels,
    warnings: &mut Vec<Warning>,
    charset: Charset,
) -> Extracted {
    let table = view.table;
    warnings.extend(labels.warnings.iter().cloned());
    let kept_chars = labels.kept_chars(table);
    let all_chars = table.chars() + labels.body_chars();
    if all_chars == 0 {
        warnings.push(Warning::new(WarningKind::NoText, "the page shows no text"));
    } else if kept_chars == 0 {
        let mut message = format!("`{}` kept none of {all_chars} characters", labels.method);
        if let Some(why) = &labels.abstained {
            message.push_str(": ");
            message.push_str(why);
        }
        warnings.push(Warning::new(WarningKind::NoMainText, message));
    }
    let rendered = build::render(view, labels, options, view.url, warnings);
    let blocks = options.blocks.then(|| records(view, options, labels, warnings));
    // After rendering, which may exhaust the budget, too. A stage may have reported the same limit already.
    if let Some(spent) = view.budget.warning().map(Warning::from)
        && !warnings.iter().any(|known| known.kind == spent.kind)
    {
        warnings.push(spent);
    }
    let declared = view.metadata.language.as_deref();
    let language = language(declared, labels.texts(table));
    if let Some(message) = language::conflict(declared, language.as_deref()) {
        warnings.push(Warning::new(WarningKind::LanguageConflict, message));
    }
    Extracted {
        text: rendered.text,
        markdown: rendered.markdown,
        html: rendered.html,
        content: rendered.content,
        tables: rendered.tables,
        comments: None,
        found_address: view.url.zip(view.url_source).map(|(url, source)| FoundAddress {
            url: url.to_owned(),
            source,
        }),
        metadata: Metadata {
            language,
            ..Metadata::default()
        },
        charset,
        method: labels.method,
        confidence: labels.confidence,
        kept_chars,
        all_chars,
        removed_by_rule: labels.removed_by_rule,
        warnings: std::mem::take(warnings),
        blocks,
        visible_nodes: options
            .visible_nodes
            .then(|| visible::visible_nodes(view.dom, view.table)),
        layout: view.layout.filter(|_| options.visible_nodes).cloned(),
    }
}

/// Calls `work` with a page as extractors see it, for programs that need its tree besides the result of [`extract`].
///
/// Block indices are the same in both.
pub fn inspect<T>(page: &Page<'_>, options: &Options, work: impl FnOnce(&PageView<'_>) -> T) -> T {
    analyze_page(page, options, |view, _, _| work(view))
}

/// Whether a page looks like an article, by Readability's pre-check on the lengths of visible paragraphs.
///
/// Cheaper than [`extract`], because only the tree is built.
pub fn is_article(page: &Page<'_>, options: &Options) -> bool {
    let decoded = page.decode(options);
    let budget = Budget::start(&options.limits, decoded.text.len());
    let (dom, _) = noscript::parse_visible(
        &options.html_parser(),
        &decoded.text,
        &budget,
        TreeBuffers::default(),
    );
    readability::reads_as_article(&dom)
}

/// One record per block, in order; cut, with a warning, once the records become much longer than the page.
fn records(
    view: &PageView<'_>,
    options: &Options,
    labels: &Labels,
    warnings: &mut Vec<Warning>,
) -> Vec<BlockRecord> {
    let asked = options.extractor.get().name();
    let voters = label::ALL
        .iter()
        .filter(|voter| !matches!(voter.name(), "default" | "all-text") && voter.name() != asked);
    let votes: Vec<(&str, Vec<bool>)> = voters
        .take_while(|_| view.budget.charge("the votes on blocks", view.dom.len()))
        .map(|voter| (voter.name(), voter.label(view)))
        .filter(|(_, labels)| labels.abstained.is_none())
        // A page may consist of many blocks, and there are many voters, so only the verdicts are kept in memory.
        .map(|(name, labels)| (name, labels.verdicts.iter().map(|verdict| verdict.kept).collect()))
        .collect();
    let votes_on = |i: usize| {
        let on = |kept: &[bool]| {
            debug_assert!(i < kept.len(), "the extractors of the table judge every block");
            kept.get(i).copied().unwrap_or(false)
        };
        votes.iter().map(|(name, kept)| (*name, on(kept))).collect()
    };
    let class_of = |i: usize| {
        let classes = labels.classes.as_deref().unwrap_or_default();
        debug_assert!(
            classes.is_empty() || i < classes.len(),
            "every block has a class, or none has"
        );
        classes.get(i).copied().unwrap_or(BlockClass::Other)
    };
    // The first record that does not fit ends the list.
    let mut room = output_bound(view.dom.source().len());
    let fits = |record: &BlockRecord| {
        let left = room.checked_sub(record.json_bytes());
        room = left.unwrap_or(0);
        left.is_some()
    };
    let blocks = view.table.blocks().iter().zip(&labels.verdicts).enumerate();
    let records: Vec<BlockRecord> = blocks
        .map(|(i, (block, verdict))| BlockRecord {
            i,
            kind: block.kind.name(),
            class: class_of(i).name(),
            path: view.table.path(view.dom, block),
            range: view.table.source_range(view.dom, block),
            text: view.table.text(block).to_owned(),
            kept: verdict.kept,
            reason: verdict.reason,
            scores: scores(block, labels.chances.as_ref().and_then(|c| c.get(i))),
            votes: votes_on(i),
        })
        .take_while(fits)
        .collect();
    let all = view.table.blocks().len();
    if records.len() < all {
        let message = format!("the list of blocks was cut after {} of {all}", records.len());
        warnings.push(Warning::new(WarningKind::OutputLimit, message));
    }
    records
}

/// Features of a block for its record: words, densities, and the probability of main text if the extractor
/// has one.
fn scores(block: &Block, chance: Option<&f32>) -> Vec<(&'static str, f64)> {
    let mut scores = vec![
        ("words", block.words.into()),
        ("link_density", block.link_density()),
        ("text_density", block.text_density()),
    ];
    scores.extend(chance.map(|&c| ("chance", c.into())));
    scores
}
