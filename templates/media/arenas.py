"""Places where people compete or dance, and space, where they dream."""

import math
import random

from canvas import Canvas
from places import stars


def stadium(w=1080, h=1920):
    """A pitch at night under floodlights."""
    c, dice = Canvas(w, h), random.Random(3)
    c.full(c.linear("#04091C", "#0B1B45", "#173A7A", "#0C2A4F"))
    stand = h * .60
    c.path(f"M0 {h * .44}Q{w / 2} {h * .36} {w} {h * .44}V{stand + 40}H0Z", c.linear("#16244F", "#0A1230"))
    for row in range(16):
        y0 = h * .445 + row * h * .0098
        for i in range(90):
            u = i / 89
            x = u * w + dice.uniform(-5, 5)
            y = y0 - h * .07 * (1 - (2 * u - 1) ** 2) * (1 - row / 20) + dice.uniform(-3, 3)
            c.circle(x, y, 4.2, dice.choice(["#3E5BA8", "#27407F", "#6F88CC", "#F2F4FF", "#FF6B5A", "#FFD36B"]), opacity=round(dice.uniform(.25, .8), 2))
    c.rect(0, stand - 6, w, 30, "#0A1433")
    for i in range(8):
        c.rect(i * w / 8 + 6, stand - 2, w / 8 - 12, 22, ["#FF5A4F", "#F4F6FF", "#FFC24B", "#4FD1FF"][i % 4], opacity=.75)
    c.rect(0, stand + 24, w, h, c.linear("#2E9A55", "#1C7A43", "#0E4F30"))
    for i in range(9):
        a, b = (i - 4.5) / 4.5, (i - 3.5) / 4.5
        if i % 2:
            c.poly([(w / 2 + a * w * .42, stand + 24), (w / 2 + b * w * .42, stand + 24), (w / 2 + b * w * 1.7, h), (w / 2 + a * w * 1.7, h)], "#FFFFFF", opacity=.07)
    c.line(f"M{w * .12} {stand + 60}H{w * .88}L{w * 1.2} {h * .96}H{-w * .2}Z", "#F4FFF4", 6, opacity=.8)
    c.line(f"M{-w * .03} {h * .76}H{w * 1.03}", "#F4FFF4", 6, opacity=.8)
    c.ellipse(w / 2, h * .76, w * .24, h * .045, "none", stroke="#F4FFF4", stroke_width=6, opacity=.8)
    for x, flip in ((w * .10, 1), (w * .90, -1)):
        c.rect(x - 6, h * .17, 12, h * .26, "#1E2C5A")
        c.glow(x, h * .16, w * .62, "#CFE3FF", .75)
        c.poly([(x, h * .16), (x + flip * w * .95, h * .80), (x + flip * w * .15, h * .92)], "#DCEBFF", opacity=.13, filter=c.blur(26))
        for i in range(4):
            for k in range(3):
                c.circle(x - 54 + i * 36, h * .145 + k * 30, 14, "#FFFFFF")
                c.glow(x - 54 + i * 36, h * .145 + k * 30, 40, "#EAF3FF", .9)
    return c.svg()


def track(w=1080, h=1350):
    """Lanes of a running track from above, with the shadow of a hurdle."""
    c = Canvas(w, h)
    c.full(c.linear("#E2573B", "#C8412B", x2=1))
    dice = random.Random(1)
    for _ in range(900):
        c.circle(dice.uniform(0, w), dice.uniform(0, h), dice.uniform(.6, 2), dice.choice(["#8F2A1B", "#F58A6E"]), opacity=.35)
    c.open(transform=f"rotate(-18 {w / 2} {h / 2})")
    for i in range(-2, 9):
        c.rect(-w, i * h * .17, w * 3, 9, "#FFF6EA", opacity=.95)
    for i in range(-2, 9):
        c.rect(w * .22, i * h * .17 + 9, 12, h * .17 - 9, "#FFF6EA", opacity=.95)
    c.rect(w * .60, -h, 60, h * 3, "#000", opacity=.10, filter=c.blur(10))
    c.close()
    c.full(c.radial((0, "#FFD9A8", .30), (1, "#4A0F0A", .35), cx=.25, cy=.2, r=1.1))
    return c.svg()


