//! `dehusk generate`

use clap::{Args, Subcommand};
use dehusk_lab::generate::{self, Archives, Mutations, Parts, Passages, Pool, Records, Romip, Stars};
use dehusk_pipeline::{Cancel, Error};

use crate::flags::out::OutFolder;
use crate::flags::running::QuietFlag;
use crate::{message, reading, signals};

/// Makes sets of documents whose duplicates are known
///
/// Writes to the folder DIR: corpus.jsonl or pages.xml, truth.jsonl, and generated.json (the options of the set). Inputs, options
/// and seed decide every byte.
#[derive(Args, Debug)]
pub(crate) struct Generate {
    #[command(subcommand)]
    verb: GenerateVerb,
}

#[derive(Subcommand, Debug)]
enum GenerateVerb {
    Mutations(MutationFlags),
    Records(RecordFlags),
    Romip(RomipFlags),
    Parts(PartFlags),
    Stars(StarFlags),
    Passages(PassageFlags),
    Archives(ArchiveFlags),
}

/// Output folder and seed of the set.
#[derive(Args, Debug)]
struct SetFlags {
    #[command(flatten)]
    folder: OutFolder,

    /// Seed of all choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    run: QuietFlag,
}

/// Makes documents and edited copies of them
///
/// Copies are equal, or have words exchanged, typing errors, other punctuation, sentences moved or dropped, or lines of pages
/// around them, at rates from 1 to 40 %.
#[derive(Args, Debug)]
struct MutationFlags {
    /// Files and folders of running text (.txt, .md, .rst) of one language each; documents of all of them alternate.
    #[arg(required = true, value_name = "TEXTS")]
    texts: Vec<String>,

    /// Number of documents.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    documents: usize,

    /// Share of texts that have copies, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    copied: f64,

    /// Copies differ from their texts in spelling alone: each is typed after a habit of the writers of its language, such as without vowel signs,
    /// with other apostrophes or digits, in capitals. Texts are in ar, de, fa, fr, he, hi, ro, th, tr, uk, uz or vi.
    #[arg(long)]
    variants: bool,

    #[command(flatten)]
    set: SetFlags,
}

/// Makes records of names with errors
///
/// The classes are those of Hassanzadeh et al. (2009): HE, ME and LE for high, medium and low error, AB for abbreviations, TS for
/// exchanged words, EDL, EDM and EDH for low, medium and high rates of typing errors.
#[derive(Args, Debug)]
struct RecordFlags {
    /// Files of names: a name a line, or .csv whose last column has them.
    #[arg(required = true, value_name = "NAMES")]
    names: Vec<String>,

    /// Class of errors.
    #[arg(long, value_name = "CLASS", default_value = "HE")]
    class: String,

    /// Number of records.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    records: usize,

    /// Number of names that the records are made from.
    #[arg(long, value_name = "N", default_value_t = 500)]
    clusters: usize,

    #[command(flatten)]
    set: SetFlags,
}

/// Makes a small web in ROMIP XML
///
/// Sites with boilerplate of their own, mirrors, print versions, archives, reprints, and other texts on the same story. The truth
/// has three degrees: exact, group (near-duplicates) and story.
#[derive(Args, Debug)]
struct RomipFlags {
    /// Files and folders of running text (.txt, .md, .rst) of one language each; every site has texts of one of them.
    #[arg(required = true, value_name = "TEXTS")]
    texts: Vec<String>,

    /// Number of pages; the set may have a few more.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pages: usize,

    /// Number of sites, without mirrors.
    #[arg(long, value_name = "N", default_value_t = 12)]
    sites: usize,

    #[command(flatten)]
    set: SetFlags,
}

/// Makes documents that are similar to each other by different parts
///
/// Hard to compare: any two documents share most of their parts, but few documents share the same ones. Parts are five words
/// long, and a part that is replaced becomes one of three others. All documents are in one group of the truth, though not all are
/// similar.
#[derive(Args, Debug)]
struct PartFlags {
    /// Number of documents.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    documents: usize,

    /// Parts of a document.
    #[arg(long, value_name = "N", default_value_t = 40)]
    parts: usize,

    /// Number of times that a part of each document is replaced; the same part may be drawn again.
    #[arg(long, value_name = "N", default_value_t = 4)]
    replaced: usize,

    #[command(flatten)]
    set: SetFlags,
}

/// Makes texts of many copies each that are all similar
///
/// Hard to list: the pairs of duplicates grow with the square of the number of documents.
#[derive(Args, Debug)]
struct StarFlags {
    /// Number of different texts.
    #[arg(long, value_name = "N", default_value_t = 50)]
    stars: usize,

