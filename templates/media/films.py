"""Clips of things: a can, an app, paper, a dish. Each is a composition, and the drawings it shows."""

import math
import random

from canvas import Canvas

FPS = 30


class Clip:
    """A composition under construction. Overlays added later are painted in front."""

    def __init__(self, width, height, seconds, background="#000000"):
        self.w, self.h, self.seconds, self.background = width, height, seconds, background
        self.overlays, self.files = [], {}

    def add(self, kind, box, styles, start=0, end=None, **fields):
        left, top, width, height = box
        first, after = round(start * FPS), round((end or self.seconds) * FPS)
        self.overlays.append({"id": len(self.overlays) + 1, "type": kind, "from": first, "durationInFrames": after - first, "row": 0,
                              "left": left, "top": top, "width": width, "height": height, "styles": styles} | fields)

    def drawing(self, canvas, box, styles=None, **more):
        name = f"drawing-{len(self.files)}.svg"
        self.files[name] = canvas.svg()
        self.add("image", box, {"objectFit": "fill"} | (styles or {}), src=name, **more)

    def shape(self, content, box, fill, styles=None, **more):
        self.add("shape", box, {"fill": fill} | (styles or {}), content=content, **more)

    def text(self, content, box, font, size, colour, weight=400, styles=None, align="left", **more):
        look = {"fontFamily": font, "fontSize": f"{size}px", "fontWeight": str(weight), "color": colour, "padding": "0px", "textAlign": align}
        self.add("text", box, look | (styles or {}), content=content, **more)

    def page(self):
        """The composition and its drawings."""
        for row, overlay in enumerate(reversed(self.overlays)):
            overlay["row"] = row
        return {"width": self.w, "height": self.h, "fps": FPS, "durationInFrames": round(self.seconds * FPS),
                "backgroundColor": self.background, "overlays": self.overlays}, self.files


def moves(seconds, easing="easeOutExpo", delay=0.0, **keyframes):
    return {"staggeredMotion": {"enabled": True, **keyframes, "duration": round(seconds * FPS), "delay": round(delay * FPS), "easing": easing}}


# --- a can that turns ------------------------------------------------------------------------------------------------------

# Width and height of the can's body in the film; its label is three diameters round, drawn at twice the size.
BODY, TALL = 420, 640
AROUND = BODY * 3


def slice_of(c, x, y, r, peel, flesh, turn=0):
    """A slice of citrus."""
    c.circle(x, y, r, peel)
    c.circle(x, y, r * .90, "#FFF8E1")
    for i in range(9):
        a, b = math.radians(turn + i * 40 + 3), math.radians(turn + i * 40 + 37)
        p, q = r * .80, r * .13
        m = (a + b) / 2
        c.path(f"M{x + q * math.cos(m):.1f} {y + q * math.sin(m):.1f}L{x + p * math.cos(a):.1f} {y + p * math.sin(a):.1f}"
               f"Q{x + p * 1.10 * math.cos(m):.1f} {y + p * 1.10 * math.sin(m):.1f} {x + p * math.cos(b):.1f} {y + p * math.sin(b):.1f}Z", flesh)


def label():
    """The label of the can, unrolled."""
    w, h = AROUND * 2, TALL * 2
    clip = Clip(w, h, 1 / FPS, "#FF7A3D")
    c = Canvas(w, h)
    c.rect(0, 0, w, h, "#FF6B35")
    c.rect(0, 0, w, 90, "#FFE9C7")
    c.rect(0, h - 90, w, 90, "#FFE9C7")
    for turn in range(2):
        left = turn * w / 2
        slice_of(c, left + 990, 820, 262, "#FFC53D", "#FF9F1C", 12)
        slice_of(c, left + 880, 330, 130, "#FFD76A", "#FFB627", 40)
        slice_of(c, left + 1150, 290, 84, "#FFD76A", "#FFB627", 70)
        c.circle(left + 150, 1060, 60, "#FFC53D")
    clip.drawing(c, (0, 0, w, h))
    for turn in range(2):
        left = turn * w // 2
        clip.text("mira", (left + 60, 270, 700, 380), "Fredoka", 360, "#FFF4DF", 700, {"letterSpacing": "-0.02em", "lineHeight": "1.0"})
        clip.text("SPARKLING YUZU", (left + 80, 660, 640, 80), "Outfit", 62, "#FFF4DF", 700, {"letterSpacing": "0.08em"})
        clip.text("No sugar. All sun.", (left + 80, 740, 640, 80), "Outfit", 54, "#FFE0B8", 500)
        clip.text("330 ml", (left + 230, 1020, 400, 80), "Outfit", 54, "#FFE0B8", 600)
    return clip.page()


