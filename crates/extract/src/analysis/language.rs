//! The language of a page: the declared one, checked against its text, or the detected one.

use whatlang::{Lang, Script, detect, detect_script};

/// Number of characters, from the start of the page's text, whose scripts are counted.
const SAMPLE: usize = 4000;
/// Number of characters passed to the language detector when scripts alone do not settle the language.
///
/// Of 2,939 labelled pages that declare a language, the detector agrees with the declaration on 2,855 with
/// this sample, and on 2,853 with a sample four times as long.
const DETECTED: usize = 1000;
/// Minimum number of characters of text for which the language is checked or detected.
const MIN_CHARS: usize = 40;

/// Language of a page as ISO 639-1 code if there is one, else 639-3; `None` if it is unknown.
///
/// The declared language stands unless the text is in a script that the language is not written in, or
/// unless text or declaration is English and frequent words of English show that the two differ: templates
/// name the language of the software, not of the text.
pub(crate) fn language<'a>(
    declared: Option<&str>,
    texts: impl Iterator<Item = &'a str> + Clone,
) -> Option<String> {
    let declared = declared.and_then(primary_subtag);
    let matches_declared = |script| declared.as_deref().is_some_and(|d| matches_script(d, script));
    let [declares_latin, declares_cyrillic, declares_mandarin] =
        [Script::Latin, Script::Cyrillic, Script::Mandarin].map(matches_declared);
    let mut left = SAMPLE;
    let mut found = Letters::default();
    // Number of texts read so far, and number of bytes read of the last one.
    let (mut count, mut end) = (0, 0);
    for text in texts.clone() {
        (count, end) = (count + 1, found.read(text.as_bytes(), &mut left));
        // Stop early once the rest of the sample cannot change which script has the majority.
        let most = (found.latin + found.other + left) / 2;
        if declares_latin && found.latin > most {
            return latin_language(declared, texts);
        }
        if declares_cyrillic && found.cyrillic > most || declares_mandarin && found.mandarin > most {
            return declared;
        }
        if left == 0 {
            break;
        }
    }
    let Letters {
        latin,
        other,
        cyrillic,
        mandarin,
        kana,
    } = found;
    if SAMPLE - left < MIN_CHARS {
        return declared;
    }
    // A text of mostly ASCII letters is Latin.
    if declares_latin && latin > other {
        return latin_language(declared, texts);
    }
    // A majority of letters in one script settles the script without `detect_script`.
    let most = match latin + other {
        all if 2 * cyrillic > all => Some(Script::Cyrillic),
        all if 2 * mandarin > all => Some(Script::Mandarin),
        _ => None,
    };
    if most.is_some_and(matches_declared) {
        return declared;
    }
    if most == Some(Script::Mandarin) && kana == 0 {
        return Some("zh".to_owned());
    }
    let sample = sample(texts.take(count), end);
    // A declaration that the script does not contradict stands.
    if declared.is_some() && detect_script(&sample).is_none_or(matches_declared) {
        return declared;
    }
    if most == Some(Script::Cyrillic) && is_kazakh(&sample) {
        return Some("kk".to_owned());
    }
    let end = sample
        .char_indices()
        .nth(DETECTED)
        .map_or(sample.len(), |(end, _)| end);
    let start = &sample[..end];
    // Cheap tests for frequent languages first: the detector compares a text with dozens.
    if latin > other && is_english(start) {
        return Some("en".to_owned());
    }
    if most == Some(Script::Cyrillic) && is_russian(start) {
        return Some("ru".to_owned());
    }
    detect(start).map_or(declared, |found| Some(code(found.lang()).to_owned()))
}

/// Language of a text in Latin letters.
///
/// Declared English stands, unless the text has few frequent words of English and the detector is sure of
/// another language. Another declared language is replaced by English if the text has as many of these
/// words as English texts have.
fn latin_language<'a>(declared: Option<String>, texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut start = String::with_capacity(2 * DETECTED);
    let mut left = DETECTED;
    for text in texts {
        for c in text.chars().take(left) {
            start.push(c);
            left -= 1;
        }
        if left == 0 {
            break;
        }
        start.push(' ');
    }
    // Another language is declared.
    if declared.as_deref() != Some("en") {
        return match is_english(&start) && DETECTED - left >= MIN_CLEAR {
            true => Some("en".to_owned()),
            false => declared,
        };
    }
    let (words, known) = english_words(&start);
    if words < MIN_WORDS || MAX_KNOWN * known > words {
        return declared;
    }
    let found = detect(&start).filter(|found| found.is_reliable() && found.script() == Script::Latin);
    found.map_or(declared, |found| Some(code(found.lang()).to_owned()))
}

