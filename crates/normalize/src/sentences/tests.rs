use proptest::prelude::*;

use super::*;
use crate::tests::example;

fn split(text: &str) -> Vec<&str> {
    let splitter = Splitter::new();
    let ranges: Vec<_> = splitter.sentences(text).collect();
    ranges.into_iter().map(|range| &text[range]).collect()
}

/// Checks a text whose expected sentences are separated by ` | `.
fn check(marked: &str) {
    let wanted: Vec<_> = marked.split(" | ").collect();
    assert_eq!(split(&wanted.join(" ")), wanted);
}

#[test]
fn worked_example_sentence_split() {
    let example = example("sentence_split");
    let wanted: Vec<_> = example["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s.as_str().unwrap())
        .collect();
    assert_eq!(split(example["input"].as_str().unwrap()), wanted);
}

#[test]
fn initials_and_titles_hold_names_together() {
    check("А. С. Пушкин и Л.Н. Толстой. | Проф. В. И. Иванов пришел.");
    check("J. R. R. Tolkien met Dr. A. Smith. | Mr. Brown left.");
    check("He chose plan B. | It failed.");
    check("Не хватает витамина С. | Это плохо.");
    check("Than you and I. | The rest stayed.");
}

#[test]
fn abbreviations_end_sentences_only_where_they_can() {
    check("Хлеб, соль и т. д. | Это все.");
    check("См. рис. 5, табл. II и стр. 10. | Далее.");
    check("Цена 5 тыс. руб. за тонну. | Дорого.");
    check("Он жил в г. Москве на ул. Ленина.");
    check("Умер в 1837 г. | В 1838 г. вышла книга.");
    check("В 1812 г. Наполеон вступил в Москву.");
    check("Apples, pears, etc. are fruit. | Apples, pears, etc. | We ate.");
    check("See Fig. 3 and No. 7. | He said no. | Then he left.");
    check("The U.S. Senate met at 5 p.m. | Nobody came to Washington, D.C. | The end.");
    check("It is made by Acme Inc. in Ohio, e.g. by hand.");
}

#[test]
fn quotations_dashes_and_brackets() {
    check("«Я приду». | Он ушел. | — Привет! — сказал он. | — Пока!");
    check("\"Stop!\" he said. | \"Go!\" Mary cried. | \"Why?\" | She turned.");
    check("He left (it was late). | (Nobody saw.) | \"Fine.\" | He nodded.");
    check("Это факт.[12] | Правда?! | Да…");
    check("Ну… вот и все...");
}

#[test]
fn labels_belong_to_their_sentences() {
    check("1. Первое. | 2. Второе. | IV. Четвертое.");
    check("A. The first one. | B. The second one.");
}

#[test]
fn scripts_without_spaces_or_case() {
    assert_eq!(
        split("你好。今天是星期六！「好吗？」他问。"),
        ["你好。", "今天是星期六！", "「好吗？」", "他问。"]
    );
    assert_eq!(
        split("هذا بيت. هل هذا صحيح؟ نعم."),
        ["هذا بيت.", "هل هذا صحيح؟", "نعم."]
    );
    assert_eq!(split("यह घर है। वह गया।"), ["यह घर है।", "वह गया।"]);
    assert_eq!(
        split("यह घर है।वह गया॥ १॥ अब"),
        ["यह घर है।", "वह गया॥", "१॥", "अब"]
    );
    assert_eq!(split("یہ گھر ہے۔وہ گیا۔ کیا؟"), ["یہ گھر ہے۔", "وہ گیا۔", "کیا؟"]);
    assert_eq!(split("ខ្ញុំទៅ។គាត់មក។"), ["ខ្ញុំទៅ។", "គាត់មក។"]);
    assert_eq!(split("အိမ်။သူ။"), ["အိမ်။", "သူ။"]);
    assert_eq!(split("ቤት ነው። እሱ ሄደ።"), ["ቤት ነው።", "እሱ ሄደ።"]);
    assert_eq!(split("Տուն է։ Նա գնաց։"), ["Տուն է։", "Նա գնաց։"]);
}

#[test]
fn blank_lines_and_blocks_end_sentences() {
    assert_eq!(
        split("Заголовок\n\nТекст\nдальше."),
        ["Заголовок", "Текст\nдальше."]
    );
    assert_eq!(split(" \n \n"), [""; 0]);
    let text = "Head One. Two cell 5";
    let splitter = Splitter::new();
    #[expect(clippy::reversed_empty_ranges, reason = "bad input")]
    let blocks = [0..4, 5..13, 14..18, 19..20, 3..99, 9..2];
    let found: Vec<_> = splitter
        .sentences_in_blocks(text, &blocks)
        .map(|(block, range)| (block, &text[range]))
        .collect();
    assert_eq!(
        found,
        [
            (0, "Head"),
            (1, "One."),
            (1, "Two"),
            (2, "cell"),
            (3, "5"),
            (4, "d One."),
            (4, "Two cell 5")
        ]
    );
    let text = "жжж";
    assert_eq!(splitter.sentences_in_blocks(text, &[1..3, 2..4]).count(), 1);
}

#[test]
fn without_lists_every_full_stop_counts() {
    let splitter = Splitter::with_abbreviations(Abbreviations::none());
    assert_eq!(splitter.sentences("Mr. Brown left.").count(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sentences_hold_everything_but_white_space(
        text in "[абВГт.д г!?…«»\"'()\\[\\]—\\n 15XAeé。\u{301}-]{0,40}|\\PC{0,30}"
    ) {
        let splitter = Splitter::new();
        let mut at = 0;
        for range in splitter.sentences(&text) {
            prop_assert!(range.start >= at && range.start < range.end);
            prop_assert!(text[at..range.start].trim().is_empty());
            prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
            at = range.end;
        }
        prop_assert!(text[at..].trim().is_empty());
    }
}
