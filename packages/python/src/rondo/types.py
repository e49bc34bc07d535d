"""The types of the API. Made from its OpenAPI document by packages/python/generate."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

from .names import AnimationName, CaptionTemplateName, DuringName, EasingName, FilterName, FontName, ShapeName, StickerName


_AnimationOptional = TypedDict(
    "_AnimationOptional",
    {
        "enter": "Union[AnimationName, float]",
        "exit": "Union[AnimationName, float]",
        "enterDuration": "float",
        "exitDuration": "float",
        "during": "Union[DuringName, float]",
        "duringSpeed": "float",
        "duringIntensity": "float",
    }, total=False,
)


class Animation(_AnimationOptional):
    """How an overlay appears, moves while it is there, and leaves. Presets are looked up by name."""


_StaggeredMotionOptional = TypedDict(
    "_StaggeredMotionOptional",
    {
        "enabled": "bool",
        "stagger": "float",
        "staggerDirection": "Literal['forward', 'reverse', 'center', 'random']",
        "y": "list[float]",
        "x": "list[float]",
        "scale": "list[float]",
        "opacity": "list[float]",
        "rotate": "list[float]",
        "blur": "list[float]",
        "duration": "float",
        "delay": "float",
        "easing": "Union[EasingName, float]",
    }, total=False,
)


class StaggeredMotion(_StaggeredMotionOptional):
    """Keyframes applied to the children of an overlay one after another. Arrays are keyframes spaced evenly over `duration`; an empty array leaves its property alone."""


_AnimatedTextOptional = TypedDict(
    "_AnimatedTextOptional",
    {
        "enabled": "bool",
        "split": "str",
        "splitStagger": "float",
        "y": "list[float]",
        "x": "list[float]",
        "blur": "list[float]",
        "opacity": "list[float]",
        "scale": "list[float]",
        "rotate": "list[float]",
        "glitch": "list[float]",
        "duration": "float",
        "delay": "float",
        "easing": "Union[EasingName, float]",
    }, total=False,
)


class AnimatedText(_AnimatedTextOptional):
    """Keyframes spread over the units of a text. Arrays are keyframes spaced evenly over `duration`; an empty array leaves its property alone."""


_TypeWriterOptional = TypedDict(
    "_TypeWriterOptional",
    {
        "enabled": "bool",
        "cursor": "bool",
        "loop": "bool",
        "deleteBeforeNext": "bool",
        "typeSpeed": "float",
        "deleteSpeed": "float",
        "errorRate": "float",
        "errorCorrectDelay": "float",
        "blinkSpeed": "float",
        "pauseAfterType": "float",
        "pauseAfterDelete": "float",
        "delay": "float",
    }, total=False,
)


class TypeWriter(_TypeWriterOptional):
    """Types the text letter by letter, with a cursor."""


_CounterModeOptional = TypedDict(
    "_CounterModeOptional",
    {
        "enabled": "bool",
        "from": "float",
        "to": "float",
        "toFixed": "float",
        "duration": "float",
        "delay": "float",
        "prefix": "Union[str, float]",
        "postfix": "Union[str, float]",
        "separator": "str",
        "easing": "Union[EasingName, float]",
    }, total=False,
)


class CounterMode(_CounterModeOptional):
    """Counts a number from `from` to `to` in place of the text."""


_CodeBlockOptional = TypedDict(
    "_CodeBlockOptional",
    {
        "enabled": "bool",
        "language": "Union[str, float]",
        "theme": "Literal['dark', 'light']",
        "showLineNumbers": "bool",
        "lineStagger": "float",
        "fontSize": "float",
    }, total=False,
)


class CodeBlock(_CodeBlockOptional):
    """Shows the content as highlighted code."""


_TextStylesOptional = TypedDict(
    "_TextStylesOptional",
    {
        "fontSize": "Union[str, float]",
        "fontSizeFixed": "bool",
        "fontSizeScale": "float",
        "fontWeight": "Union[str, float]",
        "color": "Union[str, float]",
        "backgroundColor": "Union[str, float]",
        "fontFamily": "Union[FontName, float]",
        "fontStyle": "Union[str, float]",
        "textDecoration": "Union[str, float]",
        "fontStretch": "Union[str, float]",
        "fontVariantNumeric": "Union[str, float]",
        "fontFeatureSettings": "Union[str, float]",
        "lineHeight": "Union[str, float]",
        "letterSpacing": "Union[str, float]",
        "wordSpacing": "Union[str, float]",
        "textIndent": "Union[str, float]",
        "verticalAlign": "Union[str, float]",
        "textAlign": "Literal['left', 'center', 'right']",
        "textShadow": "Union[str, float]",
        "padding": "Union[str, float]",
        "paddingBackgroundColor": "Union[str, float]",
        "borderRadius": "Union[str, float]",
        "boxShadow": "Union[str, float]",
        "background": "Union[str, float]",
        "backgroundSize": "Union[str, float]",
        "backgroundPosition": "Union[str, float]",
        "backgroundRepeat": "Union[str, float]",
        "WebkitBackgroundClip": "Union[str, float]",
        "WebkitTextFillColor": "Union[str, float]",
        "WebkitTextStroke": "Union[str, float]",
        "WebkitTextStrokeWidth": "Union[str, float]",
        "WebkitTextStrokeColor": "Union[str, float]",
        "paintOrder": "Union[str, float]",
        "filter": "Union[FilterName, float]",
        "backdropFilter": "Union[str, float]",
        "border": "Union[str, float]",
        "textTransform": "Union[str, float]",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "zIndex": "float",
        "transform": "Union[str, float]",
        "animation": "Animation",
        "staggeredMotion": "StaggeredMotion",
        "animatedText": "AnimatedText",
        "typeWriter": "TypeWriter",
        "counterMode": "CounterMode",
        "codeBlock": "CodeBlock",
    }, total=False,
)


class TextStyles(_TextStylesOptional):
    """Styles of a text overlay. Strings hold CSS values."""


_TextOverlayRequired = TypedDict(
    "_TextOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['text']",
        "content": "str",
    },
)
_TextOverlayOptional = TypedDict(
    "_TextOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "styles": "TextStyles",
    }, total=False,
)


class TextOverlay(_TextOverlayRequired, _TextOverlayOptional):
    """A block of text, centred vertically in its box and shrunk to fit it."""


_MediaSegmentRequired = TypedDict(
    "_MediaSegmentRequired",
    {
        "startFrame": "float",
        "endFrame": "float",
    },
)
_MediaSegmentOptional = TypedDict(
    "_MediaSegmentOptional",
    {
        "speed": "float",
    }, total=False,
)


class MediaSegment(_MediaSegmentRequired, _MediaSegmentOptional):
    """A part of a source, in frames of the composition's rate."""


_ChannelThresholdsOptional = TypedDict(
    "_ChannelThresholdsOptional",
    {
        "red": "float",
        "green": "float",
        "blue": "float",
    }, total=False,
)


class ChannelThresholds(_ChannelThresholdsOptional):
    """Levels of the colour channels, each from 0 to 255."""


_GreenscreenRequired = TypedDict(
    "_GreenscreenRequired",
    {
        "enabled": "bool",
    },
)
_GreenscreenOptional = TypedDict(
    "_GreenscreenOptional",
    {
        "sensitivity": "float",
        "threshold": "ChannelThresholds",
        "smoothing": "float",
        "spill": "float",
        "keyColor": "str",
    }, total=False,
)


