//! Stop lists: the function words of a language, in `data/stop`.
//!
//! The lists are small, closed classes of words, written for this project. Those of jusText are the most frequent words of a corpus,
//! content words included, and ten times as long in Russian. So its thresholds are too high for these lists, above all in languages that
//! use endings where others use function words. Each list has a factor for the thresholds. For English it is 0.8, measured on labeled
//! pages; a tenth more or less changes little. For other languages it is proportional to the share of stop words that nine of ten
//! sentences reach. These sentences are 200 to 2,000 translations of the same English ones for each language (the help of the GNOME
//! desktop, the messages of four of its programs). News in Chinese has a smaller share than such texts, measured on labeled pages. The
//! factors of Japanese and Thai are lowered likewise, since their density is also one of letters.

use std::collections::HashSet;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// How a script separates words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Script {
    /// By spaces and punctuation. The density is a share of words.
    Words,
    /// No separation: entries match anywhere, the longest first, and the density is a share of letters.
    Unspaced,
}

/// A language with a stop list.
#[derive(Debug)]
pub(crate) struct Language {
    /// ISO 639-1 code.
    pub(crate) code: &'static str,
    /// Factor for the thresholds of stop words.
    pub(crate) share: f64,
    /// Length of a text in characters, divided by that of its English translation.
    pub(crate) length: f64,
    script: Script,
    text: &'static str,
    list: OnceLock<List>,
}

/// A stop list, prepared for its script.
#[derive(Debug)]
enum List {
    Words(HashSet<Box<str>>),
    Unspaced(AhoCorasick),
}

const fn list(code: &'static str, share: f64, length: f64, script: Script, text: &'static str) -> Language {
    Language {
        code,
        share,
        length,
        script,
        text,
        list: OnceLock::new(),
    }
}

/// Every language with a list, by code.
#[rustfmt::skip]
static LANGUAGES: [Language; 30] = [
    list("ar", 0.35, 1.0, Script::Words, include_str!("../../../../data/stop/ar.txt")),
    list("be", 0.4, 1.0, Script::Words, include_str!("../../../../data/stop/be.txt")),
    list("bg", 0.75, 1.0, Script::Words, include_str!("../../../../data/stop/bg.txt")),
    list("cs", 0.5, 1.0, Script::Words, include_str!("../../../../data/stop/cs.txt")),
    list("da", 0.8, 1.0, Script::Words, include_str!("../../../../data/stop/da.txt")),
    list("de", 0.85, 1.0, Script::Words, include_str!("../../../../data/stop/de.txt")),
    list("el", 0.8, 1.0, Script::Words, include_str!("../../../../data/stop/el.txt")),
    list("en", 0.8, 1.0, Script::Words, include_str!("../../../../data/stop/en.txt")),
    list("es", 0.95, 1.0, Script::Words, include_str!("../../../../data/stop/es.txt")),
    list("fa", 0.65, 1.0, Script::Words, include_str!("../../../../data/stop/fa.txt")),
    list("fi", 0.25, 1.0, Script::Words, include_str!("../../../../data/stop/fi.txt")),
    list("fr", 0.95, 1.0, Script::Words, include_str!("../../../../data/stop/fr.txt")),
    list("he", 0.25, 1.0, Script::Words, include_str!("../../../../data/stop/he.txt")),
    list("hu", 0.55, 1.0, Script::Words, include_str!("../../../../data/stop/hu.txt")),
    list("id", 0.55, 1.0, Script::Words, include_str!("../../../../data/stop/id.txt")),
    list("it", 0.9, 1.0, Script::Words, include_str!("../../../../data/stop/it.txt")),
    list("ja", 0.4, 0.5, Script::Unspaced, include_str!("../../../../data/stop/ja.txt")),
    list("kk", 0.2, 1.0, Script::Words, include_str!("../../../../data/stop/kk.txt")),
    list("nl", 0.9, 1.0, Script::Words, include_str!("../../../../data/stop/nl.txt")),
    list("no", 0.7, 1.0, Script::Words, include_str!("../../../../data/stop/no.txt")),
    list("pl", 0.45, 1.0, Script::Words, include_str!("../../../../data/stop/pl.txt")),
    list("pt", 0.9, 1.0, Script::Words, include_str!("../../../../data/stop/pt.txt")),
    list("ro", 0.8, 1.0, Script::Words, include_str!("../../../../data/stop/ro.txt")),
    list("ru", 0.45, 1.0, Script::Words, include_str!("../../../../data/stop/ru.txt")),
    list("sv", 0.75, 1.0, Script::Words, include_str!("../../../../data/stop/sv.txt")),
    list("th", 0.45, 1.0, Script::Unspaced, include_str!("../../../../data/stop/th.txt")),
    list("tr", 0.2, 1.0, Script::Words, include_str!("../../../../data/stop/tr.txt")),
    list("uk", 0.45, 1.0, Script::Words, include_str!("../../../../data/stop/uk.txt")),
    list("vi", 0.55, 1.0, Script::Words, include_str!("../../../../data/stop/vi.txt")),
    list("zh", 0.2, 0.3, Script::Unspaced, include_str!("../../../../data/stop/zh.txt")),
];

