//! Letters of languages, and which languages a charset was made for.

use encoding_rs::Encoding;

/// The scripts that charsets before UTF-8 were made for, and the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
    Han,
    Kana,
    Hangul,
    /// Scripts of living languages without such a charset: Devanagari, Georgian and others.
    Other,
}

impl Script {
    /// Script of a letter; `None` for other characters, and for letters that no living language is written in.
    pub(super) fn of(c: char) -> Option<Script> {
        Some(match c {
            'A'..='Z' | 'a'..='z' => Script::Latin,
            '×' | '÷' => return None,
            '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
            '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Script::Greek,
            '\u{400}'..='\u{52F}' => Script::Cyrillic,
            '\u{590}'..='\u{5FF}' => Script::Hebrew,
            '\u{600}'..='\u{6FF}' => Script::Arabic,
            '\u{E01}'..='\u{E4E}' => Script::Thai,
            '\u{3040}'..='\u{30FF}' => Script::Kana,
            '\u{4E00}'..='\u{9FFF}' => Script::Han,
            '\u{AC00}'..='\u{D7A3}' => Script::Hangul,
            '\u{531}'..='\u{587}'
            | '\u{900}'..='\u{DFF}'
            | '\u{E80}'..='\u{EDF}'
            | '\u{F40}'..='\u{FBC}'
            | '\u{1000}'..='\u{109F}'
            | '\u{10D0}'..='\u{10FF}'
            | '\u{1200}'..='\u{137F}'
            | '\u{1780}'..='\u{17D3}' => Script::Other,
            _ => return None,
        })
    }

    /// Whether letters of both scripts may occur in one word.
    pub(super) fn goes_with(self, other: Script) -> bool {
        self == other
            || matches!(
                (self, other),
                (Script::Han | Script::Kana, Script::Han | Script::Kana)
            )
    }
}

/// A language that a page may declare.
#[derive(Debug)]
pub(super) struct Language {
    /// Its tag, or the primary part of it.
    tag: &'static str,
    /// Its scripts, the main one first.
    pub(super) scripts: &'static [Script],
    /// Its letters beyond ASCII, in lower case. Empty: all letters of its scripts.
    letters: &'static str,
    /// Domain of a country where it is written. The detector prefers the charsets of that country.
    pub(super) domain: &'static str,
}

impl Language {
    /// Language of a tag such as `de-AT`; `None` if it is not listed.
    pub(super) fn of(tag: &str) -> Option<&'static Language> {
        let tag = tag.trim().to_ascii_lowercase().replace('_', "-");
        // Longer tags stand before their primary parts.
        let fits = |known: &str| {
            tag.strip_prefix(known)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        LANGUAGES.iter().find(|language| fits(language.tag))
    }

    /// Charsets that the language was written in before UTF-8, the most frequent one first.
    pub(super) fn charsets(&self) -> impl Iterator<Item = &'static Encoding> {
        let labels: &[&str] = match (self.scripts[0], self.tag) {
            (_, "zh-hant" | "zh-hk" | "zh-tw") => &["big5"],
            (_, "bs" | "cs" | "hr" | "hu" | "pl" | "ro" | "sk" | "sl" | "sq" | "sr-latn") => {
                &["windows-1250", "iso-8859-2"]
            }
            (_, "et" | "lt" | "lv") => &["windows-1257"],
            (_, "tr") => &["windows-1254"],
            (_, "vi") => &["windows-1258"],
            (Script::Latin | Script::Other, _) => &["windows-1252"],
            (Script::Cyrillic, _) => &["windows-1251", "koi8-u", "iso-8859-5", "ibm866"],
            (Script::Greek, _) => &["windows-1253", "iso-8859-7"],
            (Script::Hebrew, _) => &["windows-1255"],
            (Script::Arabic, _) => &["windows-1256"],
            (Script::Thai, _) => &["windows-874"],
            (Script::Han, _) => &["gbk"],
            (Script::Kana, _) => &["shift_jis", "euc-jp"],
            (Script::Hangul, _) => &["euc-kr"],
        };
        labels
            .iter()
            .filter_map(|label| Encoding::for_label(label.as_bytes()))
    }

    /// Whether the language has the letter `c`.
    pub(super) fn has(&self, c: char) -> bool {
        let is_own = |script| self.scripts.contains(&script);
        match self.letters {
            "" => Script::of(c).is_some_and(is_own),
            letters => {
                letters.contains(c) || c.is_uppercase() && c.to_lowercase().all(|c| letters.contains(c))
            }
        }
    }
}

const fn language(
    tag: &'static str,
    scripts: &'static [Script],
    letters: &'static str,
    domain: &'static str,
) -> Language {
    Language {
        tag,
        scripts,
        letters,
        domain,
    }
}

const LATIN: &[Script] = &[Script::Latin];
const CYRILLIC: &[Script] = &[Script::Cyrillic];
const ARABIC: &[Script] = &[Script::Arabic];
const CHINESE: &[Script] = &[Script::Han];

