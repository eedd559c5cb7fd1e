//! Clusterings, one file each: they group verified pairs.

use crate::cluster::clustering::{CloneClustering, Clustering};
use crate::strategy::entry::Family;

mod articulation;
mod center;
mod components;
pub(crate) mod cover;
mod greedy_degree;
mod leader;
pub(crate) mod merge_center;
mod ricochet_bsr;
mod ricochet_cr;
mod ricochet_ocr;
mod ricochet_sr;
mod star;

pub use articulation::Articulation;
pub use center::Center;
pub use components::Components;
pub use cover::Cover;
pub use greedy_degree::GreedyDegree;
pub use leader::Leader;
pub use merge_center::MergeCenter;
pub use ricochet_bsr::RicochetBsr;
pub use ricochet_cr::RicochetCr;
pub use ricochet_ocr::RicochetOcr;
pub use ricochet_sr::RicochetSr;
pub use star::{Centrality, Star};

/// Every clustering, in the order in which help texts list them.
pub static ALL: &[&dyn Clustering] = &[
    &Cover,
    &Components::DEFAULT,
    &Center::DEFAULT,
    &MergeCenter::DEFAULT,
    &Star::DEFAULT,
    &RicochetSr,
    &RicochetBsr,
    &RicochetCr,
    &RicochetOcr,
    &Articulation,
    &Leader,
    &GreedyDegree,
];

impl Family for dyn Clustering {
    const NAME: &'static str = "clustering";

    fn all() -> &'static [&'static Self] {
        ALL
    }

    fn boxed(&self) -> Box<Self> {
        CloneClustering::boxed(self)
    }
}

#[cfg(test)]
mod tests;
