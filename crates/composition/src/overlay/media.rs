//! Video, image and sound overlays, keying, trims and 3D poses.

use rondo_fields::{Reader, amount, choices, flag, list, number, object, one_of, record, text};
use serde_json::Value;

use super::base::Base;
use super::media_source::{MediaRole, MediaSegment, MediaSource, Playback};
use super::overlay_type::{AiKind, OverlayType};
use super::variable::{Field, Variable, plain_value};
use crate::animation::{Animation, StaggeredMotion, animation};
use crate::grouping::CaptionRoom;
use crate::limits::MOST_CONTENT;
use crate::values::{frames, length, style};

choices! {
    /// How media fills its box.
    pub enum ObjectFit {
        Cover = "cover",
        Contain = "contain",
        Fill = "fill",
        None = "none",
        ScaleDown = "scale-down",
    }
}

record! {
    /// A video, played from its in-point and held on its last frame.
    pub struct Video {
        /// Address of the video.
        src: required String => "src", text();
        /// Thumbnail for editors. Does not change the film.
        content: optional String => "content", text().at_most(MOST_CONTENT);
        /// In-point in the source in seconds. Ignored when there are segments.
        video_start_time: default f64 => "videoStartTime", amount(), 0.0;
        /// Length of the source in seconds, as an editor noted it.
        media_src_duration: optional f64 => "mediaSrcDuration", amount();
        /// Playback speed.
        speed: default f64 => "speed", number().between(0.001, 100.0), 1.0;
        /// Parts of the source played one after another.
        segments: default Vec<MediaSegment> => "segments", list(object()), Vec::new();
        /// Removes a green background.
        greenscreen: optional Greenscreen => "greenscreen", object();
        /// How the video looks, moves and sounds.
        styles: default VideoStyles => "styles", object(), VideoStyles::default();
    }
}

impl OverlayType for Video {
    fn animation(&self) -> Option<&Animation> {
        self.styles.animation.as_ref()
    }

    fn variable(&self, _: &Base) -> Variable {
        Variable::new(Field::Src, "Address of a video.", &self.src)
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.src = plain_value(value, "an address", reader)?;
        Some(())
    }

    fn media(&self) -> Vec<MediaSource<'_>> {
        vec![MediaSource::src(MediaRole::Video, &self.src)]
    }

    fn media_addresses_mut(&mut self) -> Vec<&mut String> {
        vec![&mut self.src]
    }

    fn playback(&self) -> Option<Playback<'_>> {
        let VideoStyles { volume, fade_in, fade_out, .. } = self.styles;
        Some(Playback {
            start: self.video_start_time,
            speed: self.speed,
            segments: &self.segments,
            volume,
            fade_in,
            fade_out,
        })
    }

    fn transform(&self) -> Option<&str> {
        self.styles.transform.as_deref()
    }
}

record! {
    /// Styles of a video overlay. Strings hold CSS values.
    pub struct VideoStyles {
        /// How the video fills its box.
        object_fit: default ObjectFit => "objectFit", one_of(), ObjectFit::Cover;
        /// Where the video sits in its box, 50% 50% when omitted.
        object_position: optional String => "objectPosition", length();
        /// CSS filters, or the name of a filter preset.
        filter: optional String => "filter", style();
        /// Shadows of the container.
        box_shadow: optional String => "boxShadow", style();
        /// Border of the container.
        border: optional String => "border", length();
        /// Space between container and video.
        padding: optional String => "padding", length();
        /// Colour of that space.
        padding_background_color: optional String => "paddingBackgroundColor", style();
        /// Corner radius of the container.
        border_radius: optional String => "borderRadius", length();
        /// CSS transform of the content.
        transform: optional String => "transform", style();
        /// Clip of the container: inset, circle, ellipse, polygon or path.
        clip_path: optional String => "clipPath", style();
        /// Volume from 0 to 1.
        volume: default f64 => "volume", number().between(0.0, 1.0), 1.0;
        /// Fade-in of the sound in seconds.
        fade_in: default f64 => "fadeIn", amount(), 0.0;
        /// Fade-out of the sound in seconds.
        fade_out: default f64 => "fadeOut", amount(), 0.0;
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// How the layer's colours combine with those beneath it: a CSS blend mode such as multiply, normal when
        /// omitted.
        mix_blend_mode: optional String => "mixBlendMode", style();
        /// Order inside this overlay only.
        z_index: optional f64 => "zIndex", number();
        /// Enter, exit and continuous motion.
        animation: optional Animation => "animation", animation();
        /// Keyframes for the whole content.
        staggered_motion: optional StaggeredMotion => "staggeredMotion", object();
        /// Shows only the crop rectangle.
        crop_enabled: default bool => "cropEnabled", flag(), false;
        /// Left edge of the crop in percent.
        crop_x: default f64 => "cropX", number().between(0.0, 100.0), 0.0;
        /// Top edge of the crop in percent.
        crop_y: default f64 => "cropY", number().between(0.0, 100.0), 0.0;
        /// Width of the crop in percent.
        crop_width: default f64 => "cropWidth", number().between(0.0, 100.0), 100.0;
        /// Height of the crop in percent.
        crop_height: default f64 => "cropHeight", number().between(0.0, 100.0), 100.0;
    }
}

