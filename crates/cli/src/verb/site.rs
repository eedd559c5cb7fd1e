//! `dehusk site`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dehusk_pipeline::extract::site::methods;
use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::site::{self, Store};
use dehusk_pipeline::{Cancel, Error, Job, Settings, verbs};

use super::print;
use crate::flags::{ExtractFlags, InputFlags, RunFlags, help};
use crate::message;
use crate::work::Work;

/// Learns what pages of a site have in common, and shows and watches what was learnt
///
/// A template says which parts of a site's pages hold main text and what is to be cut out of them. `dehusk extract
/// --templates DIR` uses it.
#[derive(Args, Debug)]
pub(crate) struct Site {
    #[command(subcommand)]
    verb: SiteVerb,
}

#[derive(Subcommand, Debug)]
enum SiteVerb {
    Learn(Learn),
    Show(Show),
    Export(Export),
    Diff(Diff),
    Check(Check),
}

/// Learns templates from pages
///
/// Pages are grouped by the folder of their address, copies are left out, and layouts are parted. A group of at least 3
/// pages becomes a template; at most 50 pages of a group are looked at. Templates that are in the folder already grow.
///
/// Other learners than `site` keep nothing for later pages: they write the main texts of the pages to `documents.jsonl` in the
/// folder.
#[derive(Args, Debug)]
struct Learn {
    #[command(flatten)]
    input: InputFlags,

    /// Folder for the templates, a file each.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// Method that looks at the pages of a site at once; `dehusk methods` lists its parameters.
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]", default_value = "site",
          help = help("Method that looks at the pages of a site at once", "site methods"))]
    learner: String,

    #[command(flatten)]
    extract: ExtractFlags,

    #[command(flatten)]
    run: RunFlags,
}

/// Shows templates: containers, cuts with their reasons, what repeats
#[derive(Args, Debug)]
struct Show {
    /// Files of templates, or folders of such files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Writes templates in another form
///
/// `rules` are rules by hand, for `dehusk extract --rules`: what is main text and what is taken out of it, as selectors that
/// a person may edit. A file for each part of a site.
#[derive(Args, Debug)]
struct Export {
    /// Folder of templates, or a single one.
    #[arg(value_name = "PATH")]
    templates: PathBuf,

    /// What templates are written as.
    #[arg(long, value_name = "FORM", default_value = "rules", value_parser = ["rules"])]
    format: String,

    /// Folder to write to; files of the same names are replaced.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Shows what differs between two templates
///
/// A line for each part: `-` those only the first template knows, `+` those only the second knows, `!` those about which they decide
/// differently, with the share of pages that have the part and its words. Parts in it that follow are counted. Nothing is
/// written if they say the same.
#[derive(Args, Debug)]
struct Diff {
    /// First template.
    #[arg(value_name = "FILE")]
    a: PathBuf,

    /// Second template.
    #[arg(value_name = "FILE")]
    b: PathBuf,
}

/// Tells whether templates and rules still fit the pages of their sites
///
/// A line for each part of a site and for each rule that says what is main text: pages, pages on which it fires, share of the
/// words that a template knows, length of the main text and what is usual. Warns if it fires on fewer than 80 % of the pages, or
/// if the length has changed by more than a factor of 3.
#[derive(Args, Debug)]
struct Check {
    #[command(flatten)]
    input: InputFlags,

    /// Folder of templates.
    #[arg(long, value_name = "DIR", required_unless_present = "rules")]
    templates: Option<PathBuf>,

    /// Folder of rules by hand.
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,

    #[command(flatten)]
    extract: ExtractFlags,