class Greenscreen(_GreenscreenRequired, _GreenscreenOptional):
    """Removes a coloured background."""


_VideoStylesOptional = TypedDict(
    "_VideoStylesOptional",
    {
        "objectFit": "Literal['cover', 'contain', 'fill', 'none', 'scale-down']",
        "objectPosition": "Union[str, float]",
        "filter": "Union[FilterName, float]",
        "boxShadow": "Union[str, float]",
        "border": "Union[str, float]",
        "padding": "Union[str, float]",
        "paddingBackgroundColor": "Union[str, float]",
        "borderRadius": "Union[str, float]",
        "transform": "Union[str, float]",
        "clipPath": "Union[str, float]",
        "volume": "float",
        "fadeIn": "float",
        "fadeOut": "float",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "zIndex": "float",
        "animation": "Animation",
        "staggeredMotion": "StaggeredMotion",
        "cropEnabled": "bool",
        "cropX": "float",
        "cropY": "float",
        "cropWidth": "float",
        "cropHeight": "float",
    }, total=False,
)


class VideoStyles(_VideoStylesOptional):
    """Styles of a video overlay. Strings hold CSS values."""


_VideoOverlayRequired = TypedDict(
    "_VideoOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['video']",
        "src": "str",
    },
)
_VideoOverlayOptional = TypedDict(
    "_VideoOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "content": "str",
        "videoStartTime": "float",
        "mediaSrcDuration": "float",
        "speed": "float",
        "segments": "list[MediaSegment]",
        "greenscreen": "Greenscreen",
        "styles": "VideoStyles",
    }, total=False,
)


class VideoOverlay(_VideoOverlayRequired, _VideoOverlayOptional):
    """A video, played from its in-point and held on its last frame."""


_Layout3dOptional = TypedDict(
    "_Layout3dOptional",
    {
        "layout": "Literal['none', 'tilt-up', 'tilt-down', 'card-left', 'card-right', 'book', 'floating', 'billboard', 'skewed']",
        "settle": "bool",
    }, total=False,
)


class Layout3d(_Layout3dOptional):
    """A pose in space."""


_ImageStylesOptional = TypedDict(
    "_ImageStylesOptional",
    {
        "filter": "Union[FilterName, float]",
        "borderRadius": "Union[str, float]",
        "objectFit": "Literal['cover', 'contain', 'fill', 'none', 'scale-down']",
        "objectPosition": "Union[str, float]",
        "boxShadow": "Union[str, float]",
        "border": "Union[str, float]",
        "padding": "Union[str, float]",
        "paddingBackgroundColor": "Union[str, float]",
        "transform": "Union[str, float]",
        "clipPath": "Union[str, float]",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "zIndex": "float",
        "animation": "Animation",
        "staggeredMotion": "StaggeredMotion",
        "cropEnabled": "bool",
        "cropX": "float",
        "cropY": "float",
        "cropWidth": "float",
        "cropHeight": "float",
        "layout3D": "Layout3d",
    }, total=False,
)


class ImageStyles(_ImageStylesOptional):
    """Styles of an image overlay. Strings hold CSS values."""


_ImageOverlayRequired = TypedDict(
    "_ImageOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['image']",
        "src": "str",
    },
)
_ImageOverlayOptional = TypedDict(
    "_ImageOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "content": "str",
        "greenscreen": "Greenscreen",
        "styles": "ImageStyles",
    }, total=False,
)


class ImageOverlay(_ImageOverlayRequired, _ImageOverlayOptional):
    """A picture."""


_SoundStylesOptional = TypedDict(
    "_SoundStylesOptional",
    {
        "volume": "float",
        "fadeIn": "float",
        "fadeOut": "float",
        "opacity": "float",
        "zIndex": "float",
        "transform": "Union[str, float]",
    }, total=False,
)


class SoundStyles(_SoundStylesOptional):
    """Styles of a sound overlay."""


_SoundOverlayRequired = TypedDict(
    "_SoundOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['sound']",
        "src": "str",
    },
)
_SoundOverlayOptional = TypedDict(
    "_SoundOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "content": "str",
        "startFromSound": "float",
        "videoDurationInFrames": "float",
        "mediaSrcDuration": "float",
        "speed": "float",
        "styles": "SoundStyles",
    }, total=False,
)


class SoundOverlay(_SoundOverlayRequired, _SoundOverlayOptional):
    """A sound, played from its in-point. Its box is required and has no effect."""


_GradientTransitionOptional = TypedDict(
    "_GradientTransitionOptional",
    {
        "enabled": "bool",
        "gradients": "list[str]",
        "duration": "float",
        "easing": "Union[EasingName, float]",
    }, total=False,
)


class GradientTransition(_GradientTransitionOptional):
    """Gradients that turn into one another."""


_ShapeStylesOptional = TypedDict(
    "_ShapeStylesOptional",
    {
        "fill": "Union[str, float]",
        "stroke": "Union[str, float]",
        "strokeWidth": "float",
        "borderRadius": "Union[str, float]",
        "boxShadow": "Union[str, float]",
        "gradient": "Union[str, float]",
        "gradientTransition": "GradientTransition",
        "transform": "Union[str, float]",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "zIndex": "float",
        "animation": "Animation",
        "staggeredMotion": "StaggeredMotion",
    }, total=False,
)


class ShapeStyles(_ShapeStylesOptional):
    """Styles of a shape overlay. Strings hold CSS values."""


_ShapeOverlayRequired = TypedDict(
    "_ShapeOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['shape']",
        "content": "ShapeName",
    },
)
_ShapeOverlayOptional = TypedDict(
    "_ShapeOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "styles": "ShapeStyles",
    }, total=False,
)


class ShapeOverlay(_ShapeOverlayRequired, _ShapeOverlayOptional):
    """A geometric shape that fills its box."""


_StickerStylesOptional = TypedDict(
    "_StickerStylesOptional",
    {
        "fill": "Union[str, float]",
        "stroke": "Union[str, float]",
        "strokeWidth": "float",
        "scale": "float",
        "filter": "Union[str, float]",
        "transform": "Union[str, float]",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "zIndex": "float",
        "animation": "Animation",
        "staggeredMotion": "StaggeredMotion",
    }, total=False,
)


class StickerStyles(_StickerStylesOptional):
    """Styles of a sticker overlay. Strings hold CSS values."""


_StickerOverlayRequired = TypedDict(
    "_StickerOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['sticker']",
        "content": "StickerName",
    },
)
_StickerOverlayOptional = TypedDict(
    "_StickerOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "category": "Literal['Shapes', 'Discounts', 'Emojis', 'Reviews', 'Default']",
        "styles": "StickerStyles",
    }, total=False,
)


class StickerOverlay(_StickerOverlayRequired, _StickerOverlayOptional):
    """A sticker from the collection, or an emoji."""


_CaptionWordRequired = TypedDict(
    "_CaptionWordRequired",
    {
        "word": "str",
        "startMs": "float",
        "endMs": "float",
        "confidence": "float",
    },
)


class CaptionWord(_CaptionWordRequired):
    """One word of a caption."""


