//! Flags that several verbs share. Each group fills in its part of the [`Settings`].

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use dehusk_pipeline::dedup::candidates::Candidates;
use dehusk_pipeline::dedup::cluster::Clustering;
use dehusk_pipeline::dedup::keep::Keeper;
use dehusk_pipeline::dedup::sign::Method;
use dehusk_pipeline::dedup::verify::Similarity;
use dehusk_pipeline::settings::{
    Bytes, Chosen, ExtractorName, FormatName, MaxBad, Memory, ParserName, Policy, ProfileName, ShinglingUnit,
    ShortPolicy, TermForm, Threads, Threshold, Width,
};
use dehusk_pipeline::{Settings, tables};

/// Names of a table, for help texts and completions.
fn names(table: &str) -> Vec<&'static str> {
    let tables = tables();
    let entries = tables
        .into_iter()
        .find(|known| known.name == table)
        .map(|known| known.entries);
    entries
        .unwrap_or_default()
        .into_iter()
        .map(|entry| entry.name)
        .collect()
}

/// A help text that ends with the names of a table.
pub(crate) fn help(text: &str, table: &str) -> String {
    format!("{text}: {}", names(table).join(", "))
}

/// A help text that ends with the parsers of this build.
fn parsers() -> String {
    let names = ParserName::names().join(", ");
    format!("Parser of pages; all give the same tree [default: whatwg]: {names}")
}

/// Reads one of the names of a table.
pub(crate) fn one_of<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names.into_iter().collect::<Vec<_>>()).try_map(|name| name.parse::<T>())
}

/// Reads a name of a table, behind which parameters may stand; completions offer the names.
fn named<T>(table: &'static str) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    Named(
        table,
        StringValueParser::new().try_map(|text: String| text.parse::<T>()),
    )
}

/// A parser of values, and the table whose names it knows.
#[derive(Clone)]
struct Named<P>(&'static str, P);

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.1.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names(self.0).into_iter().map(PossibleValue::new)))
    }
}

/// What is read.
#[derive(Args, Clone, Debug)]
pub(crate) struct InputFlags {
    /// Files and folders; `-` is standard input.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,

    /// Format of the inputs; by their extensions unless given.
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<FormatName>(names("formats")))]
    input: Option<FormatName>,
}

/// How pages are extracted.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Extraction")]
pub(crate) struct ExtractFlags {
    /// Extractor.
    #[arg(long, visible_alias = "extractor", value_name = "NAME[:PARAMETER=VALUE,...]",
          hide_possible_values = true, help = help("Extractor [default: default]", "extractors"),
          value_parser = named::<ExtractorName>("extractors"))]
    method: Option<ExtractorName>,

    /// Parser of pages.
    #[arg(long, value_name = "NAME", help = parsers())]
    parser: Option<ParserName>,

    /// Adds a field `markdown` to each document.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    markdown: Option<bool>,

    /// Adds a field `html` to each document: the main text as HTML of structure, links and images alone.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    html: Option<bool>,

    /// Adds a field `content` to each document: paragraphs, headings, lists, tables, code, quotes, formulas and images.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    content: Option<bool>,

    /// Adds a field `tables` to each document: the data tables of its main content.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    tables: Option<bool>,

    /// Leaves data tables out of the main text.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    no_tables: Option<bool>,

    /// Adds a field `comments` to each document: what readers wrote, with author and date. The text has comments only where
    /// they are what the page is about, as in a thread of a forum.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    comments: Option<bool>,

    /// Leaves readers' comments and replies out of the text of every page, forums included.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    no_comments: Option<bool>,

    /// Asks only the first trees of `default`: faster, and a little worse.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    fast: Option<bool>,

    /// Drops what `default` doubts: less husk, and some text missing.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    precision: Option<bool>,

    /// Keeps what `default` doubts: little text missing, and more husk.
    #[arg(long, conflicts_with = "precision", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    recall: Option<bool>,

    /// Writes the targets of links into Markdown; HTML always has them.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    links: Option<bool>,

    /// Writes images into Markdown; HTML and content always have them.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    images: Option<bool>,

    /// Adds a field `blocks` to each document: every block of the page, kept or dropped, with the reason.
    #[arg(long, visible_alias = "explain", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    blocks: Option<bool>,

    /// Address of a page that brings none.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Bytes of a page that are read, up to 1GiB; the rest is cut off [default: 64MiB]
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<Bytes>,

    /// Open elements of a page, 16 or more; deeper ones become siblings [default: 512]
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,

    /// Time for a page; what is parsed by then is used [default: 2000, and 1000 more for each megabyte]
    #[arg(long, value_name = "MS")]
    timeout_ms: Option<u64>,
}

