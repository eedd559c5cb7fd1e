//! What the class and the id of an element say about it.

use std::sync::LazyLock;

use super::constants::NAME_WEIGHT;
use crate::analysis::blocks::is_hidden;
use crate::analysis::word_lists::WordLists;
use dehusk_html::tree::{Dom, NodeId, Tag};

const UNLIKELY: u8 = 1;
const MAYBE: u8 = 2;
const POSITIVE: u8 = 4;
const NEGATIVE: u8 = 8;
const BYLINE: u8 = 16;

/// The lists, and the bit that stands for each.
const LIST_NAMES: &[(&str, u8)] = &[
    ("unlikely", UNLIKELY),
    ("maybe", MAYBE),
    ("positive", POSITIVE),
    ("negative", NEGATIVE),
    ("byline", BYLINE),
];

/// Roles of elements that are no content.
const UNLIKELY_ROLES: &[&str] = &[
    "menu",
    "menubar",
    "complementary",
    "navigation",
    "alert",
    "alertdialog",
    "dialog",
];

static LISTS: LazyLock<WordLists> = LazyLock::new(|| {
    let lists = read(include_str!("../../../../data/words/readability.toml"));
    let lists = lists.expect("the lists of the program are read by its tests");
    let lists: Vec<(u32, Vec<&str>)> = lists
        .iter()
        .map(|(bit, words)| (u32::from(*bit), words.iter().map(String::as_str).collect()))
        .collect();
    WordLists::new(lists.iter().map(|(bit, words)| (*bit, words.as_slice())))
});

/// Reads lists of parts of names. The error is a sentence for whoever wrote them.
fn read(text: &str) -> Result<Vec<(u8, Vec<String>)>, String> {
    let table: toml::Table = text.parse().map_err(|e| format!("not TOML: {e}"))?;
    if let Some(unknown) = table
        .keys()
        .find(|key| !LIST_NAMES.iter().any(|(name, _)| name == key))
    {
        return Err(format!("there is no list `{unknown}`"));
    }
    let list = |&(name, bit): &(&str, u8)| {
        let words = table.get(name).and_then(toml::Value::as_array);
        let words = words.ok_or_else(|| format!("the list `{name}` is missing"))?;
        let word = |word: &toml::Value| match word.as_str() {
            Some(word) if !word.is_empty() => Ok(word.to_owned()),
            _ => Err(format!("`{name}`: {word} is no word")),
        };
        Ok((bit, words.iter().map(word).collect::<Result<_, String>>()?))
    };
    LIST_NAMES.iter().map(list).collect()
}

/// On which lists a name is.
fn lists_of(name: &str) -> u8 {
    let found = LISTS.find(name) as u8;
    // The one word of the lists that counts only when it stands alone.
    let alone = name.split(' ').any(|w| w.eq_ignore_ascii_case("hid"));
    found | if alone { NEGATIVE } else { 0 }
}

/// Which lists class and id of an element are on, taken together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NameLists(u8);

/// On which lists the names of an element are.
pub(crate) fn name_lists(names: &str) -> NameLists {
    NameLists(LISTS.find(names) as u8)
}

impl NameLists {
    /// On the list of unlikely names, and not on that of names that may hold content.
    pub(crate) fn unlikely(self) -> bool {
        self.0 & UNLIKELY != 0 && self.0 & MAYBE == 0
    }

    /// 25 for good names, -25 for bad ones.
    pub(crate) fn weight(self) -> f32 {
        let part = |list, weight| if self.0 & list != 0 { weight } else { 0.0 };
        part(POSITIVE, NAME_WEIGHT as f32) - part(NEGATIVE, NAME_WEIGHT as f32)
    }
}

/// What is known of an element from its attributes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Names {
    class: u8,
    id: u8,
    /// Hash of the class attribute, 0 if it is empty: equal classes mark siblings of one kind.
    pub(crate) class_hash: u64,
    pub(crate) hidden: bool,
    pub(crate) modal: bool,
    pub(crate) unlikely_role: bool,
    /// `rel=author` or `itemprop=author`, or a name that says so.
    pub(crate) byline: bool,
    /// Class or id holds the word `share` or `sharedaddy`.
    pub(crate) share: bool,
    /// A link to a place on the same page.
    pub(crate) fragment_link: bool,
    /// An embedded video of a well-known host.
    pub(crate) video: bool,
}

