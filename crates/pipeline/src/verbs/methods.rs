//! The tables of all strategies, in one form.

use dehusk_dedup::Strategy;
use serde::Serialize;

/// A family of strategies.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// Name of the family.
    pub name: &'static str,
    /// Flag that chooses a strategy; empty if absent.
    pub flag: &'static str,
    /// Strategies, in the order of the help text.
    pub entries: Vec<Entry>,
}

/// One strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Name as users type it.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Parameters, which follow the name: `NAME:PARAMETER=VALUE,...`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Spellings that a pass makes equal. Empty for other families.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
}

/// Spellings of one word that a pass makes equal.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// English name of the language.
    pub language: &'static str,
    /// Two or more spellings.
    pub spellings: &'static [&'static str],
}

/// One parameter of a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// Name as users type it.
    pub name: &'static str,
    /// Default value, as users type it.
    pub default: &'static str,
    /// Unit, range and effect.
    pub help: &'static str,
}

/// All tables, in the order in which the steps of a run use them.
pub fn tables() -> Vec<Table> {
    let table = |name, flag, entries| Table { name, flag, entries };
    vec![
        table(
            "formats",
            "--input-format",
            entries(crate::read::format::ALL, |f| (f.name(), f.summary())),
        ),
        table(
            "output formats",
            "--output-format",
            entries(crate::write::format::ALL, |f| (f.name(), f.summary())),
        ),
        table("extractors", "--extractor", extractors()),
        table("site extractors", "site learn --extractor", site_extractors()),
        table(
            "profiles",
            "--profile",
            entries(dehusk_normalize::profile::ALL, |p| (p.name(), p.summary())),
        ),
        table("passes", "", passes()),
        table("signatures", "--signature", strategies(dehusk_dedup::sign::ALL)),
        table(
            "candidates",
            "--candidates",
            strategies(dehusk_dedup::candidates::ALL),
        ),
        table(
            "similarities",
            "--similarity",
            strategies(dehusk_dedup::verify::ALL),
        ),
        table("clusterings", "--cluster", strategies(dehusk_dedup::cluster::ALL)),
        table("keepers", "--keep", strategies(dehusk_dedup::keep::ALL)),
    ]
}

/// Entries of strategies without parameters.
fn entries<T>(all: &'static [T], tell: impl Fn(&'static T) -> (&'static str, &'static str)) -> Vec<Entry> {
    let entry = |(name, summary)| Entry {
        name,
        summary,
        parameters: Vec::new(),
        examples: Vec::new(),
    };
    all.iter().map(|strategy| entry(tell(strategy))).collect()
}

/// Entries of the normalization passes, with examples.
fn passes() -> Vec<Entry> {
    let example = |known: &dehusk_normalize::passes::Example| Example {
        language: known.language,
        spellings: known.spellings,
    };
    let entry = |pass: &&'static dyn dehusk_normalize::Pass| Entry {
        name: pass.name(),
        summary: pass.summary(),
        parameters: Vec::new(),
        examples: pass.examples().iter().map(example).collect(),
    };
    dehusk_normalize::passes::ALL.iter().map(entry).collect()
}

/// Entries of the page-level extractors.
fn extractors() -> Vec<Entry> {
    let parameter = |known: &dehusk_extract::label::Parameter| Parameter {
        name: known.name,
        default: known.default,
        help: known.help,
    };
    let entry = |extractor: &&'static dyn dehusk_extract::label::Extractor| Entry {
        name: extractor.name(),
        summary: extractor.summary(),
        parameters: extractor.parameters().iter().map(parameter).collect(),
        examples: Vec::new(),
    };
    dehusk_extract::label::ALL.iter().map(entry).collect()
}

/// Entries of the extractors that compare the pages of a site.
fn site_extractors() -> Vec<Entry> {
    let parameter = |known: &dehusk_extract::label::Parameter| Parameter {
        name: known.name,
        default: known.default,
        help: known.help,
    };
    let entry = |method: &&'static dyn dehusk_extract::site::methods::SiteMethod| Entry {
        name: method.name(),
        summary: method.summary(),
        parameters: method.parameters().iter().map(parameter).collect(),
        examples: Vec::new(),
    };
    dehusk_extract::site::methods::ALL.iter().map(entry).collect()
}

/// Entries of a table of the duplicate search.
fn strategies<S: Strategy + ?Sized>(all: &'static [&'static S]) -> Vec<Entry> {
    let parameter = |known: &dehusk_dedup::Parameter| Parameter {
        name: known.name,
        default: known.default,
        help: known.help,
    };
    let entry = |strategy: &&'static S| Entry {
        name: strategy.name(),
        summary: strategy.summary(),
        parameters: strategy.parameters().iter().map(parameter).collect(),
        examples: Vec::new(),
    };
    all.iter().map(entry).collect()
}
