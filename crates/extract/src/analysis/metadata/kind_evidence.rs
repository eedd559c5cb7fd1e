//! Evidence for the kind of a page besides its declaration: words of its address, names of its parts, and
//! the links, headings and paragraphs among its blocks.

use dehusk_html::url::Address;

use super::kind::PageKind;
use super::names::Shape;
use crate::analysis::blocks::table::BlockTable;

/// Evidence for the kind of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct KindEvidence {
    pub(super) shape: Shape,
    /// The kind that words of the address name: question, forum, product or listing.
    pub(super) address: Option<PageKind>,
    /// Whether the address is that of an article: it has a part for articles, or it is made of a title.
    pub(super) has_title: bool,
    /// Whether headings that are links make up the page.
    pub(super) is_list: bool,
    /// Whether it has paragraphs of text.
    pub(super) has_text: bool,
}

/// Parts of paths and first labels of hosts, by the kind of pages that they have.
const QUESTIONS: &[&str] = &["question", "questions", "fragen", "preguntas", "voprosy"];
const FORUMS: &[&str] = &[
    "forum",
    "forums",
    "thread",
    "threads",
    "viewtopic.php",
    "showthread.php",
    "discussion",
    "discussions",
    "board",
    "boards",
    "foro",
    "foros",
];
const FORUM_HOSTS: &[&str] = &[
    "forum",
    "forums",
    "community",
    "discuss",
    "board",
    "boards",
    "foro",
    "foros",
];
/// Parts of paths of threads if a number follows. Without a number, they may name a subject.
const NUMBERED_THREADS: &[&str] = &["t", "topic"];
const PRODUCTS: &[&str] = &[
    "product",
    "products",
    "itm",
    "dp",
    "produkt",
    "produkte",
    "produit",
    "produits",
    "producto",
    "productos",
    "prodotto",
    "prodotti",
    "produto",
    "produtos",
    "tovar",
];
const LISTS: &[&str] = &[
    "c",
    "collection",
    "collections",
    "category",
    "categories",
    "cat",
    "browse",
    "tag",
    "tags",
    "kategorie",
    "kategorien",
    "kategoria",
    "categoria",
    "categorias",
    "categorie",
    "rubrik",
    "rubrika",
    "shop",
    "archive",
    "archives",
    "list",
    "catalog",
    "catalogue",
    "katalog",
];
const ARTICLES: &[&str] = &[
    "blog", "blogs", "article", "articles", "artikel", "news", "post", "posts", "story", "stories",
];

/// Minimum number of marks between words of an address that is made of a title, and maximum number in that of a list.
const TITLE_MARKS: usize = 3;
/// Minimum number of headings that are links, and the minimum share of them among all headings below the first level.
const MIN_LINKED: usize = 8;
const LINKED: f64 = 0.4;
/// Minimum share of links, in characters, of a list.
const MIN_LINKS: f64 = 0.2;
/// Minimum number of paragraphs of a text, and minimum words of one.
const MIN_PARAGRAPHS: usize = 2;
const MIN_WORDS: u32 = 22;
/// Share of links, in characters, from which a block is not a paragraph.
const MOSTLY_LINKS: f64 = 0.4;

impl KindEvidence {
    pub(super) fn of(table: &BlockTable, url: Option<&str>, shape: Shape) -> KindEvidence {
        let (mut headings, mut linked, mut paragraphs) = (0_usize, 0_usize, 0_usize);
        let (mut all, mut links) = (0.0, 0.0);
        for block in table.blocks().iter().filter(|block| !block.hidden) {
            let density = block.link_density();
            all += f64::from(block.chars);
            links += f64::from(block.chars) * density;
            match block.heading {
                0 => paragraphs += usize::from(block.words >= MIN_WORDS && density < MOSTLY_LINKS),
                1 => {}
                _ => {
                    headings += 1;
                    linked += usize::from(density >= 0.5);
                }
            }
        }
        let address = url.and_then(Address::split);
        let words = address.map(AddressSigns::of).unwrap_or_default();
        // Teasers have linked headings. A title in the address shows that the page has a text of its own.
        let is_list = linked >= MIN_LINKED
            && linked as f64 >= LINKED * headings as f64
            && links > MIN_LINKS * all
            && words.marks < TITLE_MARKS;
        KindEvidence {
            shape,
            address: words.kind,
            has_title: words.marks >= TITLE_MARKS || words.of_articles,
            is_list,
            has_text: paragraphs >= MIN_PARAGRAPHS,
        }
    }

