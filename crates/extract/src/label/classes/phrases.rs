//! Phrases that determine the class of a short line, from `data/classes.tsv`.

use std::ops::Range;
use std::sync::LazyLock;

use crate::analysis::blocks::words::is_alphanumeric;
use crate::label::classes::class::BlockClass;

/// A phrase of the file.
#[derive(Debug)]
struct Phrase {
    text: &'static str,
    class: BlockClass,
    /// Whether it must begin the line.
    begins: bool,
    /// Whether a line that begins with it is sure to be a request to the reader, such as "Subscribe to our".
    asks: bool,
    max_words: u32,
    /// Whether it may occur inside a word, since its script has no spaces.
    unspaced: bool,
}

/// Characters from here on belong to scripts without spaces between words.
const UNSPACED: char = '\u{2E80}';

/// All phrases, sorted. They are searched at the starts of words: an automaton over all phrases was not faster, and the sorted list needs
/// no construction.
#[derive(Debug)]
struct Phrases {
    /// Phrases in the order of the file.
    list: Vec<Phrase>,
    /// Numbers of phrases, in the order of their texts.
    sorted: Vec<u16>,
    /// Distinct first characters in ascending order, each with the range of its phrases in `sorted`.
    first: Vec<(char, Range<usize>)>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::of_file(|_| true));

/// Phrases of promotions alone: most pages need no others.
static PROMOTIONS: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::of_file(|class| class == BlockClass::Promotion));

impl Phrases {
    /// Reads the phrases of the wanted classes from the file.
    fn of_file(wanted: impl Fn(BlockClass) -> bool) -> Phrases {
        let mut list = Vec::new();
        for line in include_str!("../../../data/classes.tsv").lines() {
            // Comments, empty lines and phrases of other classes are skipped.
            let mut fields = line.split('\t');
            let (Some(class), Some(place), Some(words), Some(text)) = (
                fields
                    .next()
                    .and_then(BlockClass::find)
                    .filter(|&class| wanted(class)),
                fields.next(),
                fields.next().and_then(|words| words.parse().ok()),
                fields.next().filter(|text| !text.is_empty()),
            ) else {
                continue;
            };
            list.push(Phrase {
                text,
                class,
                begins: matches!(place, "starts" | "asks"),
                asks: place == "asks",
                max_words: words,
                unspaced: text.chars().all(|c| c >= UNSPACED),
            });
        }
        Phrases::new(list)
    }

    fn new(list: Vec<Phrase>) -> Phrases {
        let text = |number: u16| list[usize::from(number)].text;
        let mut sorted: Vec<u16> = (0..=u16::MAX).zip(&list).map(|(number, _)| number).collect();
        sorted.sort_unstable_by_key(|&number| (text(number), number));
        // Phrases with the same first character are adjacent in `sorted`.
        let mut first: Vec<(char, Range<usize>)> = Vec::new();
        for (at, c) in sorted
            .iter()
            .map(|&number| text(number).chars().next())
            .enumerate()
        {
            let c = c.unwrap_or_default();
            match first.last_mut() {
                Some((last, range)) if *last == c => range.end = at + 1,
                _ => first.push((c, at..at + 1)),
            }
        }
        Phrases { list, sorted, first }
    }

    /// Calls `visit` for each phrase that a text begins with, shorter phrases first: with the number of the phrase and the character
    /// after it. Reads no further than some phrase matches.
    fn at(&self, mut text: impl Iterator<Item = char>, mut visit: impl FnMut(usize, Option<char>)) {
        let Some(first) = text.next() else { return };
        let Ok(found) = self.first.binary_search_by_key(&first, |(first, _)| *first) else {
            return;
        };
        // The phrases that match so far are contiguous in `sorted`, and those that end here come first.
        let mut alike = &self.sorted[self.first[found].1.clone()];
        let rest = |number: &u16, read: usize| {
            let text = self.list[usize::from(*number)].text.as_bytes();
            text.get(read..).unwrap_or_default()
        };
        let mut read = first.len_utf8();
        // All phrases in `alike` begin with the `read` bytes that were read so far.
        loop {
            let next = text.next();
            while let Some((number, others)) = alike.split_first() {
                if !rest(number, read).is_empty() {
                    break;
                }
                visit(usize::from(*number), next);
                alike = others;
            }
            let Some(next) = next.filter(|_| !alike.is_empty()) else {
                return;
            };
            let mut buffer = [0; 4];
            let next = next.encode_utf8(&mut buffer).as_bytes();
            // The phrases are sorted, so those that go on with `next` lie between two bounds.
            alike = &alike[alike.partition_point(|number| rest(number, read) < next)..];
            alike = &alike[..alike.partition_point(|number| rest(number, read).starts_with(next))];
            read += next.len();
        }
    }

