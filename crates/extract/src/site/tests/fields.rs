//! Places of fields: what is learnt, what is not, and how it is applied.

use super::{learn, words};
use crate::analysis::metadata::candidate::Field;
use crate::extracted::Extracted;
use crate::options::Options;
use crate::overrides::Overrides;
use crate::page::Page;
use crate::pipeline::extract_with;
use crate::site::{Sample, Template};

const PEOPLE: [&str; 6] = [
    "Ann Lee",
    "Bob Mill",
    "Cy Rook",
    "Dee Hart",
    "Eve Marsh",
    "Flo Weir",
];

/// Builds a page of news. `head` is what machines read. Bylines have no class that names them.
fn news(page: usize, head: &str) -> String {
    format!(
        "<html><head><title>{title} - The Herald</title>{head}</head><body><div id=top><a href=/>Home page</a> \
         <a href=/news>All the news</a></div><div class=story><h1>{title}</h1><div class=under><i>{}</i> <u>The Herald, \
         {:02}/02/2024</u></div><p>{}</p><p>{}</p></div><div class=side><i>John Owner</i> <u>01/01/2020</u></div></body></html>",
        PEOPLE[page % 6],
        page + 1,
        words(page, 1, 50),
        words(page, 2, 40),
        title = words(page, 90, 5).trim_end_matches('.'),
    )
}

fn stated(page: usize) -> String {
    format!(
        "<meta name=author content='{}'><meta property='article:published_time' content='2024-02-{:02}T10:00:00Z'>",
        PEOPLE[page % 6],
        page + 1
    )
}

fn template(pages: impl Iterator<Item = String>) -> Template {
    let options = Options::default();
    let samples: Vec<Sample> = pages
        .enumerate()
        .map(|(number, html)| {
            let url = format!("https://herald.example/{number}");
            Sample::new(&Page::decoded(&html).with_url(Some(&url)), &options)
        })
        .collect();
    learn(&samples)
}

fn read(html: &str, templates: &[&Template]) -> Extracted {
    let overrides = Overrides::default().with_templates(templates);
    extract_with(&Page::decoded(html), &Options::default(), &overrides)
}

#[test]
fn places_are_learnt_from_pages_that_state_their_fields_and_read_on_others() {
    let template = template((0..6).map(|page| news(page, &stated(page))));
    let fields = template.fields();
    let place = |field: Field| fields.iter().find(|found| found.field == field);
    let author = place(Field::Authors).expect("a place of authors");
    assert_eq!(
        (author.css.as_str(), author.pages, author.values),
        ("div.under > i", 6, 6)
    );
    assert_eq!((author.agree, author.against), (6, 0));
    assert_eq!(place(Field::Date).expect("a place of dates").css, "div.under > u");
    assert!(
        place(Field::Title).is_some() && place(Field::Modified).is_none(),
        "{fields:?}"
    );
    // A page that states nothing.
    let html = news(8, "");
    let alone = read(&html, &[]);
    assert_eq!(alone.metadata.author, None);
    let got = read(&html, &[&template]).metadata;
    assert_eq!(got.authors, ["Cy Rook"]);
    assert_eq!(got.date.as_deref(), Some("2024-02-09"));
    assert_eq!(
        got.sources()["authors"],
        "template: place on the pages of the site"
    );
    assert_eq!(
        got.candidates
            .iter()
            .filter(|c| c.chosen && c.field == Field::Authors)
            .count(),
        1
    );
}

#[test]
fn what_a_page_states_surely_precedes_the_place() {
    let template = template((0..6).map(|page| news(page, &stated(page))));
    let head = "<script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"author\":{\"@type\":\"Person\",\"name\":\"Gil Ford\"},\
        \"datePublished\":\"2023-05-06\"}</script><meta name=author content='Gil Ford'>";
    let got = read(&news(3, head), &[&template]).metadata;
    assert_eq!(got.authors, ["Gil Ford"]);
}

