//! Builds the document from the kept blocks of a page, and writes it in every requested form.
//!
//! One walk over the kept part of the tree drives the document builder. Elements without kept text are not
//! entered, so they leave no trace except the positions of table cells.

mod builder;
mod code;
mod decoration;
mod formula;
mod grid;
mod image;
mod items;
mod kept_nodes;
mod line;
mod margin;
mod math_tex;
mod media;
mod note_label;
mod notes;
mod player;
mod quote;
mod shown;
mod sign;
mod tex;
mod touching;
mod walk;

use crate::analysis::tables::is_grid;
use crate::build::builder::Builder;
use crate::document::{DataTable, Document, MarkdownOptions};
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use crate::options::Options;
use crate::warning::{Warning, WarningKind};
use dehusk_html::tree::Tag;
use dehusk_html::url::Base;

/// Kept part of a page in every requested form.
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) markdown: Option<String>,
    pub(crate) html: Option<String>,
    pub(crate) content: Option<Document>,
    pub(crate) tables: Option<Vec<DataTable>>,
}

/// Builds the document in one walk over the page, and writes all requested forms from it.
///
/// Relative addresses are resolved against the page's base address, or else `url`.
pub(crate) fn render(
    view: &PageView<'_>,
    labels: &Labels,
    options: &Options,
    url: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> Rendered {
    // Writers check the limit only now and then. 512 KiB are reserved for what they write past it; the
    // bound is at least 1 MiB.
    let most = output_bound(view.dom.source().len()) - (512 << 10);
    let typed = options.content || options.tables;
    let images = options.html || typed || options.markdown && options.images;
    // Addresses are resolved only if some requested form contains them.
    let links = images || options.markdown && options.links;
    let base = links.then(|| Base::of(view.dom, url));
    if base.as_ref().is_some_and(Base::is_refused) {
        let most = Base::MAX_BYTES;
        let message = format!(
            "the addresses of links and images were not resolved: that of the page has more than {most} bytes"
        );
        warnings.push(Warning::new(WarningKind::OutputLimit, message));
    }
    // Addresses may take half of a form; the other half is for everything else.
    let room = most / 2;
    let mut builder = Builder::new(base, room);
    walk::walk(view, labels, images, &mut builder);
    let (mut document, addresses_cut) = builder.finish();
    if addresses_cut {
        let message = format!("the addresses of links and images were cut after {room} bytes");
        warnings.push(Warning::new(WarningKind::OutputLimit, message));
    }
    let mut cut = |form: &str, bytes: usize| {
        let message = format!("the {form} was cut after {bytes} bytes");
        warnings.push(Warning::new(WarningKind::OutputLimit, message));
    };
    let mut told = |form: &str, (written, is_cut): (String, bool)| {
        if is_cut {
            cut(form, written.len());
        }
        written
    };
    // Between two blocks there are at most two line ends, or a line end and an indented list marker.
    let room = labels.texts(view.table).map(|text| text.len() + 4).sum();
    let text = told("text", document.text_within(most, room));
    let markdown = options.markdown.then(|| {
        let options = MarkdownOptions::default()
            .with_links(options.links)
            .with_images(options.images)
            .with_tables(options.markdown_tables)
            .with_extensions(options.markdown_extensions);
        told("Markdown", document.markdown_within(&options, most))
    });
    let html = options.html.then(|| told("HTML", document.html_within(most)));
    if typed && let Some(bytes) = document.cut_to(most) {
        cut("content", bytes);
    }
    let tables = options.tables.then(|| document.tables());
    Rendered {
        text,
        markdown,
        html,
        tables,
        content: options.content.then_some(document),
    }
}

/// Drops the blocks of data tables, with the reason `table`.
pub(crate) fn drop_tables(view: &PageView<'_>, labels: &mut Labels) {
    let contexts = view.table.contexts();
    let mut inside = vec![false; contexts.len()];
    // A parent precedes its children in `contexts`, so its entry is final.
    for (i, context) in contexts.iter().enumerate() {
        let above = context.parent.is_some_and(|p| inside[p as usize]);
        inside[i] = above
            || view.dom.acting_tag(context.element) == Some(Tag::TABLE) && is_grid(view.dom, context.element);
    }
    for (block, verdict) in view.table.blocks().iter().zip(&mut labels.verdicts) {
        if verdict.kept && inside[block.context as usize] {
            *verdict = Verdict::drop("table");
        }
    }
}

/// Largest size in bytes of one form of the result, for a page of `page` bytes.
///
/// Without a bound, a form could be many times longer than the page: by nesting, by spans, and by addresses
/// that occur once but apply to everything after them.
pub(crate) fn output_bound(page: usize) -> usize {
    page.saturating_mul(4).saturating_add(1 << 20)
}

#[cfg(test)]
mod tests;
