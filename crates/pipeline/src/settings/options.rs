//! Conversion of settings to the options of the libraries.

use std::sync::{Arc, OnceLock};

use dehusk_dedup::cluster::Components;
use dehusk_extract::Focus;
use dehusk_normalize::Profile;

use super::names::FormatName;
use super::numbers::{Bytes, Depth, MaxBad, Memory, Threads, Threshold};
use super::strategy::Chosen;
use super::table::Settings;
use super::words::{
    CommentPart, Comments, Policy, ShinglingUnit, ShortPolicy, TablePart, Tables, TermForm, Terms,
};
use crate::error::Error;
use crate::read::chunk::Captures;
use crate::read::format::{Bounds, Format};
use crate::record::field::FieldName;
use crate::record::{Reason, RejectedCounts};

/// Default of [`Settings::min_tokens`].
const MIN_TOKENS: u32 = 20;

/// Default of [`Settings::symbol_share`].
///
/// Nearly all prose has a smaller share of symbols, and nearly all code a larger one. By language, 95 % of
/// texts are below: English 0.19 to 0.29, Russian 0.23, Chinese 0.14, Polish 0.22, Greek 0.22. Of files of
/// code, 5 % are below: Rust 0.42, Python 0.37, C++ 0.34.
const SYMBOL_SHARE: f64 = 0.3;

impl Settings {
    /// Whether the extractor prefers precision, and whether it prefers recall. If both are set, precision
    /// wins.
    pub(super) fn precision_and_recall(&self) -> (bool, bool) {
        let precision = self.precision == Some(true);
        (precision, self.recall == Some(true) && !precision)
    }

    /// Options of the extractor.
    pub fn extraction(&self) -> dehusk_extract::Options {
        let mut limits = dehusk_extract::Limits::default();
        if let Some(Bytes(bytes)) = self.max_bytes {
            limits = limits.with_bytes(bytes);
        }
        if let Some(Depth(depth)) = self.max_depth {
            limits = limits.with_depth(depth as usize);
        }
        if let Some(millis) = self.timeout_ms {
            limits = limits.with_time(std::time::Duration::from_millis(millis));
        }
        let focus = match self.precision_and_recall() {
            (true, _) => Focus::Precision,
            (_, true) => Focus::Recall,
            _ => Focus::Balanced,
        };
        let options = dehusk_extract::Options::default()
            .with_limits(limits)
            .with_parser(self.parser.unwrap_or_default().0)
            .with_markdown(self.markdown.unwrap_or(false))
            .with_markdown_tables(self.markdown_tables.unwrap_or_default().0)
            .with_markdown_extensions(self.markdown_extensions.unwrap_or_default().0)
            .with_html(self.html.unwrap_or(false))
            .with_content(self.content.unwrap_or(false))
            .with_tables(self.tables == Some(TablePart(Tables::Field)))
            .without_tables(self.tables == Some(TablePart(Tables::Omit)))
            .with_comments(self.comments == Some(CommentPart(Comments::Field)))
            .without_comments(self.comments == Some(CommentPart(Comments::Omit)))
            .with_title(self.title.unwrap_or_default().0)
            .with_captions(self.captions.unwrap_or_default().0)
            .with_byline(self.byline.unwrap_or_default().0)
            .with_focus(focus)
            .with_fast(self.fast.unwrap_or(false))
            .with_links(self.links.unwrap_or(false))
            .with_images(self.images.unwrap_or(false))
            .with_blocks(self.blocks.unwrap_or(false))
            .with_structured(self.structured.unwrap_or(false));
        match &self.extractor {
            // Parsing the setting has validated the name and its parameters.
            Some(extractor) => options.clone().with_extractor(&extractor.0).unwrap_or(options),
            None => options,
        }
    }

    /// Options of the search for duplicates. Building them may still fail if they contradict each other.
    pub fn duplicates(&self) -> Result<dehusk_dedup::Options, Error> {
        let default = dehusk_dedup::Options::default();
        let width = self.shingle.map_or(default.shingler().width(), |width| width.0);
        let shingler = match self.unit {
            Some(ShinglingUnit(dehusk_dedup::TextUnit::Char)) => dehusk_dedup::Shingler::chars(width),
            _ => dehusk_dedup::Shingler::words(width),
        };
        let (Policy(exact), Policy(near)) = (
            self.on_exact.unwrap_or_default(),
            self.on_near.unwrap_or_default(),
        );
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
        let deletion = self.delete.unwrap_or_default().0;
        options = options.with_deletion(deletion);
        match &self.cluster {
            Some(clustering) => options = options.with_clustering(clustering.strategy()),
            // Transitive deletion removes all but one document of a chain of pairs. Such chains are
            // connected components.
            None if deletion == dehusk_dedup::Deletion::Transitive => {
                options = options.with_clustering(Arc::new(Components::DEFAULT));
            }
            None => {}
        }
        if let Some(keeper) = &self.keep {
            options = options.with_keeper(keeper.strategy());
        }
        options = options.with_min_tokens(self.effective_min_tokens());
        if let Some(ShortPolicy(short)) = self.short_docs {
            options = options.with_short(short);
        }
        Ok(options)
    }

