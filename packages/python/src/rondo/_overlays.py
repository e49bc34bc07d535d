"""The methods of `Film` that add overlays. Made from the format by packages/python/generate."""

from __future__ import annotations

from typing import Any, List, Literal, Optional, TypeVar, Union

from . import names, types

F = TypeVar("F", bound="Overlays")


class Overlays:
    """One method for each type of overlay. Fields have their names in the format; `start` is its `from`."""

    def add(self: F, type: str, **fields: Any) -> F:
        raise NotImplementedError

    def text(
        self: F,
        content: str,
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        styles: Optional[types.TextStyles] = None,
    ) -> F:
        """A block of text, centred vertically in its box and shrunk to fit it.

        content: The text; newlines break lines.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        styles: How the text looks and moves.
        """
        return self.add(
            "text",
            content=content,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            styles=styles,
        )

    def video(
        self: F,
        src: str,
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        content: Optional[str] = None,
        videoStartTime: Optional[float] = None,
        mediaSrcDuration: Optional[float] = None,
        speed: Optional[float] = None,
        segments: Optional[List[types.MediaSegment]] = None,
        greenscreen: Optional[types.Greenscreen] = None,
        styles: Optional[types.VideoStyles] = None,
    ) -> F:
        """A video, played from its in-point and held on its last frame.

        src: Address of the video.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        content: Thumbnail for editors. Does not change the film.
        videoStartTime: In-point in the source in seconds. Ignored when there are segments. Default: 0.
        mediaSrcDuration: Length of the source in seconds, as an editor noted it.
        speed: Playback speed. Default: 1.
        segments: Parts of the source played one after another.
        greenscreen: Removes a green background.
        styles: How the video looks, moves and sounds.
        """
        return self.add(
            "video",
            src=src,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            content=content,
            videoStartTime=videoStartTime,
            mediaSrcDuration=mediaSrcDuration,
            speed=speed,
            segments=segments,
            greenscreen=greenscreen,
            styles=styles,
        )

    def image(
        self: F,
        src: str,
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        content: Optional[str] = None,
        greenscreen: Optional[types.Greenscreen] = None,
        styles: Optional[types.ImageStyles] = None,
    ) -> F:
        """A picture.

        src: Address of the picture.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        content: Thumbnail for editors. Does not change the film.
        greenscreen: Removes a green background.
        styles: How the picture looks and moves.
        """
        return self.add(
            "image",
            src=src,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            content=content,
            greenscreen=greenscreen,
            styles=styles,
        )

    def sound(
        self: F,
        src: str,
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        content: Optional[str] = None,
        startFromSound: Optional[float] = None,
        videoDurationInFrames: Optional[float] = None,
        mediaSrcDuration: Optional[float] = None,
        speed: Optional[float] = None,
        styles: Optional[types.SoundStyles] = None,
    ) -> F:
        """A sound, played from its in-point. Its box is required and has no effect.

        src: Address of the sound.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        content: Label for editors. Does not change the film.
        startFromSound: In-point in the source in seconds. Default: 0.
        videoDurationInFrames: Length of the source in frames, as an editor noted it.
        mediaSrcDuration: Length of the source in seconds, as an editor noted it.
        speed: Playback speed. Default: 1.
        styles: Volume and fades.
        """
        return self.add(
            "sound",
            src=src,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            content=content,
            startFromSound=startFromSound,
            videoDurationInFrames=videoDurationInFrames,
            mediaSrcDuration=mediaSrcDuration,
            speed=speed,
            styles=styles,
        )

    def shape(
        self: F,
        content: names.ShapeName,
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        styles: Optional[types.ShapeStyles] = None,
    ) -> F:
        """A geometric shape that fills its box.

        content: Name of the shape, such as rectangle, circle or star; or SVG path data in a box of 100 by 100.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        styles: How the shape looks and moves.
        """
        return self.add(
            "shape",
            content=content,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            styles=styles,
        )

    def sticker(
        self: F,
        content: names.StickerName,
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        category: Optional[Literal['Shapes', 'Discounts', 'Emojis', 'Reviews', 'Default']] = None,
        styles: Optional[types.StickerStyles] = None,
    ) -> F:
        """A sticker from the collection, or an emoji.

        content: Name of the sticker, or a literal emoji.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        category: Shelf on which editors show it. Does not change the film.
        styles: How the sticker looks and moves.
        """
        return self.add(
            "sticker",
            content=content,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            category=category,
            styles=styles,
        )

    def captions(
        self: F,
        captions: List[types.Caption],
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        template: Optional[Union[names.CaptionTemplateName, float]] = None,
        styles: Optional[types.CaptionStyles] = None,
    ) -> F:
        """Captions that follow speech.

        captions: The captions in order of time.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        template: Name of the caption style. `styles` override it field by field. Without a known name they stand alone; without both, the style is classic.
        styles: How the captions look. An empty object counts as none.
        """
        return self.add(
            "caption",
            captions=captions,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            template=template,
            styles=styles,
        )

    def effect(
        self: F,
        content: Literal['snow', 'confetti', 'rain', 'fireflies', 'sparkles', 'bubbles', 'matrix', 'grid-stagger', 'fracture', 'scrolling-columns'],
        *,
        id: Optional[float] = None,
        start: Optional[float] = None,
        durationInFrames: Optional[float] = None,
        row: Optional[float] = None,
        top: Optional[float] = None,
        left: Optional[float] = None,
        width: Optional[float] = None,
        height: Optional[float] = None,
        rotation: Optional[float] = None,
        isDynamic: Optional[bool] = None,
        name: Optional[str] = None,
        styles: Optional[types.EffectStyles] = None,
    ) -> F:
        """A drawn effect that fills its box.

        content: Which effect.
        id: Unique within the composition.
        start: First frame at which the overlay is visible, rounded to a whole frame.
        durationInFrames: Visible length in frames, rounded to a whole frame.
        row: Track: lower rows are painted in front. Overlays on one row are painted in array order.
        top: Pixels from the canvas top.
        left: Pixels from the canvas left.
        width: Width in pixels.
        height: Height in pixels.
        rotation: Clockwise rotation about the centre in degrees. Default: 0.
        isDynamic: Makes the overlay a variable that a replacement can fill. Default: false.
        name: Name of the variable.
        styles: How the effect looks and moves.
        """
        return self.add(
            "effect",
            content=content,
            id=id,
            start=start,
            durationInFrames=durationInFrames,
            row=row,
            top=top,
            left=left,
            width=width,
            height=height,
            rotation=rotation,
            isDynamic=isDynamic,
            name=name,
            styles=styles,
        )
