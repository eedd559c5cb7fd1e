//! Features of the lines before and behind a line.

use crate::label::model::lines::Line;
use crate::label::model::page_table::PageTable;
use crate::label::model::row::Row;

/// Distances to lines that are plainly text or plainly links, as in jusText.
pub(crate) struct NeighborFeatures<'p> {
    page: &'p PageTable,
    /// 1 for a line that is plainly text, -1 for one of links, else 0.
    class: Vec<i8>,
    /// Share of linked characters of each line.
    links: Vec<f32>,
    /// Class of the next line that is plainly text or links, and its distance.
    after: Vec<(i8, u32)>,
    /// Tokens of each run of text. Lines of links and headings end a run; number 0 is the text before the first run.
    runs: Vec<f32>,
    /// Runs and lines of links up to the title line.
    at_title: (f32, f32),
    now: Now,
}

/// State after all lines before the current one.
#[derive(Clone, Copy)]
struct Now {
    class: i8,
    distance: u32,
    sweep: Sweep,
    /// The heading above.
    heading: Option<usize>,
}

/// Counts of runs of text and lines of links so far.
#[derive(Clone, Copy, Default)]
struct Sweep {
    open: bool,
    runs: usize,
    linked: u32,
}

impl Sweep {
    fn pass(&mut self, class: i8, line: &Line) {
        if class < 0 || line.heading > 0 {
            self.open = false;
        } else if class > 0 && !self.open {
            self.open = true;
            self.runs += 1;
        }
        self.linked += u32::from(class < 0);
    }
}

/// Distance to a line that does not exist.
const NOWHERE: u32 = 1000;

impl<'p> NeighborFeatures<'p> {
    pub(crate) fn new(page: &'p PageTable) -> Self {
        let classify = |u: &Line| match () {
            () if u.link_density() > 0.3 => -1,
            () if u.tokens >= 12 || (u.tokens >= 8 && u.ends) => 1,
            () => 0,
        };
        let class: Vec<i8> = page.lines.iter().map(classify).collect();
        let links = page.lines.iter().map(Line::link_density).collect();
        let mut after = vec![(0, NOWHERE); class.len()];
        let (mut last, mut distance) = (0, NOWHERE);
        for (after, &class) in after.iter_mut().zip(&class).rev() {
            *after = (last, distance);
            distance += 1;
            if class != 0 {
                (last, distance) = (class, 1);
            }
        }
        let mut sweep = Sweep::default();
        let (mut runs, mut at_title) = (vec![0.0], (0.0, 0.0));
        for (i, (line, &class)) in page.lines.iter().zip(&class).enumerate() {
            sweep.pass(class, line);
            runs.resize(sweep.runs + 1, 0.0);
            if sweep.open {
                runs[sweep.runs] += line.tokens as f32;
            }
            if i == page.title_line.0 {
                at_title = (sweep.runs as f32, sweep.linked as f32);
            }
        }
        let now = Now {
            class: 0,
            distance: NOWHERE,
            sweep: Sweep::default(),
            heading: None,
        };
        NeighborFeatures {
            page,
            class,
            links,
            after,
            runs,
            at_title,
            now,
        }
    }

    /// Moves past line `i`.
    pub(crate) fn pass(&mut self, i: usize) {
        let (class, line) = (self.class[i], &self.page.lines[i]);
        self.now.distance += 1;
        if class != 0 {
            (self.now.class, self.now.distance) = (class, 1);
        }
        self.now.sweep.pass(class, line);
        if line.heading > 0 && !line.hidden {
            self.now.heading = Some(i);
        }
    }

    /// Writes features of the lines before and behind.
    pub(crate) fn neighbors(&self, row: &mut impl Row, i: usize) {
        let page = self.page;
        let at = |offset: isize| {
            let j = i.checked_add_signed(offset)?;
            page.lines.get(j).zip(self.links.get(j))
        };
        let style = |u: &Line| page.elements[u.context as usize].style;
        let own = style(&page.lines[i]);
        for (name, offset) in [
            ("before", -1),
            ("before2", -2),
            ("before3", -3),
            ("after", 1),
            ("after2", 2),
            ("after3", 3),
        ] {
            let other = at(offset);
            row.named(name, "tokens", other.map_or(-1.0, |(o, _)| o.tokens as f32));
            row.named(name, "links", other.map_or(-1.0, |(_, links)| *links));
            if offset.abs() == 1 {
                let other = other.map(|(o, _)| o);
                row.named(name, "heading", other.map_or(0.0, |o| f32::from(o.heading)));
                row.named(
                    name,
                    "alike",
                    f32::from(u8::from(other.is_some_and(|o| style(o) == own))),
                );
                row.named(name, "ends", f32::from(u8::from(other.is_some_and(|o| o.ends))));
            }
        }
        let window = &page.lines[i.saturating_sub(4)..(i + 5).min(page.lines.len())];
        let window = window.iter().fold((0, 0, 0), |sum, o| {
            (sum.0 + o.tokens, sum.1 + o.link_chars, sum.2 + o.chars)
        });
        row.put("window-tokens", window.0 as f32);
        row.put("window-links", window.1 as f32 / (window.2 as f32).max(1.0));
        row.put("class", f32::from(self.class[i]));
        row.put("class-before", f32::from(self.now.class));
        row.put("class-before-distance", self.now.distance as f32);
        row.put("class-after", f32::from(self.after[i].0));
        row.put("class-after-distance", self.after[i].1 as f32);
    }

    /// Writes runs of text and lines of links since the title, and the heading above.
    pub(crate) fn place(&self, row: &mut impl Row, i: usize) {
        let mut sweep = self.now.sweep;
        sweep.pass(self.class[i], &self.page.lines[i]);
        row.put("title-runs", sweep.runs as f32 - self.at_title.0);
        row.put("title-links", sweep.linked as f32 - self.at_title.1);
        row.put("run-tokens", self.runs[sweep.runs]);
        let heading = self.now.heading.map(|h| (i - h, &self.page.lines[h]));
        row.put("under-distance", heading.map_or(-1.0, |h| h.0 as f32));
        row.put("under-level", heading.map_or(0.0, |h| f32::from(h.1.heading)));
        row.put("under-links", heading.map_or(-1.0, |h| h.1.link_density()));
        row.put("under-tokens", heading.map_or(-1.0, |h| h.1.tokens as f32));
    }
}
