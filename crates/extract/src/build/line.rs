//! The line of text being built, with the marks, links and code that are open in it.

use crate::build::touching::Touching;
use crate::document::holds_images_alone;
use crate::document::{CodeKind, Image, Inline, MAX_INLINES, Mark, Player, PlayerKind, RubyPart, Span};
use dehusk_html::tree::NodeId;

/// Effect of an open element on its text.
#[derive(Clone, Debug)]
pub(super) enum OpenKind {
    Marked(Mark),
    Link { target: String, title: Option<String> },
    Code(CodeKind),
}

#[derive(Debug)]
struct Open {
    element: NodeId,
    kind: OpenKind,
    inlines: Vec<Inline>,
}

/// The current line.
///
/// If a line ends inside open elements, they are closed and reopened in the next line; elements without
/// content are dropped. White space at the edges of an element is moved outside of it.
#[derive(Debug, Default)]
pub(super) struct Line {
    inlines: Vec<Inline>,
    open: Vec<Open>,
    /// Whether white space is due before the next content.
    space: bool,
    /// Whether a line break is due before the next content.
    break_due: bool,
    /// Whether an element without text follows that break.
    breaks_parted: bool,
    /// Whether the line has content that white space can follow.
    begun: bool,
    /// Whether the line has content other than images.
    worded: bool,
    /// Whether the line contains note references.
    calls: bool,
    /// Inline elements that began and ended since the last text.
    pub(super) touching: Touching,
    /// Bytes left for repeating the addresses of links that span several lines.
    pub(super) room: usize,
    /// Whether such links were left out.
    pub(super) cut: bool,
}

impl Line {
    /// Adds white space. It is dropped at the start of a line and collapsed to one space between words.
    pub(super) fn add_space(&mut self) {
        self.space = true;
    }

    /// Adds a line break. It is dropped at the start of a line.
    pub(super) fn add_break(&mut self) {
        self.break_due |= self.begun;
        self.breaks_parted = false;
    }

    /// Whether a line break was added last.
    pub(super) fn is_broken(&self) -> bool {
        self.break_due && !self.breaks_parted
    }

    /// Records that an element without text follows the last break.
    pub(super) fn part_breaks(&mut self) {
        self.breaks_parted = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.begun && self.inlines.is_empty()
    }

    /// Adds words.
    pub(super) fn add_text(&mut self, text: &str) {
        if !self.touching.is_none() {
            self.part_words(text);
        }
        self.begin();
        self.worded = true;
        push_text(self.innermost(), text);
    }

    /// Adds a space between the words of inline elements that touch, if the letters on both sides call for
    /// one.
    fn part_words(&mut self, text: &str) {
        let touching = std::mem::take(&mut self.touching);
        let is_code = |open: &Open| matches!(open.kind, OpenKind::Code(_));
        if self.space || self.break_due || self.open.iter().any(is_code) {
            return;
        }
        // The last text of the line is in the innermost open element that has content.
        let filled = self.open.iter().rfind(|open| !open.inlines.is_empty());
        let before = filled.map_or(&self.inlines, |open| &open.inlines);
        self.space = last_text(before).is_some_and(|before| touching.parts(before, text));
    }

    /// Adds a span.
    pub(super) fn add_span(&mut self, span: Span) {
        self.touching = Touching::default();
        self.begin();
        self.calls |= matches!(span, Span::Note { .. });
        let is_image = matches!(span, Span::Image(_));
        self.worded |= !is_image;
        self.innermost().push(Inline::span(span));
        // Pages draw an image before the first words of a line apart from them.
        self.space |= is_image && !self.worded;
    }

    /// Whether the line ends in the image of this address.
    pub(super) fn ends_in_image(&self, src: &str) -> bool {
        ends_in_image(self.open.last().map_or(&self.inlines, |open| &open.inlines), src)
    }

