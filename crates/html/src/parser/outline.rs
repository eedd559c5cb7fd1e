//! A tree as lines of text, for comparing trees.

/// A tree in the notation of html5lib-tests: one entry per node and attribute, indented by depth. Adjacent
/// texts are merged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outline {
    pub(crate) lines: Vec<String>,
    /// Depth of the last line if it is a text; further text at this depth continues it. `None` otherwise.
    last_text_depth: Option<usize>,
    /// Whether attributes are sorted alphabetically, as in html5lib-tests, instead of in source order.
    sorted: bool,
}

/// Greatest depth up to which entries are indented.
const MAX_INDENT: usize = 600;

impl Outline {
    #[cfg(test)]
    /// Creates an empty outline with sorted attributes.
    pub(crate) fn sorted() -> Self {
        Outline {
            sorted: true,
            ..Outline::default()
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.last_text_depth = None;
        // Indentation would make outlines of deep trees quadratic, so below that depth a number replaces it.
        let (spaces, deeper) = (2 * depth.min(MAX_INDENT), depth.saturating_sub(MAX_INDENT));
        let deeper = if deeper > 0 {
            format!("+{deeper} ")
        } else {
            String::new()
        };
        self.lines.push(format!("{:spaces$}{deeper}{text}", ""));
    }

    pub(crate) fn text(&mut self, depth: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.last_text_depth == Some(depth)
            && let Some(line) = self.lines.last_mut()
        {
            // The closing quotation mark moves to the end of the new text.
            line.pop();
            line.push_str(text);
            line.push('"');
            return;
        }
        self.line(depth, &format!("\"{text}\""));
        self.last_text_depth = Some(depth);
    }

    pub(crate) fn comment(&mut self, depth: usize, text: &str) {
        self.line(depth, &format!("<!-- {text} -->"));
    }

    /// Adds the line before the contents of a template.
    pub(crate) fn contents(&mut self, depth: usize) {
        self.line(depth, "content");
    }

    pub(crate) fn doctype(&mut self, name: &str, public: &str, system: &str) {
        if public.is_empty() && system.is_empty() {
            self.line(0, &format!("<!DOCTYPE {name}>"));
        } else {
            self.line(0, &format!("<!DOCTYPE {name} \"{public}\" \"{system}\">"));
        }
    }

    /// Adds an element; returns whether its children are compared. Children of `selectedcontent` are not,
    /// since they depend on the state of a form control.
    pub(crate) fn element(
        &mut self,
        depth: usize,
        prefix: &str,
        name: &str,
        mut attributes: Vec<(String, String)>,
    ) -> bool {
        self.line(depth, &format!("<{prefix}{name}>"));
        if self.sorted {
            // html5lib-tests sort by UTF-16 code units.
            attributes.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        }
        for (name, value) in attributes {
            self.line(depth + 1, &format!("{name}=\"{value}\""));
        }
        name != "selectedcontent"
    }

    /// The first line in which two outlines differ, with the line before it; `None` if they are equal.
    pub(crate) fn difference(&self, other: &Outline) -> Option<String> {
        if self.lines == other.lines {
            return None;
        }
        let same = self
            .lines
            .iter()
            .zip(&other.lines)
            .take_while(|(a, b)| a == b)
            .count();
        let at = |lines: &[String], i: usize| match lines.get(i) {
            Some(line) => line.chars().take(200).collect(),
            None => "(end)".to_owned(),
        };
        let before = same
            .checked_sub(1)
            .map(|i| at(&self.lines, i))
            .unwrap_or_default();
        Some(format!(
            "behind {before:?}: {:?} here, {:?} there",
            at(&self.lines, same),
            at(&other.lines, same)
        ))
    }
}
