//! Boilerplate of pages: menus, notices, headlines and layouts around the text.

use std::fmt::{self, Write};

use super::super::sentences::{Language, Pool, TextStream};
use crate::random::Random;

/// The kind of page that presents a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// An article in the layout of the site.
    Article,
    /// A print version: the text with little else.
    Print,
    /// An archived article, in the former layout of the site.
    Archive,
}

/// The layout of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Nested tables, as around 2003.
    Tables,
    /// Floating boxes, as around 2012.
    Boxes,
    /// Semantic elements such as `article` and `nav`.
    Semantic,
    /// The layout of an encyclopedia: the menu is last in the source.
    Wiki,
}

/// The layouts from which a site has one.
const LAYOUTS: [Layout; 4] = [Layout::Tables, Layout::Boxes, Layout::Semantic, Layout::Wiki];

/// The parts that all pages of a site share.
pub(super) struct Boilerplate {
    pub(super) host: String,
    name: String,
    language: Language,
    layout: Layout,
    before: Layout,
    menu: Vec<String>,
    notices: Vec<String>,
}

/// Displays a text with the special characters of HTML escaped.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

impl Boilerplate {
    /// The boilerplate of a site: name, menu and notices are random words and lines of its language.
    pub(super) fn new(host: String, pool: &Pool, texts: &mut TextStream<'_>, random: &mut Random) -> Self {
        let words = |random: &mut Random, count: usize| -> Vec<String> {
            (0..count)
                .filter_map(|_| random.pick(&pool.vocabulary).cloned())
                .collect()
        };
        let count = random.between(6, 14);
        let menu = words(random, count);
        let name = words(random, 2).join(" ");
        let mut notices: Vec<String> = pool
            .language
            .boilerplate()
            .iter()
            .map(|&line| line.to_owned())
            .collect();
        random.shuffle(&mut notices);
        notices.truncate(random.between(2, 5));
        // One notice is a sentence of the pool, so that sites differ in their notices.
        notices.extend(texts.of_words(10).into_iter().take(1));
        Self {
            host,
            name,
            language: pool.language,
            layout: *random.pick(&LAYOUTS).unwrap_or(&Layout::Boxes),
            // The former layout may equal the present one.
            before: *random.pick(&LAYOUTS).unwrap_or(&Layout::Tables),
            menu,
            notices,
        }
    }

    /// A page with a text, and with headlines of other articles (title, address) beside it.
    pub(super) fn page(
        &self,
        kind: Page,
        title: &str,
        paragraphs: &[String],
        beside: &[(String, String)],
        random: &mut Random,
    ) -> String {
        let mut text = String::new();
        for paragraph in paragraphs {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "<p>{}</p>", Escaped(paragraph));
        }
        let day = format!("{:02}.{:02}.2007", random.between(1, 28), random.between(1, 12));
        let body = match kind {
            Page::Print => format!(
                "<h2>{}</h2>\n<small>{day}, http://{}/</small>\n{text}<hr>\n<small>{}</small>\n",
                Escaped(title),
                self.host,
                Escaped(self.notices.first().map_or("", String::as_str)),
            ),
            Page::Article => self.in_layout(self.layout, title, &day, &text, beside),
            Page::Archive => self.in_layout(self.before, title, &day, &text, beside),
        };
        self.document(title, &body)
    }

    /// A page with a list of headlines (title, address).
    pub(super) fn list(&self, articles: &[(String, String)], random: &mut Random) -> String {
        let mut text = String::new();
        for (title, address) in articles {
            let _ = writeln!(text, "<li><a href=\"{address}\">{}</a></li>", Escaped(title));
        }
        let day = format!("{:02}.{:02}.2007", random.between(1, 28), random.between(1, 12));
        let body = self.in_layout(
            self.layout,
            &self.name,
            &day,
            &format!("<ul>\n{text}</ul>\n"),
            &[],
        );
        self.document(&self.name, &body)
    }

    /// The page around a body, in the charset in which it will be stored.
    fn document(&self, title: &str, body: &str) -> String {
        let page = |charset: &str| {
            format!(
                "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"{charset}\"><title>{} - {}</title></head>\n\
                 <body>\n{body}</body></html>\n",
                match self.language {
                    Language::English => "en",
                    Language::Russian => "ru",
                },
                Escaped(title),
                Escaped(&self.name),
            )
        };
        // ROMIP XML is written in windows-1251 if that has all characters of the page. The page must
        // declare the charset in which it is stored.
        let narrow = page("windows-1251");
        if encoding_rs::WINDOWS_1251.encode(&narrow).2 {
            page("utf-8")
        } else {
            narrow
        }
    }

    /// The body of a page in a layout.
    fn in_layout(
        &self,
        layout: Layout,
        title: &str,
        day: &str,
        text: &str,
        beside: &[(String, String)],
    ) -> String {
        let title = Escaped(title);
        let mut menu = String::new();
        for (number, entry) in self.menu.iter().enumerate() {
            let _ = write!(menu, "<li><a href=\"/part/{number}\">{}</a></li>", Escaped(entry));
        }
        let mut others = String::new();
        for (title, address) in beside {
            let _ = write!(others, "<li><a href=\"{address}\">{}</a></li>", Escaped(title));
        }
        let mut notices = String::new();
        for notice in &self.notices {
            let _ = write!(notices, "<div class=\"n\">{}</div>", Escaped(notice));
        }
        let name = Escaped(&self.name);
        match layout {
            Layout::Tables => format!(
                "<table width=\"100%\"><tr><td colspan=\"3\"><font size=\"6\">{name}</font></td></tr>\n\
                 <tr><td width=\"150\"><ul>{menu}</ul></td>\n\
                 <td><b>{title}</b> <i>{day}</i>\n{text}</td>\n\
                 <td width=\"180\"><ul>{others}</ul></td></tr>\n\
                 <tr><td colspan=\"3\">{notices}</td></tr></table>\n"
            ),
            Layout::Boxes => format!(
                "<div id=\"top\"><a href=\"/\">{name}</a></div><div id=\"menu\"><ul>{menu}</ul></div>\n\
                 <div id=\"main\"><h1>{title}</h1><span class=\"date\">{day}</span>\n<div class=\"text\">\n{text}</div>\n\
                 <div class=\"more\"><ul>{others}</ul></div></div>\n<div id=\"foot\">{notices}</div>\n"
            ),
            Layout::Semantic => format!(
                "<header><a href=\"/\">{name}</a><nav><ul>{menu}</ul></nav></header>\n\
                 <main><article><h1>{title}</h1><time>{day}</time>\n{text}</article>\n\
                 <aside><ul>{others}</ul></aside></main>\n<footer>{notices}</footer>\n"
            ),
            Layout::Wiki => format!(
                "<div class=\"page\"><h1>{title}</h1>\n<div class=\"content\">\n{text}</div>\n<p class=\"edited\">{day}</p></div>\n\
                 <div class=\"side\"><b>{name}</b><ul>{menu}</ul><ul>{others}</ul></div>\n<div class=\"end\">{notices}</div>\n"
            ),
        }
    }
}
