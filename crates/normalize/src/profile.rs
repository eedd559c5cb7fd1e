//! Profiles: named sequences of passes.

use std::borrow::Cow;
use std::fmt;

use crate::error::{ProfileError, UnknownName};
use crate::passes;
use crate::passes::order;
use crate::passes::pass::{Locale, Numbers, Options, Pass};
use crate::words::rule::TokenRule;

/// Version of the profiles, raised whenever a profile's output changes. Part of [`Profile::fingerprint`], so
/// that signatures of different versions are not mixed.
pub const VERSION: u32 = 3;

/// A built-in profile.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    name: &'static str,
    summary: &'static str,
    passes: &'static [&'static str],
}

impl BuiltIn {
    /// Name as users type it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Summary in one line, for help texts.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Names of the passes, in order.
    #[must_use]
    pub fn passes(&self) -> &'static [&'static str] {
        self.passes
    }

    /// Creates the profile with default options.
    #[must_use]
    pub fn profile(&self) -> Profile {
        // A test builds every entry through `Profile::custom`, so names and order are known to be valid.
        let passes = self
            .passes
            .iter()
            .filter_map(|name| passes::find(name).ok())
            .collect();
        Profile {
            name: Cow::Borrowed(self.name),
            passes,
            options: Options::default(),
        }
    }
}

/// Passes of the profile `spaceless`.
const SPACELESS: &[&str] = &[
    "decode",
    "references",
    "numero",
    "invisible",
    "nfkc",
    "marks",
    "arabic",
    "stress",
    "hyphenation",
    "persian-urdu",
    "indic",
    "digits",
    "middle-dot",
    "apostrophes",
    "ligatures",
    "confusables",
    "case-fold",
    "romanian",
    "vietnamese",
    "thai-lao",
    "pseudographics",
    "numbers",
    "punctuation",
    "white-space",
    "no-spaces",
];

/// Passes of the profile `near`: all of `spaceless` except the last.
const NEAR: &[&str] = SPACELESS.split_at(SPACELESS.len() - 1).0;

/// Passes of the profile `search`: those of `near`, and passes that merge forms which readers distinguish.
const SEARCH: &[&str] = &[
    "decode",
    "references",
    "numero",
    "invisible",
    "nfkc",
    "marks",
    "arabic",
    "stress",
    "hyphenation",
    "persian-urdu",
    "indic",
    "digits",
    "number-groups",
    "acronyms",
    "inner-hyphens",
    "middle-dot",
    "apostrophes",
    "accents",
    "confusables",
    "case-fold",
    "kana",
    "thai-lao",
    "pseudographics",
    "numbers",
    "punctuation",
    "white-space",
    "bigrams",
];

/// Passes of the profile `canonical`.
const CANONICAL: &[&str] = &["nfc", "white-space"];

/// All built-in profiles.
pub static ALL: &[BuiltIn] = &[
    BuiltIn {
        name: "none",
        summary: "the text as it is: for texts that are normalized already, whose words stand between spaces",
        passes: &[],
    },
    BuiltIn {
        name: "canonical",
        summary: "the same characters and nothing else: canonical composition (NFC), white space and line ends as single spaces",
        passes: CANONICAL,
    },
    BuiltIn {
        name: "exact",
        summary: "one encoding of the same text: case, punctuation and numbers stay",
        passes: &["decode", "invisible", "nfkc", "white-space"],
    },
    BuiltIn {
        name: "near",
        summary: "words alone, in lower case: for near-duplicates",
        passes: NEAR,
    },
    BuiltIn {
        name: "spaceless",
        summary: "near without spaces: for shingles of characters",
        passes: SPACELESS,
    },
    BuiltIn {
        name: "search",
        summary: "near without accents, hyphens in words, full stops of acronyms, separators of thousands, Katakana, and with pairs of characters where no spaces are written: for indexes of words",
        passes: SEARCH,
    },
];

/// A sequence of passes and their options.
///
/// ```
/// use dehusk_normalize::{Normalizer, Options, Profile};
///
/// let letters = Profile::custom("letters", ["references", "nfkc", "case-fold"], Options::default())?;
/// assert_eq!(Normalizer::new(letters).normalize_text("O\u{fb03}ce &amp; Home"), "office & home");
/// // A built-in profile with a change.
/// let cased = Profile::near().without("case-fold")?;
/// assert_eq!(Normalizer::new(cased).normalize_text("The River!"), "The River");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Profile {
    name: Cow<'static, str>,
    passes: Vec<&'static dyn Pass>,
    options: Options,
}

impl Profile {
    /// The built-in profile `name`, with default options.
    ///
    /// # Errors
    /// If there is no such profile; the error lists the known names.
    pub fn find(name: &str) -> Result<Self, UnknownName> {
        ALL.iter()
            .find(|entry| entry.name == name)
            .map(BuiltIn::profile)
            .ok_or_else(|| UnknownName::new("profile", name, ALL.iter().map(BuiltIn::name).collect()))
    }

    /// The profile `none`, which leaves text as it is.
    #[must_use]
    pub fn none() -> Self {
        ALL[0].profile()
    }