/// Returns the list of a language, by ISO 639-1 code. The two written forms of Norwegian share a list.
pub(crate) fn find(code: &str) -> Option<&'static Language> {
    let code = match code {
        "nb" | "nn" => "no",
        "iw" => "he",
        "in" => "id",
        code => code,
    };
    LANGUAGES.iter().find(|language| language.code == code)
}

impl Language {
    /// Returns the share of stop words among the words of a text, 0 to 1. In scripts without spaces, returns the share of letters that
    /// belong to stop words.
    pub(crate) fn density<'t>(&self, texts: impl Iterator<Item = &'t str>) -> f64 {
        let (mut all, mut found) = (0_usize, 0_usize);
        let mut folded = String::new();
        match self.list.get_or_init(|| self.read()) {
            List::Words(words) => {
                for word in texts.flat_map(tokens) {
                    fold(word, &mut folded);
                    all += 1;
                    found += usize::from(words.contains(&*folded));
                }
            }
            List::Unspaced(automaton) => {
                for text in texts {
                    all += text.chars().filter(|&c| is_letter(c)).count();
                    // Stop words may occur anywhere and are weighed by their letters.
                    let matches = automaton.find_iter(text);
                    found += matches.map(|m| text[m.range()].chars().count()).sum::<usize>();
                }
            }
        }
        found as f64 / all.max(1) as f64
    }

    /// Prepares the list for lookups.
    fn read(&self) -> List {
        let entries = || entries(self.text);
        // Empty and unused if words are separated by spaces.
        let joined = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(entries().filter(|_| self.script == Script::Unspaced));
        match (self.script, joined) {
            (Script::Unspaced, Ok(automaton)) => List::Unspaced(automaton),
            // Building an automaton of a few hundred words does not fail; a test builds all of them.
            (Script::Words, _) | (_, Err(_)) => {
                let mut words = HashSet::new();
                let mut folded = String::new();
                for word in entries().flat_map(tokens) {
                    fold(word, &mut folded);
                    words.insert(folded.as_str().into());
                }
                List::Words(words)
            }
        }
    }
}

/// Returns the words of a list, which are separated by white space. `#` begins a comment.
fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .flat_map(str::split_whitespace)
}

/// Returns the runs of letters, digits and combining marks. Apostrophes and hyphens separate words, in texts as in lists.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_letter(c))
        .filter(|token| !token.is_empty())
}

/// Returns whether a character is a letter, a digit or a combining mark, including those of Hebrew, Arabic and Thai.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{065F}' | '\u{0E31}'..='\u{0E4E}')
}