    /// Decides the kind by the stated kind, by other evidence, and by whether the page has a date or a writer (`signed`).
    ///
    /// Systems state a site, an article or nothing for any page, so that other evidence may say more. Words
    /// of the address are surest, since all pages of a kind have them.
    pub(super) fn decide(&self, stated: Option<PageKind>, signed: bool) -> Option<PageKind> {
        let is_weak = matches!(stated, None | Some(PageKind::Website));
        let is_article = stated == Some(PageKind::Article);
        if self.shape.documentation && (is_weak || is_article) {
            return Some(PageKind::Documentation);
        }
        match self.address {
            Some(kind @ (PageKind::Question | PageKind::Forum)) if is_weak || is_article => {
                return Some(kind);
            }
            // Products and lists have neither a date nor a writer.
            Some(kind) if is_weak && !signed => return Some(kind),
            _ => {}
        }
        match () {
            () if !is_weak => stated,
            () if self.shape.forum => Some(PageKind::Forum),
            () if self.is_list => Some(PageKind::Listing),
            () if signed || self.has_title && self.has_text => Some(PageKind::Article),
            () if self.shape.catalog => Some(PageKind::Listing),
            () => stated,
        }
    }
}

/// Evidence in the words of an address.
#[derive(Clone, Copy, Default)]
struct AddressSigns {
    kind: Option<PageKind>,
    of_articles: bool,
    /// Number of marks (`-` and `_`) between words in one of the last two parts of the path.
    marks: usize,
}

impl AddressSigns {
    fn of(address: Address<'_>) -> AddressSigns {
        const MAX_PARTS: usize = 20;
        let (path, query) = address.path().split_once('?').unwrap_or((address.path(), ""));
        let path = path.split('#').next().unwrap_or_default().to_ascii_lowercase();
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .take(MAX_PARTS)
            .collect();
        let label = address
            .host()
            .split('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        // The last part names the page itself: `/products/stone` is a product, `/products` is not.
        let before_last = &parts[..parts.len().saturating_sub(1)];
        let has = |parts: &[&str], words: &[&str]| parts.iter().any(|part| words.contains(part));
        let has_digit = |text: &str| text.bytes().any(|b| b.is_ascii_digit());
        // `/t/how-to-dress-a-stone/77`, or a number in the query.
        let is_numbered = |at: usize| parts[at + 1..].iter().any(|part| has_digit(part)) || has_digit(query);
        let is_thread = has(&parts, FORUMS)
            || FORUM_HOSTS.contains(&label.as_str())
            || (0..parts.len()).any(|at| NUMBERED_THREADS.contains(&parts[at]) && is_numbered(at));
        let of_articles = has(before_last, ARTICLES) || label == "blog";
        let marks = |part: &&str| part.bytes().filter(|b| matches!(b, b'-' | b'_')).count();
        let marks = parts.iter().rev().take(2).map(marks).max().unwrap_or_default();
        let kind = match () {
            () if has(&parts, QUESTIONS) => Some(PageKind::Question),
            () if of_articles => None,
            () if is_thread => Some(PageKind::Forum),
            () if has(before_last, PRODUCTS) => Some(PageKind::Product),
            () if has(&parts, LISTS) && marks <= TITLE_MARKS => Some(PageKind::Listing),
            () => None,
        };
        AddressSigns {
            kind,
            of_articles,
            marks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_addresses_name_kinds() {
        for (url, want) in [
            ("https://forum.mill.example/x/rivers.77", Some(PageKind::Forum)),
            (
                "https://mill.example/threads/how-to-dress-a-stone.77/",
                Some(PageKind::Forum),
            ),
            (
                "https://mill.example/t/how-to-dress-a-stone/77",
                Some(PageKind::Forum),
            ),
            ("https://mill.example/topic/stones", None),
            ("https://mill.example/questions/77/why", Some(PageKind::Question)),
            ("https://mill.example/products/stone", Some(PageKind::Product)),
            ("https://mill.example/products", None),
            ("https://mill.example/collections/stones", Some(PageKind::Listing)),
            ("https://mill.example/blog/category/the-stone-of-a-mill", None),
            ("https://mill.example/", None),
        ] {
            let address = Address::split(url).map(AddressSigns::of).unwrap_or_default();
            assert_eq!(address.kind, want, "{url}");
        }
    }
}
