//! The dictionary of a file of zstd frames, and the decoding of frames that use it.

use std::sync::Arc;

use crate::damage::Reason;
use crate::inflate::Progress;
#[cfg(feature = "zstd")]
use crate::inflate::zstd::Frame;
use crate::inflate::zstd_frame::Header;
use crate::limits::Allowance;

/// Maximum number of bytes of a dictionary.
const MAX_DICTIONARY: usize = 16 << 20;

/// State of the dictionary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Dictionary {
    /// No dictionary has been seen.
    #[default]
    None,
    #[cfg_attr(not(feature = "zstd"), allow(dead_code))]
    Known(Arc<[u8]>),
    /// A dictionary is needed but missing or unreadable, and this was reported.
    Lost,
}

/// Appends bytes to a dictionary, up to one byte beyond the limit, which shows that it is too long.
pub(crate) fn gather(content: &mut Vec<u8>, bytes: &[u8]) {
    let left = (MAX_DICTIONARY + 1).saturating_sub(content.len());
    content.extend_from_slice(&bytes[..bytes.len().min(left)]);
}

/// Decodes zstd frames.
pub(crate) struct Frames {
    dictionary: Dictionary,
    #[cfg_attr(not(feature = "zstd"), allow(dead_code))]
    window_log: u32,
    #[cfg(feature = "zstd")]
    frame: Option<Frame>,
    /// Plain bytes beyond the ratio that the frames of the first decoder may have.
    #[cfg_attr(not(feature = "zstd"), allow(dead_code))]
    allowance: Allowance,
}

impl Frames {
    pub(crate) fn new(dictionary: Dictionary, window_log: u32) -> Self {
        Frames {
            dictionary,
            window_log,
            #[cfg(feature = "zstd")]
            frame: None,
            allowance: Allowance::NONE,
        }
    }

    /// Sets the number of plain bytes beyond the ratio that frames may have.
    pub(crate) fn set_allowance(&mut self, allowance: Allowance) {
        self.allowance = allowance;
    }

    pub(crate) fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    pub(crate) fn lose_dictionary(&mut self) {
        self.dictionary = Dictionary::Lost;
        #[cfg(feature = "zstd")]
        // The decoder holds the old dictionary.
        {
            self.frame = None;
        }
    }
}

/// Returns the ID of a dictionary; 0 if it has no ID.
#[cfg(feature = "zstd")]
fn number(dictionary: &[u8]) -> u32 {
    // RFC 8878, section 5: a dictionary in the zstd format begins with this magic number and its ID. Others
    // are raw content.
    match dictionary.split_first_chunk::<4>() {
        Some(([0x37, 0xA4, 0x30, 0xEC], rest)) => {
            rest.first_chunk::<4>().map_or(0, |id| u32::from_le_bytes(*id))
        }
        _ => 0,
    }
}

#[cfg(feature = "zstd")]
impl Frames {
    /// Begins a frame. Returns the reason if it cannot be decoded, or `Err(None)` if that reason was already reported.
    pub(crate) fn begin(&mut self, header: Header, bytes: &[u8]) -> Result<(), Option<Reason>> {
        // Checked before the library allocates the window.
        if header.window > 1 << self.window_log {
            return Err(Some(Reason::Window));
        }
        let known = match &self.dictionary {
            Dictionary::Known(dictionary) => dictionary.as_ref(),
            Dictionary::None | Dictionary::Lost => &[],
        };
        // A frame that names no dictionary is tried with the known one.
        if self.dictionary == Dictionary::Lost || header.dictionary != 0 && header.dictionary != number(known)
        {
            let told = self.dictionary == Dictionary::Lost;
            self.lose_dictionary();
            return Err((!told).then_some(Reason::NoDictionary));
        }
        if self.frame.is_none() {
            self.frame = Frame::new(self.window_log, known);
            // Only the first decoder gets the allowance. A decoder for another dictionary gets none, or a
            // file could renew its allowance by changing dictionaries.
            let allowance = std::mem::replace(&mut self.allowance, Allowance::NONE);
            if let Some(frame) = &mut self.frame {
                frame.set_allowance(allowance);
            }
        }
        let Some(frame) = &mut self.frame else {
            self.lose_dictionary();
            return Err(Some(Reason::BadDictionary));
        };
        frame.reset(header);
        match frame.header(bytes) {
            Progress::Failed(_, reason) => Err(Some(reason)),
            Progress::More | Progress::End(_) => Ok(()),
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) -> Progress {
        match &mut self.frame {
            Some(frame) => frame.push(bytes, out),
            None => Progress::Failed(0, Reason::BadData),
        }
    }

    /// Sets the dictionary to the content of a dictionary frame, which may itself be compressed. Returns
    /// `false` if it cannot be read.
    pub(crate) fn set_dictionary(&mut self, content: Vec<u8>) -> bool {
        // The next frame makes a decoder with the new dictionary.
        self.frame = None;
        let dictionary = if content.starts_with(&crate::inflate::zstd_frame::MAGIC) {
            unpacked(&content, self.window_log)
        } else {
            Some(content)
        };
        match dictionary.filter(|dictionary| dictionary.len() <= MAX_DICTIONARY) {
            Some(dictionary) => self.dictionary = Dictionary::Known(dictionary.into()),
            None => self.lose_dictionary(),
        }
        self.dictionary != Dictionary::Lost
    }
}

/// Decodes a dictionary that is stored as one zstd frame.
#[cfg(feature = "zstd")]
fn unpacked(content: &[u8], window_log: u32) -> Option<Vec<u8>> {
    let header = crate::inflate::zstd_frame::header(content).ok()??;
    // The frame with the dictionary is held to the same limits as frames with content.
    if header.window > 1 << window_log {
        return None;
    }
    let (head, rest) = content.split_at_checked(header.length)?;
    let mut frame = Frame::new(window_log, &[])?;
    frame.reset(header);
    let Progress::More = frame.header(head) else {
        return None;
    };
    let mut dictionary = Vec::new();
    // A single push must complete the frame, as the whole content is there.
    match frame.push(rest, &mut |plain| gather(&mut dictionary, plain)) {
        Progress::End(_) => Some(dictionary),
        Progress::More | Progress::Failed(..) => None,
    }
}

#[cfg(not(feature = "zstd"))]
impl Frames {
    /// Rejects the frame, since the feature `zstd` is off. Returns `Err(None)` if that was already reported.
    pub(crate) fn begin(&mut self, _: Header, _: &[u8]) -> Result<(), Option<Reason>> {
        let told = self.dictionary == Dictionary::Lost;
        self.lose_dictionary();
        Err((!told).then_some(Reason::NoZstd))
    }

    pub(crate) fn push(&mut self, _: &[u8], _: &mut dyn FnMut(&[u8])) -> Progress {
        Progress::Failed(0, Reason::NoZstd)
    }

    pub(crate) fn set_dictionary(&mut self, _: Vec<u8>) -> bool {
        true
    }
}
