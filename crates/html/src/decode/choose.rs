//! Choice of a charset.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED,
};

use super::charset::{CharsetHints, CharsetSource};
use super::language::Language;
use super::{prescan, reading};
use crate::warning::{Warning, WarningKind};

/// Chooses the charset of a page by the precedence of the module. Adds a warning if the bytes contradict
/// the declared charset.
pub(super) fn choose(
    bytes: &[u8],
    hints: CharsetHints<'_>,
    warnings: &mut Vec<Warning>,
) -> (&'static Encoding, CharsetSource) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::Bom);
    }
    let label = |s: &str| Encoding::for_label(s.trim().as_bytes());
    // A label of the replacement charset, which decodes to no text, is ignored.
    if let Some(encoding) = hints.charset.and_then(label).filter(|&e| e != REPLACEMENT) {
        return (encoding, CharsetSource::Given);
    }
    let http = hints
        .content_type
        .and_then(prescan::charset_parameter)
        .and_then(label);
    // A label that is unknown counts as absent, so the page's own declaration decides.
    let declared = http
        .map(|e| (e, CharsetSource::Http))
        .or_else(|| prescan::prescan(bytes));
    let Some((encoding, source)) = declared else {
        return detect(bytes);
    };
    // A declaration that can be read as ASCII is not in UTF-16. `x-user-defined` is meant for scripts only,
    // so pages that declare it are read as windows-1252.
    let encoding = match encoding {
        e if e == UTF_16LE || e == UTF_16BE => detect_utf16(bytes).unwrap_or(UTF_8),
        e if e == X_USER_DEFINED => WINDOWS_1252,
        e => e,
    };
    let (found, why) = check_declared(bytes, encoding);
    if found != encoding {
        let message = format!(
            "{} says {}, the bytes are {}",
            source.name(),
            encoding.name(),
            found.name()
        );
        warnings.push(Warning::new(WarningKind::CharsetConflict, message));
        return (found, why);
    }
    (encoding, source)
}

/// Minimum number of non-ASCII bytes of a page for which valid UTF-8 is conclusive; fewer bytes may be valid by
/// accident, for example on a page of ten Chinese characters.
const CONCLUSIVE: usize = 64;

/// The charset indicated by the bytes if they contradict the declared one, else the declared one.
fn check_declared(bytes: &[u8], declared: &'static Encoding) -> (&'static Encoding, CharsetSource) {
    if declared == REPLACEMENT {
        // Browsers show nothing of such pages, as a protection against scripts. A crawled page still has text.
        return detect(bytes);
    }
    let high = bytes.iter().filter(|b| !b.is_ascii()).count();
    // Nothing contradicts the declaration.
    if high == 0 {
        return (declared, CharsetSource::Bytes);
    }
    // Valid UTF-8 with many characters beyond ASCII is hardly ever another charset.
    let utf8 = is_utf8(bytes);
    if declared == UTF_8 {
        if utf8 {
            return (UTF_8, CharsetSource::Bytes);
        }
        let (text, _) = UTF_8.decode_without_bom_handling(bytes);
        let broken = text.matches('\u{FFFD}').count();
        // A few invalid sequences are damage. More than one per three bytes beyond ASCII means that the
        // declaration is wrong.
        return if broken * 3 > high {
            detect(bytes)
        } else {
            (UTF_8, CharsetSource::Bytes)
        };
    }
    if utf8 {
        // ISO-2022-JP has no bytes beyond ASCII.
        let is_known = high >= CONCLUSIVE || declared == ISO_2022_JP;
        let is_utf8 = is_known || reading::is_utf_8(bytes, declared, prescan::language(bytes));
        return if is_utf8 {
            (UTF_8, CharsetSource::Bytes)
        } else {
            (declared, CharsetSource::Bytes)
        };
    }
    // Single-byte charsets decode any bytes, so invalid characters cannot show an error.
    if declared.is_single_byte() {
        return (declared, CharsetSource::Bytes);
    }
    check_multi_byte(bytes, declared)
}

/// Whether the bytes beyond ASCII are UTF-8. A cut page may end inside a character, if it has complete ones
/// before.
fn is_utf8(bytes: &[u8]) -> bool {
    let (valid, rest) = bytes.split_at(Encoding::utf8_valid_up_to(bytes));
    let is_cut = || std::str::from_utf8(rest).is_err_and(|error| error.error_len().is_none());
    rest.is_empty() || rest.len() < 4 && is_cut() && !valid.is_ascii()
}

/// Number of bytes of a page that are decoded to check a multi-byte charset.
const SAMPLE: usize = 32 << 10;

/// The declared charset, unless it makes many characters invalid and the detected charset makes few invalid.
fn check_multi_byte(bytes: &[u8], declared: &'static Encoding) -> (&'static Encoding, CharsetSource) {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let high = sample.iter().filter(|b| !b.is_ascii()).count();
    let invalid = |encoding: &'static Encoding| {
        let (text, _) = encoding.decode_without_bom_handling(sample);
        text.matches('\u{FFFD}').count()
    };
    let broken = invalid(declared);
    // Fewer than one invalid character in ten bytes beyond ASCII is damage.
    if broken * 10 < high {
        return (declared, CharsetSource::Bytes);
    }
    let (found, why) = detect(bytes);
    // The detector must do ten times better, since the declaration is evidence, too.
    if invalid(found) * 10 < broken {
        (found, why)
    } else {
        (declared, CharsetSource::Bytes)
    }
}

/// Determines the charset from the bytes and the language of the page alone.
fn detect(bytes: &[u8]) -> (&'static Encoding, CharsetSource) {
    if let Some(encoding) = detect_utf16(bytes) {
        return (encoding, CharsetSource::Bytes);
    }
    if is_utf8(bytes) {
        return (UTF_8, CharsetSource::Bytes);
    }
    // ISO-2022-JP is never guessed: it can hide markup in bytes that other readers take as ASCII.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let language: Option<&Language> = prescan::language(bytes);
    // The detector knows the charsets of countries, not of languages.
    let domain = language.map(|language| language.domain.as_bytes());
    let guess = detector.guess(domain, Utf8Detection::Allow);
    // Its statistics of pairs of letters need more than a few letters.
    let is_short = || {
        bytes
            .iter()
            .filter(|byte| !byte.is_ascii())
            .take(CONCLUSIVE)
            .count()
            < CONCLUSIVE
    };
    let found = match language {
        Some(language) if is_short() => reading::likeliest(bytes, guess, language),
        _ => guess,
    };
    (found, CharsetSource::Detector)
}

/// Detects UTF-16 without a byte order mark: markup is ASCII, so every other byte of it is NUL. `None` if
/// the page is not UTF-16.
fn detect_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024)];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    match () {
        // Each threshold is a share of the pairs: over 2/5 of one half of the bytes are NUL, and under 1/10
        // of the other half.
        () if pairs < 8 => None,
        () if odd * 5 > pairs * 2 && even * 10 < pairs => Some(UTF_16LE),
        () if even * 5 > pairs * 2 && odd * 10 < pairs => Some(UTF_16BE),
        () => None,
    }
}
