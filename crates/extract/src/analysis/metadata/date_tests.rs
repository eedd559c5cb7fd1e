//! Dates of whole pages: their precision, and dates from the record of the page.

use super::tests::{TEXT, read};
use super::*;
use crate::{Options, Page, extract};

#[test]
fn dates_are_as_exact_as_the_page_tells() {
    for (head, want, precision) in [
        (
            "<meta property=article:published_time content='2024-03-05T10:30:15+03:00'>",
            "2024-03-05T10:30:15+03:00",
            "second",
        ),
        (
            "<meta property=article:published_time content='2024-03-05T10:30:15.123Z'>",
            "2024-03-05T10:30:15+00:00",
            "second",
        ),
        (
            "<meta property=article:published_time content='2024-03-05 10:30'>",
            "2024-03-05T10:30",
            "minute",
        ),
        (
            "<meta property=article:published_time content='Tue, 05 Mar 2024 10:30:00 GMT'>",
            "2024-03-05T10:30:00+00:00",
            "second",
        ),
        (
            "<meta property=article:published_time content='March 5, 2024 at 1:05 p.m. EST'>",
            "2024-03-05T13:05-05:00",
            "minute",
        ),
        (
            "<meta property=article:published_time content='20240305T103015Z'>",
            "2024-03-05T10:30:15+00:00",
            "second",
        ),
        (
            "<meta property=article:published_time content='1709634615'>",
            "2024-03-05T10:30:15+00:00",
            "second",
        ),
        // Systems write midnight for days.
        (
            "<meta property=article:published_time content='2024-03-05T00:00:00+00:00'>",
            "2024-03-05",
            "day",
        ),
        (
            "<meta property=article:published_time content='2024-03-05T25:00:00'>",
            "2024-03-05",
            "day",
        ),
        (
            "<meta name=citation_publication_date content='2024/03'>",
            "2024-03",
            "month",
        ),
        (
            "<meta name=citation_publication_date content='March 2024'>",
            "2024-03",
            "month",
        ),
        (
            "<meta name=citation_publication_date content='2024'>",
            "2024",
            "year",
        ),
        // A source that knows the day says more of the same date, and one that knows another day does not.
        (
            "<meta name=citation_publication_date content='2024/03'><meta name=dc.date content='2024-03-05'>",
            "2024-03-05",
            "day",
        ),
        (
            "<meta property=article:published_time content='2024-03-05'><meta name=dc.date content='2024-03-05T10:30+01:00'>",
            "2024-03-05T10:30+01:00",
            "minute",
        ),
        (
            "<meta property=article:published_time content='2024-03-05'><meta name=dc.date content='2024-03-06T10:30+01:00'>",
            "2024-03-05",
            "day",
        ),
    ] {
        let got = read(&format!("{head}<title>Flood</title><h1>Flood</h1>{TEXT}"));
        assert_eq!(got.date.as_deref(), Some(want), "{head}");
        assert_eq!(
            got.date_precision.map(DatePrecision::name),
            Some(precision),
            "{head}"
        );
    }
    for (line, want) in [
        ("5. März 2024, 10:15 Uhr", "2024-03-05T10:15"),
        ("10:15, 5 March 2024", "2024-03-05T10:15"),
        ("5 mars 2024 à 10h15", "2024-03-05T10:15"),
        ("Mar 5, 2024 | 3:30 min read", "2024-03-05"),
        ("5 March 2024 (10:15 left)", "2024-03-05"),
        ("5 March 2024, updated 10:15", "2024-03-05"),
    ] {
        let got = read(&format!(
            "<html lang=en><title>Flood</title><h1>Flood</h1><p class=date>{line}</p>{TEXT}"
        ));
        assert_eq!(got.date.as_deref(), Some(want), "{line}");
    }
}

#[test]
fn dates_of_other_calendars() {
    for (language, line, want) in [
        ("ar", "٢٤ شعبان ١٤٤٥ هـ", "2024-03-05"),
        ("ar", "1 محرم 1446", "2024-07-08"),
        ("ar", "15 ربيع الأول 1445", "2023-09-30"),
        ("ja", "令和元年5月1日", "2019-05-01"),
        ("ja", "平成31年4月30日", "2019-04-30"),
    ] {
        let got = read(&format!(
            "<html lang={language}><title>Flood</title><h1>Flood</h1><p class=date>{line}</p>{TEXT}"
        ));
        assert_eq!(got.date.as_deref(), Some(want), "{line}");
    }
}

fn read_received(html: &str, captured: Option<&str>, last_modified: Option<&str>) -> Metadata {
    let page = Page::decoded(html)
        .with_captured(captured)
        .with_last_modified(last_modified);
    extract(&page, &Options::default()).metadata
}

