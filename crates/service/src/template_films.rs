//! The variables of templates, read from their compositions once for each version of a template.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rondo_composition::TemplateVariable;
use rondo_store::{ListedTemplate, Store, Time};

use crate::error::ServiceResult;
use crate::resolve::stored;

/// A cache by template id.
#[derive(Debug, Default)]
pub struct TemplateVariables(Mutex<HashMap<String, Versioned>>);

/// When the template was last changed, and its variables then.
type Versioned = (Time, Arc<[TemplateVariable]>);

impl TemplateVariables {
    pub async fn of(
        &self,
        store: &Store,
        template: &ListedTemplate,
    ) -> ServiceResult<Arc<[TemplateVariable]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&template.id).cloned();
        if let Some((_, variables)) = known.filter(|(version, _)| *version == template.updated_at) {
            return Ok(variables);
        }
        let Some(whole) = store.template(&template.id).await? else { return Ok(Arc::default()) };
        let variables: Arc<[TemplateVariable]> = stored(&whole.composition)?.template_variables().into();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(whole.id, (whole.updated_at, variables.clone()));
        Ok(variables)
    }
}