_CaptionRequired = TypedDict(
    "_CaptionRequired",
    {
        "text": "str",
        "startMs": "float",
        "endMs": "float",
        "words": "list[CaptionWord]",
    },
)
_CaptionOptional = TypedDict(
    "_CaptionOptional",
    {
        "timestampMs": "float",
        "confidence": "float",
    }, total=False,
)


class Caption(_CaptionRequired, _CaptionOptional):
    """One caption. Times are milliseconds from the start of the overlay."""


_HighlightStyleOptional = TypedDict(
    "_HighlightStyleOptional",
    {
        "backgroundColor": "Union[str, float]",
        "color": "Union[str, float]",
        "textShadow": "Union[str, float]",
        "padding": "Union[str, float]",
        "borderRadius": "Union[str, float]",
        "transition": "Union[str, float]",
        "background": "Union[str, float]",
        "border": "Union[str, float]",
        "backdropFilter": "Union[str, float]",
        "scale": "float",
        "fontWeight": "Union[str, float]",
        "fontStyle": "Union[str, float]",
        "transform": "Union[str, float]",
    }, total=False,
)


class HighlightStyle(_HighlightStyleOptional):
    """Styles of the word being spoken. Strings hold CSS values."""


_CaptionStylesOptional = TypedDict(
    "_CaptionStylesOptional",
    {
        "fontFamily": "Union[FontName, float]",
        "fontSize": "Union[str, float]",
        "lineHeight": "float",
        "textAlign": "Literal['left', 'center', 'right']",
        "color": "Union[str, float]",
        "backgroundColor": "Union[str, float]",
        "background": "Union[str, float]",
        "WebkitBackgroundClip": "Union[str, float]",
        "WebkitTextFillColor": "Union[str, float]",
        "WebkitTextStroke": "Union[str, float]",
        "WebkitTextStrokeWidth": "Union[str, float]",
        "WebkitTextStrokeColor": "Union[str, float]",
        "paintOrder": "Union[str, float]",
        "backdropFilter": "Union[str, float]",
        "padding": "Union[str, float]",
        "letterSpacing": "Union[str, float]",
        "textShadow": "Union[str, float]",
        "borderRadius": "Union[str, float]",
        "transition": "Union[str, float]",
        "fontWeight": "Union[str, float]",
        "fontStyle": "Union[str, float]",
        "textTransform": "Union[str, float]",
        "highlightStyle": "HighlightStyle",
        "mode": "Literal['highlight', 'karaoke', 'progressive', 'one-word', 'fill']",
        "border": "Union[str, float]",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "transform": "Union[str, float]",
        "animation": "Animation",
    }, total=False,
)


class CaptionStyles(_CaptionStylesOptional):
    """Styles of a caption overlay. Strings hold CSS values."""


_CaptionOverlayRequired = TypedDict(
    "_CaptionOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['caption']",
        "captions": "list[Caption]",
    },
)
_CaptionOverlayOptional = TypedDict(
    "_CaptionOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "template": "Union[CaptionTemplateName, float]",
        "styles": "CaptionStyles",
    }, total=False,
)


class CaptionOverlay(_CaptionOverlayRequired, _CaptionOverlayOptional):
    """Captions that follow speech."""


_ColumnOptional = TypedDict(
    "_ColumnOptional",
    {
        "images": "list[str]",
        "speed": "float",
        "direction": "Literal['up', 'down']",
    }, total=False,
)


class Column(_ColumnOptional):
    """One column of scrolling pictures."""


_EffectStylesOptional = TypedDict(
    "_EffectStylesOptional",
    {
        "color": "Union[str, float]",
        "particleCount": "float",
        "speed": "float",
        "size": "float",
        "opacity": "float",
        "mixBlendMode": "Union[str, float]",
        "zIndex": "float",
        "transform": "Union[str, float]",
        "matrixColor": "Union[str, float]",
        "matrixCharset": "Union[str, float]",
        "matrixFontSize": "float",
        "matrixDensity": "float",
        "gridCols": "float",
        "gridRows": "float",
        "staggerDelay": "float",
        "staggerDir": "Literal['forward', 'reverse', 'center', 'random']",
        "animDuration": "float",
        "cellColors": "list[str]",
        "cellImages": "list[str]",
        "columns": "list[Column]",
        "columnGap": "float",
        "imageHeight": "float",
        "animation": "Animation",
        "staggeredMotion": "StaggeredMotion",
    }, total=False,
)


class EffectStyles(_EffectStylesOptional):
    """Styles of an effect overlay. What is omitted takes the effect's own value."""


_EffectOverlayRequired = TypedDict(
    "_EffectOverlayRequired",
    {
        "id": "float",
        "from": "float",
        "durationInFrames": "float",
        "row": "float",
        "top": "float",
        "left": "float",
        "width": "float",
        "height": "float",
        "type": "Literal['effect']",
        "content": "Literal['snow', 'confetti', 'rain', 'fireflies', 'sparkles', 'bubbles', 'matrix', 'grid-stagger', 'fracture', 'scrolling-columns']",
    },
)
_EffectOverlayOptional = TypedDict(
    "_EffectOverlayOptional",
    {
        "rotation": "float",
        "isDragging": "bool",
        "isDynamic": "bool",
        "name": "str",
        "styles": "EffectStyles",
    }, total=False,
)


class EffectOverlay(_EffectOverlayRequired, _EffectOverlayOptional):
    """A drawn effect that fills its box."""


_ColorVariableRequired = TypedDict(
    "_ColorVariableRequired",
    {
        "name": "str",
        "value": "str",
    },
)
_ColorVariableOptional = TypedDict(
    "_ColorVariableOptional",
    {
        "fields": "list[str]",
    }, total=False,
)


class ColorVariable(_ColorVariableRequired, _ColorVariableOptional):
    """A colour of the film that is a variable."""


_FontVariableRequired = TypedDict(
    "_FontVariableRequired",
    {
        "name": "str",
        "value": "FontName",
    },
)
_FontVariableOptional = TypedDict(
    "_FontVariableOptional",
    {
        "fields": "list[str]",
    }, total=False,
)


class FontVariable(_FontVariableRequired, _FontVariableOptional):
    """A font of the film that is a variable."""


_CompositionRequired = TypedDict(
    "_CompositionRequired",
    {
        "overlays": "list[Union[TextOverlay, VideoOverlay, ImageOverlay, SoundOverlay, ShapeOverlay, StickerOverlay, CaptionOverlay, EffectOverlay]]",
        "durationInFrames": "int",
    },
)
_CompositionOptional = TypedDict(
    "_CompositionOptional",
    {
        "fps": "int",
        "width": "int",
        "height": "int",
        "backgroundColor": "str",
        "src": "str",
        "posterFrame": "int",
        "colors": "list[ColorVariable]",
        "fonts": "list[FontVariable]",
    }, total=False,
)


class Composition(_CompositionRequired, _CompositionOptional):
    """A film: overlays on a canvas over time."""


_FailureRequired = TypedDict(
    "_FailureRequired",
    {
        "success": "bool",
        "error": "str",
        "details": "FailureDetails",
    },
)


class Failure(_FailureRequired):
    """The body of every other answer."""


_FailureDetailsRequired = TypedDict(
    "_FailureDetailsRequired",
    {
        "reason": "str",
    },
)
_FailureDetailsOptional = TypedDict(
    "_FailureDetailsOptional",
    {
        "issues": "Union[list[Issue], None]",
    }, total=False,
)


