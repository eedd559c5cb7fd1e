//! Videos, images, marks, terms and notes, and Markdown without extensions.

use super::{check_forms, check_text_and_markdown, forms};
use crate::document::{MarkdownExtensions, MarkdownOptions};
use crate::{Options, Page, extract};

#[test]
fn videos_and_sounds_are_links() {
    let body = "<p>The mill stands here.<p><iframe src='https://www.youtube.com/embed/abc?rel=0' title='YouTube video player'></iframe>\
        <p>It was seen <video poster=p.jpg title='A tour'><source src=tour.mp4>Your browser cannot.</video> by many.\
        <figure><audio src=/m.mp3 title=Hum></audio><figcaption>Hum</figcaption></figure><p>And more.\
        <iframe src='https://ads.example/frame'></iframe><p hidden><iframe src='https://player.vimeo.com/video/5'></iframe></p><p>The end.";
    check_forms(
        body,
        "<p>The mill stands here.</p><p><a href=\"https://www.youtube.com/watch?v=abc\">https://www.youtube.com/watch?v=abc</a></p>\
         <p>It was seen <a href=\"http://h.example/a/tour.mp4\"><img src=\"http://h.example/a/p.jpg\" alt=\"A tour\"></a> by many.</p>\
         <figure><p><a href=\"http://h.example/m.mp3\">Hum</a></p><figcaption>Hum</figcaption></figure><p>And more.</p><p>The end.</p>",
        &serde_json::json!([
            {"kind": "paragraph", "inlines": ["The mill stands here."]},
            {"kind": "paragraph", "inlines": [{"kind": "player", "of": "video", "src": "https://www.youtube.com/watch?v=abc"}]},
            {"kind": "paragraph", "inlines": [
                "It was seen ",
                {"kind": "player", "of": "video", "src": "http://h.example/a/tour.mp4", "poster": "http://h.example/a/p.jpg", "title": "A tour"},
                " by many.",
            ]},
            {"kind": "figure", "caption": ["Hum"], "blocks": [
                {"kind": "paragraph", "inlines": [{"kind": "player", "of": "audio", "src": "http://h.example/m.mp3", "title": "Hum"}]},
            ]},
            {"kind": "paragraph", "inlines": ["And more."]},
            {"kind": "paragraph", "inlines": ["The end."]},
        ]),
    );
    let text = "The mill stands here.\n\nIt was seen A tour by many.\n\nHum\n\nAnd more.\n\nThe end.\n";
    let got = forms(body);
    assert_eq!(got.text, text);
    let content = got.content.unwrap();
    let options = MarkdownOptions::default();
    for (options, seen) in [
        (options, "It was seen A tour by many.\n\nHum\n"),
        (
            options.with_links(true),
            "It was seen [A tour](http://h.example/a/tour.mp4) by many.\n\n[Hum](http://h.example/m.mp3)\n",
        ),
        (
            options.with_images(true),
            "It was seen ![A tour](http://h.example/a/p.jpg) by many.\n\nHum\n",
        ),
        (
            options.with_images(true).with_links(true),
            "It was seen [![A tour](http://h.example/a/p.jpg)](http://h.example/a/tour.mp4) by many.\n\n[Hum](http://h.example/m.mp3)\n",
        ),
    ] {
        let markdown = content.markdown(&options);
        assert!(markdown.contains(seen), "{markdown}");
        assert_eq!(
            markdown.contains("<https://www.youtube.com/watch?v=abc>"),
            options.links
        );
    }
}

/// A term never takes the meaning of another one.
#[test]
fn terms_and_meanings_without_each_other_are_blocks() {
    check_text_and_markdown(
        "<dl><dd>a<dt>Hull<dd hidden>no<dt>Keel<dt>Bilge<dd>c<dt>Oar</dl><dl><dd>d</dl>",
        "a\n\nHull\n\nKeel\nBilge\nc\n\nOar\n\nd\n",
        "a\n\nHull\n\nKeel<br>Bilge\n: c\n\nOar\n\nd\n",
    );
}

