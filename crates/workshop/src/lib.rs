//! The workshop for rules and templates of sites: a page in the browser, by default served on this machine alone.
//!
//! For people who maintain rules: the workshop opens a crawl without extracting it, and shows its sites,
//! their layouts and pages, and what rules and templates keep and drop of each page. The user points at a
//! part of a page and chooses whether it is kept. The effects on this page and on others are visible at
//! once, and are saved as a file of rules for `dehusk extract --rules`.
//!
//! ```
//! use dehusk_pipeline::{Cancel, Interrupt, Job, Settings};
//! use dehusk_workshop::{Serving, serve};
//!
//! let folder = tempfile::tempdir()?;
//! let pages = folder.path().join("pages.jsonl");
//! std::fs::write(&pages, r#"{"url":"http://a.example/","html":"<p>The river rose overnight."}"#)?;
//! let mut settings = Settings::default();
//! settings.rules = Some(folder.path().join("rules"));
//!
//! let (inputs, cancel) = ([pages.display().to_string()], Cancel::new());
//! let job = Job::new(&inputs, &settings, &cancel);
//! let mut address = String::new();
//! serve(&job, &Serving::default(), &mut |rejected| eprintln!("{rejected:?}"), &mut |open| {
//!     address = open.to_owned(); // with a token, which requests need
//!     cancel.request(Interrupt::Keyboard); // this example looks at nothing
//! })?;
//! assert!(address.starts_with("http://127.0.0.1:"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | serve the workshop until the job is cancelled | [`serve`] |
//! | choose address, port and names | [`Serving`] |
//! | know what was saved at the end | [`Ended`] |
//!
//! Pages are untrusted. `frame` rewrites them, and they are shown in a frame that runs nothing and loads
//! only their own style sheets and images. Requests need the token of the address (`guard`). Nothing is
//! written outside of the folder of rules (`draft::RulesFolder`).

#![forbid(unsafe_code)]

mod beside;
mod changes;
mod clusters;
mod crawl;
mod css;
mod draft;
mod example;
mod fields;
mod frame;
mod guard;
mod labels;
mod look;
mod need;
mod reply;
mod rule_file;
mod selectors;
mod server;
mod views;
mod workshop;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::verbs::explain::read_passages;
use dehusk_pipeline::{Error, Job, PageCatalog, site};

use crate::clusters::Clusters;
use crate::crawl::Crawl;
use crate::draft::RulesFolder;
use crate::workshop::{Opened, Workshop};

pub use crate::workshop::Ended;

/// Where the workshop is served.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Serving {
    /// Address and port; port 0 selects a free port. Default: 127.0.0.1:0, which only this machine can
    /// reach.
    pub address: SocketAddr,
    /// Names by which others may address this machine, in addition to its IP addresses.
    pub names: Vec<String>,
    /// List of passages that `dehusk passages` has written. Their places are colored.
    pub passages: Option<PathBuf>,
}

impl Default for Serving {
    fn default() -> Self {
        Serving {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            names: Vec::new(),
            passages: None,
        }
    }
}

/// Opens the inputs of a job (one may be the folder of a run), and serves the workshop until the
/// job is cancelled.
///
/// Unsaved changes are then stored beside the rules for the next session. `listening` is called with the
/// address to open, including its token. Templates and rules are those of the settings. Rules are written
/// to their folder, which is created if missing.
///
/// # Errors
/// If an input is missing or can be read once only, templates or rules cannot be read, or the address is not free.
pub fn serve(
    job: &Job<'_>,
    serving: &Serving,
    on_rejected: &mut dyn FnMut(&Rejected),
    listening: &mut dyn FnMut(&str),
) -> Result<Ended, Error> {
    let settings = job.settings;
    let templates = settings.templates.as_deref().map(site::read_all).transpose()?;
    let folder = RulesFolder::new(settings.rules.as_deref());
    // Invalid rules are reported before the pages are opened, which may take long.
    draft::rules(&folder, None)?;
    job.progress.stage("opening pages", None);
    let is_run = |input: &&String| Clusters::is_run(Path::new(input));
    let (runs, inputs): (Vec<&String>, Vec<&String>) = job.inputs.iter().partition(is_run);
    if runs.len() > 1 {
        return Err(Error::usage("two runs are named").with_help("name the folder of one run"));
    }
    let clusters = runs
        .first()
        .map(|run| Clusters::open(Path::new(run)))
        .transpose()?;
    let inputs: Vec<String> = inputs.into_iter().cloned().collect();
    // With a run alone, only its clusters are shown.
    let catalog = match inputs.is_empty() && clusters.is_some() {
        true => PageCatalog::default(),
        false => {
            let job = Job {
                inputs: &inputs,
                ..*job
            };
            // From here on, no write may replace a file of the crawl.
            folder.protect_inputs(&job)?;
            catalog(&job, &folder, on_rejected)?
        }
    };
    let opened = Opened {
        crawl: Crawl::new(catalog, job.layouts()?),
        options: settings.extraction(),
        templates: templates.unwrap_or_default(),
        folder,
        clusters,
        passages: serving.passages.as_deref().map(read_passages).transpose()?,
        command: command(job),
    };
    let workshop = Workshop::new(opened, &guard::token()?)?;
    let workshop = Arc::new(workshop);
    let serves = Arc::clone(&workshop);
    server::run(serves, serving.address, &serving.names, job.cancel, listening)?;
    workshop.end()
}

/// Returns the command that extracts the inputs of a job with its rules and templates.
fn command(job: &Job<'_>) -> String {
    let mut command = "dehusk extract".to_owned();
    let is_run = |input: &&String| Clusters::is_run(Path::new(input));
    for input in job.inputs.iter().filter(|input| !is_run(input)) {
        command.push(' ');
        command.push_str(&quoted(input));
    }
    for (name, folder) in [
        ("--rules", &job.settings.rules),
        ("--templates", &job.settings.templates),
    ] {
        if let Some(folder) = folder {
            command.push_str(&format!(" {name} {}", quoted(&folder.display().to_string())));
        }
    }
    command
}

/// Returns an argument as a shell needs it.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument.to_owned(),
        // A single quotation mark ends the quoted text, stands alone, and begins the next one.
        false => format!("'{}'", argument.replace('\'', "'\\''")),
    }
}

/// Number of pages at or above which a catalog is stored. Smaller ones are made quickly.
const MANY_PAGES: usize = 5_000;

/// Returns the pages of a crawl. Uses the stored catalog in the folder of rules as far as the inputs have
/// not changed.
fn catalog(
    job: &Job<'_>,
    folder: &RulesFolder,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<PageCatalog, Error> {
    let name = job.catalog_name();
    let catalog = job.catalog(folder.catalog(&name).as_deref(), on_rejected)?;
    if catalog.pages().len() >= MANY_PAGES
        && let Some(bytes) = catalog.to_bytes()
    {
        folder.keep_catalog(&name, &bytes);
    }
    Ok(catalog)
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn arguments_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("crawl/a-1.jsonl"), "crawl/a-1.jsonl");
        assert_eq!(quoted("my crawl"), "'my crawl'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
