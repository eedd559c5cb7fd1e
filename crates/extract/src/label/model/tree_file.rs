//! Gradient boosted trees: the text format written by `cargo xtask train` and the binary format in the program.
//!
//! The build script includes this file to convert the one into the other, so it must not depend on the rest of the crate.

/// Maximum number of nodes of a tree. The number of a node is one byte.
pub(crate) const MAX_NODES: usize = 256;

/// Column value that marks a leaf in the binary format.
const LEAF: u8 = u8::MAX;

/// Rule by which a line skips the remaining trees. For most lines these trees would only increase the absolute log odds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EarlyExit {
    /// Number of trees that are applied to every line.
    pub after: usize,
    /// Absolute log odds above which a line skips the other trees.
    pub odds: f32,
    /// Factor for log odds at the early exit: about what the skipped trees would have added.
    pub factor: f32,
}

impl EarlyExit {
    /// Applies all trees to every line.
    pub const NEVER: EarlyExit = EarlyExit {
        after: usize::MAX,
        odds: f32::INFINITY,
        factor: 1.0,
    };
}

/// A node. The two children of a split follow it and are adjacent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum FileNode {
    /// Goes to the left child if the feature in the column is below the threshold, and otherwise to the right child, `left + 1`.
    Split { column: u8, threshold: f32, left: u8 },
    /// Log odds.
    Leaf(f32),
}

/// A model: trees and their common parameters.
#[derive(PartialEq, Debug)]
pub(crate) struct TreeFile {
    /// Names of the columns that the trees read.
    pub(crate) columns: Vec<String>,
    pub(crate) base: f32,
    pub(crate) early_exit: EarlyExit,
    /// Nodes of each tree, root first: 1 to [`MAX_NODES`].
    pub(crate) trees: Vec<Vec<FileNode>>,
}

impl TreeFile {
    /// Parses the text of a model. Errors name the line.
    pub(crate) fn parse(text: &str) -> Result<TreeFile, String> {
        let mut out = TreeFile {
            columns: Vec::new(),
            base: 0.0,
            early_exit: EarlyExit::NEVER,
            trees: Vec::new(),
        };
        let mut format = 0;
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or("");
            let mut next = || words.next().ok_or_else(|| fail("too short"));
            let index = |word: &str| word.parse::<usize>().map_err(|_| fail("no number"));
            let value = |word: &str| word.parse::<f32>().map_err(|_| fail("no number"));
            let node = match kind {
                "s" => {
                    let (column, threshold) = (index(next()?)?, value(next()?)?);
                    let (left, right) = (index(next()?)?, index(next()?)?);
                    if column >= out.columns.len() {
                        return Err(fail("no such column"));
                    }
                    // Features are compared by the upper half of their bits.
                    if threshold.to_bits() & 0xFFFF != 0 {
                        return Err(fail("a threshold of more than eight binary digits"));
                    }
                    if right != left + 1 {
                        return Err(fail("children that do not follow each other"));
                    }
                    let left = u8::try_from(left).map_err(|_| fail("too many nodes"))?;
                    // Column 255 marks a leaf in the binary format.
                    let column = u8::try_from(column).ok().filter(|&column| column != LEAF);
                    let column = column.ok_or_else(|| fail("too many columns"))?;
                    FileNode::Split {
                        column,
                        threshold,
                        left,
                    }
                }
                "l" => FileNode::Leaf(value(next()?)?),
                "#" | "" => continue,
                "format" => {
                    format = index(next()?)?;
                    continue;
                }
                "columns" => {
                    out.columns = words.map(str::to_owned).collect();
                    continue;
                }
                "base" => {
                    out.base = value(next()?)?;
                    continue;
                }
                "early-exit" => {
                    let (after, odds, factor) = (index(next()?)?, value(next()?)?, value(next()?)?);
                    out.early_exit = EarlyExit { after, odds, factor };
                    continue;
                }
                "tree" => {
                    out.trees.push(Vec::new());
                    continue;
                }
                _ => return Err(fail("unknown")),
            };
            // Nodes belong to the last line `tree`. The number of nodes in it is not read.
            let tree = out.trees.last_mut().ok_or_else(|| fail("no tree"))?;
            tree.push(node);
        }
        if format != 3 {
            return Err(format!("format {format}, not 3"));
        }
        out.trees.iter().try_for_each(|tree| check(tree))?;
        Ok(out)
    }

    /// Serializes the model: numbers are little-endian, the column names one space-separated string.
    #[cfg_attr(
        not(test),
        allow(dead_code, reason = "what the build script calls, and a test")
    )]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let columns = self.columns.join(" ");
        let mut out = Vec::new();
        // A count that does not fit, such as that of `EarlyExit::NEVER`, becomes `u32::MAX`.
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
        out.extend(count(columns.len()));
        out.extend(columns.bytes());
        out.extend(self.base.to_le_bytes());
        out.extend(count(self.early_exit.after));
        out.extend(self.early_exit.odds.to_le_bytes());
        out.extend(self.early_exit.factor.to_le_bytes());
        for tree in &self.trees {
            out.extend(count(tree.len()));
            for node in tree {
                let (column, left, number) = match *node {
                    FileNode::Split {
                        column,
                        threshold,
                        left,
                    } => (column, left, threshold),
                    FileNode::Leaf(odds) => (LEAF, 0, odds),
                };
                out.extend([column, left]);
                out.extend(number.to_le_bytes());
            }
        }
        out
    }

    /// Parses the output of [`TreeFile::to_bytes`]; `None` for anything else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<TreeFile> {
        let mut bytes = bytes;
        let columns = count(&mut bytes)?;
        let columns = str::from_utf8(bytes.split_off(..columns)?).ok()?;
        let mut out = TreeFile {
            columns: columns.split(' ').map(str::to_owned).collect(),
            base: f32::from_le_bytes(number(&mut bytes)?),
            early_exit: EarlyExit {
                // `u32::MAX` stands for `EarlyExit::NEVER`.
                after: match count(&mut bytes)? {
                    after if after == u32::MAX as usize => usize::MAX,
                    after => after,
                },
                odds: f32::from_le_bytes(number(&mut bytes)?),
                factor: f32::from_le_bytes(number(&mut bytes)?),
            },
            trees: Vec::new(),
        };
        while !bytes.is_empty() {
            let nodes = count(&mut bytes)?;
            // A node takes six bytes: column, left child and a float.
            let nodes = bytes.split_off(..nodes.checked_mul(6)?)?.as_chunks().0;
            let node = |&[column, left, a, b, c, d]: &[u8; 6]| match f32::from_le_bytes([a, b, c, d]) {
                odds if column == LEAF => FileNode::Leaf(odds),
                threshold => FileNode::Split {
                    column,
                    threshold,
                    left,
                },
            };
            let tree: Vec<FileNode> = nodes.iter().map(node).collect();
            check(&tree).ok()?;
            out.trees.push(tree);
        }
        Some(out)
    }
}

