//! Parts of pages that markup identifies (boxes, copies, hidden text, notes), and units that are kept or dropped as a whole.

use dehusk_extract::{Extracted, HtmlWarningKind, Options, Page, WarningKind, extract};

const PARAGRAPHS: [&str; 4] = [
    "The harbour master wrote down every boat that came in, and he did so for thirty-one years without missing a day, in the same kind of ledger.",
    "When the ledgers were found in the loft of the customs house, the first question was who would have the patience to read all of them.",
    "Two pupils did, and what they found was that the number of boats had not fallen with the new bridge but with the price of herring.",
    "The town has put copies of the best pages up in the waiting room, where people read them while the ferry is being made fast.",
];

fn story() -> String {
    PARAGRAPHS.iter().map(|text| format!("<p>{text}</p>")).collect()
}

fn page(style: &str, main: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><head><title>The ledgers - Pier Post</title><style>{style}</style></head><body>\
         <header class=top><a href=/>Pier Post</a><nav><ul><li><a href=/news>News</a></li><li><a href=/sea>Sea</a></li><li><a href=/jobs>Jobs</a></li></ul></nav></header>\
         {main}<footer class=bottom><p>© 2024 Pier Post. <a href=/imprint>Imprint</a></p></footer></body></html>"
    )
}

fn extracted(style: &str, main: &str) -> Extracted {
    extract(&Page::decoded(&page(style, main)), &Options::default())
}

/// The main text of a page with this body.
fn text(main: &str) -> String {
    extracted("", main).text
}

/// The main text of a page with a story and something in it or after it.
fn with_story(before: &str, behind: &str) -> String {
    text(&format!(
        "<main><article><h1>The ledgers</h1>{before}{}{behind}</article></main>",
        story()
    ))
}

#[track_caller]
fn holds(text: &str, wanted: &[&str], unwanted: &[&str]) {
    for part in wanted {
        assert!(text.contains(part), "lost: {part:?}\n{text}");
    }
    for part in unwanted {
        assert!(!text.contains(part), "left over: {part:?}\n{text}");
    }
}

#[test]
fn buttons_and_unknown_elements_are_parts_of_their_sentences() {
    let got = with_story(
        "<p>Stir the <button class=term>roux</button> for <button>5 minutes</button> over <x-heat level=2>low heat</x-heat>, and <time>by noon</time> it is done.</p>\
         <p>A <em>long</em> <span><button>odd</button></span> <span><button>run</button></span> of digits ends here, as the rule has it.</p>",
        "<p>That is all there is to say.</p><button>Print this page</button>",
    );
    holds(
        &got,
        &[
            "Stir the roux for 5 minutes over low heat, and by noon it is done.",
            "A long odd run of digits ends here",
        ],
        &["Print this page"],
    );
}

#[test]
fn related_stories_go_by_name_by_heading_and_without_an_element_of_their_own() {
    let card = |title: &str, teaser: &str| {
        format!("<div class=c><h3><a href=/s>{title}</a></h3><p>{teaser}</p></div>")
    };
    let cards = card(
        "A lamp for the pier",
        "The council has voted for a lamp at the end of the pier, after nine years of asking for one.",
    ) + &card(
        "Herring prices",
        "What a barrel costs today, and what it cost when the bridge was opened by the minister.",
    ) + &card(
        "The loft",
        "The customs house gets a new roof before winter, with slates from the old school.",
    );
    for behind in [
        format!("<section class='related stories'><h2>Out now</h2>{cards}</section>"),
        format!("<section><h2>You may also like</h2>{cards}</section>"),
    ] {
        let got = with_story("", &behind);
        holds(
            &got,
            &PARAGRAPHS,
            &["A lamp for the pier", "What a barrel costs", "You may also like"],
        );
    }
    let list = "<h2>Read also</h2><ul><li><a href=/1>A lamp for the pier</a></li><li><a href=/2>What a barrel costs</a></li></ul>";
    holds(
        &with_story("", list),
        &PARAGRAPHS,
        &["A lamp for the pier", "Read also"],
    );
    let label = "<p><b>Read also:</b><br><a href=/1>A lamp for the pier, after nine years</a><br><a href=/2>What a barrel costs at the pier</a></p>";
    let amid = text(&format!(
        "<main><article><h1>The ledgers</h1>{}{label}{}</article></main>",
        story(),
        story().replace("The ", "Once the ")
    ));
    holds(&amid, &PARAGRAPHS, &["A lamp for the pier", "Read also"]);
    let line = "<p><a href=/1>READ MORE: A lamp for the pier, after nine years of asking</a></p>";
    let amid = text(&format!(
        "<main><article><h1>The ledgers</h1>{}{line}{}</article></main>",
        story(),
        story().replace("The ", "Once the ")
    ));
    holds(&amid, &PARAGRAPHS, &["A lamp for the pier"]);
}

