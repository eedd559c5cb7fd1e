//! `dehusk site learn`

use std::path::{Path, PathBuf};

use clap::Args;
use dehusk_pipeline::extract::site::Doubt;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::settings::{LearnExtractor, SettingValue};
use dehusk_pipeline::verbs::site::LearnReport;
use dehusk_pipeline::{Error, Job, extract, printable, verbs};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::names::{value_of, with_names};
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::message::{self, counted, print};
use crate::page_process;
use crate::work::Work;

/// Learns templates from pages
///
/// Pages of a host are grouped by their layout, and copies are left out. A layout of at least 2 pages becomes a template, named
/// after the common part of the addresses of its pages; at most 50 pages of it are used. Templates that are in the folder already
/// are extended.
///
/// For each template, `sure` is the share of leave-out samples of its pages that choose the same parts. A template with less than
/// 0.1 is written but not applied if the extractor of single pages is sure of its own text, which then decides.
///
/// Pages of a folder need no addresses of their own: they are taken from mirrors of wget and HTTrack and from canonical links,
/// and `--base` is for all others.
///
/// Extractors other than `site` keep nothing for later pages: they write the main texts of the pages to `documents.jsonl` in the
/// folder.
#[derive(Args, Debug)]
pub(super) struct Learn {
    #[command(flatten)]
    input: InputFlags,

    /// Folder for the templates, a file each
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// Extractor
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]", default_value = "site", hide_possible_values = true,
          help = with_names("Extractor that looks at the pages of a site at once, or one of single pages, whose answers `site` starts \
                             from in the place of those of `default`", &LearnExtractor::names()),
          value_parser = value_of::<LearnExtractor>())]
    extractor: LearnExtractor,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Learn>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Learn {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::NamedFiles,
        Group::Addresses,
        Group::Parsing,
        Group::Memory,
        Group::Running,
    ];
}

impl Learn {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let mut settings = self.settings.given.clone();
        let by_site = match &self.extractor {
            LearnExtractor::Site(name) => Some(
                name.extractor()
                    .map_err(|wrong| Error::value("extractor", wrong))?,
            ),
            LearnExtractor::Page(name) => {
                settings.extractor = Some(name.clone());
                None
            }
        };
        // Extractors other than `site` keep nothing for later pages.
        let by_site = by_site.filter(|extractor| extractor.name() != extract::site::NAME);
        let work = Work::on_files(self.run);
        let job = Job {
            url: self.page.url.as_deref(),
            ..work.job_on_pages(&inputs, &settings)
        };
        if page_process::work().is_some() {
            return match by_site {
                None => verbs::site::serve_learn(&job),
                Some(_) => verbs::site::serve_texts(&job),
            }
            .map(|()| 0);
        }
        let tell = &mut |row: &_| work.reject(row);
        let learnt = work.done(match &by_site {
            None => verbs::site::learn(&job, &self.out, tell),
            Some(extractor) => verbs::site::texts(&job, &**extractor, &self.out, tell),
        })?;
        // Rows of data first, separated by tabs; the counts follow on standard error.
        for layout in &learnt.layouts {
            let mut text = format!(
                "{}\t{}\tlayout {}\t{} pages added, {} in all",
                printable(&layout.path.display().to_string()),
                printable(&layout.site),
                layout.layout,
                layout.added,
                layout.pages
            );
            text.extend(layout.sure.map(|sure| format!("\tsure {sure:.2}")));
            text.push('\n');
            print(text.as_bytes())?;
            if let Some(doubt) = layout.doubt.filter(|_| !self.run.quiet) {
                message::warning("unsure-template", &in_doubt(&layout.path, doubt));
            }
        }
        let left_out = &learnt.left_out;
        let figures = vec![
            ("written", learnt.layouts.len().into()),
            ("copies", left_out.copies.into()),
            ("alone", left_out.alone.into()),
            ("beyond", left_out.beyond.into()),
            ("without_address", learnt.without_address.into()),
            ("rejected", learnt.rejected.into()),
        ];
        let told = (learnt.read, &work.rejected());
        let code = work.conclude("site learn", &settings, told, figures, || {
            let written = match &by_site {
                None => "templates",
                Some(_) => "groups of texts",
            };
            message::line(format_args!(
                "{} read, {} {written} written; left out: {} copies, {} that alone have their layout, {} beyond 50 of a layout, \
                 {} without an address, {} rejected",
                counted(learnt.read, "pages"),
                learnt.layouts.len(),
                left_out.copies,
                left_out.alone,
                left_out.beyond,
                learnt.without_address,
                learnt.rejected
            ));
        });
        if !self.run.quiet && learnt.layouts.is_empty() && learnt.read > 0 {
            message::warning("nothing-learnt", &why_nothing(&learnt));
        }
        Ok(code)
    }
}

/// Returns that a template is not applied, with the reason and the remedy.
fn in_doubt(path: &Path, doubt: Doubt) -> String {
    format!(
        "{} is not applied, since {doubt}: learn from more pages of the layout, or look at its parts (`dehusk site show`) and remove `unsure` from the file",
        printable(&path.display().to_string())
    )
}

/// Returns the reasons why pages were read and nothing was learnt, each with its remedy.
fn why_nothing(learnt: &LearnReport) -> String {
    let reasons = [
        (
            learnt.without_address,
            "no address",
            "give that of their folder with `--base URL`, or name folders by their hosts, as mirroring tools do",
        ),
        (
            learnt.left_out.alone,
            "too few others of the same layout in their part of a site",
            "read more pages of the site, or give `--base` if they lie in one folder",
        ),
        (
            learnt.left_out.copies,
            "the main text of another page",
            "leave copies out, and read others",
        ),
        (
            learnt.rejected,
            "content that cannot be used",
            "messages above tell why",
        ),
    ];
    // Only reasons that occurred are named.
    let told = reasons.iter().filter(|(count, ..)| *count > 0);
    let told: Vec<String> = told
        .map(|(count, what, remedy)| {
            let verb = if *count == 1 { "has" } else { "have" };
            format!("{} {verb} {what}: {remedy}", counted(*count, "pages"))
        })
        .collect();
    format!("nothing was learnt; {}", told.join("; "))
}
