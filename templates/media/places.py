"""Landscapes and towns."""

import math
import random

from canvas import Canvas, leaf, ridge


def stars(c, dice, count, floor):
    for _ in range(count):
        c.circle(dice.uniform(0, c.w), floor * dice.random() ** 1.3, dice.uniform(.6, 2.4), "#fff", opacity=round(dice.uniform(.2, .9), 2))


def cloud(c, x, y, size, fill, dice, opacity=.8):
    c.open(opacity=opacity, filter=c.blur(size * .03))
    for i in range(9):
        u = (i - 4) / 4
        r = size * (.10 + .24 * (1 - u * u)) * dice.uniform(.75, 1.1)
        c.ellipse(x + u * size * .8, y - r * .75, r * 1.15, r, fill)
    c.rect(x - size, y - size * .13, size * 2, size * .13, fill, rx=size * .065)
    c.close()


def pines(c, base, dice, colour, low, high, count):
    for _ in range(count):
        x, h = dice.uniform(-20, c.w + 20), dice.uniform(low, high)
        y = base(x) if callable(base) else base
        for k in range(5):
            t = k / 5
            w = h * (.08 + .17 * t)
            c.poly([(x, y - h + h * t * .86), (x - w, y - h + h * (t * .86 + .32)), (x + w, y - h + h * (t * .86 + .32))], colour)