/// What is known of sites.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Sites")]
pub(crate) struct SiteFlags {
    /// Folder of templates that `dehusk site learn` made: pages of their sites are extracted by them.
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,

    /// Folder of rules by hand, `.toml` files: pages of their hosts are extracted by them, before all else.
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
}

impl SiteFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.templates.clone_from(&self.templates);
        settings.rules.clone_from(&self.rules);
    }
}

/// What of a document is compared.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
struct UnitFlags {
    /// Words in a shingle; wide shingles change with more of their surroundings [default: 4]
    #[arg(long, value_name = "N")]
    shingle: Option<Width>,

    /// What a shingle is a run of [default: word]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<ShinglingUnit>(ShinglingUnit::WORDS.iter().copied()))]
    unit: Option<ShinglingUnit>,

    /// Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
    /// normalized already [default: near]
    #[arg(long, value_name = "NAME", value_parser = one_of::<ProfileName>(names("profiles")))]
    profile: Option<ProfileName>,
}

impl UnitFlags {
    fn set(&self, settings: &mut Settings) {
        settings.shingle = self.shingle;
        settings.unit = self.unit;
        settings.profile = self.profile;
    }
}

/// What is signed of a document.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct ShingleFlags {
    #[command(flatten)]
    units: UnitFlags,

    /// What lexical methods read: words as they are, or Russian and English stems without stop words [default: stemmed
    /// for the signatures that pick words, else plain]
    #[arg(long, value_name = "FORM", value_parser = one_of::<TermForm>(TermForm::WORDS.iter().copied()))]
    terms: Option<TermForm>,

    /// Statistics of a collection, as `--save-stats` wrote them, for the methods that need them [default: counted in a
    /// pass over the documents]
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,

    /// Seed of the hash functions; signatures of different seeds do not compare [default: 42]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// What of a document is compared, for verbs that compare methods.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct TextFlags {
    #[command(flatten)]
    units: UnitFlags,

    /// Seed of samples and of the bootstrap [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl TextFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        self.units.set(settings);
        settings.seed = self.seed;
    }
}

/// What is there already.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct AgainstFlag {
    /// Index of documents that are there already, as `dehusk index` makes it: their duplicates go, and matches.jsonl names
    /// which of which. Settings are those of the index.
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,
}

impl AgainstFlag {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.against.clone_from(&self.against);
    }
}

/// Where counted statistics go.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct SaveStatsFlag {
    /// Saves the statistics of the documents, so that later ones can be signed alike with `--stats`.
    #[arg(long, value_name = "FILE", conflicts_with = "stats")]
    save_stats: Option<PathBuf>,
}

/// Which documents are alike.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct SimilarFlags {
    /// Smallest similarity of duplicates, above 0 and up to 1 [default: 0.8]
    #[arg(long, value_name = "SHARE")]
    threshold: Option<Threshold>,

    /// Candidate method.
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]",
          help = help("Candidate method [default: what suits the signatures]", "candidates"), hide_possible_values = true,
          value_parser = named::<Chosen<dyn Candidates>>("candidates"))]
    candidates: Option<Chosen<dyn Candidates>>,

    /// Similarity.
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]",
          help = help("Similarity that verifies candidates [default: jaccard]", "similarities"), hide_possible_values = true,
          value_parser = named::<Chosen<dyn Similarity>>("similarities"))]
    similarity: Option<Chosen<dyn Similarity>>,

    /// Words below which a document is short [default: 20]
    #[arg(long, value_name = "N")]
    min_tokens: Option<u32>,

    /// How short documents are compared: with identical ones only, or like all others [default: exact]
    #[arg(long, value_name = "HOW", value_parser = one_of::<ShortPolicy>(ShortPolicy::WORDS.iter().copied()))]
    short: Option<ShortPolicy>,
}

impl SimilarFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.threshold = self.threshold;
        settings.candidates.clone_from(&self.candidates);
        settings.similarity.clone_from(&self.similarity);
        settings.min_tokens = self.min_tokens;
        settings.short_docs = self.short;
    }
}

