"""The film a layout describes: overlays in painting order, times in seconds, one box per shape of film."""

import json
import math

FPS = 30
SIZES = {"16x9": (1920, 1080), "9x16": (1080, 1920), "1x1": (1080, 1080)}


class Film:
    """One shape of a template. Overlays added later are painted in front."""

    def __init__(self, shape, seconds, background, colors, folder):
        self.shape, self.seconds, self.folder = shape, seconds, folder
        self.w, self.h = SIZES[shape]
        self.background, self.colors, self.overlays = background, colors, []

    def pick(self, wide, tall, square):
        """The value for this shape of film."""
        return {"16x9": wide, "9x16": tall, "1x1": square}[self.shape]

    @property
    def full(self):
        return 0, 0, self.w, self.h

    # --- overlays -----------------------------------------------------------------------------------------------------

    def add(self, kind, box, start, end, styles, name=None, rotation=0, **fields):
        first, after = round(start * FPS), round((self.seconds if end is None else end) * FPS)
        left, top, width, height = box
        overlay = {"id": len(self.overlays) + 1, "type": kind}
        if name:
            overlay |= {"name": name, "isDynamic": True}
        overlay |= {"from": first, "durationInFrames": after - first, "row": 0, "left": left, "top": top, "width": width, "height": height}
        if rotation:
            overlay["rotation"] = rotation
        self.overlays.append(overlay | fields | {"styles": {key: value for key, value in styles.items() if value is not None}})

    def music(self, volume=0.8):
        self.add("sound", (0, 0, 0, 0), 0, None, {"volume": volume, "fadeOut": 1.0}, "music", src="media/music.m4a")

    def sound(self, file, start, seconds, volume=0.3):
        self.add("sound", (0, 0, 0, 0), start, start + seconds, {"volume": volume}, src=f"media/{file}")

    def text(self, content, box, start, end, font, size, colour, weight=400, align="left", name=None, rotation=0, line=1.15, whole=False, **more):
        # The padding keeps descenders inside the box when lines are close.
        styles = {"fontFamily": font, "fontSize": f"{size}px", "fontWeight": str(weight), "color": colour, "textAlign": align,
                  "lineHeight": f"{line:g}", "padding": "0.1em 0px"}
        if whole:
            box, styles["padding"] = widened(box, rotation, round(size * .1), more["staggeredMotion"])
        self.add("text", box, start, end, styles | more, name, rotation, content=content)

    def shape_of(self, content, box, start, end, fill, rotation=0, **more):
        self.add("shape", box, start, end, {"fill": fill} | more, rotation=rotation, content=content)

    def rect(self, box, start, end, fill, **more):
        self.shape_of("rectangle", box, start, end, fill, **more)

    def image(self, file, box, start, end, name=None, rotation=0, **styles):
        self.add("image", box, start, end, styles, name, rotation, src=f"media/{file}")

    def video(self, file, box, start, end, name=None, at=0.0, **styles):
        fields = {"src": f"media/{file}"} | ({"videoStartTime": at} if at else {})
        self.add("video", box, start, end, {"volume": 0} | styles, name, **fields)

    def captions(self, box, start, end, **styles):
        """The captions that media/make wrote with the narration."""
        there = self.folder / "composition.json"
        overlays = json.loads(there.read_text())["overlays"] if there.exists() else []
        lines = [line for overlay in overlays for line in overlay.get("captions", [])]
        self.add("caption", box, start, end, styles, "captions", captions=lines or [{"text": "", "startMs": 0, "endMs": 0, "words": []}])

    def loop(self, file, seconds, box, **styles):
        """A clip of `seconds`, again and again until the end."""
        start = 0
        while start < self.seconds:
            self.video(file, box, start, min(self.seconds, start + seconds), **styles)
            start += seconds

    # --- the file -----------------------------------------------------------------------------------------------------

    def json(self):
        """The composition, laid out as the others are: one line for where and when, one for each group of styles."""
        visible = [overlay for overlay in self.overlays if overlay["type"] != "sound"]
        for row, overlay in enumerate(reversed(visible)):
            overlay["row"] = row
        head = {"width": self.w, "height": self.h, "fps": FPS, "durationInFrames": round(self.seconds * FPS), "backgroundColor": self.background}
        colors = {"colors": [{"name": name, "value": value} for name, value in self.colors.items()]}
        return "{\n  " + fields(head) + ",\n  " + fields(colors) + ',\n  "overlays": [\n' + ",\n".join(map(written, self.overlays)) + "\n  ]\n}\n"


