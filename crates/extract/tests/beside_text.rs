//! What stands beside, between and below the paragraphs of a text without names that say so: teasers, requests, bars of links, comments, copies.

use dehusk_extract::{Options, Page, extract};

const PARAGRAPHS: [&str; 4] = [
    "The keeper of the lock wrote down each barge that passed, and he did so for twenty years without missing a day, in the same green books.",
    "When the books came to light behind a cupboard, the first question was who would have the time to read all of them to the end.",
    "A school class did, and what it found was that the barges had not become fewer with the railway, but with the price of peat.",
    "The village now shows copies of the best pages in the waiting room, where people read them until the bus has come.",
];

fn story() -> String {
    PARAGRAPHS.iter().map(|text| format!("<p>{text}</p>")).collect()
}

/// The main text of a page whose `body` holds no names.
fn text(body: &str) -> String {
    let page = format!(
        "<!DOCTYPE html><html><head><title>The green books - Canal Post</title></head><body><div><a href=/>Canal Post</a>\
         <ul><li><a href=/n>News</a></li><li><a href=/w>Water</a></li><li><a href=/j>Jobs</a></li></ul></div>{body}<div>© 2024 Canal Post <a href=/i>Imprint</a></div></body></html>"
    );
    extract(&Page::decoded(&page), &Options::default()).text
}

fn with_story(amid: &str, behind: &str) -> String {
    let [first, second, rest @ ..] = PARAGRAPHS;
    let rest: String = rest.iter().map(|text| format!("<p>{text}</p>")).collect();
    text(&format!(
        "<div><div><h1>The green books</h1><p>{first}</p><p>{second}</p>{amid}{rest}</div>{behind}</div>"
    ))
}

#[track_caller]
fn holds(text: &str, wanted: &[&str], unwanted: &[&str]) {
    for part in wanted {
        assert_eq!(text.matches(part).count(), 1, "not once: {part:?}\n{text}");
    }
    for part in unwanted {
        assert!(!text.contains(part), "left over: {part:?}\n{text}");
    }
}

#[test]
fn cards_below_a_text_go_without_a_name() {
    let card =
        |title: &str, teaser: &str| format!("<div><h3><a href=/s>{title}</a></h3><p>{teaser}</p></div>");
    let cards = card(
        "A lamp for the lock",
        "The council has voted for a lamp at the lower gate, after nine years of asking for one.",
    ) + &card(
        "Peat becomes dearer",
        "What a load costs today, and what it cost when the railway was opened by the minister.",
    ) + &card(
        "The old cupboard sold",
        "The keeper's house has lost its furniture, which went to a dealer from the coast.",
    );
    let teasers = ["A lamp for the lock", "What a load costs", "went to a dealer"];
    holds(
        &with_story("", &format!("<div>{cards}</div>")),
        &PARAGRAPHS,
        &teasers,
    );
    // Words that are no heading announce them, too, also below a short text.
    let short = format!(
        "<div><h1>The green books</h1><p>{}</p><div><p>Mehr zum Thema</p>{cards}</div></div>",
        PARAGRAPHS[0]
    );
    holds(&text(&short), &PARAGRAPHS[..1], &teasers);
    // In the text itself such cards are its items.
    let items = with_story(&format!("<h2>Three things to see</h2>{cards}"), "");
    holds(&items, &["A lamp for the lock", "What a load costs"], &[]);
}

#[test]
fn text_behind_words_that_announce_stories_stays() {
    let label = "<div>Новости по теме:</div><ul><li><a href=/1>Торф дорожает второй год подряд</a></li><li><a href=/2>На шлюзе будет фонарь</a></li></ul>";
    let got = text(&format!(
        "<h1>The green books</h1><div><div>{label}</div>{}</div>",
        story()
    ));
    holds(&got, &PARAGRAPHS, &["Торф дорожает"]);
    let amid = "<p>RELATED ARTICLES</p><div><a href=/1>A lamp for the lock at last</a></div><div><a href=/2>Peat becomes dearer again</a></div><h3>The cupboard</h3>";
    holds(&with_story(amid, ""), &PARAGRAPHS, &["A lamp for the lock"]);
}