/// How duplicates are found.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct DuplicateFlags {
    #[command(flatten)]
    similar: SimilarFlags,

    #[command(flatten)]
    shingles: ShingleFlags,

    /// Clustering.
    #[arg(long, visible_alias = "clustering", value_name = "NAME[:PARAMETER=VALUE,...]",
          help = help("Clustering [default: merge-center]", "clusterings"), hide_possible_values = true,
          value_parser = named::<Chosen<dyn Clustering>>("clusterings"))]
    cluster: Option<Chosen<dyn Clustering>>,

    /// Keeper.
    #[arg(long, visible_alias = "keeper", value_name = "NAME[:PARAMETER=VALUE,...]",
          help = help("Which document of a cluster stays [default: first-seen]", "keepers"), hide_possible_values = true,
          value_parser = named::<Chosen<dyn Keeper>>("keepers"))]
    keep: Option<Chosen<dyn Keeper>>,

    /// What becomes of copies of a document that stays [default: delete]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Policy>(Policy::WORDS.iter().copied()))]
    exact: Option<Policy>,

    /// What becomes of near-duplicates of it [default: delete]
    #[arg(long, value_name = "POLICY", value_parser = one_of::<Policy>(Policy::WORDS.iter().copied()))]
    near: Option<Policy>,

    /// Writes the pairs also to pairs.tsv: two ids and their similarity, between tabs.
    #[arg(long)]
    pub(crate) tsv: bool,
}

/// The signature method, under the name it has beside an extractor.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct SignatureFlag {
    /// Signature method.
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]",
          help = help("Signature method [default: minhash]", "signatures"), hide_possible_values = true,
          value_parser = named::<Chosen<dyn Method>>("signatures"))]
    signature: Option<Chosen<dyn Method>>,
}

/// The signature method, where it is the only method.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Duplicates")]
pub(crate) struct MethodFlag {
    /// Signature method.
    #[arg(long = "method", visible_alias = "signature", value_name = "NAME[:PARAMETER=VALUE,...]",
          help = help("Signature method [default: minhash]", "signatures"), hide_possible_values = true,
          value_parser = named::<Chosen<dyn Method>>("signatures"))]
    signature: Option<Chosen<dyn Method>>,
}

/// What the search for duplicates may take.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct MemoryFlags {
    /// Memory that may be taken, such as 256MiB; what does not fit goes to temporary files or is read again. The output does
    /// not depend on it [default: no limit]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,

    /// Folder for temporary files [default: the output folder]
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
}

impl MemoryFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.memory = self.memory;
        settings.temp_dir.clone_from(&self.temp_dir);
    }
}

/// How the work is done.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunFlags {
    /// Worker threads, 1 to 1024; the output does not depend on it [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<Threads>,

    /// Rejected records above which the exit code is 3: a number, or a share such as 5% [default: 1%, none cut off]
    #[arg(long, value_name = "N|N%")]
    max_bad: Option<MaxBad>,

    /// Says nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Says more.
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl InputFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.input_format = self.input;
    }
}

impl ExtractFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.extractor.clone_from(&self.method);
        settings.parser = self.parser;
        settings.markdown = self.markdown;
        settings.html = self.html;
        settings.content = self.content;
        settings.tables = self.tables;
        settings.no_tables = self.no_tables;
        settings.comments = self.comments;
        settings.no_comments = self.no_comments;
        settings.fast = self.fast;
        settings.precision = self.precision;
        settings.recall = self.recall;
        settings.links = self.links;
        settings.images = self.images;
        settings.blocks = self.blocks;
        settings.max_bytes = self.max_bytes;
        settings.max_depth = self.max_depth;
        settings.timeout_ms = self.timeout_ms;
    }
}

impl ShingleFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        self.units.set(settings);
        settings.terms = self.terms;
        settings.stats.clone_from(&self.stats);
        settings.seed = self.seed;
    }
}

impl SaveStatsFlag {
    pub(crate) fn is_set(&self) -> bool {
        self.save_stats.is_some()
    }

    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.save_stats.clone_from(&self.save_stats);
    }
}

impl DuplicateFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        self.similar.set(settings);
        self.shingles.set(settings);
        settings.cluster.clone_from(&self.cluster);
        settings.keep.clone_from(&self.keep);
        settings.on_exact = self.exact;
        settings.on_near = self.near;
    }
}

impl SignatureFlag {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.signature.clone_from(&self.signature);
    }
}

impl MethodFlag {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.signature.clone_from(&self.signature);
    }
}

impl RunFlags {
    pub(crate) fn set(&self, settings: &mut Settings) {
        settings.threads = self.threads;
        settings.max_bad = self.max_bad;
    }
}
