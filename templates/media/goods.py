"""Things on a table, as in a catalogue: one light, soft shadows."""

import math
import random

from canvas import Canvas, leaf


def studio(w, h, wall, floor, line):
    c = Canvas(w, h)
    c.full(c.radial(*wall, cx=.42, cy=.36, r=.9))
    c.rect(0, line, w, h - line, c.linear(*floor))
    c.rect(0, line - 40, w, 90, c.linear((0, wall[-1], 0), (.5, floor[0], .9), (1, floor[0], 0)))
    return c


def podium(c, x, y, r, height, top, side, squash=.20):
    c.shadow(x + r * .12, y + height + r * squash * .6, r * 1.35, r * .30, .45)
    c.path(f"M{x - r} {y}V{y + height}A{r} {r * squash} 0 0 0 {x + r} {y + height}V{y}Z", c.across(*side))
    c.ellipse(x, y, r, r * squash, top)
    c.ellipse(x, y, r - 3, r * squash - 2, "none", stroke="#fff", stroke_width=2, opacity=.5)


def serum(w=1400, h=1400, turn=0.0):
    """A dropper bottle on a round plinth, with leaves. `turn` is its angle in radians."""
    c = studio(w, h, ("#FFE3D3", "#F9C9B0", "#EBA98A"), ("#F2B899", "#E39D7B", "#C97F5F"), 1010)
    c.circle(w * .5, h * .43, 400, c.linear((0, "#FFF4EA", .95), (1, "#FFD9C2", .35)))
    for x, y, l, a in ((440, 1060, 470, -134), (420, 1070, 430, -108), (470, 1070, 330, -84), (960, 1060, 470, -46), (980, 1070, 430, -72), (930, 1070, 330, -96)):
        leaf(c, x, y, l, a, c.linear("#6FA07A", "#2F5F4C"), .20, "rgba(255,255,255,.25)")
    podium(c, 700, 1040, 330, 130, c.across("#FFF3E9", "#F5D3BF"), ("#F8DCCB", "#E5B196", "#B9785A"))
    c.shadow(760, 1046, 210, 34, .5)
    # Glass.
    c.path("M560 1030V690Q560 620 620 606H780Q840 620 840 690V1030Q840 1060 808 1060H592Q560 1060 560 1030Z",
           c.across((0, "#8A3F1E"), (.12, "#C9743A"), (.35, "#F0A65C"), (.62, "#C46A30"), (.88, "#8F4320"), (1, "#5F2812")))
    c.path("M574 760V1026Q574 1046 596 1046H804Q826 1046 826 1026V760Q700 784 574 760Z", "#7A2F14", opacity=.35)
    c.rect(582, 660, 20, 350, "#FFE9CF", rx=10, opacity=.75)
    c.rect(812, 690, 10, 300, "#FFD9A8", rx=5, opacity=.4)
    for angle, front in ((turn, True), (turn + math.pi, False)):
        label(c, angle, front)
    # Dropper.
    c.rect(632, 540, 136, 74, c.across("#2A2320", "#6A5A50", "#3A302B", "#171210"), rx=8)
    for i in range(24):
        a = turn + math.tau * i / 24
        if math.cos(a) > .1:
            c.rect(700 + 64 * math.sin(a), 546, 3, 62, "#000", opacity=.28)
    c.path("M652 540Q652 516 664 506V420Q664 372 700 372Q736 372 736 420V506Q748 516 748 540Z", c.across("#3B322E", "#8C7C72", "#4B403A", "#1E1815"))
    c.rect(674, 410, 10, 90, "#fff", rx=5, opacity=.35)
    c.circle(990, 1080, 44, c.radial("#FFF3E4", "#F2B98E", "#C47A4E", cx=.35, cy=.3, r=.8))
    c.shadow(1000, 1124, 70, 12, .4)
    c.circle(414, 1104, 26, c.radial("#FFF3E4", "#F2B98E", "#C47A4E", cx=.35, cy=.3, r=.8))
    return c.svg()


