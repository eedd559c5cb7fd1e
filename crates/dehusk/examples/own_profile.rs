//! A normalization of your own, and the way back from its words to the original text.
//!
//! A profile is a sequence of passes. Each pass rewrites the text once. The built-in profiles serve most
//! needs; one of your own lists passes by name. An order that cannot work is an error with the reason, so a
//! profile that exists is sound.
//!
//! The normalizer keeps the map from every byte of its result to the bytes of the original. So a search
//! engine can match on normalized words and underline the original ones, and a label on the original can be
//! carried over. [`Profile::fingerprint`] names all that decides the result, for the head of files that
//! store normalized text.
//!
//! `cargo run -p dehusk --example own_profile`

use std::error::Error;
use std::io::{self, Write};

use dehusk::normalize::{Normalizer, Options, Profile, words};

/// Character references, a soft hyphen, a ligature, capitals and curly quotes.
const TEXT: &str = "The re\u{ad}port: &ldquo;O\u{fb03}ce&rdquo; of the MAYOR";

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let passes = ["references", "invisible", "nfkc", "case-fold", "white-space"];
    let profile = Profile::custom("letters", passes, Options::default())?;
    writeln!(out, "profile: {}", profile.fingerprint())?;

    let mut normalizer = Normalizer::new(profile);
    let normal = normalizer.normalize(TEXT);
    writeln!(out, "text: {}", normal.text())?;
    for range in words(normal.text()) {
        // `source` maps a range of the normalized text to the range of the original that it came from.
        let source = normal.source(range.clone());
        writeln!(
            out,
            "  {:8} bytes {:2}..{:2} of the original: {:?}",
            &normal.text()[range],
            source.start,
            source.end,
            &TEXT[source.clone()]
        )?;
    }

    // A built-in profile with a change is more often what one needs than a list of one's own.
    let mut near = Normalizer::new(Profile::near().without("numbers")?);
    writeln!(
        out,
        "near, with numbers as they are: {}",
        near.normalize_text("Route 66, in 1926!")
    )?;
    match Profile::custom("wrong", ["nfkc", "references"], Options::default()) {
        Ok(_) => writeln!(out, "any order is possible")?,
        Err(error) => writeln!(out, "an order that cannot work: {error}")?,
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