#[test]
fn an_image_that_follows_itself_is_written_once() {
    check_text_and_markdown(
        "<p><img src=x.png alt=Mill> <img src=x.png alt=Mill> <img src=y.png> <a href=/z><img src=y.png></a> Seen.",
        "Seen.\n",
        "![Mill](http://h.example/a/x.png) ![](http://h.example/a/y.png) ![](http://h.example/a/y.png) Seen.\n",
    );
    let got = forms(
        "<figure><div><img src=x.png></div><div><img src=x.png></div><figcaption>Mill</figcaption></figure>",
    );
    assert_eq!(got.markdown.unwrap(), "![](http://h.example/a/x.png)\n\nMill\n");
}

#[test]
fn an_image_before_a_line_stands_apart_from_its_words() {
    check_text_and_markdown(
        "<p><b><a href=/x><img src=x.png></a> </b>The mill<img src=y.png>s.<p><img src=x.png><img src=y.png>",
        "The mills.\n",
        "![](http://h.example/a/x.png) The mill![](http://h.example/a/y.png)s.\n\n![](http://h.example/a/x.png) ![](http://h.example/a/y.png)\n",
    );
}

#[test]
fn marks_that_touch_are_one() {
    check_text_and_markdown(
        "<p><b>20</b><b>g</b><b><i>of</i></b><b><i>it</i> all</b> <b>or</b> <b>less</b>, a<sup>1</sup><sup>2</sup>.",
        "20gofit all or less, a¹².\n",
        "**20g*ofit* all** **or** **less**, a<sup>1</sup><sup>2</sup>.\n",
    );
}

/// The text does not depend on the forms that are written beside it.
#[test]
fn the_text_is_the_same_whatever_else_is_written() {
    let body = "<p>By the river <img src=x.png> for years.<p><img src=y.png> A mill.<p>A rope <video src=a.mp4></video>\
        <p><video src=c.mp4></video><br>A wheel<br><img src=z.png><br>turns<br><video src=d.mp4></video>\
        <p>See <a href=/x><iframe src='//www.youtube.com/embed/x' title='On mills'></iframe></a>. <h2>On ropes</h2><p><video title='On ropes' src=b.mp4></video>";
    let alone = extract(
        &Page::decoded(body),
        &Options::default().with_extractor("all-text").unwrap(),
    );
    assert_eq!(
        alone.text,
        "By the river for years.\n\nA mill.\n\nA rope\n\nA wheel\nturns\n\nSee On mills .\n\nOn ropes\n"
    );
    assert_eq!(forms(body).text, alone.text);
}

#[test]
fn a_note_that_is_shown_beside_its_call_too_stands_once() {
    // As a widespread plugin writes notes: a tooltip after each call, and a table at the end.
    let call = |number: u32, shown: &str| {
        format!(
            "<span class=footnote_referrer><a role=button href='#f+1+{number}' class=footnote_hard_link><sup class=footnote_plugin_tooltip_text>[{number}]</sup></a>\
             <span class=footnote_referrer_base><span id='r+1+{number}'></span></span><span class=footnote_tooltip>{shown}</span></span>"
        )
    };
    let row = |number: u32, text: &str| {
        format!(
            "<tr class=footnotes_plugin_reference_row><th scope=row><a href='#r+1+{number}' class=footnote_backlink><span><span id='f+1+{number}'></span></span>\
             <span class=footnote_index_arrow>&#8593;</span>{number}</a></th><td>{text}</td></tr>"
        )
    };
    let page = format!(
        "<p>The ferry{} crossed, <b>so</b> the mill{} says.<table class=footnote-reference-container><tbody>{}{}</table>",
        call(1, "Two boats."),
        call(2, "Written in&nbsp;… <a href='#f+1+2'>Continue reading</a>"),
        row(1, "Two boats."),
        row(2, "Written in the year of the flood, by hand."),
    );
    check_text_and_markdown(
        &page,
        "The ferry[1] crossed, so the mill[2] says.\n\n[1] Two boats.\n\n[2] Written in the year of the flood, by hand.\n",
        "The ferry[^1] crossed, **so** the mill[^2] says.\n\n[^1]: Two boats.\n\n[^2]: Written in the year of the flood, by hand.\n",
    );
    // Words after a call that the note has among others stay.
    check_text_and_markdown(
        "<p>Boats<sup><a href=#fn1>1</a></sup> <b>by hand</b>.<ol><li id=fn1 class=footnote>Written by hand in a year.</ol>",
        "Boats[1] by hand.\n\n[1] Written by hand in a year.\n",
        "Boats[^1] **by hand**.\n\n[^1]: Written by hand in a year.\n",
    );
}