record! {
    /// A picture.
    pub struct Image {
        /// Address of the picture.
        src: required String => "src", text();
        /// Thumbnail for editors. Does not change the film.
        content: optional String => "content", text().at_most(MOST_CONTENT);
        /// Removes a green background.
        greenscreen: optional Greenscreen => "greenscreen", object();
        /// How the picture looks and moves.
        styles: default ImageStyles => "styles", object(), ImageStyles::default();
    }
}

impl OverlayType for Image {
    fn animation(&self) -> Option<&Animation> {
        self.styles.animation.as_ref()
    }

    fn variable(&self, _: &Base) -> Variable {
        Variable::new(Field::Src, "Address of a picture.", &self.src)
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.src = plain_value(value, "an address", reader)?;
        Some(())
    }

    fn media(&self) -> Vec<MediaSource<'_>> {
        vec![MediaSource::src(MediaRole::Image, &self.src)]
    }

    fn media_addresses_mut(&mut self) -> Vec<&mut String> {
        vec![&mut self.src]
    }

    fn transform(&self) -> Option<&str> {
        self.styles.transform.as_deref()
    }
}

record! {
    /// Styles of an image overlay. Strings hold CSS values.
    pub struct ImageStyles {
        /// CSS filters, or the name of a filter preset.
        filter: optional String => "filter", style();
        /// Corner radius of the container.
        border_radius: optional String => "borderRadius", length();
        /// How the picture fills its box.
        object_fit: default ObjectFit => "objectFit", one_of(), ObjectFit::Cover;
        /// Where the picture sits in its box, 50% 50% when omitted.
        object_position: optional String => "objectPosition", length();
        /// Shadows of the container.
        box_shadow: optional String => "boxShadow", style();
        /// Border of the container.
        border: optional String => "border", length();
        /// Space between container and picture.
        padding: optional String => "padding", length();
        /// Colour of that space.
        padding_background_color: optional String => "paddingBackgroundColor", style();
        /// CSS transform of the content.
        transform: optional String => "transform", style();
        /// Clip of the container: inset, circle, ellipse, polygon or path.
        clip_path: optional String => "clipPath", style();
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// How the layer's colours combine with those beneath it: a CSS blend mode such as multiply, normal when
        /// omitted.
        mix_blend_mode: optional String => "mixBlendMode", style();
        /// Order inside this overlay only.
        z_index: optional f64 => "zIndex", number();
        /// Enter, exit and continuous motion.
        animation: optional Animation => "animation", animation();
        /// Keyframes for the whole content.
        staggered_motion: optional StaggeredMotion => "staggeredMotion", object();
        /// Shows only the crop rectangle.
        crop_enabled: default bool => "cropEnabled", flag(), false;
        /// Left edge of the crop in percent.
        crop_x: default f64 => "cropX", number().between(0.0, 100.0), 0.0;
        /// Top edge of the crop in percent.
        crop_y: default f64 => "cropY", number().between(0.0, 100.0), 0.0;
        /// Width of the crop in percent.
        crop_width: default f64 => "cropWidth", number().between(0.0, 100.0), 100.0;
        /// Height of the crop in percent.
        crop_height: default f64 => "cropHeight", number().between(0.0, 100.0), 100.0;
        /// Tilts the picture in space.
        layout_3d: optional Layout3d => "layout3D", object();
    }
}