    /// Number of equal documents of each text.
    #[arg(long, value_name = "N", default_value_t = 160)]
    copies: usize,

    #[command(flatten)]
    set: SetFlags,
}

/// Makes documents with planted passages
///
/// Runs of 5 to 200 words stand in several documents of words that occur once; in half of the runs, copies have a word changed.
/// planted.jsonl has the place of every part of a run that is unchanged: what `dehusk passages` is to find.
#[derive(Args, Debug)]
struct PassageFlags {
    /// Number of documents.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    documents: usize,

    /// Number of different runs.
    #[arg(long, value_name = "N", default_value_t = 240)]
    runs: usize,

    /// Number of documents that a run is planted in.
    #[arg(long, value_name = "N", default_value_t = 4)]
    copies: usize,

    #[command(flatten)]
    set: SetFlags,
}

/// Makes small archives of pages in the manner of the programs that wrote them
///
/// WARC from 0.17 to 1.1, WET, ARC, WACZ and MHTML with the compressions, codings, digests and flaws of crawlers and browsers.
/// archives.jsonl has the addresses of the pages of each file: what `dehusk extract` is to find.
#[derive(Args, Debug)]
struct ArchiveFlags {
    /// Number of pages in each archive.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pages: usize,

    #[command(flatten)]
    set: SetFlags,
}

impl Generate {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a share from 0 to 1 was checked, and has at most a million millionths"
    )]
    pub(crate) fn run(&self) -> Result<u8, Error> {
        // A set is written in a temporary place, which is removed when a signal ends the program.
        let cancel = reading::cancel();
        signals::watch(Some(&cancel), None);
        let (count, what, set) = match &self.verb {
            GenerateVerb::Mutations(flags) => {
                if !(0.0..=1.0).contains(&flags.copied) {
                    return Err(Error::value("copied", "a share from 0 to 1 is wanted"));
                }
                let mut options = Mutations::default();
                options.documents = flags.documents;
                // In millionths.
                options.copied = (flags.copied * 1e6).round() as u32;
                options.variants = flags.variants;
                options.seed = flags.set.seed;
                let count = generate::mutations(
                    &pools(&flags.texts, &cancel)?,
                    &options,
                    &flags.set.folder.out,
                    &cancel,
                )?;
                (count, "documents", &flags.set)
            }
            GenerateVerb::Records(flags) => {
                let mut options = Records::new(&flags.class)?;
                options.records = flags.records;
                options.clusters = flags.clusters;
                options.seed = flags.set.seed;
                let count = generate::records(&flags.names, &options, &flags.set.folder.out, &cancel)?;
                (count, "records", &flags.set)
            }
            GenerateVerb::Romip(flags) => {
                let mut options = Romip::default();
                options.pages = flags.pages;
                options.sites = flags.sites;
                options.seed = flags.set.seed;
                let count = generate::romip(
                    &pools(&flags.texts, &cancel)?,
                    &options,
                    &flags.set.folder.out,
                    &cancel,
                )?;
                (count, "pages", &flags.set)
            }
            GenerateVerb::Parts(flags) => {
                let mut options = Parts::default();
                options.documents = flags.documents;
                options.parts = flags.parts;
                options.replaced = flags.replaced;
                options.seed = flags.set.seed;
                let count = generate::parts(&options, &flags.set.folder.out, &cancel)?;
                (count, "documents", &flags.set)
            }
            GenerateVerb::Stars(flags) => {
                let mut options = Stars::default();
                options.stars = flags.stars;
                options.copies = flags.copies;
                options.seed = flags.set.seed;
                let count = generate::stars(&options, &flags.set.folder.out, &cancel)?;
                (count, "documents", &flags.set)
            }
            GenerateVerb::Passages(flags) => {
                let mut options = Passages::default();
                options.documents = flags.documents;
                options.runs = flags.runs;
                options.copies = flags.copies;
                options.seed = flags.set.seed;
                let count = generate::passages(&options, &flags.set.folder.out, &cancel)?;
                (count, "documents", &flags.set)
            }
            GenerateVerb::Archives(flags) => {
                let mut options = Archives::default();
                options.pages = flags.pages;
                options.seed = flags.set.seed;
                let count = generate::archives(&options, &flags.set.folder.out, &cancel)?;
                (count, "archives", &flags.set)
            }
        };
        if !set.run.quiet {
            let out = set.folder.out.display();
            message::line(format_args!("{count} {what} written to {out}"));
        }
        Ok(0)
    }
}

/// Reads a pool of texts for each input.
fn pools(texts: &[String], cancel: &Cancel) -> Result<Vec<Pool>, Error> {
    texts
        .iter()
        .map(|text| Pool::read(std::slice::from_ref(text), cancel))
        .collect()
}