def body():
    """Light and shadow on the can, its neck and its base; the middle stays open for the label."""
    x, y, w, h = 60, 130, BODY, TALL
    c = Canvas(BODY + 120, TALL + 260)
    steel = c.across("#6E6A66", "#F4F1EC", "#B9B3AC", "#FFFFFF", "#9A948D", "#D9D4CE", "#6A655F")
    c.path(f"M{x} {y}C{x + 4} {y - 46} {x + 34} {y - 50} {x + 42} {y - 78}H{x + w - 42}C{x + w - 34} {y - 50} {x + w - 4} {y - 46} {x + w} {y}Z", steel)
    c.rect(x + 36, y - 94, w - 72, 20, steel, rx=9)
    c.rect(x + 42, y - 76, w - 84, 5, "#000", opacity=.25)
    c.path(f"M{x} {y + h}C{x + 4} {y + h + 34} {x + 26} {y + h + 40} {x + 38} {y + h + 58}H{x + w - 38}C{x + w - 26} {y + h + 40} {x + w - 4} {y + h + 34} {x + w} {y + h}Z", steel)
    c.rect(x + 40, y + h + 52, w - 80, 12, steel, rx=6)
    # The label's cylinder: dark edges, a broad light from the left, a thin one at the right.
    c.rect(x, y - 1, w, h + 2, c.across((0, "#4A1503", .78), (.10, "#5E1C05", .42), (.24, "#fff", 0), (1, "#fff", 0)))
    c.rect(x, y - 1, w, h + 2, c.across((0, "#fff", 0), (.62, "#5E1C05", 0), (.88, "#4A1503", .50), (1, "#3A0F02", .85)))
    c.rect(x + w * .17, y - 1, w * .16, h + 2, c.across((0, "#fff", 0), (.5, "#fff", .62), (1, "#fff", 0)))
    c.rect(x + w * .86, y - 1, w * .05, h + 2, c.across((0, "#fff", 0), (.5, "#fff", .40), (1, "#fff", 0)))
    dice = random.Random(8)
    for _ in range(150):
        u, v = dice.uniform(-.96, .96), dice.random()
        r = dice.uniform(2, 7) * (1 - .3 * abs(u))
        dx, dy = x + w / 2 + u * w / 2, y + 20 + v * (h - 40)
        c.ellipse(dx, dy, r * .92, r * 1.1, "#fff", opacity=.26)
        c.ellipse(dx, dy + r * .35, r * .7, r * .6, "#6b2204", opacity=.22)
        c.circle(dx - r * .3, dy - r * .4, r * .28, "#fff", opacity=.9)
    return c


def can(label_film):
    """A cold can turns in the sun."""
    clip = Clip(900, 1200, 6, "#FFC94D")
    wall = Canvas(900, 1200)
    wall.full(wall.linear("#FFD768", "#FFC846", "#FFB92E"))
    wall.glow(450, 520, 560, "#FFF0B8", .95)
    wall.rect(0, 930, 900, 270, wall.linear("#F7A81F", "#FFC048"))
    wall.rect(0, 928, 900, 60, wall.linear((0, "#E58F0C", .35), (1, "#E58F0C", 0)))
    clip.drawing(wall, (0, 0, 900, 1200))
    # The light of a window wanders over the wall.
    light = Canvas(1500, 1200)
    light.open(filter=light.blur(14))
    for i in range(6):
        light.poly([(100 + i * 240, -40), (250 + i * 240, -40), (10 + i * 240, 930), (-140 + i * 240, 930)], "#FFF6D0", opacity=.42)
    light.close()
    clip.drawing(light, (-350, 0, 1500, 1200), moves(6, "linear", x=[-100, 140]))
    ground = Canvas(900, 300)
    ground.shadow(450, 110, 330, 60, .75, "#9A4A05")
    ground.shadow(560, 130, 380, 46, .45, "#9A4A05")
    clip.drawing(ground, (0, 878, 900, 300))
    clip.add("video", (240, 300, BODY, TALL), {"objectFit": "fill", "volume": 0}, src=label_film)
    clip.drawing(body(), (180, 170, BODY + 120, TALL + 260))
    fruit = Canvas(900, 1200)
    for x, y, r, t in ((130, 1010, 118, 20), (770, 1040, 138, 55)):
        fruit.shadow(x + 14, y + r * .93, r * 1.05, r * .16, .6, "#8A3F04")
        slice_of(fruit, x, y, r, "#FFB01F", "#FFC53D", t)
        fruit.circle(x, y, r, fruit.linear((0, "#fff", .28), (.5, "#fff", 0), (1, "#B85A00", .25), x2=1))
    clip.drawing(fruit, (0, 0, 900, 1200))
    return clip.page()