    /// The profile `canonical`, which makes texts equal if they differ only in white space and in canonically equivalent characters.
    /// Case, digits, punctuation, symbols, superscripts and invisible characters are kept.
    #[must_use]
    pub fn canonical() -> Self {
        ALL[1].profile()
    }

    /// The profile `exact`, which gives one text in different encodings the same bytes. Unlike `canonical`,
    /// it deletes invisible characters and replaces compatibility characters (x² by x2).
    #[must_use]
    pub fn exact() -> Self {
        ALL[2].profile()
    }

    /// The profile `near`, which reduces a text to lower-case words joined by single spaces.
    #[must_use]
    pub fn near() -> Self {
        ALL[3].profile()
    }

    /// The profile `spaceless`, which is `near` without its spaces.
    #[must_use]
    pub fn spaceless() -> Self {
        ALL[4].profile()
    }

    /// The profile `search`, which normalizes further than `near`, for indexes that find a word however it is typed.
    #[must_use]
    pub fn search() -> Self {
        ALL[5].profile()
    }

    /// Creates a custom profile. `name` is used in messages and headers; an empty list of passes leaves text as it is.
    ///
    /// # Errors
    /// If a pass is unknown or listed twice, or if the order cannot work; the error gives the reason.
    pub fn custom<S: AsRef<str>>(
        name: impl Into<String>,
        passes: impl IntoIterator<Item = S>,
        options: Options,
    ) -> Result<Self, ProfileError> {
        let mut found: Vec<&'static dyn Pass> = Vec::new();
        for pass in passes {
            let pass = passes::find(pass.as_ref())?;
            if found.iter().any(|known| known.name() == pass.name()) {
                return Err(ProfileError::twice(pass.name()));
            }
            found.push(pass);
        }
        order::check(&found)?;
        Ok(Self {
            name: Cow::Owned(name.into()),
            passes: found,
            options,
        })
    }

    /// Replaces the options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Replaces the treatment of numbers. It has an effect only if the profile has the pass `numbers`.
    #[must_use]
    pub fn with_numbers(mut self, numbers: Numbers) -> Self {
        self.options.numbers = numbers;
        self
    }

    /// Replaces the locale for case folding. It has an effect only if the profile has the pass `case-fold`.
    #[must_use]
    pub fn with_locale(mut self, locale: Locale) -> Self {
        self.options.locale = locale;
        self
    }

    /// Adds a pass, unless the profile has it. It goes before the first pass that follows it in
    /// [`passes::ALL`]. Example: `near` with `german` makes ae and ä equal.
    ///
    /// # Errors
    /// If no pass has this name, or if the passes are then in an order that cannot work.
    pub fn with(mut self, pass: &str) -> Result<Self, ProfileError> {
        let pass = passes::find(pass)?;
        if !self.pass_names().any(|name| name == pass.name()) {
            let rank = |name: &str| passes::ALL.iter().position(|known| known.name() == name);
            let is_behind = |known: &&dyn Pass| rank(known.name()) > rank(pass.name());
            let place = self
                .passes
                .iter()
                .position(is_behind)
                .unwrap_or(self.passes.len());
            self.passes.insert(place, pass);
            order::check(&self.passes)?;
        }
        Ok(self)
    }

    /// Removes a pass, if the profile has it. `hyphenation`, for example, only suits plain text that is broken into lines.
    ///
    /// # Errors
    /// If no pass has this name.
    pub fn without(mut self, pass: &str) -> Result<Self, UnknownName> {
        let pass = passes::find(pass)?;
        self.passes.retain(|known| known.name() != pass.name());
        Ok(self)
    }

    /// Removes all passes after `pass`; none if the profile does not have it. `near` up to `case-fold` gives
    /// text whose [`words`](crate::words) keep their inner punctuation ("canʼt", "1,5").
    ///
    /// # Errors
    /// If no pass has this name.
    pub fn up_to(mut self, pass: &str) -> Result<Self, UnknownName> {
        let pass = passes::find(pass)?;
        if let Some(last) = self.passes.iter().position(|known| known.name() == pass.name()) {
            self.passes.truncate(last + 1);
        }
        Ok(self)
    }

    /// Name of the profile; a modified built-in profile keeps its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Passes in order.
    #[must_use]
    pub fn passes(&self) -> &[&'static dyn Pass] {
        &self.passes
    }

    /// Options of the passes.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// How texts of this profile are cut into tokens. The names of the passes alone decide; options do not.
    #[must_use]
    pub fn token_rule(&self) -> TokenRule {
        // Only these passes leave words without punctuation, separated by single spaces, which `near_tokens`
        // relies on.
        if self.pass_names().eq(NEAR.iter().copied()) {
            TokenRule::Near
        } else if self
            .pass_names()
            .any(|name| matches!(name, "dictionary" | "bigrams"))
        {
            TokenRule::Spaced
        } else {
            TokenRule::Words
        }
    }