#[test]
fn footers_go_by_name_whatever_their_tag_is() {
    let foot = "<table class=footer><tr><td><p>You get this letter because you have signed up at our pier.</p></td></tr></table>";
    holds(
        &text(&format!("<main><h1>The ledgers</h1>{}</main>{foot}", story())),
        &PARAGRAPHS,
        &["signed up at our pier"],
    );
}

#[test]
fn consent_and_subscriptions_go_beside_a_short_text() {
    let consent = "<div id=cookie-notice><h2>Your choice</h2><p>We and our partners set cookies to measure how this site is used, and to show you what may be of interest to you.</p>\
        <p>You may change your mind at any time, and withdraw what you have allowed, in the settings of this site.</p><button>Accept</button></div>";
    let modal = consent.replace("id=cookie-notice", "class='modal fade'");
    for consent in [consent, modal.as_str()] {
        let got = text(&format!(
            "{consent}<main><h1>Notice</h1><p>The pier is closed on Friday, and open again on Saturday.</p></main>"
        ));
        holds(&got, &["The pier is closed on Friday"], &["partners", "withdraw"]);
    }
    let box_ = "<div class=newsletter-signup><p>The Pier Post is paid for by its readers. Get every story by letter, and support our work.</p><form><input type=email><button>Subscribe</button></form></div>";
    let got = text(&format!(
        "<main><article><h1>The ledgers</h1>{}{box_}{}</article></main>",
        story(),
        story().replace("The ", "Once the ")
    ));
    holds(&got, &PARAGRAPHS, &["paid for by its readers"]);
}

#[test]
fn copies_for_phones_and_quotations_drawn_large_stand_once() {
    let copy = |class: &str| {
        format!(
            "<article class='{class}'><h1>The ledgers</h1>{}</article>",
            story()
        )
    };
    let got = text(&format!(
        "<main>{}{}</main>",
        copy("desktop-only"),
        copy("mobile-only")
    ));
    for paragraph in PARAGRAPHS {
        assert_eq!(got.matches(paragraph).count(), 1, "{got}");
    }
    let quote =
        "<aside class=pullquote><p>the number of boats had not fallen with the new bridge</p></aside>";
    let got = with_story(
        "",
        &format!("{quote}<p>{}</p>", PARAGRAPHS[0].replace("harbour", "lock")),
    );
    assert_eq!(
        got.matches("had not fallen with the new bridge").count(),
        1,
        "{got}"
    );
    // A refrain is repeated where it stands, and readers of a forum quote each other.
    let verse = "The herring came in silver and the boats went out in grey and in the loft they wrote it down<br>and nobody read it till the day the rain came through the roof again<br>";
    let song = format!(
        "<div class=song><p>First came the men of the lower town with nets on their backs<br>{verse}Then came the women of the upper town with knives and with salt<br>{verse}</p></div>"
    );
    assert_eq!(with_story("", &song).matches("nobody read it").count(), 2);
}

