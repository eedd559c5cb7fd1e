//! Pages that wait until enough pages of their layout were met: their sketches are in memory, their content is packed in a file.

use dehusk_extract::site::Sample;

use crate::error::Error;
use crate::site::group::{GroupedPage, Member};
use crate::site::page_marks::{PageMarks, PageMeasure};
use crate::site::page_spill::{PageSpill, Spilled};

/// zstd level: the fastest of the standard levels, at which a page takes about a quarter of its memory.
const LEVEL: i32 = 1;

/// A parsed page in packed form, with its sketches.
pub(crate) struct PackedPage {
    address: String,
    pub(crate) date: Option<String>,
    marks: PageMarks,
    sample: Vec<u8>,
}

/// A page whose parsed form is packed in a file.
pub(crate) struct WaitingPage {
    address: String,
    pub(crate) date: Option<String>,
    sample: Spilled,
}

impl GroupedPage for WaitingPage {
    fn address(&self) -> &str {
        &self.address
    }

    fn bytes(&self) -> usize {
        let date = self.date.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.address.len() + date + self.sample.memory()
    }
}

impl PackedPage {
    /// Packs a parsed page.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn of(sample: &Sample, measure: &mut PageMeasure) -> Result<Self, Error> {
        let plain = postcard::to_stdvec(sample);
        debug_assert!(plain.is_ok(), "texts, numbers and lists always serialize");
        Ok(PackedPage::with(
            packed(&plain.unwrap_or_default())?,
            sample,
            measure,
        ))
    }

    /// A page from its packed form.
    ///
    /// # Errors
    /// If `packed` is not the packed form of a page.
    pub(crate) fn again(packed: Vec<u8>, measure: &mut PageMeasure) -> Result<Self, Error> {
        let sample = unpacked_sample(&packed)?;
        Ok(PackedPage::with(packed, &sample, measure))
    }

    /// A page with its packed form, measured.
    fn with(packed: Vec<u8>, sample: &Sample, measure: &mut PageMeasure) -> Self {
        PackedPage {
            address: sample.name().to_owned(),
            date: sample.date().map(str::to_owned),
            marks: measure.marks(sample),
            sample: packed,
        }
    }

    /// Moves the packed page into a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn spilled(self, spill: &PageSpill) -> Result<Member<WaitingPage>, Error> {
        let page = WaitingPage {
            address: self.address,
            date: self.date,
            sample: spill.put(&self.sample)?,
        };
        let marks = self.marks;
        Ok(Member { page, marks })
    }

    /// The packed form alone.
    pub(crate) fn into_packed(self) -> Vec<u8> {
        self.sample
    }
}

impl WaitingPage {
    /// The parsed page, read back from the file.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub(crate) fn sample(&self) -> Result<Sample, Error> {
        unpacked_sample(&self.sample.read()?)
    }
}

/// The parsed page of a packed form.
fn unpacked_sample(packed: &[u8]) -> Result<Sample, Error> {
    postcard::from_bytes(&unpacked(packed)?).map_err(damaged)
}

/// Compresses bytes.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn packed(plain: &[u8]) -> Result<Vec<u8>, Error> {
    zstd::bulk::compress(plain, LEVEL).map_err(|error| Error::failed(format!("cannot compress: {error}")))
}

/// Decompresses bytes of [`packed`].
///
/// # Errors
/// If they are not in that form.
pub(crate) fn unpacked(packed: &[u8]) -> Result<Vec<u8>, Error> {
    zstd::stream::decode_all(packed).map_err(damaged)
}

/// Error for a temporary file that does not give back what was written.
fn damaged(error: impl std::fmt::Display) -> Error {
    Error::failed(format!("a temporary file cannot be read: {error}")).with_option("temp-dir")
}