    /// Calls `visit` for each phrase that occurs in a line at the start of a word, or anywhere if its script has no spaces: with its
    /// number and its byte offset. Offsets are ascending.
    fn each(&self, line: &str, mut visit: impl FnMut(usize, usize)) {
        let mut in_word = false;
        for (at, c) in line.char_indices() {
            if !in_word || c >= UNSPACED {
                self.at(line[at..].chars(), |number, _| visit(number, at));
            }
            in_word = is_alphanumeric(c);
        }
    }
}

/// A phrase found in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) class: BlockClass,
    /// Its end, as a byte offset in the line.
    pub(super) end: usize,
}

/// Returns whether a line announces other pages, given its lower-cased text and its number of words.
pub(crate) fn announces_related(line: &str, words: u32) -> bool {
    find(line, words).is_some_and(|found| found.class == BlockClass::Related)
}

/// Phrases that authors also write before their own links.
const OF_AUTHORS: &[&str] = &["see also", "см. также", "смотрите также", "further reading"];

/// Phrases that editors put before a link with or without a colon. No sentence continues after them.
const OF_EDITORS: &[&str] = &[
    "read also",
    "also read",
    "читайте также",
    "читать также",
    "читайте також",
    "чытайце таксама",
    "lesen sie auch",
    "à lire aussi",
    "lire aussi",
    "à lire également",
    "lire également",
    "lea también",
    "lee también",
    "leia também",
    "leggi anche",
    "lees ook",
    "czytaj też",
    "czytaj także",
    "czytaj również",
    "przeczytaj także",
    "läs också",
    "läs även",
    "les også",
    "læs også",
    "lue myös",
    "διαβάστε επίσης",
    "bunlar da ilginizi çekebilir",
    "тағы оқыңыз",
    "延伸阅读",
    "相关阅读",
    "相关报道",
    "推荐阅读",
    "関連記事",
    "あわせて読みたい",
    "اقرأ أيضا",
    "baca juga",
    "यह भी पढ़ें",
    "ये भी पढ़ें",
    "আরও পড়ুন",
    "আরো পড়ুন",
    "یہ بھی پڑھیں",
    "بیشتر بخوانید",
    "citește și",
    "citeşte şi",
    "citeste si",
    "pročitajte još",
    "pročitajte i",
    "prečítajte si aj",
    "loe ka",
    "lasi arī",
    "skaitykite taip pat",
    "taip pat skaitykite",
    "preberite tudi",
];

/// Returns whether a line is a link to another page that a phrase announces. `before` is the number of words
/// before the link: none, or only those of the phrase, which a colon must follow unless editors write the
/// phrase without one.
pub(crate) fn announces_related_link(line: &str, words: u32, before: usize) -> bool {
    let Some(found) = find(line, words).filter(|found| found.class == BlockClass::Related) else {
        return false;
    };
    let phrase = &line[..found.end];
    let has_colon = phrase.ends_with([':', '：']) || line[found.end..].trim_start().starts_with([':', '：']);
    // Whether the words before the link are only those of the phrase, by their number.
    let is_phrase = || {
        phrase
            .split_whitespace()
            .filter(|word| word.contains(is_alphanumeric))
            .count()
            == before
    };
    before == 0 || is_phrase() && (OF_EDITORS.contains(&phrase) || has_colon && !is_of_author(phrase))
}

/// Returns whether a line is an announcement that authors also write, before their own list of sources or
/// related pages. `line` is lower-cased.
pub(crate) fn is_of_author(line: &str) -> bool {
    OF_AUTHORS.iter().any(|own| line.contains(own))
}

/// Returns whether a line is only the announcement of other pages, such as "Read also:". `line` is
/// lower-cased and has `words` words.
pub(crate) fn is_related_label(line: &str, words: u32) -> bool {
    let Some(found) = find(line, words).filter(|found| found.class == BlockClass::Related) else {
        return false;
    };
    let (phrase, rest) = line.split_at(found.end);
    !rest.contains(is_alphanumeric) && !is_of_author(phrase)
}