class FailureDetails(_FailureDetailsRequired, _FailureDetailsOptional):
    """What programs may act on; more fields depend on the reason."""


_IssueRequired = TypedDict(
    "_IssueRequired",
    {
        "path": "str",
        "code": "str",
        "message": "str",
    },
)


class Issue(_IssueRequired):
    """A problem with one field of a request."""


_NarrationRequired = TypedDict(
    "_NarrationRequired",
    {
        "text": "str",
    },
)
_NarrationOptional = TypedDict(
    "_NarrationOptional",
    {
        "voice": "str",
        "speed": "float",
    }, total=False,
)


class Narration(_NarrationRequired, _NarrationOptional):
    """Text to be spoken for a sound variable: the value of `tts`."""


_NarrationValueRequired = TypedDict(
    "_NarrationValueRequired",
    {
        "tts": "Narration",
    },
)


class NarrationValue(_NarrationValueRequired):
    """Speech to generate, as the value of a sound variable."""


_TranscriptionOptional = TypedDict(
    "_TranscriptionOptional",
    {
        "source": "str",
        "url": "str",
        "language": "str",
        "startTime": "float",
        "endTime": "float",
    }, total=False,
)


class Transcription(_TranscriptionOptional):
    """Speech to be turned into captions: the value of `transcribe`. Exactly one of `source` and `url` is given."""


_TranscriptionValueRequired = TypedDict(
    "_TranscriptionValueRequired",
    {
        "transcribe": "Transcription",
    },
)


class TranscriptionValue(_TranscriptionValueRequired):
    """Speech to transcribe, as the value of a caption variable."""


_OutputOptional = TypedDict(
    "_OutputOptional",
    {
        "format": "Literal['mp4', 'webm', 'mov', 'gif', 'png', 'jpg', 'webp', 'mp3', 'wav', 'aac', 'm4a']",
        "codec": "Literal['h264', 'hevc', 'av1', 'vp9', 'prores']",
        "quality": "Literal['standard', 'draft', 'high']",
        "alpha": "bool",
        "frame": "int",
        "range": "list[int]",
        "scale": "float",
    }, total=False,
)


class Output(_OutputOptional):
    """The file to make. Default: an MP4 film."""


_DuckingOptional = TypedDict(
    "_DuckingOptional",
    {
        "amount": "float",
        "attack": "float",
        "release": "float",
        "narration": "list[str]",
    }, total=False,
)


class Ducking(_DuckingOptional):
    """How everything else is turned down while narration is heard."""


_FinishOptional = TypedDict(
    "_FinishOptional",
    {
        "loudness": "float",
        "ducking": "Union[bool, Ducking]",
    }, total=False,
)


class Finish(_FinishOptional):
    """How the sound of a film is finished. Nothing of it is done unless it is asked for."""


_CreatedRenderRequired = TypedDict(
    "_CreatedRenderRequired",
    {
        "jobId": "str",
        "status": "str",
        "creditsUsed": "int",
        "estimatedDurationMinutes": "int",
        "mode": "str",
    },
)
_CreatedRenderOptional = TypedDict(
    "_CreatedRenderOptional",
    {
        "projectId": "Union[str, None]",
    }, total=False,
)


class CreatedRender(_CreatedRenderRequired, _CreatedRenderOptional):
    """A render job that was accepted."""


_RenderBodyOptional = TypedDict(
    "_RenderBodyOptional",
    {
        "inputProps": "Composition",
        "templateId": "str",
        "projectId": "str",
        "replacements": "dict[str, Union[Union[str, float, bool, None], NarrationValue, TranscriptionValue, list[Caption], list[CaptionWord]]]",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "output": "Output",
        "audio": "Finish",
        "metadata": "dict[str, Any]",
        "draft": "bool",
        "createProject": "bool",
        "projectName": "str",
        "webhookUrl": "str",
        "confirmAiCost": "bool",
    }, total=False,
)


class RenderBody(_RenderBodyOptional):
    """A film to render. Exactly one of inputProps, templateId and projectId is required. Any other top-level key counts as a replacement."""


_RenderListRequired = TypedDict(
    "_RenderListRequired",
    {
        "renders": "list[RenderJob]",
        "total": "int",
        "hasMore": "bool",
    },
)
_RenderListOptional = TypedDict(
    "_RenderListOptional",
    {
        "nextCursor": "Union[str, None]",
    }, total=False,
)


class RenderList(_RenderListRequired, _RenderListOptional):
    """A page of render jobs, newest first."""


_RenderJobRequired = TypedDict(
    "_RenderJobRequired",
    {
        "jobId": "str",
        "mode": "str",
        "status": "str",
        "progressPercentage": "int",
        "creditsUsed": "int",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "format": "str",
        "createdAt": "str",
        "updatedAt": "str",
        "test": "bool",
    },
)
_RenderJobOptional = TypedDict(
    "_RenderJobOptional",
    {
        "projectId": "Union[str, None]",
        "inputProps": "Any",
        "outputUrl": "Union[str, None]",
        "posterUrl": "Union[str, None]",
        "expiresAt": "Union[str, None]",
        "outputSize": "Union[int, None]",
        "errorMessage": "Union[str, None]",
        "estimatedTimeRemaining": "Union[int, None]",
        "duration": "Union[int, None]",
        "completedAt": "Union[str, None]",
        "project": "Union[ProjectInfo, None]",
        "templateId": "Union[str, None]",
        "metadata": "Any",
        "batchId": "Union[str, None]",
    }, total=False,
)


class RenderJob(_RenderJobRequired, _RenderJobOptional):
    """A render job."""


_ProjectInfoRequired = TypedDict(
    "_ProjectInfoRequired",
    {
        "id": "str",
        "name": "str",
    },
)
_ProjectInfoOptional = TypedDict(
    "_ProjectInfoOptional",
    {
        "templateId": "Union[str, None]",
    }, total=False,
)


class ProjectInfo(_ProjectInfoRequired, _ProjectInfoOptional):
    """The project a job belongs to."""


_CreatedBatchRequired = TypedDict(
    "_CreatedBatchRequired",
    {
        "batchId": "str",
        "status": "str",
        "total": "int",
        "creditsUsed": "int",
        "jobIds": "list[str]",
    },
)


class CreatedBatch(_CreatedBatchRequired):
    """A batch that was accepted."""


_BatchBodyRequired = TypedDict(
    "_BatchBodyRequired",
    {
        "sets": "list[dict[str, Any]]",
    },
)
_BatchBodyOptional = TypedDict(
    "_BatchBodyOptional",
    {
        "templateId": "str",
        "projectId": "str",
        "replacements": "dict[str, Union[Union[str, float, bool, None], NarrationValue, TranscriptionValue, list[Caption], list[CaptionWord]]]",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "output": "Output",
        "audio": "Finish",
        "metadata": "dict[str, Any]",
        "draft": "bool",
        "webhookUrl": "str",
    }, total=False,
)


class BatchBody(_BatchBodyRequired, _BatchBodyOptional):
    """Many renders of one template or project. Exactly one of templateId and projectId is required. Every field but `sets` holds for all renders; `webhookUrl` is called once, when all have ended."""


