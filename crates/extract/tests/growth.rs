//! Growth: the work of a whole extraction, its memory and its results are linear in the bytes of any page, also of the worst.

#![allow(
    clippy::cast_possible_truncation,
    reason = "tests choose their numbers, which are small"
)]

use dehusk_extract::site::{Sample, Template};
use dehusk_extract::{OPENERS, Options, PAGE_SHAPES, Page, REPEATED, extract, longest_form, product};
use dehusk_html::parser::growth::measure;
use dehusk_html::parser::shapes::{SHAPES, Shape};

#[test]
fn extraction_of_every_shape_is_linear() {
    for method in ["default", "readability"] {
        let options = Options::default().with_extractor(method).unwrap();
        for (name, shape) in SHAPES.iter().chain(PAGE_SHAPES) {
            let growth = measure(*shape, 8_000, 1.4, |source| {
                extract(&Page::decoded(source), &options).all_chars
            });
            let (time, spent) = (growth.exponent, growth.nanoseconds_per_byte);
            println!("{method:12} {name:40} time n^{time:.2}, {spent:7.1} ns a byte");
            // A tree that outgrows the caches of the processor takes longer for each node; what is quadratic fits 2.
            assert!(time <= 1.5, "{method}, {name}: time grows with n^{time:.2}");
        }
    }
}

/// All forms of a result at once.
fn all_forms(method: &str) -> Options {
    Options::default()
        .with_extractor(method)
        .expect("a method that there is")
        .with_markdown(true)
        .with_html(true)
        .with_content(true)
        .with_tables(true)
        .with_blocks(true)
        .with_links(true)
        .with_images(true)
}

/// How the time of a product grows. Every form of its result stays as long as the page, or nearly so.
fn growth_of_product(method: &str, opener: &Shape, repeated: &Shape) -> f64 {
    growth_with(&all_forms(method), method, opener, repeated)
}

/// Exponent of growth of a product as in [`growth_of_product`], with other options.
#[allow(clippy::print_stdout, reason = "a table for whoever runs it")]
fn growth_with(options: &Options, method: &str, opener: &Shape, repeated: &Shape) -> f64 {
    let name = format!("{}, then {}", opener.0, repeated.0);
    let growth = measure(
        |bytes| product(*opener, *repeated, bytes),
        8_000,
        1.4,
        |source| {
            let got = extract(
                &Page::decoded(source).with_url(Some("https://a.example/")),
                options,
            );
            let (bytes, most) = (longest_form(&got), 4 * source.len() + (1 << 20));
            assert!(
                bytes <= most,
                "{method}, {name}: {bytes} bytes of {}",
                source.len()
            );
            got.all_chars
        },
    );
    println!(
        "{method:12} {name:60} time n^{:.2}, {:7.1} ns a byte",
        growth.exponent, growth.nanoseconds_per_byte
    );
    growth.exponent
}

/// Two things that are harmless alone stay a sum, in time and in the length of every form. Every `step`th pair is tried.
fn products_are_sums(step: usize) {
    let pairs = OPENERS
        .iter()
        .flat_map(|opener| REPEATED.iter().map(move |repeated| (opener, repeated)));
    let mut steep = Vec::new();
    for (i, (opener, repeated)) in pairs.enumerate().step_by(step) {
        let method = ["all-text", "default", "readability", "markup"][i % 4];
        let time = growth_of_product(method, opener, repeated);
        if time > 1.5 {
            steep.push(format!(
                "{method}, {}, then {}: n^{time:.2}",
                opener.0, repeated.0
            ));
        }
    }
    assert!(
        steep.is_empty(),
        "time grows faster than the page: {}",
        steep.join("; ")
    );
}

/// Nested structured data with any number of properties anywhere, and many lines with dates and writers.
#[test]
fn data_about_the_page_are_read_once() {
    let shapes: [Shape; 7] = [
        ("items in items", |n| {
            "<div itemscope itemtype=T itemprop='a b c'>x".repeat(n / 44)
        }),
        ("properties far below", |n| {
            "<div>".repeat(400) + &"<i itemprop=a>x</i>".repeat(n / 19)
        }),
        ("properties of other names", |n| {
            let properties = (0..n / 24).map(|i| format!("<i property=a{i}>x</i>"));
            "<div typeof=T>".to_owned() + &properties.collect::<String>()
        }),
        ("RDFa in RDFa", |n| {
            "<p typeof=T property='schema:author name'>Ann Lee".repeat(n / 49)
        }),
        ("objects in JSON", |n| {
            let objects = r#"{"@type":"T","a":[1,{"b":"c"}]},"#.repeat(n / 31);
            format!("<script type=application/ld+json>[{objects}{{}}]</script>")
        }),
        ("relative dates", |n| {
            "<p class=date>vor 3 Tagen, 3 days ago".repeat(n / 37)
        }),
        ("marked writers", |n| "<p class=author>Ann Lee</p>".repeat(n / 27)),
    ];
    let options = Options::default()
        .with_extractor("all-text")
        .expect("a method that there is")
        .with_structured(true);
    for (name, shape) in shapes {
        let growth = measure(shape, 8_000, 1.4, |source| {
            let page = Page::decoded(source).with_captured(Some("2024-03-05T10:30:00Z"));
            extract(&page, &options).all_chars
        });
        let (time, spent) = (growth.exponent, growth.nanoseconds_per_byte);
        println!("{name:40} time n^{time:.2}, {spent:7.1} ns a byte");
        assert!(time <= 1.5, "{name}: time grows with n^{time:.2}");
    }
}

