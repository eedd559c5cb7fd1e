use super::*;

/// Returns the values of a column for all lines.
fn column(html: &str, chances: &[f32], name: &str) -> Vec<f32> {
    let lines = crate::training::page_lines(html, None);
    assert_eq!(lines.texts.len(), chances.len());
    let names = LineContext::names();
    let at = names.iter().position(|n| n == name).unwrap();
    let rows = lines
        .features
        .line_context
        .rows(chances, &vec![WordOdds::default(); chances.len()]);
    rows.chunks_exact(names.len()).map(|row| row[at]).collect()
}

#[test]
fn lines_of_one_style_share_their_chance() {
    let page = "<div><p>one word<p>two words here</div><ul><li>a b<li>c d<li>e f</ul>";
    let chances = [1.0, 0.5, 0.2, 0.4, 0.9];
    let alike = column(page, &chances, "alike-chance");
    assert!(
        (alike[0] - rounded(0.7)).abs() < 1e-6 && alike[0] == alike[1],
        "{alike:?}"
    );
    assert!((alike[2] - 0.5).abs() < 1e-2, "{alike:?}");
    let siblings = column(page, &chances, "family-chance");
    assert_eq!(siblings[..2], [-1.0, -1.0]);
    assert!((siblings[3] - 0.5).abs() < 1e-2, "{siblings:?}");
    assert_eq!(column(page, &chances, "since-sure"), [0.0, 1.0, 2.0, 3.0, 0.0]);
    assert_eq!(column(page, &chances, "until-sure"), [0.0, 3.0, 2.0, 1.0, 0.0]);
    assert_eq!(column(page, &[0.1; 5], "since-sure"), [NO_DISTANCE as f32; 5]);
}

#[test]
fn lines_know_the_words_beside_and_of_the_heading_above() {
    let lines = crate::training::page_lines("<h2>Related</h2><p>one<p>two<h2>News</h2><p>three", None);
    let saying = |mean: f32| WordOdds {
        mean,
        phrase: -mean,
        ..WordOdds::default()
    };
    let odds: Vec<WordOdds> = (1_u8..=5).map(|i| saying(f32::from(i))).collect();
    let names = LineContext::names();
    let rows = lines.features.line_context.rows(&[0.5; 5], &odds);
    let column = |name: &str| -> Vec<f32> {
        let at = names.iter().position(|n| n == name).unwrap();
        rows.chunks_exact(names.len()).map(|row| row[at]).collect()
    };
    assert_eq!(column("words-mean"), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(column("heading-words-mean"), [0.0, 1.0, 1.0, 1.0, 4.0]);
    assert_eq!(column("heading-phrase"), [0.0, -1.0, -1.0, -1.0, -4.0]);
    assert_eq!(column("before-phrase"), [0.0, -1.0, -2.0, -3.0, -4.0]);
    assert_eq!(column("after-phrase"), [-2.0, -3.0, -4.0, -5.0, 0.0]);
}

#[test]
fn titles_and_promotions_are_less_likely_wherever_they_stand() {
    let html = "<title>The flood</title><p>The flood<h1>The flood</h1><p>The river rose.";
    let line_context = crate::training::page_lines(html, None).features.line_context;
    let mut chances = [0.5, 0.95, 0.5];
    line_context.settle(&mut chances, |line| line == 2);
    let odds = |chance: f32| chance / (1.0 - chance);
    assert!((odds(chances[0]) - 1.0 / TITLE_ODDS).abs() < 1e-5, "{chances:?}");
    assert!((odds(chances[1]) - 19.0 / TITLE_ODDS).abs() < 1e-3, "{chances:?}");
    assert!(
        (odds(chances[2]) - 1.0 / PROMOTION_ODDS).abs() < 1e-5,
        "{chances:?}"
    );
    let mut certain = [0.0, 1.0, 0.0];
    line_context.settle(&mut certain, |_| true);
    assert_eq!(certain, [0.0, 1.0, 0.0]);
}

#[test]
fn a_page_without_lines_has_no_rows() {
    assert!(LineContext::default().rows(&[], &[]).is_empty());
}
