//! Pages grouped by address, without copies, one layout in each group.

use std::collections::BTreeMap;

use dehusk_dedup::verify::resemblance;
use dehusk_dedup::{Shingler, content_hash};
use dehusk_extract::site::Sample;

use crate::kernel::tokens::{Reads, Tokenizer};
use crate::site::key;

/// Fewest pages that a template is learnt from.
const MIN_PAGES: usize = 3;
/// Most pages that a template is learnt from.
const MAX_PAGES: usize = 50;
/// Least resemblance of the page-level main texts of copies, in four-word shingles.
const COPY_RESEMBLANCE: f64 = 0.8;
/// Least resemblance of the layout features of pages of one layout.
const LAYOUT_RESEMBLANCE: f64 = 0.5;

/// What is kept beside a page that was taken apart.
pub(crate) trait MemorySize: Send {
    /// Bytes of memory that it takes.
    fn bytes(&self) -> usize;
}

impl MemorySize for () {
    fn bytes(&self) -> usize {
        0
    }
}

impl MemorySize for String {
    fn bytes(&self) -> usize {
        self.len()
    }
}

fn bytes<P: MemorySize>(sample: &Sample, with: &P) -> u64 {
    (sample.bytes() + with.bytes()) as u64
}

/// A page taken apart, and what is kept beside it.
type Member<P> = (Sample, P);

/// Pages by the part of the site they belong to, at most [`MAX_PAGES`] of each: those with the smallest hash of address and
/// content, which does not depend on the order of the pages.
pub(crate) struct Groups<P> {
    pages: BTreeMap<String, BTreeMap<u128, Member<P>>>,
    bytes: u64,
}

impl<P> Default for Groups<P> {
    fn default() -> Self {
        Groups {
            pages: BTreeMap::new(),
            bytes: 0,
        }
    }
}

/// Pages of one layout.
pub(crate) struct Group<P> {
    pub(crate) site: String,
    /// From 1.
    pub(crate) layout: u32,
    pub(crate) samples: Vec<Member<P>>,
}

/// Counts of pages that were left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GroupCounts {
    /// Pages beyond the most that one part of a site is learnt from.
    pub beyond: u64,
    /// Pages left out as copies of others.
    pub copies: u64,
    /// Pages whose part of the site, or layout, has too few.
    pub alone: u64,
}

impl<P: MemorySize> Groups<P> {
    /// Adds a page. Returns whether a page was left out for it.
    pub(crate) fn add(&mut self, key: String, sample: Sample, with: P) -> bool {
        let name = format!("{}\n{}", sample.name(), sample.text_of(&sample.page_level()));
        let group = self.pages.entry(key).or_default();
        self.bytes += bytes(&sample, &with);
        // Equal pages at equal addresses are one.
        let equal = group.insert(content_hash(&name), (sample, with));
        let beyond = if group.len() > MAX_PAGES {
            group.pop_last()
        } else {
            None
        };
        let left_out = beyond.is_some();
        let gone = equal.into_iter().chain(beyond.map(|(_, page)| page));
        self.bytes -= gone.map(|(sample, with)| bytes(&sample, &with)).sum::<u64>();
        left_out
    }

    /// Bytes of memory that the pages take.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Moves groups that are too small to the folder above, up to the host; then leaves out copies and separates layouts.
    pub(crate) fn finish(self, counts: &mut GroupCounts) -> Vec<Group<P>> {
        let mut done: BTreeMap<String, BTreeMap<u128, Member<P>>> = BTreeMap::new();
        // The longest keys first, so that a group is complete before its own size is looked at.
        let by_length = self
            .pages
            .into_iter()
            .map(|(key, group)| ((key.len(), key), group));
        let mut open: BTreeMap<(usize, String), BTreeMap<u128, Member<P>>> = by_length.collect();
        while let Some(((_, longest), group)) = open.pop_last() {
            let above = key::parent_key(&longest).filter(|_| group.len() < MIN_PAGES);
            match above {
                Some(above) => {
                    let home = open.entry((above.len(), above.to_owned())).or_default();
                    home.extend(group);
                    while home.len() > MAX_PAGES {
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
                let few = samples.len() < MIN_PAGES;
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

/// Leaves out pages whose main text nearly equals that of an earlier page: what copies share would look like template.
fn without_copies<P>(samples: Vec<Member<P>>, counts: &mut GroupCounts) -> Vec<Member<P>> {
    let mut tokenizer = Tokenizer::new(dehusk_normalize::Profile::near(), Reads::default());
    let shingler = Shingler::default();
    let mut seen: Vec<Vec<u64>> = Vec::new();
    let mut out = Vec::new();
    for sample in samples {
        let (tokens, _) = tokenizer.read(&sample.0.text_of(&sample.0.page_level()));
        let mut shingles = Vec::new();
        shingler.shingle(tokens, &mut shingles);
        if !shingles.is_empty() && seen.iter().any(|s| resemblance(s, &shingles) >= COPY_RESEMBLANCE) {
            counts.copies += 1;
        } else {
            seen.push(shingles);
            out.push(sample);
        }
    }
    out
}

/// Groups pages by layout: each joins the most similar layout so far, by the first page of each, or begins a new one. The largest
/// layout comes first.
fn layouts<P>(samples: Vec<Member<P>>) -> Vec<Vec<Member<P>>> {
    let mut out: Vec<(Vec<u64>, Vec<Member<P>>)> = Vec::new();
    for sample in samples {
        let features = sample.0.layout();
        let best = out
            .iter_mut()
            .map(|(first, members)| (resemblance(first, &features), members))
            .filter(|(similarity, _)| *similarity >= LAYOUT_RESEMBLANCE)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((_, members)) => members.push(sample),
            None => out.push((features, vec![sample])),
        }
    }
    let mut out: Vec<Vec<Member<P>>> = out.into_iter().map(|(_, members)| members).collect();
    out.sort_by_key(|members| std::cmp::Reverse(members.len()));
    out
}
