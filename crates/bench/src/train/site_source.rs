//! Sites that trees are trained on and judged by.

use dehusk_pipeline::extract::site::Sample;

use crate::eval::sites::labelled::Site;

/// The pages of a site as samples: unchanged, with meaningless names, and without attributes.
pub(super) type Variants = [Vec<Sample>; 3];

/// A site and its group.
pub(super) struct Source {
    pub(super) group: &'static str,
    pub(super) site: Site,
}

/// The groups of sites, in the order of the report: labelled by hand, hosts of news, generated.
pub(super) const GROUPS: [&str; 3] = ["labelled", "news", "made up"];
