//! The table of extractors, and selection by name.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::label::extractor::Extractor;
use crate::label::methods::{
    all_text, boilerpipe_article, boilerpipe_canola, boilerpipe_default, boilerpipe_largest,
    boilerpipe_numwords, default, density, keywords, markup, readability, sentences, visual,
};
use crate::parameter::{Chosen, MethodError, set_each};

/// All extractors, in the order in which help lists them.
///
/// ```
/// use dehusk_extract::{Options, Page, extract, label};
///
/// let page = Page::new(b"<nav><a href=/>Home</a></nav><p>The river rose overnight, and took the old bridge with it.");
/// for extractor in label::ALL {
///     let got = extract(&page, &Options::default().with_extractor(extractor.name())?);
///     println!("{:20} {:?}", extractor.name(), got.text);
/// }
/// # Ok::<(), label::MethodError>(())
/// ```
pub static ALL: &[&dyn Extractor] = &[
    &default::Default,
    &readability::Readability,
    &boilerpipe_article::BoilerpipeArticle,
    &boilerpipe_default::BoilerpipeDefault,
    &boilerpipe_largest::BoilerpipeLargest,
    &boilerpipe_numwords::BoilerpipeNumwords,
    &boilerpipe_canola::BoilerpipeCanola,
    &density::Density(density::DensityTree::PUBLISHED),
    &markup::Markup,
    &sentences::Sentences(sentences::rules::SentenceRules::PUBLISHED),
    &keywords::Keywords,
    &visual::Visual,
    &all_text::AllText,
];

/// Returns the extractor with this name.
pub fn find(name: &str) -> Option<&'static dyn Extractor> {
    ALL.iter().copied().find(|e| e.name() == name)
}

/// An extractor with its parameters. Parsed from and displayed as `NAME:PARAMETER=VALUE,...`.
#[derive(Clone)]
pub struct ExtractorChoice {
    text: Cow<'static, str>,
    extractor: Chosen<dyn Extractor>,
}

impl ExtractorChoice {
    /// Selects a method of the caller's own. It is displayed as its name.
    pub fn own(extractor: Arc<dyn Extractor>) -> Self {
        ExtractorChoice {
            text: Cow::Borrowed(extractor.name()),
            extractor: Chosen::Own(extractor),
        }
    }

    /// Returns the extractor.
    pub fn get(&self) -> &dyn Extractor {
        &*self.extractor
    }
}

impl Default for ExtractorChoice {
    fn default() -> Self {
        ExtractorChoice {
            text: Cow::Borrowed(default::Default.name()),
            extractor: Chosen::Listed(&default::Default),
        }
    }
}

impl FromStr for ExtractorChoice {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let listed = find(name).ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|known| known.name()).collect();
            MethodError::new(format!("unknown extractor `{name}`; known: {}", known.join(", ")))
        })?;
        // Without settings, the listed extractor is used as it is.
        let mut extractor = Chosen::Listed(listed);
        set_each((name, listed.parameters()), settings, |parameter, value| {
            extractor = Chosen::Own(extractor.with(parameter, value)?);
            Ok(())
        })?;
        Ok(ExtractorChoice {
            text: Cow::Owned(text.to_owned()),
            extractor,
        })
    }
}

impl fmt::Display for ExtractorChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for ExtractorChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.get(), f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ExtractorChoice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ExtractorChoice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'_, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn table_and_folder_agree() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/label/methods");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().replace('_', "-"))
            .filter(|stem| stem != "mod" && stem != "boilerpipe")
            .collect();
        let table: BTreeSet<String> = ALL.iter().map(|e| e.name().to_owned()).collect();
        assert_eq!(files, table);
        assert_eq!(table.len(), ALL.len(), "a name stands twice");
    }

    #[test]
    fn names_are_found_and_unknown_ones_list_the_known() {
        for extractor in ALL {
            assert_eq!(find(extractor.name()).unwrap().name(), extractor.name());
            assert!(!extractor.summary().is_empty() && !extractor.summary().contains('\n'));
        }
        let error = "readabilty".parse::<ExtractorChoice>().unwrap_err();
        assert!(error.to_string().contains("`readabilty`"));
        assert!(error.to_string().contains("readability, boilerpipe-article"));
    }

    #[test]
    fn every_default_is_accepted_and_changes_nothing() {
        for extractor in ALL {
            let name = extractor.name();
            let plain: ExtractorChoice = name.parse().unwrap();
            let own = extractor
                .parameters()
                .iter()
                .filter(|p| !p.help.ends_with("alone"));
            let settings = own.map(|p| format!("{}={}", p.name, p.default));
            let text = format!("{name}:{}", settings.collect::<Vec<_>>().join(","));
            let set: ExtractorChoice = text.parse().unwrap();
            assert_eq!(format!("{plain:?}"), format!("{set:?}"), "{name}");
            assert_eq!(set.to_string(), text);
            for parameter in extractor.parameters() {
                let text = format!("{name}:{}=much", parameter.name);
                let error = text.parse::<ExtractorChoice>().unwrap_err().to_string();
                assert!(
                    error.contains("much") && error.contains(parameter.name),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn errors_name_the_place_and_what_there_is() {
        let error = |text: &str| text.parse::<ExtractorChoice>().unwrap_err().to_string();
        assert!(error("densty:link=1").starts_with("unknown extractor `densty`; known: default, "));
        assert_eq!(
            error("readability:x=1"),
            "`readability` has no parameter `x`; it has: none"
        );
        assert_eq!(error("density:link"), "`link` is not of the form parameter=value");
        assert_eq!(
            error("density:link=2"),
            "`density`, `link`: `2` is not a number from 0 to 1"
        );
        assert!(
            error("density:words=2").contains("it has: tree, link, "),
            "{}",
            error("density:words=2")
        );
        assert!(error("density:current-after-links=5").contains("tree=numwords"));
    }
}
