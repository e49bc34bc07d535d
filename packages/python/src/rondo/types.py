"""The types of the API. Made from its OpenAPI document by packages/python/generate."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union

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


_FontFaceRequired = TypedDict(
    "_FontFaceRequired",
    {
        "family": "str",
        "src": "str",
    },
)


class FontFace(_FontFaceRequired):
    """A font file for texts of the film."""


_CompositionRequired = TypedDict(
    "_CompositionRequired",
    {
        "overlays": "list[Overlay]",
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
        "fontFaces": "list[FontFace]",
    }, total=False,
)


class Composition(_CompositionRequired, _CompositionOptional):
    """A film: overlays on a canvas over time."""


_FailureRequired = TypedDict(
    "_FailureRequired",
    {
        "success": "Literal[False]",
        "error": "str",
        "details": "FailureDetails",
    },
)


class Failure(_FailureRequired):
    """The body of every other answer."""


_FailureDetailsRequired = TypedDict(
    "_FailureDetailsRequired",
    {
        "reason": "Reason",
    },
)
_FailureDetailsOptional = TypedDict(
    "_FailureDetailsOptional",
    {
        "issues": "list[Issue]",
    }, total=False,
)


class FailureDetails(_FailureDetailsRequired, _FailureDetailsOptional):
    """What programs may act on; more fields depend on the reason."""


_IssueRequired = TypedDict(
    "_IssueRequired",
    {
        "path": "str",
        "code": "Reason",
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


_AlsoOutputOptional = TypedDict(
    "_AlsoOutputOptional",
    {
        "format": "Literal['mp4', 'webm', 'mov', 'hls', 'gif', 'png', 'jpg', 'webp', 'mp3', 'wav', 'aac', 'm4a']",
        "codec": "Literal['h264', 'hevc', 'av1', 'vp9', 'prores']",
        "quality": "Literal['standard', 'draft', 'high']",
        "alpha": "bool",
        "frame": "int",
        "range": "list[int]",
        "scale": "float",
    }, total=False,
)


class AlsoOutput(_AlsoOutputOptional):
    """A file to make beside the first one."""


_OutputOptional = TypedDict(
    "_OutputOptional",
    {
        "format": "Literal['mp4', 'webm', 'mov', 'hls', 'gif', 'png', 'jpg', 'webp', 'mp3', 'wav', 'aac', 'm4a']",
        "codec": "Literal['h264', 'hevc', 'av1', 'vp9', 'prores']",
        "quality": "Literal['standard', 'draft', 'high']",
        "alpha": "bool",
        "frame": "int",
        "range": "list[int]",
        "scale": "float",
        "also": "list[AlsoOutput]",
        "destination": "str",
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
        "projectId": "Union[str, None]",
        "status": "RenderState",
        "creditsUsed": "int",
        "estimatedDurationMinutes": "int",
        "mode": "RenderMode",
    },
)


class CreatedRender(_CreatedRenderRequired):
    """A render job that was accepted."""


_CreatedRenderEnvelopeRequired = TypedDict(
    "_CreatedRenderEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "CreatedRender",
    },
)


class CreatedRenderEnvelope(_CreatedRenderEnvelopeRequired):
    pass


_RenderBodyOptional = TypedDict(
    "_RenderBodyOptional",
    {
        "inputProps": "Composition",
        "templateId": "str",
        "projectId": "str",
        "replacements": "dict[str, ReplacementValue]",
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
        "nextCursor": "Union[str, None]",
        "hasMore": "bool",
    },
)


class RenderList(_RenderListRequired):
    """A page of render jobs, newest first."""


_RenderJobRequired = TypedDict(
    "_RenderJobRequired",
    {
        "jobId": "str",
        "projectId": "Union[str, None]",
        "mode": "RenderMode",
        "status": "RenderState",
        "progressPercentage": "int",
        "creditsUsed": "int",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "format": "FileFormat",
        "outputUrl": "Union[str, None]",
        "posterUrl": "Union[str, None]",
        "streamUrl": "Union[str, None]",
        "expiresAt": "Union[str, None]",
        "outputSize": "Union[int, None]",
        "outputs": "list[RenderOutput]",
        "destination": "Union[RenderDestination, None]",
        "errorMessage": "Union[str, None]",
        "estimatedTimeRemaining": "Union[int, None]",
        "duration": "Union[int, None]",
        "createdAt": "str",
        "updatedAt": "str",
        "completedAt": "Union[str, None]",
        "project": "Union[ProjectInfo, None]",
        "templateId": "Union[str, None]",
        "metadata": "Union[Metadata, None]",
        "batchId": "Union[str, None]",
        "test": "bool",
    },
)
_RenderJobOptional = TypedDict(
    "_RenderJobOptional",
    {
        "inputProps": "Composition",
    }, total=False,
)


class RenderJob(_RenderJobRequired, _RenderJobOptional):
    """A render job."""


_RenderOutputRequired = TypedDict(
    "_RenderOutputRequired",
    {
        "format": "FileFormat",
        "url": "str",
        "size": "int",
        "width": "Union[int, None]",
        "height": "Union[int, None]",
    },
)


class RenderOutput(_RenderOutputRequired):
    """A file of a render job."""


_RenderDestinationRequired = TypedDict(
    "_RenderDestinationRequired",
    {
        "name": "str",
        "status": "CopyStatus",
        "urls": "list[str]",
        "errorMessage": "Union[str, None]",
    },
)


class RenderDestination(_RenderDestinationRequired):
    """The copy of a job in the destination that its request names."""


_ProjectInfoRequired = TypedDict(
    "_ProjectInfoRequired",
    {
        "id": "str",
        "name": "str",
        "templateId": "Union[str, None]",
    },
)


class ProjectInfo(_ProjectInfoRequired):
    """The project a job belongs to."""


_RenderListEnvelopeRequired = TypedDict(
    "_RenderListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "RenderList",
    },
)


class RenderListEnvelope(_RenderListEnvelopeRequired):
    pass


_RenderJobEnvelopeRequired = TypedDict(
    "_RenderJobEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "RenderJob",
    },
)


class RenderJobEnvelope(_RenderJobEnvelopeRequired):
    pass


_BatchSetOptional = TypedDict(
    "_BatchSetOptional",
    {
        "replacements": "dict[str, ReplacementValue]",
        "metadata": "dict[str, Any]",
    }, total=False,
)


class BatchSet(_BatchSetOptional):
    """Values of one render of a batch."""


_CreatedBatchRequired = TypedDict(
    "_CreatedBatchRequired",
    {
        "batchId": "str",
        "status": "RenderState",
        "total": "int",
        "creditsUsed": "int",
        "jobIds": "list[str]",
    },
)


class CreatedBatch(_CreatedBatchRequired):
    """A batch that was accepted."""


_CreatedBatchEnvelopeRequired = TypedDict(
    "_CreatedBatchEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "CreatedBatch",
    },
)


class CreatedBatchEnvelope(_CreatedBatchEnvelopeRequired):
    pass


_BatchBodyRequired = TypedDict(
    "_BatchBodyRequired",
    {
        "sets": "list[BatchSet]",
    },
)
_BatchBodyOptional = TypedDict(
    "_BatchBodyOptional",
    {
        "templateId": "str",
        "projectId": "str",
        "replacements": "dict[str, ReplacementValue]",
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
        "nextCursor": "Union[str, None]",
        "hasMore": "bool",
        "batchId": "str",
        "templateId": "Union[str, None]",
        "projectId": "Union[str, None]",
        "status": "RenderState",
        "total": "int",
        "counts": "BatchCounts",
        "progressPercentage": "int",
        "creditsUsed": "int",
        "metadata": "Union[Metadata, None]",
        "createdAt": "str",
        "completedAt": "Union[str, None]",
    },
)


class BatchPage(_BatchPageRequired):
    """A batch with a page of its renders."""


_BatchInfoRequired = TypedDict(
    "_BatchInfoRequired",
    {
        "batchId": "str",
        "templateId": "Union[str, None]",
        "projectId": "Union[str, None]",
        "status": "RenderState",
        "total": "int",
        "counts": "BatchCounts",
        "progressPercentage": "int",
        "creditsUsed": "int",
        "metadata": "Union[Metadata, None]",
        "createdAt": "str",
        "completedAt": "Union[str, None]",
    },
)


class BatchInfo(_BatchInfoRequired):
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


_BatchPageEnvelopeRequired = TypedDict(
    "_BatchPageEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "BatchPage",
    },
)


class BatchPageEnvelope(_BatchPageEnvelopeRequired):
    pass


_BatchInfoEnvelopeRequired = TypedDict(
    "_BatchInfoEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "BatchInfo",
    },
)


class BatchInfoEnvelope(_BatchInfoEnvelopeRequired):
    pass


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
        "aiSkipped": "Union[AiSkipped, None]",
    },
)


class PreviewAnswer(_PreviewAnswerRequired):
    """A request resolved without rendering."""


_ResolvedFilmRequired = TypedDict(
    "_ResolvedFilmRequired",
    {
        "mode": "RenderMode",
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
_QuoteInfoOptional = TypedDict(
    "_QuoteInfoOptional",
    {
        "also": "list[AlsoQuote]",
    }, total=False,
)


class QuoteInfo(_QuoteInfoRequired, _QuoteInfoOptional):
    """What a render would cost, AI values aside: the minutes of all files, each times its `resolutionMultiplier`, times `creditsPerMinute`, rounded up; one credit at least."""


_PreviewWarningRequired = TypedDict(
    "_PreviewWarningRequired",
    {
        "code": "WarningCode",
        "severity": "WarningSeverity",
        "message": "str",
    },
)
_PreviewWarningOptional = TypedDict(
    "_PreviewWarningOptional",
    {
        "variable": "str",
        "hint": "str",
        "detail": "dict[str, Any]",
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
        "overlayId": "Union[float, None]",
        "overlayType": "VariableOverlay",
        "field": "VariableField",
        "value": "str",
        "source": "ValueSource",
        "visibleFrame": "Union[int, None]",
        "type": "VariableType",
    },
)
_ResolvedVariableOptional = TypedDict(
    "_ResolvedVariableOptional",
    {
        "maxCharacters": "int",
        "linesAvailable": "int",
        "overflowBehavior": "OverflowBehavior",
    }, total=False,
)


class ResolvedVariable(_ResolvedVariableRequired, _ResolvedVariableOptional):
    """What landed on a variable."""


_CapacityOptional = TypedDict(
    "_CapacityOptional",
    {
        "maxCharacters": "int",
        "linesAvailable": "int",
        "overflowBehavior": "OverflowBehavior",
    }, total=False,
)


class Capacity(_CapacityOptional):
    """What fits into text of a fixed size. Nothing for other variables."""


_AlsoQuoteRequired = TypedDict(
    "_AlsoQuoteRequired",
    {
        "format": "FileFormat",
        "durationSeconds": "float",
        "resolutionMultiplier": "int",
    },
)


class AlsoQuote(_AlsoQuoteRequired):
    """What a further file counts."""


_PreviewAnswerEnvelopeRequired = TypedDict(
    "_PreviewAnswerEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "PreviewAnswer",
    },
)


class PreviewAnswerEnvelope(_PreviewAnswerEnvelopeRequired):
    pass


_ImportAnswerRequired = TypedDict(
    "_ImportAnswerRequired",
    {
        "from": "DocumentFormat",
        "composition": "Composition",
        "warnings": "list[ImportWarning]",
    },
)


class ImportAnswer(_ImportAnswerRequired):
    """A composition made of a film of another service or editor."""


_ImportWarningRequired = TypedDict(
    "_ImportWarningRequired",
    {
        "code": "ImportWarningCode",
        "severity": "ImportSeverity",
        "path": "str",
        "message": "str",
    },
)


class ImportWarning(_ImportWarningRequired):
    """Something that is not in the composition as the document says it."""


_ImportAnswerEnvelopeRequired = TypedDict(
    "_ImportAnswerEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "ImportAnswer",
    },
)


class ImportAnswerEnvelope(_ImportAnswerEnvelopeRequired):
    pass


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
        "nextCursor": "Union[str, None]",
        "hasMore": "bool",
    },
)


class TemplateList(_TemplateListRequired):
    pass


_TemplateItemRequired = TypedDict(
    "_TemplateItemRequired",
    {
        "id": "str",
        "name": "str",
        "description": "str",
        "category": "TemplateCategory",
        "thumbnailUrl": "Union[str, None]",
        "previewVideoUrl": "Union[str, None]",
        "creditsPerMinute": "int",
        "own": "bool",
        "visibility": "Union[TemplateVisibility, None]",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "int",
        "createdAt": "str",
        "variables": "list[ListedVariable]",
    },
)


class TemplateItem(_TemplateItemRequired):
    """A template as the list shows it."""


_ListedVariableRequired = TypedDict(
    "_ListedVariableRequired",
    {
        "name": "str",
        "defaultValue": "str",
        "type": "ListedType",
    },
)


class ListedVariable(_ListedVariableRequired):
    """A variable as lists show it."""


_TemplateListEnvelopeRequired = TypedDict(
    "_TemplateListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "TemplateList",
    },
)


class TemplateListEnvelope(_TemplateListEnvelopeRequired):
    pass


_TemplateItemEnvelopeRequired = TypedDict(
    "_TemplateItemEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "TemplateItem",
    },
)


class TemplateItemEnvelope(_TemplateItemEnvelopeRequired):
    pass


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


_DoneEnvelopeRequired = TypedDict(
    "_DoneEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "Done",
    },
)


class DoneEnvelope(_DoneEnvelopeRequired):
    pass


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
        "type": "VariableType",
        "label": "str",
        "help": "str",
        "overlayType": "VariableOverlay",
        "field": "VariableField",
        "default": "str",
    },
)
_VariableOptional = TypedDict(
    "_VariableOptional",
    {
        "maxCharacters": "int",
        "linesAvailable": "int",
        "overflowBehavior": "OverflowBehavior",
    }, total=False,
)


class Variable(_VariableRequired, _VariableOptional):
    """The contract of one variable."""


_VariableListEnvelopeRequired = TypedDict(
    "_VariableListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "VariableList",
    },
)


class VariableListEnvelope(_VariableListEnvelopeRequired):
    pass


_ProjectListRequired = TypedDict(
    "_ProjectListRequired",
    {
        "projects": "list[ProjectItem]",
        "total": "int",
        "nextCursor": "Union[str, None]",
        "hasMore": "bool",
    },
)


class ProjectList(_ProjectListRequired):
    pass


_ProjectItemRequired = TypedDict(
    "_ProjectItemRequired",
    {
        "id": "str",
        "name": "str",
        "description": "Union[str, None]",
        "width": "int",
        "height": "int",
        "fps": "int",
        "durationInFrames": "Union[int, None]",
        "hasDynamicOverlays": "bool",
        "variables": "list[ListedVariable]",
        "posterUrl": "Union[str, None]",
        "createdAt": "str",
        "updatedAt": "str",
    },
)


class ProjectItem(_ProjectItemRequired):
    """A project as the list shows it."""


_ProjectListEnvelopeRequired = TypedDict(
    "_ProjectListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "ProjectList",
    },
)


class ProjectListEnvelope(_ProjectListEnvelopeRequired):
    pass


_ProjectDetailsRequired = TypedDict(
    "_ProjectDetailsRequired",
    {
        "id": "str",
        "name": "str",
        "description": "Union[str, None]",
        "composition": "Composition",
        "variables": "list[Variable]",
        "etag": "str",
        "editUrl": "str",
        "templateId": "Union[str, None]",
        "expiresAt": "Union[str, None]",
        "changedBy": "Union[Author, None]",
        "createdAt": "str",
        "updatedAt": "str",
    },
)


class ProjectDetails(_ProjectDetailsRequired):
    """A project with its composition."""


_AuthorRequired = TypedDict(
    "_AuthorRequired",
    {
        "kind": "AuthorType",
        "name": "str",
    },
)


class Author(_AuthorRequired):
    """Who changed a project."""


_ProjectDetailsEnvelopeRequired = TypedDict(
    "_ProjectDetailsEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "ProjectDetails",
    },
)


class ProjectDetailsEnvelope(_ProjectDetailsEnvelopeRequired):
    pass


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
        "nextCursor": "Union[str, None]",
        "hasMore": "bool",
    },
)


class VersionList(_VersionListRequired):
    pass


_VersionItemRequired = TypedDict(
    "_VersionItemRequired",
    {
        "id": "str",
        "name": "Union[str, None]",
        "changedBy": "Union[Author, None]",
        "createdAt": "str",
    },
)


class VersionItem(_VersionItemRequired):
    """An earlier state of a project."""


_VersionListEnvelopeRequired = TypedDict(
    "_VersionListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "VersionList",
    },
)


class VersionListEnvelope(_VersionListEnvelopeRequired):
    pass


_VersionItemEnvelopeRequired = TypedDict(
    "_VersionItemEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "VersionItem",
    },
)


class VersionItemEnvelope(_VersionItemEnvelopeRequired):
    pass


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
        "name": "Union[str, None]",
        "changedBy": "Union[Author, None]",
        "createdAt": "str",
        "composition": "Composition",
    },
)


class VersionDetails(_VersionDetailsRequired):
    """An earlier state of a project with its film."""


_VersionDetailsEnvelopeRequired = TypedDict(
    "_VersionDetailsEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "VersionDetails",
    },
)


class VersionDetailsEnvelope(_VersionDetailsEnvelopeRequired):
    pass


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
        "timestampMs": "Union[float, None]",
        "confidence": "Union[float, None]",
    },
)


class CaptionOfWords(_CaptionOfWordsRequired):
    """A caption as caption overlays take it."""


_VoiceoverAnswerEnvelopeRequired = TypedDict(
    "_VoiceoverAnswerEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "VoiceoverAnswer",
    },
)


class VoiceoverAnswerEnvelope(_VoiceoverAnswerEnvelopeRequired):
    pass


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
        "subtitles": "str",
    }, total=False,
)


class CaptionsAnswer(_CaptionsAnswerRequired, _CaptionsAnswerOptional):
    """A recording that was written down."""


_CaptionsAnswerEnvelopeRequired = TypedDict(
    "_CaptionsAnswerEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "CaptionsAnswer",
    },
)


class CaptionsAnswerEnvelope(_CaptionsAnswerEnvelopeRequired):
    pass


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
        "gender": "VoiceGender",
        "engine": "str",
        "aliases": "list[str]",
    },
)


class VoiceInfo(_VoiceInfoRequired):
    """A voice."""


_VoiceListEnvelopeRequired = TypedDict(
    "_VoiceListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "VoiceList",
    },
)


class VoiceListEnvelope(_VoiceListEnvelopeRequired):
    pass


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


_UploadInfoEnvelopeRequired = TypedDict(
    "_UploadInfoEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "UploadInfo",
    },
)


class UploadInfoEnvelope(_UploadInfoEnvelopeRequired):
    pass


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
        "inParts": "bool",
    }, total=False,
)


class UploadBody(_UploadBodyRequired, _UploadBodyOptional):
    """What is to be uploaded."""


_UploadListRequired = TypedDict(
    "_UploadListRequired",
    {
        "uploads": "list[ListedUpload]",
        "total": "int",
        "nextCursor": "Union[str, None]",
        "hasMore": "bool",
    },
)


class UploadList(_UploadListRequired):
    """A page of files, newest first."""


_ListedUploadRequired = TypedDict(
    "_ListedUploadRequired",
    {
        "id": "str",
        "kind": "FileKind",
        "name": "Union[str, None]",
        "fileUrl": "str",
        "contentType": "UploadType",
        "size": "Union[int, None]",
        "durationMs": "Union[int, None]",
        "createdAt": "str",
    },
)


class ListedUpload(_ListedUploadRequired):
    """A file of the account."""


_UploadListEnvelopeRequired = TypedDict(
    "_UploadListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "UploadList",
    },
)


class UploadListEnvelope(_UploadListEnvelopeRequired):
    pass


_OwnFontListRequired = TypedDict(
    "_OwnFontListRequired",
    {
        "fonts": "list[OwnFont]",
    },
)


class OwnFontList(_OwnFontListRequired):
    """The families, by name."""


_OwnFontRequired = TypedDict(
    "_OwnFontRequired",
    {
        "family": "str",
        "weights": "list[int]",
        "italicWeights": "list[int]",
        "isBuiltIn": "bool",
        "files": "list[FontFileItem]",
    },
)


class OwnFont(_OwnFontRequired):
    """A family that was uploaded."""


_FontFileItemRequired = TypedDict(
    "_FontFileItemRequired",
    {
        "uploadId": "str",
        "name": "Union[str, None]",
        "fileUrl": "str",
        "contentType": "UploadType",
        "weight": "str",
        "style": "str",
    },
)


class FontFileItem(_FontFileItemRequired):
    """A font file."""


_OwnFontListEnvelopeRequired = TypedDict(
    "_OwnFontListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "OwnFontList",
    },
)


class OwnFontListEnvelope(_OwnFontListEnvelopeRequired):
    pass


_StockProviderListRequired = TypedDict(
    "_StockProviderListRequired",
    {
        "providers": "list[StockProvider]",
    },
)


class StockProviderList(_StockProviderListRequired):
    """The providers; none where the operator has no keys."""


_StockProviderRequired = TypedDict(
    "_StockProviderRequired",
    {
        "id": "StockProviderName",
        "name": "str",
        "kinds": "list[StockMediaKind]",
    },
)


class StockProvider(_StockProviderRequired):
    """A provider that can be searched."""


_StockProviderListEnvelopeRequired = TypedDict(
    "_StockProviderListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "StockProviderList",
    },
)


class StockProviderListEnvelope(_StockProviderListEnvelopeRequired):
    pass


_StockListRequired = TypedDict(
    "_StockListRequired",
    {
        "items": "list[StockItem]",
        "page": "int",
        "total": "int",
        "hasMore": "bool",
    },
)


class StockList(_StockListRequired):
    """A page of photos or videos."""


_StockItemRequired = TypedDict(
    "_StockItemRequired",
    {
        "id": "str",
        "provider": "StockProviderName",
        "kind": "StockMediaKind",
        "title": "str",
        "width": "int",
        "height": "int",
        "durationSeconds": "Union[float, None]",
        "thumbnailUrl": "str",
        "sizes": "list[StockSize]",
        "author": "StockAuthor",
        "pageUrl": "str",
        "credit": "str",
        "licenseUrl": "str",
    },
)


class StockItem(_StockItemRequired):
    """A photo or video of a provider."""


_StockSizeRequired = TypedDict(
    "_StockSizeRequired",
    {
        "url": "str",
        "width": "int",
        "height": "int",
    },
)


class StockSize(_StockSizeRequired):
    """A file of a photo or video."""


_StockAuthorRequired = TypedDict(
    "_StockAuthorRequired",
    {
        "name": "str",
        "url": "str",
    },
)


class StockAuthor(_StockAuthorRequired):
    """Who made it."""


_StockListEnvelopeRequired = TypedDict(
    "_StockListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "StockList",
    },
)


class StockListEnvelope(_StockListEnvelopeRequired):
    pass


_StockFileRequired = TypedDict(
    "_StockFileRequired",
    {
        "fileUrl": "str",
        "contentType": "UploadType",
        "uploadId": "Union[str, None]",
        "width": "int",
        "height": "int",
        "durationSeconds": "Union[float, None]",
        "item": "StockItem",
    },
)


class StockFile(_StockFileRequired):
    """A photo or video that compositions can name."""


_StockFileEnvelopeRequired = TypedDict(
    "_StockFileEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "StockFile",
    },
)


class StockFileEnvelope(_StockFileEnvelopeRequired):
    pass


_StockBodyRequired = TypedDict(
    "_StockBodyRequired",
    {
        "provider": "Literal['pexels', 'pixabay', 'unsplash']",
        "id": "str",
    },
)
_StockBodyOptional = TypedDict(
    "_StockBodyOptional",
    {
        "kind": "Literal['photo', 'video']",
    }, total=False,
)


class StockBody(_StockBodyRequired, _StockBodyOptional):
    """The item to use."""


_BrandKitRequired = TypedDict(
    "_BrandKitRequired",
    {
        "logo": "Union[str, None]",
        "logoUrl": "Union[str, None]",
        "colors": "list[NamedColor]",
        "fonts": "KitFonts",
        "updatedAt": "Union[str, None]",
    },
)


class BrandKit(_BrandKitRequired):
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


_KitFontsRequired = TypedDict(
    "_KitFontsRequired",
    {
        "heading": "Union[str, None]",
        "body": "Union[str, None]",
    },
)


class KitFonts(_KitFontsRequired):
    """The font families of a brand."""


_BrandKitEnvelopeRequired = TypedDict(
    "_BrandKitEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "BrandKit",
    },
)


class BrandKitEnvelope(_BrandKitEnvelopeRequired):
    pass


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
        "secret": "str",
        "oldSecretExpiresAt": "str",
    }, total=False,
)


class WebhookInfo(_WebhookInfoRequired, _WebhookInfoOptional):
    """A registered webhook."""


_WebhookInfoEnvelopeRequired = TypedDict(
    "_WebhookInfoEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "WebhookInfo",
    },
)


class WebhookInfoEnvelope(_WebhookInfoEnvelopeRequired):
    pass


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


_WebhookListEnvelopeRequired = TypedDict(
    "_WebhookListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "WebhookList",
    },
)


class WebhookListEnvelope(_WebhookListEnvelopeRequired):
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


_RemovedEnvelopeRequired = TypedDict(
    "_RemovedEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "Removed",
    },
)


class RemovedEnvelope(_RemovedEnvelopeRequired):
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
        "jobId": "Union[str, None]",
        "status": "DeliveryStatus",
        "createdAt": "str",
        "finishedAt": "Union[str, None]",
        "attempts": "list[AttemptInfo]",
    },
)


class DeliveryInfo(_DeliveryInfoRequired):
    """An event on its way to a webhook, or at its end."""


_AttemptInfoRequired = TypedDict(
    "_AttemptInfoRequired",
    {
        "number": "int",
        "at": "str",
        "statusCode": "Union[int, None]",
        "error": "Union[str, None]",
        "duration": "int",
        "response": "Union[str, None]",
    },
)


class AttemptInfo(_AttemptInfoRequired):
    """One attempt to deliver."""


_DeliveryListEnvelopeRequired = TypedDict(
    "_DeliveryListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "DeliveryList",
    },
)


class DeliveryListEnvelope(_DeliveryListEnvelopeRequired):
    pass


_DeliveryInfoEnvelopeRequired = TypedDict(
    "_DeliveryInfoEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "DeliveryInfo",
    },
)


class DeliveryInfoEnvelope(_DeliveryInfoEnvelopeRequired):
    pass


_TestSentRequired = TypedDict(
    "_TestSentRequired",
    {
        "deliveryId": "str",
        "event": "EventChoice",
    },
)


class TestSent(_TestSentRequired):
    pass


_TestSentEnvelopeRequired = TypedDict(
    "_TestSentEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "TestSent",
    },
)


class TestSentEnvelope(_TestSentEnvelopeRequired):
    pass


_DestinationCredentialsOptional = TypedDict(
    "_DestinationCredentialsOptional",
    {
        "accessKeyId": "str",
        "secretAccessKey": "str",
        "sessionToken": "str",
        "serviceAccountKey": "str",
        "account": "str",
        "accountKey": "str",
        "sasToken": "str",
    }, total=False,
)


class DestinationCredentials(_DestinationCredentialsOptional):
    """Credentials that can write to the bucket: an access key of S3, a service account of Google, or a key or SAS token of an account of Azure Storage. They are stored encrypted and never shown."""


_DestinationInfoRequired = TypedDict(
    "_DestinationInfoRequired",
    {
        "id": "str",
        "name": "str",
        "url": "str",
        "endpoint": "Union[str, None]",
        "region": "Union[str, None]",
        "createdAt": "str",
    },
)


class DestinationInfo(_DestinationInfoRequired):
    """A destination. Its credentials are never shown."""


_DestinationInfoEnvelopeRequired = TypedDict(
    "_DestinationInfoEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "DestinationInfo",
    },
)


class DestinationInfoEnvelope(_DestinationInfoEnvelopeRequired):
    pass


_DestinationBodyRequired = TypedDict(
    "_DestinationBodyRequired",
    {
        "name": "str",
        "url": "str",
        "credentials": "DestinationCredentials",
    },
)
_DestinationBodyOptional = TypedDict(
    "_DestinationBodyOptional",
    {
        "endpoint": "str",
        "region": "str",
    }, total=False,
)


class DestinationBody(_DestinationBodyRequired, _DestinationBodyOptional):
    """A bucket to copy finished films to."""


_DestinationListRequired = TypedDict(
    "_DestinationListRequired",
    {
        "destinations": "list[DestinationInfo]",
        "total": "int",
    },
)


class DestinationList(_DestinationListRequired):
    pass


_DestinationListEnvelopeRequired = TypedDict(
    "_DestinationListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "DestinationList",
    },
)


class DestinationListEnvelope(_DestinationListEnvelopeRequired):
    pass


_DeletedDestinationRequired = TypedDict(
    "_DeletedDestinationRequired",
    {
        "id": "str",
        "name": "str",
        "deleted": "bool",
    },
)


class DeletedDestination(_DeletedDestinationRequired):
    pass


_DeletedDestinationEnvelopeRequired = TypedDict(
    "_DeletedDestinationEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "DeletedDestination",
    },
)


class DeletedDestinationEnvelope(_DeletedDestinationEnvelopeRequired):
    pass


_AccountInfoRequired = TypedDict(
    "_AccountInfoRequired",
    {
        "userId": "str",
        "email": "str",
        "name": "str",
        "credits": "int",
        "apiKeyPrefix": "Union[str, None]",
        "apiKeyCreatedAt": "Union[str, None]",
        "apiKeyLastUsed": "Union[str, None]",
    },
)


class AccountInfo(_AccountInfoRequired):
    """Whose credential it is."""


_AccountInfoEnvelopeRequired = TypedDict(
    "_AccountInfoEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "AccountInfo",
    },
)


class AccountInfoEnvelope(_AccountInfoEnvelopeRequired):
    pass


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
        "apiKeyPrefix": "Union[str, None]",
        "apiKeyCreatedAt": "Union[str, None]",
        "apiKeyLastUsed": "Union[str, None]",
    },
)


class AccountDetails(_AccountDetailsRequired):
    """The account with its plan and limits."""


_PlanInfoRequired = TypedDict(
    "_PlanInfoRequired",
    {
        "name": "PlanName",
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
        "allowedBytes": "Union[int, None]",
    },
)


class StorageUse(_StorageUseRequired):
    """Uploads, outputs and narrations kept for the account."""


_AccountDetailsEnvelopeRequired = TypedDict(
    "_AccountDetailsEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "AccountDetails",
    },
)


class AccountDetailsEnvelope(_AccountDetailsEnvelopeRequired):
    pass


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


_UsageReportEnvelopeRequired = TypedDict(
    "_UsageReportEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "UsageReport",
    },
)


class UsageReportEnvelope(_UsageReportEnvelopeRequired):
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
        "type": "TransactionKind",
        "status": "TransactionState",
        "credits": "int",
        "amountInCents": "int",
        "currency": "str",
        "createdAt": "str",
    },
)


class TransactionInfo(_TransactionInfoRequired):
    """One movement of credits onto the account."""


_TransactionListEnvelopeRequired = TypedDict(
    "_TransactionListEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "TransactionList",
    },
)


class TransactionListEnvelope(_TransactionListEnvelopeRequired):
    pass


_RegistryRequired = TypedDict(
    "_RegistryRequired",
    {
        "area": "RegistryArea",
        "entries": "list[RegistryEntry]",
        "total": "int",
    },
)


class Registry(_RegistryRequired):
    pass


_RegistryEntryRequired = TypedDict(
    "_RegistryEntryRequired",
    {
        "name": "str",
        "aliases": "list[str]",
    },
)
_RegistryEntryOptional = TypedDict(
    "_RegistryEntryOptional",
    {
        "kind": "str",
        "category": "str",
        "emoji": "str",
        "fontFamily": "str",
        "css": "str",
        "weights": "list[int]",
        "italicWeights": "list[int]",
        "source": "FontSource",
        "language": "str",
        "gender": "VoiceGender",
        "engine": "str",
    }, total=False,
)


class RegistryEntry(_RegistryEntryRequired, _RegistryEntryOptional):
    """A name. Fields that do not apply are left out."""


_RegistryEnvelopeRequired = TypedDict(
    "_RegistryEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "Registry",
    },
)


class RegistryEnvelope(_RegistryEnvelopeRequired):
    pass


_RenderProgressRequired = TypedDict(
    "_RenderProgressRequired",
    {
        "event": "Literal['progress', 'completed', 'failed']",
        "data": "str",
    },
)


class RenderProgress(_RenderProgressRequired):
    """An event of a render job: what happened, and the job without its `inputProps`."""


_StoredUploadRequired = TypedDict(
    "_StoredUploadRequired",
    {
        "id": "str",
        "fileUrl": "str",
        "contentType": "UploadType",
        "size": "int",
    },
)


class StoredUpload(_StoredUploadRequired):
    """A finished upload."""


_StoredUploadEnvelopeRequired = TypedDict(
    "_StoredUploadEnvelopeRequired",
    {
        "success": "Literal[True]",
        "data": "StoredUpload",
    },
)


class StoredUploadEnvelope(_StoredUploadEnvelopeRequired):
    pass


_RenderEventDataRequired = TypedDict(
    "_RenderEventDataRequired",
    {
        "jobId": "str",
        "status": "RenderState",
        "durationInFrames": "int",
        "width": "int",
        "height": "int",
        "fps": "int",
        "creditsUsed": "int",
    },
)
_RenderEventDataOptional = TypedDict(
    "_RenderEventDataOptional",
    {
        "projectId": "str",
        "outputUrl": "str",
        "outputSize": "int",
        "outputs": "list[EventOutput]",
        "duration": "int",
        "completedAt": "str",
        "errorMessage": "str",
        "metadata": "Metadata",
        "batchId": "str",
        "test": "bool",
    }, total=False,
)


class RenderEventData(_RenderEventDataRequired, _RenderEventDataOptional):
    """The render that ended. Fields that do not apply are left out."""


_EventOutputRequired = TypedDict(
    "_EventOutputRequired",
    {
        "format": "FileFormat",
        "url": "str",
        "size": "int",
    },
)
_EventOutputOptional = TypedDict(
    "_EventOutputOptional",
    {
        "width": "int",
        "height": "int",
    }, total=False,
)


class EventOutput(_EventOutputRequired, _EventOutputOptional):
    """A file of the render that ended."""


_BatchEventDataRequired = TypedDict(
    "_BatchEventDataRequired",
    {
        "batchId": "str",
        "total": "int",
        "completed": "int",
        "failed": "int",
        "creditsUsed": "int",
        "createdAt": "str",
        "completedAt": "str",
    },
)
_BatchEventDataOptional = TypedDict(
    "_BatchEventDataOptional",
    {
        "metadata": "Metadata",
    }, total=False,
)


class BatchEventData(_BatchEventDataRequired, _BatchEventDataOptional):
    """The batch whose last render ended."""


_WebhookEventRequired = TypedDict(
    "_WebhookEventRequired",
    {
        "event": "EventChoice",
        "timestamp": "str",
        "data": "Union[RenderEventData, BatchEventData]",
    },
)
_WebhookEventOptional = TypedDict(
    "_WebhookEventOptional",
    {
        "deliveryId": "str",
    }, total=False,
)


class WebhookEvent(_WebhookEventRequired, _WebhookEventOptional):
    """What webhooks receive. Fields that do not apply are left out."""

#: An element of a film. Its `type` says which one.
Overlay = Union[TextOverlay, VideoOverlay, ImageOverlay, SoundOverlay, ShapeOverlay, StickerOverlay, CaptionOverlay, EffectOverlay]

#: Why a request failed, for programs.
Reason = Literal['INVALID_REQUEST', 'MISSING_MEDIA_SOURCE', 'UNAUTHORIZED', 'SIGN_IN_FAILED', 'INSUFFICIENT_CREDITS', 'FORBIDDEN', 'READ_ONLY_KEY', 'ACCOUNT_SUSPENDED', 'INVALID_SIGNATURE', 'UPLOAD_EXPIRED', 'STORAGE_QUOTA_EXCEEDED', 'PROJECT_LIMIT', 'TEMPLATE_LIMIT', 'PUBLISHING_NOT_ALLOWED', 'CROSS_ORIGIN', 'OPERATOR_ONLY', 'SIGN_UP_CLOSED', 'INVITE_NEEDED', 'INVITE_INVALID', 'RESET_INVALID', 'WRONG_PASSWORD', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'IDEMPOTENCY_IN_PROGRESS', 'UPLOAD_COMPLETE', 'UPLOAD_IN_PROGRESS', 'DESTINATION_EXISTS', 'EMAIL_TAKEN', 'LAST_OPERATOR', 'PREVIEW_EXPIRED', 'PROJECT_CHANGED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RANGE_NOT_SATISFIABLE', 'VALUE_OUT_OF_RANGE', 'INVALID_ENUM_VALUE', 'UNKNOWN_OVERLAY_TYPE', 'DUPLICATE_OVERLAY_ID', 'TOO_MANY_OVERLAYS', 'COMPOSITION_TOO_LARGE', 'BATCH_TOO_LARGE', 'INVALID_EDIT', 'PASSWORD_IN_URL', 'INVALID_REPLACEMENT_VALUE', 'MEDIA_URL_NOT_ALLOWED', 'WEBHOOK_URL_NOT_ALLOWED', 'DESTINATION_NOT_ALLOWED', 'UNKNOWN_DESTINATION', 'MEDIA_LIMIT_EXCEEDED', 'UNSUPPORTED_CONTENT_TYPE', 'SIZE_MISMATCH', 'UNKNOWN_UPLOAD', 'DUPLICATE_NAME', 'UNKNOWN_FONT', 'WEBHOOK_LIMIT_REACHED', 'DESTINATION_LIMIT_REACHED', 'AI_VALUE_NOT_ALLOWED', 'AI_LIMIT_EXCEEDED', 'AI_SOURCE_NOT_FOUND', 'UNKNOWN_VOICE', 'UNSUPPORTED_LANGUAGE', 'AI_NOT_AVAILABLE', 'MEDIA_UNREACHABLE', 'MEDIA_UNREADABLE', 'RECORDING_TOO_LONG', 'IDEMPOTENCY_KEY_REUSED', 'WEAK_PASSWORD', 'PREVIEW_NOT_DRAWN', 'RATE_LIMITED', 'TOO_MANY_ATTEMPTS', 'PREVIEW_PICTURE_LIMIT', 'TOO_MANY_WAITING', 'TEST_LIMIT_REACHED', 'INTERNAL', 'SERVER_BUSY', 'SPEECH_UNAVAILABLE', 'STOCK_UNAVAILABLE', 'TOO_MANY_CONNECTIONS', 'DATABASE_UNAVAILABLE', 'FILES_UNAVAILABLE', 'DISK_FULL', 'STOPPING', 'NOT_READY', 'NOT_BUILT', 'WRONG_HOST', 'INVALID_ARGUMENT', 'DRAWING_TOO_SLOW']

#: The value of a variable: text, an address, speech to generate or to transcribe, captions or their words. `null` leaves the variable alone.
ReplacementValue = Union[Union[str, float, bool, None], NarrationValue, TranscriptionValue, list[Caption], list[CaptionWord]]

#: State of a render job.
RenderState = Literal['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']

#: What a render was made from.
RenderMode = Literal['direct', 'template', 'project']

#: Extension of a file that was rendered; `zip` holds a sequence of pictures, `m3u8` is the playlist of an `hls` output.
FileFormat = Literal['mp4', 'webm', 'mov', 'm3u8', 'gif', 'png', 'jpg', 'webp', 'mp3', 'wav', 'aac', 'm4a', 'zip']

#: Keys and values of the caller.
Metadata = dict[str, Any]

#: State of a copy in a destination.
CopyStatus = Literal['PENDING', 'COPIED', 'FAILED']

#: Type of the overlay; `color` for a colour of the film, `font` for a font of the film.
VariableOverlay = Literal['text', 'video', 'image', 'sound', 'shape', 'sticker', 'caption', 'effect', 'color', 'font']

#: Overlay field that is written; `colors` and `fonts` are written wherever styles hold them.
VariableField = Literal['content', 'src', 'colors', 'fonts']

#: Where the value of a variable comes from.
ValueSource = Literal['replacement', 'default', 'ai']

#: `url` for video, image and sound overlays, `text` for everything else.
VariableType = Literal['text', 'url']

#: What happens to text that does not fit.
OverflowBehavior = Literal['clipped']

#: What a warning is about.
WarningCode = Literal['MEDIA_UNREACHABLE', 'UNKNOWN_REPLACEMENT', 'UNKNOWN_FIELD', 'REPLACEMENTS_IGNORED', 'INVALID_CSS_VALUE', 'UNKNOWN_PRESET', 'UNKNOWN_EASING', 'UNKNOWN_SHAPE', 'UNKNOWN_STICKER', 'UNKNOWN_CAPTION_TEMPLATE', 'UNKNOWN_LANGUAGE', 'FONT_NOT_RESOLVED', 'FONT_FACE_UNREADABLE', 'FONT_WEIGHT_UNAVAILABLE', 'FONT_SIZE_UNIT_IGNORED', 'TEXT_MAY_CLIP', 'TEXT_INK_CLIPPED', 'ANIMATION_IGNORED', 'NO_ROOM_FOR_TEXT', 'LAYOUT_NOT_CHECKED', 'MEDIA_START_PAST_END', 'MEDIA_SHORTER_THAN_OVERLAY', 'LOW_RESOLUTION_MEDIA', 'OVERLAY_OUTSIDE_TIMELINE', 'OVERLAY_OFF_CANVAS', 'ODD_DIMENSIONS', 'NARRATION_MISSING', 'MEDIA_URL_REWRITTEN', 'STYLE_WITHOUT_EFFECT', 'STICKER_CATEGORY_UNKNOWN', 'OVERLAY_TYPE_RENAMED', 'EDITOR_FIELD_IGNORED']

#: How serious a warning is. `error`: the render will be wrong or fail. `warning`: it renders, but not as authored. `info`: advice.
WarningSeverity = Literal['error', 'warning', 'info']

#: Format of a document of another service or editor.
DocumentFormat = Literal['shotstack', 'creatomate', 'json2video', 'rve']

#: What a warning of an import is about.
ImportWarningCode = Literal['NO_EQUIVALENT', 'APPROXIMATED', 'LENGTH_ASSUMED', 'FIELD_SUBSTITUTED', 'VALUE_IGNORED', 'MEDIA_NEEDED', 'UNKNOWN_FIELD', 'MORE_WARNINGS']

#: How serious a warning of an import is.
ImportSeverity = Literal['warning', 'info']

#: What a template is for.
TemplateCategory = Literal['PERSONALIZED', 'BRANDING', 'REAL_ESTATE', 'SOCIAL_MEDIA', 'EDUCATIONAL', 'ECOMMERCE', 'SPORTS', 'EVENTS', 'TRAVEL']

#: Who can use a template.
TemplateVisibility = Literal['private', 'public']

#: What lists say of a variable.
ListedType = Literal['string']

#: An empty object.
Done = dict[str, Any]

#: What a change was authenticated with.
AuthorType = Literal['person', 'key', 'app']

#: Gender of a voice.
VoiceGender = Literal['female', 'male', 'neutral']

#: How a file came to be.
FileKind = Literal['upload', 'narration']

#: MIME type of a file.
UploadType = Literal['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/svg+xml', 'video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska', 'audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/ogg', 'audio/webm', 'audio/flac', 'audio/aac', 'font/ttf', 'font/otf', 'font/woff', 'font/woff2']

#: A provider of stock photos and videos.
StockProviderName = Literal['pexels', 'pixabay', 'unsplash']

#: What a stock item is.
StockMediaKind = Literal['photo', 'video']

#: An event.
EventChoice = Literal['render.completed', 'render.failed', 'batch.completed']

#: State of a delivery.
DeliveryStatus = Literal['PENDING', 'DELIVERED', 'FAILED']

#: A plan as people call it.
PlanName = Literal['none', 'Creator', 'Business']

#: Kind of a transaction.
TransactionKind = Literal['CREDIT_PURCHASE', 'SUBSCRIPTION', 'ADDITIONAL_CREDITS']

#: State of a transaction.
TransactionState = Literal['PENDING', 'COMPLETED', 'FAILED', 'REFUNDED']

#: A list of names.
RegistryArea = Literal['animations', 'during', 'layouts', 'effects', 'shapes', 'stickers', 'emoji', 'captions', 'easings', 'filters', 'fonts', 'voices']

#: Where a font comes from: a folder of the operator, Rondo, or the caller's uploads.
FontSource = Literal['user', 'bundled', 'account']


class CreateRenderArguments(TypedDict, total=False):
    """Creates a render job."""

    #: A complete composition (direct mode).
    input_props: Optional[Composition]
    #: Width of the canvas in pixels. Replaces the film's.
    width: Optional[int]
    #: Height of the canvas in pixels. Replaces the film's.
    height: Optional[int]
    #: Frames per second. Replaces the film's.
    fps: Optional[int]
    #: Length in frames. Replaces the film's.
    duration_in_frames: Optional[int]
    #: How the sound is finished.
    audio: Optional[Finish]
    #: Keys and values of the caller, shown on the job and in webhook events.
    metadata: Optional[dict[str, Any]]
    #: Renders faster, at lower quality. Default: false.
    draft: Optional[bool]
    #: Saves the film as a project. Default: true in template mode, else false.
    create_project: Optional[bool]
    #: Name of that project.
    project_name: Optional[str]
    #: URL to call once the render ends.
    webhook_url: Optional[str]
    #: Allows a preview to generate and bill AI values. Default: false.
    confirm_ai_cost: Optional[bool]


class ListRendersArguments(TypedDict, total=False):
    """Lists the caller's render jobs, newest first."""

    #: Only jobs with this status.
    status: Optional[Literal['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']]
    #: Only jobs created this way.
    mode: Optional[Literal['direct', 'template', 'project']]
    #: Only jobs of this project.
    project_id: Optional[str]
    #: Only jobs of this template.
    template_id: Optional[str]
    #: Only jobs of this batch.
    batch_id: Optional[str]
    #: Only jobs with these values in their metadata, such as `metadata[order]=4711`. Numbers, `true` and `false` are compared as they are written.
    metadata: Optional[dict[str, Any]]
    #: Only jobs created after this moment, such as 2026-11-14T09:30:00Z.
    created_after: Optional[str]
    #: Only jobs created before this moment.
    created_before: Optional[str]
    #: Only jobs with this text in the name of their project or in their id.
    search: Optional[str]
    #: The fields of each job to return, with commas between them. Default: all but `inputProps`.
    fields: Union[str, list[str], None]
    #: Jobs on a page. Default: 20.
    limit: Optional[int]
    #: The `nextCursor` of the previous page.
    cursor: Optional[str]


