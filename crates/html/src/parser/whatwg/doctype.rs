//! Doctypes (sections 13.2.5.53 to 13.2.5.68) and the rendering mode that they select (section 13.2.6.4.1).

/// Contents of a doctype token.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Doctype {
    /// Name, in lower case.
    pub(crate) name: Option<String>,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: Option<String>,
    pub(crate) force_quirks: bool,
}

/// The unread part of a doctype.
struct Rest<'t> {
    text: &'t str,
}

impl<'t> Rest<'t> {
    fn skip_space(&mut self) {
        self.text = self.text.trim_start_matches(is_space);
    }

    /// Reads a quoted identifier. Returns its text and whether the closing quote was found, or `None` if no
    /// quote follows.
    fn identifier(&mut self) -> Option<(String, bool)> {
        let quote = self.text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        // The quote is one byte long, so the text after it starts at 1.
        let rest = &self.text[1..];
        let end = rest.find(quote);
        // An identifier without a closing quote takes the rest.
        let value = &rest[..end.unwrap_or(rest.len())];
        self.text = end.map_or("", |end| &rest[end + 1..]);
        Some((clean(value), end.is_some()))
    }

    /// Skips `word` if the text begins with it, in any case. Returns whether it did.
    fn keyword(&mut self, word: &str) -> bool {
        let found = self
            .text
            // `get` also fails if the end of the word is inside a character.
            .get(..word.len())
            .is_some_and(|t| t.eq_ignore_ascii_case(word));
        if found {
            self.text = &self.text[word.len()..];
        }
        found
    }
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | '\r' | ' ')
}

/// Normalizes newlines and replaces U+0000, as the tokenizer does for all characters of a doctype.
fn clean(value: &str) -> String {
    value
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "\u{FFFD}")
}

/// Whether the text after `<!doctype`, including its `>`, is just the name `html`, as on most pages. Such a
/// doctype does not select quirks mode.
pub(crate) fn is_html_alone(text: &str) -> bool {
    let name = text.strip_suffix('>').map(|name| name.trim_matches(is_space));
    name.is_some_and(|name| name.eq_ignore_ascii_case("html"))
}

impl Doctype {
    /// Reads the text after `<!doctype`, including its `>`, which is missing only at the end of the source.
    pub(crate) fn read(text: &str) -> Self {
        let closed = text.ends_with('>');
        let mut rest = Rest {
            text: text.strip_suffix('>').unwrap_or(text),
        };
        let mut doctype = Doctype::default();
        let complete = doctype.read_parts(&mut rest);
        rest.skip_space();
        // The end of the source forces quirks, too, except in the text after a system identifier (§ Bogus DOCTYPE
        // state).
        doctype.force_quirks = !complete || (!closed && rest.text.is_empty());
        doctype
    }

    /// Reads the parts; returns false where the standard sets the force-quirks flag.
    fn read_parts(&mut self, rest: &mut Rest<'_>) -> bool {
        // § Before DOCTYPE name state
        rest.skip_space();
        if rest.text.is_empty() {
            return false;
        }
        // § DOCTYPE name state
        let end = rest.text.find(is_space).unwrap_or(rest.text.len());
        self.name = Some(clean(&rest.text[..end]).to_ascii_lowercase());
        rest.text = &rest.text[end..];
        // § After DOCTYPE name state
        rest.skip_space();
        if rest.text.is_empty() {
            return true;
        }
        if rest.keyword("public") {
            // § After DOCTYPE public keyword state, before DOCTYPE public identifier state
            rest.skip_space();
            let Some((public, closed)) = rest.identifier() else {
                return false;
            };
            self.public_id = Some(public);
            // § After DOCTYPE public identifier state
            rest.skip_space();
            if !closed || rest.text.is_empty() {
                return closed;
            }
        // `<!DOCTYPE html SYSTEM ...>` has no public identifier; its system identifier is read below.
        } else if rest.keyword("system") {
            rest.skip_space();
        } else {
            return false;
        }
        // § DOCTYPE system identifier states. Text after the identifier is ignored.
        match rest.identifier() {
            Some((system, closed)) => {
                self.system_id = Some(system);
                closed
            }
            None => false,
        }
    }

    /// § The "initial" insertion mode: whether the document is set to quirks mode.
    pub(crate) fn asks_for_quirks(&self) -> bool {
        let public = self.public_id.as_deref().map(str::to_ascii_lowercase);
        let system = self.system_id.as_deref().map(str::to_ascii_lowercase);
        let public_starts = |list: &[&str]| {
            public
                .as_ref()
                .is_some_and(|p| list.iter().any(|x| p.starts_with(x)))
        };
        self.force_quirks
            || self.name.as_deref() != Some("html")
            || public.as_deref().is_some_and(|p| QUIRKS_PUBLIC.contains(&p))
            || system.as_deref() == Some(QUIRKS_SYSTEM)
            || public_starts(QUIRKS_PUBLIC_PREFIXES)
            // An identifier that is missing differs from an empty one here.
            || (system.is_none() && public_starts(QUIRKS_PUBLIC_PREFIXES_WITHOUT_SYSTEM))
    }
}

/// Public identifiers that select quirks mode.
const QUIRKS_PUBLIC: &[&str] = &[
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
];

/// The system identifier that selects quirks mode.
const QUIRKS_SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Starts of public identifiers that select quirks mode if there is no system identifier.
const QUIRKS_PUBLIC_PREFIXES_WITHOUT_SYSTEM: &[&str] = &[
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
];

/// Starts of public identifiers that select quirks mode.
const QUIRKS_PUBLIC_PREFIXES: &[&str] = &[
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
