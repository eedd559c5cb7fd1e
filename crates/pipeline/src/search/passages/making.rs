//! The options of a search for passages.

use dehusk_dedup::{Action, PassageRule};
use dehusk_normalize::Profile;
use serde_json::{Value, json};

use crate::error::Error;
use crate::kernel::units::UnitCutter;
use crate::settings::table::Settings;
use crate::settings::{CutAt, DocumentPart, PassageUnit, Repeat};

/// Default of [`Settings::min_run`].
const MIN_RUN: u32 = 50;
/// Default of [`Settings::min_contained`].
const MIN_CONTAINED: f64 = 0.9;

/// The options of a search for passages.
#[derive(Clone, Debug)]
pub struct Making {
    /// The unit of passages.
    pub unit: PassageUnit,
    /// Minimum number of tokens of a run, 1 or more. Used for the unit of tokens only.
    pub min_run: u32,
    /// Normalization of texts before they are compared.
    pub profile: Profile,
    /// Minimum number of documents that have a passage.
    pub min_documents: u32,
    /// Minimum number of known hosts that have a passage.
    pub min_hosts: u32,
    /// Minimum number of tokens of a line, sentence or paragraph, 1 or more.
    pub min_unit: u32,
    /// Treatment of passages.
    pub repeat: Repeat,
    /// The boundaries at which runs of tokens are cut.
    pub cut: CutAt,
    /// The part of a document in which passages are cut.
    pub at: DocumentPart,
    /// Minimum share of the documents of a host that have a passage for it to be cut. Above 0, only passages of one host are cut.
    pub min_host_share: f64,
    /// Largest share of its characters that a document may lose and still be kept, 0 to 1. A document that has lost all is always
    /// dropped.
    pub max_share: f64,
    /// Minimum share of the units of a document that must be in one other document for it to count as
    /// contained there, 0 to 1.
    pub min_contained: f64,
    /// Treatment of documents that are contained in one that stays.
    pub on_contained: Action,
}

impl Making {
    /// The options that the settings give for passages of this unit.
    ///
    /// # Errors
    /// If the settings do not fit together.
    pub fn of(settings: &Settings, unit: PassageUnit, profile: Profile) -> Result<Self, Error> {
        let making = Making {
            unit,
            min_run: settings.min_run.map_or(MIN_RUN, |length| length.0),
            profile,
            min_documents: settings.min_documents.map_or(1, |least| least.0),
            min_hosts: settings.min_hosts.unwrap_or(0),
            min_unit: settings.min_unit.map_or(1, |least| least.0),
            repeat: settings.repeat.unwrap_or_default().0,
            cut: settings.cut.unwrap_or_default().0,
            at: settings.at.unwrap_or_default().0,
            min_host_share: settings.min_host_share.map_or(0.0, |share| share.0),
            max_share: settings.max_share.map_or(1.0, |share| share.0),
            min_contained: settings.min_contained.map_or(MIN_CONTAINED, |share| share.0),
            on_contained: settings.on_contained.map_or(Action::Keep, |policy| policy.0),
        };
        // Settings that would have no effect are errors: a user who sets one expects that passages are cut.
        if making.max_share < 1.0 && !making.cuts() {
            let message = "a document loses nothing while passages stay in the texts";
            return Err(Error::value("max-share", message)
                .with_help("cut them with `--repeat first` or `--repeat drop`"));
        }
        let of_cuts = [
            ("at", making.at == DocumentPart::Ends),
            ("min-host-share", making.min_host_share > 0.0),
        ];
        if let Some((name, _)) = of_cuts.iter().find(|(_, asked)| *asked && !making.cuts()) {
            let message = "it chooses passages to be cut, and all stay in the texts";
            return Err(
                Error::value(name, message).with_help("cut them with `--repeat first` or `--repeat drop`")
            );
        }
        if making.min_unit > 1 && unit == PassageUnit::Tokens {
            let message =
                "it is the length of a line, sentence or paragraph, and passages are runs of tokens";
            return Err(Error::value("min-unit", message).with_help("give the length of runs by `--min-run`"));
        }
        if making.on_contained == Action::Delete && making.cuts() {
            let message = "a passage that is cut from one document may stand in a deleted one alone";
            return Err(Error::value("on-contained", message)
                .with_help("delete contained documents first, and cut passages in a second run"));
        }
        Ok(making)
    }

    /// The options of the search for passages within a run; `None` if the settings ask for none.
    ///
    /// # Errors
    /// If the settings do not fit together.
    pub(crate) fn of_run(settings: &Settings) -> Result<Option<Self>, Error> {
        let Some(unit) = settings.passages else {
            return Ok(None);
        };
        let making = Making::of(settings, unit.0, settings.profile())?;
        let forms = [
            ("markdown", settings.markdown),
            ("html", settings.html),
            ("content", settings.content),
        ];
        let other = forms.iter().find(|(_, asked)| *asked == Some(true));
        if let Some((name, _)) = other.filter(|_| making.cuts()) {
            let message = "this form of a document would keep what is cut from its text";
            return Err(Error::value(name, message)
                .with_help(format!("leave out `--{name}`, or cut nothing: `--repeat mark`")));
        }
        Ok(Some(making))
    }

    /// The options that the search itself needs.
    pub(crate) fn rule(&self) -> PassageRule {
        PassageRule {
            least_run: (self.unit == PassageUnit::Tokens).then_some(self.min_run),
            min_documents: self.min_documents,
            min_hosts: self.min_hosts,
        }
    }

    /// Cuts texts into the unit of passages. Each thread needs its own.
    pub(crate) fn cutter(&self) -> UnitCutter {
        UnitCutter::new(self.unit, self.profile.clone()).with_least(self.min_unit)
    }

    /// The name of the unit as in the settings.
    pub(crate) fn unit_name(&self) -> String {
        crate::settings::PassageUnitName(self.unit).to_string()
    }

    /// The settings in effect, apart from unit and profile, by name.
    pub(crate) fn effective(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("min-run", json!(self.rule().least_run)),
            ("min-documents", json!(self.min_documents)),
            ("min-hosts", json!(self.min_hosts)),
            ("min-unit", json!(self.min_unit)),
            (
                "repeat",
                json!(crate::settings::RepeatPolicy(self.repeat).to_string()),
            ),
            ("cut", json!(crate::settings::CutBoundary(self.cut).to_string())),
            ("at", json!(crate::settings::CutPart(self.at).to_string())),
            ("min-host-share", json!(self.min_host_share)),
            ("max-share", json!(self.max_share)),
            ("min-contained", json!(self.min_contained)),
            (
                "on-contained",
                json!(crate::settings::Policy(self.on_contained).to_string()),
            ),
        ]
    }

    /// Whether passages are cut from texts.
    pub(crate) fn cuts(&self) -> bool {
        matches!(self.repeat, Repeat::First | Repeat::Drop)
    }
}
