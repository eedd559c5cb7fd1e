//! `infholder`: the longest common subsequence of pages without attributes is the template.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::method::SiteMethod;
use super::xml_blocks::{Block, blocks};
use crate::analyze::analyze_page;
use crate::options::Options;
use crate::page::Page;
use crate::parameter::{Parameter, number, one_of};
use crate::site::hash::{hash_name, mix};
use crate::site::lcs::algorithm::Lcs;
use crate::site::lcs::choice;
use crate::site::lcs::hunt_szymanski::HuntSzymanski;

/// How the common template of many vectors is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consensus {
    /// The common subsequence of all vectors, one vector after another in order of increasing length. One different page destroys it.
    Progressive,
    /// A block is template if it is in the common subsequence with a share [`InfholderOptions::share`] of the partner pages.
    Voting,
    /// Like `Progressive`, over the blocks that a share [`InfholderOptions::share`] of the pages has.
    Frequency,
}

/// How blocks are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockHash {
    /// By CRC-32, and by the text where it is equal.
    Crc32,
    /// By a 64-bit hash alone.
    Hash64,
}

/// Options of [`Infholder`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InfholderOptions {
    /// How the template is found. Default: voting.
    pub form: Consensus,
    /// Length in characters up to which neighboring leaves of one parent are joined. Default: 20.
    pub min_block: usize,
    /// Minimum share of the partner pages, or of all pages, above 0 and up to 1. Default: 0.6.
    pub share: f64,
    /// Whether all numbers count as equal, so that blocks may differ in dates and counters. Default: false.
    pub mask_numbers: bool,
    /// How blocks are compared. Default: CRC-32.
    pub hash: BlockHash,
    /// Share of template characters above which a page keeps all blocks, because nearly equal pages do not
    /// reveal the template. Default: 0.9.
    pub near_equal: f64,
}

impl InfholderOptions {
    /// The default options.
    pub const USUAL: InfholderOptions = InfholderOptions {
        form: Consensus::Voting,
        min_block: 20,
        share: 0.6,
        mask_numbers: false,
        hash: BlockHash::Crc32,
        near_equal: 0.9,
    };
}

impl Default for InfholderOptions {
    fn default() -> Self {
        InfholderOptions::USUAL
    }
}

/// Pages as vectors of blocks: attributes removed, tags and text kept.
///
/// A block is a run of text and inline elements within one block-level parent, written as
/// `<parent>run</parent>`, with short neighbors joined. The longest common subsequence of the pages' vectors
/// is the template, and the rest is the main text.
///
/// The method and its name are Mail.ru's. No publication was found; the details are ours. Weaknesses:
/// boilerplate that varies from page to page is kept (related links, dates), and labels that repeat inside
/// the text are removed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Infholder(pub InfholderOptions);

impl SiteMethod for Infholder {
    fn name(&self) -> &'static str {
        "infholder"
    }

    fn summary(&self) -> &'static str {
        "blocks of XML without attributes; the common subsequence of the pages is the template"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter {
                name: "form",
                default: "voting",
                help: "how the template of many pages is found: voting, progressive, or frequency",
            },
            Parameter {
                name: "min-block",
                default: "20",
                help: "characters up to which neighboring leaves of one parent are joined, 0 to 10000",
            },
            Parameter {
                name: "share",
                default: "0.6",
                help: "share of the partner pages, or with `frequency` of all pages, that must have a block, 0.01 to 1",
            },
            Parameter {
                name: "numbers",
                default: "differ",
                help: "whether numbers part blocks: differ, or masked, so that dates and counters do not",
            },
            Parameter {
                name: "hash",
                default: "crc32",
                help: "what blocks are known by: crc32 with the text compared, or hash64 without",
            },
            Parameter {
                name: "near-equal",
                default: "0.9",
                help: "share of a page above which what looks like template is kept, 0 to 1",
            },
        ]
    }

    fn with(&self, parameter: &str, value: &str) -> Result<Arc<dyn SiteMethod>, String> {
        let mut options = self.0;
        match parameter {
            "form" => {
                options.form = one_of(
                    value,
                    &[
                        ("voting", Consensus::Voting),
                        ("progressive", Consensus::Progressive),
                        ("frequency", Consensus::Frequency),
                    ],
                )?;
            }
            "min-block" => options.min_block = number(value, 0..=10_000)?,
            "share" => options.share = number(value, 0.01..=1.0)?,
            "numbers" => options.mask_numbers = one_of(value, &[("differ", false), ("masked", true)])?,
            "hash" => {
                options.hash = one_of(
                    value,
                    &[("crc32", BlockHash::Crc32), ("hash64", BlockHash::Hash64)],
                )?;
            }
            _ => options.near_equal = number(value, 0.0..=1.0)?,
        }
        Ok(Arc::new(Infholder(options)))
    }

    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String> {
        let blocks = self.blocks(pages, options);
        let template = self.template(&blocks);
        let of = |(blocks, template): (&Vec<Block>, Vec<bool>)| {
            let rest = blocks
                .iter()
                .zip(template)
                .filter(|(_, t)| !t)
                .map(|(b, _)| b.text.as_str());
            rest.collect::<Vec<_>>().join("\n")
        };
        blocks.iter().zip(template).map(of).collect()
    }
}

