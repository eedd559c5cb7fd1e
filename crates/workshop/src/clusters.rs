//! Duplicates that a run found: clusters, their pairs, and the judgments of a person.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use dehusk_pipeline::{Error, each_row, files_of_list};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Name of the list of clusters in the folder of a run.
const CLUSTERS: &str = "clusters";
/// Bytes of documents at or above which no further ones are kept in memory. Used for lists of documents without
/// random access.
const MAX_KEPT: usize = 256 << 20;

/// The decision of a run about a document.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Member {
    pub(crate) id: String,
    cluster: String,
    pub(crate) kept: bool,
    pub(crate) reason: String,
}

/// A verified pair.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Pair {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) similarity: f64,
    pub(crate) method: String,
}

/// A row whose id alone is needed.
#[derive(Deserialize)]
struct IdRow {
    id: String,
}

/// A document as written by the run.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Document {
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) url: Option<String>,
    pub(crate) text: String,
}

/// Where a document can be read again.
#[derive(Debug)]
enum Spot {
    /// The line that begins at this byte offset of the file with this index.
    At(usize, u64),
    /// The document itself, since its file is compressed or a table.
    Here(String),
}

/// Clusters of two documents or more.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    /// Files of documents.
    files: Vec<PathBuf>,
    /// Members of each cluster, largest cluster first. Kept members come first.
    members: Vec<(String, Vec<Member>)>,
    /// Verified pairs by the name of their cluster.
    pairs: HashMap<String, Vec<Pair>>,
    /// Where each document of a cluster can be read again, by id.
    spots: HashMap<String, Spot>,
}

/// The judgment of a person about a cluster: members that were set apart, each with the number of its part.
/// All other members are in part 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Parts(BTreeMap<String, u32>);

/// Judgments by the names of clusters.
pub(crate) type Marks = BTreeMap<String, Parts>;

impl Parts {
    /// Returns the part of a member.
    pub(crate) fn of(&self, member: &str) -> u32 {
        self.0.get(member).copied().unwrap_or(0)
    }

    /// Records that two members are not duplicates. If they are in the same part, the second one becomes a
    /// part of its own.
    pub(crate) fn set_apart(&mut self, one: &str, other: &str) {
        if one != other && self.of(one) == self.of(other) {
            let next = self.0.values().max().map_or(1, |last| last + 1);
            self.0.insert(other.to_owned(), next);
        }
    }

    /// Records that two members are duplicates: their parts become one.
    pub(crate) fn join(&mut self, one: &str, other: &str) {
        let (a, b) = (self.of(one), self.of(other));
        let (stays, goes) = (a.min(b), a.max(b));
        for part in self.0.values_mut().filter(|part| **part == goes) {
            *part = stays;
        }
        // Part 0 is the default and not stored.
        self.0.retain(|_, part| *part > 0);
    }
}

impl Clusters {
    /// Whether a folder is the output of a run: it has a summary and a list of clusters.
    pub(crate) fn is_run(folder: &Path) -> bool {
        let has_clusters = || files_of_list(folder, CLUSTERS).is_ok_and(|files| !files.is_empty());
        folder.join("summary.json").is_file() && has_clusters()
    }

