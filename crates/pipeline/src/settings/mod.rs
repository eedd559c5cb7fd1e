//! Settings as users give them: from the command line, from a configuration file, or not at all.
//!
//! One list of fields serves both: a flag `--max-bytes 1MiB` and a line `max-bytes = "1MiB"` are read by the same code and
//! checked in the same way.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Error;
use crate::kernel::tokens::Reads;
use crate::read::format::{Bounds, Format};

mod profile;
mod value;

pub use profile::profile;
use value::parsed;
pub use value::{
    Bytes, Chosen, ExtractorName, FormatName, MaxBad, Memory, ParserName, Policy, ProfileName, ShinglingUnit,
    ShortPolicy, TermForm, Terms, Threads, Threshold, Width,
};

/// Default of [`Settings::min_tokens`].
const MIN_TOKENS: u32 = 20;

/// Everything that can be set. A field that is `None` was not set; [`Settings::or`] fills it from elsewhere, and its
/// default holds in the end.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Settings {
    /// Format of the inputs; by their extensions unless set.
    #[serde(deserialize_with = "parsed")]
    pub input_format: Option<FormatName>,

    /// Extractor; `default` unless set.
    #[serde(deserialize_with = "parsed")]
    pub extractor: Option<ExtractorName>,
    /// Folder of templates that `site learn` made; none unless set.
    pub templates: Option<PathBuf>,
    /// Folder of rules by hand; none unless set.
    pub rules: Option<PathBuf>,
    /// Parser of pages; `whatwg` unless set.
    #[serde(deserialize_with = "parsed")]
    pub parser: Option<ParserName>,
    /// Whether documents get a field `markdown`; no unless set.
    pub markdown: Option<bool>,
    /// Whether documents get a field `html`; no unless set.
    pub html: Option<bool>,
    /// Whether documents get a field `content` with typed elements; no unless set.
    pub content: Option<bool>,
    /// Whether documents get a field `tables`; no unless set.
    pub tables: Option<bool>,
    /// Whether data tables are left out of the main text; no unless set.
    pub no_tables: Option<bool>,
    /// Whether documents get a field `comments`; no unless set.
    pub comments: Option<bool>,
    /// Whether replies are left out of the text of forum pages, too; no unless set.
    pub no_comments: Option<bool>,
    /// Whether `default` trades a little quality for speed; no unless set.
    pub fast: Option<bool>,
    /// Whether `default` drops what it doubts; no unless set.
    pub precision: Option<bool>,
    /// Whether `default` keeps what it doubts; no unless set. Not together with `precision`.
    pub recall: Option<bool>,
    /// Whether Markdown has the targets of links; no unless set. HTML always has them.
    pub links: Option<bool>,
    /// Whether Markdown has images; no unless set. HTML and content always have them.
    pub images: Option<bool>,
    /// Whether documents get a field `blocks` with the reason for each block; no unless set.
    pub blocks: Option<bool>,
    /// Bytes of a page that are read, default 64 MiB, at most 1 GiB.
    #[serde(deserialize_with = "parsed")]
    pub max_bytes: Option<Bytes>,
    /// Open elements of a page, default 512, at least 16.
    pub max_depth: Option<u32>,
    /// Processor time for a page in milliseconds, default 2000 and 1000 more for each 1,000,000 bytes.
    pub timeout_ms: Option<u64>,

    /// Normalization before documents are compared, default `near`.
    #[serde(deserialize_with = "parsed")]
    pub profile: Option<ProfileName>,
    /// Smallest similarity of duplicates, above 0 and up to 1, default 0.8.
    #[serde(deserialize_with = "parsed")]
    pub threshold: Option<Threshold>,
    /// Units in a shingle, 1 to 1000, default 4.
    #[serde(deserialize_with = "parsed")]
    pub shingle: Option<Width>,
    /// What a shingle is a run of, default words.
    #[serde(deserialize_with = "parsed")]
    pub unit: Option<ShinglingUnit>,
    /// Signature method, default `minhash`.
    #[serde(deserialize_with = "parsed")]
    pub signature: Option<Chosen<dyn dehusk_dedup::sign::Method>>,
    /// Candidate method; what suits the signatures unless set.
    #[serde(deserialize_with = "parsed")]
    pub candidates: Option<Chosen<dyn dehusk_dedup::candidates::Candidates>>,
    /// Similarity that verifies candidates, default `jaccard`.
    #[serde(deserialize_with = "parsed")]
    pub similarity: Option<Chosen<dyn dehusk_dedup::verify::Similarity>>,
    /// Clustering, default `merge-center`.
    #[serde(deserialize_with = "parsed")]
    pub cluster: Option<Chosen<dyn dehusk_dedup::cluster::Clustering>>,
    /// Keeper, default `first-seen`.
    #[serde(deserialize_with = "parsed")]
    pub keep: Option<Chosen<dyn dehusk_dedup::keep::Keeper>>,
    /// What lexical methods read for words; stems for the methods that pick words, else the words as they are.
    #[serde(deserialize_with = "parsed")]
    pub terms: Option<TermForm>,
    /// File with the statistics of a collection, for methods that need them. Unless set, they are counted in a pass of
    /// its own.
    pub stats: Option<PathBuf>,
    /// File that the counted statistics are saved to: where documents are there before their words are counted, so in no
    /// configuration file of a whole run.
    #[serde(skip)]
    pub save_stats: Option<PathBuf>,
    /// Index of documents that are there already, whose duplicates go; not of a whole run, whose documents are not there yet.
    #[serde(skip)]
    pub against: Option<PathBuf>,
    /// Tokens below which a document is short, default 20.
    pub min_tokens: Option<u32>,
    /// How short documents are compared, default with identical ones only.
    #[serde(deserialize_with = "parsed")]
    pub short_docs: Option<ShortPolicy>,
    /// What becomes of copies of a document that stays, default `delete`.
    #[serde(deserialize_with = "parsed")]
    pub on_exact: Option<Policy>,
    /// What becomes of near-duplicates of it, default `delete`.
    #[serde(deserialize_with = "parsed")]
    pub on_near: Option<Policy>,
    /// Seed of the hash functions, default 42. Signatures of different seeds do not compare.
    pub seed: Option<u64>,

    /// Worker threads, 1 to 1024; as many as there are processors unless set. The output does not depend on it.
    #[serde(deserialize_with = "parsed")]
    pub threads: Option<Threads>,
    /// Memory that the search for duplicates may take with all that is around it; unlimited unless set, and then documents
    /// are still read again rather than kept where they are many. The output does not depend on it.
    #[serde(deserialize_with = "parsed")]
    pub memory: Option<Memory>,
    /// Folder for temporary files; the output folder unless set.
    pub temp_dir: Option<PathBuf>,
    /// Rejected records above which a run counts as damaged: a number, or a share such as `1%`. Unless set, 1% of the
    /// records, and none that were cut off.
    #[serde(deserialize_with = "parsed")]
    pub max_bad: Option<MaxBad>,
}

