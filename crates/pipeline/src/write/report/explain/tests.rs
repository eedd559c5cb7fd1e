use super::{STYLE, STYLE_SHA256, render};
use crate::kernel::extract::Extractor;
use crate::record::{Content, Document, PageRecord};

fn explained(html: &str, check: impl Fn(&Document, &str)) {
    let options = dehusk_extract::Options::default()
        .with_blocks(true)
        .with_visible_nodes(true);
    let mut page = PageRecord::new(Content::Text(html.into()));
    page.id = Some("p<1>".into());
    let document = Extractor::new(options).extract(&page).unwrap();
    check(&document, &render(&document, None));
}

#[test]
fn every_block_is_shown_once_with_its_reason_and_nothing_of_the_page_is_markup() {
    let html = "<title>A <b>bold</b> title</title><script>alert(1)</script><nav><a href=javascript:x>Home &lt;img src=x onerror=y&gt;</a></nav>\
        <article><p onclick=z>One <b>two</b> three, a text that is long enough to be taken for one, with commas, and so on.<p>Four \u{202e}five.\
        </article><style>p{}</style>";
    explained(html, |document, page| {
        let blocks = document.blocks.as_deref().unwrap();
        for block in blocks {
            let (id, reason) = (
                format!(" id=\"b{}\"", block.i),
                format!(": {}</span>", block.reason),
            );
            assert_eq!(page.matches(&id).count(), 1, "{id}");
            assert!(page.contains(&reason), "{reason}");
        }
        assert!(
            !page.contains("<img")
                && !page.contains("<script")
                && !page.contains("onclick")
                && !page.contains("javascript:")
        );
        assert!(page.contains("&lt;img src=x onerror=y&gt;") && page.contains("U+202E"));
        let (open, close) = (page.matches("<div").count(), page.matches("</div>").count());
        assert_eq!(open, close);
        assert_eq!(page.matches("<span").count(), page.matches("</span>").count());
    });
}

#[test]
fn repeated_parts_have_a_colour_of_their_own_and_say_where_they_stand() {
    use crate::kernel::known_passages::{KnownPassages, Spread};
    use crate::settings::PassageUnit;

    let options = dehusk_extract::Options::default()
        .with_blocks(true)
        .with_visible_nodes(true);
    let html = "<article><h1>The mill</h1><p>The river rose overnight, and the meadows below the mill were under water by noon.</p>\
        <p>Anybody may copy this page, and hand it on to others without asking.</p></article>";
    let document = Extractor::new(options)
        .extract(&PageRecord::new(Content::Text(html.into())))
        .unwrap();
    assert!(document.text.contains("Anybody may copy"));
    let mut known = KnownPassages::new(dehusk_normalize::Profile::near());
    let spread = Spread {
        documents: 40,
        hosts: 3,
    };
    let text = "anybody may copy this page and hand it on to others without asking";
    known.add(PassageUnit::Tokens, text, spread);
    let page = render(&document, Some(&known.indexed()));
    assert_eq!(page.matches("<mark class=\"repeated\"").count(), 1, "{page}");
    assert_eq!(page.matches("class=\"b kept repeated\"").count(), 1, "{page}");
    assert!(page.contains("repeated: in 40 documents of 3 hosts") && page.contains("repeated elsewhere (1)"));
    assert!(!render(&document, None).contains("repeated elsewhere"));
}

#[test]
fn deep_pages_stay_shallow() {
    let html = "<div><blockquote>".repeat(5_000) + "text";
    explained(&html, |_, page| {
        assert!(page.matches("<div").count() < 100);
        assert_eq!(page.matches("<div").count(), page.matches("</div>").count());
    });
}

#[test]
fn the_policy_allows_this_style_sheet() {
    use base64::Engine;
    use sha2::{Digest, Sha256};
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE));
    assert_eq!(
        hash, STYLE_SHA256,
        "the style sheet was changed: set `STYLE_SHA256` to {hash}"
    );
}
