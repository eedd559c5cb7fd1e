//! Word lists as text: entries separated by white space, `#` for comments, `[name]` for sections.

use std::fmt;

/// Error in a word list. The message names the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError {
    line: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Section {
        name: String,
        known: &'static [&'static str],
    },
    Outside {
        word: String,
    },
    Case {
        word: String,
    },
}

impl ListError {
    /// Line number, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            Kind::Section { name, known: [] } => {
                write!(f, "section `[{name}]` in a list that has none")
            }
            Kind::Section { name, known } => {
                write!(f, "unknown section `[{name}]`; known: {}", known.join(", "))
            }
            Kind::Outside { word } => write!(f, "`{word}` stands before the first section"),
            Kind::Case { word } => write!(f, "`{word}` is not in lower case"),
        }
    }
}

impl std::error::Error for ListError {}

/// Entries of a list, each with the index of its section.
///
/// If `sections` is empty, the list must have no sections. Entries are in lower case; in a list with sections they may begin with a capital
/// letter.
pub(crate) fn entries<'a>(
    text: &'a str,
    sections: &'static [&'static str],
) -> Result<Vec<(usize, &'a str)>, ListError> {
    let mut entries = Vec::new();
    let mut section = sections.is_empty().then_some(0);
    for (line, content) in (1..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if let Some(name) = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = sections.iter().position(|known| *known == name);
            if section.is_none() {
                let kind = Kind::Section {
                    name: name.to_owned(),
                    known: sections,
                };
                return Err(ListError { line, kind });
            }
            continue;
        }
        for word in content.split_whitespace() {
            let Some(section) = section else {
                return Err(ListError {
                    line,
                    kind: Kind::Outside {
                        word: word.to_owned(),
                    },
                });
            };
            // Entries of lists with sections may begin with a capital letter.
            if word
                .chars()
                .skip(usize::from(!sections.is_empty()))
                .any(char::is_uppercase)
            {
                return Err(ListError {
                    line,
                    kind: Kind::Case {
                        word: word.to_owned(),
                    },
                });
            }
            entries.push((section, word));
        }
    }
    Ok(entries)
}