impl Settings {
    /// Reads a configuration file in TOML.
    pub fn from_file(path: &Path) -> Result<Settings, Error> {
        let text = fs::read_to_string(path).map_err(|e| Error::input(path, e).with_option("config"))?;
        let settings: Settings = toml::from_str(&text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            misplaced(path, &text, start, error.message().trim_end())
                .with_option("config")
                .with_help("settings have the names of the flags of `dehusk run`, without dashes in front")
        })?;
        if settings.precision == Some(true) && settings.recall == Some(true) {
            let start = text.find("recall").unwrap_or(0);
            let error = misplaced(path, &text, start, "`recall` and `precision` exclude each other");
            return Err(error.with_option("config").with_help("set one of them to true"));
        }
        Ok(settings)
    }

    /// These settings, with what is not set taken from `other`.
    pub fn or(self, other: Settings) -> Settings {
        Settings {
            input_format: self.input_format.or(other.input_format),
            extractor: self.extractor.or(other.extractor),
            templates: self.templates.or(other.templates),
            rules: self.rules.or(other.rules),
            parser: self.parser.or(other.parser),
            markdown: self.markdown.or(other.markdown),
            html: self.html.or(other.html),
            content: self.content.or(other.content),
            tables: self.tables.or(other.tables),
            no_tables: self.no_tables.or(other.no_tables),
            comments: self.comments.or(other.comments),
            no_comments: self.no_comments.or(other.no_comments),
            fast: self.fast.or(other.fast),
            precision: self
                .precision
                .or(other.precision.filter(|_| self.recall != Some(true))),
            recall: self
                .recall
                .or(other.recall.filter(|_| self.precision != Some(true))),
            links: self.links.or(other.links),
            images: self.images.or(other.images),
            blocks: self.blocks.or(other.blocks),
            max_bytes: self.max_bytes.or(other.max_bytes),
            max_depth: self.max_depth.or(other.max_depth),
            timeout_ms: self.timeout_ms.or(other.timeout_ms),
            profile: self.profile.or(other.profile),
            threshold: self.threshold.or(other.threshold),
            shingle: self.shingle.or(other.shingle),
            unit: self.unit.or(other.unit),
            signature: self.signature.or(other.signature),
            candidates: self.candidates.or(other.candidates),
            similarity: self.similarity.or(other.similarity),
            cluster: self.cluster.or(other.cluster),
            keep: self.keep.or(other.keep),
            terms: self.terms.or(other.terms),
            stats: self.stats.or(other.stats),
            save_stats: self.save_stats.or(other.save_stats),
            against: self.against.or(other.against),
            min_tokens: self.min_tokens.or(other.min_tokens),
            short_docs: self.short_docs.or(other.short_docs),
            on_exact: self.on_exact.or(other.on_exact),
            on_near: self.on_near.or(other.on_near),
            seed: self.seed.or(other.seed),
            threads: self.threads.or(other.threads),
            memory: self.memory.or(other.memory),
            temp_dir: self.temp_dir.or(other.temp_dir),
            max_bad: self.max_bad.or(other.max_bad),
        }
    }

    fn focus(&self) -> dehusk_extract::Focus {
        match (self.precision, self.recall) {
            (Some(true), _) => dehusk_extract::Focus::Precision,
            (_, Some(true)) => dehusk_extract::Focus::Recall,
            _ => dehusk_extract::Focus::Balanced,
        }
    }

    /// Options of the extractor.
    pub fn extraction(&self) -> dehusk_extract::Options {
        let mut limits = dehusk_extract::Limits::default();
        if let Some(Bytes(bytes)) = self.max_bytes {
            limits = limits.with_bytes(bytes);
        }
        if let Some(depth) = self.max_depth {
            limits = limits.with_depth(depth as usize);
        }
        if let Some(millis) = self.timeout_ms {
            limits = limits.with_time(std::time::Duration::from_millis(millis));
        }
        let options = dehusk_extract::Options::default()
            .with_limits(limits)
            .with_parser(self.parser.unwrap_or_default().0)
            .with_markdown(self.markdown.unwrap_or(false))
            .with_html(self.html.unwrap_or(false))
            .with_content(self.content.unwrap_or(false))
            .with_tables(self.tables.unwrap_or(false))
            .without_tables(self.no_tables.unwrap_or(false))
            .with_comments(self.comments.unwrap_or(false))
            .without_comments(self.no_comments.unwrap_or(false))
            .with_focus(self.focus())
            .with_fast(self.fast.unwrap_or(false))
            .with_links(self.links.unwrap_or(false))
            .with_images(self.images.unwrap_or(false))
            .with_blocks(self.blocks.unwrap_or(false));
        match &self.extractor {
            // It was checked when it was read.
            Some(extractor) => options.clone().with_extractor(&extractor.0).unwrap_or(options),
            None => options,
        }
    }

    /// Options of the search for duplicates, not yet checked for whether they fit together.
    pub fn duplicates(&self) -> Result<dehusk_dedup::Options, Error> {
        let default = dehusk_dedup::Options::default();
        let width = self.shingle.map_or(default.shingler().width(), |width| width.0);
        let shingler = match self.unit {
            Some(ShinglingUnit(dehusk_dedup::Unit::Char)) => dehusk_dedup::Shingler::chars(width),
            _ => dehusk_dedup::Shingler::words(width),
        };
        let Policy(exact) = self.on_exact.unwrap_or(Policy(dehusk_dedup::Action::Delete));
        let Policy(near) = self.on_near.unwrap_or(Policy(dehusk_dedup::Action::Delete));
        let mut options = default.with_shingler(shingler).with_actions(exact, near);
        if let Some(Threshold(threshold)) = self.threshold {
            options = options.with_threshold(threshold);
        }
        options = options.with_signature(self.effective_signature()?.strategy());
        if let Some(candidates) = &self.candidates {
            options = options.with_candidates(candidates.strategy());
        }
        if let Some(similarity) = &self.similarity {
            options = options.with_similarity(similarity.strategy());
        }
        if let Some(clustering) = &self.cluster {
            options = options.with_clustering(clustering.strategy());
        }
        if let Some(keeper) = &self.keep {
            options = options.with_keeper(keeper.strategy());
        }
        options = options.with_min_tokens(self.min_tokens.unwrap_or(MIN_TOKENS));
        if let Some(ShortPolicy(short)) = self.short_docs {
            options = options.with_short(short);
        }
        Ok(options)
    }

    /// The profile that documents are normalized by.
    pub fn profile(&self) -> dehusk_normalize::Profile {
        let name = self.profile.map_or("near", |profile| profile.0);
        dehusk_normalize::Profile::find(name).unwrap_or_default() // checked when the name was read
    }

    /// The signature method.
    pub(crate) fn signature(&self) -> Result<Arc<dyn dehusk_dedup::sign::Method>, Error> {
        Ok(self.effective_signature()?.strategy())
    }

    /// Whether the signature method or the similarity compares documents with their collection.
    pub(crate) fn needs_statistics(&self) -> Result<bool, Error> {
        let similarity = self.similarity.as_ref().map(Chosen::strategy);
        Ok(
            self.signature()?.needs_statistics()
                || similarity.is_some_and(|chosen| chosen.needs_statistics()),
        )
    }

    /// What lexical methods read for words.
    pub(crate) fn effective_terms(&self) -> TermForm {
        self.terms.unwrap_or_else(|| match &self.signature {
            Some(signature) if signature.strategy().is_lexical() => TermForm(Terms::Stemmed),
            _ => TermForm(Terms::Plain),
        })
    }

    /// What methods read of a document beside its tokens.
    pub(crate) fn reads(&self) -> Result<Reads, Error> {
        Ok(Reads {
            stems: self.effective_terms() == TermForm(Terms::Stemmed),
            sentences: self.signature()?.reads_sentences(),
        })
    }

    /// Whether so many rejected records are too many: more than 1% of those read unless set.
    pub fn is_damaged(&self, rejected: u64, read: u64) -> bool {
        self.max_bad
            .unwrap_or(MaxBad::Share(0.01))
            .exceeded(rejected, read)
    }

    /// Worker threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            Some(Threads(threads)) => threads,
            None => std::thread::available_parallelism()
                .map_or(1, std::num::NonZero::get)
                .min(1024),
        }
    }

    /// Format of the inputs, unless their extensions are to tell.
    pub fn format(&self) -> Option<&'static dyn Format> {
        self.input_format.map(|name| name.0)
    }

    /// Bytes that the process may take.
    pub(crate) fn memory_ceiling(&self) -> Option<u64> {
        self.memory.map(|Memory(bytes)| bytes)
    }

    /// What is read into memory at once.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            page_bytes: self.extraction().limits().bytes(),
        }
    }

    /// The signature method with the seed.
    fn effective_signature(&self) -> Result<Chosen<dyn dehusk_dedup::sign::Method>, Error> {
        let mut signature = match &self.signature {
            Some(signature) => signature.clone(),
            None => Chosen::named("minhash").map_err(Error::failed)?,
        };
        if let Some(seed) = self.seed
            && signature.has("seed")
        {
            signature = signature
                .with("seed", &seed.to_string())
                .map_err(|e| Error::value("seed", e))?;
        }
        Ok(signature)
    }

    /// Settings that decide what the extractor gives, with their defaults, as `summary.json` tells them.
    pub(crate) fn effective_extraction(&self) -> Vec<(&'static str, Value)> {
        let options = self.extraction();
        let limits = options.limits();
        vec![
            (
                "extractor",
                json!(
                    self.extractor
                        .as_ref()
                        .map_or(options.extractor().name(), |method| &method.0)
                ),
            ),
            ("templates", json!(self.templates)),
            ("rules", json!(self.rules)),
            ("parser", json!(options.parser().name())),
            ("markdown", json!(self.markdown.unwrap_or(false))),
            ("html", json!(self.html.unwrap_or(false))),
            ("content", json!(self.content.unwrap_or(false))),
            ("tables", json!(self.tables.unwrap_or(false))),
            ("no-tables", json!(self.no_tables.unwrap_or(false))),
            ("comments", json!(self.comments.unwrap_or(false))),
            ("no-comments", json!(self.no_comments.unwrap_or(false))),
            ("fast", json!(self.fast.unwrap_or(false))),
            (
                "precision",
                json!(self.focus() == dehusk_extract::Focus::Precision),
            ),
            ("recall", json!(self.focus() == dehusk_extract::Focus::Recall)),
            ("links", json!(self.links.unwrap_or(false))),
            ("images", json!(self.images.unwrap_or(false))),
            ("blocks", json!(self.blocks.unwrap_or(false))),
            ("max-bytes", json!(limits.bytes())),
            ("max-depth", json!(limits.depth())),
            ("timeout-ms", json!(self.timeout_ms)),
        ]
    }

    /// The same for signatures alone.
    pub(crate) fn effective_signing(&self) -> Result<Vec<(&'static str, Value)>, Error> {
        const DECIDE: [&str; 7] = [
            "profile",
            "passes",
            "shingle",
            "unit",
            "signature",
            "terms",
            "stats",
        ];
        let mut settings = self.effective_duplicates()?;
        settings.retain(|(name, _)| DECIDE.contains(name));
        Ok(settings)
    }

    /// The same for the search for duplicates.
    pub(crate) fn effective_duplicates(&self) -> Result<Vec<(&'static str, Value)>, Error> {
        let options = self.duplicates()?;
        let candidates = match &self.candidates {
            Some(candidates) => candidates.describe(),
            None => {
                let suiting = options.candidates().map_err(|e| Error::value("candidates", e))?;
                Chosen::<dyn dehusk_dedup::candidates::Candidates>::named(suiting.name())
                    .map_err(Error::failed)?
                    .describe()
            }
        };
        Ok(vec![
            ("profile", json!(self.profile().name())),
            ("passes", json!(self.profile().fingerprint())),
            ("threshold", json!(options.threshold())),
            ("shingle", json!(options.shingler().width())),
            ("unit", json!(self.unit.unwrap_or_default().to_string())),
            ("signature", json!(self.effective_signature()?.describe())),
            ("terms", json!(self.effective_terms().to_string())),
            ("stats", json!(self.stats)),
            ("candidates", json!(candidates)),
            (
                "similarity",
                json!(described(self.similarity.as_ref(), options.similarity().name())?),
            ),
            (
                "cluster",
                json!(described(self.cluster.as_ref(), options.clustering().name())?),
            ),
            (
                "keep",
                json!(described(self.keep.as_ref(), options.keeper().name())?),
            ),
            ("min-tokens", json!(self.min_tokens.unwrap_or(MIN_TOKENS))),
            (
                "short-docs",
                json!(self.short_docs.unwrap_or_default().to_string()),
            ),
            (
                "on-exact",
                json!(
                    self.on_exact
                        .unwrap_or(Policy(dehusk_dedup::Action::Delete))
                        .to_string()
                ),
            ),
            (
                "on-near",
                json!(
                    self.on_near
                        .unwrap_or(Policy(dehusk_dedup::Action::Delete))
                        .to_string()
                ),
            ),
        ])
    }
}

/// What is wrong at the byte `start` of a file, with line and column.
pub(crate) fn misplaced(path: &Path, text: &str, start: usize, message: &str) -> Error {
    let before = &text.as_bytes()[..start.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    Error::usage(format!(
        "`{}`, line {line}, column {column}: {message}",
        path.display()
    ))
    .with_path(path)
    .with_line(line)
}

fn described<T: dehusk_dedup::Family + ?Sized>(
    set: Option<&Chosen<T>>,
    default: &str,
) -> Result<String, Error> {
    match set {
        Some(chosen) => Ok(chosen.describe()),
        None => Ok(Chosen::<T>::named(default).map_err(Error::failed)?.describe()),
    }
}

#[cfg(test)]
mod tests;
