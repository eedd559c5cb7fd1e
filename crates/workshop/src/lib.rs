//! The workshop for rules and templates of sites: a page in the browser, served on this machine alone.
//!
//! It opens a crawl without extracting it, shows its sites, their layouts and pages, and what rules and templates keep and drop of each.
//! A person points at a part of a page and says what becomes of it; what that changes on this page and on the others is seen at once, and
//! saved as a file of rules as `dehusk extract --rules` reads it.
//!
//! Pages are strangers' work. They are shown in a frame that runs nothing and loads nothing but their own style sheets and images, written anew by
//! `frame`; whoever asks needs the token of the address (`guard`), and nothing is written outside of the folder of rules
//! (`draft::RulesFolder`).

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
mod reply;
mod rule_file;
mod selectors;
mod server;
mod views;
mod workshop;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::{Error, Job, PageCatalog, site};

use crate::clusters::Clusters;
use crate::crawl::Crawl;
use crate::draft::RulesFolder;
use crate::workshop::Workshop;

pub use crate::workshop::Ended;

/// Where the workshop is served.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Serving {
    /// Address and port; port 0 is any free one. Default: 127.0.0.1:0, which only this machine can reach.
    pub address: SocketAddr,
    /// Names by which others may call this machine, beside its addresses.
    pub names: Vec<String>,
}

impl Default for Serving {
    fn default() -> Self {
        Serving {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            names: Vec::new(),
        }
    }
}

/// Opens the inputs of a job, of which one may be the folder of a run, and serves the workshop until the job is cancelled;
/// what is unsaved then is kept beside the rules for the next time. `listening` is told the address to open, with its
/// token. Templates and rules are those of the settings; rules are written into their folder, which need not be there yet.
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
    let catalog = match inputs.is_empty() && clusters.is_some() {
        true => PageCatalog::default(),
        false => {
            let job = Job {
                inputs: &inputs,
                ..*job
            };
            folder.protect_inputs(&job)?;
            catalog(&job, &folder, on_rejected)?
        }
    };
    let workshop = Workshop::new(
        Crawl::new(catalog, job.layouts()?),
        settings.extraction(),
        templates.unwrap_or_default(),
        folder,
        clusters,
        &guard::token()?,
    )?;
    let workshop = Arc::new(workshop);
    let serves = Arc::clone(&workshop);
    server::run(serves, serving.address, &serving.names, job.cancel, listening)?;
    workshop.end()
}

/// Pages from which on a catalog is kept: of fewer it is there in a moment.
const MANY_PAGES: usize = 5_000;

/// The pages of a crawl, from what was kept of them in the folder of rules if they have not changed.
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

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