def label(c, angle, front):
    """A label on a round bottle, turned away by an angle: the front with a mark, the back with small print."""
    edge = math.asin(104 / 140)
    low, high = [max(-math.pi / 2, min(math.pi / 2, (angle + math.pi) % math.tau - math.pi + side)) for side in (-edge, edge)]
    left, right = 700 + 140 * math.sin(low), 700 + 140 * math.sin(high)
    if right - left < 3:
        return
    middle = 700 + 140 * math.sin((angle + math.pi) % math.tau - math.pi)
    narrow = max(0.02, math.cos(angle))
    c.rect(left, 792, right - left, 196, "#FFF6EC", rx=6 * narrow)
    if math.cos(angle) > 0:
        c.open(transform=f"translate({middle:.1f} 0) scale({narrow:.3f} 1) translate(-700 0)")
        if front:
            c.circle(700, 848, 26, "none", stroke="#8A4A2A", stroke_width=4)
            leaf(c, 690, 862, 36, -58, "#8A4A2A", .3)
            c.rect(640, 898, 120, 9, "#8A4A2A", rx=4)
            c.rect(660, 922, 80, 6, "#C89A7C", rx=3)
            c.rect(650, 942, 100, 6, "#C89A7C", rx=3)
        else:
            for row in range(8):
                c.rect(636, 820 + row * 19, 128 - 34 * (row % 3), 6, "#C89A7C", rx=3)
        c.close()
    c.rect(left, 792, right - left, 196, c.across((0, "#7a3c1c", .30), (.2, "#fff", 0), (.75, "#fff", 0), (1, "#7a3c1c", .35)), rx=6 * narrow)


def headphones(w=1400, h=1400):
    """Headphones that float before a halo."""
    c = studio(w, h, ("#4A3BD1", "#2B2394", "#151250"), ("#1E1A6B", "#120F48", "#0B0930"), 1120)
    c.circle(700, 620, 470, "none", stroke=c.linear("#FF5FA8", "#FFB26B"), stroke_width=10)
    c.glow(700, 620, 560, "#FF6FB5", .35)
    c.shadow(700, 1190, 430, 60, .7, "#050318")
    c.line("M372 800C340 420 500 250 700 250S1060 420 1028 800", "#0E0B2B", 92)
    c.line("M372 800C340 420 500 250 700 250S1060 420 1028 800", c.across("#F6F3FF", "#FFFFFF", "#B9B2E4"), 72)
    c.line("M402 690C392 430 520 290 700 290", "#fff", 10, opacity=.7)
    c.line("M470 420C530 330 610 306 700 306S870 330 930 420", "#2A2370", 44)
    for x, flip in ((372, 1), (1028, -1)):
        c.rect(x - 30, 660, 60, 130, c.across("#C7C2EE", "#FFFFFF", "#9B95CF"), rx=22)
        inner = x + flip * 62
        c.ellipse(inner, 880, 78, 172, c.linear("#2D2680", "#120E44"))
        c.ellipse(x, 880, 118, 190, c.across("#FFFFFF", "#E9E5FF", "#A7A0DC") if flip > 0 else c.across("#E4E0FF", "#C9C3F2", "#8E87C8"))
        c.ellipse(x - flip * 8, 880, 84, 146, c.linear("#FF6FB1", "#FF9E6B"))
        c.ellipse(x - flip * 8, 880, 52, 96, c.linear("#FF93C4", "#FFC08C"))
        c.ellipse(x - 42, 800, 14, 52, "#fff", opacity=.55, transform=f"rotate(14 {x - 42} 800)")
    return c.svg()


def watch(w=1400, h=1400):
    """A wrist watch lying on stone."""
    c = studio(w, h, ("#E9EEF0", "#CBD5D8", "#9FB0B6"), ("#C9D3D6", "#AEBCC1", "#8C9DA4"), 1500)
    dice = random.Random(5)
    for _ in range(40):
        x, y = dice.uniform(0, w), dice.uniform(0, h)
        c.line(f"M{x:.0f} {y:.0f}q{dice.uniform(60, 200):.0f} {dice.uniform(-40, 40):.0f} {dice.uniform(160, 420):.0f} {dice.uniform(-30, 90):.0f}", "#fff", dice.uniform(1, 4), opacity=.20)
    c.open(transform="rotate(24 700 700)")
    c.rect(575, -80, 300, 1600, "#1c2a30", opacity=.30, rx=70, filter=c.blur(26))
    for y, hh in ((-120, 640), (880, 660)):
        c.rect(560, y, 280, hh, c.across("#3E2416", "#8A5633", "#A86B40", "#7A4828", "#35200F"), rx=40)
        for x in (584, 812):
            c.add("path", "none", d=f"M{x} {y + 20}V{y + hh - 20}", stroke="#E3B98C", stroke_width=4, stroke_dasharray="18 14")
    c.ellipse(720, 730, 330, 330, "#1c2a30", opacity=.35, filter=c.blur(22))
    c.rect(1008, 660, 56, 80, c.linear("#F3E3C0", "#A98549", "#6F5325"), rx=10)
    c.circle(700, 700, 322, c.linear("#FFF6DD", "#C9A25F", "#7E5F2C", x2=1))
    c.circle(700, 700, 292, c.linear("#8A6A34", "#F6E5BC", x2=1))
    c.circle(700, 700, 274, c.radial("#1E4A55", "#12333D", "#081C24", cx=.4, cy=.35, r=.8))
    for i in range(60):
        a = math.radians(i * 6)
        r = 234 if i % 5 == 0 else 250
        c.line(f"M{700 + math.sin(a) * 262:.1f} {700 - math.cos(a) * 262:.1f}L{700 + math.sin(a) * r:.1f} {700 - math.cos(a) * r:.1f}", "#F2DDAF" if i % 5 == 0 else "#7FA0A6", 9 if i % 5 == 0 else 3)
    c.circle(700, 828, 62, "none", stroke="#3E6A73", stroke_width=5)
    c.line("M700 828L728 796", "#F2DDAF", 5)
    c.line("M700 700L590 604", "#FFF1D2", 17)
    c.line("M700 700L838 574", "#FFF1D2", 12)
    c.line("M676 760L756 512", "#FF7A4D", 5)
    c.circle(700, 700, 19, "#F2DDAF")
    c.path("M470 560A274 274 0 0 1 800 445A420 420 0 0 0 500 800A274 274 0 0 1 470 560Z", "#fff", opacity=.13)
    c.close()
    return c.svg()