_BatchPageRequired = TypedDict(
    "_BatchPageRequired",
    {
        "renders": "list[RenderJob]",
        "hasMore": "bool",
        "batchId": "str",
        "status": "str",
        "total": "int",
        "counts": "BatchCounts",
        "progressPercentage": "int",
        "creditsUsed": "int",
        "createdAt": "str",
    },
)
_BatchPageOptional = TypedDict(
    "_BatchPageOptional",
    {
        "nextCursor": "Union[str, None]",
        "templateId": "Union[str, None]",
        "projectId": "Union[str, None]",
        "metadata": "Any",
        "completedAt": "Union[str, None]",
    }, total=False,
)


class BatchPage(_BatchPageRequired, _BatchPageOptional):
    """A batch with a page of its renders."""


_BatchInfoRequired = TypedDict(
    "_BatchInfoRequired",
    {
        "batchId": "str",
        "status": "str",
        "total": "int",
        "counts": "BatchCounts",
        "progressPercentage": "int",
        "creditsUsed": "int",
        "createdAt": "str",
    },
)
_BatchInfoOptional = TypedDict(
    "_BatchInfoOptional",
    {
        "templateId": "Union[str, None]",
        "projectId": "Union[str, None]",
        "metadata": "Any",
        "completedAt": "Union[str, None]",
    }, total=False,
)


class BatchInfo(_BatchInfoRequired, _BatchInfoOptional):
    """A batch of renders."""


_BatchCountsRequired = TypedDict(
    "_BatchCountsRequired",
    {
        "pending": "int",
        "processing": "int",
        "completed": "int",
        "failed": "int",
    },
)


class BatchCounts(_BatchCountsRequired):
    """Renders by status."""


_PreviewAnswerRequired = TypedDict(
    "_PreviewAnswerRequired",
    {
        "previewId": "str",
        "previewUrl": "str",
        "editUrl": "str",
        "expiresAt": "str",
        "resolved": "ResolvedFilm",
        "quote": "QuoteInfo",
        "warnings": "list[PreviewWarning]",
    },
)
_PreviewAnswerOptional = TypedDict(
    "_PreviewAnswerOptional",
    {
        "aiSkipped": "Union[AiSkipped, None]",
    }, total=False,
)


class PreviewAnswer(_PreviewAnswerRequired, _PreviewAnswerOptional):
    """A request resolved without rendering."""


_ResolvedFilmRequired = TypedDict(
    "_ResolvedFilmRequired",
    {
        "mode": "str",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "durationSeconds": "float",
        "posterFrame": "int",
        "variables": "list[ResolvedVariable]",
    },
)


class ResolvedFilm(_ResolvedFilmRequired):
    """The film as it would be rendered."""


_QuoteInfoRequired = TypedDict(
    "_QuoteInfoRequired",
    {
        "credits": "int",
        "creditsPerMinute": "int",
        "durationSeconds": "float",
        "resolutionMultiplier": "int",
        "creditsAvailable": "int",
        "sufficient": "bool",
    },
)


class QuoteInfo(_QuoteInfoRequired):
    """What a render would cost, AI values aside."""


_PreviewWarningRequired = TypedDict(
    "_PreviewWarningRequired",
    {
        "code": "str",
        "severity": "str",
        "message": "str",
    },
)
_PreviewWarningOptional = TypedDict(
    "_PreviewWarningOptional",
    {
        "variable": "Union[str, None]",
        "hint": "Union[str, None]",
        "detail": "Union[dict[str, Any], None]",
    }, total=False,
)


class PreviewWarning(_PreviewWarningRequired, _PreviewWarningOptional):
    """One warning. Fields that do not apply are left out."""


_AiSkippedRequired = TypedDict(
    "_AiSkippedRequired",
    {
        "keys": "list[str]",
        "reason": "str",
        "estimatedCredits": "float",
        "hint": "str",
    },
)


class AiSkipped(_AiSkippedRequired):
    """AI values that were left out."""


_ResolvedVariableRequired = TypedDict(
    "_ResolvedVariableRequired",
    {
        "name": "str",
        "overlayId": "Any",
        "overlayType": "str",
        "field": "str",
        "value": "str",
        "source": "str",
        "type": "str",
    },
)
_ResolvedVariableOptional = TypedDict(
    "_ResolvedVariableOptional",
    {
        "visibleFrame": "Union[int, None]",
        "maxCharacters": "Union[int, None]",
        "linesAvailable": "Union[int, None]",
        "overflowBehavior": "Union[str, None]",
    }, total=False,
)


class ResolvedVariable(_ResolvedVariableRequired, _ResolvedVariableOptional):
    """What landed on a variable."""


_CapacityOptional = TypedDict(
    "_CapacityOptional",
    {
        "maxCharacters": "Union[int, None]",
        "linesAvailable": "Union[int, None]",
        "overflowBehavior": "Union[str, None]",
    }, total=False,
)


class Capacity(_CapacityOptional):
    """What fits into text of a fixed size. Nothing for other variables."""


_ImportAnswerRequired = TypedDict(
    "_ImportAnswerRequired",
    {
        "from": "str",
        "composition": "dict[str, Any]",
        "warnings": "list[ImportWarning]",
    },
)


class ImportAnswer(_ImportAnswerRequired):
    """A composition made of a film of another service or editor."""


_ImportWarningRequired = TypedDict(
    "_ImportWarningRequired",
    {
        "code": "str",
        "severity": "str",
        "path": "str",
        "message": "str",
    },
)


class ImportWarning(_ImportWarningRequired):
    """Something that is not in the composition as the document says it."""


_ImportBodyRequired = TypedDict(
    "_ImportBodyRequired",
    {
        "document": "Union[dict[str, Any], list[Any]]",
    },
)
_ImportBodyOptional = TypedDict(
    "_ImportBodyOptional",
    {
        "from": "Literal['shotstack', 'creatomate', 'json2video', 'rve']",
    }, total=False,
)


class ImportBody(_ImportBodyRequired, _ImportBodyOptional):
    """A film of another service or editor."""


_TemplateListRequired = TypedDict(
    "_TemplateListRequired",
    {
        "templates": "list[TemplateItem]",
        "total": "int",
        "hasMore": "bool",
    },
)
_TemplateListOptional = TypedDict(
    "_TemplateListOptional",
    {
        "nextCursor": "Union[str, None]",
    }, total=False,
)


class TemplateList(_TemplateListRequired, _TemplateListOptional):
    pass


_TemplateItemRequired = TypedDict(
    "_TemplateItemRequired",
    {
        "id": "str",
        "name": "str",
        "description": "str",
        "category": "str",
        "creditsPerMinute": "int",
        "own": "bool",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "createdAt": "str",
        "variables": "list[ListedVariable]",
    },
)
_TemplateItemOptional = TypedDict(
    "_TemplateItemOptional",
    {
        "thumbnailUrl": "Union[str, None]",
        "previewVideoUrl": "Union[str, None]",
        "visibility": "Union[str, None]",
    }, total=False,
)


class TemplateItem(_TemplateItemRequired, _TemplateItemOptional):
    """A template as the list shows it."""


_ListedVariableRequired = TypedDict(
    "_ListedVariableRequired",
    {
        "name": "str",
        "defaultValue": "str",
        "type": "str",
    },
)


class ListedVariable(_ListedVariableRequired):
    """A variable as lists show it."""


