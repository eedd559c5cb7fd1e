//! What stands around a line.

use super::features::Row;
use super::page::PageTable;
use super::unit::Unit;

/// What stands before and behind each line that is plainly text or plainly links, as jusText asks.
pub(crate) struct Near<'p> {
    page: &'p PageTable,
    /// 1 for a line that is plainly text, -1 for one of links, else 0.
    class: Vec<i8>,
    /// Share of linked characters of each line.
    links: Vec<f32>,
    /// The next line that is plainly one or the other, and how far it is.
    after: Vec<(i8, u32)>,
    /// Tokens of each run of text. Runs are parted by lines of links and headings; number 0 is what stands before the first.
    runs: Vec<f32>,
    /// Runs that had begun, and lines of links that had come, at the line most like the title.
    at_anchor: (f32, f32),
    now: Now,
}

/// What is known when the lines before have passed.
#[derive(Clone, Copy)]
struct Now {
    class: i8,
    distance: u32,
    sweep: Sweep,
    /// The heading above.
    heading: Option<usize>,
}

/// Runs of text that have begun and lines of links that have come.
#[derive(Clone, Copy, Default)]
struct Sweep {
    open: bool,
    runs: usize,
    linked: u32,
}

impl Sweep {
    fn pass(&mut self, class: i8, unit: &Unit) {
        if class < 0 || unit.heading > 0 {
            self.open = false;
        } else if class > 0 && !self.open {
            self.open = true;
            self.runs += 1;
        }
        self.linked += u32::from(class < 0);
    }
}

/// Distance of what does not come.
const FAR: u32 = 1000;

impl<'p> Near<'p> {
    pub(crate) fn new(page: &'p PageTable) -> Self {
        let classify = |u: &Unit| match () {
            () if u.link_density() > 0.3 => -1,
            () if u.tokens >= 12 || (u.tokens >= 8 && u.ends) => 1,
            () => 0,
        };
        let class: Vec<i8> = page.units.iter().map(classify).collect();
        let links = page.units.iter().map(Unit::link_density).collect();
        let mut after = vec![(0, FAR); class.len()];
        let (mut last, mut distance) = (0, FAR);
        for (after, &class) in after.iter_mut().zip(&class).rev() {
            *after = (last, distance);
            distance += 1;
            if class != 0 {
                (last, distance) = (class, 1);
            }
        }
        let mut sweep = Sweep::default();
        let (mut runs, mut at_anchor) = (vec![0.0], (0.0, 0.0));
        for (i, (unit, &class)) in page.units.iter().zip(&class).enumerate() {
            sweep.pass(class, unit);
            runs.resize(sweep.runs + 1, 0.0);
            if sweep.open {
                runs[sweep.runs] += unit.tokens as f32;
            }
            if i == page.anchor.0 {
                at_anchor = (sweep.runs as f32, sweep.linked as f32);
            }
        }
        let now = Now {
            class: 0,
            distance: FAR,
            sweep: Sweep::default(),
            heading: None,
        };
        Near {
            page,
            class,
            links,
            after,
            runs,
            at_anchor,
            now,
        }
    }

    /// Tells that the next line is asked about.
    pub(crate) fn pass(&mut self, i: usize) {
        let (class, unit) = (self.class[i], &self.page.units[i]);
        self.now.distance += 1;
        if class != 0 {
            (self.now.class, self.now.distance) = (class, 1);
        }
        self.now.sweep.pass(class, unit);
        if unit.heading > 0 && !unit.hidden {
            self.now.heading = Some(i);
        }
    }

    /// The lines before and behind.
    pub(crate) fn neighbours(&self, row: &mut impl Row, i: usize) {
        let page = self.page;
        let at = |offset: isize| {
            let j = i.checked_add_signed(offset)?;
            page.units.get(j).zip(self.links.get(j))
        };
        let look = |u: &Unit| page.elements[u.context as usize].look;
        let own = look(&page.units[i]);
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
                    f32::from(u8::from(other.is_some_and(|o| look(o) == own))),
                );
                row.named(name, "ends", f32::from(u8::from(other.is_some_and(|o| o.ends))));
            }
        }
        let window = &page.units[i.saturating_sub(4)..(i + 5).min(page.units.len())];
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

    /// Runs of text and lines of links since the title, and the heading above.
    pub(crate) fn place(&self, row: &mut impl Row, i: usize) {
        let mut sweep = self.now.sweep;
        sweep.pass(self.class[i], &self.page.units[i]);
        row.put("title-runs", sweep.runs as f32 - self.at_anchor.0);
        row.put("title-links", sweep.linked as f32 - self.at_anchor.1);
        row.put("run-tokens", self.runs[sweep.runs]);
        let heading = self.now.heading.map(|h| (i - h, &self.page.units[h]));
        row.put("under-distance", heading.map_or(-1.0, |h| h.0 as f32));
        row.put("under-level", heading.map_or(0.0, |h| f32::from(h.1.heading)));
        row.put("under-links", heading.map_or(-1.0, |h| h.1.link_density()));
        row.put("under-tokens", heading.map_or(-1.0, |h| h.1.tokens as f32));
    }
}
