//! `dehusk site learn`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::settings::{ExtractorName, SettingValue, SiteExtractorName};
use dehusk_pipeline::{Error, Job, extract, verbs};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::names::{value_of, with_names};
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::message::{self, print};
use crate::work::Work;

/// Learns templates from pages
///
/// Pages are grouped by the folder of their address, copies are left out, and layouts are parted. A group of at least 3
/// pages becomes a template; at most 50 pages of a group are looked at. Templates that are in the folder already grow.
///
/// Other extractors than `site` keep nothing for later pages: they write the main texts of the pages to `documents.jsonl` in the
/// folder.
#[derive(Args, Debug)]
pub(super) struct Learn {
    #[command(flatten)]
    input: InputFlags,

    /// Folder for the templates, a file each
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// Site extractor
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]", default_value = "site", hide_possible_values = true,
          help = with_names("Extractor that looks at the pages of a site at once", &SiteExtractorName::names()),
          value_parser = value_of::<SiteExtractorName>())]
    extractor: SiteExtractorName,

    /// Page extractor
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]", hide_possible_values = true, help_heading = "Extraction",
          help = with_names("Extractor whose answer for each single page `site` starts from [default: default]", &ExtractorName::names()),
          value_parser = value_of::<ExtractorName>())]
    page_extractor: Option<ExtractorName>,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Learn>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Learn {
    const GROUPS: &'static [Group] = &[Group::Input, Group::Parsing, Group::Running];
}

impl Learn {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let mut settings = self.settings.given.clone();
        settings.extractor.clone_from(&self.page_extractor);
        let extractor = self
            .extractor
            .extractor()
            .map_err(|wrong| Error::value("extractor", wrong))?;
        let keeps = extractor.name() == extract::site::NAME;
        let work = Work::on_files(self.run);
        let job = Job {
            url: self.page.url.as_deref(),
            ..work.job(&inputs, &settings)
        };
        let tell = &mut |row: &_| work.reject(row);
        let learnt = work.done(match keeps {
            true => verbs::site::learn(&job, &self.out, tell),
            false => verbs::site::texts(&job, &*extractor, &self.out, tell),
        })?;
        for layout in &learnt.layouts {
            let text = format!(
                "{}\t{}\tlayout {}\t{} pages added, {} in all\n",
                layout.path.display(),
                layout.site,
                layout.layout,
                layout.added,
                layout.pages
            );
            print(text.as_bytes())?;
        }
        if !self.run.quiet {
            let left_out = &learnt.left_out;
            message::line(format_args!(
                "{} pages read, {} {} written; left out: {} copies, {} of groups with fewer than 3 pages, {} beyond 50 of \
                 a group, {} without an address, {} rejected",
                learnt.read,
                learnt.layouts.len(),
                if keeps { "templates" } else { "groups of texts" },
                left_out.copies,
                left_out.alone,
                left_out.beyond,
                learnt.without_address,
                learnt.rejected
            ));
        }
        Ok(work.exit_code(&settings, learnt.read))
    }
}
