//! Normalization profiles: built-in ones, and profiles of the user in TOML files.

use std::fs;
use std::path::Path;

use dehusk_normalize::{Numbers, Profile, ProfileError};
use serde::Deserialize;
use toml::Spanned;

use crate::error::Error;
use crate::read::chunk::extension;

/// A profile as its file describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Name for summaries; defaults to the name of the file.
    name: Option<String>,
    /// Names of the passes, in order. `base` is the alternative.
    passes: Option<Vec<Spanned<String>>>,
    /// Name of the built-in profile that is changed.
    base: Option<Spanned<String>>,
    /// Names of the passes that are added to `base`, each in its place.
    #[serde(default)]
    add: Vec<Spanned<String>>,
    /// Names of the passes that are removed from `base`.
    #[serde(default)]
    remove: Vec<Spanned<String>>,
    /// Mode of the pass `numbers`.
    numbers: Option<Spanned<String>>,
}

/// The built-in profile of the name `value`, or the profile in the file `value` if that ends in `.toml`.
/// `numbers` sets the mode of the pass `numbers`.
///
/// A file has `passes = ["nfkc", "lower-case"]`, or `base = "near"` with `add = ["german"]` and `remove = ["hyphenation"]`, and optionally
/// `name = "mine"` and `numbers = "mask"`.
///
/// # Errors
/// If there is no such profile, or its file is invalid. The error has line and column, and the known names
/// or the reason why the order of passes is wrong.
pub fn profile(value: &str, numbers: Option<Numbers>) -> Result<Profile, Error> {
    let path = Path::new(value);
    let profile = if extension(path).as_deref() == Some("toml") {
        own(path)?
    } else {
        Profile::find(value).map_err(|unknown| {
            Error::value("profile", unknown).with_help("the file of a profile of your own ends in .toml")
        })?
    };
    match numbers {
        Some(_) if !has_numbers(&profile) => Err(Error::value(
            "numbers",
            format_args!("profile `{}` has no pass `numbers`", profile.name()),
        )),
        Some(numbers) => Ok(profile.with_numbers(numbers)),
        None => Ok(profile),
    }
}

/// Whether a profile has the pass `numbers`.
fn has_numbers(profile: &Profile) -> bool {
    profile.passes().iter().any(|pass| pass.name() == "numbers")
}

/// Reads the profile in a file.
fn own(path: &Path) -> Result<Profile, Error> {
    let text = fs::read_to_string(path).map_err(|e| Error::input(path, e).with_option("profile"))?;
    let wrong = |start: usize, message: &str| {
        Error::at_byte(path, &text, start, message)
            .with_option("profile")
            .with_help(
                "`dehusk methods` lists the passes; a profile has `passes`, or `base` with `add` and `remove`, and perhaps `name` and `numbers`",
            )
    };
    let written: Written = toml::from_str(&text).map_err(|error| {
        wrong(
            error.span().map_or(0, |span| span.start),
            &error.message().trim_end().replace('\n', "; "),
        )
    })?;

    // A file without a name is named after itself.
    let name = written.name.clone().unwrap_or_else(|| {
        let stem = path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    });
    let profile = match (&written.passes, &written.base) {
        (Some(passes), None) if written.add.is_empty() && written.remove.is_empty() => {
            listed(name, passes).map_err(|error| wrong(fault(&error, passes), &error.to_string()))?
        }
        (None, Some(base)) => {
            changed(name, base, &written).map_err(|(start, message)| wrong(start, &message))?
        }
        (Some(_), _) => {
            let message =
                "`passes` lists all passes, so that `base`, `add` and `remove` have no place beside it";
            return Err(wrong(0, message));
        }
        (None, None) => return Err(wrong(0, "neither `passes` nor `base` is there")),
    };
    let Some(numbers) = written.numbers else {
        return Ok(profile);
    };
    let start = numbers.span().start;
    let mode = Numbers::find(numbers.get_ref()).map_err(|unknown| wrong(start, &unknown.to_string()))?;
    if has_numbers(&profile) {
        Ok(profile.with_numbers(mode))
    } else {
        Err(wrong(start, "`numbers` is set, but there is no pass `numbers`"))
    }
}

/// The profile with these passes.
fn listed(name: String, passes: &[Spanned<String>]) -> Result<Profile, ProfileError> {
    let names = passes.iter().map(|pass| pass.get_ref());
    Profile::custom(name, names, dehusk_normalize::Options::default())
}

/// The built-in profile `base` with the changes of the file. An error has its byte offset and its message.
fn changed(name: String, base: &Spanned<String>, written: &Written) -> Result<Profile, (usize, String)> {
    let mut profile =
        Profile::find(base.get_ref()).map_err(|unknown| (base.span().start, unknown.to_string()))?;
    for pass in &written.remove {
        let has_pass = |profile: &Profile| {
            profile
                .passes()
                .iter()
                .any(|known| known.name() == pass.get_ref())
        };
        if !has_pass(&profile) {
            let message = format!("profile `{}` has no pass `{}`", base.get_ref(), pass.get_ref());
            return Err((pass.span().start, message));
        }
        profile = profile
            .without(pass.get_ref())
            .map_err(|unknown| (pass.span().start, unknown.to_string()))?;
    }
    for pass in &written.add {
        profile = profile
            .with(pass.get_ref())
            .map_err(|error| (pass.span().start, error.to_string()))?;
    }
    // The result is built again under the name of the user, which also checks the order of all passes.
    let names = profile.passes().iter().map(|pass| pass.name());
    Profile::custom(name, names, profile.options()).map_err(|error| (0, error.to_string()))
}

/// Byte offset of the pass that an error is about. If the pass is named twice, of its last mention.
fn fault(error: &ProfileError, passes: &[Spanned<String>]) -> usize {
    passes
        .iter()
        .rev()
        .find(|pass| pass.get_ref() == error.pass())
        .map_or(0, |pass| pass.span().start)
}