class CreateBatchArguments(TypedDict, total=False):
    """Creates up to 1,000 renders of one template or project, one for each set of values."""

    #: Width of the canvas in pixels. Replaces the film's.
    width: Optional[int]
    #: Height of the canvas in pixels. Replaces the film's.
    height: Optional[int]
    #: Frames per second. Replaces the film's.
    fps: Optional[int]
    #: Length in frames. Replaces the film's.
    duration_in_frames: Optional[int]
    #: The file to make.
    output: Optional[Output]
    #: How the sound is finished.
    audio: Optional[Finish]
    #: Keys and values of the caller, shown on the job and in webhook events.
    metadata: Optional[dict[str, Any]]
    #: Renders faster, at lower quality. Default: false.
    draft: Optional[bool]


class GetBatchArguments(TypedDict, total=False):
    """Returns a batch: how many of its renders have which status, its progress, and a page of its renders."""

    #: The fields of each render to return, with commas between them. Default: all but `inputProps`.
    fields: Union[str, list[str], None]
    #: Renders on a page. Default: 20.
    limit: Optional[int]
    #: The `nextCursor` of the previous page.
    cursor: Optional[str]


class CreateImportArguments(TypedDict, total=False):
    """Makes a composition of a film of Shotstack, Creatomate, JSON2Video or React Video Editor, free of charge."""

    #: Format of the document: shotstack, creatomate, json2video or rve (React Video Editor). When omitted, it is recognised.
    from_: Optional[Literal['shotstack', 'creatomate', 'json2video', 'rve']]


