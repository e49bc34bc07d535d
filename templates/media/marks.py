"""Logos and other drawings that stay SVG, so that they are sharp at every size."""

import math
import random

from canvas import Canvas, leaf


def halo():
    """A round mark: an orbit and its planet."""
    c = Canvas(512, 512)
    c.circle(256, 256, 200, "none", stroke=c.linear("#FFFFFF", "#B9A8FF", x2=1), stroke_width=34)
    c.path("M256 126A130 130 0 1 0 386 256A92 92 0 0 1 256 126Z", c.linear("#FFD9A0", "#FF7A8A", x2=1))
    c.circle(392, 120, 44, c.linear("#FFFFFF", "#FFE3B8"))
    return c.svg()


def petal(colour="#FFFFFF"):
    """A mark of four petals in one colour."""
    c = Canvas(512, 512)
    for angle in (0, 90, 180, 270):
        c.path("M256 256C150 220 140 90 256 40C372 90 362 220 256 256Z", colour, transform=f"rotate({angle} 256 256)", opacity=.96)
    return c.svg()


def badge(sign, main, dark, light):
    """A club's shield."""
    c = Canvas(600, 700)
    shield = "M300 30C390 76 480 92 560 92C570 380 500 570 300 672C100 570 30 380 40 92C120 92 210 76 300 30Z"
    c.path(shield, c.linear(light, main, x2=1))
    c.path(shield, "none", stroke=dark, stroke_width=26)
    c.path("M300 82C380 120 450 134 514 138C516 370 454 526 300 614C146 526 84 370 86 138C150 134 220 120 300 82Z", c.linear(main, dark))
    if sign == "bolt":
        c.path("M350 170L190 390H290L250 550L420 310H314Z", light)
    elif sign == "wave":
        for i in range(3):
            c.line(f"M150 {280 + i * 90}q50 -60 100 0t100 0t100 0", light, 34)
    c.path("M86 138C150 134 220 120 300 82V614C146 526 84 370 86 138Z", "#fff", opacity=.10)
    return c.svg()


def balloons():
    """A bunch of balloons on strings."""
    c = Canvas(700, 1100)
    spots = [(190, 330, "#FF5A6E", "#B8213F"), (510, 300, "#FFC24B", "#D98A12"), (350, 200, "#5B6CFF", "#2A34B8"), (270, 470, "#2FC7A5", "#0E8069"), (450, 490, "#FF8AC2", "#CC3F86")]
    for x, y, _, dark in spots:
        c.line(f"M{x} {y + 150}C{x} {y + 320} 350 760 350 1090", "#FFFFFF", 4, opacity=.75)
    for x, y, light, dark in spots:
        c.path(f"M{x - 16} {y + 168}L{x} {y + 142}L{x + 16} {y + 168}Z", dark)
        c.path(f"M{x} {y + 152}C{x - 90} {y + 104} {x - 128} {y + 30} {x - 122} {y - 30}C{x - 114} {y - 112} {x - 56} {y - 156} {x} {y - 156}S{x + 114} {y - 112} {x + 122} {y - 30}C{x + 128} {y + 30} {x + 90} {y + 104} {x} {y + 152}Z",
               c.radial(light, light, dark, cx=.36, cy=.30, r=.85))
        c.ellipse(x - 48, y - 70, 22, 42, "#fff", opacity=.55, transform=f"rotate(28 {x - 48} {y - 70})")
    return c.svg()


def flower(c, x, y, r, petals, colours, turn=0):
    for ring, (size, shade) in enumerate(((1, colours[0]), (.72, colours[1]), (.45, colours[2]))):
        for i in range(petals):
            a = 360 / petals * i + turn + ring * 180 / petals
            dx, dy = math.cos(math.radians(a)), math.sin(math.radians(a))
            c.ellipse(x + dx * r * size * .52, y + dy * r * size * .52, r * size * .52, r * size * .36, shade, transform=f"rotate({a:.0f} {x + dx * r * size * .52:.1f} {y + dy * r * size * .52:.1f})", opacity=.93)
    c.circle(x, y, r * .14, "#F6D08A")


def garland(flip=False):
    """A corner of flowers and leaves, on nothing."""
    c, dice = Canvas(1080, 620), random.Random(5)
    for i in range(34):
        x = dice.uniform(-20, 1000) if i % 2 else dice.uniform(-20, 420)
        y = 40 + 330 * (1 - x / 1080) ** 1.6 * dice.random()
        leaf(c, x, y - 40, dice.uniform(130, 230), dice.uniform(20, 110), dice.choice(["#8FA98A", "#6E8F72", "#A9BD9A", "#557A62", "#C2CDA8"]), .20, "rgba(255,255,255,.35)")
    for x, y, r, colours in ((90, 120, 150, ("#F4C9C2", "#EDAFA8", "#D98B88")), (330, 60, 120, ("#FBE6DA", "#F6D2C0", "#E8B39C")), (110, 340, 100, ("#FBE6DA", "#F6D2C0", "#E8B39C")),
                             (560, 30, 96, ("#F4C9C2", "#EDAFA8", "#D98B88")), (770, 10, 74, ("#FFF3E6", "#FBE2CC", "#EBC3A2")), (260, 230, 70, ("#FFF3E6", "#FBE2CC", "#EBC3A2"))):
        flower(c, x, y, r, 7, colours, x % 50)
    for _ in range(26):
        x = dice.uniform(20, 960)
        c.circle(x, 30 + 330 * (1 - x / 1080) ** 1.6 * dice.random(), dice.uniform(4, 9), dice.choice(["#E3A5A0", "#D9B26A", "#FFFFFF"]))
    if flip:
        return c.svg().replace("</defs>", '</defs><g transform="rotate(180 540 310)">').replace("</svg>", "</g></svg>")
    return c.svg()