/// Reads four bytes; `None` at the end.
fn number(bytes: &mut &[u8]) -> Option<[u8; 4]> {
    bytes.split_off(..4)?.try_into().ok()
}

/// Reads a count of four bytes; `None` at the end.
fn count(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(number(bytes)?)).ok()
}

/// Checks that every walk down the tree stays inside it and ends.
fn check(tree: &[FileNode]) -> Result<(), String> {
    if tree.is_empty() || tree.len() > MAX_NODES {
        return Err(format!("a tree of {} nodes, not 1 to {MAX_NODES}", tree.len()));
    }
    for (at, node) in tree.iter().enumerate() {
        if let FileNode::Split { left, .. } = *node {
            let left = usize::from(left);
            // Children follow their parent, so that every walk ends. The right child must exist, too.
            if left <= at || left + 1 >= tree.len() {
                return Err("a split whose children do not follow it".to_owned());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_say_what_the_text_says() {
        let text = "# about\nformat 3\ncolumns a b\nbase -0.5\nearly-exit 1 2 1.5\n\
            tree 3\ns 1 0.5 1 2\nl 1\nl -2\ntree 1\nl 0.25\n";
        let file = TreeFile::parse(text).unwrap();
        let bytes = file.to_bytes();
        assert_eq!(TreeFile::from_bytes(&bytes).as_ref(), Some(&file));
        assert_eq!(file.trees.len(), 2);
        let never = TreeFile::parse("format 3\ncolumns a\nbase 0\ntree 1\nl 1\n").unwrap();
        assert_eq!(TreeFile::from_bytes(&never.to_bytes()), Some(never));
        for end in 0..bytes.len() {
            let part = TreeFile::from_bytes(&bytes[..end]);
            assert!(part.is_none_or(|part| part.trees.len() < 2), "{end}");
        }
    }

    #[test]
    fn broken_models_are_refused() {
        for text in [
            "",
            "format 2\ncolumns a\nbase 1\ntree 1\nl -1\n",
            "format 3\ncolumns a\nbase 0\ntree 3\ns 1 0.5 1 2\nl 1\nl 2\n",
            "format 3\ncolumns a\nbase 0\ntree 3\ns 0 0.5 1 2\nl 1\n",
            "format 3\ncolumns a\nbase 0\ntree 3\ns 0 0.1 1 2\nl 1\nl 2\n",
            "format 3\ncolumns a\nbase 0\ntree 3\ns 0 0.5 0 1\nl 1\nl 2\n",
            "format 3\ncolumns a\nbase 0\ntree 3\ns 0 0.5 1 3\nl 1\nl 2\n",
            "format 3\ncolumns a\nbase 0\ntree 0\ntree 1\nl 1\n",
            "format 3\ncolumns a\nbase 0\nl 1\n",
            "format 3\ncolumns a\nbase x\n",
            "format 3\nwhat\n",
        ] {
            assert!(TreeFile::parse(text).is_err(), "{text}");
        }
    }
}