_TemplateBodyRequired = TypedDict(
    "_TemplateBodyRequired",
    {
        "projectId": "str",
        "name": "str",
    },
)
_TemplateBodyOptional = TypedDict(
    "_TemplateBodyOptional",
    {
        "description": "str",
        "category": "Literal['PERSONALIZED', 'BRANDING', 'REAL_ESTATE', 'SOCIAL_MEDIA', 'EDUCATIONAL', 'ECOMMERCE', 'SPORTS', 'EVENTS', 'TRAVEL']",
        "creditsPerMinute": "int",
        "visibility": "Literal['private', 'public']",
    }, total=False,
)


class TemplateBody(_TemplateBodyRequired, _TemplateBodyOptional):
    """A template to make of a project."""


_TemplateUpdateOptional = TypedDict(
    "_TemplateUpdateOptional",
    {
        "projectId": "str",
        "name": "str",
        "description": "str",
        "category": "Literal['PERSONALIZED', 'BRANDING', 'REAL_ESTATE', 'SOCIAL_MEDIA', 'EDUCATIONAL', 'ECOMMERCE', 'SPORTS', 'EVENTS', 'TRAVEL']",
        "creditsPerMinute": "int",
        "visibility": "Literal['private', 'public']",
    }, total=False,
)


class TemplateUpdate(_TemplateUpdateOptional):
    """What to change of a template. What is left out stays."""


_VariableListRequired = TypedDict(
    "_VariableListRequired",
    {
        "variables": "list[Variable]",
    },
)


class VariableList(_VariableListRequired):
    pass


_VariableRequired = TypedDict(
    "_VariableRequired",
    {
        "name": "str",
        "type": "str",
        "label": "str",
        "help": "str",
        "overlayType": "str",
        "field": "str",
        "default": "str",
    },
)
_VariableOptional = TypedDict(
    "_VariableOptional",
    {
        "maxCharacters": "Union[int, None]",
        "linesAvailable": "Union[int, None]",
        "overflowBehavior": "Union[str, None]",
    }, total=False,
)


class Variable(_VariableRequired, _VariableOptional):
    """The contract of one variable."""


_ProjectListRequired = TypedDict(
    "_ProjectListRequired",
    {
        "projects": "list[ProjectItem]",
        "total": "int",
        "hasMore": "bool",
    },
)
_ProjectListOptional = TypedDict(
    "_ProjectListOptional",
    {
        "nextCursor": "Union[str, None]",
    }, total=False,
)


class ProjectList(_ProjectListRequired, _ProjectListOptional):
    pass


_ProjectItemRequired = TypedDict(
    "_ProjectItemRequired",
    {
        "id": "str",
        "name": "str",
        "width": "int",
        "height": "int",
        "fps": "int",
        "hasDynamicOverlays": "bool",
        "variables": "list[ListedVariable]",
        "createdAt": "str",
        "updatedAt": "str",
    },
)
_ProjectItemOptional = TypedDict(
    "_ProjectItemOptional",
    {
        "description": "Union[str, None]",
        "durationInFrames": "Union[int, None]",
        "posterUrl": "Union[str, None]",
    }, total=False,
)


class ProjectItem(_ProjectItemRequired, _ProjectItemOptional):
    """A project as the list shows it."""


_ProjectDetailsRequired = TypedDict(
    "_ProjectDetailsRequired",
    {
        "id": "str",
        "name": "str",
        "composition": "dict[str, Any]",
        "variables": "list[Variable]",
        "etag": "str",
        "editUrl": "str",
        "createdAt": "str",
        "updatedAt": "str",
    },
)
_ProjectDetailsOptional = TypedDict(
    "_ProjectDetailsOptional",
    {
        "description": "Union[str, None]",
        "templateId": "Union[str, None]",
        "expiresAt": "Union[str, None]",
        "changedBy": "Union[Author, None]",
    }, total=False,
)


class ProjectDetails(_ProjectDetailsRequired, _ProjectDetailsOptional):
    """A project with its composition."""


_AuthorRequired = TypedDict(
    "_AuthorRequired",
    {
        "kind": "str",
        "name": "str",
    },
)


class Author(_AuthorRequired):
    """Who changed a project."""


_ProjectBodyRequired = TypedDict(
    "_ProjectBodyRequired",
    {
        "name": "str",
        "composition": "Composition",
    },
)
_ProjectBodyOptional = TypedDict(
    "_ProjectBodyOptional",
    {
        "description": "str",
    }, total=False,
)


class ProjectBody(_ProjectBodyRequired, _ProjectBodyOptional):
    """A project to create."""


_ProjectUpdateOptional = TypedDict(
    "_ProjectUpdateOptional",
    {
        "name": "str",
        "description": "str",
        "composition": "Composition",
        "change": "str",
    }, total=False,
)


class ProjectUpdate(_ProjectUpdateOptional):
    """What to change. What is left out stays as it is."""


_ProjectCopyOptional = TypedDict(
    "_ProjectCopyOptional",
    {
        "name": "str",
    }, total=False,
)


class ProjectCopy(_ProjectCopyOptional):
    """What to copy."""


_EditRequired = TypedDict(
    "_EditRequired",
    {
        "op": "Literal['set', 'add', 'remove', 'move']",
    },
)
_EditOptional = TypedDict(
    "_EditOptional",
    {
        "id": "float",
        "path": "str",
        "value": "Any",
        "overlay": "dict[str, Any]",
        "index": "int",
    }, total=False,
)


class Edit(_EditRequired, _EditOptional):
    """One change: `{"op": "set", "id": 7, "path": "styles.opacity", "value": 0.5}`, `{"op": "add", "overlay": {…}}`, `{"op": "remove", "id": 7}` or `{"op": "move", "id": 7, "index": 0}`."""


_EditsBodyRequired = TypedDict(
    "_EditsBodyRequired",
    {
        "edits": "list[Edit]",
    },
)
_EditsBodyOptional = TypedDict(
    "_EditsBodyOptional",
    {
        "name": "str",
    }, total=False,
)


class EditsBody(_EditsBodyRequired, _EditsBodyOptional):
    """Edits to apply."""


_VersionListRequired = TypedDict(
    "_VersionListRequired",
    {
        "versions": "list[VersionItem]",
        "total": "int",
        "hasMore": "bool",
    },
)
_VersionListOptional = TypedDict(
    "_VersionListOptional",
    {
        "nextCursor": "Union[str, None]",
    }, total=False,
)


class VersionList(_VersionListRequired, _VersionListOptional):
    pass


_VersionItemRequired = TypedDict(
    "_VersionItemRequired",
    {
        "id": "str",
        "createdAt": "str",
    },
)
_VersionItemOptional = TypedDict(
    "_VersionItemOptional",
    {
        "name": "Union[str, None]",
        "changedBy": "Union[Author, None]",
    }, total=False,
)


class VersionItem(_VersionItemRequired, _VersionItemOptional):
    """An earlier state of a project."""


_VersionBodyRequired = TypedDict(
    "_VersionBodyRequired",
    {
        "name": "str",
    },
)


class VersionBody(_VersionBodyRequired):
    """A version to keep."""


_VersionDetailsRequired = TypedDict(
    "_VersionDetailsRequired",
    {
        "id": "str",
        "createdAt": "str",
        "composition": "dict[str, Any]",
    },
)
_VersionDetailsOptional = TypedDict(
    "_VersionDetailsOptional",
    {
        "name": "Union[str, None]",
        "changedBy": "Union[Author, None]",
    }, total=False,
)