#[test]
fn quotations_of_what_stands_above_are_no_copies() {
    let quoted = format!(
        "<div class=quotetitle>mill wrote:</div><blockquote class=uncited><div>{}</div></blockquote>",
        story()
    );
    let post = |name: &str, text: &str| {
        format!(
            "<div class=post id=p{name}><p class=author>by {name} on 3 May 2019</p><div class=content>{text}</div></div>"
        )
    };
    let answer = "<p>I have seen the ledger of 1931, and the herring of that year filled half of a page by itself.</p>";
    let got = text(&format!(
        "<div id=page-body><h2>The ledgers</h2>{}{}</div>",
        post("mill", &story()),
        post("weir", &format!("{quoted}{answer}")),
    ));
    assert!(got.contains("herring of that year"), "{got}");
    for paragraph in PARAGRAPHS {
        assert_eq!(got.matches(paragraph).count(), 2, "{paragraph}\n{got}");
    }
}

#[test]
fn hidden_text_goes_unless_a_script_shows_it_or_it_is_all_there_is() {
    let trap = "Whoever copies this page without asking will hear from us soon.";
    for hidden in [
        format!("<p style='display:none'>{trap}</p>"),
        format!("<p hidden>{trap}</p>"),
        format!("<p class=zz9>{trap}</p>"),
        format!("<div aria-hidden=true><p>{trap}</p></div>"),
        format!("<p>{} <span class=zz9>{trap}</span></p>", PARAGRAPHS[1]),
    ] {
        let got = extracted(
            ".zz9 { display: none } .tab{display:none} .tab.on{display:block}",
            &format!(
                "<main><article><h1>The ledgers</h1>{hidden}{}</article></main>",
                story()
            ),
        );
        holds(&got.text, &PARAGRAPHS, &["Whoever copies"]);
    }
    let tabs = "<div class=tabs><ul role=tablist><li role=tab>Linux</li><li role=tab>Windows</li></ul><div role=tabpanel><pre>apt install ledger</pre></div>\
        <div role=tabpanel hidden><pre>winget install ledger</pre><p>It needs version 10.</p></div></div>";
    holds(
        &with_story(
            "",
            &format!("{tabs}<p>{}</p>", PARAGRAPHS[0].replace("harbour", "lock")),
        ),
        &[
            "apt install ledger",
            "winget install ledger",
            "It needs version 10.",
        ],
        &[],
    );
    let all = text(&format!(
        "<main style='visibility:hidden'><article><h1>The ledgers</h1>{}</article></main>",
        story()
    ));
    holds(&all, &PARAGRAPHS, &[]);
}

#[test]
fn a_heading_goes_with_its_section() {
    let more = "<h2>More on this:</h2><ul><li><a href=/1>Herring dearer again</a></li><li><a href=/2>Roof leaks</a></li><li><a href=/3>Bridge toll up</a></li></ul>";
    holds(
        &with_story("", more),
        &PARAGRAPHS,
        &["More on this", "Herring dearer"],
    );
}

#[test]
fn permalinks_go_and_headings_stay() {
    let section = |id: &str, sign: &str, heading: &str, i: usize| {
        format!(
            "<h2 id={id}>{heading}<a class=anchor aria-hidden=true href='#{id}'>{sign}</a></h2><p>{}</p>",
            PARAGRAPHS[i]
        )
    };
    let before = |id: &str, heading: &str, i: usize| {
        format!(
            "<h2 id={id}><a aria-hidden=true href='#{id}'>#</a>{heading}</h2><p>{}</p>",
            PARAGRAPHS[i]
        )
    };
    let body = section("a", "¶", "Reading", 0)
        + &section("b", "§", "Finding", 1)
        + &section("c", "🔗", "Counting", 2)
        + &before("d", "Showing", 3)
        + "<h2><span class=mw-headline>Sources</span><span class=mw-editsection>[<a href=/edit>edit</a>]</span></h2><p>The ledgers lie in the archive of the town, and may be read there on Tuesdays.</p>";
    let got = text(&format!(
        "<main><article><h1>The ledgers</h1>{body}</article></main>"
    ));
    holds(
        &got,
        &["Reading\n", "Finding\n", "Counting\n", "Showing\n", "Sources\n"],
        &["¶", "§", "🔗", "#", "[edit]"],
    );
}

