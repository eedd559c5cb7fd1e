//! Every table of strategies, in one form.

use dehusk_dedup::Strategy;
use serde::Serialize;

/// A family of strategies.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// What the family is called.
    pub name: &'static str,
    /// Flag that chooses one of them; empty if none does.
    pub flag: &'static str,
    /// Its members, in the order in which help lists them.
    pub entries: Vec<Entry>,
}

/// One strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Name as users type it.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Parameters that can be set behind the name: `NAME:PARAMETER=VALUE,...`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
}

/// One parameter of a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// Name as users type it.
    pub name: &'static str,
    /// Default, as users would type it.
    pub default: &'static str,
    /// Unit, range and effect.
    pub help: &'static str,
}

/// The output format of a name, where formats stand in the order of their names.
pub(crate) fn output_format<T: Copy>(name: &str, names: &[&str], formats: &[T]) -> Result<T, String> {
    let place = names.iter().position(|known| *known == name);
    let format = place.and_then(|place| formats.get(place));
    format
        .copied()
        .ok_or_else(|| format!("unknown output format `{name}`; known: {}", names.join(", ")))
}

/// Every table, in the order in which pages meet them.
pub fn tables() -> Vec<Table> {
    let table = |name, flag, entries| Table { name, flag, entries };
    vec![
        table(
            "formats",
            "--input-format",
            entries(crate::read::format::ALL, |f| (f.name(), f.summary())),
        ),
        table("extractors", "--extractor", extractors()),
        table("site extractors", "site learn --extractor", site_extractors()),
        table(
            "profiles",
            "--profile",
            entries(dehusk_normalize::profile::ALL, |p| (p.name(), p.summary())),
        ),
        table(
            "passes",
            "",
            entries(dehusk_normalize::passes::ALL, |p| (p.name(), p.summary())),
        ),
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

fn entries<T>(all: &'static [T], tell: impl Fn(&'static T) -> (&'static str, &'static str)) -> Vec<Entry> {
    let entry = |(name, summary)| Entry {
        name,
        summary,
        parameters: Vec::new(),
    };
    all.iter().map(|strategy| entry(tell(strategy))).collect()
}

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
    };
    dehusk_extract::label::ALL.iter().map(entry).collect()
}

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
    };
    dehusk_extract::site::methods::ALL.iter().map(entry).collect()
}

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
    };
    all.iter().map(entry).collect()
}