class ListTemplatesArguments(TypedDict, total=False):
    """Lists the templates the caller may use."""

    #: The fields of each template to return, with commas between them. Default: all.
    fields: Union[str, list[str], None]
    #: Templates on a page. Default: all.
    limit: Optional[int]
    #: The `nextCursor` of the previous page.
    cursor: Optional[str]


class ListProjectsArguments(TypedDict, total=False):
    """Lists the caller's projects, newest first."""

    #: `true`: only projects with at least one variable.
    dynamic: Optional[bool]
    #: Only projects with this text in their name.
    search: Optional[str]
    #: The fields of each project to return, with commas between them. Default: all.
    fields: Union[str, list[str], None]
    #: Projects on a page. Default: all.
    limit: Optional[int]
    #: The `nextCursor` of the previous page.
    cursor: Optional[str]


class CreateVoiceoverArguments(TypedDict, total=False):
    """Speaks a text and reports when each word is spoken."""

    #: Kind of sound file. Default: `wav`.
    format: Optional[Literal['wav', 'mp3']]
    #: Makes captions short enough for a portrait picture. Default: false.
    portrait: Optional[bool]


class CreateCaptionsArguments(TypedDict, total=False):
    """Transcribes a recording, with the time of every word."""

    #: A sound or video, also one of this service.
    url: Optional[str]
    #: From POST /uploads.
    upload_id: Optional[str]
    #: From POST /ai/voiceover. Its words are known, and free.
    voiceover_id: Optional[str]
    #: Such as `en`. Default: detected.
    language: Optional[str]
    #: Where to start, in seconds. Times are counted from here.
    start_time: Optional[float]
    #: Where to end, in seconds.
    end_time: Optional[float]
    #: Makes captions short enough for a portrait picture. Default: false.
    portrait: Optional[bool]
    #: Returns the captions as `subtitles` too.
    format: Optional[Literal['srt', 'vtt']]