/// Minimum number of characters of a text in Latin letters that replace another declared language by English.
const MIN_CLEAR: usize = 200;
/// Minimum number of words of a text that replace declared English by another language.
const MIN_WORDS: usize = 40;
/// English texts have at least one frequent word in this many words.
const MAX_KNOWN: usize = 33;

/// Message if the page declares another language than that of its text; `None` otherwise.
pub(crate) fn conflict(declared: Option<&str>, language: Option<&str>) -> Option<String> {
    let (declared, language) = (primary_subtag(declared?)?, language?);
    (declared != language)
        .then(|| format!("the page declares the language `{declared}`, but its text is in `{language}`"))
}

/// Whether a text is English: at least a tenth of its words are frequent in English and hardly occur in
/// other languages that the detector knows (the scheme of short words in Grefenstette, *Comparing two
/// language identification schemes*, 1995), and accented letters are rare.
///
/// Most texts without a declared language are English, and the detector compares each with dozens of languages.
fn is_english(text: &str) -> bool {
    let (words, known) = english_words(text);
    let accented = text.bytes().filter(|byte| matches!(byte, 0xC3..=0xCF)).count();
    known >= MIN_ENGLISH && 10 * known >= words && 100 * accented <= words
}

/// Number of words of a text, and of words that are frequent in English.
fn english_words(text: &str) -> (usize, usize) {
    let (mut words, mut known) = (0, 0);
    let all = text.as_bytes().split(|byte| !byte.is_ascii_alphabetic());
    for word in all.filter(|word| !word.is_empty()) {
        words += 1;
        let mut lower = [0; 5];
        if let Some(lower) = lower.get_mut(..word.len()) {
            lower.copy_from_slice(word);
            lower.make_ascii_lowercase();
            known += usize::from(is_english_word(lower));
        }
    }
    (words, known)
}

/// Whether `word`, lower-cased, is one of the frequent words of English.
fn is_english_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"it"
            | b"the"
            | b"and"
            | b"you"
            | b"but"
            | b"not"
            | b"our"
            | b"how"
            | b"who"
            | b"that"
            | b"with"
            | b"this"
            | b"from"
            | b"they"
            | b"been"
            | b"your"
            | b"what"
            | b"when"
            | b"which"
            | b"their"
            | b"would"
            | b"there"
            | b"about"
            | b"these"
    )
}

/// Minimum number of matches of [`is_english_word`] in an English text.
const MIN_ENGLISH: usize = 6;

/// Joins `texts` with spaces; the last text is cut at byte `end`.
fn sample<'a>(texts: impl Iterator<Item = &'a str>, end: usize) -> String {
    let mut out = String::with_capacity(2 * SAMPLE);
    let mut start = 0;
    for (i, text) in texts.enumerate() {
        if i > 0 {
            out.push(' ');
        }
        start = out.len();
        out.push_str(text);
    }
    out.truncate(start + end);
    out
}

/// Whether a text in Cyrillic letters is Kazakh, which the detector does not support.
///
/// True if at least one letter in twenty is a Kazakh letter absent from Russian, and both қ and ұ (unique
/// to Kazakh) occur.
fn is_kazakh(text: &str) -> bool {
    let has = |letters: [&str; 2]| letters.iter().any(|letter| text.contains(letter));
    has(["ұ", "Ұ"]) && has(["қ", "Қ"]) && {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let own = text.chars().filter(|&c| "әғқңөұүһӘҒҚҢӨҰҮҺ".contains(c)).count();
        20 * own >= letters
    }
}

/// Whether a text in Cyrillic letters is Russian, the most frequent case among texts without a declared language.
///
/// True if every letter belongs to the Russian alphabet and at least one in two hundred is ы. Of the
/// languages that the detector supports, only Belarusian also uses ы, and it has letters that Russian
/// lacks.
fn is_russian(text: &str) -> bool {
    let (mut own, mut letters, mut others) = (0, 0, 0);
    for c in text.chars() {
        match c {
            'ы' | 'Ы' => own += 1,
            'А'..='я' | 'Ё' | 'ё' => letters += 1,
            '\u{400}'..='\u{52F}' => return false,
            'a'..='z' | 'A'..='Z' | '\u{80}'.. => others += 1,
            _ => {}
        }
    }
    letters > others && 200 * own >= letters
}

