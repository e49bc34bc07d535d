"""An SVG page that grows, and the strokes that several scenes share."""

import math
import random


class Canvas:
    def __init__(self, width, height):
        self.w, self.h = width, height
        self.defs, self.body, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"d{self.count}"

    def linear(self, *stops, x1=0, y1=0, x2=0, y2=1):
        """A gradient down the page's objects; stops are colours, or (offset, colour) or (offset, colour, opacity)."""
        return self.gradient("linear", f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"', stops)

    def across(self, *stops):
        return self.linear(*stops, x2=1, y2=0)

    def radial(self, *stops, cx=0.5, cy=0.5, r=0.5):
        return self.gradient("radial", f'cx="{cx}" cy="{cy}" r="{r}"', stops)

    def gradient(self, kind, place, stops):
        stops = [s if isinstance(s, tuple) else (i / max(1, len(stops) - 1), s) for i, s in enumerate(stops)]
        inner = "".join(f'<stop offset="{s[0]:.3f}" stop-color="{s[1]}" stop-opacity="{s[2] if len(s) > 2 else 1}"/>' for s in stops)
        name = self.name()
        self.defs.append(f'<{kind}Gradient id="{name}" {place}>{inner}</{kind}Gradient>')
        return f"url(#{name})"

    def blur(self, pixels):
        name = self.name()
        self.defs.append(f'<filter id="{name}" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="{pixels}"/></filter>')
        return f"url(#{name})"

    def clip(self, shape):
        name = self.name()
        self.defs.append(f'<clipPath id="{name}">{shape}</clipPath>')
        return f"url(#{name})"

    def add(self, tag, fill=None, **more):
        if fill is not None:
            more["fill"] = fill
        attributes = " ".join(f'{k.replace("_", "-")}="{round(v, 2) if isinstance(v, float) else v}"' for k, v in more.items())
        self.body.append(f"<{tag} {attributes}/>")

    def rect(self, x, y, w, h, fill, **more):
        self.add("rect", fill, x=x, y=y, width=w, height=h, **more)

    def ellipse(self, x, y, rx, ry, fill, **more):
        self.add("ellipse", fill, cx=x, cy=y, rx=rx, ry=ry, **more)

    def circle(self, x, y, r, fill, **more):
        self.add("circle", fill, cx=x, cy=y, r=r, **more)

    def path(self, d, fill, **more):
        self.add("path", fill, d=d, **more)

    def line(self, d, stroke, width, **more):
        self.add("path", "none", d=d, stroke=stroke, stroke_width=width, stroke_linecap="round", stroke_linejoin="round", **more)

    def poly(self, points, fill, **more):
        self.add("polygon", fill, points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), **more)

    def open(self, **more):
        self.body.append("<g " + " ".join(f'{k.replace("_", "-")}="{v}"' for k, v in more.items()) + ">")

    def close(self):
        self.body.append("</g>")

    def full(self, fill, **more):
        self.rect(0, 0, self.w, self.h, fill, **more)

    def glow(self, x, y, r, colour, strength=1.0):
        self.circle(x, y, r, self.radial((0, colour, strength), (0.35, colour, strength * 0.45), (1, colour, 0)))

    def shadow(self, x, y, rx, ry, strength=0.35, colour="#1a0f08"):
        self.ellipse(x, y, rx, ry, self.radial((0, colour, strength), (0.55, colour, strength * 0.5), (1, colour, 0)))

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.w} {self.h}" width="{self.w}" height="{self.h}">'
                f'<defs>{"".join(self.defs)}</defs>{"".join(self.body)}</svg>')


def smooth(seed):
    """Noise of one dimension, 0 to 1."""
    dice = random.Random(seed)
    table = [dice.random() for _ in range(512)]

    def at(x):
        i = math.floor(x)
        u = x - i
        u = u * u * (3 - 2 * u)
        return table[i & 511] * (1 - u) + table[(i + 1) & 511] * u

    return at


def ridge(width, base, rise, scale, seed, detail=5, step=6):
    """The outline of hills, as points from left to right."""
    field = smooth(seed)
    points = []
    for x in range(0, width + step, step):
        value = sum(field(x / width * scale * 2**i + 31 * i) * 0.5**i for i in range(detail)) / sum(0.5**i for i in range(detail))
        points.append((x, base - rise * (2 * value - 0.7)))
    return points


def leaf(c, x, y, length, angle, fill, width=0.3, vein=None):
    a = math.radians(angle)
    dx, dy = math.cos(a) * length, math.sin(a) * length
    nx, ny = -dy * width, dx * width
    c.path(f"M{x:.1f} {y:.1f}Q{x + dx * .45 + nx:.1f} {y + dy * .45 + ny:.1f} {x + dx:.1f} {y + dy:.1f}"
           f"Q{x + dx * .45 - nx:.1f} {y + dy * .45 - ny:.1f} {x:.1f} {y:.1f}Z", fill)
    if vein:
        c.line(f"M{x:.1f} {y:.1f}L{x + dx * .9:.1f} {y + dy * .9:.1f}", vein, max(1, length * 0.012))


def plant(c, x, y, size, colours, seed=1, count=11, pot="#E8D9C5"):
    """A house plant in a pot that stands at (x, y)."""
    dice = random.Random(seed)
    c.shadow(x + size * .05, y, size * .42, size * .07, 0.4)
    top = y - size * .42
    for i in range(count):
        angle = -90 + (i - (count - 1) / 2) * 150 / count + dice.uniform(-6, 6)
        length = size * dice.uniform(.62, .98) * (1 - abs(angle + 90) / 300)
        leaf(c, x, top + 8, length, angle, colours[i % len(colours)], 0.16, "rgba(255,255,255,0.14)")
    w = size * .24
    c.path(f"M{x - w} {top}H{x + w}L{x + w * .78} {y}H{x - w * .78}Z", c.across((0, pot), (.35, "#FFF8EC"), (1, "#A18E78")))
    c.ellipse(x, top, w, w * .16, "#5b4a3b")
