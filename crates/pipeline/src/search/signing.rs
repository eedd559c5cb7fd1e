//! Signing of documents by the threads of a pass.

use dehusk_dedup::{Batch, BatchMaker};

use crate::kernel::sign::Signer;
use crate::read::pass::Worker;

/// Signs the documents of successive chunks.
pub(crate) struct Signing<'m> {
    maker: &'m BatchMaker,
    signer: Signer,
    batch: Batch,
}

impl<'m> Signing<'m> {
    /// Signs by `signer` into batches of `maker`.
    pub(crate) fn new(maker: &'m BatchMaker, signer: Signer) -> Self {
        Self {
            maker,
            signer,
            batch: maker.batch(),
        }
    }

    /// Signs the next document. This must be the last step for a record: the document counts from here on.
    pub(crate) fn add(&mut self, text: &str) {
        self.signer.add(text, &mut self.batch);
    }
}

impl Worker for Signing<'_> {
    type Sum = Batch;

    fn take_sum(&mut self) -> Batch {
        self.maker.take(&mut self.batch)
    }

    /// A panic while a document is signed leaves the batch unchanged, so only the signer is reset.
    fn recover(&mut self) {
        self.signer.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::cancel::Cancel;
    use crate::job::Job;
    use crate::kernel::sign::SignerMaker;
    use crate::read::inputs::RecordKind;
    use crate::record::Reason;
    use crate::settings::table::Settings;

    #[test]
    fn a_document_on_which_the_code_fails_is_left_out_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.jsonl");
        let lines =
            "{\"text\":\"one\"}\n{\"id\":\"b\",\"text\":\"two\"}\n{\"text\":\"three\"}\n{\"text\":\"two\"}\n";
        std::fs::write(&file, lines).unwrap();
        let (settings, cancel) = (Settings::default(), Cancel::new());
        let inputs = [file.display().to_string()];
        let job = Job::new(&inputs, &settings, &cancel);
        let compiled = dehusk_dedup::CompiledOptions::new(settings.duplicates().unwrap()).unwrap();
        let compiled = std::sync::Arc::new(compiled);
        let maker = BatchMaker::new(std::sync::Arc::clone(&compiled));
        let signers = SignerMaker::new(&settings, compiled).unwrap();
        let inputs = job.open(RecordKind::Documents).unwrap();
        let mut chunks = 0;
        let worked = job.pass("reading documents", &inputs).documents(
            || Signing::new(&maker, signers.signer()),
            |signing, item| {
                if item.id == "b" {
                    // Panics after half of the work.
                    signing.signer.signature(&item.record.text);
                    panic!("no two please");
                }
                signing.add(&item.record.text);
            },
            |worked| {
                chunks += 1;
                let contents: Vec<u128> = worked.sum.rows().map(|row| row.content).collect();
                assert_eq!(contents, ["one", "three", "two"].map(dehusk_dedup::content_hash));
                let kinds: Vec<bool> = worked.rows.iter().map(Result::is_ok).collect();
                assert_eq!(kinds, [true, false, true, true]);
                let row = worked.rows[1].as_ref().unwrap_err();
                assert_eq!(
                    (row.id.as_str(), row.reason, row.offset),
                    ("b", Reason::Panic, 15)
                );
                assert_eq!(row.message, "line 2: no two please");
                Ok(())
            },
        );
        assert!(worked.is_ok() && chunks == 1);
    }
}