    /// Everything that determines the output, in one line, for the headers of artifacts. Two profiles with equal
    /// fingerprints give equal texts. Example: `v3 decode invisible nfkc white-space`.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut text = format!("v{VERSION}");
        for pass in &self.passes {
            text.push(' ');
            text.push_str(pass.name());
            if pass.name() == "numbers" {
                text.push('=');
                text.push_str(self.options.numbers.name());
            }
            if pass.name() == "case-fold" && self.options.locale != Locale::Root {
                text.push('=');
                text.push_str(self.options.locale.name());
            }
        }
        text
    }

    /// Names of the passes, in order.
    pub(crate) fn pass_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.passes.iter().map(|pass| pass.name())
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::near()
    }
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.options == other.options && self.pass_names().eq(other.pass_names())
    }
}

impl Eq for Profile {}

/// Serialized fields of a profile.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Profile")]
struct ProfileFields {
    name: String,
    passes: Vec<String>,
    #[serde(default)]
    options: Options,
}

#[cfg(feature = "serde")]
impl serde::Serialize for Profile {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = ProfileFields {
            name: self.name.to_string(),
            passes: self.pass_names().map(str::to_owned).collect(),
            options: self.options,
        };
        fields.serialize(serializer)
    }
}

/// Deserialized profiles are validated by [`Profile::custom`].
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Profile {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = ProfileFields::deserialize(deserializer)?;
        Self::custom(fields.name, fields.passes, fields.options).map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("name", &self.name)
            .field("passes", &self.pass_names().collect::<Vec<_>>())
            .field("options", &self.options)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_profiles_are_in_an_order_that_custom_ones_may_have() {
        for entry in ALL {
            let custom = Profile::custom(entry.name(), entry.passes(), Options::default()).unwrap();
            assert_eq!(custom, entry.profile());
            assert_eq!(custom.passes().len(), entry.passes().len());
        }
        assert_eq!(Profile::canonical().name(), "canonical");
        assert_eq!(Profile::exact().name(), "exact");
        assert_eq!(Profile::near().name(), "near");
        assert_eq!(Profile::spaceless().name(), "spaceless");
        assert_eq!(Profile::search().name(), "search");
    }

    #[test]
    fn wrong_orders_are_refused_with_the_reason() {
        let error = Profile::custom("mine", ["nfkc", "numero"], Options::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pass `numero` must come before `nfkc`: NFKC turns № into the letters No"
        );
        assert_eq!(error.wanted_order(), Some(("numero", "nfkc")));
        let error = Profile::custom("mine", ["nfkc", "nfkc"], Options::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pass `nfkc` is named twice; each pass runs once"
        );
        let error = Profile::custom("mine", ["nfkd"], Options::default()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("unknown pass `nfkd`; known: decode, references, numero,"),
            "{error}"
        );
        assert_eq!(error.pass(), "nfkd");
        assert_eq!(error.known().len(), passes::ALL.len());
    }

    #[test]
    fn passes_are_added_in_their_places() {
        let names = |profile: &Profile| profile.pass_names().collect::<Vec<_>>();
        let mine = Profile::near().with("german").unwrap().with("digits").unwrap();
        let near = Profile::near();
        let place = mine.pass_names().position(|name| name == "german").unwrap();
        assert_eq!(names(&mine)[place + 1], "ligatures");
        assert_eq!(names(&mine.without("german").unwrap()), names(&near));
        let odd = Profile::custom("odd", ["white-space", "nfkc"], Options::default());
        assert!(odd.is_err());
        let odd = Profile::custom("odd", ["lower-case", "nfc"], Options::default()).unwrap();
        let odd = odd.with("references").unwrap();
        assert_eq!(names(&odd), ["references", "lower-case", "nfc"]);
        assert!(Profile::near().with("nfkd").is_err());
    }

    #[test]
    fn unknown_profiles_are_answered_with_the_known_ones() {
        let error = Profile::find("nera").unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown profile `nera`; known: none, canonical, exact, near, spaceless, search"
        );
        assert_eq!(
            Numbers::find("hide").unwrap_err().known(),
            ["keep", "drop", "mask"]
        );
    }

    #[test]
    fn fingerprints_tell_what_decides_the_output() {
        assert_eq!(
            Profile::exact().fingerprint(),
            "v3 decode invisible nfkc white-space"
        );
        let masked = Profile::near()
            .with_numbers(Numbers::Mask)
            .up_to("numbers")
            .unwrap();
        assert!(
            masked.fingerprint().ends_with("pseudographics numbers=mask"),
            "{}",
            masked.fingerprint()
        );
        let web = Profile::near().without("hyphenation").unwrap();
        assert!(!web.fingerprint().contains("hyphenation"));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn profiles_are_read_as_they_were_written_and_checked() {
        let profile = Profile::near()
            .without("hyphenation")
            .unwrap()
            .with_numbers(Numbers::Mask);
        let text = serde_json::to_string(&profile).unwrap();
        assert!(
            text.ends_with(r#""options":{"numbers":"mask","locale":"root"}}"#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Profile>(&text).unwrap(), profile);
        let error =
            serde_json::from_str::<Profile>(r#"{"name":"mine","passes":["nfkc","numero"]}"#).unwrap_err();
        assert!(error.to_string().contains("must come before"), "{error}");
    }
}
