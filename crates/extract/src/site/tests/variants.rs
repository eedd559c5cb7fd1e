//! Kinds of sites on which the choice of parts used to depend on luck, each in variants with other names and tags.
//!
//! A template is learnt from several choices of pages. All of them must keep the text and remove the rest of a page that none was learnt from.

use super::{learn, text, words};
use crate::options::Options;
use crate::page::Page;
use crate::site::Sample;

/// The page that no template is learnt from.
pub(super) const NEW: usize = 60;

/// Choices of pages to learn from.
const CHOICES: [std::ops::Range<usize>; 3] = [0..5, 5..11, 20..36];

pub(super) fn own(page: usize, part: usize, n: usize) -> String {
    words(page, part, n)
}

/// Names and tags of a variant.
#[derive(Clone, Copy)]
struct Names {
    frame: &'static str,
    list: &'static str,
    item: &'static str,
    side: &'static str,
    text: &'static str,
    bar: &'static str,
}

/// Checks that each choice of pages keeps the parts `kept` of a page and removes the parts `gone`.
#[track_caller]
pub(super) fn check(make: &dyn Fn(usize) -> String, kept: &[String], gone: &[&str]) {
    check_choices(&CHOICES, make, kept, gone);
}

/// Like [`check`], with the choices of pages to learn from.
#[track_caller]
pub(super) fn check_choices(
    choices: &[std::ops::Range<usize>],
    make: &dyn Fn(usize) -> String,
    kept: &[String],
    gone: &[&str],
) {
    for choice in choices {
        let sample = |page: usize| {
            let url = format!("https://example.org/{page}");
            Sample::new(
                &Page::decoded(&make(page)).with_url(Some(&url)),
                &Options::default(),
            )
        };
        let samples: Vec<Sample> = choice.clone().map(sample).collect();
        let got = text(&learn(&samples), &make(NEW)).text;
        for part in kept {
            assert!(got.contains(part.as_str()), "{choice:?} lose `{part}`: {got}");
        }
        for part in gone {
            assert!(!got.contains(part), "{choice:?} keep `{part}`: {got}");
        }
    }
}

/// Wraps content in a head and a foot.
pub(super) fn framed(page: usize, inside: &str) -> String {
    format!(
        "<html><head><title>{}</title></head><body><div class=top><a href=/>Front of the board</a> <a href=/new>What is new</a> \
         <a href=/rules>Rules of the house</a></div>{inside}<div class=base>Kept by volunteers since 2004</div></body></html>",
        own(page, 99, 4)
    )
}

/// A thread: posts with the poster, a text and a bar, all inside of a form or another element.
fn thread(page: usize, names: Names) -> String {
    let posts: String = (0..1 + (page * 5) % 7)
        .map(|i| {
            let person = (page * 3 + i * 5) % 9;
            let rank = ["Newcomer", "Full member of the board", "Elder of the valley"][person % 3];
            format!(
                "<div class='{0}'><div class='{1}'><h4><a href=/u{person}>{2}</a></h4><ul><li>{rank}<li>Posts written: {3}<li>Reputation: {4}\
                 <li>Lives in {5}</ul></div><div class='{6}'><h5><a href=/m{page}-{i}>Re: answer number {i}</a></h5><div class=inner>{7}<br><br>{8}</div>\
                 </div><div class='{9}'><a href=/r>Report to a moderator</a> <span>Logged address</span><div class=sign>{10}</div></div></div>",
                names.item,
                names.side,
                own(person, 200, 1),
                person * 137 + page,
                person * 11,
                own(person, 201, 2),
                names.text,
                own(page, 2 * i, 20 + (page + i) % 25),
                own(page, 2 * i + 1, 12),
                names.bar,
                own(person, 202, 8),
            )
        })
        .collect();
    framed(
        page,
        &format!(
            "<div id={0}><h3>{1}</h3><{2}>{posts}</{2}></div><div class=online><h4>Who is online</h4><p>Users browsing this topic: \
             {3}, and 2 guests</p></div>",
            names.frame,
            own(page, 90, 5),
            names.list,
            own(page % 4, 203, 2),
        ),
    )
}

const FORUMS: [Names; 3] = [
    Names {
        frame: "topicposts",
        list: "form",
        item: "shade odd",
        side: "who",
        text: "area",
        bar: "modbar",
    },
    Names {
        frame: "messages",
        list: "div",
        item: "row-msg",
        side: "avatar-col",
        text: "body-col",
        bar: "tools-row",
    },
    Names {
        frame: "stream",
        list: "section",
        item: "entry card",
        side: "card-user",
        text: "card-content",
        bar: "card-footer",
    },
];

/// All posts are kept, for any tag of their elements. Posters and bars inside posts may stay.
#[test]
fn posts_stay_under_any_tag() {
    for names in FORUMS {
        let posts = 1 + (NEW * 5) % 7;
        let kept: Vec<String> = (0..posts).map(|i| own(NEW, 2 * i, 20 + (NEW + i) % 25)).collect();
        check(&|page| thread(page, names), &kept, &["Front of the board"]);
    }
}

/// A page of a shop: a short text, and a list of goods that is the same on all pages.
fn shop(page: usize, names: Names) -> String {
    let goods: String = (0..120)
        .map(|i| {
            format!(
                "<div class='{}'><a href=/g{i}>{}</a><span class=cost>{} coins</span><a href=/buy>Buy this now</a></div>",
                names.item,
                own(i, 300, 3),
                5 + i
            )
        })
        .collect();
    let title = match names.side {
        "" => "<div>Most wanted this week</div>".to_owned(),
        tag => format!("<{tag}>Most wanted this week</{tag}>"),
    };
    framed(
        page,
        &format!(
            "<div class='{}'><h1>{}</h1><div class=cost>{} coins</div><div class='{}'><p>{}</p></div><button>Put it into the cart</button></div>\
             {title}<{list} class='{}'>{goods}</{list}>",
            names.frame,
            own(page, 0, 3),
            40 + page,
            names.text,
            own(page, 1, 12 + page % 9),
            names.bar,
            list = names.list,
        ),
    )
}