/// The number of a note leads back to its call, whose paragraph is not a note, whatever elements the call lies in.
#[test]
fn paragraphs_with_calls_are_no_notes() {
    for call in [
        "<a id=c1 class=footnote-anchor href='#n1'>1</a>",
        "<span data-state=closed><a id=c1 class=footnote-anchor href='#n1'>1</a></span>",
        "<sup><span><a id=c1 href='#n1'>1</a></span></sup>",
    ] {
        let body = format!(
            "<p><span>The ferry crossed.</span>{call}<span> So it was.</span>\
             <div class=footnote><a id=n1 class=footnote-number href='#c1'>1</a><div><p>Twice a day.</div></div>"
        );
        check_text_and_markdown(
            &body,
            "The ferry crossed.[1] So it was.\n\n[1] Twice a day.\n",
            "The ferry crossed.[^1] So it was.\n\n[^1]: Twice a day.\n",
        );
    }
}

#[test]
fn a_dollar_in_a_formula_does_not_end_it() {
    let formula = |tex: &str| {
        format!(
            "<p>So <math><semantics><mi>E</mi><annotation encoding='application/x-tex'>{tex}</annotation></semantics></math> is."
        )
    };
    for (tex, markdown) in [
        (r"E \text{ if $x$}", r"So $$E \text{ if $x$}$$ is."),
        (r"E \$ 5", r"So $E \$ 5$ is."),
        (r"E_n", r"So $E_n$ is."),
    ] {
        let got = forms(&formula(tex));
        assert_eq!(got.markdown.unwrap().trim_end(), markdown);
    }
}

#[test]
fn pictures_of_signs_are_text() {
    let page =
        "<p>We crossed!<img class=emoji alt='\u{1F389}' src=a.svg> Twice <img src=/smilies/s.gif alt=':)'>.";
    check_text_and_markdown(
        page,
        "We crossed!\u{1F389} Twice :).\n",
        "We crossed!\u{1F389} Twice :).\n",
    );
}