    /// The field of documents that the setting `keep` names; `None` if it names none.
    pub(crate) fn kept_by_field(&self) -> Option<FieldName> {
        let keeper = self.keep.as_ref()?.strategy();
        keeper.field().map(FieldName::new)
    }

    /// Name of the field of documents that the setting `keep` names, with dots for nested objects; `None`
    /// if it names none.
    pub fn field_of_keep(&self) -> Option<String> {
        self.kept_by_field().map(|field| field.as_str().to_owned())
    }

    /// The normalization profile of documents.
    pub fn profile(&self) -> Profile {
        let chosen = self.profile.as_ref().map(|profile| profile.0.clone());
        chosen.unwrap_or_else(Profile::near)
    }

    /// The normalization profile that decides whether duplicates are exact.
    pub(crate) fn exact_profile(&self) -> Profile {
        let chosen = self.exact_profile.as_ref().map(|profile| profile.0.clone());
        chosen.unwrap_or_else(Profile::canonical)
    }

    /// Number of words below which a document is short.
    pub(crate) fn effective_min_tokens(&self) -> u32 {
        self.min_tokens.unwrap_or(MIN_TOKENS)
    }

    /// Share of symbols above which symbols that the profile drops count as tokens.
    pub(crate) fn effective_symbol_share(&self) -> f64 {
        self.symbol_share.map_or(SYMBOL_SHARE, |share| share.0)
    }

    /// The signature method.
    pub(crate) fn signature(&self) -> Result<Arc<dyn dehusk_dedup::sign::Method>, Error> {
        Ok(self.effective_signature()?.strategy())
    }

    /// Whether the signature method or the similarity needs statistics of the collection.
    pub(crate) fn needs_statistics(&self) -> Result<bool, Error> {
        let similarity = self.similarity.as_ref().map(Chosen::strategy);
        Ok(
            self.signature()?.needs_statistics()
                || similarity.is_some_and(|chosen| chosen.needs_statistics()),
        )
    }

    /// The form of words that lexical methods read: stems by default for signatures that pick words.
    pub(crate) fn effective_terms(&self) -> TermForm {
        self.terms.unwrap_or_else(|| match &self.signature {
            Some(signature) if signature.strategy().is_lexical() => TermForm(Terms::Stemmed),
            _ => TermForm(Terms::Plain),
        })
    }

    /// Whether the input counts as damaged, because too many of the `read` records were rejected. By
    /// default, too many are more than 1 % and more than 2 records, or at least half of the records. A
    /// single record that was cut off is too many as well, since the input is then incomplete.
    pub fn is_damaged(&self, rejected: &RejectedCounts, read: u64) -> bool {
        let total = rejected.total();
        match self.max_bad {
            Some(most) => most.exceeded(total, read),
            // Up to two rejected records are allowed, unless they are half of the records. Otherwise a
            // single empty page would damage every input of fewer than 100 pages.
            None => {
                let most = MaxBad::Count((read / 100).max(2));
                // At least half of the records were rejected.
                let is_half = total > 0 && total >= read - total.min(read);
                is_half || rejected.of(Reason::Truncated) > 0 || most.exceeded(total, read)
            }
        }
    }

    /// Number of worker threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            Some(Threads(threads)) => threads,
            None => processors(),
        }
    }

    /// Format of the inputs; `None` if it is to be detected.
    pub fn format(&self) -> Option<&'static dyn Format> {
        self.input_format.map(|FormatName(format)| format)
    }

    /// Maximum bytes of memory of the process; `None` without a limit.
    pub(crate) fn memory_ceiling(&self) -> Option<u64> {
        self.memory.map(|Memory(bytes)| bytes)
    }

    /// Limits of reading.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            page_bytes: self.extraction().limits().bytes(),
            ahead: self.threads() > 1,
            unread: false,
            exact: false,
            captures: Captures {
                digests: self.digests.unwrap_or_default().0,
                texts: false,
            },
        }
    }

    /// The signature method, with the seed of the settings if the method has one.
    pub(super) fn effective_signature(&self) -> Result<Chosen<dyn dehusk_dedup::sign::Method>, Error> {
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
}

/// Number of processors that the process may use, at most 1024. Cached, because Linux reads a dozen files
/// for it.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| {
        std::thread::available_parallelism()
            .map_or(1, std::num::NonZero::get)
            .min(1024)
    })
}