    /// Reads the clusters and pairs of a run.
    ///
    /// # Errors
    /// If one of its lists is missing or cannot be read. Rows of another form are skipped.
    pub(crate) fn open(folder: &Path) -> Result<Clusters, Error> {
        let mut all: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        for file in list(folder, CLUSTERS)? {
            each_row(&file, &mut |_, row| {
                if let Ok(member) = serde_json::from_slice::<Member>(row) {
                    all.entry(member.cluster.clone()).or_default().push(member);
                }
            })?;
        }
        // A document without duplicates is a cluster of one.
        all.retain(|_, members| members.len() > 1);
        // Documents without duplicates need no judgment, so only those of clusters are indexed.
        let cluster_of: HashMap<&str, &str> = all
            .iter()
            .flat_map(|(name, members)| members.iter().map(|member| (member.id.as_str(), name.as_str())))
            .collect();
        let mut pairs: HashMap<String, Vec<Pair>> = HashMap::new();
        for file in list(folder, "pairs")? {
            each_row(&file, &mut |_, row| {
                if let Ok(pair) = serde_json::from_slice::<Pair>(row)
                    && let Some(cluster) = cluster_of.get(pair.a.as_str())
                {
                    pairs.entry((*cluster).to_owned()).or_default().push(pair);
                }
            })?;
        }
        let files = list(folder, "documents")?;
        let (mut spots, mut kept) = (HashMap::new(), 0);
        for (number, file) in files.iter().enumerate() {
            each_row(file, &mut |at, row| {
                if let Ok(IdRow { id }) = serde_json::from_slice::<IdRow>(row)
                    && cluster_of.contains_key(id.as_str())
                {
                    // Plain files are read again at the offset of the line. Compressed files and tables
                    // have no such offset.
                    let spot = match at {
                        Some(at) => Some(Spot::At(number, at)),
                        None if kept < MAX_KEPT => {
                            kept += row.len();
                            Some(Spot::Here(String::from_utf8_lossy(row).into_owned()))
                        }
                        None => None,
                    };
                    if let Some(spot) = spot {
                        spots.entry(id).or_insert(spot);
                    }
                }
            })?;
        }
        let mut members: Vec<(String, Vec<Member>)> = all.into_iter().collect();
        for (_, members) in &mut members {
            // The sort is stable, so the members otherwise stay in the order of the list.
            members.sort_by_key(|member| !member.kept);
        }
        members.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(&b.0)));
        Ok(Clusters {
            files,
            members,
            pairs,
            spots,
        })
    }

    /// Returns the clusters with their members, largest first.
    pub(crate) fn all(&self) -> &[(String, Vec<Member>)] {
        &self.members
    }

    /// Returns the members of a cluster; empty if it is unknown.
    pub(crate) fn members(&self, cluster: &str) -> &[Member] {
        let found = self.members.iter().find(|(name, _)| name == cluster);
        found.map_or(&[], |(_, members)| members.as_slice())
    }

    /// Returns the verified pairs of a cluster.
    pub(crate) fn pairs(&self, cluster: &str) -> &[Pair] {
        self.pairs.get(cluster).map_or(&[], Vec::as_slice)
    }

    /// Reads a document of a cluster; `None` if it cannot be read.
    pub(crate) fn document(&self, id: &str) -> Option<Document> {
        let (file, at) = match self.spots.get(id)? {
            Spot::Here(row) => return serde_json::from_str(row).ok(),
            Spot::At(file, at) => (File::open(self.files.get(*file)?).ok()?, *at),
        };
        let length = fs::File::metadata(&file).ok()?.len();
        let mut reader = BufReader::new(file);
        // The file may have been replaced since it was indexed. Then the line fails to be read.
        reader.seek(SeekFrom::Start(at.min(length))).ok()?;
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).ok()?;
        serde_json::from_slice(&line).ok()
    }

    /// Returns the documents of the judged clusters and their groups, in the form that `dehusk compare`
    /// reads: a file of documents and a file of truth.
    pub(crate) fn labelled_set(&self, marks: &Marks) -> (String, String) {
        let (mut documents, mut truth) = (String::new(), String::new());
        for (cluster, parts) in marks {
            for member in self.members(cluster) {
                let Some(document) = self.document(&member.id) else {
                    continue;
                };
                // A part has a name that no cluster has.
                let group = match parts.of(&member.id) {
                    0 => format!("cluster {cluster}"),
                    part => format!("part {part} of cluster {cluster}"),
                };
                documents += &format!("{}\n", json!({ "id": member.id, "text": document.text }));
                truth += &format!("{}\n", json!({ "id": member.id, "group": group }));
            }
        }
        (documents, truth)
    }
}

/// Returns the files of a list of a run.
fn list(folder: &Path, name: &str) -> Result<Vec<PathBuf>, Error> {
    let files = files_of_list(folder, name)?;
    match files.is_empty() {
        true => Err(
            Error::usage(format!("`{}` has no list of {name}", folder.display()))
                .with_path(folder)
                .with_help("name the folder of a run or of a search for duplicates"),
        ),
        false => Ok(files),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn clusters_leave_as_a_labelled_set() {
        let dir = tempfile::tempdir().expect("a folder");
        let write = |name: &str, rows: &[serde_json::Value]| {
            let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
            fs::write(dir.path().join(name), text).expect("written");
        };
        let decision = |id: &str, cluster: &str, kept: bool| json!({ "id": id, "cluster": cluster, "representative": cluster, "kept": kept, "reason": "x" });
        write(
            "clusters.jsonl",
            &[
                decision("b", "a", false),
                decision("a", "a", true),
                decision("c", "a", false),
                decision("d", "d", true),
            ],
        );
        write(
            "pairs.jsonl",
            &[json!({ "a": "a", "b": "b", "similarity": 0.9, "method": "jaccard" })],
        );
        write(
            "documents.jsonl",
            &["a", "d", "b", "c"].map(|id| json!({ "id": id, "text": format!("text {id}") })),
        );
        write("summary.json", &[]);
        assert!(Clusters::is_run(dir.path()));
        let clusters = Clusters::open(dir.path()).expect("a run");
        let ids: Vec<&str> = clusters
            .members("a")
            .iter()
            .map(|member| member.id.as_str())
            .collect();
        assert_eq!((clusters.all().len(), ids), (1, vec!["a", "b", "c"]));
        assert_eq!(clusters.pairs("a").len(), 1);
        assert_eq!(clusters.document("b").expect("a document").text, "text b");
        let mut parts = Parts::default();
        parts.set_apart("a", "c");
        parts.set_apart("a", "a");
        let marks = Marks::from([("a".to_owned(), parts)]);
        let (documents, truth) = clusters.labelled_set(&marks);
        assert_eq!(documents.lines().count(), 3);
        assert_eq!(
            truth,
            "{\"group\":\"cluster a\",\"id\":\"a\"}\n{\"group\":\"cluster a\",\"id\":\"b\"}\n{\"group\":\"part 1 of cluster a\",\"id\":\"c\"}\n"
        );
    }

    #[test]
    fn any_two_members_are_set_apart_and_joined() {
        let mut parts = Parts::default();
        let told = |parts: &Parts| ["a", "b", "c", "d"].map(|member| parts.of(member));
        parts.set_apart("a", "c");
        parts.set_apart("b", "d");
        parts.set_apart("c", "d");
        assert_eq!(told(&parts), [0, 0, 1, 2]);
        parts.join("d", "c");
        assert_eq!(told(&parts), [0, 0, 1, 1]);
        parts.set_apart("d", "c");
        assert_eq!(told(&parts), [0, 0, 2, 1]);
        parts.join("c", "d");
        parts.join("a", "d");
        assert_eq!(parts, Parts::default());
    }
}