const SHOPS: [Names; 3] = [
    Names {
        frame: "product",
        list: "div",
        item: "catalog-item",
        side: "",
        text: "about",
        bar: "best-list",
    },
    Names {
        frame: "ware single",
        list: "section",
        item: "tile",
        side: "h3",
        text: "ware-text",
        bar: "tiles",
    },
    Names {
        frame: "goods-card",
        list: "aside",
        item: "mini",
        side: "p",
        text: "summary",
        bar: "minis",
    },
];

#[test]
fn a_short_text_beside_a_long_list_of_the_same_goods_is_the_text() {
    for names in SHOPS {
        let kept = [own(NEW, 1, 12 + NEW % 9)];
        let goods = own(77, 300, 3);
        check(
            &|page| shop(page, names),
            &kept,
            &[
                &goods,
                "Buy this now",
                "Put it into the cart",
                "Front of the board",
            ],
        );
    }
}

/// An article that ends with links to others, on two of three pages.
fn related(page: usize, names: Names) -> String {
    let others: String = (0..4)
        .map(|i| format!("<li><a href=/o{page}-{i}>{}</a></li>", own(page * 7 + i, 400, 6)))
        .collect();
    let more = match page % 3 {
        1 => String::new(),
        _ => format!(
            "<{0} class='{1}'>Read about this, too</{0}><{2} class='{3}'>{others}</{2}>",
            names.side, names.bar, names.list, names.item
        ),
    };
    let paragraphs: String = (0..3 + page % 3)
        .map(|i| format!("<p>{}</p>", own(page, i, 35)))
        .collect();
    framed(
        page,
        &format!(
            "<div class='{}'><div class='{}'><h1>{}</h1>{paragraphs}{more}</div></div>",
            names.frame,
            names.text,
            own(page, 90, 5)
        ),
    )
}

#[test]
fn labels_and_headings_that_repeat_stay_where_values_vary() {
    // A recipe: the headings are on every page, and the texts below them differ.
    let recipe = |page: usize| {
        let list: String = (0..4 + page % 3)
            .map(|i| format!("<li>{}</li>", own(page, 10 + i, 5)))
            .collect();
        framed(
            page,
            &format!(
                "<div class=dish><h1>{}</h1><p>{}</p><h2>What you need</h2><ul>{list}</ul><h2>How it is made</h2><p>{}</p></div>",
                own(page, 90, 3),
                own(page, 0, 30),
                own(page, 1, 50)
            ),
        )
    };
    let kept = [
        own(NEW, 0, 30),
        own(NEW, 10, 5),
        own(NEW, 1, 50),
        "What you need".to_owned(),
        "How it is made".to_owned(),
    ];
    check(&recipe, &kept, &["Front of the board", "volunteers"]);
}

#[test]
fn the_order_of_pages_changes_nothing() {
    let samples: Vec<Sample> = (0..9)
        .map(|page| {
            let html = thread(page, FORUMS[1]);
            let url = format!("https://example.org/{page}");
            Sample::new(&Page::decoded(&html).with_url(Some(&url)), &Options::default())
        })
        .collect();
    let forward: Vec<&Sample> = samples.iter().collect();
    let backward: Vec<&Sample> = samples.iter().rev().collect();
    let (a, b) = (
        super::Template::learn(&forward),
        super::Template::learn(&backward),
    );
    assert_eq!(a.parts(), b.parts());
    assert_eq!(a.sure(), b.sure());
    #[cfg(feature = "template-files")]
    assert_eq!(a.to_toml(), b.to_toml());
}

#[test]
fn a_clear_site_is_sure_and_two_pages_cannot_tell() {
    let samples: Vec<Sample> = (0..8)
        .map(|page| {
            let html = related(
                page,
                Names {
                    side: "h4",
                    ..FORUMS[0]
                },
            );
            Sample::new(&Page::decoded(&html), &Options::default())
        })
        .collect();
    let template = learn(&samples);
    assert_eq!((template.sure(), template.doubt()), (Some(1.0), None));
    assert_eq!(learn(&samples[..2]).sure(), None);
}

/// Few pages of threads are divided between posts and what is beside them.
#[test]
#[cfg(feature = "template-files")]
fn the_second_choice_survives_files() {
    let learnt = |first: usize| {
        let sample = |page: usize| {
            Sample::new(
                &Page::decoded(&thread(page, FORUMS[first % 3])),
                &Options::default(),
            )
        };
        let samples: Vec<Sample> = (first..first + 4).map(sample).collect();
        Some(learn(&samples)).filter(|template| !template.candidates().is_empty())
    };
    let template = (0..60).find_map(learnt).expect("pages that are divided");
    let read = crate::site::Template::from_toml(&template.to_toml()).expect("a template");
    assert_eq!(read.to_toml(), template.to_toml());
    let kept = |template: &crate::site::Template| -> Vec<Vec<bool>> {
        let candidates = template.candidates();
        let parts = candidates.iter().map(|candidate| candidate.template.parts());
        parts
            .map(|parts| parts.iter().map(|part| part.kept).collect())
            .collect()
    };
    let [first, second] = &kept(&template)[..] else {
        panic!("two candidates");
    };
    assert_ne!(first, second);
    assert_eq!(kept(&read), kept(&template));
}
