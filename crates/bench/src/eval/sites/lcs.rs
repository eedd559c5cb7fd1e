//! The cost of the algorithms for common subsequences on block vectors of real pages.

use dehusk_pipeline::extract::site::lcs::{self, Lcs};
use dehusk_pipeline::extract::site::methods::{Infholder, InfholderOptions};
use dehusk_pipeline::extract::{Options, Page};

use super::labelled::Site;
use crate::clock;
use crate::result::Result;

/// Largest number of pages of a site that are compared with each other. Voting compares the same number
/// with all others.
const PAGES: usize = 12;
/// Number of repetitions.
const ROUNDS: usize = 20;

/// Prints the processor time of each algorithm. First, for all pairs of pages of a site, which share little
/// more than their template. Then for each page and the same page without a tenth of its blocks, like two
/// versions of a page.
pub(super) fn bench(sites: &[Site], options: &Options) -> Result<()> {
    let infholder = Infholder(InfholderOptions::USUAL);
    let (mut apart, mut close, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for site in sites {
        let pages: Vec<Page<'_>> = site
            .html
            .iter()
            .take(PAGES)
            .map(|html| Page::decoded(html))
            .collect();
        let vectors = infholder.vectors(&infholder.blocks(&pages, options));
        for (i, a) in vectors.iter().enumerate() {
            sizes.push(a.len());
            let fewer = a.iter().enumerate().filter(|(at, _)| at % 10 != 9);
            close.push((a.clone(), fewer.map(|(_, block)| *block).collect()));
            apart.extend(vectors[i + 1..].iter().map(|b| (a.clone(), b.clone())));
        }
    }
    sizes.sort_unstable();
    let at = |share: usize| {
        // `share` is a percentile, 0 to 100.
        sizes
            .get((sizes.len() * share / 100).min(sizes.len().saturating_sub(1)))
            .copied()
    };
    println!(
        "block vectors: median {} blocks, one in ten over {}, longest {}",
        at(50).unwrap_or(0),
        at(90).unwrap_or(0),
        at(100).unwrap_or(0)
    );
    for (what, pairs) in [("pages of a site", &apart), ("versions of a page", &close)] {
        let mut lengths: Option<usize> = None;
        let chosen = |a: &[u32], b: &[u32]| lcs::choose(a, b).length(a, b);
        let mut row = |name: &str, length: &dyn Fn(&[u32], &[u32]) -> usize| -> Result<()> {
            let all = || pairs.iter().map(|(a, b)| length(a, b)).sum::<usize>();
            // Run once before the measurement, which also gives the sum to compare.
            let sum = all();
            let ((), time) = clock::timed(|| {
                (0..ROUNDS).for_each(|_| {
                    std::hint::black_box(all());
                });
            });
            println!(
                "    {what:18} {name:16} {:>9.1} us a pair, {} pairs",
                1e6 * time.as_secs_f64() / (ROUNDS * pairs.len().max(1)) as f64,
                pairs.len()
            );
            // All algorithms must find the same lengths, so each sum is compared with that of the row
            // before.
            match lengths.replace(sum) {
                Some(before) if before != sum => {
                    Err(format!("{name} finds {sum} common blocks, not {before}").into())
                }
                _ => Ok(()),
            }
        };
        for method in lcs::ALL {
            row(method.name(), &|a, b| Lcs::length(*method, a, b))?;
        }
        row("as chosen", &chosen)?;
    }
    Ok(())
}
