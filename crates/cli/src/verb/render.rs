//! `dehusk render`

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use dehusk_pipeline::Error;
use dehusk_pipeline::browser::{self, Limits};
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::verbs::render::{self, Style, Taken};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::out::OutFile;
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::work::Work;
use crate::{log, message, outcome};

/// Measures where a browser draws the texts and boxes of pages
///
/// Renders every page in Chromium, offline: requests are answered from --assets, and nothing goes to the network. Writes a line
/// for each page, as docs/layout.md describes, for --layout of `dehusk extract`, `run` and `explain`. A page that cannot be
/// rendered is rejected, without effect on the others. One browser renders page after page; with --threads there are several
/// browsers, of about half a GiB each.
#[derive(Args, Debug)]
pub(crate) struct Render {
    #[command(flatten)]
    input: InputFlags,

    /// Folder (HOST/PATH) or WARC file of style sheets, fonts and images; may be given several times
    #[arg(long, value_name = "DIR|WARC")]
    assets: Vec<PathBuf>,

    #[command(flatten)]
    out: OutFile,

    /// Runs the scripts of pages, for pages that scripts build: the page as built is written, measured and extracted
    #[arg(long)]
    scripts: bool,

    /// Browser to use [default: chromium, chromium-browser or google-chrome]
    #[arg(long, value_name = "PROGRAM", help_heading = "Browser")]
    browser: Option<String>,

    /// Runs the browser without its own sandbox, which the superuser has to do: only for pages that you trust
    #[arg(long, help_heading = "Browser")]
    no_sandbox: bool,

    /// Seconds allowed for a page
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = "Browser")]
    render_time: u64,

    /// MiB of memory allowed for the browser
    #[arg(long, value_name = "MIB", default_value_t = 1536, value_parser = clap::value_parser!(u64).range(256..), help_heading = "Browser")]
    render_memory: u64,

    /// Maximum elements of a page
    #[arg(long, value_name = "N", default_value_t = 50_000, help_heading = "Browser")]
    render_elements: usize,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Render>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Render {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::NamedFiles,
        Group::Addresses,
        Group::Output,
        Group::Parsing,
        Group::Running,
    ];
    // Pages are processed by the browser, which runs in processes of its own.
    const EXCEPT: &'static [&'static str] = &["in-process"];
}

impl Render {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let out = self.out.path();
        let work = Work::on_files(self.run);
        let mut job = work.job(&inputs, &self.settings.given);
        job.url = self.page.url.as_deref();
        let tell = &mut |row: &_| work.reject(row);
        let (done, taken) = work.done(render::render(&job, &self.style(), out, &mut io::stdout(), tell))?;
        if !self.run.quiet {
            outcome::rows(&done, "pages", "layouts written", self.run.verbose, &work.spent());
            if !log::is_json() {
                tell_browser(&taken);
            }
        }
        Ok(done.exit_code())
    }

    /// Returns the assets and the settings of the browser.
    fn style(&self) -> Style {
        Style {
            assets: self.assets.clone(),
            browser: browser::Settings {
                program: self.browser.clone(),
                scripts: self.scripts,
                no_sandbox: self.no_sandbox,
                network: None,
                limits: Limits {
                    time: Duration::from_secs(self.render_time),
                    memory: self.render_memory << 20,
                    elements: self.render_elements,
                    ..Limits::default()
                },
            },
        }
    }
}

/// Reports the browsers that were started, their memory and their network.
fn tell_browser(taken: &Taken) {
    let network = match taken.own_network {
        true => "a network of its own",
        false => "the network of the machine, to which it had no way",
    };
    message::line(format_args!(
        "browsers {}, {} at once, at most {} MiB each, with {network}",
        taken.browsers,
        taken.at_once,
        taken.memory >> 20
    ));
}