    #[command(flatten)]
    run: RunFlags,
}

impl Site {
    pub(super) fn run(&self) -> Result<u8, Error> {
        match &self.verb {
            SiteVerb::Learn(verb) => verb.run(),
            SiteVerb::Show(verb) => verb.run(),
            SiteVerb::Export(verb) => verb.run(),
            SiteVerb::Diff(verb) => verb.run(),
            SiteVerb::Check(verb) => verb.run(),
        }
    }
}

/// Does something with pages, and tells of records that could not be used.
fn with_pages<T>(
    (input, extract, run): (&InputFlags, &ExtractFlags, &RunFlags),
    work: impl FnOnce(&Job<'_>, &mut dyn FnMut(&Rejected)) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut settings = Settings::default();
    input.set(&mut settings);
    extract.set(&mut settings);
    run.set(&mut settings);
    let shared = Work::on_files(run);
    let job = Job {
        url: extract.url.as_deref(),
        ..shared.job(&input.inputs, &settings)
    };
    shared.done(work(&job, &mut |row| shared.reject(row)))
}

impl Learn {
    fn run(&self) -> Result<u8, Error> {
        let flags = (&self.input, &self.extract, &self.run);
        let learner = methods::find(&self.learner).ok_or_else(|| {
            let known: Vec<&str> = methods::ALL.iter().map(|method| method.name()).collect();
            Error::value(
                "learner",
                format!("unknown method `{}`; known: {}", self.learner, known.join(", ")),
            )
        })?;
        let learner = learner.map_err(|e| Error::value("learner", e))?;
        let keeps = learner.name() == dehusk_pipeline::extract::site::NAME;
        let learnt = with_pages(flags, |job, tell| match keeps {
            true => verbs::site::learn(job, &self.out, tell),
            false => verbs::site::texts(job, &*learner, &self.out, tell),
        })?;
        for (path, site, layout, added, pages) in &learnt.files {
            let text = format!(
                "{}\t{site}\tlayout {layout}\t{added} pages added, {pages} in all\n",
                path.display()
            );
            print(text.as_bytes())?;
        }
        if !self.run.quiet {
            let grouped = &learnt.grouped;
            message::line(format_args!(
                "{} pages read, {} {} written; left out: {} copies, {} of groups with fewer than 3 pages, {} beyond 50 of \
                 a group, {} without an address, {} rejected",
                learnt.read,
                learnt.files.len(),
                if keeps { "templates" } else { "groups of texts" },
                grouped.copies,
                grouped.alone,
                grouped.beyond,
                learnt.homeless,
                learnt.rejected
            ));
        }
        Ok(0)
    }
}

impl Show {
    fn run(&self) -> Result<u8, Error> {
        let mut between = "";
        for path in &self.paths {
            for template in site::read_all(path)? {
                print(format!("{between}{}", site::show(&template)).as_bytes())?;
                between = "\n";
            }
        }
        Ok(0)
    }
}

impl Export {
    fn run(&self) -> Result<u8, Error> {
        let cancel = Cancel::new();
        crate::signals::watch(&cancel);
        for (path, rules) in site::export(&self.templates, &self.out, &cancel)? {
            print(format!("{}\t{rules} {}\n", path.display(), self.format).as_bytes())?;
        }
        Ok(0)
    }
}

impl Diff {
    fn run(&self) -> Result<u8, Error> {
        print(site::diff(&site::read(&self.a)?, &site::read(&self.b)?).as_bytes())
    }
}

impl Check {
    fn run(&self) -> Result<u8, Error> {
        let flags = (&self.input, &self.extract, &self.run);
        let mut health = Vec::new();
        if let Some(folder) = &self.templates {
            let store = Store::open(folder)?;
            health.extend(with_pages(flags, |job, tell| {
                verbs::site::check(job, &store, tell)
            })?);
        }
        if let Some(folder) = &self.rules {
            let rules = site::rules(folder)?;
            health.extend(with_pages(flags, |job, tell| {
                verbs::site::check_rules(job, &rules, tell)
            })?);
        }
        for site in &health {
            let mut text = format!("{}\t{} pages\tfires on {}", site.site, site.pages, site.fires);
            text.extend(site.coverage.map(|share| format!("\tcoverage {share:.2}")));
            text += &format!("\tmedian {} words", site.median);
            text.extend(site.usual.map(|words| format!("\t{words:.0} usual")));
            text.push('\n');
            print(text.as_bytes())?;
            for warning in &site.warnings {
                print(format!("  warning: {warning}\n").as_bytes())?;
            }
        }
        Ok(0)
    }
}
