//! Letters with their marks, rewritten as a whole.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Rewrites the clusters of a text that hold a character that `affects` names. A cluster is a character with those behind it that
/// [extend](extends) it or that `joins` names.
///
/// `fold` gets the canonical decomposition of the cluster. Its result is composed (NFC), so a letter meets the marks that are left.
/// A pass is idempotent if `fold` is, whatever the order of marks of different classes.
pub(crate) fn rewrite_clusters(
    text: &str,
    affects: impl Fn(char) -> bool,
    joins: impl Fn(char) -> bool,
    fold: impl Fn(&mut Vec<char>),
    out: &mut Rewrite,
) {
    let mut cluster = out.take_cluster();
    let (mut kept, mut start, mut affected) = (0, 0, false);
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
            fold(&mut cluster);
            if !cluster.iter().copied().nfc().eq(text[start..at].chars()) {
                out.keep(text, kept..start);
                // A single letter that becomes another one of its length keeps its bytes apart.
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

/// No character joins a cluster but those that extend it.
pub(crate) fn none(_: char) -> bool {
    false
}