/// Returns the first phrase of the file that a line contains. A longer phrase of the same class wins. `line`
/// is lower-cased and has `words` words.
pub(super) fn find(line: &str, words: u32) -> Option<Found> {
    let phrases = &*PHRASES;
    let first_word = line.find(is_alphanumeric).unwrap_or(0);
    let mut all: Vec<(usize, usize, usize)> = Vec::new();
    phrases.each(line, |number, start| {
        let phrase = &phrases.list[number];
        let end = start + phrase.text.len();
        let inside = |c: Option<char>| c.is_some_and(is_alphanumeric);
        let in_word = inside(line[..start].chars().next_back()) || inside(line[end..].chars().next());
        if words <= phrase.max_words
            && (!phrase.begins || start <= first_word)
            && (!in_word || phrase.unspaced)
        {
            all.push((end, start, number));
        }
    });
    // In the order of their ends, longer matches first.
    all.sort_unstable();
    let mut best: Option<(usize, Found)> = None;
    for (end, _, number) in all {
        let class = phrases.list[number].class;
        // A phrase earlier in the file wins; within one class, a match that ends later.
        let better = best.is_none_or(|(first, known)| {
            number < first && class != known.class || class == known.class && end > known.end
        });
        if better {
            best = Some((number, Found { class, end }));
        }
    }
    best.map(|(_, found)| found)
}

/// Returns whether a line begins with a phrase that asks readers to subscribe, to follow or to share.
#[allow(unreachable_pub)] // public with the feature only
pub fn begins_as_promotion(line: &str) -> bool {
    let phrases = &*PROMOTIONS;
    let start = line.find(is_alphanumeric).unwrap_or(0);
    let mut found = false;
    let lower = line[start..].chars().flat_map(char::to_lowercase);
    phrases.at(lower, |number, next| {
        // The phrase has to end where a word ends.
        found |= phrases.list[number].unspaced || !next.is_some_and(is_alphanumeric);
    });
    found
}

/// Channels that readers are asked to follow: beginnings of words, lower-cased.
const CHANNELS: &[&str] = &[
    "newsletter",
    "news",
    "mailing",
    "e-mail",
    "email",
    "mail",
    "inbox",
    "letter",
    "facebook",
    "twitter",
    "instagram",
    "telegram",
    "youtube",
    "linkedin",
    "whatsapp",
    "tiktok",
    "pinterest",
    "mastodon",
    "bluesky",
    "threads",
    "rss",
    "podcast",
    "channel",
    "blog",
    "feed",
    "page",
    "updates",
    "magazine",
    "телеграм",
    "facebook",
    "фейсбук",
    "вк",
    "вконтакте",
    "дзен",
    "рассылк",
    "розсилк",
    "канал",
    "новост",
    "новин",
    "групп",
    "соцсет",
    "страниц",
    "сообществ",
    "kanal",
    "kanał",
    "fanpage",
    "facebook",
    "lettre",
    "infolettre",
    "chaîne",
    "boletín",
    "boletim",
    "boletin",
    "canal",
    "comunidad",
    "comunidade",
    "grupo",
    "canale",
    "newsletterze",
    "nieuwsbrief",
    "nyhetsbrev",
    "nyhedsbrev",
    "uutiskirje",
    "odběr",
    "hírlev",
    "bülten",
    "sosyal",
    "takip",
    "微信",
    "公众号",
    "微博",
    "官方",
    "二维码",
    "邮件",
    "电子报",
    "電子報",
    "频道",
    "頻道",
    "メルマガ",
    "メール",
    "ニュースレター",
    "뉴스레터",
    "نشرت",
    "النشرة",
    "فيسبوك",
    "تويتر",
    "قنات",
];

/// Whether a lower-cased line names a channel.
fn names_channel(line: &str) -> bool {
    // In scripts without spaces, a channel may occur anywhere in a word.
    let is_one = |word: &str| {
        CHANNELS.iter().any(|channel| {
            word.starts_with(channel) || word.chars().all(|c| c >= UNSPACED) && word.contains(channel)
        })
    };
    line.contains('@') || line.split(|c: char| !is_alphanumeric(c) && c != '-').any(is_one)
}