const LANGUAGES: &[Language] = &[
    language("ar", ARABIC, "", "eg"),
    language("be", CYRILLIC, "абвгдеёжзійклмнопрстуўфхцчшыьэюя", "by"),
    language("bg", CYRILLIC, "абвгдежзийклмнопрстуфхцчшщъьюя", "bg"),
    language("bs", LATIN, "čćđšž", "ba"),
    language("ca", LATIN, "àçèéíïòóúü", "es"),
    language("cs", LATIN, "áčďéěíňóřšťúůýž", "cz"),
    language("da", LATIN, "æøåéö", "dk"),
    language("de", LATIN, "äöüßé", "de"),
    language(
        "el",
        &[Script::Greek],
        "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
        "gr",
    ),
    language("es", LATIN, "áéíñóúü", "es"),
    language("et", LATIN, "äõöüšž", "ee"),
    language("fa", ARABIC, "", "ir"),
    language("fi", LATIN, "äöå", "fi"),
    language("fr", LATIN, "àâæçéèêëîïôœùûüÿ", "fr"),
    language("ga", LATIN, "áéíóú", "ie"),
    language("he", &[Script::Hebrew], "", "il"),
    language("hr", LATIN, "čćđšž", "hr"),
    language("hu", LATIN, "áéíóöőúüű", "hu"),
    language("is", LATIN, "áðéíóúýþæö", "is"),
    language("it", LATIN, "àèéìíîòóùú", "it"),
    language("iw", &[Script::Hebrew], "", "il"),
    language("ja", &[Script::Kana, Script::Han], "", "jp"),
    language("ko", &[Script::Hangul, Script::Han], "", "kr"),
    language("lt", LATIN, "ąčęėįšųūž", "lt"),
    language("lv", LATIN, "āčēģīķļņšūž", "lv"),
    language("mk", CYRILLIC, "абвгдѓежзѕијклљмнњопрстќуфхцчџш", "mk"),
    language("nb", LATIN, "æøåéòô", "no"),
    language("nl", LATIN, "áéëïóöü", "nl"),
    language("nn", LATIN, "æøåéòô", "no"),
    language("no", LATIN, "æøåéòô", "no"),
    language("pl", LATIN, "ąćęłńóśźż", "pl"),
    language("pt", LATIN, "áâãàçéêíóôõúü", "pt"),
    language("ro", LATIN, "ăâîșțşţ", "ro"),
    language("ru", CYRILLIC, "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "ru"),
    language("sk", LATIN, "áäčďéíĺľňóôŕšťúýž", "sk"),
    language("sl", LATIN, "čšž", "si"),
    language("sq", LATIN, "çë", "al"),
    language("sr-latn", LATIN, "čćđšž", "rs"),
    language("sr", CYRILLIC, "абвгдђежзијклљмнњопрстћуфхцчџш", "rs"),
    language("sv", LATIN, "åäöé", "se"),
    language("th", &[Script::Thai], "", "th"),
    language("tr", LATIN, "çğıöşüâîû", "tr"),
    language("uk", CYRILLIC, "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", "ua"),
    language("vi", LATIN, VIETNAMESE, "vn"),
    language("zh-hant", CHINESE, "", "tw"),
    language("zh-hk", CHINESE, "", "hk"),
    language("zh-tw", CHINESE, "", "tw"),
    language("zh", CHINESE, "", "cn"),
];

const VIETNAMESE: &str =
    "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ\u{300}\u{301}\u{303}\u{309}\u{323}";

/// Letters of Western European languages, and of the languages that use the other scripts most.
const COMMON: &str =
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýßœабвгдеёжзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ";

/// Whether texts all over the world use the letter often.
pub(super) fn is_common(c: char) -> bool {
    match c {
        // The basic letters of Hebrew, Arabic and Thai.
        '\u{5D0}'..='\u{5EA}' | '\u{621}'..='\u{64A}' | '\u{E01}'..='\u{E4E}' => true,
        _ => COMMON.contains(c) || c.is_uppercase() && c.to_lowercase().all(|c| COMMON.contains(c)),
    }
}

/// Whether a language of the list has the letter.
pub(super) fn is_modern(c: char) -> bool {
    match c {
        // Letters, signs and digits of Persian, whose entry in the list names no letters.
        'پ' | 'چ' | 'ژ' | 'ک' | 'گ' | 'ی' | '\u{64B}'..='\u{652}' | '\u{6F0}'..='\u{6F9}' => true,
        _ => LANGUAGES
            .iter()
            .any(|language| !language.letters.is_empty() && language.has(c)),
    }
}

/// Whether letters of a script are expected on a page: those of its language or, if it is not known, of its
/// declared charset.
pub(super) fn is_expected(script: Script, label: &'static Encoding, language: Option<&Language>) -> bool {
    language
        .map_or(scripts_of(label), |language| language.scripts)
        .contains(&script)
}

/// Scripts that a charset was made for.
fn scripts_of(charset: &'static Encoding) -> &'static [Script] {
    match charset.name() {
        "GBK" | "gb18030" | "Big5" => CHINESE,
        "EUC-JP" | "ISO-2022-JP" | "Shift_JIS" => &[Script::Kana, Script::Han],
        "EUC-KR" => &[Script::Hangul, Script::Han],
        "IBM866" | "ISO-8859-5" | "KOI8-R" | "KOI8-U" | "windows-1251" | "x-mac-cyrillic" => CYRILLIC,
        "ISO-8859-6" | "windows-1256" => ARABIC,
        "ISO-8859-7" | "windows-1253" => &[Script::Greek],
        "ISO-8859-8" | "ISO-8859-8-I" | "windows-1255" => &[Script::Hebrew],
        "windows-874" => &[Script::Thai],
        _ => LATIN,
    }
}
