//! Distinct sentences of running text, from which documents are made.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use dehusk_pipeline::narrow;
use dehusk_pipeline::{Cancel, Error};
use walkdir::WalkDir;

use crate::random::Random;

/// Numbers of words of usable sentences.
const WORDS: std::ops::RangeInclusive<usize> = 5..=60;

/// Extensions of files that are read in folders.
const EXTENSIONS: &[&str] = &["txt", "md", "rst"];

/// Largest number of words from which insertions are drawn, before repetitions are removed.
const VOCABULARY: usize = 20_000;

/// Number of sentences from which the language is detected.
const DETECTED: usize = 50;

/// A language whose letters generators know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, and other languages in Latin letters.
    English,
    /// Russian.
    Russian,
}

impl Language {
    /// The letters that typing errors insert.
    pub(super) fn letters(self) -> &'static [char] {
        const LATIN: [char; 26] = [
            'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's',
            't', 'u', 'v', 'w', 'x', 'y', 'z',
        ];
        const CYRILLIC: [char; 32] = [
            'а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'й', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т',
            'у', 'ф', 'х', 'ц', 'ч', 'ш', 'щ', 'ъ', 'ы', 'ь', 'э', 'ю', 'я',
        ];
        match self {
            Self::English => &LATIN,
            Self::Russian => &CYRILLIC,
        }
    }

    /// Lines of boilerplate for pages.
    pub(super) fn boilerplate(self) -> &'static [&'static str] {
        match self {
            Self::English => &[
                "Tell a friend about this page, or have our letter sent to you every week",
                "No part of this site may be printed again unless the editors agree in writing",
                "There is more of this kind in our archive of earlier years",
                "We store small files on your computer; go on reading if you agree",
                "Written by the editors, filed under News, nobody has commented yet",
                "Start Archive Authors Contact Help Privacy",
                "Volunteers typed this text, so please tell them about errors",
                "The text goes on below this notice of our sponsors",
                "Our channels bring you every new text on the day it appears",
                "Readers with an account can keep this text for later",
            ],
            Self::Russian => &[
                "Расскажите о странице знакомым или получайте наше письмо каждую неделю",
                "Перепечатка любой части сайта возможна только с письменного согласия редакции",
                "Другие тексты об этом вы найдёте в архиве прошлых лет",
                "Сайт хранит на вашем компьютере небольшие файлы, продолжая чтение, вы соглашаетесь с этим",
                "Начало Архив Авторы Связь Помощь Условия",
                "Заметили опечатку, выделите её мышью и напишите нам",
                "Текст продолжается ниже сообщения наших партнёров",
                "Читатели с учётной записью могут отложить этот текст на потом",
                "В наших каналах новые тексты появляются в тот же день",
                "Этот текст набрали добровольные помощники редакции",
            ],
        }
    }
}

/// Distinct sentences of 5 to 60 words, in the order of their files.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The language of most letters in the first 1000 sentences.
    pub language: Language,
    /// ISO 639-1 code of the detected language; `None` if the detector is not sure.
    pub code: Option<&'static str>,
    pub(super) sentences: Vec<String>,
    pub(super) vocabulary: Vec<String>,
}

impl Pool {
    /// Reads single files, and the files `.txt`, `.md` and `.rst` in folders, in the order of their paths.
    /// An output that is opened with `cancel` afterwards cannot replace one of them.
    ///
    /// # Errors
    /// If a file cannot be read, or if no file has a usable sentence.
    pub fn read(inputs: &[String], cancel: &Cancel) -> Result<Self, Error> {
        let mut sentences = Vec::new();
        let mut seen = HashSet::new();
        let splitter = dehusk_pipeline::normalize::Splitter::new();
        for path in files(inputs)? {
            cancel.reads("the text", &path);
            let bytes = fs::read(&path).map_err(|e| Error::input(&path, e))?;
            let text = String::from_utf8_lossy(&bytes);
            let is_plain = path.extension().is_none_or(|extension| extension == "txt");
            // A byte order mark would become a part of the first word.
            for paragraph in text
                .trim_start_matches('\u{feff}')
                .replace('\r', "")
                .split("\n\n")
            {
                // A paragraph of a markup file that starts like this is no running text: it is a heading,
                // table, code, list or directive.
                let start = paragraph.trim_start();
                if !is_plain && start.starts_with(['#', '|', '`', '.', '-', '*', ':', '<', '=']) {
                    continue;
                }
                let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
                for range in splitter.sentences(&paragraph) {
                    let sentence = &paragraph[range];
                    let letters = sentence.chars().filter(|c| c.is_alphabetic()).count();
                    // More than 70 % letters: tables of numbers and lists of symbols are left out.
                    let enough = 10 * letters > 7 * sentence.chars().count();
                    let words = count_words(sentence);
                    // Repeated sentences would make unrelated documents similar.
                    if WORDS.contains(&words) && enough && seen.insert(sentence.to_owned()) {
                        sentences.push(sentence.to_owned());
                    }
                }
            }
        }
        Self::of(sentences).ok_or_else(|| {
            Error::usage("no sentence of 5 to 60 words is in the inputs")
                .with_help("name folders with running text in .txt, .md or .rst files")
        })
    }