def tennis(w=1080, h=1350):
    """A tennis court from above; the ball has just bounced."""
    c = Canvas(w, h)
    c.full(c.linear("#2D6FB5", "#1F5596", x2=1))
    c.open(transform=f"rotate(14 {w / 2} {h / 2})")
    c.rect(-w, h * .18, w * 3, h * 2, c.linear("#3E8AD3", "#2B6CB4"))
    c.rect(-w, h * .18, w * 3, 16, "#FFFFFF")
    c.rect(w * .26, h * .18, 16, h * 2, "#FFFFFF")
    c.rect(-w, h * .74, w * 3, 12, "#FFFFFF")
    c.close()
    c.ellipse(w * .66, h * .50, 104, 84, "#0B2C55", opacity=.45, filter=c.blur(12))
    c.circle(w * .58, h * .42, 118, c.radial("#F7FF9A", "#D4EE3C", "#8FB31A", cx=.36, cy=.30, r=.8))
    c.line(f"M{w * .58 - 100} {h * .42 - 60}q70 60 20 150M{w * .58 + 44} {h * .42 - 108}q-30 80 70 140", "#FFFFFF", 9, opacity=.9)
    c.full(c.radial((0, "#FFFFFF", .16), (1, "#06203F", .40), cx=.3, cy=.2, r=1.1))
    return c.svg()


