//! How sure the page-level extractor is of what it keeps on a site.

use super::settings::Settings;
use super::stats::RoleSums;

/// By how much the page-level extractor is less sure of this site's main text than of others', in log odds. Every site has
/// main text, so what the extractor likes best must be it. Measured on free text, weighted by its probability to be main text.
pub(crate) fn confidence_gap(own: &[RoleSums], settings: &Settings) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for sums in own {
        let probability = sums.share(sums.all.probability);
        sum += sums.free * probability * probability;
        weights += sums.free * probability;
    }
    if weights > 0.0 {
        (settings.sure - log_odds(sum / weights)).max(0.0)
    } else {
        0.0
    }
}

/// Log odds of a probability, which is held between 0.01 and 0.99: no page-level extractor is surer of a line than that.
pub(crate) fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(0.01, 0.99);
    (probability / (1.0 - probability)).ln()
}