#[test]
fn words_that_call_a_note_stay() {
    for (call, note) in [
        (
            "<a href='#hemp' id=hemp-ref aria-describedby=footnotes-label>a rope</a>",
            "<footer><h2 id=footnotes-label>Footnotes</h2><ol><li id=hemp>Hemp, mostly. <a href='#hemp-ref'>↩</a></ol></footer>",
        ),
        (
            "<a class=footnote-ref href='#fn-hemp'>a rope</a>",
            "<div class=footnotes><p id=fn-hemp>Hemp, mostly.</div>",
        ),
        (
            "<a href='#hemp' id=back>a rope</a>",
            "<ol class=endnotes><li id=hemp>Hemp, mostly. <a href='#back'>↩</a></ol>",
        ),
        (
            "<span aria-describedby=tip>a rope</span>",
            "<div role=note id=tip>Hemp, mostly.</div>",
        ),
        (
            "<dfn aria-describedby=tip>a rope</dfn>",
            "<div role=tooltip id=tip hidden>Hemp, mostly.</div>",
        ),
    ] {
        let got = forms(&format!("<p>There was {call} and a man.<p>More.{note}"));
        assert!(
            got.text.starts_with("There was a rope[1] and a man.\n\nMore.")
                && got.text.ends_with("\n\n[1] Hemp, mostly.\n"),
            "{call}: {}",
            got.text
        );
        assert!(got.markdown.unwrap().contains("There was a rope[^1] and a man."));
    }
    // What only names the note is the call; descriptions of controls and links to sections are not notes.
    let got = forms("<p>A rope <a class=footnote-ref href='#n'>note 4</a>.<p id=n class=footnote>Hemp.");
    assert_eq!(got.text, "A rope [1].\n\n[1] Hemp.\n");
    for body in [
        "<p>See <a href=/x aria-describedby=out>it</a>.<p id=out role=note>Opens in a window.",
        "<p>See <span aria-describedby=hint>it</span>.<p id=hint>Eight letters.",
        "<p><a href='#one' id=toc>On ropes</a><p id=one>Ropes are of hemp. <a href='#toc'>Up</a>",
    ] {
        assert!(forms(body).content.unwrap().notes.is_empty(), "{body}");
    }
}

#[test]
fn markdown_without_extensions_says_the_same() {
    let body = "<p>A rope<sup id=c7><a href='#r7'>7</a></sup> (hemp), a man<sup id=c8><a href='#r8'>8</a></sup>(Osgar) of $5<sup id=c11><a href='#r11'>11</a></sup>.\
        <dl><dt>Hull<dt><b>Body</b> of it<dd>a<dd><p>b<p>c</dl><p>: d $x<p>So <math><semantics><mi>E</mi><annotation encoding='application/x-tex'>E_n</annotation></semantics></math> is.<p>$$a\\,b$$\
        <ol><li id=r7>Of 7 <a href='#c7'>↩</a><li id=r8><p>Of 8<p>again <a href='#c8'>↩</a><li id=r11>Of 11 <a href='#c11'>↩</a></ol>";
    let content = forms(body).content.unwrap();
    let plain = MarkdownOptions::default().with_extensions(MarkdownExtensions::NONE);
    assert_eq!(
        content.markdown(&plain),
        "A rope[7] (hemp), a man\\[8\\](Osgar) of $5[11].\n\n**Hull**\\\n**Body of it**\n\na\n\nb\n\nc\n\n: d $x\n\nSo `E_n` is.\n\n\
         ```math\na\\,b\n```\n\n---\n\n7. Of 7\n\n8. Of 8\n\n   again\n\n11) Of 11\n"
    );
    let notes = MarkdownExtensions::NONE.and("footnotes").unwrap();
    let markdown = content.markdown(&plain.with_extensions(notes));
    assert!(
        markdown.contains("A rope[^7] (hemp)") && markdown.contains("**Hull**") && markdown.contains("`E_n`"),
        "{markdown}"
    );
    assert_eq!(
        MarkdownExtensions::default().names().collect::<Vec<_>>(),
        MarkdownExtensions::NAMES
    );
}

#[test]
fn tables_of_other_elements_keep_their_grid() {
    let body = "<p>Levels of the week:</p><div role='table' aria-label='Levels'><div role='rowgroup'><div role='row'>\
        <span role='columnheader'>Day</span><span role='columnheader'>Morning</span><span role='columnheader'>Evening</span></div></div>\
        <div role='rowgroup'><div role='row'><span role='rowheader'>Monday</span><span role='cell'>1.2 m</span><span role='cell'>1.4 m</span></div>\
        <div role='row'><span role='rowheader'>Tuesday</span><span role='cell'></span><span role='cell'>1.9 m</span></div>\
        <div role='row'><span role='rowheader'>Wednesday</span><span role='cell' aria-colspan='2'>no reading</span></div></div></div>";
    let got = forms(body);
    let text = "Levels of the week:\n\nDay\tMorning\tEvening\nMonday\t1.2 m\t1.4 m\nTuesday\t\t1.9 m\nWednesday\tno reading\n";
    assert_eq!(got.text, text);
    let html = got.html.unwrap().replace('\n', "");
    assert!(html.contains("<th>Tuesday</th><td></td><td>1.9 m</td>"), "{html}");
    assert!(html.contains("<td colspan=\"2\">no reading</td>"), "{html}");
    let rows = got.content.unwrap().tables().remove(0).rows;
    assert_eq!(rows.len(), 4);
    assert!(rows[0].cells.iter().all(|cell| cell.header));
    // A layout has one row, or roles that say so.
    let layout = "<div style='display:table'><div style='display:table-row'><div style='display:table-cell'><p>Left.</div>\
        <div style='display:table-cell'><p>Right.</div></div></div>";
    assert_eq!(forms(layout).text, "Left.\n\nRight.\n");
}

