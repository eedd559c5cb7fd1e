//! Parameters of extractors, as users set them: `density:link=0.3,next=12`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::label;
use crate::options::Options;

/// One parameter of an extractor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Name as users type it.
    pub name: &'static str,
    /// Default, as users would type it.
    pub default: &'static str,
    /// Unit, range and effect, in one line.
    pub help: &'static str,
}

/// An extractor was asked for that there is not, or a parameter that it has not or that cannot have this value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodError {
    message: String,
}

impl MethodError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        MethodError {
            message: message.into(),
        }
    }
}

impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MethodError {}

/// Chooses an extractor and its parameters from `NAME[:PARAMETER=VALUE,...]`.
pub(crate) fn choose(mut options: Options, text: &str) -> Result<Options, MethodError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let extractor = label::find(name).ok_or_else(|| {
        let known: Vec<&str> = label::ALL.iter().map(|known| known.name()).collect();
        MethodError::new(format!("unknown extractor `{name}`; known: {}", known.join(", ")))
    })?;
    options.extractor = extractor;
    set_each((name, extractor.parameters()), settings, |parameter, value| {
        extractor.set(&mut options, parameter, value)
    })?;
    Ok(options)
}

/// Sets each parameter of `PARAMETER=VALUE,...` that the method of this name has.
pub(crate) fn set_each(
    (name, parameters): (&str, &[Parameter]),
    settings: &str,
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), MethodError> {
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let Some((parameter, value)) = setting.split_once('=') else {
            return Err(MethodError::new(format!(
                "`{setting}` is not of the form parameter=value"
            )));
        };
        let (parameter, value) = (parameter.trim(), value.trim());
        let known: Vec<&str> = parameters.iter().map(|known| known.name).collect();
        if !known.contains(&parameter) {
            let known = if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            };
            let message = format!("`{name}` has no parameter `{parameter}`; it has: {known}");
            return Err(MethodError::new(message));
        }
        set(parameter, value).map_err(|why| MethodError::new(format!("`{name}`, `{parameter}`: {why}")))?;
    }
    Ok(())
}

/// Reads a number in a range.
pub(crate) fn number<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + fmt::Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        format!(
            "`{text}` is not a number from {} to {}",
            range.start(),
            range.end()
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::label::ALL;
    use crate::label::methods::density::DensityTree;
    use crate::{Options, Page, extract};

    #[test]
    fn every_default_is_accepted_and_changes_nothing() {
        for extractor in ALL {
            let name = extractor.name();
            let plain = Options::default().with_method(name).unwrap();
            let own = extractor
                .parameters()
                .iter()
                .filter(|p| !p.help.ends_with("alone"));
            let settings = own.map(|p| format!("{}={}", p.name, p.default));
            let text = format!("{name}:{}", settings.collect::<Vec<_>>().join(","));
            let set = Options::default().with_method(&text).unwrap();
            assert_eq!(format!("{plain:?}"), format!("{set:?}"), "{name}");
            for parameter in extractor.parameters() {
                let text = format!("{name}:{}=much", parameter.name);
                let error = Options::default().with_method(&text).unwrap_err().to_string();
                assert!(
                    error.contains("much") && error.contains(parameter.name),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn parameters_decide() {
        let html = "<p>A text of nine or ten words, all of them here.</p>".repeat(3);
        let kept = |method: &str| {
            let options = Options::default().with_method(method).unwrap();
            extract(&Page::decoded(&html), &options).kept_chars
        };
        assert_eq!(kept("density:current=1000,next=1000,previous=1000"), 0);
        assert!(kept("density:current=1,next=0,previous=0") > 0);
        assert!(kept("density:tree=numwords,current=2,next=1,previous=1") > 0);
        let tree = Options::default()
            .with_method("density:tree=numwords,current=3")
            .unwrap();
        assert!(format!("{tree:?}").contains("current: 3"), "{tree:?}");
        assert!(matches!(tree.density, DensityTree::NumWords(_)));
    }

    #[test]
    fn errors_name_the_place_and_what_there_is() {
        let error = |text: &str| Options::default().with_method(text).unwrap_err().to_string();
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