#[test]
fn lines_that_ask_to_subscribe_or_to_follow_go() {
    for request in [
        "<p>Subscribe to our newsletter and never miss a story.</p>",
        "<p><i>Подписывайтесь на наш канал в Telegram, чтобы быть в курсе событий.</i></p>",
        "<p><b>Folgen Sie uns auf Facebook und Mastodon.</b></p>",
        "<p>Did you like this story? Sign up for our weekly letter.</p>",
        "<p>Suscríbete a nuestro boletín.</p>",
        "<div>关注我们的微信公众号，获取最新消息。</div>",
    ] {
        let words = request
            .split(['<', '>'])
            .max_by_key(|part| part.len())
            .unwrap_or("");
        holds(&with_story(request, ""), &PARAGRAPHS, &[words]);
        holds(&with_story("", request), &PARAGRAPHS, &[words]);
    }
    for said in [
        "<p>“Follow us on Facebook” is what every second page says, and what no reader does.</p>",
        "<p>Subscribe to our view or not, the class wrote, but count the barges before you do.</p>",
    ] {
        let words = &said[10..40];
        holds(&with_story(said, ""), &[words], &[]);
    }
}

#[test]
fn bars_of_links_and_buttons_that_share_go() {
    for bar in [
        "<p><a href=#top>Top</a> | <a href=mailto:post@canal.example>Write to us</a></p>",
        "<center>[<a href=/>Home</a>] [<a href=/n>News</a>] [<a href=/w>Write to us</a>]</center>",
        "<p><a href=/1>Поделиться</a> · <a href=/2>Печать</a> · <a href=/3>Telegram</a></p>",
    ] {
        let got = with_story("", bar);
        holds(&got, &PARAGRAPHS, &["Write to us", "Поделиться"]);
    }
    // Words between them are text.
    let said = "<p>See <a href=/1>the books</a> and <a href=/2>the cupboard</a></p>";
    holds(&with_story(said, ""), &["the books and the cupboard"], &[]);
}

#[test]
fn comments_without_names_go_below_the_heading_that_counts_them() {
    let comment = |who: &str, day: u32, said: &str| {
        format!("<div><b>{who}</b> <i>May {day}, 2024 at 10:11</i><p>{said}</p></div>")
    };
    let all = comment(
        "Mill",
        2,
        "Lovely to read, we have waited for this all summer long.",
    ) + &comment(
        "heron77",
        3,
        "I still think that the books belong into the archive.",
    ) + &comment("B. Weir", 3, "Does anyone know when the room is open?");
    for heading in ["3 Comments", "Kommentare (3)", "3 комментария"] {
        let got = with_story("", &format!("<div><h3>{heading}</h3>{all}</div>"));
        holds(
            &got,
            &PARAGRAPHS,
            &["Lovely to read", "belong into the archive", heading],
        );
    }
    // A section of that name that is not dated like comments is text.
    let notes = "<h3>Comments</h3><p>The class left out the barges that passed at night, since the keeper slept then.</p>";
    holds(&with_story(notes, ""), &["The class left out"], &[]);
}

#[test]
fn paragraphs_drawn_large_and_texts_for_phones_stand_once() {
    let quote = format!("<div><p>{}</p></div>", PARAGRAPHS[2]);
    holds(&with_story(&quote, ""), &PARAGRAPHS, &[]);
    let quote = format!("<blockquote><p>{}</p></blockquote>", PARAGRAPHS[2]);
    holds(&with_story(&quote, ""), &PARAGRAPHS, &[]);
    let doubled = format!("<h1>The green books</h1><div>{0}</div><div>{0}</div>", story());
    holds(&text(&doubled), &PARAGRAPHS, &[]);
    let lines: Vec<&str> = PARAGRAPHS.to_vec();
    let lines = format!("<div>{}</div>", lines.join("<br><br>"));
    holds(
        &text(&format!("<div><h1>The green books</h1>{lines}{lines}</div>")),
        &PARAGRAPHS,
        &[],
    );
    // A refrain is sung again.
    let refrain = "<p>Open the gate and let us through, the water is high and the night is blue,<br>open the gate and let us go, the lamps are lit on the town below.</p>";
    let song = format!(
        "<h1>The green books</h1><p>We came from the moor with a load of peat,<br>with wind in our faces and wool on our feet.</p>{refrain}\
         <p>We go to the coast with a load of hay,<br>and there we shall rest till the end of day.</p>{refrain}"
    );
    assert_eq!(text(&song).matches("Open the gate and let us through").count(), 2);
}