/// What the document model holds besides paragraphs: notes and their calls, formulas, terms, readings, videos.
#[test]
fn parts_of_documents_are_found_once() {
    let named =
        |shapes: &'static [Shape], name: &str| shapes.iter().find(|shape| shape.0 == name).expect("a shape");
    for (opener, repeated) in [
        ("calls of notes", "notes"),
        ("calls of notes", "phrases"),
        ("deep formulas in attributes", "phrases"),
        ("deep formulas in attributes", "formulas in attributes"),
        ("deep lists", "terms"),
        ("a cell over all rows and columns", "readings"),
        ("described words", "notes by their role"),
        ("words in described words", "notes by their role"),
        ("words in described words", "phrases"),
        ("calls of notes", "frames of players"),
        ("a long base address", "frames of players"),
        ("a long base address", "videos"),
        ("deep players", "videos"),
        ("deep quotes", "frames of players"),
        ("deep lists", "videos"),
    ] {
        let time = growth_of_product("all-text", named(OPENERS, opener), named(REPEATED, repeated));
        assert!(
            time <= 1.5,
            "{opener}, then {repeated}: time grows with n^{time:.2}"
        );
    }
}

/// A page may name any number of authors, and every short line may be one of them.
#[test]
fn lines_are_compared_with_many_authors_once() {
    let named =
        |shapes: &'static [Shape], name: &str| shapes.iter().find(|shape| shape.0 == name).expect("a shape");
    let authors = named(OPENERS, "authors in JSON");
    let time = growth_of_product("default", authors, named(REPEATED, "paragraphs of a letter"));
    assert!(time <= 1.3, "time grows with n^{time:.2}");
}

/// A date is an attribute of one element, and every line in it may be the date of a comment.
#[test]
fn lines_in_a_long_date_read_it_once() {
    let named =
        |shapes: &'static [Shape], name: &str| shapes.iter().find(|shape| shape.0 == name).expect("a shape");
    let date = named(OPENERS, "a comment of a long date");
    for repeated in ["paragraphs of a letter", "dates"] {
        let options = all_forms("default").with_comments(true);
        let time = growth_with(&options, "default", date, named(REPEATED, repeated));
        assert!(time <= 1.3, "{repeated}: time grows with n^{time:.2}");
    }
}

/// Posts are found by similar elements. The cost stays linear in their number, their depth and the length of their names.
#[test]
fn posts_are_found_in_linear_time() {
    let named =
        |shapes: &'static [Shape], name: &str| shapes.iter().find(|shape| shape.0 == name).expect("a shape");
    for opener in [
        "a long address",
        "a long class",
        "a comment of a long date",
        "deep elements",
    ] {
        for repeated in ["posts", "rows of posts", "posts in posts"] {
            let options = all_forms("all-text").with_comments(true);
            let time = growth_with(
                &options,
                "all-text",
                named(OPENERS, opener),
                named(REPEATED, repeated),
            );
            assert!(
                time <= 1.5,
                "{opener}, then {repeated}: time grows with n^{time:.2}"
            );
        }
    }
}

/// A class is read once for its name, and not for each line in its element.
#[test]
fn names_around_lines_are_read_once() {
    let named =
        |shapes: &'static [Shape], name: &str| shapes.iter().find(|shape| shape.0 == name).expect("a shape");
    let class = named(OPENERS, "a long class without a meaning");
    for repeated in ["sentences before comments", "sentences twice"] {
        let time = growth_of_product("default", class, named(REPEATED, repeated));
        assert!(time <= 1.3, "{repeated}: time grows with n^{time:.2}");
    }
}

/// An element has one shadow root, so that its children are looked at once.
#[test]
fn children_of_a_host_are_slotted_once() {
    let named =
        |shapes: &'static [Shape], name: &str| shapes.iter().find(|shape| shape.0 == name).expect("a shape");
    let time = growth_of_product(
        "all-text",
        named(OPENERS, "a long class"),
        named(REPEATED, "shadow roots"),
    );
    assert!(time <= 1.3, "time grows with n^{time:.2}");
}