/// Returns whether a line is certainly a request to subscribe, to follow or to share: it begins with such a
/// phrase, or goes on with one after a question (`Like this story? Subscribe to our`), and names a channel.
/// Quotations are not requests.
pub(crate) fn is_request(line: &str) -> bool {
    const QUOTES: &[char] = &['"', '\'', '“', '„', '«', '‘', '「', '『', '”'];
    let phrases = &*PROMOTIONS;
    if line.starts_with(QUOTES) {
        return false;
    }
    let asks = |line: &str| {
        let start = line.find(is_alphanumeric).unwrap_or(0);
        let mut found = false;
        let lower = line[start..].chars().flat_map(char::to_lowercase);
        phrases.at(lower, |number, next| {
            let phrase = &phrases.list[number];
            found |= phrase.asks && (phrase.unspaced || !next.is_some_and(is_alphanumeric));
        });
        found
    };
    // `Subscribe to our view or not` names no channel.
    (asks(line) || line.split_once(['?', '？']).is_some_and(|(_, rest)| asks(rest)))
        && names_channel(&line.to_lowercase())
}

/// Words of buttons that share a page. The words of the first list are used for nothing else.
const SHARING: [&[&str]; 2] = [
    &[
        "share",
        "tweet",
        "retweet",
        "facebook",
        "twitter",
        "whatsapp",
        "linkedin",
        "pinterest",
        "reddit",
        "telegram",
        "vkontakte",
        "вконтакте",
        "поделиться",
        "твитнуть",
        "teilen",
        "twittern",
        "partager",
        "tweeter",
        "compartir",
        "tuitear",
        "compartilhar",
        "tuitar",
        "condividi",
        "udostępnij",
        "tweetnij",
        "delen",
        "dela",
        "del",
        "sdílet",
        "paylaş",
        "tweetle",
        "分享",
        "微博",
        "微信",
        "シェア",
        "ツイート",
        "공유",
        "مشاركة",
        "تغريد",
    ],
    &[
        "email",
        "e-mail",
        "mail",
        "print",
        "copy",
        "link",
        "on",
        "via",
        "by",
        "x",
        "save",
        "pocket",
        "flipboard",
        "vk",
        "viber",
        "bluesky",
        "mastodon",
        "threads",
        "this",
        "почта",
        "печать",
        "распечатать",
        "ссылка",
        "drucken",
        "imprimer",
        "imprimir",
        "correo",
        "drukuj",
        "stampa",
        "afdrukken",
        "skriv",
        "ut",
        "tisk",
        "e-posta",
        "yazdır",
        "邮件",
        "打印",
        "メール",
        "印刷",
        "인쇄",
        "بريد",
        "طباعة",
        "courriel",
        "auf",
        "sur",
        "en",
        "su",
        "na",
        "в",
    ],
];

