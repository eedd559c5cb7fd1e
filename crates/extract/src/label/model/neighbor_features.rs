//! Features of the lines before and after a line.

use crate::label::model::lines::Line;
use crate::label::model::page_table::{NONE, PageTable};
use crate::label::model::row::Row;

/// Features of neighboring lines: their own figures, and the distances to the nearest lines that are clearly text or clearly links, as in
/// jusText.
pub(crate) struct NeighborFeatures<'p> {
    page: &'p PageTable,
    /// Per line: 1 for clearly text, -1 for clearly links, otherwise 0.
    class: Vec<i8>,
    /// Figures per line, padded with [`REACH`] placeholders before the first line and after the last.
    lines: Vec<LineFigures>,
    /// Prefix sums over the lines: tokens, characters in links, characters. Entry `i` excludes line `i`.
    sums: Vec<[u32; 3]>,
    /// Class and distance of the next line whose class is not 0.
    after: Vec<(i8, u32)>,
    /// Tokens of each run of text, from run 1 on. Lines of links and headings end a run. Entry 0 is for lines before the first run and is
    /// 0.
    runs: Vec<f32>,
    /// Number of runs, and of lines of links, up to and including the title line.
    before_title: (f32, f32),
    position: Position,
}

/// Number of lines on either side whose figures are features.
const REACH: usize = 3;

/// Number of lines on either side that belong to the window.
const WINDOW: usize = 4;

/// Figures of a line that become features of its neighbors.
#[derive(Clone, Copy)]
struct LineFigures {
    /// Tokens and link density; -1 for a placeholder.
    size: [f32; 2],
    heading: f32,
    ends: f32,
    /// Style number; [`NONE`] for a placeholder.
    style: u32,
}

impl LineFigures {
    const NONE: LineFigures = LineFigures {
        size: [-1.0; 2],
        heading: 0.0,
        ends: 0.0,
        style: NONE,
    };
}

/// State after all lines before the current one.
#[derive(Clone, Copy)]
struct Position {
    class: i8,
    distance: u32,
    counts: RunCounts,
    /// Index of the last visible heading.
    heading: Option<usize>,
}

/// Number of runs of text and of lines of links so far.
#[derive(Clone, Copy, Default)]
struct RunCounts {
    open: bool,
    runs: usize,
    linked: u32,
}

impl RunCounts {
    /// Counts one more line of this class.
    fn advance(&mut self, class: i8, line: &Line) {
        if class < 0 || line.heading > 0 {
            self.open = false;
        } else if class > 0 && !self.open {
            self.open = true;
            self.runs += 1;
        }
        self.linked += u32::from(class < 0);
    }
}

/// Distance if there is no line of text or of links in this direction.
const NO_DISTANCE: u32 = 1000;

impl<'p> NeighborFeatures<'p> {
    pub(crate) fn new(page: &'p PageTable) -> Self {
        let classify = |line: &Line| match () {
            () if line.link_density > 0.3 => -1,
            () if line.counts.tokens >= 12 || (line.counts.tokens >= 8 && line.counts.ends) => 1,
            () => 0,
        };
        let lines = &page.lines;
        let mut class = Vec::with_capacity(lines.len());
        let mut figures = Vec::with_capacity(lines.len() + 2 * REACH);
        figures.extend([LineFigures::NONE; REACH]);
        let mut sum = [0_u32; 3];
        let mut sums = Vec::with_capacity(lines.len() + 1);
        sums.push(sum);
        let mut counts = RunCounts::default();
        let (mut runs, mut before_title) = (Vec::with_capacity(lines.len() / 4 + 1), (0.0, 0.0));
        runs.push(0.0);
        class.extend(lines.iter().map(classify));
        figures.extend(lines.iter().map(|line| LineFigures {
            size: [line.counts.tokens as f32, line.link_density],
            heading: f32::from(line.heading),
            ends: f32::from(u8::from(line.counts.ends)),
            style: page.elements[line.context as usize].style,
        }));
        sums.extend(lines.iter().map(|line| {
            let figures = [line.counts.tokens, line.link_chars, line.chars];
            for (sum, figure) in sum.iter_mut().zip(figures) {
                // Only differences of these sums are used, and they are correct even if the sums wrap.
                *sum = sum.wrapping_add(figure);
            }
            sum
        }));
        for (i, (line, &class)) in lines.iter().zip(&class).enumerate() {
            counts.advance(class, line);
            // A line begins at most one run, so that afterwards the entry of the current run exists.
            if runs.len() <= counts.runs {
                runs.push(0.0);
            }
            if counts.open {
                runs[counts.runs] += line.counts.tokens as f32;
            }
            if i == page.title_line.0 {
                before_title = (counts.runs as f32, counts.linked as f32);
            }
        }
        figures.extend([LineFigures::NONE; REACH]);
        let mut after = vec![(0, NO_DISTANCE); class.len()];
        let (mut last, mut distance) = (0, NO_DISTANCE);
        // Backwards: `last` and `distance` describe the lines after the current one.
        for (after, &class) in after.iter_mut().zip(&class).rev() {
            *after = (last, distance);
            distance += 1;
            if class != 0 {
                (last, distance) = (class, 1);
            }
        }
        let position = Position {
            class: 0,
            distance: NO_DISTANCE,
            counts: RunCounts::default(),
            heading: None,
        };
        NeighborFeatures {
            page,
            class,
            lines: figures,
            sums,
            after,
            runs,
            before_title,
            position,
        }
    }

