//! The trees of `lines.model`.

use std::sync::LazyLock;

/// The file beside this one: data that is compiled in.
const MODEL: &str = include_str!("lines.model");

/// Trees whose leaves add up to the log odds of a line.
#[derive(Debug)]
pub(super) struct Trees {
    /// Names of the columns the trees ask for.
    pub(super) columns: Vec<String>,
    base: f32,
    /// First node of each tree.
    roots: Vec<u32>,
    nodes: Vec<Node>,
}

/// A question or, if `column` is [`LEAF`], an answer, which stands in the threshold's place.
#[derive(Clone, Copy, Debug)]
struct Node {
    threshold: f32,
    column: u16,
    /// The left side; the right one follows it.
    left: u16,
}

const LEAF: u16 = u16::MAX;

/// The trees, read on first use.
pub(super) fn trees() -> &'static Trees {
    static TREES: LazyLock<Trees> = LazyLock::new(|| {
        Trees::parse(MODEL).unwrap_or_else(|why| panic!("lines.model, which tests read too: {why}"))
    });
    &TREES
}

impl Trees {
    /// Reads a model.
    pub(super) fn parse(text: &str) -> Result<Trees, String> {
        let mut out = Trees {
            columns: Vec::new(),
            base: 0.0,
            roots: Vec::new(),
            nodes: Vec::new(),
        };
        let (mut format, mut start) = (0, 0);
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or("");
            let mut next = || words.next().ok_or_else(|| fail("too short"));
            let index = |word: &str| word.parse::<u16>().map_err(|_| fail("no number"));
            match kind {
                "#" | "" => {}
                "format" => format = index(next()?)?,
                "columns" => out.columns = line.split(' ').skip(1).map(str::to_owned).collect(),
                "base" => out.base = next()?.parse().map_err(|_| fail("no number"))?,
                "tree" => {
                    start = out.nodes.len();
                    out.roots.push(start as u32);
                }
                "s" => {
                    let column = index(next()?)?;
                    let threshold = next()?.parse().map_err(|_| fail("no number"))?;
                    let (left, right) = (index(next()?)?, index(next()?)?);
                    let behind = usize::from(left) > out.nodes.len() - start;
                    if usize::from(column) >= out.columns.len()
                        || left.checked_add(1) != Some(right)
                        || !behind
                    {
                        return Err(fail("no such column, or sides that do not follow their question"));
                    }
                    out.nodes.push(Node {
                        threshold,
                        column,
                        left,
                    });
                }
                "l" => {
                    let threshold = next()?.parse().map_err(|_| fail("no number"))?;
                    out.nodes.push(Node {
                        threshold,
                        column: LEAF,
                        left: 0,
                    });
                }
                _ => return Err(fail("unknown")),
            }
        }
        if format != 1 {
            return Err(format!("format {format}, not 1"));
        }
        out.check()
    }

    /// Sees that no question leads out of its tree.
    fn check(self) -> Result<Trees, String> {
        for (i, &root) in self.roots.iter().enumerate() {
            let end = self.roots.get(i + 1).map_or(self.nodes.len(), |&r| r as usize);
            let size = end - root as usize;
            let stray = |n: &&Node| n.column != LEAF && usize::from(n.left) + 1 >= size;
            if size == 0 || self.nodes[root as usize..end].iter().any(|n| stray(&n)) {
                return Err(format!("tree {i} leads out of itself"));
            }
        }
        Ok(self)
    }

    /// Chance of a line to be main text, 0 to 1.
    pub(super) fn chance(&self, row: &[f32]) -> f32 {
        let mut odds = self.base;
        for &root in &self.roots {
            let mut at = root as usize;
            loop {
                let node = self.nodes[at];
                if node.column == LEAF {
                    odds += node.threshold;
                    break;
                }
                // A figure that is no number is not below, and goes right.
                let below = row[usize::from(node.column)] < node.threshold;
                at = root as usize + usize::from(node.left) + usize::from(!below);
            }
        }
        1.0 / (1.0 + (-odds).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_fits_the_features() {
        let lines = crate::model::lines("<p>One line of text.", None);
        assert_eq!(trees().columns, lines.features.names, "run `cargo xtask train`");
        assert!(MODEL.len() < 1 << 20, "the model is to stay below 1 MB");
    }

    #[test]
    fn questions_lead_left_and_right() {
        let text = "format 1\ncolumns a b\nbase 0\ntree 3\ns 1 0.5 1 2\nl -2\nl 2\n";
        let trees = Trees::parse(text).unwrap();
        assert!(trees.chance(&[9.0, 0.4]) < 0.2 && trees.chance(&[0.0, 0.5]) > 0.8);
        assert!(trees.chance(&[0.0, f32::NAN]) > 0.8);
    }

    #[test]
    fn broken_models_are_refused() {
        for text in [
            "",
            "format 2\n",
            "format 1\ncolumns a\nbase 0\ntree 3\ns 1 0.5 1 2\nl 1\nl 2\n",
            "format 1\ncolumns a\nbase 0\ntree 3\ns 0 0.5 1 2\nl 1\n",
            "format 1\ncolumns a\nbase 0\ntree 3\ns 0 0.5 0 1\nl 1\nl 2\n",
            "format 1\ncolumns a\nbase x\n",
            "format 1\nwhat\n",
        ] {
            assert!(Trees::parse(text).is_err(), "{text}");
        }
    }
}