/// Writes a word to `out` in lower case, with е for ё.
fn fold(word: &str, out: &mut String) {
    out.clear();
    let lower = word.chars().flat_map(char::to_lowercase);
    out.extend(lower.map(|c| if c == 'ё' { 'е' } else { c }));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_list_is_bundled_and_read_whole() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/stop");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let table: BTreeSet<String> = LANGUAGES.iter().map(|l| format!("{}.txt", l.code)).collect();
        assert_eq!(files, table);
        for language in &LANGUAGES {
            assert!(language.text.contains("# Provenance: "), "{}", language.code);
            let words: Vec<&str> = entries(language.text).collect();
            assert!(words.len() > 100, "{} has {} words", language.code, words.len());
            for word in &words {
                assert_eq!(*word, word.to_lowercase(), "{}", language.code);
                assert!(tokens(word).next().is_some(), "{}: {word}", language.code);
            }
            assert_eq!(
                matches!(language.read(), List::Unspaced(_)),
                language.script == Script::Unspaced
            );
            assert_eq!(language.density(words.into_iter()), 1.0, "{}", language.code);
        }
    }

    /// Frequent content words, which must not be taken for function words: time, house, water, town, school, work, money, government,
    /// page, news, read, write, big, good.
    const CONTENT: &[(&str, &str)] = &[
        (
            "ar",
            "بيت ماء مدينة مدرسة عمل مال حكومة صفحة أخبار كتاب كبير جديد",
        ),
        (
            "be",
            "час дом вада горад школа праца грошы урад старонка навіны чытаць пісаць вялікі добры",
        ),
        (
            "bg",
            "време къща вода град училище работа пари правителство страница новини чета пиша голям добър",
        ),
        (
            "cs",
            "čas dům voda město škola práce peníze vláda stránka zprávy číst psát velký dobrý",
        ),
        (
            "da",
            "tid hus vand by skole arbejde penge regering side nyheder læse skrive stor god",
        ),
        (
            "de",
            "zeit haus wasser stadt schule arbeit geld regierung seite nachrichten lesen schreiben groß gut",
        ),
        (
            "el",
            "χρόνος σπίτι νερό πόλη σχολείο δουλειά χρήματα κυβέρνηση σελίδα νέα διαβάζω γράφω μεγάλος καλός",
        ),
        (
            "en",
            "time house water town school work money government page news read write big good",
        ),
        (
            "es",
            "tiempo casa agua ciudad escuela trabajo dinero gobierno página noticias leer escribir grande bueno",
        ),
        (
            "fa",
            "زمان خانه آب شهر مدرسه کار پول دولت صفحه اخبار خواندن نوشتن بزرگ خوب",
        ),
        (
            "fi",
            "talo vesi kaupunki koulu työ raha hallitus sivu uutiset lukea kirjoittaa suuri hyvä",
        ),
        (
            "fr",
            "temps maison eau ville école travail argent gouvernement page nouvelles lire écrire grand bon",
        ),
        (
            "he",
            "זמן בית מים עיר בית ספר עבודה כסף ממשלה דף חדשות לקרוא לכתוב גדול טוב",
        ),
        (
            "hu",
            "idő ház víz város iskola munka pénz kormány oldal hírek olvas ír nagy jó",
        ),
        (
            "id",
            "waktu rumah air kota sekolah kerja uang pemerintah halaman berita membaca menulis besar baik",
        ),
        (
            "it",
            "tempo casa acqua città scuola lavoro denaro governo pagina notizie leggere scrivere grande buono",
        ),
        ("ja", "時間 家 水 町 学校 仕事 お金 政府 新聞"),
        (
            "kk",
            "уақыт үй су қала мектеп жұмыс ақша үкімет бет жаңалықтар оқу жазу үлкен жақсы",
        ),
        (
            "nl",
            "tijd huis water stad school werk geld regering pagina nieuws lezen schrijven groot goed",
        ),
        (
            "no",
            "tid hus vann by skole arbeid penger regjering side nyheter lese skrive stor god",
        ),
        (
            "pl",
            "czas dom woda miasto szkoła praca pieniądze rząd strona wiadomości czytać pisać duży dobry",
        ),
        (
            "pt",
            "tempo casa água cidade escola trabalho dinheiro governo página notícias ler escrever grande bom",
        ),
        (
            "ro",
            "timp casă apă oraș școală muncă bani guvern pagină știri citi scrie mare bun",
        ),
        (
            "ru",
            "время дом вода город школа работа деньги правительство страница новости читать писать большой хороший",
        ),
        (
            "sv",
            "tid hus vatten stad skola arbete pengar regering sida nyheter läsa skriva stor god",
        ),
        (
            "th",
            "เวลา บ้าน น้ำ เมือง โรงเรียน งาน เงิน รัฐบาล หน้า ข่าว อ่าน เขียน ใหญ่ ดี",
        ),
        (
            "tr",
            "zaman ev su şehir okul iş para hükümet sayfa haber okumak yazmak büyük iyi",
        ),
        (
            "uk",
            "час дім вода місто школа робота гроші уряд сторінка новини читати писати великий добрий",
        ),
        (
            "vi",
            "nhà nước thành phố trường tiền chính phủ trang tin đọc viết lớn tốt",
        ),
        ("zh", "时间 家 水 城市 学校 工作 钱 政府 页 新闻 读 写 大 好"),
    ];

    #[test]
    fn no_content_word_is_in_a_list() {
        assert_eq!(CONTENT.len(), LANGUAGES.len());
        for ((code, words), language) in CONTENT.iter().zip(&LANGUAGES) {
            assert_eq!(*code, language.code);
            for word in words.split_whitespace() {
                assert_eq!(language.density(std::iter::once(word)), 0.0, "{code}: {word}");
            }
        }
    }

    #[test]
    fn running_text_is_told_from_lists_of_things() {
        for (code, text, things) in [
            (
                "en",
                "The river rose overnight, and it hasn't fallen since.",
                "Boots, coats, hats, gloves",
            ),
            (
                "fr",
                "Ce n'est pas l'eau qui manque aujourd'hui.",
                "Bottes, manteaux, chapeaux",
            ),
            (
                "ru",
                "Все ещё ждут, когда из-за дамбы уйдёт вода.",
                "Сапоги, пальто, шапки",
            ),
            (
                "zh",
                "他们说这条河的水已经涨了，但是还没有到桥上。",
                "靴子 帽子 手套 衣服",
            ),
            (
                "ja",
                "この川の水は昨日から増えていますが、まだ橋までは来ていません。",
                "帽子 手袋 長靴",
            ),
            ("th", "น้ำในแม่น้ำนี้ขึ้นมาแล้วแต่ยังไม่ถึงสะพาน", "รองเท้า หมวก ถุงมือ"),
        ] {
            let language = find(code).unwrap();
            let high = 0.32 * language.share;
            assert!(language.density(std::iter::once(text)) > high, "{code}");
            assert!(language.density(std::iter::once(things)) < high / 2.0, "{code}");
        }
        assert!(find("nn").is_some() && find("xx").is_none());
        assert_eq!(find("ru").unwrap().density(std::iter::empty()), 0.0);
    }
}
