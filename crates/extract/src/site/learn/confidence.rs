//! The confidence of the page-level extractor on a site.

use super::settings::Settings;
use super::stats::RoleSums;

/// How much lower the page-level log odds of main text are on this site than on others. Every site has main text, so the text with the
/// highest odds must be it. Measured on free text, weighted by its probability to be main text.
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

/// Log odds of a probability, which is first limited to 0.01 to 0.99, as no page-level extractor is more certain about a line.
pub(crate) fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(0.01, 0.99);
    (probability / (1.0 - probability)).ln()
}