impl Names {
    pub(crate) fn of(dom: &Dom<'_>, id: NodeId) -> Self {
        let mut names = Names::default();
        let (mut role_dialog, mut modal) = (false, false);
        let tag = dom.html_tag(id);
        let embed = matches!(tag, Some(Tag::IFRAME | Tag::EMBED | Tag::OBJECT));
        let mut fallback_image = false;
        let mut any = false;
        for (name, value) in dom.attributes(id) {
            any = true;
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            if is("class") {
                names.class = lists_of(&value);
                names.share |= names_share(&value);
                names.class_hash = if value.is_empty() { 0 } else { hash(&value) | 1 };
                fallback_image = value.contains("fallback-image");
            } else if is("id") {
                names.id = lists_of(&value);
                names.share |= names_share(&value);
            } else if is("role") {
                names.unlikely_role = UNLIKELY_ROLES.contains(&&*value);
                role_dialog = value == "dialog";
            } else if is("aria-modal") {
                modal = value == "true";
            } else if is("rel") {
                names.byline |= value == "author";
            } else if is("itemprop") {
                names.byline |= value.contains("author");
            } else if is("href") && tag == Some(Tag::A) {
                names.fragment_link = value.len() > 1 && value.starts_with('#');
            }
            if embed {
                names.video |= is_video(&value);
            }
        }
        if any {
            names.hidden = is_hidden(dom, id) && !fallback_image;
            names.modal = modal && role_dialog;
            names.byline |= (names.class | names.id) & BYLINE != 0;
        }
        names
    }

    /// Class and id taken together are on the list of unlikely names, and not on that of names that may hold content.
    pub(crate) fn unlikely(self) -> bool {
        let both = self.class | self.id;
        both & UNLIKELY != 0 && both & MAYBE == 0
    }

    /// 25 for a good class and for a good id, -25 for bad ones.
    pub(crate) fn weight(self) -> f64 {
        let mut weight = 0.0;
        for lists in [self.class, self.id] {
            weight -= if lists & NEGATIVE != 0 { NAME_WEIGHT } else { 0.0 };
            weight += if lists & POSITIVE != 0 { NAME_WEIGHT } else { 0.0 };
        }
        weight
    }
}

/// Whether `share` or `sharedaddy` stands in a name as a word, `_` parting words too.
fn names_share(name: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric())
        .any(|w| w.eq_ignore_ascii_case("share") || w.eq_ignore_ascii_case("sharedaddy"))
}

fn is_video(value: &str) -> bool {
    const HOSTS: &[&str] = &[
        "youtube.com/",
        "youtube-nocookie.com/",
        "player.vimeo.com/",
        "v.qq.com/",
        "bilibili.com/",
        "live.bilibili.com/",
        "dailymotion.com/",
        "archive.org/",
        "upload.wikimedia.org/",
        "player.twitch.tv/",
    ];
    HOSTS.iter().any(|host| value.contains(host))
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_errors_name_the_place() {
        assert_eq!(
            lists_of("post-Content sidebar"),
            MAYBE | POSITIVE | UNLIKELY | NEGATIVE
        );
        assert_eq!(
            (lists_of("x hid"), lists_of("hidx"), lists_of("")),
            (NEGATIVE, 0, 0)
        );
        let all = "unlikely=['a']\nmaybe=['b']\npositive=[]\nnegative=[]\n";
        assert_eq!(read(all).unwrap_err(), "the list `byline` is missing");
        assert_eq!(
            read(&format!("{all}byline=[1]")).unwrap_err(),
            "`byline`: 1 is no word"
        );
        assert_eq!(read("likely=[]").unwrap_err(), "there is no list `likely`");
        assert!(read("x").unwrap_err().starts_with("not TOML"));
        assert_eq!(
            read(&format!("{all}byline=['c']")).unwrap()[1],
            (MAYBE, vec!["b".to_owned()])
        );
    }
}