#[test]
fn what_came_with_the_page_is_the_weakest() {
    let told = "Tue, 05 Mar 2024 10:30:00 GMT";
    let page = |inner: &str| format!("<title>Flood</title><h1>Flood</h1>{inner}{TEXT}");
    let got = read_received(&page(""), Some("2024-06-01T00:00:00Z"), Some(told));
    assert_eq!(
        (got.date.as_deref(), got.modified.as_deref()),
        (None, Some("2024-03-05T10:30:00+00:00"))
    );
    assert_eq!(got.sources()["modified"], "received: Last-Modified");
    // The page states a change itself. A page generated for its capture has no date of change.
    let changed = page("<meta property=article:modified_time content=2024-01-02>");
    assert_eq!(
        read_received(&changed, None, Some(told)).modified.as_deref(),
        Some("2024-01-02")
    );
    assert_eq!(
        read_received(&page(""), Some("2024-03-05T10:31:00Z"), Some(told)).modified,
        None
    );
    assert_eq!(
        read_received(&page(""), Some("soon"), Some("never")).modified,
        None
    );
    // A day after the capture is that of an event.
    let later = page("<p class=date>5 March 2024</p>");
    assert_eq!(read_received(&later, Some("2024-02-01"), None).date, None);
    assert_eq!(
        read_received(&later, Some("2024-03-05"), None).date.as_deref(),
        Some("2024-03-05")
    );
}

#[test]
fn relative_dates_need_the_day_of_the_capture() {
    let page = |line: &str| format!("<title>Flood</title><h1>Flood</h1>{line}{TEXT}");
    for (line, want) in [
        ("<span class=posted-on>3 days ago</span>", Some("2024-03-02")),
        ("<time>vor zwei Stunden</time>", Some("2024-03-05")),
        ("<div class=post-date>вчера, 21:15</div>", Some("2024-03-04")),
        ("<p>5 months ago</p>", Some("2023-10")),
        // Names of sections, and sentences, are not dates.
        ("<p>Today</p>", None),
        (
            "<p>The old mill was rebuilt 3 years ago, and the new one stood empty until then</p>",
            None,
        ),
    ] {
        let got = read_received(&page(line), Some("2024-03-05T12:00:00Z"), None);
        assert_eq!(got.date.as_deref(), want, "{line}");
        assert_eq!(read(&page(line)).date, None, "{line}");
    }
    let both = page("<span class=date>3 days ago</span><time datetime=2024-03-01>x</time>");
    assert_eq!(
        read_received(&both, Some("2024-03-05"), None).date.as_deref(),
        Some("2024-03-01")
    );
}

#[test]
fn dates_have_labels_before_and_after_them() {
    for (line, date, modified) in [
        ("<p>Last updated: 5/3/24</p>", None, Some("2024-03-05")),
        ("<p>Son güncelleme: 5/3/24</p>", None, Some("2024-03-05")),
        ("<p>5/3/24 tarihinde güncellendi.</p>", None, Some("2024-03-05")),
        ("<p>2024年3月5日 更新</p>", None, Some("2024-03-05")),
        (
            "<p>2024年3月4日 公開 2024年3月5日 更新</p>",
            Some("2024-03-04"),
            Some("2024-03-05"),
        ),
        (
            "<p>公開：2024年3月4日 更新：2024年3月5日</p>",
            Some("2024-03-04"),
            Some("2024-03-05"),
        ),
        ("<p>veröffentlicht am 5.3.24</p>", Some("2024-03-05"), None),
        ("<p>Stand: 5.3.24</p>", Some("2024-03-05"), None),
        ("<p class=date>05 Mar 24</p>", Some("2024-03-05"), None),
        ("<p>Tested with version 5.3.24</p>", None, None),
        ("<p>Chapter 5 May 24</p>", None, None),
    ] {
        let found = read(&format!("<h1>The river rose overnight</h1>{line}<p>{TEXT}</p>"));
        assert_eq!(found.date.as_deref(), date, "{line}");
        assert_eq!(found.modified.as_deref(), modified, "{line}");
    }
}

#[test]
fn attributes_of_dated_elements_have_the_date() {
    for line in [
        "<p><abbr class=published title=2024-03-05>yesterday</abbr></p>",
        "<p><a class='ribbon date' title='5th March 2024' href=/x>Report</a></p>",
        "<p><span class=timestamp data-utime=1709633400>some time ago</span></p>",
        "<p>Posted <span class=post-date data-date=2024-03-05>last week</span></p>",
    ] {
        let found = read(&format!("<h1>The river rose overnight</h1>{line}<p>{TEXT}</p>"));
        let day = found.date.as_deref().map(|date| &date[..10]);
        assert_eq!(day, Some("2024-03-05"), "{line}");
    }
}

#[test]
fn a_time_of_a_change_beside_one_of_publication_is_that_of_the_change() {
    let published = "<time class=entry-date datetime=2024-03-04>x</time>";
    let updated = "<time class=updated datetime=2024-03-05>y</time>";
    let body = format!("<p>{TEXT}</p>");
    for times in [format!("{published}{updated}"), format!("{updated}{published}")] {
        let found = read(&format!("<h1>The river rose overnight</h1>{times}{body}"));
        assert_eq!(found.date.as_deref(), Some("2024-03-04"), "{times}");
        assert_eq!(found.modified.as_deref(), Some("2024-03-05"), "{times}");
    }
    let found = read(&format!("<h1>The river rose overnight</h1>{updated}{body}"));
    assert_eq!(found.date.as_deref(), Some("2024-03-05"));
}
