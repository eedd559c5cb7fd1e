//! The settings that decide results, including defaults, as `summary.json` and other files record them.

use dehusk_dedup::Family;
use serde_json::{Value, json};

use super::patterns::Patterns;
use super::strategy::Chosen;
use super::table::Settings;
use super::words::DigestRule;
use crate::error::Error;

/// Settings that decide signatures.
const SIGNING: [&str; 9] = [
    "profile",
    "passes",
    "symbol-share",
    "min-tokens",
    "shingle",
    "unit",
    "signature",
    "terms",
    "stats",
];

impl Settings {
    /// The settings that decide what is extracted from a page. Settings that are rarely used are included
    /// only if they are set.
    pub(crate) fn effective_extraction(&self) -> Vec<(&'static str, Value)> {
        let options = self.extraction();
        let limits = options.limits();
        let extractor = self.extractor.as_ref().map(|chosen| chosen.0.as_str());
        let (precision, recall) = self.precision_and_recall();
        let switch = |set: Option<bool>| json!(set.unwrap_or(false));
        let columns = self.column.as_ref().map(|columns| {
            let named = columns.iter().map(|(ours, theirs)| format!("{ours}={theirs}"));
            ("column", json!(named.collect::<Vec<_>>()))
        });
        let mut settings = vec![
            (
                "extractor",
                json!(extractor.unwrap_or(options.extractor().name())),
            ),
            ("templates", json!(self.templates)),
            ("rules", json!(self.rules)),
            ("parser", json!(options.parser().name())),
            ("markdown", switch(self.markdown)),
            (
                "markdown-tables",
                json!(self.markdown_tables.unwrap_or_default().to_string()),
            ),
            (
                "markdown-extensions",
                json!(self.markdown_extensions.unwrap_or_default().to_string()),
            ),
            ("html", switch(self.html)),
            ("content", switch(self.content)),
            ("tables", json!(self.tables.unwrap_or_default().to_string())),
            ("comments", json!(self.comments.unwrap_or_default().to_string())),
            ("fast", switch(self.fast)),
            ("precision", json!(precision)),
            ("recall", json!(recall)),
            ("links", switch(self.links)),
            ("images", switch(self.images)),
            ("blocks", switch(self.blocks)),
            ("structured", switch(self.structured)),
            ("max-bytes", json!(limits.bytes())),
            ("max-depth", json!(limits.depth())),
            ("timeout-ms", json!(self.timeout_ms)),
        ];
        // From here on, a setting is listed only if it is set: files written before the setting existed
        // stay comparable.
        settings.extend(self.layout.as_ref().map(|layout| ("layout", json!(layout))));
        settings.extend(columns);
        let allowed = self.allow_paths.as_ref();
        settings.extend(allowed.map(|folders| ("allow-paths", json!(folders.to_string()))));
        let digests = self.digests.filter(|digests| *digests != DigestRule::default());
        settings.extend(digests.map(|digests| ("digests", json!(digests.to_string()))));
        let all_files = self.all_files.filter(|all| *all);
        settings.extend(all_files.map(|all| ("all-files", json!(all))));
        settings.extend(self.base.as_ref().map(|base| ("base", json!(base.as_str()))));
        settings.extend(
            self.index
                .filter(|index| *index)
                .map(|index| ("index", json!(index))),
        );
        let condition = self.condition.as_ref();
        settings.extend(condition.map(|condition| ("where", json!(condition.to_string()))));
        settings.extend(
            self.learn_sites
                .filter(|learn| *learn)
                .map(|learn| ("learn-sites", json!(learn))),
        );
        settings
    }

    /// The settings that decide signatures.
    pub(crate) fn effective_signing(&self) -> Result<Vec<(&'static str, Value)>, Error> {
        let mut settings = self.effective_duplicates()?;
        settings.retain(|(name, _)| SIGNING.contains(name));
        Ok(settings)
    }

    /// The settings that decide which documents are duplicates, and what happens to them.
    pub(crate) fn effective_duplicates(&self) -> Result<Vec<(&'static str, Value)>, Error> {
        let options = self.duplicates()?;
        let candidates = options.candidates().map_err(|e| Error::value("candidates", e))?;
        Ok(vec![
            ("profile", json!(self.profile().name())),
            ("passes", json!(self.profile().fingerprint())),
            ("exact-profile", json!(self.exact_profile().name())),
            ("symbol-share", json!(self.effective_symbol_share())),
            ("threshold", json!(options.threshold())),
            ("shingle", json!(options.shingler().width())),
            ("unit", json!(self.unit.unwrap_or_default().to_string())),
            ("signature", json!(self.effective_signature()?.describe())),
            ("terms", json!(self.effective_terms().to_string())),
            ("stats", json!(self.stats)),
            (
                "candidates",
                described(self.candidates.as_ref(), candidates.name())?,
            ),
            (
                "similarity",
                described(self.similarity.as_ref(), options.similarity().name())?,
            ),
            ("delete", json!(self.delete.unwrap_or_default().to_string())),
            (
                "cluster",
                described(self.cluster.as_ref(), options.clustering().name())?,
            ),
            ("keep", described(self.keep.as_ref(), options.keeper().name())?),
            (
                "prefer",
                json!(self.prefer.iter().flat_map(Patterns::iter).collect::<Vec<_>>()),
            ),
            ("same-url", json!(self.same_url.unwrap_or_default().to_string())),
            ("min-tokens", json!(self.effective_min_tokens())),
            (
                "short-docs",
                json!(self.short_docs.unwrap_or_default().to_string()),
            ),
            ("on-exact", json!(self.on_exact.unwrap_or_default().to_string())),
            ("on-near", json!(self.on_near.unwrap_or_default().to_string())),
            ("all-pairs", json!(self.all_pairs.unwrap_or(false))),
        ])
    }
}

/// Description of the chosen strategy, or of the strategy `default`, with all parameters.
fn described<T: Family + ?Sized>(chosen: Option<&Chosen<T>>, default: &str) -> Result<Value, Error> {
    let description = match chosen {
        Some(chosen) => chosen.describe(),
        None => Chosen::<T>::named(default).map_err(Error::failed)?.describe(),
    };
    Ok(json!(description))
}
