//! The results as CSV tables for other programs.

use crate::compare::{Results, Row, View};

/// A table: the name of its file, and its contents.
pub(super) type Table = (&'static str, Vec<u8>);

/// All tables as CSV. Cells with commas, quotes or line ends are quoted (RFC 4180).
///
/// # Errors
/// If a row has more or fewer cells than its header.
pub(super) fn tables(results: &Results) -> Result<Vec<Table>, csv::Error> {
    Ok(vec![
        ("leaderboard.csv", leaderboard(results)?),
        ("curves.csv", curves(results)?),
        ("recall.csv", recall(results)?),
        ("languages.csv", languages(results)?),
        ("clusterings.csv", clusterings(results)?),
        ("fingerprints.csv", bit_signatures(results)?),
        ("bandings.csv", bandings(results)?),
    ])
}

/// A CSV table that is being written.
struct Lines(csv::Writer<Vec<u8>>);

impl Lines {
    /// A table with this header, whose names are separated by commas.
    fn new(head: &str) -> Result<Self, csv::Error> {
        let mut lines = Self(csv::Writer::from_writer(Vec::new()));
        lines.0.write_record(head.split(','))?;
        Ok(lines)
    }

    /// Adds a row.
    fn line(&mut self, cells: &[String]) -> Result<(), csv::Error> {
        self.0.write_record(cells)
    }

    /// The bytes of the table.
    fn finish(self) -> Result<Vec<u8>, csv::Error> {
        self.0.into_inner().map_err(|error| error.into_error().into())
    }
}

/// A number with six decimals.
fn figure(value: f64) -> String {
    format!("{value:.6}")
}

/// A number with six decimals, or an empty cell.
fn maybe(value: Option<f64>) -> String {
    value.map_or_else(String::new, figure)
}

/// All rows of all views.
fn of_rows(results: &Results) -> impl Iterator<Item = (&View, &Row)> {
    results
        .views
        .iter()
        .flat_map(|view| view.rows.iter().map(move |row| (view, row)))
}

/// The leaderboard: a line for each view, method and mode.
fn leaderboard(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new(
        "view,name,method,mode,precision,recall,f1,f1_low,f1_high,difference_low,difference_high,p,closure_f1,url_f1,\
         b_cubed_f1,ari,pr,re,h_f1,cpr,pcpr,found,candidates,share_compared,bytes,sign_seconds,sign_cpu,search_seconds,\
         search_cpu,peak_bytes",
    )?;
    for (view, row) in of_rows(results) {
        let (closure, h) = (&row.closure, &row.closure.hassanzadeh);
        // The peak is the larger one of signing and searching.
        let peak = row
            .signing
            .and_then(|cost| cost.peak)
            .max(row.searching.and_then(|cost| cost.peak));
        lines.line(&[
            view.name.clone(),
            row.name.clone(),
            row.method.clone(),
            row.mode.name().to_owned(),
            figure(row.pairs.precision),
            figure(row.pairs.recall),
            figure(row.pairs.f1),
            maybe(row.intervals.map(|all| all[2].low)),
            maybe(row.intervals.map(|all| all[2].high)),
            maybe(row.difference.map(|(interval, _)| interval.low)),
            maybe(row.difference.map(|(interval, _)| interval.high)),
            maybe(row.difference.map(|(_, p)| p)),
            figure(closure.pairs.f1),
            figure(closure.urls.f1),
            maybe(closure.b_cubed.map(|scores| scores.f1)),
            maybe(closure.ari),
            figure(h.precision),
            figure(h.recall),
            figure(h.f1),
            figure(h.cpr),
            figure(h.pcpr),
            format!("{:.0}", row.found),
            row.candidates
                .map_or_else(String::new, |(count, _)| count.to_string()),
            // The share may be far smaller than six decimals can show.
            row.candidates
                .map_or_else(String::new, |(_, share)| format!("{share:e}")),
            figure(row.bytes),
            maybe(row.signing.map(|cost| cost.seconds)),
            maybe(row.signing.map(|cost| cost.cpu)),
            maybe(row.searching.map(|cost| cost.seconds)),
            maybe(row.searching.map(|cost| cost.cpu)),
            peak.map_or_else(String::new, |peak| peak.to_string()),
        ])?;
    }
    lines.finish()
}

/// The points of all curves.
fn curves(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new("view,name,method,mode,at,precision,recall,f1")?;
    for (view, row) in of_rows(results) {
        for point in &row.curve {
            lines.line(&[
                view.name.clone(),
                row.name.clone(),
                row.method.clone(),
                row.mode.name().to_owned(),
                figure(point.at),
                figure(point.pairs.precision),
                figure(point.pairs.recall),
                figure(point.pairs.f1),
            ])?;
        }
    }
    lines.finish()
}

/// Recall by similarity.
fn recall(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new("view,name,method,mode,similarity_from,true_pairs,recall")?;
    for (view, row) in of_rows(results) {
        for (bin, recall) in view.similarity.iter().zip(&row.recall_by_similarity) {
            lines.line(&[
                view.name.clone(),
                row.name.clone(),
                row.method.clone(),
                row.mode.name().to_owned(),
                format!("{:.2}", bin.from),
                format!("{:.0}", bin.pairs),
                maybe(*recall),
            ])?;
        }
    }
    lines.finish()
}

/// Scores by language.
fn languages(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new("view,name,method,mode,language,documents,true_pairs,precision,recall,f1")?;
    for (view, row) in of_rows(results) {
        for (language, scores) in view.set.languages.iter().zip(&row.languages) {
            lines.line(&[
                view.name.clone(),
                row.name.clone(),
                row.method.clone(),
                row.mode.name().to_owned(),
                language.name.clone(),
                language.documents.to_string(),
                format!("{:.0}", language.pairs),
                figure(scores.precision),
                figure(scores.recall),
                figure(scores.f1),
            ])?;
        }
    }
    lines.finish()
}

/// Scores and losses of all clusterings.
fn clusterings(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new(
        "view,name,threshold,edges,clusters,largest,precision,recall,f1,b_cubed_f1,ari,pr,re,h_f1,cpr,pcpr,kept,deleted,uncovered,kept_pairs,seconds",
    )?;
    for view in &results.views {
        for row in &view.clusterings {
            let scores = row.scores.as_ref();
            let of = |get: fn(&crate::metrics::ClusterScores) -> f64| maybe(scores.map(get));
            lines.line(&[
                view.name.clone(),
                row.name.clone(),
                figure(row.threshold),
                row.edges.to_string(),
                scores.map_or_else(String::new, |scores| scores.clusters.to_string()),
                row.largest.to_string(),
                of(|scores| scores.pairs.precision),
                of(|scores| scores.pairs.recall),
                of(|scores| scores.pairs.f1),
                maybe(scores.and_then(|scores| scores.b_cubed).map(|cubed| cubed.f1)),
                maybe(scores.and_then(|scores| scores.ari)),
                of(|scores| scores.hassanzadeh.precision),
                of(|scores| scores.hassanzadeh.recall),
                of(|scores| scores.hassanzadeh.f1),
                of(|scores| scores.hassanzadeh.cpr),
                of(|scores| scores.hassanzadeh.pcpr),
                row.deletion.kept.to_string(),
                row.deletion.deleted.to_string(),
                row.deletion.uncovered.to_string(),
                row.deletion.kept_pairs.to_string(),
                maybe(row.cost.map(|cost| cost.seconds)),
            ])?;
        }
    }
    lines.finish()
}

/// Distances and balance of 64-bit signatures. Distances have 65 values and bits 64, so the last line has
/// no bit.
fn bit_signatures(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new("view,method,distance,random_pairs,true_pairs,bit,share_set")?;
    for view in &results.views {
        for kind in &view.bit_signatures {
            for distance in 0..=64_usize {
                let balance = kind.balance.get(distance);
                lines.line(&[
                    view.name.clone(),
                    kind.method.clone(),
                    distance.to_string(),
                    kind.random.get(distance).map_or_else(String::new, u64::to_string),
                    kind.duplicates
                        .get(distance)
                        .map_or_else(String::new, u64::to_string),
                    balance.map_or_else(String::new, |_| distance.to_string()),
                    maybe(balance.copied()),
                ])?;
            }
        }
    }
    lines.finish()
}

/// Candidates of bandings by similarity.
fn bandings(results: &Results) -> Result<Vec<u8>, csv::Error> {
    let mut lines = Lines::new("view,bands,rows,similarity_from,pairs,candidates_share,formula")?;
    for view in &results.views {
        for banding in &view.bandings {
            for (place, (pairs, measured, formula)) in banding.bins.iter().enumerate() {
                lines.line(&[
                    view.name.clone(),
                    banding.bands.to_string(),
                    banding.rows.to_string(),
                    format!("{:.2}", place as f64 / 20.0),
                    pairs.to_string(),
                    figure(*measured),
                    figure(*formula),
                ])?;
            }
        }
    }
    lines.finish()
}
