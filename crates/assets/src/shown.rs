//! How large a composition shows an image, which decides how large it is kept.

use rondo_composition::{Composition, ObjectFit, Overlay, OverlayKind};

/// Pixels kept for each pixel of the box, across and down, so that animations can enlarge an image.
const SPARE: f64 = 4.0;

/// How large an image is shown at most.
#[derive(Clone, Copy)]
pub struct Shown {
    /// The largest box.
    pub size: (f64, f64),
    /// Whether it may be shown larger than its box by any factor.
    enlarged: bool,
}

impl Shown {
    pub fn of(composition: &Composition, src: &str) -> Self {
        let shows = |o: &&Overlay| o.media().iter().any(|source| source.used && source.address == src);
        let boxes = composition.overlays.iter().filter(shows);
        boxes.fold(Self { size: (1.0, 1.0), enlarged: false }, |shown, o| Self {
            size: (shown.size.0.max(o.base.width), shown.size.1.max(o.base.height)),
            enlarged: shown.enlarged || enlarges(o),
        })
    }

    /// The size a bitmap of this size is kept at: halved as long as it stays several times as large as its box. Painting
    /// halves it likewise.
    pub fn reduced(&self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.enlarged {
            return (width, height);
        }
        let halvings =
            |side: u32, shown: f64| libm::log2(f64::from(side) / (shown * SPARE)).floor().max(0.0) as u32;
        let halvings = halvings(width, self.size.0).min(halvings(height, self.size.1));
        ((width >> halvings).max(1), (height >> halvings).max(1))
    }
}

fn enlarges(overlay: &Overlay) -> bool {
    let styles = match &overlay.kind {
        OverlayKind::Image(image) => &image.styles,
        _ => return overlay.transform().is_some(),
    };
    let zooms = styles.staggered_motion.as_ref().is_some_and(|motion| motion.scale.iter().any(|v| *v > 1.0));
    styles.object_fit == ObjectFit::None || styles.transform.is_some() || zooms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_kept_at_most_eight_times_as_large_as_their_box() {
        let shown = |size, enlarged| Shown { size, enlarged };
        assert_eq!(shown((500.0, 500.0), false).reduced((10_000, 10_000)), (2500, 2500));
        assert_eq!(shown((1920.0, 1080.0), false).reduced((6000, 4000)), (6000, 4000));
        assert_eq!(shown((100.0, 1000.0), false).reduced((9000, 9000)), (4500, 4500));
        assert_eq!(shown((500.0, 500.0), true).reduced((10_000, 10_000)), (10_000, 10_000));
        assert_eq!(shown((1.0, 1.0), false).reduced((3, 30_000)), (3, 30_000));
    }
}