/// Returns whether a lower-cased line names ways to share a page and nothing else, with at least one word of
/// the first list.
pub(crate) fn names_sharing(line: &str) -> bool {
    const MIN_WORDS: usize = 2;
    let is_letter = |c: char| is_alphanumeric(c) || c == '-';
    let mut words = line
        .split(|c: char| !is_letter(c))
        .filter(|word| word.contains(is_alphanumeric));
    let (mut count, mut is_sure) = (0, false);
    let all = words.all(|word| {
        count += 1;
        is_sure |= SHARING[0].contains(&word);
        SHARING.iter().any(|known| known.contains(&word))
    });
    all && is_sure && count >= MIN_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotions_are_told_by_how_they_begin() {
        for phrase in PHRASES.list.iter().filter(|phrase| phrase.begins) {
            if phrase.class == BlockClass::Promotion {
                assert!(begins_as_promotion(&format!("» {}!", phrase.text.to_uppercase())));
            }
        }
        for other in [
            "",
            "Subscribers were told.",
            "He will subscribe to our newsletter",
            "Река вышла из берегов",
        ] {
            assert!(!begins_as_promotion(other), "{other}");
        }
    }

    #[test]
    fn phrases_that_a_text_begins_with_are_found_from_the_shortest_to_the_longest() {
        let phrases = &*PHRASES;
        let mut checked = 0;
        for Phrase { text, .. } in &phrases.list {
            for behind in ["", " ", "s", "a", " the", "ы", "」"] {
                let text = format!("{text}{behind}");
                let mut expected: Vec<usize> = (0..phrases.list.len()).collect();
                expected.retain(|&number| text.starts_with(phrases.list[number].text));
                expected.sort_by_key(|&number| (phrases.list[number].text, number));
                let mut found = Vec::new();
                phrases.at(text.chars(), |number, next| {
                    assert_eq!(text[phrases.list[number].text.len()..].chars().next(), next);
                    found.push(number);
                });
                assert_eq!(found, expected, "{text}");
                checked += usize::from(found.len() > 1);
            }
        }
        assert!(checked > 50, "few phrases begin with others: {checked}");
    }

    #[test]
    fn every_line_of_the_file_is_a_phrase_that_is_found() {
        let mut count = 0;
        for line in include_str!("../../../data/classes.tsv").lines() {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let [class, place, words, phrase] = fields[..] else {
                panic!("{line:?} has not four fields")
            };
            assert!(
                BlockClass::find(class).is_some() && matches!(place, "starts" | "contains" | "asks"),
                "{line:?}"
            );
            assert!(words.parse::<u32>().is_ok_and(|words| words > 0), "{line:?}");
            assert_eq!(phrase, phrase.trim().to_lowercase());
            assert!(find(phrase, 1).is_some(), "{line:?}");
            count += 1;
        }
        assert_eq!(PHRASES.list.len(), count);
    }

    #[test]
    fn a_link_is_announced_by_the_words_before_it_alone() {
        let announces = |line: &str, before| announces_related_link(line, 9, before);
        assert!(announces("read more bridge closed", 0));
        assert!(announces("read more: bridge closed", 2) && announces("more: bridge closed", 1));
        assert!(announces("читайте также: мост закрыт", 2));
        assert!(announces("related article: bridge closed", 2));
        assert!(announces("lesen sie auch bridge closed", 3) && announces("read also bridge closed", 2));
        assert!(!announces("read more about it: bridge closed", 4));
        assert!(!announces("read more bridge closed", 2));
        assert!(!announces("see also: the guide", 2) && !announces("bridge closed", 0));
    }

    #[test]
    fn requests_are_sure_by_how_they_begin() {
        for (line, is) in [
            ("Subscribe to our newsletter!", true),
            ("» Follow us on Facebook.", true),
            ("Like this story? Subscribe to our letter.", true),
            ("Подпишитесь на нашу рассылку", true),
            ("Suivez-nous sur Mastodon", true),
            ("关注我们的微信公众号", true),
            ("Subscribe to our view or not, the piles are old.", false),
            ("“Follow us on Facebook” is what all say.", false),
            ("Subscribe and you will see", false),
            ("Follow us through the gate", false),
            ("He asked: subscribe to our paper?", false),
            ("Teilen Sie den Teig", false),
        ] {
            assert_eq!(is_request(line), is, "{line}");
        }
    }

    #[test]
    fn buttons_that_share_are_named_by_known_words() {
        for (line, is) in [
            ("share | tweet | email | print", true),
            ("поделиться · печать", true),
            ("facebook twitter e-mail", true),
            ("print | email", false),
            ("share", false),
            ("share prices", false),
        ] {
            assert_eq!(names_sharing(line), is, "{line}");
        }
    }

    #[test]
    fn a_label_is_the_phrase_alone() {
        for (line, is) in [
            ("read also:", true),
            ("・関連記事", true),
            ("czytaj też »", true),
            ("see also:", false),
            ("read also what he wrote", false),
            ("the road", false),
        ] {
            assert_eq!(is_related_label(line, 3), is, "{line}");
        }
    }

    #[test]
    fn phrases_end_with_words_and_have_their_place() {
        let class = |line: &str| find(line, 5).map(|found| found.class);
        assert_eq!(class("by ann lee"), Some(BlockClass::Byline));
        assert_eq!(class("bystanders saw it"), None);
        assert_eq!(class("seen by ann lee"), None);
        assert_eq!(class("— photo: ann lee"), Some(BlockClass::Credit));
        assert_eq!(class("ann lee / getty images"), Some(BlockClass::Credit));
        assert_eq!(class("читайте также: вода уходит"), Some(BlockClass::Related));
        assert_eq!(class("相关阅读河水上涨"), Some(BlockClass::Related));
        assert_eq!(find("by ann lee", 99), None);
    }
}