#[test]
fn some_products_are_sums() {
    products_are_sums(11);
}

#[test]
#[ignore = "takes minutes"]
fn all_products_are_sums() {
    products_are_sums(1);
}

/// The name number `i`, without a digit: names with digits count as those of single pages.
fn name(i: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    [i / 676, i / 26, i].map(letter).iter().collect()
}

/// Elements that each have a class, an id, a tag or a place of their own, and other dimensions of learning.
const SITE_SHAPES: &[Shape] = &[
    ("a class of its own for each paragraph", |n| {
        each(n, |i| format!("<p class=k{}>", name(i)))
    }),
    ("an id of its own for each paragraph", |n| {
        each(n, |i| format!("<p id=k{}>", name(i)))
    }),
    ("a tag of its own for each block", |n| {
        each(n, |i| format!("<x-{}>", name(i)))
    }),
    ("one common class and one of its own", |n| {
        each(n, |i| format!("<p class='post k{}'>", name(i)))
    }),
    ("two common classes and one of its own", |n| {
        each(n, |i| format!("<p class='post big k{}'>", name(i)))
    }),
    ("half of the classes of the next paragraph", |n| {
        each(n, |i| {
            format!(
                "<p class='{} {} {} {}'>",
                name(i),
                name(i + 1),
                name(i + 2),
                name(i + 3)
            )
        })
    }),
    ("two of forty classes", |n| {
        each(n, |i| {
            format!("<p class='a{} b{}'>", name(i % 40), name(i / 40 % 40))
        })
    }),
    ("a class of its own in each of many parents", |n| {
        each(n, |i| format!("<div class=k{}><p class=a><p class=b>", name(i)))
    }),
    ("many classes in an attribute", |n| {
        let names: String = (0..n.min(60_000) / 4).map(|i| name(i) + " ").collect();
        format!("<body><div class='{names}'><p>Words of the page</div>") + &each(n / 2, |_| "<p>".to_owned())
    }),
    ("a long class above many parts", |n| {
        let long = "x".repeat(n.min(60_000) / 2);
        format!("<body><div class='{long}'>") + &each(n / 2, |i| format!("<p class=k{}>", name(i)))
    }),
    ("many parts deep below", |n| {
        "<body>".to_owned()
            + &"<div class=deep>".repeat(300)
            + &each(n, |i| format!("<p class=k{}>", name(i)))
    }),
    ("phrases in phrases", |n| {
        "<body><div>".to_owned() + &"<b><i>".repeat(200) + &each(n, |_| "<p>".to_owned())
    }),
    ("columns of columns", |n| each(n, |i| "<div>".repeat(1 + i % 5))),
];

/// Elements with a few words each, about `n` bytes long.
fn each(n: usize, open: impl Fn(usize) -> String) -> String {
    let mut out = String::from("<!DOCTYPE html><title>Site</title>");
    let mut i = 0;
    while out.len() < n {
        let open = open(i);
        let tag = open[1..].split([' ', '>']).next().unwrap_or("p");
        let close = if tag == "p" {
            String::new()
        } else {
            format!("</{tag}>")
        };
        out += &format!("{open}Words of part {i} of the page{close}\n");
        i += 1;
    }
    out
}

/// Learns a template from copies of a page, with other words in one of them, adds a page, applies it and writes it in all forms.
fn learnt(source: &str) -> usize {
    let options = Options::default()
        .with_extractor("all-text")
        .expect("a method that there is");
    let other = source.replace("Words", "Other words");
    let samples: Vec<Sample> = [source, source, &other]
        .map(|page| Sample::new(&Page::decoded(page), &options))
        .into();
    let mut template = Template::learn(&samples.iter().collect::<Vec<_>>());
    template.add(&[&samples[2]]);
    let parts: usize = template
        .parts()
        .iter()
        .map(|part| part.path.len() + part.example.len())
        .sum();
    let known = template.fit(&samples[0]).kept_tokens as usize;
    assert!(
        parts < 400 * source.len() + (1 << 20),
        "{parts} bytes of parts of a page of {}",
        source.len()
    );
    known + template.counterparts(&template.clone()).len()
}

#[test]
#[allow(clippy::print_stdout, reason = "a table for those who run it")]
fn learning_a_site_is_linear() {
    let mut steep = Vec::new();
    for (name, shape) in SITE_SHAPES {
        let growth = measure(shape, 16_000, 1.4, learnt);
        let (time, spent) = (growth.exponent, growth.nanoseconds_per_byte);
        println!("{name:45} time n^{time:.2}, {spent:8.1} ns a byte");
        if time > 1.5 {
            steep.push(format!("{name}: n^{time:.2}"));
        }
    }
    assert!(
        steep.is_empty(),
        "time grows faster than the page: {}",
        steep.join("; ")
    );
}