    /// Opens an element, unless it has no further effect or is nested too deep.
    pub(super) fn open(&mut self, element: NodeId, kind: OpenKind) {
        // A mark inside the same mark has no effect, and links and code do not nest.
        let again = |open: &Open| match (&open.kind, &kind) {
            (OpenKind::Marked(outer), OpenKind::Marked(inner)) => outer == inner,
            (OpenKind::Link { .. }, OpenKind::Link { .. }) | (OpenKind::Code(_), OpenKind::Code(_)) => true,
            _ => false,
        };
        if self.open.len() < MAX_INLINES && !self.open.iter().any(again) {
            self.open.push(Open {
                element,
                kind,
                inlines: Vec::new(),
            });
        }
    }

    /// Closes an element, if it was opened.
    pub(super) fn close(&mut self, element: NodeId) {
        // An element that `open` refused is not on the stack.
        if let Some(open) = self.open.pop_if(|open| open.element == element) {
            wrap(open.kind, open.inlines, self.innermost());
        }
    }

    /// Ends the line and returns it. Open elements stay open for the next line.
    pub(super) fn take(&mut self) -> Vec<Inline> {
        // Innermost first, so that the content of each element ends up in the element around it.
        for i in (0..self.open.len()).rev() {
            let inlines = std::mem::take(&mut self.open[i].inlines);
            if inlines.is_empty() {
                continue;
            }
            // A link over several lines repeats its address in each, so the bytes are counted. Without
            // room, only the text is kept.
            let kind = match &self.open[i].kind {
                OpenKind::Link { target, .. } => match self.room.checked_sub(target.len()) {
                    Some(left) => {
                        self.room = left;
                        Some(self.open[i].kind.clone())
                    }
                    None => {
                        self.cut = true;
                        None
                    }
                },
                kind => Some(kind.clone()),
            };
            // The content goes to the next open element, which is taken in the next round.
            let outer = match i.checked_sub(1) {
                Some(outer) => &mut self.open[outer].inlines,
                None => &mut self.inlines,
            };
            match kind {
                Some(kind) => wrap(kind, inlines, outer),
                None => outer.extend(inlines),
            }
        }
        (self.space, self.break_due, self.begun, self.worded) = (false, false, false, false);
        self.touching = Touching::default();
        let mut inlines = std::mem::take(&mut self.inlines);
        // Only the whole line has the texts on both sides of a reference.
        if std::mem::take(&mut self.calls) {
            bare_calls(&mut inlines);
        }
        inlines
    }

    /// Content of the innermost open element, or of the line.
    fn innermost(&mut self) -> &mut Vec<Inline> {
        match self.open.last_mut() {
            Some(open) => &mut open.inlines,
            None => &mut self.inlines,
        }
    }

    /// Writes pending white space or a line break before content.
    fn begin(&mut self) {
        let (space, break_due) = (
            std::mem::take(&mut self.space),
            std::mem::take(&mut self.break_due),
        );
        if self.begun && (space || break_due) {
            // White space goes into the innermost element with content, hence outside of elements that begin here.
            let holds = self.open.iter().rposition(|open| !open.inlines.is_empty());
            let inlines = match holds {
                Some(i) => &mut self.open[i].inlines,
                None => &mut self.inlines,
            };
            if break_due {
                inlines.push(Inline::span(Span::Break));
            } else {
                push_text(inlines, " ");
            }
        }
        self.begun = true;
    }
}

/// The text that inlines end with; `None` if they end with code or something without text.
fn last_text(inlines: &[Inline]) -> Option<&str> {
    let mut inlines = inlines;
    loop {
        match inlines.last()? {
            Inline::Text(text) => return Some(text),
            Inline::Span(span) => match &**span {
                Span::Marked { inlines: inner, .. } | Span::Link { inlines: inner, .. } => inlines = inner,
                _ => return None,
            },
        }
    }
}

/// Appends text to inlines; NUL is replaced by U+FFFD.
fn push_text(inlines: &mut Vec<Inline>, text: &str) {
    let push = |out: &mut String| {
        if memchr::memchr(0, text.as_bytes()).is_some() {
            out.push_str(&text.replace('\0', "\u{FFFD}"));
        } else {
            out.push_str(text);
        }
    };
    if let Some(Inline::Text(last)) = inlines.last_mut() {
        return push(last);
    }
    let mut own = String::new();
    push(&mut own);
    if inlines.capacity() == 0 {
        // Most lines consist of one text.
        inlines.reserve_exact(1);
    }
    inlines.push(Inline::Text(own));
}

