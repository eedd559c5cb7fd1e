//! Options of a comparison.

use std::sync::Arc;

use dehusk_pipeline::dedup::Shingler;
use dehusk_pipeline::dedup::sign::{self, Method};
use dehusk_pipeline::settings::Chosen;

/// A signature method with its parameters, as users choose it.
pub type ChosenMethod = Chosen<dyn Method>;

/// Options of a comparison.
///
/// ```
/// use dehusk_lab::compare::{ChosenMethod, Options, all_methods};
///
/// let mut options = Options::default();
/// assert_eq!(options.methods.len(), all_methods().len());
/// options.methods.push(ChosenMethod::named("minhash")?.with("width", "64")?);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The methods. Each has a row for each mode.
    pub methods: Vec<ChosenMethod>,
    /// Smallest similarity of a pair of duplicates, above 0 and up to 1, default 0.7.
    pub threshold: f64,
    /// Thresholds of curves and clusterings, ascending, in addition to `threshold`.
    pub thresholds: Vec<f64>,
    /// How documents are cut into shingles. Default: sets of 4 words.
    pub shingler: Shingler,
    /// Largest Hamming distance of 64-bit signatures of duplicates, 0 to 15, default 3.
    pub distance: u32,
    /// Number of bootstrap replicates, default 1000. With 0 there are no intervals.
    pub replicates: u32,
    /// Seed of the bootstrap and of samples, default 1.
    pub seed: u64,
    /// Whether times and memory are measured (default yes). Without measurements equal inputs give equal files.
    pub costs: bool,
    /// Number of examples of each kind of error, default 5.
    pub examples: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            methods: all_methods(),
            threshold: 0.7,
            thresholds: vec![0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
            shingler: Shingler::words(4),
            distance: 3,
            replicates: 1000,
            seed: 1,
            costs: true,
            examples: 5,
        }
    }
}

impl Options {
    /// The thresholds of curves with the main threshold, ascending and without repetitions. Values outside
    /// of (0, 1] are dropped.
    pub(super) fn all_thresholds(&self) -> Vec<f64> {
        let mut all = self.thresholds.clone();
        all.push(self.threshold);
        all.retain(|threshold| *threshold > 0.0 && *threshold <= 1.0);
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }
}

/// Every signature method with its defaults.
#[must_use]
pub fn all_methods() -> Vec<ChosenMethod> {
    sign::ALL
        .iter()
        .filter_map(|method| ChosenMethod::named(method.name()).ok())
        .collect()
}

/// Methods with other parameters than the defaults, for `--sweep`. Methods that do not exist are skipped.
#[must_use]
pub fn sweep() -> Vec<ChosenMethod> {
    const VALUES: &[(&str, &str, &[&str])] = &[
        ("minhash", "width", &["64", "256"]),
        ("min-sketch", "size", &["32", "512"]),
        ("tf", "terms", &["3", "12"]),
        ("tf-idf", "terms", &["3", "12"]),
        ("tf-ridf", "terms", &["3", "12"]),
        ("opt-freq", "terms", &["3", "12"]),
        ("long-sent", "sentences", &["1", "4"]),
        ("heavy-sent", "sentences", &["1", "4"]),
        ("lex-rand", "lexicons", &["1", "40"]),
        ("simhash", "words", &["2", "3"]),
        ("simhash", "weight", &["tf-idf"]),
    ];
    let mut methods = Vec::new();
    for &(name, parameter, values) in VALUES {
        for value in values {
            let method = ChosenMethod::named(name).and_then(|method| method.with(parameter, value));
            methods.extend(method);
        }
    }
    methods
}

/// The name of a method in the study of Zelenkov and Segalovich (RCDL 2007). A method that the study lacks
/// has a name in the same style. Unknown methods keep their name.
#[must_use]
pub fn study_name(method: &str) -> &str {
    match method {
        "md5" => "MD5",
        "tf" => "TF",
        "tf-idf" => "TF*IDF",
        "tf-ridf" => "TF*RIDF",
        "opt-freq" => "Opt Freq",
        "long-sent" => "Long Sent",
        "heavy-sent" => "Heavy Sent",
        "lex-rand" => "Lex Rand",
        "log-shingles" => "Log Shingles",
        "megashingles" => "Megashingles",
        "descr-words" => "Descr Words",
        "shingles" => "Shingles",
        "supershingles" => "Supershingles",
        "minhash" => "MinHash",
        "min-sketch" => "Min Sketch",
        "mod-sketch" => "Mod Sketch",
        "simhash" => "SimHash",
        "simhash-hyperplane" => "SimHash Hyperplane",
        "simhash-repelled" => "SimHash Repelled",
        "i-match" => "I-Match",
        other => other,
    }
}

/// The name of a row: the method's name in the study, and the parameters that are not defaults.
pub(super) fn row_name(method: &ChosenMethod) -> String {
    let strategy: Arc<dyn Method> = method.strategy();
    let described = method.describe();
    let set = described.split_once(':').map_or("", |(_, parameters)| parameters);
    let changed: Vec<&str> = set
        .split(',')
        .filter(|text| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let known = strategy.parameters().iter().find(|known| known.name == name);
            known.is_some_and(|known| known.default != value)
        })
        .collect();
    let name = study_name(strategy.name());
    if changed.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({})", changed.join(", "))
    }
}