    /// A pool of these sentences. `None` if they have no word of letters only.
    #[must_use]
    pub fn of(sentences: Vec<String>) -> Option<Self> {
        let mut cyrillic = 0_usize;
        let mut letters = 0_usize;
        for c in sentences.iter().take(1000).flat_map(|sentence| sentence.chars()) {
            letters += usize::from(c.is_alphabetic());
            cyrillic += usize::from(matches!(c, '\u{400}'..='\u{4ff}'));
        }
        // Words with punctuation would look wrong within another sentence.
        let mut vocabulary: Vec<String> = sentences
            .iter()
            .flat_map(|sentence| sentence.split(' '))
            .filter(|word| word.chars().all(char::is_alphabetic))
            .take(VOCABULARY)
            .map(str::to_owned)
            .collect();
        vocabulary.sort_unstable();
        vocabulary.dedup();
        let start = sentences.iter().take(DETECTED).map(String::as_str);
        let found = dehusk_pipeline::normalize::detect_language(&start.collect::<Vec<_>>().join(" "));
        let code = found.filter(|found| found.reliable).map(|found| found.code);
        // Insertions draw from the vocabulary, so it must not be empty.
        (!vocabulary.is_empty()).then_some(Self {
            code,
            language: if 2 * cyrillic > letters {
                Language::Russian
            } else {
                Language::English
            },
            sentences,
            vocabulary,
        })
    }

    /// Number of sentences.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// True if there are no sentences. A pool always has some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }
}

/// Characters that count as a word in scripts without spaces between words. A Thai word has about four,
/// with its marks.
const WORD: usize = 4;

/// Number of words of a sentence. In scripts without spaces it follows from the number of characters, so
/// that sentences of all languages have similar lengths.
fn count_words(sentence: &str) -> usize {
    let spaced = sentence.split(' ').count();
    let is_spaceless = |c: &char| {
        matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
            | '\u{3400}'..='\u{9FFF}')
    };
    spaced.max(sentence.chars().filter(is_spaceless).count() / WORD)
}

/// The files to read, in the order of `inputs`. Files of a folder are sorted by path.
fn files(inputs: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        let meta = fs::metadata(path).map_err(|e| Error::input(path, e))?;
        if !meta.is_dir() {
            files.push(path.to_owned());
            continue;
        }
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            let entry = entry.map_err(|e| Error::input(path, e.into()))?;
            let is_text = entry
                .path()
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| EXTENSIONS.contains(&extension));
            // Regular files only: reading a named pipe could block forever.
            if is_text && entry.file_type().is_file() {
                files.push(entry.into_path());
            }
        }
    }
    Ok(files)
}

/// Lengths of documents in words: 64 quantiles of a log-normal distribution whose logarithm has mean 4.2
/// and standard deviation 0.6, limited to 30 to 600. They are integers, so that every platform draws the
/// same.
const LENGTHS: [usize; 64] = [
    30, 30, 30, 30, 30, 30, 31, 33, 34, 36, 37, 38, 40, 41, 43, 44, 45, 46, 48, 49, 50, 52, 53, 54, 56, 57,
    59, 60, 61, 63, 64, 66, 67, 69, 71, 72, 74, 76, 78, 80, 82, 84, 86, 88, 91, 93, 96, 99, 101, 105, 108,
    112, 116, 120, 125, 130, 136, 143, 151, 161, 174, 192, 220, 284,
];

/// An endless sequence of documents of a pool: first the sentences in their order, then in random orders.
pub(super) struct TextStream<'p> {
    pool: &'p Pool,
    order: Vec<u32>,
    next: usize,
    random: Random,
    /// Whether sentences were used again.
    repeats: bool,
}

impl<'p> TextStream<'p> {
    /// The sequence from its beginning.
    pub(super) fn new(pool: &'p Pool, random: Random) -> Self {
        Self {
            pool,
            order: (0..narrow::to_u32(pool.sentences.len())).collect(),
            next: 0,
            random,
            repeats: false,
        }
    }

    /// The sentences of the next document.
    pub(super) fn next(&mut self) -> Vec<String> {
        let wanted = *self.random.pick(&LENGTHS).unwrap_or(&60);
        self.of_words(wanted)
    }

    /// The sentences of the next document, with at least `wanted` words.
    pub(super) fn of_words(&mut self, wanted: usize) -> Vec<String> {
        let mut document = Vec::new();
        let mut words = 0;
        while words < wanted {
            if self.next == self.order.len() {
                // All sentences are used up, so they are used again in another order.
                self.random.shuffle(&mut self.order);
                self.next = 0;
                self.repeats = true;
            }
            let sentence = &self.pool.sentences[self.order[self.next] as usize];
            self.next += 1;
            words += count_words(sentence);
            document.push(sentence.clone());
        }
        document
    }
}

/// Refuses sets whose truth would be wrong: documents that are made from a few repeated sentences are
/// similar to each other, while the truth calls them different. `made` is the number of documents.
///
/// # Errors
/// If a text whose sentences were used again has less than ten times the words of the longest document.
/// Then two documents share more than a twentieth of their words.
pub(super) fn check_variety(texts: &[TextStream<'_>], made: usize) -> Result<(), Error> {
    let least = 10 * LENGTHS.iter().copied().max().unwrap_or_default();
    let words = |text: &TextStream<'_>| -> usize {
        let sentences = text.pool.sentences.iter();
        sentences.map(|sentence| count_words(sentence)).sum()
    };
    let small = texts.iter().filter(|text| text.repeats).map(words).min();
    match small.filter(|words| *words < least) {
        None => Ok(()),
        Some(words) => Err(Error::usage(format!(
            "a text has {words} words, too few for {made} documents: its sentences come back, and documents that have them in common are \
             not the different ones that truth says they are"
        ))
        .with_help(format!("name texts of at least {least} words each, or ask for fewer documents"))),
    }
}

/// Sentences in paragraphs of three.
pub(super) fn paragraphs(sentences: &[String]) -> Vec<String> {
    sentences.chunks(3).map(|paragraph| paragraph.join(" ")).collect()
}