def perfume(w=1400, h=1400):
    """A square flacon among pebbles and light."""
    c = studio(w, h, ("#F5E8FA", "#D9C3EE", "#A98CCF"), ("#C8ABDF", "#A685C7", "#7A5CA0"), 1040)
    for k in range(3):
        c.poly([(120 + k * 300, 0), (250 + k * 300, 0), (690 + k * 260, 1400), (440 + k * 260, 1400)], "#fff", opacity=.16, filter=c.blur(16))
    c.path("M420 1180V700A280 280 0 0 1 980 700V1180Z", c.across("#F0DEF7", "#D8BFE8", "#B392CE"))
    c.path("M470 1180V706A230 230 0 0 1 930 706V1180Z", c.across("#9A78BD", "#BFA0DA", "#D9C2EC"))
    c.shadow(740, 1180, 330, 44, .55, "#2c1140")
    c.rect(500, 700, 400, 470, c.across((0, "#F3C6DA", .95), (.15, "#FFF0F6", .95), (.5, "#F6B4CF", .92), (.85, "#E58BB4", .95), (1, "#B85A8C", .95)), rx=44)
    c.rect(536, 780, 328, 354, c.linear("#FFC4DC", "#F08CB6", "#D9639A"), rx=26)
    c.rect(520, 724, 22, 410, "#fff", rx=11, opacity=.75)
    c.rect(868, 740, 10, 380, "#fff", rx=5, opacity=.4)
    c.rect(630, 640, 140, 70, c.across("#B8914E", "#FFF0C6", "#D9B26A", "#8A6A30"), rx=6)
    c.rect(590, 470, 220, 180, c.across("#B8914E", "#FFF6DA", "#E6C482", "#B8914E", "#7A5A26"), rx=16)
    c.rect(612, 484, 14, 150, "#fff", rx=7, opacity=.7)
    c.rect(610, 890, 180, 120, "#FFF7FB", rx=6, opacity=.94)
    c.circle(700, 930, 20, "none", stroke="#9A4A7C", stroke_width=4)
    c.rect(650, 966, 100, 7, "#9A4A7C", rx=3)
    c.rect(668, 984, 64, 5, "#CF9ABA", rx=2)
    dice = random.Random(3)
    for i in range(17):
        x, y = dice.choice([dice.uniform(90, 420), dice.uniform(980, 1320)]), dice.uniform(1150, 1290)
        c.open(transform=f"rotate({dice.uniform(-60, 60):.0f} {x:.0f} {y:.0f})")
        c.path(f"M{x} {y}q44 -60 92 -8q-10 62 -92 8z", c.linear("#FFE3EF", "#F29CC0"))
        c.close()
    return c.svg()


