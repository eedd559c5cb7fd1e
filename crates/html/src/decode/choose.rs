//! Choice of a charset.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::charset::{CharsetHints, CharsetSource};
use super::{prescan, reading};
use crate::warning::{Warning, WarningKind};

pub(super) fn choose(
    bytes: &[u8],
    hints: CharsetHints<'_>,
    warnings: &mut Vec<Warning>,
) -> (&'static Encoding, CharsetSource) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::Bom);
    }
    let label = |s: &str| Encoding::for_label(s.trim().as_bytes());
    if let Some(encoding) = hints.charset.and_then(label).filter(|&e| e != REPLACEMENT) {
        return (encoding, CharsetSource::Given);
    }
    let http = hints
        .content_type
        .and_then(prescan::charset_parameter)
        .and_then(label);
    let declared = http
        .map(|e| (e, CharsetSource::Http))
        .or_else(|| prescan::prescan(bytes));
    let Some((encoding, source)) = declared else {
        return detect(bytes);
    };
    // A declaration readable as ASCII cannot be in UTF-16. `x-user-defined` is only meant for scripts.
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

/// Fewest non-ASCII bytes of a page for which valid UTF-8 is conclusive; fewer bytes may be valid by accident.
const FEW_BYTES: usize = 6;

/// The charset indicated by the bytes if they contradict the declared one, else the declared one.
fn check_declared(bytes: &[u8], declared: &'static Encoding) -> (&'static Encoding, CharsetSource) {
    if declared == REPLACEMENT {
        // Browsers show nothing of such pages, as a protection against scripts. A crawled page still has text.
        return detect(bytes);
    }
    let high = bytes.iter().filter(|b| !b.is_ascii()).count();
    if high == 0 {
        return (declared, CharsetSource::Bytes);
    }
    let valid = Encoding::utf8_valid_up_to(bytes);
    // A cut page may end inside a character.
    let utf8 = valid + 3 >= bytes.len();
    if declared != UTF_8 && !declared.is_single_byte() && !utf8 {
        return check_multi_byte(bytes, declared);
    }
    if declared != UTF_8 {
        // Legacy text with six non-ASCII bytes is hardly ever valid UTF-8 by accident. With fewer bytes, the more plausible reading decides.
        let is_utf8 = utf8
            && declared.is_ascii_compatible()
            && (high >= FEW_BYTES || reading::is_likelier(bytes, UTF_8, declared));
        return if is_utf8 {
            (UTF_8, CharsetSource::Bytes)
        } else {
            (declared, CharsetSource::Bytes)
        };
    }
    if utf8 {
        return (UTF_8, CharsetSource::Bytes);
    }
    let (text, _) = UTF_8.decode_without_bom_handling(bytes);
    let broken = text.matches('\u{FFFD}').count();
    // A few invalid sequences are damage. If most non-ASCII letters are invalid, the declaration is wrong.
    if broken * 3 > high {
        detect(bytes)
    } else {
        (UTF_8, CharsetSource::Bytes)
    }
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
    if broken * 10 < high {
        return (declared, CharsetSource::Bytes);
    }
    let (found, why) = detect(bytes);
    if invalid(found) * 10 < broken {
        (found, why)
    } else {
        (declared, CharsetSource::Bytes)
    }
}

fn detect(bytes: &[u8]) -> (&'static Encoding, CharsetSource) {
    if let Some(encoding) = detect_utf16(bytes) {
        return (encoding, CharsetSource::Bytes);
    }
    if Encoding::utf8_valid_up_to(bytes) + 3 >= bytes.len() {
        return (UTF_8, CharsetSource::Bytes);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    (
        detector.guess(None, Utf8Detection::Allow),
        CharsetSource::Detector,
    )
}

/// Detects UTF-16 without a byte order mark: markup is ASCII, so every other byte of it is NUL. `None` if the page is not UTF-16.
fn detect_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024)];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    match () {
        () if pairs < 8 => None,
        () if odd * 5 > pairs * 2 && even * 10 < pairs => Some(UTF_16LE),
        () if even * 5 > pairs * 2 && odd * 10 < pairs => Some(UTF_16BE),
        () => None,
    }
}
