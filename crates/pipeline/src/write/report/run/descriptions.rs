//! Descriptions of reasons, warnings and languages. Functions return an empty text for unknown codes, which are shown without a
//! description.

use crate::record::{DAMAGED_SOURCE, DEEP_FIELD, NO_LAYOUT, TRUNCATED};

/// Why a record was dropped.
pub(super) fn drop_reason(reason: &str) -> &'static str {
    match reason {
        "unreadable" => "the file could not be opened or read",
        "compressed" => "compressed, and to be unpacked first",
        "truncated" => "the input ends within the record",
        "line-too-long" => "longer than any record may be",
        "bad-json" => "no JSON object of the expected form",
        "bad-xml" => "its XML document has no end, or its file is no XML",
        "bad-base64" => "its page is not valid base64",
        "bad-archive" => "its archive is damaged there",
        "missing-content" => "it names no page",
        "bad-index" => {
            "a row of the index names no capture: it has no file, no address, or a place that is no number"
        }
        "path-not-allowed" => "it names a file outside of the folders that records may name files in",
        "panic" => "the program failed on it: a defect worth reporting",
        "killed" => {
            "the process that worked on it died, twice: a defect worth reporting, or too little memory"
        }
        "unrendered" => "the browser could not render it, or not within its bounds",
        "empty" => "no main text",
        "exact-duplicate" => "copy of a kept document",
        "near-duplicate" => "similar to a kept document",
        "known-duplicate" => "similar to a document of the index",
        "too-much-repeated" => "too much of it stands elsewhere, too",
        "contained" => "its tokens stand in a kept document",
        "same-url" => "another document of its address was compared in its place",
        _ => "",
    }
}

/// Meaning of a warning.
pub(super) fn warning(code: &str) -> &'static str {
    match code {
        "bytes-limit" => "longer than is read; the rest was cut off",
        "depth-limit" => "nested too deeply; inner elements became siblings",
        "formatting-limit" => "too many unclosed formatting elements; the rest was ignored",
        "reopened-limit" => {
            "unclosed formatting elements opened again too often; later ones ended with their block"
        }
        "names-limit" => "too many unknown tag names; the rest share one",
        "unclosed" => {
            "an element or a comment without an end held the rest of the page, and was closed at the first tag in it"
        }
        "nodes-limit" => "too many nodes; later tags were ignored, their text kept",
        "attributes-limit" => "an element with too many attributes; the rest was dropped",
        "attribute-bytes-limit" => "overlong attribute values were cut",
        "steps-limit" => {
            "the page took more work than its length allows; what had been found by then was used"
        }
        "deadline" => "time ran out; what had been read by then was used",
        "malformed-charset" => "bytes that are invalid in the page’s charset",
        "charset-conflict" => "different places name different charsets",
        "binary" => "no text but a binary file",
        "no-text" => "no text at all",
        "doubtful-text" => "more than half of the words that may be main text may as well be boilerplate",
        "no-main-text" => "text, but no main text in it",
        "fallback" => "the first method abstained and another one answered",
        "rule-silent" => "a rule by hand is there for the page, but finds nothing",
        "rule-limit" => "a rule by hand was given up: too many steps or nodes",
        "unknown-layout" => "templates of the site are known, but none fits",
        "layout-mismatch" => "its layout is of another page, or of another version of it, and was not used",
        "broken-json" => "unreadable JSON-LD was skipped",
        "language-conflict" => "it declares another language than that of its text, which was taken",
        "output-limit" => "far more text than page; the rest was cut off",
        DAMAGED_SOURCE => "its bytes are not all as they were sent; what is there was used",
        TRUNCATED => "its end is missing, with that of its archive; what is there was used",
        DEEP_FIELD => "a field of the record is nested too deep to be carried along",
        NO_LAYOUT => "the file of layouts has none of it",
        _ => "",
    }
}

/// Why a file below an input folder was not read.
pub(super) fn skip_reason(reason: &str) -> &'static str {
    match reason {
        "hidden" => "name starts with a dot",
        "other-extension" => "another kind of file by its name",
        "other-content" => "no page by its first bytes",
        "linked-folder" => "link to a folder",
        "special-file" => "neither file nor folder",
        _ => "",
    }
}

