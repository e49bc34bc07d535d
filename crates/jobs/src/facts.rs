//! What is known of a film's media where they are not read whole.

use std::collections::BTreeMap;

use rondo_composition::MediaRole;
use rondo_scene::{ClipInfo, MediaInfo, World};
use serde::{Deserialize, Serialize};

use crate::job::{Fact, RoleName};

/// The sources by role and address.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct Facts {
    known: BTreeMap<(MediaRole, String), Fact>,
}

/// A source as it crosses the border between two processes.
type Entry = (RoleName, String, Fact);

impl From<Vec<Entry>> for Facts {
    fn from(entries: Vec<Entry>) -> Self {
        entries.into_iter().map(|(role, address, fact)| ((role.0, address), fact)).collect()
    }
}

impl From<Facts> for Vec<Entry> {
    fn from(facts: Facts) -> Self {
        let known = facts.known.into_iter();
        known.map(|((role, address), fact)| (RoleName(role), address, fact)).collect()
    }
}

impl FromIterator<((MediaRole, String), Fact)> for Facts {
    fn from_iter<I: IntoIterator<Item = ((MediaRole, String), Fact)>>(entries: I) -> Self {
        Self { known: entries.into_iter().collect() }
    }
}

impl Facts {
    pub fn get(&self, role: MediaRole, address: &str) -> Option<&Fact> {
        self.known.get(&(role, address.to_owned()))
    }
}

/// Unknown sources are laid out as pictures of an assumed size; notices about their styles still apply.
impl World for Facts {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        let info = |size: (u32, u32), clip| MediaInfo {
            source: 0,
            key: Default::default(),
            width: size.0,
            height: size.1,
            scale: 1.0,
            clip,
        };
        let some = (1000, 1000);
        if let Some(video) = self.get(MediaRole::Video, src) {
            let duration = video.seconds.unwrap_or(3600.0);
            return Some(info(video.size.unwrap_or(some), Some(ClipInfo { duration, timetable: None })));
        }
        let picture = self.get(MediaRole::Image, src)?;
        Some(info(picture.size.unwrap_or(some), None))
    }
}