# --- an app on a phone -----------------------------------------------------------------------------------------------------

UI = "Plus Jakarta Sans"
INK, GREY, VIOLET, LINE = "#1B1340", "#8C86A8", "#6C4DFF", "#F1EEFA"


def card(clip, box, fill, delay, radius=34, shadow="0 14px 34px rgba(60,40,140,0.10)", start=0, end=None):
    clip.shape("rectangle", box, fill, {"borderRadius": f"{radius}px", "boxShadow": shadow} | moves(.8, delay=delay, y=[60, 0], opacity=[0, 1]), start=start, end=end)


def shows(delay):
    """Text that comes with its card."""
    return {"animatedText": {"enabled": True, "split": "none", "y": [24, 0], "opacity": [0, 1], "duration": 22, "delay": round(delay * FPS), "easing": "easeOutExpo"}}


def entry(clip, y, icon, title, note, amount, delay, start=0, end=None):
    """A line of the list: coin, what, how much."""
    clip.shape("circle", (40, y, 76, 76), icon, moves(.7, "easeOutBack", delay, scale=[0, 1]), start=start, end=end)
    clip.text(title[0], (40, y, 76, 76), UI, 34, "#FFFFFF", 800, shows(delay), "center", start=start, end=end)
    clip.text(title, (138, y + 2, 230, 40), UI, 29, INK, 700, shows(delay + .05), start=start, end=end)
    clip.text(note, (138, y + 40, 230, 36), UI, 23, GREY, 500, shows(delay + .1), start=start, end=end)
    clip.text(amount, (360, y + 18, 142, 42), UI, 29, INK, 700, shows(delay + .1), "right", start=start, end=end)


def screen(clip, title, start):
    """A page that slides over the one before."""
    clip.shape("rectangle", (0, 0, 540, 1170), "#FBFAFF", moves(.7, x=[540, 0]), start=start)
    clip.text(title, (40, 108, 460, 70), UI, 46, INK, 800, shows(.2) | {"letterSpacing": "-0.02em"}, start=start)