def pool(w=1080, h=1350):
    """Swimming lanes from above, sunlight on the floor."""
    c, dice = Canvas(w, h), random.Random(8)
    c.full(c.linear("#35C6E0", "#1496BF", "#0B72A3"))
    for _ in range(130):
        x, y, s = dice.uniform(-60, w), dice.uniform(-40, h), dice.uniform(50, 140)
        c.line(f"M{x:.0f} {y:.0f}q{s * .5:.0f} {dice.uniform(-40, 40):.0f} {s:.0f} {dice.uniform(-10, 10):.0f}q{s * .3:.0f} {dice.uniform(-50, 50):.0f} {s * .9:.0f} {dice.uniform(-10, 30):.0f}", "#D9FBFF", dice.uniform(2, 6), opacity=.28)
    for k in range(5):
        x = w * (.02 + .24 * k)
        c.rect(x + w * .105, 0, 34, h, "#0A4E7C", opacity=.55)
        for i in range(34):
            c.ellipse(x, i * 42 + 14, 13, 18, "#F7574A" if (i // 4) % 2 == 0 else "#FFFFFF")
            c.ellipse(x + 16, i * 42 + 22, 14, 18, "#063A5C", opacity=.22)
    c.full(c.radial((0, "#FFFFFF", .22), (1, "#04304F", .40), cx=.3, cy=.15, r=1.1))
    return c.svg()


def stage(w=1080, h=1920, part="stage"):
    """A concert: the stage with its lamps and haze, or the crowd before it."""
    c, dice = Canvas(w, h), random.Random(10)
    if part == "stage":
        c.full(c.linear("#0A0518", "#2A0B45", "#7A1466", "#F0386B"))
        c.glow(w / 2, h * .62, w * .95, "#FF7A3C", .95)
        c.glow(w / 2, h * .64, w * .45, "#FFE6A0", .95)
        for i in range(9):
            x = w * (i + .5) / 9
            c.glow(x, 6, 90, ["#FF5FA8", "#8C6BFF", "#4FD1FF", "#FFC24B"][i % 4], .9)
            c.circle(x, 6, 13, "#fff")
        for y, o in ((.52, .35), (.60, .4), (.66, .35)):
            c.ellipse(w * dice.uniform(.3, .7), h * y, w * .7, h * .04, "#FFD0E0", opacity=o, filter=c.blur(40))
        for _ in range(60):
            c.circle(dice.uniform(0, w), dice.uniform(0, h * .75), dice.uniform(1, 4), "#FFE9C9", opacity=round(dice.uniform(.2, .8), 2))
        return c.svg()
    for row, (base, tint) in enumerate(((.74, "#3A0B3F"), (.80, "#22072C"), (.87, "#0E0316"))):
        n = 11 - row * 2
        for i in range(n + 1):
            x = w * i / n + dice.uniform(-20, 20)
            y, r = h * base + dice.uniform(-20, 30), w * (.044 + .013 * row)
            c.circle(x, y, r, tint)
            c.rect(x - r * 1.9, y + r * .75, r * 3.8, h, tint, rx=r)
            if dice.random() < .62:
                side = dice.choice([-1, 1])
                hx, hy = x + side * r * 2.1, y - r * dice.uniform(2.8, 4.6)
                c.line(f"M{x + side * r * 1.5:.0f} {y + r * 1.4:.0f}Q{x + side * r * 2.6:.0f} {y - r:.0f} {hx:.0f} {hy:.0f}", tint, r * .62)
                c.circle(hx, hy, r * .42, tint)
                for a in (-120, -95, -70, -40):
                    c.line(f"M{hx:.0f} {hy:.0f}l{math.cos(math.radians(a)) * r * .85:.0f} {math.sin(math.radians(a)) * r * .85:.0f}", tint, r * .20)
        c.rect(0, h * base + w * .10, w, h, tint)
    return c.svg()


def planet(w=1080, h=1920):
    """A planet in deep space."""
    c, dice = Canvas(w, h), random.Random(17)
    c.full(c.linear("#05051A", "#0D0F3A", "#1F1450", "#0A0722"))
    for x, y, r, tint in ((.2, .25, .6, "#3A2A9A"), (.9, .55, .6, "#8A2A7A"), (.4, .9, .7, "#123A7A")):
        c.glow(w * x, h * y, w * r, tint, .55)
    stars(c, dice, 260, h)
    cx, cy, r = w * .5, h * .47, w * .27
    c.glow(cx, cy, r * 2.1, "#FFB56B", .35)
    c.open(transform=f"rotate(-18 {cx} {cy})")
    rings = ((2.15, .030, "#FFE3B5", .55), (2.0, .060, "#E9B981", .85), (1.78, .075, "#F6D6A4", .9), (1.52, .045, "#C98F5E", .8))
    upper = c.clip(f'<rect x="0" y="{cy - h}" width="{w * 2}" height="{h}" transform="translate({-w * .5} 0)"/>')
    lower = c.clip(f'<rect x="0" y="{cy}" width="{w * 2}" height="{h}" transform="translate({-w * .5} 0)"/>')
    for size, thick, tint, o in rings:
        c.ellipse(cx, cy, r * size, r * size * .28, "none", stroke=tint, stroke_width=r * thick, opacity=o, clip_path=upper)
    ball = c.clip(f'<circle cx="{cx}" cy="{cy}" r="{r}"/>')
    c.circle(cx, cy, r, c.linear("#F9DDA8", "#E8A765", "#C9743F", "#8E4630"))
    for i in range(9):
        y = cy - r + (i + .5) * r * 2 / 9
        c.ellipse(cx, y, r * 1.1, r * dice.uniform(.03, .09), dice.choice(["#FFEFC9", "#B8653A", "#F2B677", "#94492E"]), opacity=.5, clip_path=ball, filter=c.blur(5))
    c.circle(cx, cy, r, c.radial((0, "#fff", .35), (.45, "#000", 0), (1, "#0A0420", .88), cx=.30, cy=.28, r=.85))
    for size, thick, tint, o in rings:
        c.ellipse(cx, cy, r * size, r * size * .28, "none", stroke=tint, stroke_width=r * thick, opacity=o, clip_path=lower)
    c.close()
    c.circle(w * .13, h * .345, w * .035, c.radial("#E9F3FF", "#8FA9D9", "#27345F", cx=.3, cy=.3, r=.9))
    c.circle(w * .14, h * .66, w * .022, c.radial("#FFE3D0", "#C9785A", "#4A1F1A", cx=.3, cy=.3, r=.9))
    return c.svg()