#[test]
fn items_without_a_list_are_items_and_items_that_wrap_one_are_none() {
    let list = "Bring:\n\n- rope\n- tar\n\nPaint:\n\n- oil\n  - red\n\nAnd:\n\n- alone\n";
    check_text_and_markdown(
        "<p>Bring:<div><li>rope<li>tar</div><p>Paint:<ul><li>oil<li><ul><li>red</ul></ul><p>And:<ul><li><ul><li>alone</ul></ul>",
        list,
        list,
    );
    // Such an element may as well hold a part of the page.
    let text = "A\n\nOne.\n\nTwo.\n";
    check_text_and_markdown(
        "<li><h2>A</h2><p>One.<p>Two.</li>",
        text,
        "## A\n\nOne.\n\nTwo.\n",
    );
}

#[test]
fn lines_that_show_nothing_go() {
    let text = "One.\n\nTwo.\n";
    check_text_and_markdown("<p>One.<p>\u{200D}<p><b>\u{200B}</b> &#xfeff;<p>Two.", text, text);
}

#[test]
fn posts_are_no_quotations() {
    check_text_and_markdown(
        "<blockquote class='postcontent restore'><div class=bbcode_quote><p>Is it dry?</div>It was on Monday.</blockquote>",
        "Is it dry?\n\nIt was on Monday.\n",
        "> Is it dry?\n\nIt was on Monday.\n",
    );
}

#[test]
fn images_in_a_row_stay_together_without_icons_and_avatars() {
    let text = "<p>The river rose in the night and by noon it had left its bed, so that the mill stood in the water until the evening.</p>";
    let page = format!(
        "<title>The river</title><article><h1>The river</h1>{}<p><img src=/a.jpg></p><p><a href=/b><img src=/b.jpg></a></p><p><img src=/c.jpg></p>\
         <p><img src=/icons/share.png></p><div class=avatar><img src=/d.jpg></div></article>\
         <footer><nav><a href=/x>Home</a> <a href=/y>Contact</a></nav></footer>",
        text.repeat(5)
    );
    let options = Options::default().with_markdown(true).with_images(true);
    let markdown = extract(
        &Page::decoded(&page).with_url(Some("http://h.example/")),
        &options,
    )
    .markdown
    .unwrap();
    let names: Vec<&str> = markdown
        .match_indices("![](http://h.example/")
        .map(|(at, mark)| &markdown[at + mark.len()..][..1])
        .collect();
    assert_eq!(names, ["a", "b", "c"], "{markdown}");
}

#[test]
fn cells_with_nothing_beside_them_are_blocks() {
    check_text_and_markdown(
        "<table><tr><td><td><td><tr><td><td><p>The mill stands.</p><p>It is old.</p><td><tr><td><td>So says Mill.<td></table>",
        "The mill stands.\n\nIt is old.\n\nSo says Mill.\n",
        "The mill stands.\n\nIt is old.\n\nSo says Mill.\n",
    );
    // Cells in different columns stay in them.
    check_text_and_markdown(
        "<table><tr><td>a<td><tr><td><td>b</table>",
        "a\n\tb\n",
        "|  |  |\n| --- | --- |\n| a |  |\n|  | b |\n",
    );
}