def app():
    """A savings app: the balance, the week, a goal that is reached."""
    clip = Clip(540, 1170, 12, "#FBFAFF")
    first = 5.0
    clip.text("Good morning, Ana", (40, 100, 460, 40), UI, 27, GREY, 600, end=first + .7)
    clip.text("Your money", (40, 138, 460, 66), UI, 50, INK, 800, {"letterSpacing": "-0.02em"}, end=first + .7)
    glow = Canvas(460, 270)
    glow.rect(0, 0, 460, 270, glow.linear("#8B6BFF", "#5A37F0", x2=1), rx=40)
    glow.circle(400, 20, 150, "#fff", opacity=.10, clip_path=glow.clip('<rect width="460" height="270" rx="40"/>'))
    glow.circle(430, 190, 90, "#FFB199", opacity=.55, clip_path=glow.clip('<rect width="460" height="270" rx="40"/>'))
    clip.drawing(glow, (40, 236, 460, 270), moves(.9, y=[26, 0]), end=first + .7)
    clip.text("Saved this year", (76, 276, 380, 40), UI, 27, "#E4DCFF", 600, end=first + .7)
    count = {"counterMode": {"enabled": True, "from": 1900, "to": 2480, "prefix": "€ ", "separator": ",", "duration": 66, "easing": "easeOutExpo"}}
    clip.text("€ 2,480", (76, 318, 400, 96), UI, 76, "#FFFFFF", 800, count | {"letterSpacing": "-0.02em"}, end=first + .7)
    clip.text("+ 12 % since June", (76, 424, 380, 40), UI, 26, "#FFD9CC", 700, shows(.5), end=first + .7)
    clip.text("This week", (40, 548, 460, 50), UI, 33, INK, 800, shows(.15), end=first + .7)
    for i, height in enumerate((90, 140, 70, 190, 120, 160, 60)):
        box = (46 + i * 66, 800 - height, 46, height)
        clip.shape("rectangle", box, VIOLET if i == 3 else "#E2DAFF", {"borderRadius": "16px"} | moves(.8, "easeOutBack", .2 + i * .07, y=[60, 0], opacity=[0, 1]), end=first + .7)
        clip.text("MTWTFSS"[i], (46 + i * 66, 808, 46, 40), UI, 23, GREY, 600, shows(.3 + i * .07), "center", end=first + .7)
    for i, (icon, title, note, amount) in enumerate((("#FF8A65", "Coffee", "Round-up", "+ 0.40"), ("#2FC6A4", "Groceries", "Round-up", "+ 0.85"), ("#FFC148", "Salary", "10 % rule", "+ 210"))):
        entry(clip, 880 + i * 98, icon, title, note, amount, .7 + i * .18, end=first + .7)
    # Goals.
    second = 7.15
    screen(clip, "Your goals", first)
    for i, (name, note, part, colour) in enumerate((("Lisbon", "€ 820 of € 1,000", .82, VIOLET), ("New bike", "€ 360 of € 600", .60, "#FF8A65"), ("Rainy days", "€ 1,300 of € 3,000", .43, "#2FC6A4"))):
        y, delay = 214 + i * 250, .3 + i * .2
        card(clip, (40, y, 460, 222), "#FFFFFF", delay, start=first)
        clip.text(name, (76, y + 30, 300, 52), UI, 37, INK, 800, shows(delay + .1), start=first)
        clip.text(note, (76, y + 82, 388, 40), UI, 26, GREY, 600, shows(delay + .15), start=first)
        clip.text(f"{round(part * 100)} %", (340, y + 34, 124, 46), UI, 32, colour, 800, shows(delay + .2), "right", start=first)
        clip.shape("pill", (76, y + 150, 388, 28), LINE, moves(.5, delay=delay, opacity=[0, 1]), start=first)
        for step in range(12):
            # The bar fills in steps that run into each other.
            wide = max(28, 388 * part * (step + 1) / 12)
            clip.shape("pill", (76, y + 150, round(wide), 28), colour, moves(.12, "linear", delay + .3 + step * .06, opacity=[0, 1]), start=first)
    # Reached.
    clip.shape("circle", (270 - 800, 700 - 800, 1600, 1600), VIOLET, moves(.8, "easeOutCubic", scale=[0, 1]), start=second)
    clip.shape("circle", (150, 300, 240, 240), "rgba(255,255,255,0.16)", {"animation": {"during": "pulse", "duringIntensity": 2}} | moves(.8, "easeOutBack", .3, scale=[0, 1]), start=second)
    clip.shape("circle", (180, 330, 180, 180), "#FFFFFF", moves(.7, "easeOutBack", .45, scale=[0, 1]), start=second)
    clip.shape("M31 52L44 65L70 37", (180, 330, 180, 180), "transparent", {"stroke": VIOLET, "strokeWidth": 16} | moves(.5, "easeOutBack", .7, scale=[0, 1]), start=second)
    clip.text("Goal reached", (40, 590, 460, 80), UI, 58, "#FFFFFF", 800, shows(.6) | {"letterSpacing": "-0.02em"}, "center", start=second)
    clip.text("Lisbon, here you come.", (40, 676, 460, 50), UI, 32, "#DCD2FF", 600, shows(.75), "center", start=second)
    clip.shape("pill", (90, 960, 360, 100), "#FFFFFF", moves(.8, delay=1.0, y=[160, 0], opacity=[0, 1]), start=second)
    clip.text("Book the trip", (90, 960, 360, 100), UI, 34, VIOLET, 800, shows(1.15), "center", start=second)
    clip.add("effect", (0, 0, 540, 1170), {"particleCount": 70}, start=second + .5, content="confetti")
    # The status bar.
    clip.text("9:41", (52, 26, 120, 40), UI, 26, INK, 700, end=second + .2)
    clip.text("9:41", (52, 26, 120, 40), UI, 26, "#FFFFFF", 700, start=second + .2)
    return clip.page()


# --- paper, a dish, light ----------------------------------------------------------------------------------------------------

