//! Features of the lines of a page.

use std::ops::Range;

use fearless_simd::{Level, Simd, dispatch};
use memchr::{memchr2_iter, memchr3_iter};

use crate::analysis::blocks::block::{BlockKind, Boundary};
use crate::label::extractor::PageView;
use crate::label::model::ancestor_features::AncestorFeatures;
use crate::label::model::lines::Line;
use crate::label::model::neighbor_features::NeighborFeatures;
use crate::label::model::page_table::{NAMES_OF_PAGE, PageTable};
use crate::label::model::refinement::LineContext;
use crate::label::model::row::{BATCH, ColumnNames, KeyRow, Row, RowBuffers, feature_of};
use crate::label::model::votes::CandidateVotes;

/// Feature rows of all lines of a page.
#[derive(Debug, Default)]
pub struct Features {
    /// Column names.
    pub names: Vec<String>,
    /// Row-major values, [`width`](Features::width) per line.
    pub rows: Vec<f32>,
    /// Range of block numbers of each line.
    pub blocks: Vec<Range<usize>>,
    /// Number of tokens of each line.
    pub tokens: Vec<u32>,
    /// Position of each line in the tree, for the refinement.
    pub line_context: LineContext,
}

impl Features {
    /// Computes the rows of all lines, with the column names.
    pub fn of(view: &PageView<'_>) -> Features {
        let mut all: Vec<KeyRow> = Vec::new();
        let mut features = Features::for_each_batch(view, |rows| {
            all.extend_from_slice(rows);
        });
        let Some(page) = PageTable::new(view) else {
            return features;
        };
        let candidate = CandidateVotes::of(view, &page);
        // The rows were collected batch by batch. Another pass over the first line yields the names of the columns.
        let mut names = ColumnNames::default();
        let mut lines = FeatureWriter::new(view, &page, &candidate);
        lines.put(&mut names, 0);
        features.names = names.0;
        features.rows = all
            .iter()
            .flat_map(|row| &row[..features.names.len()])
            .map(|&key| feature_of(key))
            .collect();
        features
    }

    /// Calls `visit` with the rows of all lines, in batches. The result has no names and no rows.
    pub(crate) fn for_each_batch(view: &PageView<'_>, mut visit: impl FnMut(&[KeyRow])) -> Features {
        let mut out = Features::default();
        let Some(page) = PageTable::new(view) else {
            return out;
        };
        let candidate = CandidateVotes::of(view, &page);
        let mut lines = FeatureWriter::new(view, &page, &candidate);
        let batch = BATCH.min(page.lines.len());
        let rows = &mut *view.scratch.rows.borrow_mut();
        let mut i = 0;
        while i < page.lines.len() {
            let size = batch.min(page.lines.len() - i);
            // The work is mostly independent arithmetic on a few numbers at a time, so that wider vector registers pay off.
            visit(dispatch!(Level::new(), simd => lines.fill(simd, rows, size, i)));
            i += size;
        }
        // On pages of many short lines this memory is large. It is freed before the line contexts are built.
        drop(lines);
        drop(candidate);
        out.line_context = LineContext::new(view, &page);
        let lines = page.lines;
        out.blocks = lines.iter().map(|line| line.blocks()).collect();
        out.tokens = lines.iter().map(|line| line.counts.tokens).collect();
        out
    }

    /// Returns the number of columns; 0 if no names were collected.
    pub fn width(&self) -> usize {
        self.names.len()
    }
}

/// Features of the whole page. They are equal for all its lines.
struct PageFeatures {
    /// Values in the order of [`FIGURES_OF_PAGE`].
    figures: [f32; FIGURES_OF_PAGE.len()],
    quirks: bool,
}

/// Names of the columns of [`PageFeatures::figures`].
const FIGURES_OF_PAGE: [&str; 7] = ["tokens", "lines", "links", "long", "ends", "money", "articles"];

/// Writes the features of lines, in document order.
struct FeatureWriter<'p> {
    view: &'p PageView<'p>,
    page: &'p PageTable,
    candidate: &'p CandidateVotes,
    neighbors: NeighborFeatures<'p>,
    ancestors: AncestorFeatures<'p>,
    page_features: PageFeatures,
    /// Number of tokens in the lines before the next one.
    tokens_before: f32,
}

impl<'p> FeatureWriter<'p> {
    fn new(view: &'p PageView<'p>, page: &'p PageTable, candidate: &'p CandidateVotes) -> Self {
        let sums = &page.page;
        let figures = [
            sums.tokens,
            page.lines.len() as f32,
            sums.link_density(),
            sums.long_share(),
            sums.ends_share(),
            page.money,
            page.articles,
        ];
        let page_features = PageFeatures {
            figures,
            quirks: view.dom.quirks(),
        };
        FeatureWriter {
            page_features,
            view,
            page,
            candidate,
            neighbors: NeighborFeatures::new(page),
            ancestors: AncestorFeatures::new(page),
            tokens_before: 0.0,
        }
    }