#[test]
fn a_title_in_which_heading_and_head_agree_precedes_the_place() {
    let template = template((0..6).map(|page| news(page, &stated(page))));
    let html = "<title>The mill burned down - The Herald</title><div id=top><a href=/>Home page</a></div><h2>The mill burned down</h2>\
        <div class=story><h1>Most read this week</h1><p>A text of some words, with a few commas, that says how the mill burned down.</p></div>";
    let got = read(html, &[&template]).metadata;
    assert_eq!(got.title.as_deref(), Some("The mill burned down"));
    // A front page has the title of another text at the place.
    let html = html.replace("<h2>The mill burned down</h2>", "");
    let got = read(&html, &[&template]).metadata;
    let title = got.title.expect("a title");
    assert!(title.starts_with("The mill burned down"), "{title}");
}

#[test]
fn values_that_do_not_vary_are_those_of_the_site() {
    let owner = "<meta name=author content='John Owner'>";
    let template = template((0..6).map(|page| news(page, owner)));
    let fields = template.fields();
    assert!(
        fields.iter().all(|found| found.field != Field::Authors),
        "{fields:?}"
    );
}

#[test]
fn places_do_not_depend_on_the_order_of_pages() {
    let pages = || (0..6).map(|page| news(page, &stated(page)));
    let options = Options::default();
    let samples: Vec<Sample> = pages()
        .enumerate()
        .map(|(number, html)| {
            let url = format!("https://herald.example/{number}");
            Sample::new(&Page::decoded(&html).with_url(Some(&url)), &options)
        })
        .collect();
    let backwards: Vec<&Sample> = samples.iter().rev().collect();
    assert_eq!(Template::learn(&backwards).fields(), template(pages()).fields());
}

#[cfg(feature = "template-files")]
#[test]
fn fields_are_kept_in_files_and_grow_with_pages() {
    let mut template = template((0..6).map(|page| news(page, &stated(page))));
    let again = Template::from_toml(&template.to_toml()).expect("own file");
    assert_eq!(again.fields(), template.fields());
    let more: Vec<Sample> = (6..9)
        .map(|page| Sample::new(&Page::decoded(&news(page, "")), &Options::default()))
        .collect();
    template.add(&more.iter().collect::<Vec<_>>());
    let authors = template
        .fields()
        .into_iter()
        .find(|found| found.field == Field::Authors);
    assert_eq!(authors.map(|found| (found.pages, found.agree)), Some((9, 6)));
    let file = template.to_toml();
    // Older files have no fields.
    let start = file.find("\n[[field]]").expect("fields");
    let end = file.find("\n[[part]]").expect("parts");
    let old = format!("{}{}", &file[..start], &file[end..]).replacen("format = 6", "format = 3", 1);
    assert!(
        Template::from_toml(&old)
            .expect("a file of version 3")
            .fields()
            .is_empty()
    );
    let wrong = |from: &str, to: &str| {
        Template::from_toml(&file.replacen(from, to, 1))
            .expect_err("wrong")
            .to_string()
    };
    assert!(wrong("css = \"div.under > i\"", "css = \"i:hover\"").contains("`i:hover`"));
    assert!(wrong("name = \"authors\"", "name = \"image\"").contains("`image`"));
}

#[cfg(feature = "rules")]
#[test]
fn exported_rules_give_what_the_template_gives() {
    use crate::rules::RuleSet;
    use crate::site::to_rules;

    let mut template = template((0..6).map(|page| news(page, &stated(page))));
    template.origin.site = "https://herald.example/".to_owned();
    let text = to_rules(&[&template]);
    assert!(
        text.contains("author = { css = 'div.under > i' } # on 100 % of pages"),
        "{text}"
    );
    let rules = RuleSet::read([("herald.toml", text.as_str())]).expect("rules");
    let html = news(8, "");
    let page = Page::decoded(&html).with_url(Some("https://herald.example/8"));
    let overrides = Overrides::default().with_rules(Some(&rules));
    let got = extract_with(&page, &Options::default(), &overrides).metadata;
    let of_template = read(&html, &[&template]).metadata;
    assert_eq!(
        (got.title, got.authors, got.date),
        (of_template.title, of_template.authors, of_template.date)
    );
}
