//! Licences by their addresses and names.

/// Returns the short name of a licence, such as `CC BY-SA 4.0`, `CC0 1.0`, `MIT` or `OGL-UK-3.0`, from an
/// address or a text; `None` if it names no known licence.
pub(super) fn name(text: &str) -> Option<String> {
    of_address(text).or_else(|| of_text(text))
}

/// Returns the name of a licence of Creative Commons, or of another known one, from its address.
fn of_address(address: &str) -> Option<String> {
    let lower = address.trim().to_ascii_lowercase();
    if let Some(at) = lower.find("creativecommons.org/") {
        let mut parts = lower[at..].split(['/', '?', '#']).skip(1);
        return match (parts.next()?, parts.next()?) {
            ("licenses", terms) if is_terms(terms) => {
                let version = parts.next().filter(|part| is_version(part));
                // Only licences before version 4.0 were ported to countries.
                let country = parts.next().filter(|part| {
                    (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase())
                });
                Some(join(
                    terms,
                    version,
                    country.filter(|_| version.is_some_and(|version| !version.starts_with('4'))),
                ))
            }
            ("publicdomain", "zero") => Some("CC0 1.0".to_owned()),
            ("publicdomain", "mark") => Some("Public Domain Mark 1.0".to_owned()),
            _ => None,
        };
    }
    const ADDRESSES: [(&str, &str); 8] = [
        ("gnu.org/copyleft/fdl", "GFDL"),
        ("gnu.org/licenses/fdl", "GFDL"),
        ("apache.org/licenses/license-2.0", "Apache-2.0"),
        ("opensource.org/licenses/mit", "MIT"),
        ("opensource.org/license/mit", "MIT"),
        (
            "nationalarchives.gov.uk/doc/open-government-licence/version/3",
            "OGL-UK-3.0",
        ),
        ("govdata.de/dl-de/by-2-0", "DL-DE-BY-2.0"),
        ("etalab.gouv.fr/licence-ouverte", "etalab-2.0"),
    ];
    let known = ADDRESSES.iter().find(|(part, _)| lower.contains(part));
    known.map(|&(_, name)| name.to_owned())
}

/// Returns the name of a licence of Creative Commons from a short text, such as `CC-BY-SA 3.0`.
pub(super) fn of_text(text: &str) -> Option<String> {
    let upper = text.to_ascii_uppercase();
    let at = upper.find("CC")?;
    // `CC` must begin a word.
    let before = upper[..at].chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let rest = &upper[at + 2..];
    if let Some(rest) = rest.strip_prefix('0') {
        let alone = !rest.starts_with(|c: char| c.is_alphanumeric());
        return alone.then(|| "CC0 1.0".to_owned());
    }
    let mut words = rest
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .filter(|word| !word.is_empty())
        .peekable();
    // Terms follow in any form: `CC BY-SA`, `cc by nc`.
    let mut terms = String::new();
    while let Some(term) = words.next_if(|word| matches!(*word, "BY" | "NC" | "ND" | "SA")) {
        if !terms.is_empty() {
            terms.push('-');
        }
        terms.push_str(&term.to_ascii_lowercase());
    }
    if !is_terms(&terms) {
        return None;
    }
    let version = words.next_if(|word| is_version(word));
    let country = words.next().filter(|word| {
        version.is_some()
            && matches!(
                *word,
                "DE" | "AT" | "CH" | "US" | "FR" | "UK" | "IT" | "ES" | "NL" | "PL"
            )
    });
    Some(join(
        &terms,
        version,
        country.map(str::to_ascii_lowercase).as_deref(),
    ))
}

/// Whether a text is the terms of a licence of Creative Commons: `by-nc-sa`.
fn is_terms(terms: &str) -> bool {
    matches!(
        terms,
        "by" | "by-sa" | "by-nd" | "by-nc" | "by-nc-sa" | "by-nc-nd" | "by-nd-nc" | "sa" | "nc"
    )
}

/// Whether a text is the version of a licence: `3.0`, `2.5`.
fn is_version(text: &str) -> bool {
    matches!(text.as_bytes(), [b'1'..=b'4', b'.', b'0' | b'5'])
}

/// Joins the parts of a name: `CC BY-SA 3.0 DE`.
fn join(terms: &str, version: Option<&str>, country: Option<&str>) -> String {
    let terms = if terms == "by-nd-nc" { "by-nc-nd" } else { terms };
    let mut out = format!("CC {}", terms.to_ascii_uppercase());
    for part in [version, country].into_iter().flatten() {
        out.push(' ');
        out.push_str(&part.to_ascii_uppercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_by_address_and_name() {
        for (text, want) in [
            (
                "https://creativecommons.org/licenses/by-sa/4.0/",
                Some("CC BY-SA 4.0"),
            ),
            (
                "//creativecommons.org/licenses/by-nc-nd/3.0/de/deed.en",
                Some("CC BY-NC-ND 3.0 DE"),
            ),
            (
                "http://creativecommons.org/licenses/by/4.0/deed.de",
                Some("CC BY 4.0"),
            ),
            (
                "https://creativecommons.org/licenses/by/3.0/deed.de",
                Some("CC BY 3.0"),
            ),
            (
                "https://creativecommons.org/publicdomain/zero/1.0/",
                Some("CC0 1.0"),
            ),
            ("https://creativecommons.org/about", None),
            ("https://opensource.org/licenses/MIT", Some("MIT")),
            ("Text: CC-BY-SA 3.0 DE", Some("CC BY-SA 3.0 DE")),
            ("cc by nc, Ann Lee", Some("CC BY-NC")),
            ("CC: Ann Lee", None),
            ("ACC BY 4.0", None),
            ("CC0", Some("CC0 1.0")),
            ("", None),
        ] {
            assert_eq!(name(text).as_deref(), want, "{text}");
        }
    }
}
