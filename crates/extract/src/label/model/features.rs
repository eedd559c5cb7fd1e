//! What the model knows of a line.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr3_iter;
use memchr::memmem::Finder;

use super::above::Above;
use super::names::GROUPS;
use super::near::Near;
use super::page::PageTable;
use super::second::Around;
use super::unit::Unit;
use super::vote::Vote;
use crate::analysis::blocks::{BlockKind, Boundary};
use crate::label::extractor::PageView;

/// A row of figures for each line of a page.
#[derive(Debug, Default)]
pub struct Features {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Rows, one after another.
    pub rows: Vec<f32>,
    /// Blocks of each line, by number.
    pub blocks: Vec<Range<usize>>,
    /// Tokens of each line.
    pub tokens: Vec<u32>,
    /// Where the lines stand.
    pub around: Around,
}

/// Places for the figures of a line. There are fewer columns; those that are left over stay 0.
pub(crate) const STRIDE: usize = 256;

/// The figures of a line.
pub(crate) type Values = [f32; STRIDE];

/// Lines whose figures are there at the same time: all of them may take several hundred times the bytes of the page, but the
/// few that all trees have to be asked about should fill whole groups of those that are asked together.
pub(crate) const BATCH: usize = 128;

impl Features {
    /// Rows of all lines; `kept` is whether `boilerpipe-article` keeps each block.
    pub fn of(view: &PageView<'_>, kept: &[bool]) -> Features {
        let mut all: Vec<Values> = Vec::new();
        let mut features = Features::each(view, kept, |rows| all.extend_from_slice(rows));
        let Some(page) = PageTable::new(view) else {
            return features;
        };
        let votes = Vote::all(view, &page, kept);
        let mut names = Names::default();
        let mut lines = Lines::new(view, &page, &votes);
        lines.put(&mut names, 0);
        features.names = names.0;
        features.rows = all
            .iter()
            .flat_map(|row| &row[..features.names.len()])
            .copied()
            .collect();
        features
    }

    /// Shows the rows of all lines, some at a time, and forgets them.
    pub(crate) fn each(view: &PageView<'_>, kept: &[bool], mut visit: impl FnMut(&[Values])) -> Features {
        let mut out = Features::default();
        let Some(page) = PageTable::new(view) else {
            return out;
        };
        let votes = Vote::all(view, &page, kept);
        let mut lines = Lines::new(view, &page, &votes);
        let mut rows = vec![[0.0; STRIDE]; BATCH.min(page.units.len())];
        let mut i = 0;
        while i < page.units.len() {
            let size = rows.len().min(page.units.len() - i);
            for row in &mut rows[..size] {
                lines.put(&mut Filled { row, at: 0 }, i);
                i += 1;
            }
            visit(&rows[..size]);
        }
        // On a page of many short lines all of this takes much room, so what is no longer needed goes first.
        drop((rows, lines));
        drop(votes);
        out.around = Around::new(view, &page);
        let units = page.units_alone();
        out.blocks = units.iter().map(|unit| unit.blocks()).collect();
        out.tokens = units.iter().map(|unit| unit.tokens).collect();
        out
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.names.len()
    }
}

/// What takes figures, column by column.
pub(crate) trait Row {
    /// The next figure; its name is `prefix`, if that is not empty, and `name`.
    fn named(&mut self, prefix: &str, name: &str, value: f32);

    fn put(&mut self, name: &str, value: f32) {
        self.named("", name, value);
    }

    /// The next figures, one for each name.
    fn several<'n>(&mut self, prefix: &str, names: impl IntoIterator<Item = &'n str>, values: &[f32]) {
        for (name, value) in names.into_iter().zip(values) {
            self.named(prefix, name, *value);
        }
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }
}

/// A row that is filled from its first place on.
pub(crate) struct Filled<'r> {
    pub(crate) row: &'r mut Values,
    pub(crate) at: usize,
}

impl Row for Filled<'_> {
    #[inline]
    fn named(&mut self, _: &str, _: &str, value: f32) {
        if let Some(place) = self.row.get_mut(self.at) {
            *place = value;
        }
        self.at += 1;
    }

    #[inline]
    fn several<'n>(&mut self, _: &str, _: impl IntoIterator<Item = &'n str>, values: &[f32]) {
        let end = self.at + values.len();
        if let Some(places) = self.row.get_mut(self.at..end) {
            places.copy_from_slice(values);
        }
        self.at = end;
    }
}

/// Names of the columns.
#[derive(Default)]
pub(crate) struct Names(pub(super) Vec<String>);

impl Row for Names {
    fn named(&mut self, prefix: &str, name: &str, _: f32) {
        self.0.push(if prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{prefix}-{name}")
        });
    }
}

/// Figures and their names.
#[derive(Default)]
struct Named {
    names: Names,
    values: Vec<f32>,
}

impl Row for Named {
    fn named(&mut self, prefix: &str, name: &str, value: f32) {
        self.names.named(prefix, name, value);
        self.values.push(value);
    }
}

/// The lines of a page, asked one after another for their figures.
struct Lines<'p> {
    view: &'p PageView<'p>,
    page: &'p PageTable,
    votes: &'p [Vote],
    near: Near<'p>,
    above: Above<'p>,
    /// Figures of the page as a whole, which all lines have.
    whole: Named,
    /// Tokens before the next line.
    before: f32,
}

