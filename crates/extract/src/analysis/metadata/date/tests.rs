use super::*;

#[track_caller]
fn check(language: &str, month_first: bool, text: &str, want: Option<&str>) {
    let found = find(
        text,
        Reading {
            language,
            month_first,
        },
    );
    assert_eq!(found.map(|found| found.day).as_deref(), want, "{text}");
}

#[test]
fn dates_of_many_languages() {
    for (language, text, want) in [
        ("hu", "2024. március 5., kedd 10:00", "2024-03-05"),
        ("lt", "2024 m. kovo 5 d.", "2024-03-05"),
        (
            "es",
            "Publicado el martes, 5 de marzo de 2024 a las 10:00",
            "2024-03-05",
        ),
        ("vi", "Thứ ba, ngày 5 tháng 3 năm 2024", "2024-03-05"),
        ("th", "5 มีนาคม 2567", "2024-03-05"),
        ("th", "5 มี.ค. 2567", "2024-03-05"),
        ("ja", "公開日：令和6年3月5日", "2024-03-05"),
        ("zh", "2024年03月05日10:00 来源", "2024-03-05"),
        ("ko", "입력 2024. 3. 5. 오전 10:00", "2024-03-05"),
        ("ar", "٥ مارس ٢٠٢٤", "2024-03-05"),
        ("fa", "۱۵ اسفند ۱۴۰۲", "2024-03-05"),
        ("fa", "۱۴۰۲/۱۲/۱۵", "2024-03-05"),
        ("hi", "5 मार्च 2024", "2024-03-05"),
        ("fi", "5. maaliskuuta 2024", "2024-03-05"),
        ("cs", "5. března 2024", "2024-03-05"),
        ("hr", "5. listopada 2024.", "2024-10-05"),
        ("pl", "5 listopada 2024", "2024-11-05"),
        ("en", "Updated at 7:31 PM, Dec 30th, 2013", "2013-12-30"),
        ("en", "Sat Dec 30 10:00:01 +0000 2013", "2013-12-30"),
        ("en", "the 30th of December, 2013", "2013-12-30"),
        ("en", "30-Dec-2013", "2013-12-30"),
        ("de", "Berlin, 05. 03. 2024", "2024-03-05"),
    ] {
        check(language, false, text, Some(want));
    }
}

#[test]
fn what_is_no_date() {
    for text in [
        "5 March",
        "version 1.2.2024.5",
        "call 05-03-2024-11",
        "2024 - 3 - 5",
        "from 5 to 7 marathons in 2024",
        "May I? 5, 2024",
        "March 10:30, 2024 seats",
        "192.168.10.2024",
        "in March 2024 5 people",
    ] {
        check("en", false, text, None);
    }
}

#[test]
fn day_and_month_by_the_custom_of_the_page() {
    check("en", true, "03/04/2024", Some("2024-03-04"));
    check("en", false, "03/04/2024", Some("2024-04-03"));
    check("en", true, "03.04.2024", Some("2024-04-03"));
    check("en", true, "13/04/2024", Some("2024-04-13"));
    check("de", false, "05.03.24", Some("2024-03-05"));
    let found = find("03/04/2024", Reading::default()).unwrap();
    assert!(found.ambiguous && found.range == (0..10) && found.form == Form::Numbers);
}

#[test]
fn years_of_two_digits_in_forms_of_other_numbers_are_dates_on_demand_only() {
    for (text, want) in [
        ("5/3/24", "2024-03-05"),
        ("5.3.24", "2024-03-05"),
        ("5 March 24", "2024-03-05"),
        ("5 Mar 24 at noon", "2024-03-05"),
    ] {
        assert_eq!(find(text, Reading::default()), None, "{text}");
        let found = find_any(text, Reading::default()).unwrap();
        assert_eq!((found.day.as_str(), found.form), (want, Form::BareYear), "{text}");
    }
    for text in [
        "5-3-24",
        "5 March 24:10",
        "5 March 24.5",
        "5 March, 24 people",
        "1.4.18.2",
    ] {
        assert_eq!(find_any(text, Reading::default()), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "[0-9٠-٩年月日./: tháng,Marcde-]{0,40}") {
        let found = find(&text, Reading::default());
        if let Some(found) = found {
            proptest::prop_assert!(text.get(found.range).is_some());
        }
    }
}
