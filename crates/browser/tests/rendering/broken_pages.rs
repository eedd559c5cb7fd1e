//! Pages and hands that break the browser cost one page each.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use dehusk_browser::{Chromium, LostReason};

use crate::{PLAIN, render, settings, works};

#[test]
fn pages_that_are_too_much_are_lost_alone() {
    let Some(mut settings) = settings() else { return };
    settings.scripts = true;
    settings.limits.time = Duration::from_secs(5);
    settings.limits.memory = 1200 << 20;
    settings.limits.elements = 5_000;
    let mut browser = Chromium::new(settings).unwrap();
    let reason = |browser: &mut Chromium, html: &str| render(browser, html).unwrap_err().reason;
    works(&mut browser);
    let wide = "<div>".repeat(6_000);
    assert_eq!(
        reason(&mut browser, &wide),
        LostReason::Elements,
        "before the browser saw it"
    );
    assert_eq!(browser.started(), 1);
    assert_eq!(
        reason(&mut browser, "<script>for (;;) {}</script>"),
        LostReason::Time
    );
    works(&mut browser);
    let grows = "<script>let all = []; for (;;) { const a = new Uint8Array(1 << 25); a.fill(1); all.push(a); }</script>";
    let lost = reason(&mut browser, grows);
    assert!(matches!(lost, LostReason::Memory | LostReason::Crash), "{lost:?}");
    works(&mut browser);
    let many = "<script>for (let i = 0; i < 6000; i += 1) document.body.append(document.createElement('p'))</script>";
    assert_eq!(
        reason(&mut browser, &format!("<body>{many}")),
        LostReason::Elements,
        "built by scripts"
    );
    works(&mut browser);
    assert_eq!(
        reason(&mut browser, "<script>for (;;) alert(1)</script>"),
        LostReason::Time
    );
    works(&mut browser);
}

/// Sends a signal to all processes of a group.
fn signal(name: &str, group: i32) {
    let done = Command::new("kill")
        .args([name, "--", &format!("-{group}")])
        .status();
    assert!(done.unwrap().success());
}

#[test]
fn a_browser_that_is_killed_or_stopped_costs_one_page_and_leaves_nothing() {
    let Some(mut settings) = settings() else { return };
    settings.limits.time = Duration::from_secs(6);
    let mut browser = Chromium::new(settings).unwrap();
    for (name, reason) in [("-KILL", LostReason::Crash), ("-STOP", LostReason::Time)] {
        works(&mut browser);
        let group = browser.process_group().unwrap();
        signal(name, group);
        let began = Instant::now();
        assert_eq!(render(&mut browser, PLAIN).unwrap_err().reason, reason, "{name}");
        assert!(began.elapsed() < Duration::from_secs(12), "{name}");
        assert_none_left(group);
    }
    works(&mut browser);
    let group = browser.process_group().unwrap();
    assert!(members(group) > 2);
    drop(browser);
    assert_none_left(group);
}

/// Processes of a group that have not ended.
fn members(group: i32) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let of_group = entries.filter(|entry| {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> = stat
            .rsplit_once(") ")
            .map_or(vec![], |(_, rest)| rest.split(' ').collect());
        fields.first().is_some_and(|state| *state != "Z")
            && fields.get(2).and_then(|id| id.parse().ok()) == Some(group)
    });
    of_group.count()
}

fn assert_none_left(group: i32) {
    // Processes that were killed take a moment to go.
    for _ in 0..50 {
        if members(group) == 0 {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{} processes are left", members(group));
}
