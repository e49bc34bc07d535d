"""Clips of light: embers, a city in the evening, old film. Each is a composition, and the drawings it shows."""

import random

import places
from canvas import Canvas
from films import Clip, moves


def spark(colour, core):
    c = Canvas(200, 200)
    c.glow(100, 100, 100, colour, .9)
    c.circle(100, 100, 16, core)
    return c


def embers():
    """Sparks that rise from a fire below the picture."""
    clip, dice = Clip(1080, 1080, 6, "#0B0A14"), random.Random(6)
    glow = Canvas(1080, 1080)
    glow.full(glow.linear("#0B0A14", "#150D18", "#3A1412"))
    glow.glow(540, 1180, 760, "#FF5A1F", .55)
    clip.drawing(glow, (0, 0, 1080, 1080), moves(6, "easeInOutSine", scale=[1.0, 1.06, 1.0]))
    kinds = (spark("#FF6A2B", "#FFE2B0"), spark("#FFB23E", "#FFF4D8"), spark("#FF3D2E", "#FFC9A0"))
    names = []
    for kind in kinds:
        clip.drawing(kind, (-10, -10, 1, 1))
        names.append(clip.overlays.pop()["src"])
    for i in range(110):
        life = dice.uniform(2.2, 4.4)
        start = dice.uniform(-life * .8, 6)
        begin, end = max(0, start), min(6, start + life)
        if end - begin < .3:
            continue
        size, x, rise, sway = dice.uniform(10, 46), dice.uniform(0, 1080), dice.uniform(620, 1250), dice.uniform(-110, 110)
        done = (begin - start) / life
        keys = {"y": [-rise * done, -rise], "x": [sway * done, sway * (1 + done) * .3, sway], "opacity": [.8 * (1 - done), 0] if done > .2 else [0, .95, .6, 0]}
        clip.add("image", (round(x), round(dice.uniform(860, 1120)), round(size), round(size)), moves(life * (1 - done), "linear", **keys), begin, end,
                 src=names[i % 3])
    return clip.page()


def evening(width, height):
    """A skyline at dusk: clouds pass, windows light up, the picture moves a little to the side."""
    clip, dice = Clip(width, height, 12, "#3A2F63"), random.Random(3)
    wide, high = round(width * 1.12), round(height * 1.06)
    clip.files["city.svg"] = places.skyline("dusk", wide, high)
    pan = {"x": [0, -round(width * .11)]}
    clip.add("image", (0, height - high, wide, high), {"objectFit": "fill"} | moves(12, "linear", **pan), src="city.svg")
    cloud = Canvas(600, 200)
    for x, y, rx, ry in ((150, 120, 140, 40), (300, 90, 180, 60), (450, 120, 140, 36)):
        cloud.ellipse(x, y, rx, ry, cloud.radial((0, "#FFC9C0", .55), (1, "#FFC9C0", 0)))
    for i in range(5):
        size = dice.uniform(.5, 1.1) * width
        clip.drawing(cloud, (round(dice.uniform(-.4, .8) * width), round(dice.uniform(.02, .28) * height), round(size), round(size / 3)),
                     moves(12, "linear", x=[0, dice.uniform(.10, .26) * width]))
    lamp = spark("#FFD27A", "#FFF6DE")
    for i in range(26):
        side = dice.uniform(.012, .03) * width
        clip.drawing(lamp, (round(dice.uniform(.02, 1.08) * width), round(dice.uniform(.52, .76) * height), round(side), round(side)),
                     moves(12, "linear", **pan, opacity=[dice.choice((0, .9)) for _ in range(5)]))
    return clip.page()


def leaks():
    """Light that leaks into the film: warm clouds drift over the dark. Ends as it begins."""
    clip = Clip(1080, 1080, 6, "#1C0F24")
    ground = Canvas(1080, 1080)
    ground.full(ground.linear("#2A1230", "#1C0F24", "#140A1C", x2=1))
    clip.drawing(ground, (0, 0, 1080, 1080))
    for colour, strength, x, y, size, dx, dy in (
            ("#FF6A3D", .75, -420, 420, 1150, 210, -150), ("#FF3D77", .50, 520, -520, 1200, -190, 140), ("#FFB84D", .55, 620, 560, 980, -160, -170),
            ("#7A3DFF", .40, -500, -460, 1100, 150, 190), ("#FFE0A8", .35, 180, 780, 700, 240, -60)):
        glow = Canvas(400, 400)
        glow.glow(200, 200, 200, colour, strength)
        clip.drawing(glow, (x, y, size, size), moves(6, "easeInOutSine", x=[0, dx, 0], y=[0, dy, 0], opacity=[1, .65, 1]))
    return clip.page()