/// Bytes per vector step: the compiler turns loops over this many bytes into vector instructions.
const STEP: usize = 16;

/// Maximum number of steps in a row before the sums are read: each step adds at most 1 to an 8-bit counter.
const MAX_STEPS: usize = u8::MAX as usize;

/// Letters of a text counted by script, judged by the first bytes of their UTF-8 encodings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Letters {
    /// ASCII letters.
    latin: usize,
    /// All characters outside of ASCII.
    other: usize,
    /// Letters of U+0400 to U+047F.
    cyrillic: usize,
    /// Letters of U+5000 to U+8FFF.
    mandarin: usize,
    /// Letters of U+3040 to U+30FF, judged by two bytes.
    kana: usize,
}

impl Letters {
    /// Counts `bytes` until `left` characters are read; subtracts the characters read from `left`. Returns
    /// the number of bytes read.
    fn read(&mut self, bytes: &[u8], left: &mut usize) -> usize {
        let mut end = 0;
        while *left >= STEP {
            let rest = &bytes[end..];
            // `add` needs one byte of look-ahead, so the last byte never completes a step.
            let steps = (rest.len().saturating_sub(1) / STEP)
                .min(*left / STEP)
                .min(MAX_STEPS);
            if steps == 0 {
                // Padding with continuation bytes: they begin no character and count for no script.
                let mut step = [0x80; STEP + 1];
                step[..rest.len()].copy_from_slice(rest);
                *left -= self.add(&step);
                return bytes.len();
            }
            *left -= self.add(&rest[..=steps * STEP]);
            end += steps * STEP;
        }
        // Fewer than `STEP` characters are left to count: byte by byte, so that the sample ends exactly.
        while let Some(&byte) = bytes.get(end) {
            let begins = byte & 0xC0 != 0x80;
            if begins && *left == 0 {
                break;
            }
            *left -= usize::from(begins);
            self.add_byte(byte, bytes.get(end + 1).copied().unwrap_or(0));
            end += 1;
        }
        end
    }

    fn add_byte(&mut self, byte: u8, next: u8) {
        self.latin += usize::from(is_latin(byte));
        self.other += usize::from(byte >= 0xC0);
        self.cyrillic += usize::from(is_cyrillic(byte));
        self.mandarin += usize::from(is_mandarin(byte));
        self.kana += usize::from(is_kana(byte, next));
    }

    /// Counts all bytes but the last, which only serves as look-ahead; returns how many characters begin among them.
    ///
    /// The length of `bytes` is a multiple of [`STEP`] plus one.
    fn add(&mut self, bytes: &[u8]) -> usize {
        let (steps, _) = bytes.as_chunks::<STEP>();
        let (next, _) = bytes[1..].as_chunks::<STEP>();
        let (mut begin, mut latin, mut other) = ([0_u8; STEP], [0_u8; STEP], [0_u8; STEP]);
        let (mut cyrillic, mut mandarin, mut kana) = ([0_u8; STEP], [0_u8; STEP], [0_u8; STEP]);
        // `read` passes at most `MAX_STEPS` steps, so that no 8-bit counter overflows.
        for (step, next) in steps.iter().zip(next) {
            for i in 0..STEP {
                begin[i] += u8::from(step[i] & 0xC0 != 0x80);
                latin[i] += u8::from(is_latin(step[i]));
                other[i] += u8::from(step[i] >= 0xC0);
                cyrillic[i] += u8::from(is_cyrillic(step[i]));
                mandarin[i] += u8::from(is_mandarin(step[i]));
                kana[i] += u8::from(is_kana(step[i], next[i]));
            }
        }
        self.latin += sum(latin);
        self.other += sum(other);
        self.cyrillic += sum(cyrillic);
        self.mandarin += sum(mandarin);
        self.kana += sum(kana);
        sum(begin)
    }
}