def coffee(w=1400, h=1400):
    """A cup of coffee from above, on a wooden table."""
    c, dice = Canvas(w, h), random.Random(12)
    for i in range(7):
        c.rect(0, i * 205, w, 203, c.across("#8A5B38", "#A97346", "#94623B") if i % 2 else c.across("#9C693F", "#875733", "#A56F43"))
        for _ in range(9):
            y = i * 205 + dice.uniform(14, 190)
            c.line(f"M{dice.uniform(-200, 700):.0f} {y:.0f}q{dice.uniform(200, 500):.0f} {dice.uniform(-14, 14):.0f} {dice.uniform(500, 1100):.0f} {dice.uniform(-6, 6):.0f}", "#5E3A20", dice.uniform(1, 4), opacity=.30)
    c.full(c.radial((0, "#FFDFAE", .45), (1, "#2A1408", .5), cx=.3, cy=.25, r=1))
    c.ellipse(760, 780, 500, 490, "#1d0d04", opacity=.45, filter=c.blur(34))
    c.circle(700, 700, 470, c.linear("#FFFFFF", "#DFD7CC", x2=1))
    c.circle(700, 700, 400, c.linear("#E9E2D8", "#FFFFFF", x2=1))
    c.line("M960 560Q1130 460 1180 590Q1190 700 1010 720", "#2a1408", 60, opacity=.22)
    c.line("M950 540Q1120 430 1180 560Q1196 690 1010 710", "#FFFFFF", 52)
    c.circle(715, 722, 318, "#1d0d04", opacity=.28, filter=c.blur(14))
    c.circle(700, 700, 310, c.linear("#FFFFFF", "#D9D0C4", x2=1))
    c.circle(700, 700, 274, c.radial("#B9763F", "#8A4E24", "#5A2C10"))
    for k in range(5):
        y = 560 + k * 50
        s = 150 - abs(k - 1.5) * 22
        c.path(f"M700 {y + s * .9:.0f}C{700 - s * 1.5:.0f} {y + s * .1:.0f} {700 - s * .7:.0f} {y - s * .62:.0f} 700 {y - s * .1:.0f}C{700 + s * .7:.0f} {y - s * .62:.0f} {700 + s * 1.5:.0f} {y + s * .1:.0f} 700 {y + s * .9:.0f}Z",
               "#F6E3C8" if k % 2 == 0 else "#A7642F")
    for x, y, a in ((180, 1180, 20), (250, 1250, -40), (140, 1280, 70), (1220, 170, 10), (1150, 240, -30), (1270, 260, 60), (330, 1190, 85)):
        c.open(transform=f"rotate({a} {x} {y})")
        c.ellipse(x + 8, y + 10, 50, 34, "#1d0d04", opacity=.35)
        c.ellipse(x, y, 50, 34, c.radial("#7A4524", "#3A1C0C", cx=.4, cy=.3, r=.8))
        c.line(f"M{x - 44} {y}q40 -16 88 0", "#1f0d05", 5)
        c.close()
    return c.svg()


def chair(w=1400, h=1400):
    """An armchair before a rounded panel."""
    c = studio(w, h, ("#F3E4CC", "#E9CFA9", "#D6B184"), ("#D9B487", "#C19462", "#9F7446"), 1080)
    c.path("M330 1110V520A370 370 0 0 1 1070 520V1110Z", c.linear("#2F5D50", "#1F4339"))
    c.circle(905, 420, 96, "#F3B562")
    c.shadow(700, 1232, 430, 50, .55)
    c.line("M500 1100L456 1236M900 1100L944 1236M590 1110L576 1210M810 1110L824 1210", "#5A351C", 20)
    c.path("M470 960V660Q470 520 620 516H780Q930 520 930 660V960Z", c.across("#E8674B", "#F58A66", "#D2543A"))
    for x in (586, 700, 814):
        c.line(f"M{x} 560V880", "#B8432C", 5, opacity=.6)
    c.rect(392, 790, 150, 320, c.across("#F0795A", "#D9573C"), rx=70)
    c.rect(858, 790, 150, 320, c.across("#DE5E42", "#B5422B"), rx=70)
    c.rect(500, 900, 400, 130, c.linear("#FA9A76", "#E06A4B"), rx=50)
    c.rect(470, 1010, 460, 100, c.linear("#D9573C", "#A93A26"), rx=36)
    c.path("M600 700Q700 670 800 700Q822 790 800 880Q700 900 600 880Q578 790 600 700Z", c.linear("#FFF3DC", "#EBD2A8"))
    c.rect(1110, 900, 16, 300, "#3A2A1E")
    c.ellipse(1118, 896, 120, 24, "#6B4526")
    c.ellipse(1118, 1206, 80, 16, "#3A2A1E")
    c.path("M1080 884Q1070 800 1096 770H1140Q1166 800 1156 884Z", c.across("#FFFFFF", "#D7E0DC"))
    for a in (-118, -96, -76, -58):
        leaf(c, 1118, 776, 210, a, "#4E8A66", .16, "rgba(255,255,255,.3)")
    return c.svg()
