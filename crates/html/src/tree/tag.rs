//! Tag names as small numbers.
//!
//! Every name of the HTML standard has a constant. Each document assigns further numbers to other names,
//! after those of the constants.

use crate::narrow;

/// Name of an element, as a number.
///
/// Two elements of one document have the same local name exactly if their tags are equal. The constants are
/// the same in every document; other tags are only valid in their own document, where
/// [`Dom::tag_name`](super::Dom::tag_name) returns their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub(crate) u16);

macro_rules! tags {
    ($($konst:ident = $name:literal),* $(,)?) => {
        #[repr(u16)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($konst),* }

        impl Tag {
            /// All tags that have a constant, sorted by name.
            pub const ALL: &[Tag] = &[$(Tag(Index::$konst as u16)),*];
            $(#[doc = concat!("`", $name, "`")] pub const $konst: Tag = Tag(Index::$konst as u16);)*
        }

        /// Names in the order of their numbers. They are sorted, so that a name is found by binary search.
        pub(crate) static NAMES: &[&str] = &[$($name),*];
    };
}

tags! {
    A = "a",
    ABBR = "abbr",
    ACRONYM = "acronym",
    ADDRESS = "address",
    ANNOTATION_XML = "annotation-xml",
    APPLET = "applet",
    AREA = "area",
    ARTICLE = "article",
    ASIDE = "aside",
    AUDIO = "audio",
    B = "b",
    BASE = "base",
    BASEFONT = "basefont",
    BDI = "bdi",
    BDO = "bdo",
    BGSOUND = "bgsound",
    BIG = "big",
    BLINK = "blink",
    BLOCKQUOTE = "blockquote",
    BODY = "body",
    BR = "br",
    BUTTON = "button",
    CANVAS = "canvas",
    CAPTION = "caption",
    CENTER = "center",
    CITE = "cite",
    CODE = "code",
    COL = "col",
    COLGROUP = "colgroup",
    DATA = "data",
    DATALIST = "datalist",
    DD = "dd",
    DEL = "del",
    DESC = "desc",
    DETAILS = "details",
    DFN = "dfn",
    DIALOG = "dialog",
    DIR = "dir",
    DIV = "div",
    DL = "dl",
    DT = "dt",
    EM = "em",
    EMBED = "embed",
    FIELDSET = "fieldset",
    FIGCAPTION = "figcaption",
    FIGURE = "figure",
    FONT = "font",
    FOOTER = "footer",
    FOREIGNOBJECT = "foreignObject",
    FORM = "form",
    FRAME = "frame",
    FRAMESET = "frameset",
    H1 = "h1",
    H2 = "h2",
    H3 = "h3",
    H4 = "h4",
    H5 = "h5",
    H6 = "h6",
    HEAD = "head",
    HEADER = "header",
    HGROUP = "hgroup",
    HR = "hr",
    HTML = "html",
    I = "i",
    IFRAME = "iframe",
    IMAGE = "image",
    IMG = "img",
    INPUT = "input",
    INS = "ins",
    ISINDEX = "isindex",
    KBD = "kbd",
    KEYGEN = "keygen",
    LABEL = "label",
    LEGEND = "legend",
    LI = "li",
    LINK = "link",
    LISTING = "listing",
    MAIN = "main",
    MALIGNMARK = "malignmark",
    MAP = "map",
    MARK = "mark",
    MARQUEE = "marquee",
    MATH = "math",
    MENU = "menu",
    MENUITEM = "menuitem",
    META = "meta",
    METER = "meter",
    MGLYPH = "mglyph",
    MI = "mi",
    MN = "mn",
    MO = "mo",
    MS = "ms",
    MTEXT = "mtext",
    NAV = "nav",
    NEXTID = "nextid",
    NOBR = "nobr",
    NOEMBED = "noembed",
    NOFRAMES = "noframes",
    NOSCRIPT = "noscript",
    OBJECT = "object",
    OL = "ol",
    OPTGROUP = "optgroup",
    OPTION = "option",
    OUTPUT = "output",
    P = "p",
    PARAM = "param",
    PICTURE = "picture",
    PLAINTEXT = "plaintext",
    PRE = "pre",
    PROGRESS = "progress",
    Q = "q",
    RB = "rb",
    RP = "rp",
    RT = "rt",
    RTC = "rtc",
    RUBY = "ruby",
    S = "s",
    SAMP = "samp",
    SCRIPT = "script",
    SEARCH = "search",
    SECTION = "section",
    SELECT = "select",
    SELECTEDCONTENT = "selectedcontent",
    SLOT = "slot",
    SMALL = "small",
    SOURCE = "source",
    SPACER = "spacer",
    SPAN = "span",
    STRIKE = "strike",
    STRONG = "strong",
    STYLE = "style",
    SUB = "sub",
    SUMMARY = "summary",
    SUP = "sup",
    SVG = "svg",
    TABLE = "table",
    TBODY = "tbody",
    TD = "td",
    TEMPLATE = "template",
    TEXTAREA = "textarea",
    TFOOT = "tfoot",
    TH = "th",
    THEAD = "thead",
    TIME = "time",
    TITLE = "title",
    TR = "tr",
    TRACK = "track",
    TT = "tt",
    U = "u",
    UL = "ul",
    VAR = "var",
    VIDEO = "video",
    WBR = "wbr",
    XMP = "xmp",
}

impl Tag {
    /// Number of names with a constant; tags from this number on belong to the table of names of one document.
    pub(crate) const KNOWN: u16 = narrow::to_u16(NAMES.len());

    /// Index into tables with one entry for each of [`Tag::ALL`]; tags without a constant have indices past their end.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Constant for `name`, which must be in lower case, except `foreignObject` of SVG; `None` if it has none.
    #[inline]
    pub fn known(name: &str) -> Option<Tag> {
        NAMES.binary_search(&name).ok().map(|i| Tag(narrow::to_u16(i)))
    }

    /// Name of a tag that has a constant; `None` for other tags.
    #[inline]
    pub fn known_name(self) -> Option<&'static str> {
        NAMES.get(usize::from(self.0)).copied()
    }

    /// 1 to 6 for `h1` to `h6`; `None` for other tags.
    #[inline]
    pub const fn heading_level(self) -> Option<u8> {
        // The six tags have consecutive numbers, because constants are sorted by name.
        if Tag::H1.0 <= self.0 && self.0 <= Tag::H6.0 {
            Some((self.0 - Tag::H1.0).to_le_bytes()[0] + 1)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_found_by_its_name() {
        assert!(NAMES.is_sorted());
        for (i, name) in NAMES.iter().enumerate() {
            assert_eq!(Tag::known(name), Some(Tag(i as u16)));
        }
        assert_eq!(Tag::known("x-card"), None);
        assert_eq!(Tag::H4.heading_level(), Some(4));
        assert_eq!(Tag::HR.heading_level(), None);
    }
}
