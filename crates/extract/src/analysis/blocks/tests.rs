use super::*;
use dehusk_html::Parser;
use dehusk_html::tree::Dom;

fn table(html: &str, check: impl FnOnce(&Dom<'_>, &BlockTable)) {
    let (dom, _) = Parser::default().parse(html);
    check(&dom, &BlockTable::fill(&dom));
}

#[track_caller]
fn check_texts(html: &str, want: &[&str]) {
    table(html, |_, t| {
        let got: Vec<&str> = t.blocks().iter().map(|b| t.text(b)).collect();
        assert_eq!(got, want);
    });
}

#[test]
fn blocks_end_at_tags_that_are_not_looked_through() {
    check_texts(
        "<p>One <b>bold</b>er<br>two</p><ul><li>three<li>four</ul>",
        &["One bolder", "two", "three", "four"],
    );
    check_texts("<div>a<div> \n </div>b</div>", &["a", "b"]);
    check_texts("<p>in <small>small</small> print</p>", &["in", "small", "print"]);
    check_texts(
        "a <script>var x</script> b<style>i{}</style> <svg><text>no</text></svg>c",
        &["a b c"],
    );
}

#[test]
fn context_names_path_kind_and_boundaries() {
    let html =
        "<main class='Post Full' id=Top><h2>Head</h2><ul><li>x<br>y</ul><table><td><p>in cell</table></main>";
    table(html, |dom, t| {
        let b = t.blocks();
        assert_eq!(t.path(dom, &b[0]), "html/body/main#Top.Post.Full/h2");
        assert_eq!((b[0].kind, b[0].heading), (BlockKind::Heading, 2));
        assert_eq!(
            (b[1].kind, b[1].lists, b[1].boundary),
            (BlockKind::ListItem, 1, Boundary::Block)
        );
        assert_eq!(b[2].boundary, Boundary::Break);
        assert_eq!((b[3].kind, b[3].tables), (BlockKind::Paragraph, 1));
        let main = &t.contexts()[t.contexts()[b[0].context as usize].parent.unwrap() as usize];
        assert_eq!(t.names(main), "post full top");
    });
}

#[test]
fn source_range_covers_the_text() {
    let html = "<p>Rivers &amp; streams</p><p>Second paragraph of some length</p>";
    table(html, |dom, t| {
        let range = t.source_range(dom, &t.blocks()[1]).unwrap();
        assert_eq!(&html[range], "Second paragraph of some length");
    });
}

#[test]
fn hidden_is_inherited() {
    let html =
        "<div style='color:red; DISPLAY : none !important'><p>a</div><p hidden>b<p aria-hidden=true>c<p>d";
    table(html, |_, t| {
        let hidden: Vec<bool> = t.blocks().iter().map(|b| b.hidden).collect();
        assert_eq!(hidden, [true, true, true, false]);
    });
}

#[test]
fn words_and_density_as_in_the_worked_example() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let all: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let example = all["examples"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["name"] == "boilerpipe_block_stats")
        .unwrap();
    for (html, want) in example["input"]
        .as_array()
        .unwrap()
        .iter()
        .zip(example["expected"].as_array().unwrap())
    {
        table(&format!("<p>{}</p>", html.as_str().unwrap()), |_, t| {
            let b = &t.blocks()[0];
            assert_eq!(b.words, want["num_words"].as_u64().unwrap() as u32);
            assert_eq!(b.link_words, want["linked_words"].as_u64().unwrap() as u32);
            assert_eq!(b.lines, want["wrapped_lines"].as_u64().unwrap() as u32);
            assert_eq!(
                b.words_in_lines,
                want["words_in_wrapped_lines"].as_u64().unwrap() as u32
            );
            assert!((b.text_density() - want["text_density"].as_f64().unwrap()).abs() < 1e-6);
            assert!((b.link_density() - want["link_density"].as_f64().unwrap()).abs() < 1e-6);
        });
    }
}

#[test]
fn names_are_kept_once() {
    let names = |html: &str| {
        let mut out = Vec::new();
        table(html, |_, t| {
            let named = t.contexts().iter().map(|c| (c.names(), t.names(c).to_owned()));
            out = named.skip(2).collect();
            assert_eq!(t.all_names().nth(out[0].0), Some(out[0].1.as_str()));
        });
        out
    };
    let found =
        names("<p class='A  b' id=C>x<p class=a>y<p id=C class='A  b'>x<p>z<p class='\u{c4}&amp; b '>x");
    let texts: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(texts, ["a b c", "a", "a b c", "", "\u{e4}& b"]);
    assert_eq!(found[0].0, found[2].0);
    let many: String = (0..500).map(|i| format!("<p class=c{i}>x")).collect();
    let found = names(&many.repeat(2));
    assert_eq!(found[..500], found[500..]);
    assert!(
        found[..500]
            .iter()
            .enumerate()
            .all(|(i, (_, name))| *name == format!("c{i}"))
    );
}