choices! {
    /// The poses of a picture in space.
    pub enum Layout3dName {
        None = "none",
        TiltUp = "tilt-up",
        TiltDown = "tilt-down",
        CardLeft = "card-left",
        CardRight = "card-right",
        Book = "book",
        Floating = "floating",
        Billboard = "billboard",
        Skewed = "skewed",
    }
}

record! {
    /// A pose in space.
    pub struct Layout3d {
        /// The pose.
        layout: default Layout3dName => "layout", one_of(), Layout3dName::None;
        /// Starts in the pose and turns flat during the enter ramp.
        settle: default bool => "settle", flag(), false;
    }
}

record! {
    /// A sound, played from its in-point. Its box is required and has no effect.
    pub struct Sound {
        /// Address of the sound.
        src: required String => "src", text();
        /// Label for editors. Does not change the film.
        content: optional String => "content", text().at_most(MOST_CONTENT);
        /// In-point in the source in seconds.
        start_from: default f64 => "startFromSound", amount(), 0.0;
        /// Length of the source in frames, as an editor noted it.
        source_frames: optional u32 => "videoDurationInFrames", frames();
        /// Length of the source in seconds, as an editor noted it.
        media_src_duration: optional f64 => "mediaSrcDuration", amount();
        /// Playback speed.
        speed: default f64 => "speed", number().between(0.001, 100.0), 1.0;
        /// Volume and fades.
        styles: default SoundStyles => "styles", object(), SoundStyles::default();
    }
}

impl OverlayType for Sound {
    fn variable(&self, _: &Base) -> Variable {
        Variable::new(Field::Src, "Address of a sound, or a tts object with a text to be spoken.", &self.src)
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.src = plain_value(value, "an address or a tts object", reader)?;
        Some(())
    }

    fn media(&self) -> Vec<MediaSource<'_>> {
        vec![MediaSource::src(MediaRole::Sound, &self.src)]
    }

    fn media_addresses_mut(&mut self) -> Vec<&mut String> {
        vec![&mut self.src]
    }

    fn ai_value(&self) -> Option<AiKind> {
        Some(AiKind::Tts)
    }

    fn playback(&self) -> Option<Playback<'_>> {
        let SoundStyles { volume, fade_in, fade_out, .. } = self.styles;
        Some(Playback { start: self.start_from, speed: self.speed, segments: &[], volume, fade_in, fade_out })
    }

    fn is_visible(&self) -> bool {
        false
    }
}

record! {
    /// Styles of a sound overlay.
    pub struct SoundStyles {
        /// Volume from 0 to 1.
        volume: default f64 => "volume", number().between(0.0, 1.0), 1.0;
        /// Fade-in in seconds.
        fade_in: default f64 => "fadeIn", amount(), 0.0;
        /// Fade-out in seconds.
        fade_out: default f64 => "fadeOut", amount(), 0.0;
        /// Without effect.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// Without effect.
        z_index: optional f64 => "zIndex", number();
        /// Without effect.
        transform: optional String => "transform", style();
    }
}

record! {
    /// Removes a coloured background.
    pub struct Greenscreen {
        /// Switches keying on.
        enabled: required bool => "enabled", flag();
        /// How much is removed, from 0 to 255.
        sensitivity: default f64 => "sensitivity", number().within(0.0, 255.0), 100.0;
        /// Which pixels are looked at.
        threshold: default ChannelThresholds => "threshold", object(), ChannelThresholds::default();
        /// Softens the edge, from 0 to 10 pixels.
        smoothing: default f64 => "smoothing", number().within(0.0, 10.0), 0.0;
        /// Takes the green cast off what remains, from 0 to 1.
        spill: default f64 => "spill", number().within(0.0, 1.0), 0.0;
        /// Colour of the background as hex; its strongest channel is keyed. Green when omitted.
        key_color: optional String => "keyColor", text();
    }
}

record! {
    /// Levels of the colour channels, each from 0 to 255.
    pub struct ChannelThresholds {
        /// Red of a keyed pixel is below this.
        red: default f64 => "red", number().between(0.0, 255.0), 100.0;
        /// Green of a keyed pixel is above this.
        green: default f64 => "green", number().between(0.0, 255.0), 100.0;
        /// Blue of a keyed pixel is below this.
        blue: default f64 => "blue", number().between(0.0, 255.0), 100.0;
    }
}
