//! Writes the templates of closed layouts. They are learnt and written in the background, while further
//! pages are read.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use dehusk_extract::site::{Sample, Template};

use crate::error::Error;
use crate::exec::background::{Background, InOrder};
use crate::exec::cancel::Cancel;
use crate::site::folder;
use crate::site::group::Group;
use crate::site::learning::template_of;
use crate::site::waiting_page::WaitingPage;

/// Maximum number of templates that are being learnt or written. A constant, so that the memory for their
/// pages does not grow with the number of threads.
const MOST: usize = 16;

/// Target folder of templates, and metadata that they share.
pub(crate) struct TemplateSink {
    pub(crate) folder: PathBuf,
    /// Name of the page-level extractor.
    pub(crate) method: String,
    pub(crate) cancel: Cancel,
}

/// Learns and writes the templates of groups.
pub(crate) struct TemplateWriter {
    sink: Arc<TemplateSink>,
    under_way: InOrder<Result<(), Error>>,
    /// The last layout number of each part of a site, by the file name of its layout 1. Two sites that
    /// share a file name share the numbers, too.
    layouts: HashMap<String, u32>,
}

impl TemplateWriter {
    /// A writer into a folder that has no templates yet.
    pub(crate) fn new(sink: TemplateSink, background: &Background) -> Self {
        TemplateWriter {
            sink: Arc::new(sink),
            under_way: InOrder::new(background, MOST),
            layouts: HashMap::new(),
        }
    }

    /// Starts learning the template of a group, unless `learnt` is given, and writing it.
    ///
    /// Returns the name of its file and the number of its layout. The file might not exist yet.
    ///
    /// # Errors
    /// If this or an earlier template cannot be learnt or written, or the run was cancelled.
    pub(crate) fn write(
        &mut self,
        group: Group<WaitingPage>,
        learnt: Option<Template>,
    ) -> Result<(String, u32), Error> {
        self.sink.cancel.check()?;
        let layout = self.layouts.entry(folder::file_name(&group.site, 1)).or_default();
        // Numbers are given in the order of closing, whatever thread learns first.
        *layout += 1;
        let (layout, sink) = (*layout, Arc::clone(&self.sink));
        let file = folder::file_name(&group.site, layout);
        let done = self.under_way.push(move || sink.write(&group, layout, learnt));
        // An error of an earlier template ends the run.
        done.map_or(Ok(()), ended)?;
        Ok((file, layout))
    }

    /// Waits until all templates are written.
    ///
    /// # Errors
    /// If a template cannot be learnt or written.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        while let Some(done) = self.under_way.next() {
            ended(done)?;
        }
        Ok(())
    }
}

impl Drop for TemplateWriter {
    fn drop(&mut self) {
        // Wait, so that no template is written after the end of the run.
        while self.under_way.next().is_some() {}
    }
}

/// The result of a task. A panic becomes an error.
fn ended(done: Result<Result<(), Error>, String>) -> Result<(), Error> {
    done.unwrap_or_else(|panic| Err(Error::failed(format!("a template cannot be learnt: {panic}"))))
}

impl TemplateSink {
    /// Learns the template of a group, unless `learnt` is given, and writes its file.
    fn write(&self, group: &Group<WaitingPage>, layout: u32, learnt: Option<Template>) -> Result<(), Error> {
        let learnt = match learnt {
            Some(template) => template,
            None => learnt_from(&group.pages)?,
        };
        let dates = group.pages.iter().filter_map(|page| page.date.as_deref());
        let template = template_of(learnt, &group.site, layout, &self.method, dates);
        folder::write(&self.folder, &template, &self.cancel).map(drop)
    }
}

/// Learns a template from pages that waited.
fn learnt_from(pages: &[WaitingPage]) -> Result<Template, Error> {
    let samples: Vec<Sample> = pages.iter().map(WaitingPage::sample).collect::<Result<_, _>>()?;
    Ok(Template::learn(&samples.iter().collect::<Vec<_>>()))
}