/// Adds the content of a closed element to the inlines around it.
fn wrap(kind: OpenKind, inlines: Vec<Inline>, outer: &mut Vec<Inline>) {
    if inlines.is_empty() {
        return;
    }
    match kind {
        // Note references are superscripts by themselves.
        OpenKind::Marked(Mark::Superscript) if inlines.iter().any(is_note) => outer.extend(inlines),
        // A mark around images alone shows nothing.
        OpenKind::Marked(_) if holds_images_alone(&inlines) => outer.extend(inlines),
        OpenKind::Marked(mark) => push_marked(mark, inlines, outer),
        OpenKind::Link { target, title } => outer.push(Inline::span(Span::Link {
            target,
            title,
            inlines,
        })),
        OpenKind::Code(of) => outer.extend(coded(inlines, of)),
    }
}

/// Whether a span has the mark `mark`, and touching spans of this mark read as one (two superscripts do
/// not).
fn is_of_mark(span: &Span, mark: Mark) -> bool {
    let joins = matches!(
        mark,
        Mark::Strong | Mark::Emphasis | Mark::Deleted | Mark::Inserted | Mark::Highlight
    );
    joins && matches!(span, Span::Marked { mark: before, .. } if *before == mark)
}

/// Appends inlines, joining texts and marks that touch. [`MAX_INLINES`] bounds the depth of recursion.
fn append(before: &mut Vec<Inline>, inlines: Vec<Inline>) {
    let mut inlines = inlines.into_iter();
    match (before.last_mut(), inlines.next()) {
        (Some(Inline::Text(last)), Some(Inline::Text(text))) => last.push_str(&text),
        (_, Some(Inline::Text(text))) => before.push(Inline::Text(text)),
        (_, Some(Inline::Span(span))) => match *span {
            Span::Marked { mark, inlines } => push_marked(mark, inlines, before),
            span => before.push(Inline::span(span)),
        },
        (_, None) => {}
    }
    before.extend(inlines);
}

/// Appends marked inlines. Elements that touch mark one text: `<b>20</b><b>g</b>`. In Markdown, two marks
/// of one kind cannot touch.
fn push_marked(mark: Mark, inlines: Vec<Inline>, outer: &mut Vec<Inline>) {
    match outer.last_mut() {
        Some(Inline::Span(last)) if is_of_mark(last, mark) => {
            if let Span::Marked { inlines: before, .. } = &mut **last {
                append(before, inlines);
            }
        }
        _ => outer.push(Inline::span(Span::Marked { mark, inlines })),
    }
}

/// Removes the page's brackets around note references, because every output form adds its own.
fn bare_calls(inlines: &mut Vec<Inline>) {
    let is_between = |text: &str| {
        text.chars()
            .all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '–' | '—'))
    };
    let mut at = 0;
    while at < inlines.len() {
        if !is_note(&inlines[at]) {
            at += 1;
            continue;
        }
        let first = at;
        at += 1;
        // Skip further references in the same brackets.
        loop {
            match inlines.get(at..) {
                Some([Inline::Text(text), next, ..]) if is_between(text) && is_note(next) => at += 2,
                Some([next, ..]) if is_note(next) => at += 1,
                _ => break,
            }
        }
        let Some((before, rest)) = inlines.split_at_mut_checked(first) else {
            break;
        };
        let (Some(Inline::Text(before)), Some(Inline::Text(after))) =
            (before.last_mut(), rest.get_mut(at - first))
        else {
            continue;
        };
        // Brackets are removed only in pairs.
        for (open, close) in [('[', ']'), ('(', ')')] {
            if before.ends_with(open) && after.starts_with(close) {
                before.pop();
                after.remove(0);
            }
        }
    }
    // A removed bracket may leave an empty text.
    inlines.retain(|inline| !matches!(inline, Inline::Text(text) if text.is_empty()));
}

fn is_note(inline: &Inline) -> bool {
    matches!(inline.as_span(), Some(Span::Note { .. }))
}