impl Infholder {
    /// Returns the blocks of each page.
    pub fn blocks(&self, pages: &[Page<'_>], options: &Options) -> Vec<Vec<Block>> {
        let of = |page| analyze_page(page, options, |view, _, _| blocks(view.dom, self.0.min_block));
        pages.iter().map(of).collect()
    }

    /// Returns, per page and block, whether it is template. Pages whose share of template exceeds
    /// [`InfholderOptions::near_equal`] have no template blocks.
    pub fn template(&self, pages: &[Vec<Block>]) -> Vec<Vec<bool>> {
        let vectors = self.vectors(pages);
        let mut out = match self.0.form {
            Consensus::Progressive => matched(&vectors, &progressive(&vectors)),
            Consensus::Frequency => matched(&vectors, &progressive(&frequent(&vectors, self.0.share))),
            Consensus::Voting => voting(&vectors, self.0.share),
        };
        for (mask, blocks) in out.iter_mut().zip(pages) {
            let chars = |selects: &dyn Fn(usize) -> bool| -> usize {
                let of = blocks.iter().enumerate().filter(|(i, _)| selects(*i));
                of.map(|(_, b)| b.text.chars().count()).sum()
            };
            if chars(&|i| mask[i]) as f64 > self.0.near_equal * chars(&|_| true) as f64 {
                // Nearly equal pages agree in their main text, too.
                mask.fill(false);
            }
        }
        out
    }

    /// Returns blocks as numbers, equal for equal blocks.
    pub fn vectors(&self, pages: &[Vec<Block>]) -> Vec<Vec<u32>> {
        let mut known: BTreeMap<u64, Vec<(String, u32)>> = BTreeMap::new();
        let mut next = 0;
        let mut number = |block: &Block| {
            let xml = if self.0.mask_numbers {
                masked(&block.xml)
            } else {
                block.xml.clone()
            };
            let (key, compare) = match self.0.hash {
                BlockHash::Crc32 => (crc32fast::hash(xml.as_bytes()).into(), true),
                BlockHash::Hash64 => (hash_name(&xml), false),
            };
            // Different blocks may have one CRC-32, so their XML is compared.
            let equal_keys = known.entry(key).or_default();
            if let Some((_, number)) = equal_keys.iter().find(|(other, _)| !compare || *other == xml) {
                return *number;
            }
            next += 1;
            equal_keys.push((if compare { xml } else { String::new() }, next));
            next
        };
        pages
            .iter()
            .map(|page| page.iter().map(&mut number).collect())
            .collect()
    }
}

/// Replaces each number, including points, commas and colons inside, by one `0`.
fn masked(xml: &str) -> String {
    let mut out = String::with_capacity(xml.len());
    let mut number = false;
    for c in xml.chars() {
        if c.is_ascii_digit() {
            if !number {
                out.push('0');
            }
            number = true;
        } else {
            number = number && matches!(c, '.' | ',' | ':');
            if !number {
                out.push(c);
            }
        }
    }
    out
}

/// Returns the common subsequence of all vectors, taken in order of increasing length. Empty for fewer than two vectors.
pub fn progressive(vectors: &[Vec<u32>]) -> Vec<u32> {
    if vectors.len() < 2 {
        return Vec::new();
    }
    let mut order: Vec<&Vec<u32>> = vectors.iter().collect();
    order.sort_by_key(|v| v.len());
    let mut out = order[0].clone();
    for vector in &order[1..] {
        let pairs = choice::choose(&out, vector).pairs(&out, vector);
        out = pairs.into_iter().map(|(i, _)| out[i as usize]).collect();
    }
    out
}

/// Removes blocks that less than a share `share` of the vectors contains.
pub fn frequent(vectors: &[Vec<u32>], share: f64) -> Vec<Vec<u32>> {
    let mut pages: BTreeMap<u32, usize> = BTreeMap::new();
    for vector in vectors {
        let mut ids = vector.clone();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            *pages.entry(id).or_default() += 1;
        }
    }
    let often = |id: &u32| pages[id] as f64 >= share * vectors.len() as f64;
    vectors
        .iter()
        .map(|v| v.iter().copied().filter(often).collect())
        .collect()
}

/// Returns, per vector and element, whether it matches the template.
fn matched(vectors: &[Vec<u32>], template: &[u32]) -> Vec<Vec<bool>> {
    let of = |vector: &Vec<u32>| {
        let mut mask = vec![false; vector.len()];
        for (i, _) in HuntSzymanski.pairs(vector, template) {
            mask[i as usize] = true;
        }
        mask
    };
    vectors.iter().map(of).collect()
}

/// Maximum number of pages for which each page is compared with all others. `PARTNERS`: number of partners of a page if there are more.
const ALL_PARTNERS: usize = 12;
const PARTNERS: usize = 11;

/// Returns, per vector and element, whether it is in the common subsequence with at least a share `share` of
/// its partners. Partners are all other vectors or, if there are more than 12 vectors, the 11 with the
/// smallest hash of both numbers.
pub fn voting(vectors: &[Vec<u32>], share: f64) -> Vec<Vec<bool>> {
    let of = |(a, vector): (usize, &Vec<u32>)| {
        let mut partners: Vec<usize> = (0..vectors.len()).filter(|&b| b != a).collect();
        if vectors.len() > ALL_PARTNERS {
            // Equal from both sides of a pair.
            let hash = |b: usize| mix(mix(7, a.min(b) as u64), a.max(b) as u64);
            partners.sort_by_key(|&b| hash(b));
            partners.truncate(PARTNERS);
        }
        let mut votes = vec![0_usize; vector.len()];
        for &b in &partners {
            for (i, _) in choice::choose(vector, &vectors[b]).pairs(vector, &vectors[b]) {
                votes[i as usize] += 1;
            }
        }
        let need = share * partners.len() as f64;
        // `v > 0`: without partners, nothing is template.
        votes.into_iter().map(|v| v > 0 && v as f64 >= need).collect()
    };
    vectors.iter().enumerate().map(of).collect()
}