#[test]
fn short_sections_stay_beside_others() {
    let body = "<h2>Name</h2><p>ledger - write down boats</p><h2>Usage</h2><pre>ledger [--year] FILE</pre><h2>Description</h2>\
        <p>This program writes one line for every boat that is named on its standard input, with the hour and the weather, and sorts them at the end of the day.</p>\
        <h2>Options</h2><ul><li>--year: Write the year, too</li></ul><h2>Files</h2><p>/var/ledger</p>";
    holds(
        &text(&format!("<main><h1>ledger(1)</h1>{body}</main>")),
        &[
            "ledger - write down boats",
            "ledger [--year] FILE",
            "Write the year, too",
            "/var/ledger",
            "Options",
            "Files",
        ],
        &[],
    );
}

#[test]
fn furniture_of_forums_goes() {
    let posts: String = PARAGRAPHS
        .iter()
        .enumerate()
        .map(|(i, text)| format!("<div class=post id=p{i}><div class=postbody><p class=author>by reader{i}</p><div class=content>{text}</div><div class=signature>Keep your powder dry, and your ledgers drier.</div></div></div>"))
        .collect();
    let got = text(&format!(
        "<div id=page-body><h2 class=topic-title>Old ledgers</h2>{posts}<div class='stat-block online-list'><h3>Who is online</h3><p>Users browsing this forum: nobody and 2 guests</p></div></div>"
    ));
    holds(&got, &PARAGRAPHS, &["Keep your powder", "Users browsing"]);
}

#[test]
fn cards_are_the_content_of_a_landing_page() {
    let card = |title: &str, text: &str| {
        format!("<article class=card><a href=/d><h2>{title}</h2><p>{text}</p></a></article>")
    };
    let got = text(&format!(
        "<main><div class=hero><h1>Ledger handbook</h1><p>All that is known of our ledgers, in one place.</p></div><section class=row>{}{}</section></main>",
        card("First steps", "How to open a ledger and write the first line."),
        card("Reference", "All columns with their meaning and their width.")
    ));
    holds(
        &got,
        &[
            "All that is known of our ledgers",
            "How to open a ledger",
            "All columns with their meaning",
        ],
        &["Imprint"],
    );
}

#[test]
fn notes_that_the_text_refers_to_stay_without_their_arrows() {
    let body = "<p>The price of herring fell by half.<sup><a id=r1 href='#n1'>1</a></sup> The bridge had been open for a year.<sup><a id=r2 href='#n2'>2</a></sup></p>";
    let notes = "<section class=footnotes><ol><li id=n1><p>Mill gives the figures. <a href='#r1'>↩</a></p></li><li id=n2><p>It was opened in May. <a href='#r2'>↩︎</a></p></li></ol></section>";
    holds(
        &with_story(body, notes),
        &["Mill gives the figures.", "It was opened in May."],
        &["↩"],
    );
}

#[test]
fn tables_lists_and_definitions_are_whole() {
    let rows: String = [
        ("Old pier", "May 4th"),
        ("Weir", "May 11th"),
        ("Upper lock", "May 25th"),
        ("Lower lock", "June 1st"),
        ("Customs house", "June 8th"),
    ]
    .iter()
    .map(|(place, day)| format!("<tr><td>{place}</td><td>{day}</td></tr>"))
    .collect();
    let table = format!(
        "<p>We read from the ledgers on these days:</p><table><tr><td colspan=2>This summer</td></tr>{rows}</table>"
    );
    let got = with_story("", &table);
    holds(
        &got,
        &[
            "Old pier",
            "May 4th",
            "Weir",
            "May 11th",
            "Upper lock",
            "May 25th",
            "Lower lock",
            "June 1st",
            "Customs house",
            "June 8th",
        ],
        &[],
    );
    let facts = "<h2>Facts</h2><dl><dt>Found by:</dt><dd>two pupils</dd><dt>First line:</dt><dd>21.02.1911</dd><dt>Last line:</dt><dd>24.02.1942</dd></dl>";
    holds(
        &with_story("", facts),
        &["21.02.1911", "24.02.1942", "two pupils"],
        &[],
    );
    let steps = "<h2>How to bind a ledger</h2><ol><li>Fold the sheets and press them under a stone.</li><li>Sew them.</li><li>Glue the back.</li><li>Wait a day.</li></ol>";
    holds(
        &with_story("", steps),
        &["Sew them.", "Glue the back.", "Wait a day."],
        &[],
    );
}