def sheet(seed):
    """A sheet of paper with fibres and creases."""
    c, dice = Canvas(1080, 1080), random.Random(seed)
    c.full("#F4EBDB")
    for _ in range(16):
        x, y, r = dice.uniform(0, 1080), dice.uniform(0, 1080), dice.uniform(160, 380)
        c.glow(x, y, r, dice.choice(["#FFFFFF", "#E4D5BC"]), dice.uniform(.10, .30))
    for _ in range(9):
        x, y, a, length = dice.uniform(0, 1080), dice.uniform(0, 1080), dice.uniform(0, math.tau), dice.uniform(200, 620)
        dx, dy = math.cos(a) * length, math.sin(a) * length
        bend = dice.uniform(-60, 60)
        d = f"M{x:.0f} {y:.0f}Q{x + dx / 2 + bend:.0f} {y + dy / 2 - bend:.0f} {x + dx:.0f} {y + dy:.0f}"
        c.line(d, "#CDBB9C", 2.2, opacity=.30)
        c.line(d, "#FFFFFF", 1.6, opacity=.55, transform="translate(2 2)")
    for _ in range(420):
        x, y, a, length = dice.uniform(0, 1080), dice.uniform(0, 1080), dice.uniform(0, math.tau), dice.uniform(5, 22)
        c.line(f"M{x:.0f} {y:.0f}q{length * math.cos(a):.1f} {length * math.sin(a):.1f} {length * math.cos(a + .7):.1f} {length * math.sin(a + .7):.1f}",
               dice.choice(["#C3AF8C", "#B59C74", "#FFFFFF"]), dice.uniform(.7, 1.5), opacity=dice.uniform(.15, .5))
    return c


def paper():
    """Paper in stop motion: six times a second another sheet."""
    clip = Clip(1080, 1080, 4, "#F4EBDB")
    sheets = [sheet(seed) for seed in (3, 14, 27, 41)]
    for i in range(24):
        clip.drawing(sheets[(i * 3) % 4], (0, 0, 1080, 1080), start=i / 6, end=(i + 1) / 6)
    return clip.page()


def noodles():
    """A bowl of ramen from above."""
    c, dice, m = Canvas(1000, 1000), random.Random(5), 500
    c.circle(m, m, 470, c.radial((0, "#2B4A46", 1), (.86, "#234440", 1), (.93, "#3C6B64", 1), (1, "#16302D", 1)))
    c.circle(m, m, 412, "#132826")
    c.circle(m, m, 398, c.radial((0, "#E8A04C", 1), (.7, "#CF7B2A", 1), (1, "#9A4D14", 1)))
    inside = c.clip(f'<circle cx="{m}" cy="{m}" r="392"/>')
    c.open(clip_path=inside)
    for _ in range(46):
        x, y, r = dice.uniform(220, 780), dice.uniform(380, 820), dice.uniform(60, 180)
        a = dice.uniform(0, math.tau)
        d = f"M{x:.0f} {y:.0f}c{r * math.cos(a):.0f} {r * math.sin(a):.0f} {r * 1.4 * math.cos(a + 1):.0f} {r * 1.4 * math.sin(a + 1):.0f} {r * 1.8 * math.cos(a + .6):.0f} {r * 1.8 * math.sin(a + .6):.0f}"
        c.line(d, "#8A4A12", 17, opacity=.35, transform="translate(3 5)")
        c.line(d, "#F6D58E", 15)
        c.line(d, "#FFEDBE", 4, opacity=.8, transform="translate(-2 -3)")
    for _ in range(34):
        x, y, r = dice.uniform(130, 870), dice.uniform(130, 870), dice.uniform(5, 17)
        c.circle(x, y, r, "#FFD27A", opacity=.5)
        c.circle(x - r * .3, y - r * .3, r * .3, "#fff", opacity=.6)
    # Nori, egg, pork, greens, chilli.
    c.open(transform="rotate(-14 250 280)")
    c.rect(120, 120, 210, 330, "#0C1F17", rx=8)
    for i in range(8):
        c.rect(126 + i * 26, 124, 4, 322, "#1D3A2C", opacity=.8)
    c.close()
    for x, y, turn in ((640, 290, 20), (760, 430, 60)):
        c.open(transform=f"rotate({turn} {x} {y})")
        c.ellipse(x + 6, y + 12, 112, 92, "#5A2A08", opacity=.45)
        c.ellipse(x, y, 112, 92, "#FFF6E8")
        c.ellipse(x + 4, y + 4, 66, 56, c.radial((0, "#FF9A1F", 1), (.7, "#F97F0A", 1), (1, "#D95F02", 1)))
        c.ellipse(x - 18, y - 16, 22, 13, "#FFE0A8", opacity=.85)
        c.close()
    for x, y, turn in ((330, 610, -20), (450, 700, 15)):
        c.open(transform=f"rotate({turn} {x} {y})")
        c.ellipse(x + 6, y + 12, 138, 100, "#5A2A08", opacity=.45)
        c.ellipse(x, y, 138, 100, "#B5653A")
        c.ellipse(x, y, 120, 84, "#E9B08C")
        c.line(f"M{x - 90} {y + 10}q60 -70 120 -20t70 -10", "#FBE3D2", 17)
        c.line(f"M{x - 60} {y + 44}q60 -50 110 -14", "#C9805A", 11)
        c.close()
    for _ in range(46):
        x, y = dice.uniform(420, 700), dice.uniform(430, 640)
        c.circle(x, y, 19, "#2E7D3B", opacity=.9)
        c.circle(x, y, 14, "#B9E08A")
        c.circle(x, y, 7, "#5FAE45")
    for _ in range(15):
        x, y, a = dice.uniform(560, 820), dice.uniform(560, 760), dice.uniform(0, math.tau)
        c.circle(x, y, 15, "#D62718")
        c.circle(x, y, 9, "#F7B59B")
        c.circle(x, y, 4, "#D62718")
    c.close()
    c.circle(m, m, 398, c.linear((0, "#000", .35), (.35, "#000", 0), (1, "#fff", .08)))
    return c


