//! Character tokens by insertion mode. All characters between two other tokens are handled in one step.

use crate::narrow;
use crate::parser::whatwg::elements::FOSTER;
use crate::parser::whatwg::state::{Mode, ParserState};
use crate::parser::whatwg::token::Run;
use crate::parser::whatwg::tokenization::runs::is_space;

impl ParserState<'_> {
    /// Handles a run of characters between two other tokens.
    #[inline(always)]
    pub(crate) fn characters(&mut self, run: Run) {
        // A shortcut: most texts are in the body.
        if self.is_in_plain_body() && !self.skip_newline && !run.may_hold_nul {
            self.body_characters(run);
        } else {
            self.characters_by_mode(run);
        }
    }

    #[inline(never)]
    fn characters_by_mode(&mut self, run: Run) {
        let mut run = run;
        // The flag applies to the first character after the start tag only.
        if self.skip_newline {
            self.skip_newline = false;
            run = self.without_newline(run);
            if run.is_empty() {
                return;
            }
        }
        if self.holds_nul(run) {
            self.characters_with_nul(run);
        } else if self.text_is_foreign() {
            self.foreign_text(run);
        } else {
            self.characters_in_mode(run);
        }
    }

    fn characters_in_mode(&mut self, run: Run) {
        let mut run = run;
        loop {
            match self.mode {
                Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                    self.body_characters(run);
                    return;
                }
                Mode::InTable | Mode::InTableBody | Mode::InRow => {
                    self.table_characters(run);
                    return;
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                    self.only_space(run);
                    return;
                }
                _ => {
                    let (space, rest) = self.split_space(run);
                    // In the other modes leading white space and the rest are handled differently.
                    match self.mode {
                        Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead | Mode::InColumnGroup => {
                            self.insert_text(space);
                        }
                        Mode::AfterBody | Mode::AfterAfterBody if rest.is_empty() => {
                            self.body_characters(space);
                        }
                        // § The rest switches to "in body". White space goes there, too, so both parts are
                        // inserted as one text.
                        Mode::AfterBody | Mode::AfterAfterBody => {
                            self.mode = Mode::InBody;
                            continue;
                        }
                        _ => {}
                    }
                    if rest.is_empty() {
                        return;
                    }
                    if !self.leave_mode() {
                        // The context of the fragment is a column group.
                        self.only_space(rest);
                        return;
                    }
                    // The mode is another one, so the rest is handled by its rules.
                    run = rest;
                }
            }
        }
    }

    /// § The "in body" insertion mode, a character token.
    #[inline(always)]
    pub(crate) fn body_characters(&mut self, run: Run) {
        // The order is the standard's: reconstruction may insert elements that then contain the text.
        self.reconstruct_formatting();
        if self.frameset_ok && !self.is_space(run) {
            self.frameset_ok = false;
        }
        self.insert_text(run);
    }

    /// § The "in table text" insertion mode.
    fn table_characters(&mut self, run: Run) {
        let current = self.stack.last();
        // § Characters are collected only if the current node is a table, table body, row or template.
        if !current.is_some_and(|o| o.categories & FOSTER != 0 || self.is_template_in_table(o)) {
            self.with_foster_parenting(|parser| parser.body_characters(run));
            return;
        }
        // A second run is rare. It follows markup that is not a token, as in `<table> </> x`.
        let mut more = Vec::new();
        while let Some(run) = self.more_characters() {
            let run = self.without_nul(run);
            if !run.is_empty() {
                more.push(run);
            }
        }
        let runs = || [run].into_iter().chain(more.iter().copied());
        // § White space stays in the table. With any other character, all of it is foster parented.
        if runs().all(|run| self.is_space(run)) {
            for run in runs() {
                self.insert_text(run);
            }
        } else {
            for run in runs() {
                self.with_foster_parenting(|parser| parser.body_characters(run));
            }
        }
    }

    /// The next run of characters, if no other token comes before it; `None` otherwise. `</>` is not a token.
    fn more_characters(&mut self) -> Option<Run> {
        let mut at = self.pos;
        loop {
            let rest = &self.bytes[at..];
            match rest
                .starts_with(b"</>")
                .then_some(3)
                .or_else(|| self.ignored_doctype(rest))
            {
                Some(len) => at += len,
                None => break,
            }
        }
        // Nothing was skipped, or no characters follow.
        if at == self.pos || at == self.bytes.len() || (self.bytes[at] == b'<' && self.is_markup(at)) {
            return None;
        }
        self.pos = at;
        Some(self.text())
    }

    /// § "in frameset", "after frameset", "after after frameset": every character except white space is ignored.
    fn only_space(&mut self, run: Run) {
        // White space may be separated by ignored characters, so the run is copied.
        let space: String = self.read(run).chars().filter(|&c| is_space(c)).collect();
        if space.is_empty() {
            return;
        }
        let run = self.stored_run(&space);
        match self.mode {
            Mode::AfterAfterFrameset => self.body_characters(run),
            _ => self.insert_text(run),
        }
    }

    /// Handles characters that include U+0000, which is dropped in HTML content and replaced in foreign content.
    #[cold]
    fn characters_with_nul(&mut self, run: Run) {
        if self.text_is_foreign() {
            // Replaced characters do not count against a frameset; other characters do.
            let without = self.without_nul(run);
            if self.frameset_ok && !self.is_space(without) {
                self.frameset_ok = false;
            }
            let run = self.with_replacements(run);
            self.insert_text(run);
            return;
        }
        // In these modes U+0000 falls under "anything else": leading white space is handled, then the mode
        // is left, until a mode drops U+0000.
        let mut rest = run;
        while !rest.is_empty() && self.mode.nul_is_anything_else() {
            let part = self.builder.dom.slice(rest.lo, rest.hi);
            let hi = rest.lo + narrow::to_u32(part.find('\0').unwrap_or(part.len()));
            let (space, other) = self.split_space(Run { hi, ..rest });
            if !space.is_empty() {
                self.characters_in_mode(space);
                rest.lo = space.hi;
            } else if !self.leave_mode() {
                // The context of the fragment is a column group.
                // U+0000 is ignored like every other character here. If nothing precedes it, it is skipped,
                // so that the loop advances.
                self.only_space(other);
                rest.lo = hi + u32::from(other.is_empty());
            }
        }
        let rest = self.without_nul(rest);
        if !rest.is_empty() {
            self.characters_in_mode(rest);
        }
    }
}