#[test]
fn a_missing_end_tag_does_not_cost_the_page() {
    for open in [
        "<title>The ledgers",
        "<textarea>",
        "<style>p{}",
        "<script src=/s.js>",
        "<xmp>",
        "<!-- the story ->",
    ] {
        let html = format!(
            "<html><body>{open}<h1>The ledgers</h1><div>{}</div></body></html>",
            story()
        );
        let got = extract(&Page::decoded(&html), &Options::default());
        holds(&got.text, &PARAGRAPHS, &[]);
        assert!(
            got.warnings
                .iter()
                .any(|warning| warning.kind == WarningKind::Html(HtmlWarningKind::Unclosed)),
            "{open}"
        );
    }
}

#[test]
fn dropped_blocks_say_which_part_they_lie_in() {
    let main = format!(
        "<div id=cookie-notice><p>We set cookies, as all do, and ask you to allow it.</p><button>Accept</button></div><main><article><h1>The ledgers</h1>{}\
         <section class=related><h2>Related</h2><p><a href=/1>One story of the sea</a></p><p><a href=/2>Another story of it</a></p></section></article></main>",
        story()
    );
    let html = page("", &main);
    let got = extract(&Page::decoded(&html), &Options::default().with_blocks(true));
    let blocks = got.blocks.unwrap_or_default();
    let reason = |text: &str| {
        blocks
            .iter()
            .find(|block| block.text.contains(text))
            .map(|block| block.reason)
    };
    assert_eq!(reason("We set cookies"), Some("consent"));
    assert_eq!(reason("One story of the sea"), Some("related"));
}

#[test]
fn what_a_forum_shows_beside_posts_goes_with_names_of_any_kind() {
    let posts: String = PARAGRAPHS
        .iter()
        .enumerate()
        .map(|(i, text)| {
            format!(
                "<li class='postbit' id=post_{i}><div class=posthead><span class=date>03-0{}-2012, 10:0{i} AM</span> <a href=#{i}>#{i}</a></div>\
                 <div class=userinfo><a href=/members/{i}>reader{i}</a><span>Senior Member</span><dl><dt>Join Date</dt><dd>Mar 2009</dd><dt>Posts</dt><dd>30{i}</dd></dl></div>\
                 <div class=postbody><div class=content>{text}</div></div><div class=postfoot><a href=/reply>Reply With Quote</a></div></li>",
                i + 1
            )
        })
        .collect();
    let got = text(&format!(
        "<h1>Thread: Old ledgers</h1><ol id=posts class=posts>{posts}</ol>"
    ));
    holds(&got, &PARAGRAPHS, &["Senior Member", "Join Date", "Reply With"]);
}

#[test]
fn signatures_of_functions_stay_with_their_descriptions() {
    let member = |name: &str, says: &str| {
        format!(
            "<section class=detail><h3>{name}</h3><div class=member-signature><span>public</span> <span>double</span> <span>{name}</span>(int turns)</div><div class=block>{says}</div></section>"
        )
    };
    let got = text(&format!(
        "<main><h1>Class Gate</h1><p>A gate that holds back water until it is told otherwise.</p><h2>Methods</h2>{}{}</main>",
        member("open", "Opens the gate and tells the level."),
        member("shut", "Shuts the gate and waits for the water to stand."),
    ));
    holds(
        &got,
        &[
            "double open(int turns)",
            "double shut(int turns)",
            "tells the level",
        ],
        &[],
    );
}

