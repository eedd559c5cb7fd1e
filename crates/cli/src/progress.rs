//! How far the work is, on a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use dehusk_pipeline::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on standard error that tells how far the work is; nothing at all unless that is a terminal.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    pub(crate) fn new(quiet: bool) -> Bar {
        let wanted = !quiet && io::stderr().is_terminal();
        Bar(wanted.then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))))
    }

    /// Takes the line away, before something else is written.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &'static str, total: Option<u64>) {
        let Some(bar) = &self.0 else { return };
        let template = match total {
            Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes} {eta}",
            None => "{spinner} {msg} {human_pos} {elapsed}",
        };
        bar.reset();
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        match total {
            Some(total) => bar.set_length(total),
            None => bar.unset_length(),
        }
        bar.set_message(name);
        bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, records: u64, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(if bar.length().is_some() { bytes } else { records });
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}