    /// Advances the state past line `i`.
    #[inline]
    pub(crate) fn advance(&mut self, i: usize) {
        let (class, line) = (self.class[i], &self.page.lines[i]);
        self.position.distance += 1;
        if class != 0 {
            (self.position.class, self.position.distance) = (class, 1);
        }
        self.position.counts.advance(class, line);
        if line.heading > 0 && !line.hidden {
            self.position.heading = Some(i);
        }
    }

    /// Writes the features of the lines before and after line `i`.
    #[inline(always)]
    pub(crate) fn put(&self, row: &mut impl Row, i: usize) {
        // The same number of columns is written in every case, so that the offsets of later columns are compile-time constants.
        // `lines` is padded on both sides, so that entry `REACH` of the chunk is line `i`. The fallback is
        // never used.
        let around = self.lines[i..].first_chunk();
        let around = around.unwrap_or(&[LineFigures::NONE; 2 * REACH + 1]);
        let own = around[REACH].style;
        for (name, at) in [
            ("before", REACH - 1),
            ("before2", REACH - 2),
            ("before3", REACH - 3),
            ("after", REACH + 1),
            ("after2", REACH + 2),
            ("after3", REACH + 3),
        ] {
            let other = &around[at];
            row.put_named(name, "tokens", other.size[0]);
            row.put_named(name, "links", other.size[1]);
            if at.abs_diff(REACH) == 1 {
                row.put_named(name, "heading", other.heading);
                row.put_named(name, "alike", f32::from(u8::from(other.style == own)));
                row.put_named(name, "ends", other.ends);
            }
        }
        let before = self.sums[i.saturating_sub(WINDOW)];
        let after = self.sums[(i + WINDOW + 1).min(self.page.lines.len())];
        let [tokens, linked, chars] = std::array::from_fn(|k| after[k].wrapping_sub(before[k]));
        row.put("window-tokens", tokens as f32);
        row.put("window-links", linked as f32 / (chars as f32).max(1.0));
        row.put("class", f32::from(self.class[i]));
        row.put("class-before", f32::from(self.position.class));
        row.put("class-before-distance", self.position.distance as f32);
        row.put("class-after", f32::from(self.after[i].0));
        row.put("class-after-distance", self.after[i].1 as f32);
    }

    /// Writes the numbers of runs of text and of lines of links since the title line, and the features of the last heading.
    #[inline(always)]
    pub(crate) fn put_since_heading(&self, row: &mut impl Row, i: usize) {
        let mut counts = self.position.counts;
        counts.advance(self.class[i], &self.page.lines[i]);
        row.put("title-runs", counts.runs as f32 - self.before_title.0);
        row.put("title-links", counts.linked as f32 - self.before_title.1);
        row.put("run-tokens", self.runs[counts.runs]);
        let heading = self.position.heading.map(|h| (i - h, &self.page.lines[h]));
        row.put("under-distance", heading.map_or(-1.0, |h| h.0 as f32));
        row.put("under-level", heading.map_or(0.0, |h| f32::from(h.1.heading)));
        row.put("under-links", heading.map_or(-1.0, |h| h.1.link_density));
        row.put("under-tokens", heading.map_or(-1.0, |h| h.1.counts.tokens as f32));
    }
}