def lake(palette="dawn", w=1400, h=1750, seed=11):
    """Mountains above a lake, and their mirror image."""
    sky, hills, water, glow = {
        "dawn": (("#34427E", "#8A6BA5", "#EE9C92", "#FFD7A8"), ("#8E7AA8", "#6B5E93", "#473F73", "#2A2650"), ("#F0A893", "#5B4D86", "#231F47"), "#FFE9BF"),
        "alpine": (("#3C8FD0", "#86C5EA", "#D5EEF6", "#F6FBF4"), ("#A9C8DC", "#7FA9C2", "#4A7F82", "#1F5148"), ("#9ED6DC", "#2F8A97", "#0D4A5C"), "#FFFFFF"),
    }[palette]
    c, dice, shore = Canvas(w, h), random.Random(seed), h * .66
    c.full(c.linear(*sky))
    if palette == "dawn":
        c.glow(w * .27, shore * .66, w * .62, glow, .95)
        c.circle(w * .27, shore * .66, w * .055, "#FFFBEF")
    else:
        for x, y, size in ((.22, .18, .20), (.78, .11, .15), (.55, .28, .12)):
            cloud(c, w * x, h * y, w * size, "#FFFFFF", dice, .9)
    lines = []
    for i, (level, rise, scale, tint) in enumerate(zip((.50, .55, .60, .645), (.34, .24, .16, .085), (2.6, 3.3, 4.4, 6), hills)):
        line = ridge(w, h * level, h * rise, scale, seed + i, 6)
        lines.append(line)
        c.poly(line + [(w, shore), (0, shore)], c.linear(tint, hills[min(3, i + 1)] if i < 2 else tint))
        if i < 2:
            # Snow on the sunny side.
            snow = [(x, y) for x, y in line]
            lower = [(x, min(shore, y + h * .035 * (1 + math.sin(x * .09) * .5 + math.sin(x * .031)))) for x, y in line]
            c.poly(snow + lower[::-1], "#fff", opacity=.62 if palette == "alpine" else .20)
        c.rect(0, shore - h * .10, w, h * .10, c.linear((0, sky[-1], 0), (1, sky[-1], .30)))
    near = dict(lines[3])
    pines(c, lambda x: near.get(int(max(0, min(w, x)) // 6 * 6), shore) + 14, dice, hills[3], h * .03, h * .075, 70)
    c.rect(0, shore, w, h - shore, c.linear(*water))
    # The mirror image.
    c.open(transform=f"translate(0 {shore * 2:.0f}) scale(1 -1)", opacity=".38", filter=c.blur(5))
    for line, tint in zip(lines, hills):
        c.poly(line + [(w, shore), (0, shore)], tint)
    c.close()
    c.rect(0, shore, w, h - shore, c.linear((0, water[1], 0), (1, water[2], .85)))
    for _ in range(170):
        y = shore + (h - shore) * dice.random() ** 1.5
        depth = (y - shore) / (h - shore)
        x = dice.gauss(w * .62, w * .10 + w * .25 * depth) if dice.random() < .6 else dice.uniform(0, w)
        c.rect(x, y, (18 + 110 * depth) * dice.uniform(.4, 1.3), 1.5 + 3 * depth, glow if dice.random() < .7 else water[2], rx=2, opacity=round(dice.uniform(.08, .42), 2))
    c.rect(0, shore - 3, w, 5, "#fff", opacity=.25)
    return c.svg()


def palm(c, x, y, size, colour, lean=1.0, seed=1):
    dice = random.Random(seed)
    tx, ty = x + size * .28 * lean, y - size
    c.line(f"M{x} {y}C{x - size * .02 * lean} {y - size * .4} {x + size * .06 * lean} {y - size * .8} {tx} {ty}", colour, size * .035)
    for i in range(11):
        a = math.radians(-200 + i * 22 + dice.uniform(-6, 6))
        reach = size * dice.uniform(.42, .56)
        ex, ey = tx + math.cos(a) * reach, ty + math.sin(a) * reach * .62 + reach * .34
        mx, my = tx + math.cos(a) * reach * .55, ty + math.sin(a) * reach * .80 - reach * .10
        c.path(f"M{tx:.0f} {ty:.0f}Q{mx:.0f} {my:.0f} {ex:.0f} {ey:.0f}Q{mx + reach * .02:.0f} {my + reach * .22:.0f} {tx:.0f} {ty + size * .03:.0f}Z", colour)


def coast(w=1400, h=1750, seed=5, palms=True):
    """A beach: sky, sea, foam and sand, with palms or a boat."""
    c, dice, horizon = Canvas(w, h), random.Random(seed), h * .46
    sky, sea, sand, leafage = ("#1F8FD6", "#6CC4EC", "#CDEFF6"), ("#0E7FB0", "#18A9BE", "#5ED6CB", "#BDF0DD"), ("#F9E7C4", "#EBCB98", "#D9AE74"), "#14523F"
    c.full(c.linear(*sky))
    for x, y, size in ((.2, .16, .2), (.72, .10, .16), (.85, .27, .13)) if palms else ():
        cloud(c, w * x, h * y, w * size, "#FFFFFF", dice, .92)
    for i, (level, rise, tint) in enumerate(((0.0, .07, "#7FA9BE"), (0.008, .04, "#4E8A86"))):
        span = w * .6
        line = [(x + (w * .5 if i == 0 else -w * .1), horizon + 4 - max(0, horizon - y + h * level + 8) * min(1, x / span * 5, (span - x) / span * 5))
                for x, y in ridge(int(span), horizon, h * rise, 3, seed + i)]
        c.poly([(line[0][0], horizon + 4)] + line + [(line[-1][0], horizon + 4)], tint)
    c.rect(0, horizon, w, h * .42, c.linear(*sea))
    for _ in range(150):
        t = dice.random() ** 1.6
        y = horizon + h * .30 * t
        c.rect(dice.uniform(-50, w), y, (12 + 120 * t) * dice.uniform(.4, 1.2), 1.5 + 4 * t, "#FFFFFF", rx=2, opacity=round(dice.uniform(.12, .55), 2))
    edge = ridge(w, h * .80, h * .055, 2.2, seed + 9, 2)
    c.poly([(x, y - 26) for x, y in edge] + [(w, h), (0, h)], "#FFFFFF", opacity=.9)
    c.poly([(x, y - 2) for x, y in edge] + [(w, h), (0, h)], c.linear(sand[1], sand[2]), opacity=.9)
    c.poly([(x, y + 22) for x, y in edge] + [(w, h), (0, h)], c.linear(*sand))
    for _ in range(260):
        c.circle(dice.uniform(0, w), h - h * .15 * dice.random() ** .8, dice.uniform(1, 2.4), "#8a5a2c", opacity=.22)
    if palms:
        palm(c, w * .10, h * .93, h * .46, leafage, 1, 3)
        palm(c, w * .02, h * .96, h * .36, leafage, 1.5, 8)
        palm(c, w * .97, h * .95, h * .40, leafage, -1, 5)
    else:
        boat(c, w * .30, h * .63, w * .30)
    ux, uy = w * .62, h * .90
    c.shadow(ux + 40, uy + 16, w * .20, h * .014, .4)
    c.line(f"M{ux} {uy}L{ux - 40} {uy - h * .16}", "#F7F2E8", 9)
    r = w * .17
    for k in range(6):
        a, b = math.pi + k * math.pi / 6, math.pi + (k + 1) * math.pi / 6
        tip, mid = (ux - 42, uy - h * .21), uy - h * .125
        c.poly([tip, (ux - 42 + math.cos(a) * r, mid + math.sin(a) * r * .12), (ux - 42 + math.cos(b) * r, mid + math.sin(b) * r * .12)], "#FF6B5A" if k % 2 == 0 else "#FFF6EA")
    return c.svg()


def boat(c, x, y, size):
    """A fishing boat at anchor; (x, y) is the middle of its waterline."""
    c.ellipse(x, y + size * .03, size * .62, size * .06, "#063F5E", opacity=.45)
    c.path(f"M{x - size * .5} {y - size * .2}Q{x} {y - size * .1} {x + size * .55} {y - size * .24}Q{x + size * .42} {y + size * .05} {x + size * .3} {y + size * .05}H{x - size * .32}Q{x - size * .46} {y} {x - size * .5} {y - size * .2}Z",
           c.linear("#FFFFFF", "#DCE6EC"))
    c.path(f"M{x - size * .49} {y - size * .14}Q{x} {y - size * .04} {x + size * .53} {y - size * .18}L{x + size * .51} {y - size * .12}Q{x} {y + size * .02} {x - size * .47} {y - size * .08}Z", "#2067B3")
    c.rect(x - size * .22, y - size * .34, size * .24, size * .22, c.across("#FFFFFF", "#D5E1EA"), rx=size * .02)
    c.rect(x - size * .25, y - size * .37, size * .30, size * .045, "#E4574A", rx=size * .01)
    c.rect(x - size * .18, y - size * .29, size * .07, size * .08, "#6FA8D6")
    c.rect(x - size * .08, y - size * .29, size * .07, size * .08, "#6FA8D6")
    c.line(f"M{x + size * .2} {y - size * .1}V{y - size * .62}", "#8A6A4A", size * .018)
    c.poly([(x + size * .2, y - size * .62), (x + size * .2, y - size * .53), (x + size * .32, y - size * .575)], "#E4574A")


def village(w=1400, h=1750, time="day"):
    """White houses with blue domes above the sea: by day, under a clear sky, at sunset."""
    c, dice = Canvas(w, h), random.Random(21)
    if time != "sunset":
        c.full(c.linear("#3C93DB", "#8CCBF0", "#E6F5F5", "#FFF0DA"))
        if time == "day":
            cloud(c, w * .25, h * .14, w * .2, "#FFFFFF", dice, .85)
            cloud(c, w * .8, h * .22, w * .14, "#FFFFFF", dice, .8)
        c.rect(0, h * .42, w, h * .6, c.linear("#1763A6", "#1E86BF", "#49B4D0"))
        c.poly([(0, h * .42)] + [(x, y) for x, y in ridge(w, h * .425, h * .05, 3, 4)] + [(w, h * .42)], "#8EA9C4")
    else:
        c.full(c.linear((0, "#1D1B54"), (.16, "#4B2F7A"), (.30, "#B14C7E"), (.42, "#FF9A5F"), (1, "#FFC27A")))
        c.glow(w * .68, h * .40, w * .42, "#FFD08A", .9)
        c.circle(w * .68, h * .405, w * .075, "#FFF0C4")
        c.rect(0, h * .42, w, h * .6, c.linear("#E0766A", "#8A4480", "#2E2468", "#1C1850"))
        c.poly([(0, h * .42)] + [(x, y) for x, y in ridge(w, h * .425, h * .05, 3, 4)] + [(w, h * .42)], "#7A4678")
        for i in range(26):
            reach = w * (.05 + .006 * i) * dice.uniform(.5, 1.1)
            c.rect(w * .68 - reach / 2 + dice.uniform(-20, 20), h * (.425 + .011 * i), reach, 5, "#FFE0A0", rx=2, opacity=round(.75 - .024 * i, 2))
    for _ in range(90):
        y = h * .43 + h * .35 * dice.random()
        c.rect(dice.uniform(0, w), y, dice.uniform(10, 70), 2, "#fff", rx=1, opacity=round(dice.uniform(.1, .4), 2))
    c.path(f"M{w * .52} {h * .52}l60 14h-120z", "#fff")
    c.path(f"M{w * .515} {h * .515}l4 -70l46 66z", "#FFF8EE")
    c.path(f"M0 {h * .60}C{w * .2} {h * .62} {w * .4} {h * .74} {w * .62} {h * .86}S{w * .9} {h} {w} {h}H0Z", c.linear("#B98E72", "#7B5A4C"))

    def house(x, y, bw, bh, dome):
        c.rect(x, y, bw, bh, c.across("#FFFFFF", "#F4F1EE", "#CBD6E2"))
        c.rect(x, y, bw, 10, "#FFFFFF")
        if dome:
            c.path(f"M{x + bw * .12} {y}A{bw * .38} {bw * .38} 0 0 1 {x + bw * .88} {y}Z", c.across("#4C9BE0", "#2067B3", "#134A88"))
            c.rect(x + bw * .5 - 3, y - bw * .38 - 34, 6, 36, "#FFFFFF")
            c.rect(x + bw * .5 - 12, y - bw * .38 - 24, 24, 6, "#FFFFFF")
        for k in range(max(1, int(bw // 95))):
            wx = x + 26 + k * 92
            if wx + 44 < x + bw:
                if k % 2 == 0:
                    c.path(f"M{wx} {y + bh * .80}V{y + bh * .36}A22 22 0 0 1 {wx + 44} {y + bh * .36}V{y + bh * .80}Z", "#2E74B8")
                else:
                    c.rect(wx, y + bh * .30, 40, 52, "#6FA8D6", rx=4)
        c.rect(x + bw, y + 10, 22, bh - 10, "#8FA4BC", opacity=.35)
        if time == "sunset":
            c.rect(x, y, bw, bh, "#5A2A78", opacity=.38)
            for k in range(int(bw // 95)):
                if (k + int(bw)) % 3:
                    c.glow(x + 48 + k * 92, y + bh * .5, 80, "#FFB45A", .55)
                    c.rect(x + 34 + k * 92, y + bh * .38, 28, 44, "#FFE09A", rx=8)

    spots = [(.0, .50, 300, 220, True), (.20, .585, 240, 200, False), (.05, .64, 280, 230, False), (.30, .665, 270, 220, True), (.16, .735, 300, 240, False),
             (.45, .765, 250, 210, False), (-.04, .765, 270, 250, True), (.34, .825, 330, 250, True), (.60, .865, 270, 220, False), (.10, .875, 320, 280, False), (.48, .93, 420, 220, False), (.80, .945, 340, 200, True)]
    for x, y, bw, bh, dome in spots:
        house(x * w, y * h, bw, bh, dome)
    for _ in range(170):
        x, y = w * .95 + dice.uniform(-.13, .13) * w, h * .79 + dice.uniform(-.07, .07) * h
        c.circle(x, y, dice.uniform(8, 22), dice.choice(["#E83E8C", "#F45CA2", "#C72C74", "#FF86BC", "#3F7D4E"]), opacity=.95)
    if time == "sunset":
        c.full(c.linear((0, "#2A1A5E", 0), (.44, "#2A1A5E", 0), (1, "#1E1650", .5)))
    return c.svg()


def dunes(w=1400, h=1750):
    """Dunes at the end of the day, with a caravan's tracks."""
    c, dice = Canvas(w, h), random.Random(6)
    c.full(c.linear("#2B4C86", "#7C7FB0", "#F2A988", "#FFD9A0"))
    c.glow(w * .70, h * .44, w * .55, "#FFF0C2", .9)
    c.circle(w * .70, h * .44, w * .07, "#FFF9E8")
    for i, (light, dark) in enumerate((("#F0AE7C", "#C87F62"), ("#EE9F62", "#B9694C"), ("#E88E4C", "#A0543E"), ("#DE7C3A", "#7E3F35"))):
        base = h * (.52 + .12 * i)
        crest = ridge(w, base, h * .11, 1.5 + .35 * i, 40 + i, 2)
        c.poly(crest + [(w, h), (0, h)], c.linear(light, dark))
        # The side away from the sun.
        peak = min(range(len(crest)), key=lambda k: crest[k][1])
        px, py = crest[peak]
        c.path(f"M{px} {py}C{px - w * .03} {py + h * .09} {px - w * .18} {py + h * .13} {px - w * .34} {py + h * .30}L{-w * .1} {py + h * .34}L0 {crest[0][1]:.0f}"
               + "".join(f"L{x} {y:.0f}" for x, y in crest[:peak]) + "Z", dark, opacity=.55)
        for k in range(14):
            y = base + h * .05 + k * 15
            c.line(f"M{w * .45} {y}Q{w * .7} {y - 24} {w} {y + 6}", "#FFE2B0", 1.5, opacity=.10)
    for k in range(5):
        x, y = w * (.30 + .055 * k), h * (.548 + .006 * k)
        c.path(f"M{x} {y}q6 -26 16 -26q6 -14 14 0q10 -4 12 8l8 -14l10 2l-8 12l-2 18v22h-4v-20h-24v20h-4z", "#4A2A2E")
    return c.svg()


def skyline(time="night", w=1920, h=1280, seed=9):
    """A city across the water."""
    c, dice, shore = Canvas(w, h), random.Random(seed), h * .72
    sky, tones, water, lit = {
        "night": (("#0B1140", "#24307E", "#6A3F98", "#E8668E"), ("#3C3A80", "#262A62", "#13183F"), ("#5A3A82", "#10143A"), ("#FFD98A", "#FFB35C", "#9FE8FF")),
        "dusk": (("#2A3470", "#7C5B9C", "#F08A7E", "#FFC98C"), ("#8C6A96", "#5A4880", "#2E2C5A"), ("#E8907F", "#2A2450"), ("#FFE2A0", "#FFC56E", "#FFF3D0")),
    }[time]
    c.full(c.linear(*sky))
    unit = max(w, h * .9)
    if time == "night":
        stars(c, dice, 120, h * .4)
        c.glow(w * .82, h * .40, unit * .16, "#FFE9C9", .8)
        c.circle(w * .82, h * .40, unit * .038, "#FFF6E0")
    c.glow(w * .5, shore, w * .45, sky[-1], .8)
    blocks = []
    for layer, tint in enumerate(tones):
        x = -40
        while x < w + 40:
            bw = dice.uniform(.035, .075) * unit * (1 - .1 * layer)
            middle = 1 - abs((x + bw / 2) / w - .5) * 1.1
            bh = h * dice.uniform(.12, .30) * (1.35 - .28 * layer) * (.55 + .75 * middle)
            blocks.append((layer, x, bw, bh))
            x += bw + dice.uniform(0, 6) * (1 + layer)
        for _, bx, bw, bh in [b for b in blocks if b[0] == layer]:
            y = shore - bh
            c.rect(bx, y, bw, bh, c.linear(tint, tones[min(2, layer + 1)]))
            if dice.random() < .35:
                c.poly([(bx, y + 1), (bx + bw, y + 1), (bx + bw * dice.choice([.1, .5, .9]), y - bw * .6)], tint)
            if dice.random() < .3:
                c.rect(bx + bw / 2 - 2, y - h * .05, 4, h * .05, tint)
            if layer:
                step, size = unit * .0115, unit * .0052
                for row in range(int(bh / (step * 1.25)) - 1):
                    for col in range(int(bw / step) - 1):
                        if dice.random() < .42:
                            c.rect(bx + step * (.6 + col), y + step * (.8 + row * 1.25), size, size * 1.5, dice.choice(lit), opacity=round(dice.uniform(.35, .95), 2))
    c.rect(0, shore, w, h - shore, c.linear(*water))
    c.open(opacity=".40", filter=c.blur(6))
    for layer, bx, bw, bh in blocks:
        c.rect(bx, shore, bw, min(h - shore, bh * .7), tones[layer])
    c.close()
    for _ in range(230):
        y = shore + (h - shore) * dice.random() ** 1.4
        c.rect(dice.uniform(0, w), y, dice.uniform(10, 90), 2 + 3 * (y - shore) / (h - shore), dice.choice(lit), rx=2, opacity=round(dice.uniform(.06, .35), 2))
    c.rect(0, shore - 4, w, 7, tones[2])
    return c.svg()


def cafe(w=1080, h=1920):
    """A cafe by a canal, late: one bright window in a dark street."""
    c, dice = Canvas(w, h), random.Random(14)
    c.full(c.linear("#0C1236", "#1A1B4E", "#3A2A66"))
    stars(c, dice, 60, h * .25)
    for x, bw, top, tint in ((-40, 330, .20, "#1B1C48"), (760, 380, .17, "#1B1C48"), (250, 560, .13, "#232453")):
        c.rect(x, h * top, bw, h * .7, c.linear(tint, "#141539"))
        c.poly([(x, h * top), (x + bw, h * top), (x + bw / 2, h * (top - .075))], tint)
        for row in range(5):
            for col in range(int(bw // 120)):
                wx, wy = x + 44 + col * 120, h * (top + .05) + row * 120
                lit = dice.random() < .28
                c.rect(wx, wy, 62, 84, "#FFC978" if lit else "#2F3068", rx=4, opacity=.75 if lit else .8)
                c.rect(wx + 29, wy, 4, 84, "#15163C")
    base, top = h * .74, h * .475
    c.rect(60, top, 960, base - top, c.linear("#17464A", "#0E2C32"))
    c.glow(480, h * .63, 620, "#FFB45A", .55)
    c.rect(110, top + 120, 590, base - top - 190, c.linear("#FFE2A8", "#FFC068", "#E88F3E"), rx=8)
    c.rect(110, base - 240, 590, 60, "#7A4420", opacity=.85)
    for x in (190, 330, 470, 610):
        c.line(f"M{x} {top + 120}V{top + 190}", "#6A4420", 4)
        c.path(f"M{x - 34} {top + 226}Q{x - 30} {top + 188} {x} {top + 186}Q{x + 30} {top + 188} {x + 34} {top + 226}Z", "#1C4A4C")
        c.glow(x, top + 236, 80, "#FFF3CF", .9)
    for x, r in ((240, 34), (430, 38), (560, 33)):
        c.circle(x, base - 310, r, "#5A3320")
        c.path(f"M{x - r * 1.9} {base - 180}Q{x - r * 1.7} {base - 268} {x} {base - 272}Q{x + r * 1.7} {base - 268} {x + r * 1.9} {base - 180}Z", "#5A3320")
    for x in (306, 502):
        c.rect(110 + x - 110, top + 120, 8, base - top - 190, "#123A3E")
    c.rect(110, base - 70, 590, 40, "#123A3E")
    c.rect(750, top + 120, 210, base - top - 120, "#0F3338", rx=6)
    c.rect(776, top + 150, 158, 250, c.linear("#FFD890", "#F0A452"), rx=6)
    c.circle(786, base - 130, 9, "#F2C46B")
    n = 12
    for i in range(n):
        x = 60 + 960 / n * i
        c.path(f"M{x} {top + 8}H{x + 960 / n}V{top + 84}A{480 / n} {480 / n} 0 0 1 {x} {top + 84}Z", "#E4574A" if i % 2 else "#FFF1DC")
    c.rect(60, top + 8, 960, 100, c.linear((0, "#0C1236", .0), (1, "#0C1236", .45)))
    c.rect(60, top - 8, 960, 22, "#0B2226")
    c.rect(0, base, w, h * .05, c.linear("#4A3F66", "#2C2850"))
    c.glow(420, base + 20, 420, "#FFB45A", .5)
    for cx in (140, 880):
        c.ellipse(cx, base + 4, 74, 14, "#0A0C26", opacity=.5)
        c.path(f"M{cx - 40} {base - 60}H{cx + 40}L{cx + 30} {base + 6}H{cx - 30}Z", "#B5653A")
        for a in range(-80, 81, 20):
            leaf(c, cx, base - 58, 110, a - 90, "#2F6B4F" if a % 40 else "#478A62", .18)
    water = h * .79
    c.rect(0, water, w, h - water, c.linear("#241F54", "#0C0E30"))
    c.rect(0, water - 8, w, 14, "#171638")
    for _ in range(150):
        y = water + 16 + (h - water) * dice.random() ** 1.3
        near = abs((x := dice.gauss(440, 260)) - 440) < 330
        c.rect(x, y, dice.uniform(20, 130), 4, "#FFC068" if near else "#8A7AD0", rx=2, opacity=round(dice.uniform(.10, .55 if near else .3), 2))
    return c.svg()
