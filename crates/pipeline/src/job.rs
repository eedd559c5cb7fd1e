//! What is to be done: inputs with settings, and those who watch and may stop it.

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::ordered_pool::Plan;
use crate::exec::progress::Progress;
use crate::kernel::tokens::{Reads, Tokenizer};
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::pass::Pass;
use crate::settings::table::Settings;

/// What is to be done, on which inputs.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Files and folders, or `-`.
    pub inputs: &'a [String],
    /// Settings.
    pub settings: &'a Settings,
    /// Address of a page whose record has none; of use with a single page.
    pub url: Option<&'a str>,
    /// Ends the work early when it is turned.
    pub cancel: &'a Cancel,
    /// Is told how far the work is.
    pub progress: &'a dyn Progress,
}

impl<'a> Job<'a> {
    /// A job that nobody watches, on pages that have their own addresses.
    pub fn new(inputs: &'a [String], settings: &'a Settings, cancel: &'a Cancel) -> Self {
        Job {
            inputs,
            settings,
            url: None,
            cancel,
            progress: &(),
        }
    }

    /// Checks and opens the inputs.
    ///
    /// # Errors
    /// If an input is missing, or none is named.
    pub fn open(&self, kind: RecordKind) -> Result<Inputs, Error> {
        Inputs::open(self.inputs, self.settings.format(), kind)
    }

    /// How records are worked on: by all threads, with results in the order of input.
    pub(crate) fn plan(&self) -> Plan<'a> {
        Plan::new(self.settings.threads(), self.cancel)
    }

    /// A pass over the records of the job's inputs; `stage` is its name for those who watch.
    pub fn pass<'p>(&self, stage: &'static str, inputs: &'p Inputs) -> Pass<'p>
    where
        'a: 'p,
    {
        Pass {
            stage,
            inputs,
            bounds: self.settings.bounds(),
            plan: self.plan(),
            progress: self.progress,
            singly: false,
        }
    }
}

/// What makes a tokenizer for each thread.
pub(crate) fn tokenizers(settings: &Settings) -> Result<impl Fn() -> Tokenizer + Sync + use<>, Error> {
    let (profile, reads) = (settings.profile(), Reads::of(settings)?);
    Ok(move || Tokenizer::new(profile.clone(), reads))
}