class ListUploadsArguments(TypedDict, total=False):
    """Lists the caller's finished uploads, newest first."""

    #: Uploads, narrations or both.
    kind: Optional[Literal['upload', 'narration', 'all']]
    #: Only files with this text in their name, their type or, for narrations, their text.
    search: Optional[str]
    #: Files on a page. Default: 20.
    limit: Optional[int]
    #: The `nextCursor` of the previous page.
    cursor: Optional[str]


class SearchStockArguments(TypedDict, total=False):
    """Searches a stock provider for photos or videos."""

    #: Photos or videos.
    kind: Optional[Literal['photo', 'video']]
    #: The page, from 1. Default: 1.
    page: Optional[int]


class AddStockItemArguments(TypedDict, total=False):
    """Makes a photo or video of a stock provider usable in films."""

    #: A photo or a video. Default: `photo`.
    kind: Optional[Literal['photo', 'video']]


class SetBrandArguments(TypedDict, total=False):
    """Replaces the brand kit of the account."""

    #: The id of an upload that is an image.
    logo: Optional[str]
    #: Up to 12 colours, the most important first.
    colors: Optional[list[ColorBody]]
    #: Font families.
    fonts: Optional[FontsBody]


class GetUsageArguments(TypedDict, total=False):
    """Reports what the account used, in total and by day."""

    #: First moment, a date or date-time. Default: 30 days before `to`.
    from_: Optional[str]
    #: First moment after the report, a date or date-time. Default: now.
    to: Optional[str]
    #: How to group the usage.
    group_by: Optional[Literal['day']]
