//! Statistics of a whole collection: counted in passes over its documents, saved, and loaded. Some methods
//! need them.

use std::sync::Arc;

use dehusk_dedup::{CompiledOptions, DescriptiveWordsBuilder, StatisticsBuilder, Tokens};

use crate::error::Error;
use crate::job::{Job, tokenizers};
use crate::kernel::tokens::Tokenizer;
use crate::read::inputs::Inputs;
use crate::read::pass::Worker;
use crate::search::memory::MemoryCeiling;
use crate::settings::table::Settings;
use crate::write::file::whole_file;

mod file;
mod stats;

pub(crate) use stats::CorpusStats;

impl CorpusStats {
    /// The statistics in the file that the settings name, or else those of the inputs if the settings need
    /// them. Saves them if the settings ask for it.
    ///
    /// # Errors
    /// If the file does not match the settings, or the inputs cannot be read twice.
    pub(crate) fn of(job: &Job<'_>, inputs: &Inputs) -> Result<Self, Error> {
        let settings = job.settings;
        let method = settings.signature()?;
        let needed = settings.needs_statistics()?;
        let collection = if let Some(path) = &settings.stats {
            let collection = file::read(path, settings)?;
            if method.needs_descriptive_words() && collection.descriptive.is_none() {
                return Err(Error::value(
                    "stats",
                    format_args!(
                        "`{}` has no descriptive words, which `{}` reads",
                        path.display(),
                        method.name()
                    ),
                )
                .with_help(format!(
                    "save them with `--signature {} --save-stats`",
                    method.name()
                )));
            }
            collection
        } else if needed || settings.save_stats.is_some() {
            if !inputs.rereadable() {
                return Err(Error::usage(
                    "words are counted before documents are signed, but an input cannot be read twice",
                )
                .with_help("name a file, or give the statistics of an earlier run with `--stats`"));
            }
            count(job, inputs, method.needs_descriptive_words())?
        } else {
            Self::default()
        };
        if let Some(path) = &settings.save_stats {
            whole_file(path, job.cancel, |file| {
                file::write(&collection, settings, file).map_err(|e| Error::write(path, e))
            })?;
        }
        Ok(collection)
    }

    /// The statistics in the file named by the settings, for runs whose documents are not available in advance.
    ///
    /// # Errors
    /// If the settings need statistics and name no file, or the file does not match the settings.
    pub(crate) fn given(settings: &Settings) -> Result<Self, Error> {
        match &settings.stats {
            Some(path) => file::read(path, settings),
            None if settings.needs_statistics()? => Err(Error::usage(format!(
                "`{}` or its similarity compares documents with their collection, whose words were not counted yet",
                settings.signature()?.name()
            ))
            .with_option("stats")
            .with_help("count them with `dehusk sign --save-stats FILE`, and give the file with `--stats FILE`")),
            None => Ok(Self::default()),
        }
    }

    /// The options of a search for duplicates with these statistics.
    pub(crate) fn options(&self, settings: &Settings) -> Result<dehusk_dedup::Options, Error> {
        let mut options = settings.duplicates()?;
        if let Some(statistics) = &self.statistics {
            options = options.with_statistics(Arc::clone(statistics));
        }
        if let Some(words) = &self.descriptive {
            options = options.with_descriptive_words(Arc::clone(words));
        }
        Ok(options)
    }
}

/// Compiles the methods of the settings, for programs that supply documents themselves. Collection statistics are read from the file that
/// the settings name.
///
/// # Errors
/// If settings contradict each other, or need statistics and name no file.
pub fn compile(settings: &Settings) -> Result<Arc<CompiledOptions>, Error> {
    let options = CorpusStats::given(settings)?.options(settings)?;
    let compiled = CompiledOptions::new(options).map_err(|error| Error::settings(&error))?;
    Ok(Arc::new(compiled))
}

/// Counts the words of all documents. Unusable records are skipped here and reported by the pass that follows.
fn count(job: &Job<'_>, inputs: &Inputs, descriptive: bool) -> Result<CorpusStats, Error> {
    let memory = MemoryCeiling::of(job.settings);
    let mut statistics = StatisticsBuilder::new();
    // A first pass counts documents and occurrences of each term.
    let add = |builder: &mut StatisticsBuilder, terms: &Tokens| builder.add(terms);
    pass(
        job,
        "counting words",
        inputs,
        StatisticsBuilder::new,
        add,
        |part| {
            statistics.merge(part);
            memory.check(statistics.bytes(), || "to count words".to_owned())
        },
    )?;
    let statistics = Arc::new(statistics.build());
    let mut words = None;
    if descriptive {
        // A second pass chooses descriptive words. It needs the finished counts.
        let empty = DescriptiveWordsBuilder::new(&statistics);
        let mut builder = empty.clone();
        let add = |builder: &mut DescriptiveWordsBuilder, terms: &Tokens| builder.add(terms);
        pass(
            job,
            "choosing words",
            inputs,
            || empty.clone(),
            add,
            |part| {
                builder.merge(part);
                memory.check(builder.bytes(), || "to choose words".to_owned())
            },
        )?;
        words = Some(Arc::new(builder.build()));
    }
    Ok(CorpusStats {
        statistics: Some(statistics),
        descriptive: words,
    })
}

/// Adds the terms of all documents to builders, chunk by chunk and in any order.
fn pass<B: Send>(
    job: &Job<'_>,
    stage: &'static str,
    inputs: &Inputs,
    new: impl Fn() -> B + Sync,
    add: impl Fn(&mut B, &Tokens) + Sync,
    mut merge: impl FnMut(B) -> Result<(), Error>,
) -> Result<(), Error> {
    let tokenizer = tokenizers(job.settings)?;
    let mut pass = job.pass(stage, inputs);
    // Sums are commutative, so chunks are merged in any order.
    pass.plan.ordered = false;
    pass.documents(
        || Counting {
            tokenizer: tokenizer(),
            part: new(),
            new: &new,
        },
        |counting, item| add(&mut counting.part, counting.tokenizer.read(&item.record.text).1),
        |worked| merge(worked.sum),
    )?;
    Ok(())
}

/// Tokenizer and builder of a thread for a chunk.
struct Counting<'n, B, N> {
    tokenizer: Tokenizer,
    part: B,
    new: &'n N,
}

impl<B: Send, N: Fn() -> B> Worker for Counting<'_, B, N> {
    type Sum = B;

    fn take_sum(&mut self) -> B {
        std::mem::replace(&mut self.part, (self.new)())
    }

    fn recover(&mut self) {
        self.tokenizer.reset();
    }
}

#[cfg(test)]
mod tests;
