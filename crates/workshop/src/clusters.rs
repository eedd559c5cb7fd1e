//! Duplicates that a run found: clusters, their evidence, and what a person says of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use dehusk_pipeline::Error;
use serde::Deserialize;
use serde_json::json;

/// Longest line that is read.
const MAX_LINE: u64 = 64 << 20;

/// What a run decided about a document.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Member {
    pub(crate) id: String,
    cluster: String,
    pub(crate) kept: bool,
    pub(crate) reason: String,
}

#[derive(Deserialize)]
struct PairRow {
    a: String,
    b: String,
    similarity: f64,
    method: String,
}

/// A verified pair.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) similarity: f64,
    pub(crate) method: String,
}

#[derive(Deserialize)]
struct IdRow {
    id: String,
}

/// A document as the run wrote it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Document {
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) url: Option<String>,
    pub(crate) text: String,
}

/// Clusters of two documents or more.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    folder: PathBuf,
    /// Members of each cluster, by the name of the cluster; the ones that stay first.
    members: Vec<(String, Vec<Member>)>,
    pairs: HashMap<String, Vec<Pair>>,
    /// Where documents of clusters begin in the file of documents.
    offsets: HashMap<String, u64>,
}

/// What a person said: for each cluster the members that do not belong there.
pub(crate) type Marks = BTreeMap<String, BTreeSet<String>>;

impl Clusters {
    /// Whether a folder is one that a run wrote.
    pub(crate) fn is_run(folder: &Path) -> bool {
        folder.join("summary.json").is_file() && folder.join("clusters.jsonl").is_file()
    }

    /// Reads the clusters and pairs of a run.
    ///
    /// # Errors
    /// If its lists are not there as plain JSON Lines.
    pub(crate) fn open(folder: &Path) -> Result<Clusters, Error> {
        let mut all: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        each_line(&folder.join("clusters.jsonl"), &mut |_, line| {
            if let Ok(member) = serde_json::from_slice::<Member>(line) {
                all.entry(member.cluster.clone()).or_default().push(member);
            }
        })?;
        all.retain(|_, members| members.len() > 1);
        let cluster_of: HashMap<&str, &str> = all
            .iter()
            .flat_map(|(name, members)| members.iter().map(|member| (member.id.as_str(), name.as_str())))
            .collect();
        let mut pairs: HashMap<String, Vec<Pair>> = HashMap::new();
        each_line(&folder.join("pairs.jsonl"), &mut |_, line| {
            if let Ok(PairRow {
                a,
                b,
                similarity,
                method,
            }) = serde_json::from_slice::<PairRow>(line)
                && let Some(cluster) = cluster_of.get(a.as_str())
            {
                let pair = Pair {
                    a,
                    b,
                    similarity,
                    method,
                };
                pairs.entry((*cluster).to_owned()).or_default().push(pair);
            }
        })?;
        let mut offsets = HashMap::new();
        each_line(&folder.join("documents.jsonl"), &mut |offset, line| {
            if let Ok(IdRow { id }) = serde_json::from_slice::<IdRow>(line)
                && cluster_of.contains_key(id.as_str())
            {
                offsets.entry(id).or_insert(offset);
            }
        })?;
        let mut members: Vec<(String, Vec<Member>)> = all.into_iter().collect();
        for (_, members) in &mut members {
            members.sort_by_key(|member| !member.kept);
        }
        members.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(&b.0)));
        Ok(Clusters {
            folder: folder.to_owned(),
            members,
            pairs,
            offsets,
        })
    }

    /// Clusters with their members, the largest first.
    pub(crate) fn all(&self) -> &[(String, Vec<Member>)] {
        &self.members
    }

    /// The members of a cluster.
    pub(crate) fn members(&self, cluster: &str) -> &[Member] {
        let found = self.members.iter().find(|(name, _)| name == cluster);
        found.map_or(&[], |(_, members)| members.as_slice())
    }

    /// Verified pairs of a cluster.
    pub(crate) fn pairs(&self, cluster: &str) -> &[Pair] {
        self.pairs.get(cluster).map_or(&[], Vec::as_slice)
    }

    /// A document of a cluster.
    pub(crate) fn document(&self, id: &str) -> Option<Document> {
        let mut file = File::open(self.folder.join("documents.jsonl")).ok()?;
        file.seek(SeekFrom::Start(*self.offsets.get(id)?)).ok()?;
        let mut line = Vec::new();
        BufReader::new(file.take(MAX_LINE))
            .read_until(b'\n', &mut line)
            .ok()?;
        serde_json::from_slice(&line).ok()
    }

    /// The documents of the clusters that a person looked at and which of them belong together, as `dehusk compare` reads them: one
    /// file of documents and one of truth.
    pub(crate) fn labelled_set(&self, marks: &Marks) -> (String, String) {
        let (mut documents, mut truth) = (String::new(), String::new());
        for (cluster, wrong) in marks {
            for member in self.members(cluster) {
                let Some(document) = self.document(&member.id) else {
                    continue;
                };
                let group = match wrong.contains(&member.id) {
                    true => &member.id,
                    false => cluster,
                };
                // What was marked has a group of its own, whatever it is called.
                let kind = if wrong.contains(&member.id) {
                    "alone"
                } else {
                    "cluster"
                };
                documents += &format!("{}\n", json!({ "id": member.id, "text": document.text }));
                truth += &format!(
                    "{}\n",
                    json!({ "id": member.id, "group": format!("{kind} {group}") })
                );
            }
        }
        (documents, truth)
    }
}

/// Visits the lines of a file with their places.
fn each_line(path: &Path, visit: &mut dyn FnMut(u64, &[u8])) -> Result<(), Error> {
    let file = File::open(path).map_err(|error| {
        Error::input(path, error)
            .with_help("the workshop reads runs whose lists are plain JSON Lines in one file")
    })?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut offset, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = reader
            .read_until(b'\n', &mut line)
            .map_err(|error| Error::input(path, error))?;
        if read == 0 {
            return Ok(());
        }
        visit(offset, &line);
        offset += read as u64;
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
        let marks = Marks::from([("a".to_owned(), BTreeSet::from(["c".to_owned()]))]);
        let (documents, truth) = clusters.labelled_set(&marks);
        assert_eq!(documents.lines().count(), 3);
        assert_eq!(
            truth,
            "{\"group\":\"cluster a\",\"id\":\"a\"}\n{\"group\":\"cluster a\",\"id\":\"b\"}\n{\"group\":\"alone c\",\"id\":\"c\"}\n"
        );
    }
}