#[test]
fn questions_in_buttons_stay_with_their_answers() {
    let entry = |question: &str, answer: &str, i: u32| {
        format!(
            "<div><h3><button aria-expanded=false aria-controls=q{i}>{question}</button></h3><div id=q{i} hidden><p>{answer}</p></div></div>"
        )
    };
    let all = entry("May I read the books?", "Yes, on any day but Monday.", 1)
        + &entry("Is there a fee?", "No, there is none for the village.", 2);
    let asked = [
        "May I read the books?",
        "Yes, on any day",
        "Is there a fee?",
        "No, there is none",
    ];
    holds(&with_story("", &format!("<h2>Questions</h2>{all}")), &asked, &[]);
    let plain = all.replace("<h3>", "<div>").replace("</h3>", "</div>");
    holds(&with_story(&plain, ""), &asked, &[]);
    let panels = "<div><div><button>Water</button><button>Land</button></div><div><pre>count --water</pre></div><div style='display:none'><pre>count --land</pre></div></div>";
    holds(&with_story(panels, ""), &["count --water", "count --land"], &[]);
}

#[test]
fn buttons_in_headings_are_the_headings_of_their_panels() {
    let table = "<table><tr><td>Binding</td><td>green cloth, sewn</td></tr><tr><td>Pages</td><td>two hundred and forty</td></tr></table>";
    for (open, close) in [
        ("<h3><button aria-expanded=false>", "</button></h3>"),
        (
            "<h2><span><button aria-controls=p1 type=button><span>",
            "</span></button></span></h2>",
        ),
        (
            "<h4 class=t><button aria-expanded=true class=b>",
            "</button></h4>",
        ),
    ] {
        let part = format!("<div>{open}Specifications{close}<div id=p1>{table}</div></div>");
        holds(&with_story(&part, ""), &["Specifications", "green cloth"], &[]);
    }
}

#[test]
fn the_last_card_keeps_its_heading_and_an_address_is_whole() {
    let card = |title: &str, words: &str| format!("<div><h3><a href=/d>{title}</a></h3><p>{words}</p></div>");
    let cards = card("Install", "Put the program on your machine in two minutes.")
        + &card("Tutorial", "Count your first barges from start to end.")
        + &card("Reference", "All functions with their parameters.")
        + &card("Cookbook", "Short answers to common questions.");
    let page = format!(
        "<main><h1>The green books</h1><p>{}</p><p>{}</p><div class=grid>{cards}</div></main>",
        PARAGRAPHS[0], PARAGRAPHS[1]
    );
    let got = text(&page);
    assert_eq!(got.contains("Tutorial"), got.contains("Cookbook"), "{got}");
    let address =
        "<h2>Contact</h2><address>The lock house<br>12 Mill Lane<br>Canal CA4 5XX<br>Tel. 0123 456</address>";
    let got = text(&format!(
        "<main><article><h1>The green books</h1><p>{}</p>{address}</article></main>",
        PARAGRAPHS[0]
    ));
    assert_eq!(got.contains("12 Mill Lane"), got.contains("0123 456"), "{got}");
}

#[test]
fn labels_of_the_page_go() {
    for label in [
        "<div>Advertisement</div>",
        "<p>РЕКЛАМА</p>",
        "<p>– Anzeige –</p>",
        "<p>5 min read</p>",
        "<div>Lesezeit: 3 Minuten</div>",
    ] {
        let words = label
            .split(['<', '>'])
            .max_by_key(|part| part.len())
            .unwrap_or("");
        holds(&with_story(label, ""), &PARAGRAPHS, &[words]);
    }
    let rights = "<p>© 2024 Canal Post. No part of this text may be copied without leave.</p>";
    holds(&with_story("", rights), &PARAGRAPHS, &["No part of this text"]);
}
