//! `dehusk site check`

use clap::Args;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::site::{self, Store};
use dehusk_pipeline::{Error, Job, printable, verbs};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::message::print;
use crate::page_process;
use crate::work::Work;

/// Checks whether templates and rules still fit the pages of their sites
///
/// Prints a line for each part of a site and for each rule that selects main text: pages, pages on which it fires, share of the
/// words that a template knows, length of the main text and its usual length. Warns if it fires on fewer than 80 % of the pages,
/// or if the length has changed by more than a factor of 3, or if a template is not applied since its choice of parts is unsure.
/// Pages whose layout no other page has do not count: nothing would be learnt from them.
#[derive(Args, Debug)]
pub(super) struct Check {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Check>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Check {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::NamedFiles,
        Group::Addresses,
        Group::Extractor,
        Group::Parsing,
        Group::Sites,
        Group::Running,
    ];
}

impl Check {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let (inputs, settings) = (self.input.names()?, &self.settings.given);
        if settings.templates.is_none() && settings.rules.is_none() {
            return Err(Error::usage("nothing to check is named")
                .with_help("name a folder of templates with --templates, or of rules with --rules"));
        }
        let work = Work::on_files(self.run);
        let job = Job {
            url: self.page.url.as_deref(),
            ..work.job_on_pages(&inputs, settings)
        };
        if let Some(work) = page_process::work() {
            return serve(&job, &work).map(|()| 0);
        }
        let tell = &mut |row: &_| work.reject(row);
        let mut all = Vec::new();
        if let Some(folder) = &settings.templates {
            let store = Store::open(folder)?;
            all.push(work.done(verbs::site::check(&job, &store, tell))?);
        }
        if let Some(folder) = &settings.rules {
            let rules = site::rules(folder)?;
            #[cfg(feature = "rules")]
            all.push(work.done(verbs::site::check_rules(&job, &rules, tell))?);
            #[cfg(not(feature = "rules"))]
            match rules {}
        }
        // Fields are separated by tabs, for programs that cut columns.
        for site in all.iter().flat_map(|checked| &checked.health) {
            let mut text = format!(
                "{}\t{} pages\tfires on {}",
                printable(&site.site),
                site.pages,
                site.fires
            );
            text.extend(site.coverage.map(|share| format!("\tcoverage {share:.2}")));
            if site.alone > 0 {
                text += &format!("\t{} alone in their layout", site.alone);
            }
            text += &format!("\tmedian {} words", site.median);
            text.extend(site.usual.map(|words| format!("\t{words:.0} usual")));
            text.push('\n');
            print(text.as_bytes())?;
            for warning in &site.warnings {
                print(format!("  warning: {}\n", printable(warning)).as_bytes())?;
            }
        }
        let read = all.iter().map(|checked| checked.read).sum();
        let parts = all.iter().map(|checked| checked.health.len()).sum::<usize>();
        let told = (read, &work.rejected());
        Ok(work.conclude("site check", settings, told, vec![("parts", parts.into())], || ()))
    }
}

/// Serves one of the checks as a page process, on the pages that another process sends.
fn serve(job: &Job<'_>, work: &str) -> Result<(), Error> {
    // The work's name says which of the two checks this process serves.
    #[cfg(feature = "rules")]
    if verbs::site::is_check_rules(work)
        && let Some(folder) = &job.settings.rules
    {
        return verbs::site::serve_check_rules(job, &site::rules(folder)?);
    }
    #[cfg(not(feature = "rules"))]
    let _ = work;
    verbs::site::serve_check(job)
}