/// Sum of the bytes, computed in four 16-bit lanes at a time.
fn sum(bytes: [u8; STEP]) -> usize {
    const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
    let all = u128::from_le_bytes(bytes);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of 128 bits")]
    let lanes = [all as u64, (all >> 64) as u64].map(|half| (half & EVEN) + (half >> 8 & EVEN));
    // The multiplication adds up the four lanes in the top 16 bits.
    ((lanes[0] + lanes[1]).wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
}

/// Whether a byte is an ASCII letter.
fn is_latin(byte: u8) -> bool {
    (byte | 0x20).wrapping_sub(b'a') < 26
}

/// Whether a byte begins a character of U+0400 to U+047F.
fn is_cyrillic(byte: u8) -> bool {
    byte | 1 == 0xD1
}

/// Whether a byte begins a character of U+5000 to U+8FFF.
fn is_mandarin(byte: u8) -> bool {
    byte.wrapping_sub(0xE5) < 4
}

/// Whether two bytes begin a character of U+3040 to U+30FF.
fn is_kana(byte: u8, next: u8) -> bool {
    (byte == 0xE3) & (next.wrapping_sub(0x81) < 3)
}

/// Primary subtag, lower-cased: `ru` for `ru-RU`. `None` if `tag` is not a language tag or names no single language.
fn primary_subtag(tag: &str) -> Option<String> {
    let first = tag
        .trim()
        .split(['-', '_', ',', ' '])
        .next()?
        .to_ascii_lowercase();
    let fits = (2..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_lowercase());
    (fits && !matches!(&*first, "und" | "mul" | "zxx")).then_some(first)
}

/// Whether a language is written in a script. Languages without an entry are written in Latin letters.
fn matches_script(language: &str, script: Script) -> bool {
    let expected: &[Script] = match language {
        "ru" | "uk" | "be" | "bg" | "mk" | "ky" | "tg" => &[Script::Cyrillic],
        // Languages written in both scripts.
        "sr" | "kk" | "uz" | "az" | "tk" | "tt" | "mn" | "bs" | "cnr" => &[Script::Cyrillic, Script::Latin],
        "el" => &[Script::Greek],
        "he" | "yi" => &[Script::Hebrew],
        "ar" | "fa" | "ur" | "ps" | "ug" | "ckb" => &[Script::Arabic],
        "zh" => &[Script::Mandarin],
        "ja" => &[Script::Hiragana, Script::Katakana, Script::Mandarin],
        "ko" => &[Script::Hangul],
        "th" => &[Script::Thai],
        "hi" | "mr" | "ne" => &[Script::Devanagari],
        "bn" => &[Script::Bengali],
        "ta" => &[Script::Tamil],
        "te" => &[Script::Telugu],
        "gu" => &[Script::Gujarati],
        "kn" => &[Script::Kannada],
        "ml" => &[Script::Malayalam],
        "pa" => &[Script::Gurmukhi, Script::Arabic],
        "or" => &[Script::Oriya],
        "si" => &[Script::Sinhala],
        "my" => &[Script::Myanmar],
        "km" => &[Script::Khmer],
        "am" | "ti" => &[Script::Ethiopic],
        "ka" => &[Script::Georgian],
        "hy" => &[Script::Armenian],
        _ => &[Script::Latin],
    };
    expected.contains(&script)
}

/// ISO 639-1 code of a language of the detector; its 639-3 code without one.
fn code(lang: Lang) -> &'static str {
    const SHORT: &[(&str, &str)] = &[
        ("afr", "af"),
        ("aka", "ak"),
        ("amh", "am"),
        ("ara", "ar"),
        ("aze", "az"),
        ("bel", "be"),
        ("ben", "bn"),
        ("bul", "bg"),
        ("cat", "ca"),
        ("ces", "cs"),
        ("cmn", "zh"),
        ("cym", "cy"),
        ("dan", "da"),
        ("deu", "de"),
        ("ell", "el"),
        ("eng", "en"),
        ("epo", "eo"),
        ("est", "et"),
        ("fin", "fi"),
        ("fra", "fr"),
        ("guj", "gu"),
        ("heb", "he"),
        ("hin", "hi"),
        ("hrv", "hr"),
        ("hun", "hu"),
        ("hye", "hy"),
        ("ind", "id"),
        ("ita", "it"),
        ("jav", "jv"),
        ("jpn", "ja"),
        ("kan", "kn"),
        ("kat", "ka"),
        ("khm", "km"),
        ("kor", "ko"),
        ("lat", "la"),
        ("lav", "lv"),
        ("lit", "lt"),
        ("mal", "ml"),
        ("mar", "mr"),
        ("mkd", "mk"),
        ("mya", "my"),
        ("nep", "ne"),
        ("nld", "nl"),
        ("nob", "no"),
        ("ori", "or"),
        ("pan", "pa"),
        ("pes", "fa"),
        ("pol", "pl"),
        ("por", "pt"),
        ("ron", "ro"),
        ("rus", "ru"),
        ("sin", "si"),
        ("slk", "sk"),
        ("slv", "sl"),
        ("sna", "sn"),
        ("spa", "es"),
        ("srp", "sr"),
        ("swe", "sv"),
        ("tam", "ta"),
        ("tel", "te"),
        ("tgl", "tl"),
        ("tha", "th"),
        ("tuk", "tk"),
        ("tur", "tr"),
        ("ukr", "uk"),
        ("urd", "ur"),
        ("uzb", "uz"),
        ("vie", "vi"),
        ("yid", "yi"),
        ("zul", "zu"),
    ];
    let long = lang.code();
    // `SHORT` is sorted by the codes of the detector.
    SHORT
        .binary_search_by_key(&long, |(l, _)| l)
        .map_or(long, |i| SHORT[i].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RU: &str = "Ночью река вышла из берегов и затопила луга у старой мельницы, жители ждут спада воды.";
    const EN: &str = "The river rose overnight and flooded the meadows by the old mill; people wait for the water to fall.";

    #[track_caller]
    fn check(declared: Option<&str>, text: &str, want: Option<&str>) {
        assert_eq!(language(declared, std::iter::once(text)).as_deref(), want);
    }

    #[test]
    fn declared_languages_stand_unless_the_script_denies_them() {
        check(None, RU, Some("ru"));
        check(Some("en-US"), EN, Some("en"));
        check(Some("en"), RU, Some("ru"));
        check(Some("uk_UA"), RU, Some("uk"));
        check(Some("ru"), "Да", Some("ru"));
        check(Some("nonsense"), EN, Some("en"));
        let zh = "夜里河水漫过堤岸，淹没了老磨坊旁边的草地，居民们等待着洪水退去。".repeat(2);
        check(None, &zh, Some("zh"));
        check(Some("en"), &zh, Some("zh"));
        check(Some("zh-CN"), &zh, Some("zh"));
        check(Some("ja"), &zh, Some("ja"));
        check(None, &zh.replace('的', "の"), Some("zh"));
        check(
            None,
            &"夜のうちに川があふれ、古い水車小屋のそばの草原が水に沈んだ。".repeat(2),
            Some("ja"),
        );
        check(None, "ok", None);
    }

    #[test]
    fn english_by_default_of_a_template_is_denied_by_the_text() {
        let pl = "Po dziewięciu tygodniach most nad rzeką znowu jest otwarty, a pierwsi przejechali po nim rolnicy z dolnej wsi. Kierownik \
            budowy powiedział, że pieniędzy zabrakło już w maju, lecz roboty trwały dalej, bo nikt nie chciał czekać do zimy. Mieszkańcy \
            cieszą się, że dzieci nie muszą już wstawać przed świtem, żeby zdążyć na lekcje po drugiej stronie.";
        check(Some("en"), pl, Some("pl"));
        check(Some("pl"), pl, Some("pl"));
        check(Some("en"), &EN.repeat(3), Some("en"));
        check(Some("pl"), &EN.repeat(3), Some("en"));
        // Too little to deny anything.
        check(
            Some("en"),
            "Most nad rzeką znowu jest otwarty, a pierwsi przejechali po nim rolnicy.",
            Some("en"),
        );
        assert_eq!(conflict(Some("en-GB"), Some("en")), None);
        assert!(conflict(Some("en-GB"), Some("pl")).is_some_and(|message| message.contains("`pl`")));
    }

    #[test]
    fn english_is_told_by_its_words() {
        assert!(is_english(&EN.repeat(2)) && is_english(&EN.to_uppercase().repeat(2)));
        let nl = "De rivier was 's nachts gestegen en de weiden bij de oude molen stonden onder water, and the band played on.";
        for other in [
            "",
            "the",
            "the and that",
            RU,
            nl,
            &format!("{nl} {nl}"),
            &format!("{nl} The WHO, the EU."),
            &format!("{} So weit der Bericht über den Fluß.", EN.repeat(2)),
        ] {
            assert!(!is_english(other), "{other}");
        }
        check(None, nl, Some("nl"));
        check(Some("ru"), EN, Some("en"));
    }

    #[test]
    fn russian_is_told_by_its_letters() {
        assert!(is_russian(RU) && is_russian(&RU.to_uppercase()));
        let uk =
            "Вночі річка вийшла з берегів і затопила луки біля старого млина, мешканці чекають спаду води.";
        let be = "Ноччу рака выйшла з берагоў і затапіла лугі каля старога млына, жыхары чакаюць спаду вады.";
        let bg = "През нощта реката излезе от бреговете и наводни ливадите край старата воденица.";
        for other in ["", EN, uk, be, bg, &format!("{RU} {EN}")] {
            assert!(!is_russian(other), "{other}");
        }
        check(None, uk, Some("uk"));
        check(None, be, Some("be"));
        check(None, bg, Some("bg"));
    }

    #[test]
    fn kazakh_is_told_by_its_letters() {
        let kk = "Түнде өзен арнасынан асып, ескі диірменнің жанындағы шабындықты су басты. Тұрғындар судың қайтуын күтуде.";
        check(None, kk, Some("kk"));
        check(Some("en"), kk, Some("kk"));
        check(Some("kk-KZ"), kk, Some("kk"));
        check(Some("ru"), kk, Some("ru"));
        check(None, &format!("{RU} Глава села — Нұрлан Қасымов."), Some("ru"));
    }

    /// Reference implementation of [`Letters::read`], byte by byte.
    fn read_bytes(found: &mut Letters, bytes: &[u8], left: &mut usize) -> usize {
        for (i, &byte) in bytes.iter().enumerate() {
            let begins = byte & 0xC0 != 0x80;
            if begins && *left == 0 {
                return i;
            }
            *left -= usize::from(begins);
            found.add_byte(byte, bytes.get(i + 1).copied().unwrap_or(0));
        }
        bytes.len()
    }

    proptest::proptest! {
        #[test]
        fn steps_and_bytes_agree(
            texts in proptest::collection::vec("[a-zA-Z0-9 .]{0,80}|[a-zйқұЖ河のéÅ ]{0,40}|\\PC{0,20}", 0..6),
            left in 0_usize..200,
        ) {
            let (mut steps, mut bytes) = (Letters::default(), Letters::default());
            let (mut left_by_steps, mut left_by_bytes) = (left, left);
            for text in &texts {
                let end = steps.read(text.as_bytes(), &mut left_by_steps);
                proptest::prop_assert_eq!(end, read_bytes(&mut bytes, text.as_bytes(), &mut left_by_bytes));
                proptest::prop_assert_eq!((&steps, left_by_steps), (&bytes, left_by_bytes));
            }
        }

        #[test]
        fn samples_are_joined_and_cut(texts in proptest::collection::vec("[aé]{0,5}", 1..5), cut in 0_usize..6) {
            let last = texts.last().unwrap();
            let end = last.floor_char_boundary(cut.min(last.len()));
            let mut parts: Vec<&str> = texts.iter().map(String::as_str).collect();
            *parts.last_mut().unwrap() = &last[..end];
            proptest::prop_assert_eq!(sample(texts.iter().map(String::as_str), end), parts.join(" "));
        }

        #[test]
        fn an_early_answer_is_the_late_one(texts in proptest::collection::vec("[a-z ]{0,400}|[йж]{0,400}", 0..20)) {
            let all = texts.iter().map(String::as_str);
            let sample: String = texts.concat().chars().take(SAMPLE).collect();
            let latin = sample.chars().filter(char::is_ascii_alphabetic).count();
            let others = sample.chars().filter(|c| !c.is_ascii()).count();
            let want = match () {
                () if latin > others || sample.chars().count() < MIN_CHARS => "fr",
                () if others > latin => "ru",
                () => return Ok(()),
            };
            // Frequent words decide whether a text in Latin letters is English.
            for declared in ["fr", "ru"] {
                let stands = want == declared || sample.chars().count() < MIN_CHARS;
                let found = language(Some(declared), all.clone());
                proptest::prop_assert!(!stands || found.as_deref() == Some(declared));
            }
        }
    }

    #[test]
    fn every_code_of_the_detector_is_known() {
        for &lang in Lang::all() {
            assert!(code(lang).len() == 2, "{}", lang.code());
        }
    }
}
