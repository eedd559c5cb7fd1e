//! Facts about an element that its attributes state: class, id, role and the like.

use crate::analysis::blocks::elements::is_hidden;
use crate::analysis::key_numbers::key_of;
use crate::label::class_lists::ClassLists;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Roles of elements outside the content.
const UNLIKELY_ROLES: &[&str] = &[
    "menu",
    "menubar",
    "complementary",
    "navigation",
    "alert",
    "alertdialog",
    "dialog",
];

/// Facts about an element that its attributes state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Names {
    class: ClassLists,
    id: ClassLists,
    /// Hash of the class attribute, or 0 if it is empty. Siblings with equal classes belong together.
    pub(crate) class_hash: u64,
    pub(crate) hidden: bool,
    pub(crate) modal: bool,
    pub(crate) unlikely_role: bool,
    /// Whether it has `rel=author`, `itemprop=author`, or the name of a byline.
    pub(crate) byline: bool,
    /// Whether class or id contain the word `share` or `sharedaddy`.
    pub(crate) share: bool,
    /// Whether it is a link to a place on the same page.
    pub(crate) fragment_link: bool,
    /// Whether it is an embedded video of a well-known host.
    pub(crate) video: bool,
}

impl Names {
    /// Reads the attributes of a node. Returns `None` if it has none.
    pub(crate) fn of(dom: &Dom<'_>, id: NodeId) -> Option<Self> {
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
                names.class = ClassLists::of_words(&value);
                names.share |= names_share(&value);
                names.class_hash = if value.is_empty() {
                    0
                } else {
                    // Never 0, which stands for an empty class.
                    key_of(value.as_bytes(), 0) | 1
                };
                fallback_image = value.contains("fallback-image");
            } else if is("id") {
                names.id = ClassLists::of_words(&value);
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
            // Readability.js looks for the host in all attributes, since players state their address in
            // several.
            if embed {
                names.video |= is_video(&value);
            }
        }
        any.then(|| {
            // As in Readability.js: images of formulas on Wikimedia sites are hidden from screen readers
            // only.
            names.hidden = is_hidden(dom, id) && !fallback_image;
            names.modal = modal && role_dialog;
            names.byline |= names.class.and(names.id).byline();
            names
        })
    }

    /// Returns whether class and id together are on the list of unlikely names and not on the list of names that may hold content.
    pub(crate) fn unlikely(self) -> bool {
        self.class.and(self.id).unlikely()
    }

    /// Returns the sum of two weights, for class and for id: 25 for a positive name, -25 for a negative one.
    pub(crate) fn weight(self) -> f64 {
        f64::from(self.class.weight() + self.id.weight())
    }
}

/// Returns whether a name contains `share` or `sharedaddy` as a word. `_` separates words as well.
fn names_share(name: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric())
        .any(|w| w.eq_ignore_ascii_case("share") || w.eq_ignore_ascii_case("sharedaddy"))
}

/// Returns whether an address is that of a video player of a well-known host.
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