/// Why a valid record of an archive was not read.
pub(super) fn record_kind(kind: &str) -> &'static str {
    match kind {
        "response" | "resource" => "page of an archive, where texts are read",
        "conversion" => "text of a page, where pages are read",
        "request" => "what a crawler asked for",
        "revisit" => "a page that was as it had been before",
        "metadata" | "warcinfo" | "other-record" => "what a crawler noted",
        "http-redirect" => "answer that names another address",
        "http-error" => "answer that tells of an error",
        "not-html" => "no HTML by its type or its bytes",
        "folder" | "link" | "special-file" => "no file with a content of its own",
        "hidden" => "a file or folder whose name begins with a dot",
        "inner-archive" => "an archive inside an archive",
        "other-extension" => "no HTML by its name",
        "other-content" => "no HTML by its first bytes",
        "sparse-file" => "a file whose holes were left out",
        "pdf" => "a PDF document, which is not read",
        "office" => "an office document, which is not read",
        "epub" => "a book, which is not read before it is unpacked",
        "image" => "an image",
        "media" => "audio or video",
        "packed" => "an archive of 7z or rar, which is not read before it is unpacked",
        "feed" => "a feed or a sitemap, which lists pages",
        "json" => "JSON where a page should be",
        "cdx" => "an index of archives",
        _ => "",
    }
}

/// English name of a language (ISO 639), for the languages of most web pages.
pub(super) fn language(code: &str) -> &'static str {
    LANGUAGES
        .binary_search_by_key(&code, |(known, _)| known)
        .map_or("", |i| LANGUAGES[i].1)
}

/// Sorted by code.
const LANGUAGES: &[(&str, &str)] = &[
    ("af", "Afrikaans"),
    ("ak", "Akan"),
    ("am", "Amharic"),
    ("ar", "Arabic"),
    ("az", "Azerbaijani"),
    ("be", "Belarusian"),
    ("bg", "Bulgarian"),
    ("bn", "Bengali"),
    ("bs", "Bosnian"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gl", "Galician"),
    ("gu", "Gujarati"),
    ("he", "Hebrew"),
    ("hi", "Hindi"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("hy", "Armenian"),
    ("id", "Indonesian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("jv", "Javanese"),
    ("ka", "Georgian"),
    ("kk", "Kazakh"),
    ("km", "Khmer"),
    ("kn", "Kannada"),
    ("ko", "Korean"),
    ("ky", "Kyrgyz"),
    ("la", "Latin"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("ml", "Malayalam"),
    ("mn", "Mongolian"),
    ("mr", "Marathi"),
    ("ms", "Malay"),
    ("my", "Burmese"),
    ("nb", "Norwegian Bokmål"),
    ("ne", "Nepali"),
    ("nl", "Dutch"),
    ("nn", "Norwegian Nynorsk"),
    ("no", "Norwegian"),
    ("or", "Odia"),
    ("pa", "Punjabi"),
    ("pl", "Polish"),
    ("ps", "Pashto"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("si", "Sinhala"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("sn", "Shona"),
    ("sq", "Albanian"),
    ("sr", "Serbian"),
    ("sv", "Swedish"),
    ("sw", "Swahili"),
    ("ta", "Tamil"),
    ("te", "Telugu"),
    ("tg", "Tajik"),
    ("th", "Thai"),
    ("tk", "Turkmen"),
    ("tl", "Tagalog"),
    ("tr", "Turkish"),
    ("tt", "Tatar"),
    ("uk", "Ukrainian"),
    ("und", "unknown"),
    ("ur", "Urdu"),
    ("uz", "Uzbek"),
    ("vi", "Vietnamese"),
    ("yi", "Yiddish"),
    ("zh", "Chinese"),
    ("zu", "Zulu"),
];

/// Kind of damage that was repaired in records.
pub(super) fn flaw(name: &str) -> &'static str {
    match name {
        "invalid-utf8" => "bytes that are not UTF-8 became U+FFFD",
        "lone-surrogate" => "half of a surrogate pair became U+FFFD",
        "control-character" => "a control character in a string was escaped",
        "nan" => "NaN or Infinity became null",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_warning_and_every_reason_has_a_description() {
        for code in dehusk_extract::WarningKind::ALL {
            assert_ne!(warning(code.name()), "", "{}", code.name());
        }
        assert!(
            [DAMAGED_SOURCE, DEEP_FIELD, NO_LAYOUT, TRUNCATED]
                .iter()
                .all(|code| !warning(code).is_empty())
        );
        for kind in crate::read::format::skipped_records() {
            assert_ne!(record_kind(kind), "", "{kind}");
        }
        for flaw in crate::record::mend::Flaw::ALL {
            assert_ne!(super::flaw(flaw.name()), "", "{}", flaw.name());
        }
        for reason in crate::record::Reason::ALL {
            assert_ne!(drop_reason(reason.name()), "", "{}", reason.name());
        }
    }

    #[test]
    fn languages_are_sorted_and_found() {
        assert!(LANGUAGES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(language("ru"), "Russian");
        assert_eq!(language("und"), "unknown");
        assert_eq!(language("tlh"), "");
    }
}