class VersionDetails(_VersionDetailsRequired, _VersionDetailsOptional):
    """An earlier state of a project with its film."""


_VoiceoverAnswerRequired = TypedDict(
    "_VoiceoverAnswerRequired",
    {
        "id": "str",
        "audioUrl": "str",
        "durationMs": "int",
        "voice": "str",
        "words": "list[Word]",
        "captions": "list[CaptionOfWords]",
        "creditsUsed": "float",
    },
)


class VoiceoverAnswer(_VoiceoverAnswerRequired):
    """A text that was spoken."""


_WordRequired = TypedDict(
    "_WordRequired",
    {
        "word": "str",
        "startMs": "float",
        "endMs": "float",
        "confidence": "float",
    },
)


class Word(_WordRequired):
    """A word and when it is spoken."""


_CaptionOfWordsRequired = TypedDict(
    "_CaptionOfWordsRequired",
    {
        "text": "str",
        "startMs": "float",
        "endMs": "float",
        "words": "list[Word]",
    },
)
_CaptionOfWordsOptional = TypedDict(
    "_CaptionOfWordsOptional",
    {
        "timestampMs": "Union[float, None]",
        "confidence": "Union[float, None]",
    }, total=False,
)


class CaptionOfWords(_CaptionOfWordsRequired, _CaptionOfWordsOptional):
    """A caption as caption overlays take it."""


_VoiceoverBodyRequired = TypedDict(
    "_VoiceoverBodyRequired",
    {
        "text": "str",
    },
)
_VoiceoverBodyOptional = TypedDict(
    "_VoiceoverBodyOptional",
    {
        "voice": "str",
        "speed": "float",
        "format": "Literal['wav', 'mp3']",
        "portrait": "bool",
    }, total=False,
)


class VoiceoverBody(_VoiceoverBodyRequired, _VoiceoverBodyOptional):
    """A text to speak."""


_CaptionsAnswerRequired = TypedDict(
    "_CaptionsAnswerRequired",
    {
        "captions": "list[CaptionOfWords]",
        "language": "str",
        "durationMs": "int",
        "creditsUsed": "float",
    },
)
_CaptionsAnswerOptional = TypedDict(
    "_CaptionsAnswerOptional",
    {
        "subtitles": "Union[str, None]",
    }, total=False,
)


class CaptionsAnswer(_CaptionsAnswerRequired, _CaptionsAnswerOptional):
    """A recording that was written down."""


_CaptionsBodyOptional = TypedDict(
    "_CaptionsBodyOptional",
    {
        "url": "str",
        "uploadId": "str",
        "voiceoverId": "str",
        "language": "str",
        "startTime": "float",
        "endTime": "float",
        "portrait": "bool",
        "format": "Literal['srt', 'vtt']",
    }, total=False,
)


class CaptionsBody(_CaptionsBodyOptional):
    """A recording to transcribe: exactly one of `url`, `uploadId` and `voiceoverId`."""


_VoiceListRequired = TypedDict(
    "_VoiceListRequired",
    {
        "voices": "list[VoiceInfo]",
        "total": "int",
        "languages": "list[str]",
    },
)


class VoiceList(_VoiceListRequired):
    """The voices, the one that speaks where none is named first."""


_VoiceInfoRequired = TypedDict(
    "_VoiceInfoRequired",
    {
        "id": "str",
        "name": "str",
        "language": "str",
        "gender": "str",
        "engine": "str",
        "aliases": "list[str]",
    },
)


class VoiceInfo(_VoiceInfoRequired):
    """A voice."""


_UploadInfoRequired = TypedDict(
    "_UploadInfoRequired",
    {
        "id": "str",
        "uploadUrl": "str",
        "fileUrl": "str",
        "expiresAt": "str",
    },
)


class UploadInfo(_UploadInfoRequired):
    """A place for a file."""


_UploadBodyRequired = TypedDict(
    "_UploadBodyRequired",
    {
        "contentType": "str",
    },
)
_UploadBodyOptional = TypedDict(
    "_UploadBodyOptional",
    {
        "name": "str",
        "size": "int",
    }, total=False,
)


class UploadBody(_UploadBodyRequired, _UploadBodyOptional):
    """What is to be uploaded."""


_UploadListRequired = TypedDict(
    "_UploadListRequired",
    {
        "uploads": "list[ListedUpload]",
        "total": "int",
        "hasMore": "bool",
    },
)
_UploadListOptional = TypedDict(
    "_UploadListOptional",
    {
        "nextCursor": "Union[str, None]",
    }, total=False,
)


class UploadList(_UploadListRequired, _UploadListOptional):
    """A page of files, newest first."""


_ListedUploadRequired = TypedDict(
    "_ListedUploadRequired",
    {
        "id": "str",
        "kind": "str",
        "fileUrl": "str",
        "contentType": "str",
        "createdAt": "str",
    },
)
_ListedUploadOptional = TypedDict(
    "_ListedUploadOptional",
    {
        "name": "Union[str, None]",
        "size": "Union[int, None]",
        "durationMs": "Union[int, None]",
    }, total=False,
)


class ListedUpload(_ListedUploadRequired, _ListedUploadOptional):
    """A file of the account."""


_BrandKitRequired = TypedDict(
    "_BrandKitRequired",
    {
        "colors": "list[NamedColor]",
        "fonts": "KitFonts",
    },
)
_BrandKitOptional = TypedDict(
    "_BrandKitOptional",
    {
        "logo": "Union[str, None]",
        "logoUrl": "Union[str, None]",
        "updatedAt": "Union[str, None]",
    }, total=False,
)


class BrandKit(_BrandKitRequired, _BrandKitOptional):
    """The brand kit of an account."""


_NamedColorRequired = TypedDict(
    "_NamedColorRequired",
    {
        "name": "str",
        "value": "str",
    },
)


class NamedColor(_NamedColorRequired):
    """A colour of a brand."""


_KitFontsOptional = TypedDict(
    "_KitFontsOptional",
    {
        "heading": "Union[str, None]",
        "body": "Union[str, None]",
    }, total=False,
)


class KitFonts(_KitFontsOptional):
    """The font families of a brand."""


_ColorBodyRequired = TypedDict(
    "_ColorBodyRequired",
    {
        "name": "str",
        "value": "str",
    },
)


class ColorBody(_ColorBodyRequired):
    """A colour of a brand."""


_FontsBodyOptional = TypedDict(
    "_FontsBodyOptional",
    {
        "heading": "str",
        "body": "str",
    }, total=False,
)


class FontsBody(_FontsBodyOptional):
    """The font families of a brand, as `GET /registry/fonts` lists them."""


_BrandBodyOptional = TypedDict(
    "_BrandBodyOptional",
    {
        "logo": "str",
        "colors": "list[ColorBody]",
        "fonts": "FontsBody",
    }, total=False,
)


class BrandBody(_BrandBodyOptional):
    """A brand kit. What is left out is empty."""


_WebhookInfoRequired = TypedDict(
    "_WebhookInfoRequired",
    {
        "id": "str",
        "url": "str",
        "events": "list[EventChoice]",
        "isActive": "bool",
        "createdAt": "str",
    },
)
_WebhookInfoOptional = TypedDict(
    "_WebhookInfoOptional",
    {
        "secret": "Union[str, None]",
        "oldSecretExpiresAt": "Union[str, None]",
    }, total=False,
)


