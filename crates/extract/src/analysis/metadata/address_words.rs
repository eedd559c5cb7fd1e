//! Words in the address of a page, which systems make from its title, and names of its host.

use std::collections::BTreeSet;

use dehusk_html::url::Address;

use super::clean_text::key;

/// Minimum letters of a word that is compared.
const MIN_LETTERS: usize = 3;
/// Minimum number of such words: fewer words name a section or the program.
const MIN_WORDS: usize = 3;
/// Maximum bytes of the path that are read.
const MAX_PATH: usize = 500;
/// Maximum number of words.
const MAX_COUNT: usize = 30;

/// Words of an address.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct AddressWords {
    /// Words of the last part of the path that has at least [`MIN_WORDS`] words. Only ASCII letters count:
    /// addresses write other letters in many ways.
    title: BTreeSet<String>,
    /// Keys of the beginnings of the host: `mill` and `millexample`.
    host: Vec<String>,
}

impl AddressWords {
    pub(super) fn of(url: Option<&str>) -> AddressWords {
        let Some(address) = url.and_then(Address::split) else {
            return AddressWords::default();
        };
        let path = address.path().split(['?', '#']).next().unwrap_or_default();
        let path = &path[..path.floor_char_boundary(MAX_PATH)];
        let parts = path.rsplit('/').map(|part| match part.rsplit_once('.') {
            // The extension of a file is not a word of its name.
            Some((name, end)) if end.len() <= 5 => name,
            _ => part,
        });
        let found = parts
            .map(words)
            .map(|words| words.take(MAX_COUNT).collect::<BTreeSet<String>>())
            .find(|words| words.len() >= MIN_WORDS);
        AddressWords {
            title: found.unwrap_or_default(),
            host: host_names(address.host()),
        }
    }

    /// Whether a key (see [`key`]) is a name of the host, perhaps after an article.
    pub(super) fn is_host(&self, key: &str) -> bool {
        const MIN_NAME: usize = 5;
        let bare = ["the", "der", "die", "das", "le", "la", "el", "il"]
            .iter()
            .filter_map(|article| key.strip_prefix(article))
            .find(|bare| bare.len() >= MIN_NAME);
        let is_name = |text: &str| self.host.iter().any(|name| name == text);
        is_name(key) || bare.is_some_and(is_name)
    }

    /// Share of the words that a text has; `None` without words.
    pub(super) fn share_in(&self, text: &str) -> Option<f32> {
        let text: BTreeSet<String> = words(text).collect();
        let common = self.title.intersection(&text).count();
        (!self.title.is_empty()).then(|| common as f32 / self.title.len() as f32)
    }
}

/// Keys of the beginnings of a host, from its first and from its second label on: `mill` and `millexample`
/// for `www.mill.example`.
fn host_names(host: &str) -> Vec<String> {
    const MIN_NAME: usize = 3;
    const MAX_LABELS: usize = 6;
    let labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty()).collect();
    let mut names = Vec::new();
    for start in 0..labels.len().saturating_sub(1).min(2) {
        let mut name = String::new();
        for label in labels[start..].iter().take(MAX_LABELS) {
            name.push_str(&key(label));
            if name.len() >= MIN_NAME && name != "www" {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Returns the words of ASCII letters in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let fits = |word: &&str| word.len() >= MIN_LETTERS && word.bytes().all(|b| b.is_ascii_alphabetic());
    words.filter(fits).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_with_several_words_counts() {
        let share = |url: &str, text: &str| AddressWords::of(Some(url)).share_in(text);
        let url = "https://mill.example/news/how-rivers-rise-12345.html?from=start#top";
        assert_eq!(share(url, "How rivers rise"), Some(1.0));
        assert_eq!(share(url, "Rivers of the valley"), Some(1.0 / 3.0));
        assert_eq!(
            share("https://mill.example/how-rivers-rise/p/77", "Rivers rise"),
            Some(2.0 / 3.0)
        );
        assert_eq!(share("https://mill.example/rivers", "Rivers"), None);
        assert_eq!(share("https://mill.example/", "Rivers"), None);
        assert_eq!(AddressWords::of(None).share_in("Rivers"), None);
    }

    #[test]
    fn hosts_are_known_with_and_without_their_ends() {
        let words = AddressWords::of(Some("https://www.valley-mill.example/"));
        for (name, is_host) in [
            ("Valley Mill", true),
            ("Valley-Mill.example", true),
            ("www", false),
            ("Mill", false),
        ] {
            assert_eq!(words.is_host(&key(name)), is_host, "{name}");
        }
    }
}
