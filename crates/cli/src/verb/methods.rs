//! `dehusk methods`

use std::fmt::Write;

use clap::{Args, ValueEnum};
use dehusk_pipeline::{Error, Table, tables};

use crate::message::print;

/// Lists everything that can be chosen by name
#[derive(Args, Debug)]
pub(crate) struct Methods {
    /// Format of the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: Form,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    Text,
    Json,
}

impl Methods {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let tables = tables();
        match self.output_format {
            Form::Text => print(text(&tables).as_bytes()),
            Form::Json => {
                let mut json = serde_json::to_vec_pretty(&tables).unwrap_or_default(); // cannot fail: strings and lists
                json.push(b'\n');
                print(&json)
            }
        }
    }
}

/// Returns the tables as text: for each entry its summary, and below it its parameters.
fn text(tables: &[Table]) -> String {
    let mut out = String::new();
    for table in tables {
        if !out.is_empty() {
            out.push('\n');
        }
        let flag = if table.flag.is_empty() {
            String::new()
        } else {
            format!(" ({})", table.flag)
        };
        let _ = writeln!(out, "{}{flag}", table.name);
        let width = table
            .entries
            .iter()
            .map(|entry| entry.name.len())
            .max()
            .unwrap_or(0);
        for entry in &table.entries {
            let _ = writeln!(out, "  {:width$}  {}", entry.name, entry.summary);
            for known in &entry.parameters {
                let _ = writeln!(
                    out,
                    "  {:width$}    {}={}: {}",
                    "", known.name, known.default, known.help
                );
            }
        }
    }
    out
}