def cover():
    """Cover art of a podcast: a microphone that is also a sun."""
    c = Canvas(900, 900)
    c.full(c.linear("#FF7A59", "#F2386B", "#6A2BD9", x2=1))
    for i in range(7):
        c.circle(450, 430, 150 + i * 78, "none", stroke="#FFE9C9", stroke_width=3, opacity=round(.5 - i * .06, 2))
    c.glow(450, 400, 430, "#FFE29A", .7)
    c.rect(345, 190, 210, 360, c.across("#FFF8EA", "#FFFFFF", "#F2CFA6"), rx=105)
    for i in range(6):
        c.rect(388, 270 + i * 34, 124, 12, "#E2604E", rx=6, opacity=.85)
    c.line("M268 430V450A182 182 0 0 0 632 450V430M450 632V740M340 744H560", "#FFF8EA", 30)
    return c.svg()


def chart():
    """A map of nowhere in particular: land, sea, a route."""
    c, dice = Canvas(1920, 1080), random.Random(31)
    c.full(c.linear("#F3E6CB", "#E8D3AC"))
    for i in range(13):
        c.line(f"M{i * 160} 0V1080", "#C9AE7E", 1.5, opacity=.55)
        c.line(f"M0 {i * 135}H1920", "#C9AE7E", 1.5, opacity=.55)
    for k, (cx, cy, r) in enumerate(((300, 260, 290), (1000, 220, 200), (1560, 700, 380), (760, 900, 270), (180, 960, 190))):
        points = []
        for i in range(60):
            a = i / 60 * math.tau
            rr = r * (1 + .20 * math.sin(3 * a + k) + .12 * math.sin(7 * a + 2 * k) + .05 * math.sin(15 * a))
            points.append((cx + math.cos(a) * rr * 1.25, cy + math.sin(a) * rr * .8))
        c.poly(points, "#DDBF8A", stroke="#B8935A", stroke_width=4)
        c.poly([(cx + (x - cx) * .82, cy + (y - cy) * .82) for x, y in points], "#E6CD9C")
    c.add("path", "none", d="M250 760C420 420 640 560 820 420S1240 240 1380 460S1640 640 1720 320", stroke="#C8452F", stroke_width=8, stroke_dasharray="26 20", stroke_linecap="round")
    c.circle(250, 760, 20, "#C8452F")
    c.line("M1696 296L1744 344M1744 296L1696 344", "#C8452F", 14)
    c.full(c.radial((0, "#fff", .10), (1, "#6B4A1E", .28), r=.8))
    return c.svg()


def pocket():
    """The icon of a savings app: a coin in a pocket."""
    c = Canvas(400, 400)
    c.rect(0, 0, 400, 400, c.linear("#8B6BFF", "#5632EE", x2=1))
    c.circle(200, 150, 78, "#FFC148")
    c.circle(200, 150, 56, "#FFD77F")
    c.path("M84 170H316V258A92 92 0 0 1 224 350H176A92 92 0 0 1 84 258Z", "#FFFFFF")
    c.path("M84 170Q200 262 316 170V200Q200 292 84 200Z", "#D9CEFF")
    return c.svg()


def record():
    """A record without its label: grooves and a few scratches of light."""
    c = Canvas(1000, 1000)
    c.circle(500, 500, 500, "#17091B")
    for i in range(34):
        c.circle(500, 500, 228 + i * 8, "none", stroke="#3A2440" if i % 6 else "#54365C", stroke_width=1.4, opacity=.8)
    for angle in (20, 150, 245):
        c.path("M500 500L960 420A470 470 0 0 1 968 470Z", "#FFFFFF", opacity=.05, transform=f"rotate({angle} 500 500)")
    c.circle(500, 500, 216, "#0C040E")
    return c.svg()


def shine():
    """The light of the room on a record; it stays where it is."""
    c = Canvas(1000, 1000)
    disc = c.clip('<circle cx="500" cy="500" r="500"/>')
    c.open(clip_path=disc)
    for angle in (-20, 160):
        c.path("M500 500L700 -60L1010 60Z", "#FFE9D0", transform=f"rotate({angle} 500 500)", opacity=.20, filter=c.blur(26))
    c.close()
    return c.svg()