/// Turns the texts of `inlines` into code. Other spans split the code. [`MAX_INLINES`] bounds the depth of recursion.
fn coded(inlines: Vec<Inline>, of: CodeKind) -> Vec<Inline> {
    let mut out = Vec::with_capacity(inlines.len());
    for inline in inlines {
        let code = |text: String| Inline::span(Span::Code { of, text });
        match inline {
            Inline::Text(text) => out.push(code(text)),
            Inline::Span(span) => match *span {
                Span::Marked { mark, inlines } => {
                    let inlines = coded(inlines, of);
                    match mark {
                        Mark::Subscript | Mark::Superscript => {
                            out.push(Inline::span(Span::Marked { mark, inlines }));
                        }
                        // Highlighted or emphasized parts do not split code.
                        _ => out.extend(inlines),
                    }
                }
                Span::Link {
                    target,
                    title,
                    inlines,
                } => out.push(Inline::span(Span::Link {
                    target,
                    title,
                    inlines: coded(inlines, of),
                })),
                // Inline code has one line.
                Span::Break => out.push(code(" ".to_owned())),
                span => out.push(Inline::span(span)),
            },
        }
    }
    // Dropped marks leave code in parts: `<code>a<b>b</b>c</code>`.
    let mut joined: Vec<Inline> = Vec::with_capacity(out.len());
    for inline in out {
        if let Some(Span::Code { text, .. }) = inline.as_span()
            && let Some(Inline::Span(last)) = joined.last_mut()
            && let Span::Code { text: before, .. } = &mut **last
        {
            before.push_str(text);
        } else {
            joined.push(inline);
        }
    }
    joined
}

/// Whether an inline shows nothing: white space, zero-width characters, and marks around them.
/// [`MAX_INLINES`] bounds the depth of recursion.
pub(super) fn is_unseen(inline: &Inline) -> bool {
    let is_unseen_char = |c: char| {
        c.is_whitespace()
            || matches!(c, '\u{AD}' | '\u{34F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}')
    };
    match inline {
        Inline::Text(text) => text.chars().all(is_unseen_char),
        Inline::Span(span) => match &**span {
            Span::Marked { inlines, .. } | Span::Link { inlines, .. } => inlines.iter().all(is_unseen),
            Span::Break => true,
            _ => false,
        },
    }
}

/// Whether inlines end in the image of this address.
pub(super) fn ends_in_image(inlines: &[Inline], src: &str) -> bool {
    matches!(inlines.last().and_then(Inline::as_span), Some(Span::Image(image)) if image.src == src)
}

/// Creates an image span.
pub(super) fn image(src: String, alt: String, title: Option<String>) -> Span {
    let mut image = Image::default();
    (image.src, image.alt, image.title) = (src, alt, title);
    Span::Image(image)
}

/// Creates a player span.
pub(super) fn player(
    of: PlayerKind,
    src: Option<String>,
    poster: Option<String>,
    title: Option<String>,
) -> Span {
    let mut player = Player::default();
    (player.of, player.src, player.poster, player.title) = (of, src, poster, title);
    Span::Player(player)
}

/// Creates a ruby span from base texts and their readings.
pub(super) fn ruby(parts: Vec<(String, String)>) -> Span {
    let part = |(base, reading)| {
        let mut part = RubyPart::default();
        (part.base, part.reading) = (base, reading);
        part
    };
    Span::Ruby {
        parts: parts.into_iter().map(part).collect(),
    }
}

/// Replaces line breaks by spaces, since a heading has one line.
pub(super) fn without_breaks(inlines: Vec<Inline>) -> Vec<Inline> {
    let flat = |inline: Inline| match inline {
        Inline::Span(span) => match *span {
            Span::Break => Inline::Text(" ".to_owned()),
            Span::Marked { mark, inlines } => Inline::span(Span::Marked {
                mark,
                inlines: without_breaks(inlines),
            }),
            Span::Link {
                target,
                title,
                inlines,
            } => Inline::span(Span::Link {
                target,
                title,
                inlines: without_breaks(inlines),
            }),
            span => Inline::span(span),
        },
        text @ Inline::Text(_) => text,
    };
    inlines.into_iter().map(flat).collect()
}
