//! What lists say of the films of templates, read from their compositions once for each version of a template.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rondo_composition::TemplateVariable;
use rondo_store::{ListedTemplate, Store, Time};

use crate::error::ServiceResult;
use crate::resolve::stored;

/// A cache by template id.
#[derive(Debug, Default)]
pub struct TemplateFilms(Mutex<HashMap<String, Versioned>>);

/// When the template was last changed, and its film then.
type Versioned = (Time, Arc<TemplateFilm>);

/// The film of a template.
#[derive(Debug, Default)]
pub struct TemplateFilm {
    pub width: u32,
    pub height: u32,
    pub fps: u32,
    pub duration_in_frames: u32,
    pub variables: Vec<TemplateVariable>,
}

impl TemplateFilms {
    pub async fn of(&self, store: &Store, template: &ListedTemplate) -> ServiceResult<Arc<TemplateFilm>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&template.id).cloned();
        if let Some((_, film)) = known.filter(|(version, _)| *version == template.updated_at) {
            return Ok(film);
        }
        let Some(whole) = store.template(&template.id).await? else { return Ok(Arc::default()) };
        let composition = stored(&whole.composition)?;
        let film = Arc::new(TemplateFilm {
            width: composition.width,
            height: composition.height,
            fps: composition.fps,
            duration_in_frames: composition.duration,
            variables: composition.template_variables(),
        });
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(whole.id, (whole.updated_at, film.clone()));
        Ok(film)
    }
}