impl<'p> Lines<'p> {
    fn new(view: &'p PageView<'p>, page: &'p PageTable, votes: &'p [Vote]) -> Self {
        let of_page = |name: &str| {
            matches!(
                name,
                "nav" | "comment" | "related" | "content" | "card" | "forum" | "meta" | "lead" | "code"
            )
        };
        let groups = GROUPS.iter().map(|(name, _)| *name).zip(&page.named);
        let mut whole = Named::default();
        whole.put("page-tokens", page.page.tokens);
        whole.put("page-lines", page.units.len() as f32);
        whole.put("page-links", page.page.link_density());
        whole.put("page-long", page.page.long_share());
        whole.put("page-ends", page.page.ends_share());
        whole.put("page-money", page.money);
        whole.put("page-articles", page.articles);
        for (name, share) in groups.filter(|(name, _)| of_page(name)) {
            whole.named("page-named", name, *share);
        }
        whole.flag("page-quirks", view.dom.quirks());
        Lines {
            whole,
            view,
            page,
            votes,
            near: Near::new(page),
            above: Above::new(page),
            before: 0.0,
        }
    }

    fn put(&mut self, row: &mut impl Row, i: usize) {
        let unit = &self.page.units[i];
        own(row, self.view, unit);
        self.near.neighbours(row, i);
        self.place(row, i);
        row.put(
            "copies",
            self.page.copies[self.page.texts[i] as usize].min(10) as f32,
        );
        let names = self.whole.names.0.iter().map(String::as_str);
        row.several("", names, &self.whole.values);
        for (vote, name) in self.votes.iter().zip(["candidate", "boilerpipe"]) {
            vote.put(row, name, i);
        }
        self.above.put(row, unit.context as usize);
        self.near.pass(i);
        self.before += unit.tokens as f32;
    }

    /// Where the line stands, seen from the densest runs of text, the title and the ends of the page.
    fn place(&self, row: &mut impl Row, i: usize) {
        let page = self.page;
        let n = page.units.len() as f32;
        for (core, name) in page.cores.iter().zip(["core", "wide-core"]) {
            let distance = match i {
                _ if i < core.start => i as f32 - core.start as f32,
                _ if i >= core.end => (i + 1 - core.end) as f32,
                _ => 0.0,
            };
            row.named(name, "distance", distance);
            row.named(name, "share", core.share);
        }
        row.put("title-distance", i as f32 - page.anchor.0 as f32);
        row.put("title-alike", page.anchor.1);
        row.flag("title-is", i == page.anchor.0 && page.anchor.1 > 0.5);
        self.near.place(row, i);
        row.put(
            "h1-distance",
            page.first_heading.map_or(0.0, |h| i as f32 - h as f32),
        );
        row.put("position", self.before / page.page.tokens.max(1.0));
        row.put("position-lines", i as f32 / n);
        row.put("from-start", i as f32);
        row.put("from-end", n - i as f32);
    }
}

/// The line itself.
fn own(row: &mut impl Row, view: &PageView<'_>, unit: &Unit) {
    let blocks = &view.table.blocks()[unit.blocks()];
    let first = blocks.first().map_or("", |b| view.table.text(b));
    let last = blocks.last().map_or("", |b| view.table.text(b));
    let start = first.chars().next().unwrap_or(' ');
    row.put("tokens", unit.tokens as f32);
    row.put("chars", unit.chars as f32);
    row.put("links", unit.link_density());
    row.flag("ends", unit.ends);
    row.put("comma-share", unit.commas as f32 / unit.tokens.max(1) as f32);
    row.put("commas", unit.commas.min(10) as f32);
    row.put("digits", unit.digits as f32 / unit.chars.max(1) as f32);
    row.put("token-length", unit.chars as f32 / unit.tokens.max(1) as f32);
    row.put("capitals", unit.capitals as f32 / unit.tokens.max(1) as f32);
    row.flag("money", unit.money);
    let signs = Signs::of(first);
    row.flag(
        "copyright",
        signs.copyright || RIGHTS.find(first.as_bytes()).is_some(),
    );
    row.flag("bar", signs.bar || unit.tokens < 8 && signs.arrow);
    row.flag("colon", last.ends_with(':'));
    row.flag("bullet", matches!(start, '•' | '·' | '-' | '–' | '—' | '*'));
    row.flag("upper", start.is_uppercase());
    row.flag("lower", start.is_lowercase());
    row.flag("year", unit.digits >= 4 && has_year(first));
    row.flag("hidden", unit.hidden);
    row.put("heading", f32::from(unit.heading));
    for (name, kind) in [
        ("is-paragraph", BlockKind::Paragraph),
        ("is-item", BlockKind::ListItem),
        ("is-cell", BlockKind::TableCell),
        ("is-code", BlockKind::Code),
        ("is-quote", BlockKind::Quote),
        ("is-caption", BlockKind::Caption),
        ("is-text", BlockKind::Text),
    ] {
        row.flag(name, unit.kind == kind);
    }
    row.flag("after-break", unit.boundary == Boundary::Break);
    row.put("lists", f32::from(unit.lists.min(5)));
    row.put("tables", f32::from(unit.tables.min(8)));
}

static RIGHTS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("All rights"));

/// Which signs stand in a text.
#[derive(Default)]
struct Signs {
    /// `©` or `(c)`.
    copyright: bool,
    /// `|`.
    bar: bool,
    /// `»`.
    arrow: bool,
}

impl Signs {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut out = Signs::default();
        for at in memchr3_iter(b'(', b'|', "©".as_bytes()[0], bytes) {
            let rest = &bytes[at..];
            out.bar |= rest[0] == b'|';
            out.copyright |= rest.starts_with("©".as_bytes()) || rest.starts_with(b"(c)");
            out.arrow |= rest.starts_with("»".as_bytes());
        }
        out
    }
}

fn has_year(text: &str) -> bool {
    text.as_bytes().windows(4).any(|w| {
        (w.starts_with(b"19") || w.starts_with(b"20")) && w[2].is_ascii_digit() && w[3].is_ascii_digit()
    })
}
