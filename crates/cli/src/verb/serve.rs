//! `dehusk serve`

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::Error;
use dehusk_pipeline::settings::table::Group;
use dehusk_workshop::{Ended, Serving};

use crate::flags::input::InputFlags;
use crate::flags::running::RunFlags;
use crate::flags::settings::{OF_PAGES, SettingFlags, TakesSettings};
use crate::message::{self, print};
use crate::work::Work;

/// Opens a crawl in a workshop for rules and templates: a page in the browser, on this machine
///
/// Prints the address to open, which only this machine can reach, and serves until Ctrl-C. Shows sites, their layouts and their
/// pages, with the parts that are kept and dropped; a click on a part drops or keeps it, on the page, its layout or its site.
/// Rules are written into the folder that --rules names, and nothing else is. Nothing is extracted before it is looked at.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    input: InputFlags,

    /// Address and port to serve at; port 0 is any free one. Other machines reach the workshop only if this names an address of
    /// the network
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:0",
        help_heading = "Running"
    )]
    listen: SocketAddr,

    /// Name by which other machines call this one, if they may reach it; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Running")]
    host: Vec<String>,

    /// List of passages, as `dehusk passages` and `dehusk run --passages` write it: blocks that stand in it have a color of their own
    #[arg(long, value_name = "FILE")]
    passage_list: Option<PathBuf>,

    #[command(flatten)]
    settings: SettingFlags<Serve>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Serve {
    const GROUPS: &'static [Group] = OF_PAGES;
}

impl Serve {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let work = Work::on_files(self.run);
        let job = work.job(&inputs, &self.settings.given);
        let mut serving = Serving::default();
        serving.address = self.listen;
        serving.names.clone_from(&self.host);
        serving.passages.clone_from(&self.passage_list);
        // The closure cannot return an error, so the result of printing is kept until the workshop ends.
        let mut printed = Ok(0);
        let served = dehusk_workshop::serve(&job, &serving, &mut |row| work.reject(row), &mut |address| {
            // Removes the progress line of the opening before the address is printed.
            work.done(());
            printed = print(format!("{address}\n").as_bytes());
            if !self.run.quiet {
                message::line(format_args!(
                    "open this address in a browser; Ctrl-C ends the workshop"
                ));
            }
        });
        left(&work.done(served)?);
        printed
    }
}

/// Reports the rules and judgements that were not saved.
fn left(ended: &Ended) {
    let mut what = Vec::new();
    if !ended.sites.is_empty() {
        what.push(format!("rules of {}", ended.sites.join(", ")));
    }
    if ended.clusters > 0 {
        what.push(format!("what was said of clusters ({})", ended.clusters));
    }
    if what.is_empty() {
        return;
    }
    let what = format!("not saved: {}", what.join("; "));
    match &ended.kept {
        Some(path) => message::line(format_args!(
            "{what}; kept for the next time in `{}`",
            path.display()
        )),
        None => message::line(format_args!(
            "{what}; lost, since no folder was named with --rules"
        )),
    }
}
