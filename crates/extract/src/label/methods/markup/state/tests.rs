use super::*;

const PROSE_OF: &str =
    "The river rose by two meters in one night, and the lower streets of the town were under water by noon.";

fn record(body: &str) -> String {
    format!(
        r#"{{"menu":["Home page","All the news"],"article":{{"id":7,"title":"The river rose","body":{body},
        "related":[{{"title":"Something else","teaser":"One more story that this page does not tell at all, only names it."}}]}}}}"#
    )
}

fn found(value: &str, title: &str) -> Option<String> {
    Leaves::of(&json::read(value, |_| true).unwrap()).body(&Title::of(title).unwrap())
}

#[test]
fn the_record_with_the_title_has_the_body() {
    let paragraphs = format!(
        "[{}]",
        vec![format!("{{\"type\":\"p\",\"text\":\"{PROSE_OF}\"}}"); 5].join(",")
    );
    let text = found(&record(&paragraphs), "The River Rose").unwrap();
    assert_eq!(text, PROSE_OF, "each paragraph once");
    let html = format!("\"<p>{}</p>\"", [PROSE_OF; 5].join("</p><p>"));
    assert!(
        found(&record(&html), "The river rose")
            .unwrap()
            .starts_with("<p>The river rose by")
    );
    assert_eq!(found(&record(&html), "Another title"), None);
    assert_eq!(
        found(
            &record("\"Too short to be a body, whatever it says.\""),
            "The river rose"
        ),
        None
    );
}

#[test]
fn state_is_read_wherever_scripts_hold_it() {
    let state = record(&format!("\"{}\"", [PROSE_OF; 5].join(" ")));
    let quoted = serde_json::to_string(&state).unwrap();
    let rows = serde_json::to_string(&format!(
        "1:{}\n2:T{:x},{PROSE_OF}3:[]\n",
        state.replace('\n', " "),
        PROSE_OF.len()
    ))
    .unwrap();
    for script in [
        format!("<script type='application/json'>{state}</script>"),
        format!("<script>window.__STATE__ = {state}; run();</script>"),
        format!("<script>var a=(1),b={{}};s=JSON.parse({quoted})</script>"),
        format!("<script>self.__next_f.push([1,{rows}])</script>"),
    ] {
        let page = crate::Page::decoded(&script);
        let seen = crate::analyze::analyze_page(&page, &crate::Options::default(), |view, _, _| {
            let title = Title::of("the river rose").unwrap();
            let mut seen = 0;
            for_each_state(view.dom, &title, |value| {
                seen += usize::from(Leaves::of(value).body(&title).is_some());
            });
            seen
        });
        assert_eq!(seen, 1, "{script}");
    }
}

#[test]
fn scripts_that_are_no_json_are_passed_over() {
    for script in [
        "={={={",
        "a = {b: 1}",
        "x = [\"",
        "self.__next_f.push(",
        "JSON.parse(\"{\\\"\")",
        "= {\"a\":",
        "T",
    ] {
        assigned_values(script, &mut 0, |value| {
            let inner = value.as_str().map(|inner| json::read(inner, |_| true));
            assert!(matches!(inner, Some(Err(_))), "{script}: {value:?}");
        });
        let _ = server_rows(script);
    }
    assert!(server_rows("é:T3,äöü\n1:Tfff,x").is_some());
}