def written(overlay):
    """An overlay as JSON."""
    place = ("left", "top", "width", "height", "rotation")
    lines = [fields({key: value for key, value in overlay.items() if key not in (*place, "content", "src", "styles", "captions", "category")}),
             fields({key: overlay[key] for key in place if key in overlay})]
    lines += [fields({key: overlay[key]}) for key in ("content", "src", "category") if key in overlay]
    if "captions" in overlay:
        lines.append('"captions": [\n        ' + ",\n        ".join("{" + fields(line) + "}" for line in overlay["captions"]) + "\n      ]")
    plain = {key: value for key, value in overlay["styles"].items() if not isinstance(value, dict)}
    styles = [fields(plain)] if plain else []
    styles += [fields({key: value}) for key, value in overlay["styles"].items() if isinstance(value, dict)]
    lines.append('"styles": {\n        ' + ",\n        ".join(styles) + "\n      }")
    return "    {\n      " + ",\n      ".join(lines) + "\n    }"


def fields(values):
    return json.dumps(values, ensure_ascii=False)[1:-1]


def widened(box, rotation, above, motion):
    """The box that a text needs to move as a whole, for a box cuts off what leaves it, and the padding that keeps the text where it was."""
    left, top, width, height = box
    x, y = (max(motion.get(axis, [0]), key=abs) for axis in "xy")
    padding = [above + max(0, -y), max(0, x), above + max(0, y), max(0, -x)]
    # A box turns about its centre, which is no longer that of the text.
    sin, cos = math.sin(math.radians(rotation)), math.cos(math.radians(rotation))
    away = (x / 2 * cos - y / 2 * sin - x / 2, x / 2 * sin + y / 2 * cos - y / 2)
    place = (left + min(0, x) + away[0], top + min(0, y) + away[1], width + abs(x), height + abs(y))
    return tuple(map(round, place)), " ".join(f"{side}px" for side in padding)


# --- motion ---------------------------------------------------------------------------------------------------------------

def moves(seconds, easing="easeOutExpo", delay=0.0, **keyframes):
    """Keyframes for a whole overlay."""
    timing = {"duration": round(seconds * FPS), "easing": easing} | ({"delay": round(delay * FPS)} if delay else {})
    return {"staggeredMotion": {"enabled": True} | keyframes | timing}


def words(rise=60, seconds=0.8, delay=0.0, stagger=1.2, easing="easeOutExpo", **keyframes):
    """Words that rise one after the other."""
    timing = {"duration": round(seconds * FPS), "easing": easing} | ({"delay": round(delay * FPS)} if delay else {})
    shown = {"y": [rise, 0], "opacity": [0, 1]} | keyframes
    return {"animatedText": {"enabled": True, "split": "word", "splitStagger": stagger} | shown | timing}


def enters(preset=None, seconds=0.5, leave=None, leaving=0.3, during=None, strength=1, speed=None):
    """Enter, exit and continuous motion by preset."""
    animation = {}
    if preset:
        animation |= {"enter": preset, "enterDuration": seconds}
    if leave:
        animation |= {"exit": leave, "exitDuration": leaving}
    if during:
        animation |= {"during": during, "duringIntensity": strength}
    if speed:
        animation["duringSpeed"] = speed
    return {"animation": animation}