    /// Computes the rows of `size` consecutive lines, starting with line `i`.
    #[inline(always)]
    fn fill<'r, S: Simd>(
        &mut self,
        simd: S,
        rows: &'r mut RowBuffers,
        size: usize,
        i: usize,
    ) -> &'r [KeyRow] {
        rows.fill_with(simd, size, |row, k| self.put(row, i + k))
    }

    /// Writes all features of line `i`. Lines must be written in document order.
    #[inline(always)]
    fn put(&mut self, row: &mut impl Row, i: usize) {
        let line = &self.page.lines[i];
        // Comes first: the stores must complete before `ancestors.put` loads them as vectors; see `move_to`.
        self.ancestors.move_to(line.context as usize);
        put_line(row, self.view, line);
        self.neighbors.put(row, i);
        self.put_position(row, i);
        row.put(
            "copies",
            self.page.copies[self.page.texts[i] as usize].min(10) as f32,
        );
        let of_page = &self.page_features;
        row.put_all("page", FIGURES_OF_PAGE, &of_page.figures);
        row.put_all("page-named", NAMES_OF_PAGE, &self.page.name_shares);
        row.flag("page-quirks", of_page.quirks);
        self.candidate.put(row, i);
        self.ancestors.put(row, line.context as usize);
        self.neighbors.advance(i);
        self.tokens_before += line.counts.tokens as f32;
    }

    /// Writes the distances of a line to the densest runs of text, to the title and to both ends of the page.
    #[inline(always)]
    fn put_position(&self, row: &mut impl Row, i: usize) {
        let page = self.page;
        let n = page.lines.len() as f32;
        for (core, name) in page.cores.iter().zip(["core", "wide-core"]) {
            // Negative before the run, 0 inside, positive after it.
            let distance = match i {
                _ if i < core.start => i as f32 - core.start as f32,
                _ if i >= core.end => (i + 1 - core.end) as f32,
                _ => 0.0,
            };
            row.put_named(name, "distance", distance);
            row.put_named(name, "share", core.share);
        }
        row.put("title-distance", i as f32 - page.title_line.0 as f32);
        row.put("title-alike", page.title_line.1);
        row.flag("title-is", i == page.title_line.0 && page.title_line.1 > 0.5);
        self.neighbors.put_since_heading(row, i);
        row.put(
            "h1-distance",
            page.first_heading.map_or(0.0, |h| i as f32 - h as f32),
        );
        row.put("position", self.tokens_before / page.page.tokens.max(1.0));
        row.put("position-lines", i as f32 / n);
        row.put("from-start", i as f32);
        row.put("from-end", n - i as f32);
    }
}

/// Writes the features of the line itself, without its surroundings.
#[inline(always)]
fn put_line(row: &mut impl Row, view: &PageView<'_>, line: &Line) {
    let blocks = &view.table.blocks()[line.blocks()];
    let first = blocks.first().map_or("", |b| view.table.text(b));
    let last = blocks.last().map_or("", |b| view.table.text(b));
    let start = first.chars().next().unwrap_or(' ');
    row.put("tokens", line.counts.tokens as f32);
    row.put("chars", line.chars as f32);
    row.put("links", line.link_density);
    row.flag("ends", line.counts.ends);
    row.put(
        "comma-share",
        line.counts.commas as f32 / line.counts.tokens.max(1) as f32,
    );
    row.put("commas", line.counts.commas.min(10) as f32);
    row.put("digits", line.counts.digits as f32 / line.chars.max(1) as f32);
    row.put(
        "token-length",
        line.chars as f32 / line.counts.tokens.max(1) as f32,
    );
    row.put(
        "capitals",
        line.counts.capitals as f32 / line.counts.tokens.max(1) as f32,
    );
    row.flag("money", line.counts.money);
    // `signs` is set if the line has `(`, `A` or a character from U+0080 to U+00BF. Without one, the signs
    // below cannot occur in it.
    row.flag("copyright", line.counts.signs && claims_rights(first));
    let arrow = || line.counts.tokens < 8 && line.counts.signs && first.contains('»');
    row.flag("bar", line.counts.bar || arrow());
    row.flag("colon", last.ends_with(':'));
    row.flag("bullet", matches!(start, '•' | '·' | '-' | '–' | '—' | '*'));
    row.flag("upper", start.is_uppercase());
    row.flag("lower", start.is_lowercase());
    row.flag("year", line.counts.digits >= 4 && has_year(first));
    row.flag("hidden", line.hidden);
    row.put("heading", f32::from(line.heading));
    for (name, kind) in [
        ("is-paragraph", BlockKind::Paragraph),
        ("is-item", BlockKind::ListItem),
        ("is-cell", BlockKind::TableCell),
        ("is-code", BlockKind::Code),
        ("is-quote", BlockKind::Quote),
        ("is-caption", BlockKind::Caption),
        ("is-text", BlockKind::Text),
    ] {
        row.flag(name, line.kind == kind);
    }
    row.flag("after-break", line.boundary == Boundary::Break);
    row.put("lists", f32::from(line.lists.min(5)));
    row.put("tables", f32::from(line.tables.min(8)));
}

/// Returns whether a text contains `©`, `(c)` or `All rights`.
fn claims_rights(text: &str) -> bool {
    let bytes = text.as_bytes();
    // All three begin with one of these bytes, which most texts lack.
    memchr3_iter(0xC2, b'(', b'A', bytes).any(|at| {
        let rest = &bytes[at..];
        rest.starts_with("©".as_bytes()) || rest.starts_with(b"(c)") || rest.starts_with(b"All rights")
    })
}

/// Returns whether a text contains the digits of a year from 1900 to 2099.
fn has_year(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr2_iter(b'1', b'2', bytes).any(|at| {
        matches!(&bytes[at..], [b'1', b'9', rest @ ..] | [b'2', b'0', rest @ ..]
            if matches!(rest, [b'0'..=b'9', b'0'..=b'9', ..]))
    })
}