def dish(width, height, x, y, size):
    """A hot bowl on a dark table. `x`, `y` is its middle, `size` its diameter."""
    clip, dice = Clip(width, height, 12, "#14110D"), random.Random(9)
    table = Canvas(width, height)
    table.full(table.linear("#241A12", "#1A130D", "#120D09"))
    for i in range(0, width, 148):
        table.rect(i, 0, 146, height, table.across((0, "#3A2A1C", .5), (.5, "#2A1E14", .35), (1, "#1A120B", .6)))
        for _ in range(12):
            gx, gy = i + dice.uniform(8, 136), dice.uniform(0, height)
            table.line(f"M{gx:.0f} {gy:.0f}c{dice.uniform(-8, 8):.0f} 60 {dice.uniform(-8, 8):.0f} 130 {dice.uniform(-6, 6):.0f} {dice.uniform(120, 320):.0f}", "#0E0905", 2, opacity=.5)
    table.glow(x, y, size * 1.15, "#E59A4A", .42)
    clip.drawing(table, (0, 0, width, height))
    floor = Canvas(1000, 1000)
    floor.shadow(540, 560, 500, 480, .95, "#000000")
    half = size / 2
    clip.drawing(floor, (round(x - half * 1.2), round(y - half * 1.2), round(size * 1.2), round(size * 1.2)))
    sticks = Canvas(1400, 1400)
    for dx in (0, 46):
        sticks.open(transform=f"rotate(38 {900 + dx} 640)")
        sticks.rect(898 + dx, 80, 16, 1060, "#000", opacity=.4, rx=8)
        sticks.rect(888 + dx, 80, 16, 1060, sticks.across("#7A1F12", "#C4432A", "#6A180D"), rx=8)
        sticks.close()
    clip.drawing(noodles(), (round(x - half), round(y - half), round(size), round(size)), moves(12, "easeInOutSine", rotate=[-7, 9], scale=[1.03, .99]))
    clip.drawing(sticks, (round(x - half * 1.02), round(y - half * 1.24), round(size * 1.54), round(size * 1.54)), moves(12, "easeInOutSine", rotate=[2, -2]))
    for i in range(30):
        start = -2.4 + i * .46
        wide, high = size * dice.uniform(.16, .30), size * dice.uniform(.28, .46)
        px, py = x + dice.uniform(-.30, .30) * size - wide / 2, y + dice.uniform(-.10, .22) * size - high / 2
        sway = dice.uniform(-60, 60)
        begin = max(0, start)
        # Wisps that rose before the film began are already on their way.
        skip = (begin - start) / 3.6
        keys = {"y": [-420 * skip, -420], "x": [sway * skip, sway * .2, sway], "scale": [.7 + .8 * skip, 1.6], "blur": [34]}
        fade = [.30, 0] if skip > .3 else [0, .34, .16, 0]
        if begin < 12 and skip < .9:
            clip.shape("ellipse", (round(px), round(py), round(wide), round(high)), "#FFF3E2", moves(3.6 * (1 - skip), "linear", **keys, opacity=fade),
                       start=begin, end=min(12, start + 3.6))
    return clip.page()
