//! Rewriting of clusters: characters with the marks that follow them.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Rewrites each cluster that contains a character accepted by `affects`.
///
/// A cluster is a character with the following characters that [extend](extends) it or that `joins` accepts. `fold` gets the
/// canonical decomposition of the cluster; its result is composed (NFC), so that a letter combines with the remaining marks.
///
/// The pass is idempotent if `fold` is idempotent for any order of marks of different classes.
pub(crate) fn rewrite_clusters(
    text: &str,
    affects: impl Fn(char) -> bool,
    joins: impl Fn(char) -> bool,
    fold: impl Fn(&mut Vec<char>),
    out: &mut Rewrite,
) {
    let mut cluster = out.take_cluster();
    let (mut kept, mut start, mut affected) = (0, 0, false);
    // The sentinel at the end closes the last cluster.
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if at > start && at < text.len() && (extends(c) || joins(c)) {
            affected |= affects(c);
            continue;
        }
        if affected {
            cluster.clear();
            for c in text[start..at].chars() {
                decompose_canonical(c, |part| cluster.push(part));
            }
            // Composed, the folded cluster may equal the original; then it stays part of the kept text.
            fold(&mut cluster);
            if !cluster.iter().copied().nfc().eq(text[start..at].chars()) {
                out.keep(text, kept..start);
                // Replacing one letter by one of equal length keeps one-to-one offsets.
                match (cluster.as_slice(), text[start..at].chars().next()) {
                    (&[new], Some(old)) if old.len_utf8() == at - start => out.replace_char(start, old, new),
                    _ => out.replace(start..at, cluster.iter().copied().nfc()),
                }
                kept = at;
            }
        }
        start = at;
        affected = affects(c);
    }
    out.keep(text, kept..text.len());
    out.return_cluster(cluster);
}

/// A `joins` function that accepts no character: clusters consist only of characters that extend.
pub(crate) fn none(_: char) -> bool {
    false
}