class WebhookInfo(_WebhookInfoRequired, _WebhookInfoOptional):
    """A registered webhook."""


_WebhookBodyRequired = TypedDict(
    "_WebhookBodyRequired",
    {
        "url": "str",
    },
)
_WebhookBodyOptional = TypedDict(
    "_WebhookBodyOptional",
    {
        "events": "list[Literal['render.completed', 'render.failed', 'batch.completed']]",
    }, total=False,
)


class WebhookBody(_WebhookBodyRequired, _WebhookBodyOptional):
    """Where to send events."""


_WebhookListRequired = TypedDict(
    "_WebhookListRequired",
    {
        "webhooks": "list[WebhookInfo]",
        "total": "int",
    },
)


class WebhookList(_WebhookListRequired):
    pass


_RemovedRequired = TypedDict(
    "_RemovedRequired",
    {
        "id": "str",
        "deleted": "bool",
    },
)


class Removed(_RemovedRequired):
    pass


_WebhookChangesOptional = TypedDict(
    "_WebhookChangesOptional",
    {
        "url": "str",
        "events": "list[Literal['render.completed', 'render.failed', 'batch.completed']]",
        "isActive": "bool",
    }, total=False,
)


class WebhookChanges(_WebhookChangesOptional):
    """What to change. What is not given stays."""


_DeliveryListRequired = TypedDict(
    "_DeliveryListRequired",
    {
        "deliveries": "list[DeliveryInfo]",
        "total": "int",
    },
)


class DeliveryList(_DeliveryListRequired):
    pass


_DeliveryInfoRequired = TypedDict(
    "_DeliveryInfoRequired",
    {
        "deliveryId": "str",
        "event": "EventChoice",
        "status": "str",
        "createdAt": "str",
        "attempts": "list[AttemptInfo]",
    },
)
_DeliveryInfoOptional = TypedDict(
    "_DeliveryInfoOptional",
    {
        "jobId": "Union[str, None]",
        "finishedAt": "Union[str, None]",
    }, total=False,
)


class DeliveryInfo(_DeliveryInfoRequired, _DeliveryInfoOptional):
    """An event on its way to a webhook, or at its end."""


_AttemptInfoRequired = TypedDict(
    "_AttemptInfoRequired",
    {
        "number": "int",
        "at": "str",
        "duration": "int",
    },
)
_AttemptInfoOptional = TypedDict(
    "_AttemptInfoOptional",
    {
        "statusCode": "Union[int, None]",
        "error": "Union[str, None]",
        "response": "Union[str, None]",
    }, total=False,
)


class AttemptInfo(_AttemptInfoRequired, _AttemptInfoOptional):
    """One attempt to deliver."""


_TestSentRequired = TypedDict(
    "_TestSentRequired",
    {
        "deliveryId": "str",
        "event": "EventChoice",
    },
)


class TestSent(_TestSentRequired):
    pass


_AccountInfoRequired = TypedDict(
    "_AccountInfoRequired",
    {
        "userId": "str",
        "email": "str",
        "name": "str",
        "credits": "int",
    },
)
_AccountInfoOptional = TypedDict(
    "_AccountInfoOptional",
    {
        "apiKeyPrefix": "Union[str, None]",
        "apiKeyCreatedAt": "Union[str, None]",
        "apiKeyLastUsed": "Union[str, None]",
    }, total=False,
)


class AccountInfo(_AccountInfoRequired, _AccountInfoOptional):
    """Whose credential it is."""


_AccountDetailsRequired = TypedDict(
    "_AccountDetailsRequired",
    {
        "plan": "PlanInfo",
        "limits": "AccountLimits",
        "storage": "StorageUse",
        "createdAt": "str",
        "userId": "str",
        "email": "str",
        "name": "str",
        "credits": "int",
    },
)
_AccountDetailsOptional = TypedDict(
    "_AccountDetailsOptional",
    {
        "apiKeyPrefix": "Union[str, None]",
        "apiKeyCreatedAt": "Union[str, None]",
        "apiKeyLastUsed": "Union[str, None]",
    }, total=False,
)


class AccountDetails(_AccountDetailsRequired, _AccountDetailsOptional):
    """The account with its plan and limits."""


_PlanInfoRequired = TypedDict(
    "_PlanInfoRequired",
    {
        "name": "str",
        "rateLimitPerMinute": "int",
        "concurrentRenders": "int",
    },
)


class PlanInfo(_PlanInfoRequired):
    pass


_AccountLimitsRequired = TypedDict(
    "_AccountLimitsRequired",
    {
        "maxMinutes": "int",
        "maxPixels": "int",
        "maxOverlays": "int",
        "maxBodyBytes": "int",
        "maxUploadBytes": "int",
        "maxActiveWebhooks": "int",
    },
)


class AccountLimits(_AccountLimitsRequired):
    pass


_StorageUseRequired = TypedDict(
    "_StorageUseRequired",
    {
        "usedBytes": "int",
    },
)
_StorageUseOptional = TypedDict(
    "_StorageUseOptional",
    {
        "allowedBytes": "Union[int, None]",
    }, total=False,
)


class StorageUse(_StorageUseRequired, _StorageUseOptional):
    """Uploads, outputs and narrations kept for the account."""


_UsageReportRequired = TypedDict(
    "_UsageReportRequired",
    {
        "from": "str",
        "to": "str",
        "byDay": "list[DayReport]",
        "renders": "int",
        "creditsUsed": "float",
        "renderedSeconds": "float",
        "ai": "AiNumbers",
    },
)


class UsageReport(_UsageReportRequired):
    """What the account used."""


_UsageNumbersRequired = TypedDict(
    "_UsageNumbersRequired",
    {
        "renders": "int",
        "creditsUsed": "float",
        "renderedSeconds": "float",
        "ai": "AiNumbers",
    },
)


class UsageNumbers(_UsageNumbersRequired):
    pass


_DayReportRequired = TypedDict(
    "_DayReportRequired",
    {
        "date": "str",
        "renders": "int",
        "creditsUsed": "float",
        "renderedSeconds": "float",
        "ai": "AiNumbers",
    },
)


class DayReport(_DayReportRequired):
    pass


_AiNumbersRequired = TypedDict(
    "_AiNumbersRequired",
    {
        "ttsCharacters": "int",
        "transcribedSeconds": "int",
    },
)


class AiNumbers(_AiNumbersRequired):
    pass


_TransactionListRequired = TypedDict(
    "_TransactionListRequired",
    {
        "transactions": "list[TransactionInfo]",
        "total": "int",
    },
)


class TransactionList(_TransactionListRequired):
    pass


_TransactionInfoRequired = TypedDict(
    "_TransactionInfoRequired",
    {
        "id": "str",
        "type": "str",
        "status": "str",
        "credits": "int",
        "amountInCents": "int",
        "currency": "str",
        "createdAt": "str",
    },
)


class TransactionInfo(_TransactionInfoRequired):
    """One movement of credits onto the account."""


_RegistryRequired = TypedDict(
    "_RegistryRequired",
    {
        "area": "str",
        "entries": "list[dict[str, Any]]",
        "total": "int",
    },
)


class Registry(_RegistryRequired):
    pass

#: An empty object.
Done = dict[str, Any]

#: An event.
EventChoice = Literal['render.completed', 'render.failed', 'batch.completed']
