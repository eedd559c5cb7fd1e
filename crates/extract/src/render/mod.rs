//! The kept blocks as text, Markdown, HTML and typed elements.
//!
//! One walk over the kept part of the tree calls all writers. Elements without kept text are not entered, so nothing of them is
//! written.

mod bounded;
mod code_language;
mod escape;
mod html;
mod kept_nodes;
mod markdown;
mod media;
mod text;
mod typed;
mod walk;
mod writer;

use crate::analysis::tables::is_grid;
use crate::content::{self as typed_content, Element, Table};
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use crate::options::Options;
use crate::render::bounded::Bounded;
use crate::render::writer::Writer;
use crate::warning::Warning;
use dehusk_html::tree::Tag;
use dehusk_html::url::Base;

/// The kept part of a page in every requested form.
pub(crate) struct Rendered {
    /// One line a paragraph, heading, list item or table row, an empty line between blocks.
    pub(crate) text: String,
    /// CommonMark with tables.
    pub(crate) markdown: Option<String>,
    /// The elements that express structure, without attributes except the few that do.
    pub(crate) html: Option<String>,
    /// Typed elements.
    pub(crate) content: Option<Vec<Element>>,
    /// The tables among them.
    pub(crate) tables: Option<Vec<Table>>,
}

/// Writes all forms in one walk over the page. Relative addresses are resolved against the base address of the page, or else `url`.
pub(crate) fn render(
    view: &PageView<'_>,
    labels: &Labels,
    options: &Options,
    url: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> Rendered {
    // The last table that a writer ends may still add as much.
    let most = output_bound(view.dom.source().len()) - (512 << 10);
    // Between two blocks stand two line ends at most, or a line end, the mark of an item and its indent.
    let bytes = labels.texts(view.table).map(|text| text.len() + 4).sum();
    let mut text = Bounded::new("text", text::Plain::with_room(bytes), most);
    let typed = options.content || options.tables;
    if !(options.markdown || options.html || typed) {
        walk::walk(view, labels, false, &mut text);
        return Rendered {
            text: text.into_inner(warnings).finish(),
            markdown: None,
            html: None,
            content: None,
            tables: None,
        };
    }
    let base = Base::of(view.dom, url);
    let mut markdown = options.markdown.then(|| {
        let writer = markdown::Markdown::new(base.clone(), options.links, options.images);
        Bounded::new("Markdown", writer, most)
    });
    let mut html = options
        .html
        .then(|| Bounded::new("HTML", html::Html::new(base.clone()), most));
    let mut content = typed.then(|| Bounded::new("content", typed::Builder::new(base), most));
    let images = html.is_some() || content.is_some() || options.images;
    let mut writers: Vec<&mut dyn Writer> = vec![&mut text];
    writers.extend(markdown.as_mut().map(|w| w as &mut dyn Writer));
    writers.extend(html.as_mut().map(|w| w as &mut dyn Writer));
    writers.extend(content.as_mut().map(|w| w as &mut dyn Writer));
    walk::walk(view, labels, images, &mut writers);
    let content = content.map(|w| w.into_inner(warnings).finish());
    let tables = content
        .as_deref()
        .filter(|_| options.tables)
        .map(typed_content::tables);
    Rendered {
        text: text.into_inner(warnings).finish(),
        markdown: markdown.map(|w| w.into_inner(warnings).finish()),
        html: html.map(|w| w.into_inner(warnings).finish()),
        tables: tables.map(|found| found.into_iter().cloned().collect()),
        content: content.filter(|_| options.content),
    }
}

/// Drops the blocks of data tables; their reason is `table`.
pub(crate) fn drop_tables(view: &PageView<'_>, labels: &mut Labels) {
    let contexts = view.table.contexts();
    let mut inside = vec![false; contexts.len()];
    for (i, context) in contexts.iter().enumerate() {
        let above = context.parent.is_some_and(|p| inside[p as usize]);
        inside[i] = above
            || view.dom.html_tag(context.element) == Some(Tag::TABLE) && is_grid(view.dom, context.element);
    }
    for (block, verdict) in view.table.blocks().iter().zip(&mut labels.verdicts) {
        if verdict.kept && inside[block.context as usize] {
            *verdict = Verdict::drop("table");
        }
    }
}

/// Most bytes that one form of the result may have for a page of so many: nesting, spans and addresses that stand once in the page and
/// apply to all that follows could make it many times longer.
pub(crate) fn output_bound(page: usize) -> usize {
    page.saturating_mul(4).saturating_add(1 << 20)
}

#[cfg(test)]
mod tests;