#[test]
fn quotations_that_only_indent_are_none() {
    check_text_and_markdown(
        "<blockquote><blockquote><p>The mill stands.</blockquote></blockquote><p>It is old, and it was never moved.",
        "The mill stands.\n\nIt is old, and it was never moved.\n",
        "> The mill stands.\n\nIt is old, and it was never moved.\n",
    );
    let long = "It is old, and it was never moved. ".repeat(20);
    let body = format!("<p>Mill</p><blockquote><p>The mill stands.<p>{long}</blockquote>");
    let text = format!("Mill\n\nThe mill stands.\n\n{}\n", long.trim());
    check_text_and_markdown(&body, &text, &text);
    // A list without items only indents, too.
    check_text_and_markdown(
        "<ul>The mill stands.<p>It is old.</ul>",
        "The mill stands.\n\nIt is old.\n",
        "The mill stands.\n\nIt is old.\n",
    );
}

#[test]
fn notes_may_be_the_meanings_of_their_numbers() {
    check_text_and_markdown(
        "<p>The mill stands.<sup><a id=q1 href=#z1>1</a></sup><p>It is old.<dl><dt id=z1><a href=#q1>1</a><dd>So says Mill.</dl>",
        "The mill stands.[1]\n\nIt is old.\n\n[1] So says Mill.\n",
        "The mill stands.[^1]\n\nIt is old.\n\n[^1]: So says Mill.\n",
    );
}

#[test]
fn sources_of_formulas_are_whole_and_no_templates() {
    check_text_and_markdown(
        "<p>Then <span data-tex='a_i'><span aria-hidden=true>ai</span></span> is \\[%{host}\\] or <img class=tex alt='\\frac{a}{b' src=f.png>.",
        "Then a_i is \\[%{host}\\] or .\n",
        "Then $a_i$ is \\\\\\[%{host}\\\\\\] or ![\\frac{a}{b](http://h.example/a/f.png).\n",
    );
}

#[test]
fn two_breaks_in_a_row_end_a_paragraph() {
    check_text_and_markdown(
        "<div>The mill <b>stands.<br> <br>It</b> is old.<br>So old.</div><h2>Wheel<br><br>and water</h2><p>It turns.<br><br></p><p>So it does.",
        "The mill stands.\n\nIt is old.\nSo old.\n\nWheel and water\n\nIt turns.\n\nSo it does.\n",
        "The mill **stands.**\n\n**It** is old.\\\nSo old.\n\n## Wheel and water\n\nIt turns.\n\nSo it does.\n",
    );
}

#[test]
fn posts_in_items_are_no_list() {
    let markdown = |list: &str, item: &str| {
        let posts = [
            ("Vera", "<p>How do I dry a cellar?<p>It is wet."),
            ("Ivan", "<p>Open all windows.<ul><li>in June</ul>"),
        ];
        let item =
            |(who, text): (&str, &str)| format!("<li class='{item}' id=p{who}><b>{who}</b>{text}</li>");
        let posts: String = posts.into_iter().map(item).collect();
        let body = format!("<{list}>{posts}</{}>", &list[..2]);
        forms(&body)
            .content
            .unwrap()
            .markdown(&MarkdownOptions::default())
    };
    let whole =
        "**Vera**\n\nHow do I dry a cellar?\n\nIt is wet.\n\n**Ivan**\n\nOpen all windows.\n\n- in June\n";
    for (list, item) in [
        ("ol id=posts", "postbit old"),
        ("ul class=commentlist", "comment byuser even"),
        ("ol class=messageList", "sectionMain Message"),
    ] {
        assert_eq!(markdown(list, item), whole, "{item}");
    }
    for item in ["", "topic", "menu-item menu-item-type-post_type"] {
        assert!(markdown("ol", item).starts_with("1. **Vera**"), "{item}");
    }
}
