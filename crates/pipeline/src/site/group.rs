//! Pages of a site brought together: by address, copies once, one layout each.

use std::collections::BTreeMap;

use dehusk_dedup::verify::resemblance;
use dehusk_dedup::{Shingler, content_hash};
use dehusk_extract::site::Sample;

use super::key;
use crate::kernel::tokens::{Reads, Tokenizer};

/// Fewest pages that make a template, and most that are learnt from.
pub(crate) const FEWEST: usize = 3;
pub(crate) const MOST: usize = 50;
/// Resemblance from which on a page counts as a copy of another: four-word shingles of what the page alone keeps.
const COPY: f64 = 0.8;
/// Share of layout features that pages of one layout have in common.
const ALIKE: f64 = 0.5;

/// A page taken apart, and what it brings along.
type Taken<P> = (Sample, P);

/// Pages by the part of the site they belong to, at most [`MOST`] of each: those with the smallest hash of address and
/// content, which does not depend on the order in which they come. Each may bring something along.
pub(crate) struct Groups<P>(BTreeMap<String, BTreeMap<u128, Taken<P>>>);

impl<P> Default for Groups<P> {
    fn default() -> Self {
        Groups(BTreeMap::new())
    }
}

/// Pages of one layout.
pub(crate) struct Group<P> {
    pub(crate) site: String,
    /// From 1.
    pub(crate) layout: u32,
    pub(crate) samples: Vec<Taken<P>>,
}

/// What became of the pages that were looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grouped {
    /// Pages beyond the most that one part of a site is learnt from.
    pub beyond: u64,
    /// Pages left out as copies of others.
    pub copies: u64,
    /// Pages whose part of the site, or layout, has too few.
    pub alone: u64,
}

impl<P> Groups<P> {
    /// Takes a page in. Returns whether that put one out.
    pub(crate) fn add(&mut self, key: String, sample: Sample, with: P) -> bool {
        let name = format!("{}\n{}", sample.name(), sample.text_of(&sample.page_level()));
        let group = self.0.entry(key).or_default();
        // Equal pages at equal addresses are one.
        group.insert(content_hash(&name), (sample, with));
        group.len() > MOST && group.pop_last().is_some()
    }

    /// Brings groups that are too small to the folder above, up to the host; then leaves out copies and parts layouts.
    pub(crate) fn finish(self, counts: &mut Grouped) -> Vec<Group<P>> {
        let mut done: BTreeMap<String, BTreeMap<u128, Taken<P>>> = BTreeMap::new();
        // The longest keys first, so that what moves up meets what is there.
        let by_length = self.0.into_iter().map(|(key, group)| ((key.len(), key), group));
        let mut open: BTreeMap<(usize, String), BTreeMap<u128, Taken<P>>> = by_length.collect();
        while let Some(((_, longest), group)) = open.pop_last() {
            let above = key::parent(&longest).filter(|_| group.len() < FEWEST);
            match above {
                Some(above) => {
                    let home = open.entry((above.len(), above.to_owned())).or_default();
                    home.extend(group);
                    while home.len() > MOST {
                        home.pop_last();
                        counts.beyond += 1;
                    }
                }
                None => {
                    done.insert(longest, group);
                }
            }
        }
        let mut out = Vec::new();
        for (site, group) in done {
            let samples = without_copies(group.into_values().collect(), counts);
            let layouts = layouts(samples);
            let enough = layouts.into_iter().filter(|samples| {
                let few = samples.len() < FEWEST;
                counts.alone += if few { samples.len() as u64 } else { 0 };
                !few
            });
            for (samples, layout) in enough.zip(1..) {
                out.push(Group {
                    site: site.clone(),
                    layout,
                    samples,
                });
            }
        }
        out
    }
}

/// Leaves out pages whose main text nearly equals that of a page before them: what copies share would look like template.
fn without_copies<P>(samples: Vec<Taken<P>>, counts: &mut Grouped) -> Vec<Taken<P>> {
    let mut tokenizer = Tokenizer::new(dehusk_normalize::Profile::near(), Reads::default());
    let shingler = Shingler::default();
    let mut seen: Vec<Vec<u64>> = Vec::new();
    let mut out = Vec::new();
    for sample in samples {
        let (tokens, _) = tokenizer.read(&sample.0.text_of(&sample.0.page_level()));
        let mut shingles = Vec::new();
        shingler.shingle(tokens, &mut shingles);
        if !shingles.is_empty() && seen.iter().any(|s| resemblance(s, &shingles) >= COPY) {
            counts.copies += 1;
        } else {
            seen.push(shingles);
            out.push(sample);
        }
    }
    out
}

/// Parts pages by layout: each joins the most similar layout so far whose first page shares half of its features with it. The
/// largest layout comes first.
fn layouts<P>(samples: Vec<Taken<P>>) -> Vec<Vec<Taken<P>>> {
    let mut out: Vec<(Vec<u64>, Vec<Taken<P>>)> = Vec::new();
    for sample in samples {
        let features = sample.0.layout();
        let best = out
            .iter_mut()
            .map(|(first, members)| (resemblance(first, &features), members))
            .filter(|(alike, _)| *alike >= ALIKE)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((_, members)) => members.push(sample),
            None => out.push((features, vec![sample])),
        }
    }
    let mut out: Vec<Vec<Taken<P>>> = out.into_iter().map(|(_, members)| members).collect();
    out.sort_by_key(|members| std::cmp::Reverse(members.len()));
    out
}