#[test]
fn a_letter_to_subscribers_is_whole_without_its_head_and_foot() {
    let part = |inner: &str| format!("<table width=600 role=presentation><tr><td>{inner}</td></tr></table>");
    let letter = |ends: &str| {
        [
            "<p><a href=/12>View in browser</a></p>",
            "<h1>Pier Weekly</h1>",
            "<p>Water</p>",
            "<a href=/1>Eleven ledgers, four found</a><br>A walk with a lamp, and a list of 1742 that is right more often than the town thinks.",
            "<a href=/2>Pump fails again</a><br>Second time this month.",
            "<p>In brief</p><ul><li>The <a href=/3>bell</a> is cast.</li><li><a href=/4>Bus times</a> change in May.</li></ul>",
            ends,
        ]
        .map(part)
        .concat()
    };
    let page = |ends: &str| {
        format!(
            "<html><head><title>Pier Weekly 12</title></head><body><table width='100%'><tr><td>{}</td></tr></table></body></html>",
            letter(ends)
        )
    };
    for ends in [
        "<p>You get this letter because you signed up.</p><p><a href=/u>Unsubscribe</a> · 1 Quay Street</p>",
        "<small>Sie haben diesen Brief bestellt. <a href=/u>Hier abmelden</a> · Am Kai 1</small>",
    ] {
        let got = extract(&Page::decoded(&page(ends)), &Options::default()).text;
        holds(
            &got,
            &[
                "Water",
                "Eleven ledgers",
                "Pump fails",
                "Second time",
                "In brief",
                "is cast",
                "change in May",
            ],
            &[
                "View in browser",
                "Unsubscribe",
                "abmelden",
                "Quay Street",
                "Am Kai",
            ],
        );
    }
}

#[test]
fn names_of_tabs_with_commands_stay() {
    let tabs = "<div class=tabbed-set><div class=tabbed-labels><label for=t1>Unix</label><label for=t2>Windows</label></div>\
        <div class=tabbed-content><div class=tabbed-block><pre><code>./pier open</code></pre></div><div class=tabbed-block><pre><code>pier.exe open</code></pre></div></div></div>";
    holds(
        &with_story(tabs, ""),
        &["Unix", "Windows", "./pier open", "pier.exe open"],
        &[],
    );
}

#[test]
fn a_request_for_consent_needs_no_name_beside_the_page() {
    let request = "<div id=x82><div><p>We and our partners use cookies and similar techniques to read what is stored on your device.</p><button>More choices</button><button>Accept</button></div></div>";
    let got = text(&format!(
        "<main><h1>The ledgers</h1><p>The loft stays shut until Friday because of water in the stairs.</p></main>{request}"
    ));
    holds(&got, &["loft stays shut"], &["our partners", "Accept"]);
}

#[test]
fn quotations_pulled_out_of_a_paragraph_beside_them_stand_once() {
    let quote = "<blockquote class=big><span>»the number of boats had not fallen with the new bridge«</span></blockquote>";
    assert_eq!(with_story(quote, "").matches("had not fallen").count(), 1);
    let drawn = "<div class=quote-large>the number of boats had not fallen with the new bridge</div>";
    assert_eq!(with_story(drawn, "").matches("had not fallen").count(), 1);
    // A post of another site says where it is from.
    let embedded = "<blockquote><p>the number of boats had not fallen with the new bridge</p><a href=https://s.example/7>The pier, 3 May</a></blockquote>";
    assert_eq!(with_story(embedded, "").matches("had not fallen").count(), 2);
}

#[test]
fn other_stories_below_a_short_text_go() {
    let others: String = PARAGRAPHS[..2]
        .iter()
        .map(|text| format!("<li><a href='/{}'>Another story</a><br>{text}</li>", text.len()))
        .collect();
    let got = text(&format!(
        "<article><h1>The loft</h1><p>The loft is open. Bring a lamp.</p><div class=related-posts><h3>From our shelves</h3><ol>{others}</ol></div></article>"
    ));
    holds(&got, &["Bring a lamp"], &["shelves", "harbour master"]);
}

#[test]
fn a_list_below_the_text_is_whole() {
    let got = with_story(
        "",
        "<h2>What to bring</h2><ol><li>A lamp.</li><li>Gloves of wool.</li><li>Time.</li></ol>",
    );
    holds(&got, &["A lamp.", "Gloves of wool.", "Time."], &[]);
}
