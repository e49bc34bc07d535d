"""Houses and rooms."""

import random

from canvas import Canvas, leaf, plant, ridge


def villa():
    """A modern house by its pool, just after sunset."""
    c = Canvas(1400, 1750)
    c.full(c.linear("#1D2A5B", "#4B4A86", "#B06A86", "#F59B6C", "#FFD09A"))
    dice = random.Random(4)
    for _ in range(70):
        c.circle(dice.uniform(0, 1400), dice.uniform(0, 520), dice.uniform(.8, 2.2), "#fff", opacity=dice.uniform(.2, .8))
    for y, w, o in ((520, 620, .20), (600, 880, .16), (700, 700, .22)):
        c.ellipse(dice.uniform(300, 1100), y, w, 26, "#FFC6A0", opacity=o, filter=c.blur(18))
    c.poly(ridge(1400, 1010, 150, 4, 7) + [(1400, 1200), (0, 1200)], c.linear("#5E4A77", "#3A3157"))
    # Cypresses.
    for x, h in ((60, 470), (150, 370), (1330, 520), (1245, 400), (1180, 300)):
        c.path(f"M{x} {1130 - h}C{x + 62} {1130 - h * .4} {x + 46} 1110 {x} 1132C{x - 46} 1110 {x - 62} {1130 - h * .4} {x} {1130 - h}Z",
               c.across("#1F2440", "#12162B"))
    # Upper floor.
    c.rect(330, 640, 800, 24, "#F7EFE6")
    c.rect(330, 664, 800, 210, c.linear("#E9DCCF", "#CDB9AC"))
    c.rect(372, 690, 470, 184, c.linear("#FFE2A8", "#FFC36B"))
    for x in (372, 528, 684, 838):
        c.rect(x, 690, 7, 184, "#3B2F3A")
    c.rect(420, 800, 190, 74, "#B9713F", rx=10)
    c.rect(420, 780, 60, 60, "#E9B27A", rx=10)
    c.circle(760, 735, 22, "#FFF3D0")
    c.line("M760 690V716", "#7a5230", 4)
    for i in range(15):
        c.rect(872 + i * 17, 664, 9, 210, "#8A5A3C")
    # Lower floor.
    c.rect(210, 874, 960, 26, "#FFF8EE")
    c.rect(250, 900, 880, 262, c.linear("#DCCBBE", "#BBA59A"))
    c.rect(286, 920, 600, 242, c.linear("#FFDC98", "#FFB85C"))
    for x in (286, 436, 586, 736, 880):
        c.rect(x, 920, 7, 242, "#33293A")
    c.rect(330, 1090, 220, 72, "#A9623A", rx=16)
    c.rect(316, 1060, 60, 102, "#C77F4C", rx=16)
    plant(c, 640, 1160, 150, ["#3F6B4A", "#2F5540", "#5A8257"], 3)
    c.line("M800 920V990", "#6b4526", 4)
    c.path("M764 1018Q800 958 836 1018Z", "#FFF3D0")
    c.glow(800, 1010, 110, "#FFF0BE", .8)
    c.rect(930, 940, 150, 222, "#6B4431")
    c.rect(940, 950, 130, 212, "#83553C")
    c.circle(1058, 1062, 6, "#FFD89A")
    c.glow(1005, 925, 120, "#FFDf9f", .7)
    # Terrace and pool.
    c.rect(0, 1160, 1400, 60, c.linear("#E8D3C0", "#B99F93"))
    c.rect(0, 1214, 1400, 540, c.linear("#2F6C93", "#1C3E6B", "#101F45"))
    c.open(opacity=".55", filter=c.blur(7))
    c.rect(286, 1232, 600, 170, c.linear((0, "#FFC978", .95), (1, "#FFB45A", 0)))
    c.rect(372, 1400, 470, 190, c.linear((0, "#FFC978", .5), (1, "#FFB45A", 0)))
    c.rect(330, 1380, 800, 18, "#F7E5D6", opacity=.35)
    c.close()
    for _ in range(120):
        y = 1225 + 500 * dice.random() ** 1.3
        w = 20 + (y - 1200) * .25 * dice.random()
        c.rect(dice.uniform(-40, 1400), y, w, 2 + (y - 1200) / 220, dice.choice(["#FFD9A6", "#8FC6E0", "#0D1A3C"]), rx=3, opacity=dice.uniform(.08, .35))
    c.rect(0, 1208, 1400, 9, "#FFF1DE")
    for x in (120, 1235):
        c.glow(x, 1190, 130, "#FFCB7D", .85)
        c.rect(x - 9, 1150, 18, 44, "#2A2233", rx=4)
        c.rect(x - 6, 1154, 12, 22, "#FFE6AE", rx=3)
    return c.svg()


def room(c, wall, floor, line):
    """Wall, floor, skirting; the light falls from the left."""
    c.full(c.linear(*wall, x2=1, y2=.4))
    c.rect(0, line, c.w, c.h - line, c.linear(*floor))
    c.rect(0, line - 20, c.w, 20, "#fff", opacity=.55)
    c.rect(0, line, c.w, 12, "#000", opacity=.10)


def planks(c, line, dice, colour):
    for i in range(9):
        y = line + (c.h - line) * (i / 9) ** 1.5
        c.rect(0, y, c.w, 2, colour, opacity=.25)
    for _ in range(26):
        y = line + (c.h - line) * dice.random() ** 1.4
        c.rect(dice.uniform(0, c.w), y, 2, 24, colour, opacity=.2)


def sunlight(c, points, colour="#FFF3D6", strength=.5):
    c.poly(points, colour, opacity=strength, filter=c.blur(9))


def cushion(c, x, y, w, h, fill, angle=0):
    c.open(transform=f"rotate({angle} {x + w / 2} {y + h / 2})")
    c.path(f"M{x} {y + 8}Q{x + w / 2} {y - 10} {x + w} {y + 8}Q{x + w + 12} {y + h / 2} {x + w} {y + h}Q{x + w / 2} {y + h + 12} {x} {y + h}Q{x - 12} {y + h / 2} {x} {y + 8}Z", fill)
    c.close()


def living():
    """A living room in the afternoon sun."""
    c, dice = Canvas(1400, 1750), random.Random(2)
    room(c, ("#F4E7D7", "#E7D2BC", "#D5BA9F"), ("#C89A6B", "#A8743F", "#8A5A2D"), 1240)
    planks(c, 1240, dice, "#5c3514")
    # The window, and what one sees of the garden.
    c.rect(90, 240, 420, 760, "#FFFDF8", rx=6)
    c.rect(112, 262, 376, 716, c.linear("#BFE3F5", "#E8F6F3", "#CFE6B6"))
    for x, y, r, f in ((190, 800, 150, "#8DB870"), (400, 840, 170, "#6FA15F"), (300, 900, 150, "#A8CB7E"), (150, 930, 120, "#5F9156")):
        c.circle(x, y, r, f, clip_path=c.clip('<rect x="112" y="262" width="376" height="716"/>'), filter=c.blur(6))
    c.rect(294, 262, 12, 716, "#FFFDF8")
    c.rect(112, 600, 376, 12, "#FFFDF8")
    for x0, flip in ((40, 1), (560, -1)):
        c.path(f"M{x0} 200H{x0 + flip * 100}C{x0 + flip * 80} 600 {x0 + flip * 104} 900 {x0 + flip * 84} 1180H{x0 - flip * 6}Z",
               c.across((0, "#FFFFFF", .95), (.4, "#EDE1D2", .95), (.6, "#FFFFFF", .95), (1, "#E3D3C0", .95)))
    c.rect(20, 186, 560, 16, "#6F5138", rx=8)
    sunlight(c, [(620, 420), (900, 340), (1000, 980), (720, 1060)], strength=.42)
    sunlight(c, [(240, 1330), (760, 1330), (1180, 1600), (560, 1600)], strength=.36)
    # Picture.
    c.shadow(1034, 700, 210, 260, .22)
    c.rect(860, 400, 320, 420, "#3E2C20")
    c.rect(876, 416, 288, 388, "#FBF4E9")
    c.circle(1044, 560, 78, "#E27D52")
    c.path("M876 804V690Q960 600 1030 690T1164 660V804Z", "#3F6C6A")
    c.path("M876 804V750Q980 690 1164 760V804Z", "#254847")
    # Lamp.
    c.line("M1270 1240C1290 900 1290 640 1180 560", "#2F2620", 10)
    c.glow(1168, 620, 260, "#FFE3A6", .75)
    c.path("M1092 640Q1100 540 1168 536Q1236 540 1244 640Z", c.linear("#FFF6DC", "#FFD98C"))
    c.ellipse(1272, 1244, 70, 14, "#2F2620")
    # Rug, sofa, table.
    c.ellipse(720, 1520, 640, 130, "#F1E4D2")
    c.ellipse(720, 1520, 600, 116, "#E2CDB2")
    c.ellipse(720, 1520, 520, 96, "#F1E4D2")
    c.shadow(740, 1372, 520, 44, .5)
    c.rect(330, 1330, 22, 50, "#5A3A22")
    c.rect(1108, 1330, 22, 50, "#5A3A22")
    c.rect(290, 1010, 870, 270, c.linear("#3E7A78", "#2C5E5F"), rx=46)
    c.rect(250, 1110, 130, 236, c.across("#3B7675", "#2A5A5B"), rx=50)
    c.rect(1072, 1110, 130, 236, c.across("#2F6566", "#20494B"), rx=50)
    for x in (362, 728):
        c.rect(x, 1170, 360, 130, c.linear("#4A8C88", "#34696A"), rx=30)
    c.rect(330, 1276, 800, 66, c.linear("#2C5E5F", "#1F4648"), rx=20)
    cushion(c, 400, 1040, 170, 150, "#E8A15C", -10)
    cushion(c, 900, 1044, 180, 150, "#F3E6D4", 9)
    cushion(c, 800, 1066, 140, 126, "#C9603F", -4)
    c.shadow(640, 1580, 250, 30, .45)
    c.line("M520 1476L490 1580M760 1476L790 1580M640 1480V1590", "#4A2F1C", 10)
    c.ellipse(640, 1474, 230, 46, "#7A4A28")
    c.ellipse(640, 1464, 230, 44, c.across("#B4783F", "#8F5A2E"))
    c.rect(560, 1428, 130, 18, "#F7F0E4", rx=3)
    c.rect(572, 1412, 112, 18, "#D0694A", rx=3)
    c.ellipse(740, 1450, 34, 10, "#FFFFFF")
    c.path("M710 1412H770L762 1450H718Z", "#FFFFFF")
    plant(c, 1260, 1480, 470, ["#3F7050", "#2E5A43", "#5B8B5E", "#4A7F58"], 5, 13)
    return c.svg()


def kitchen():
    """A kitchen with an island and three lamps."""
    c, dice = Canvas(1400, 1750), random.Random(3)
    room(c, ("#EDF0EC", "#DDE3DD", "#C6CFC8"), ("#D8CCBC", "#BFAE98", "#9C8A74"), 1230)
    for i in range(7):
        c.line(f"M{-200 + i * 300} 1750L{300 + i * 140} 1230", "#8d7b64", 2, opacity=.35)
    for y in (1290, 1380, 1520):
        c.rect(0, y, 1400, 2, "#8d7b64", opacity=.3)
    # Tiles, wall units, window.
    for row in range(5):
        for col in range(15):
            c.rect(-40 + col * 100 + (row % 2) * 50, 640 + row * 46, 96, 42, dice.choice(["#F9FAF6", "#F2F4EE", "#EBEFE9", "#FFFFFF"]), rx=4)
    c.rect(0, 190, 430, 400, c.linear("#2E4A46", "#233B38"))
    c.rect(970, 190, 430, 400, c.linear("#2E4A46", "#233B38"))
    for x in (0, 143, 286, 970, 1113, 1256):
        c.rect(x + 6, 200, 131, 380, "none", stroke="#3F625C", stroke_width=3, rx=4)
        c.rect(x + 116, 420, 7, 80, "#E2B873", rx=3)
    c.rect(452, 190, 496, 400, "#FFFFFF", rx=4)
    c.rect(470, 208, 460, 364, c.linear("#CDEBFA", "#F4FBF2"))
    for x, y, r, f in ((560, 560, 110, "#9AC285"), (700, 600, 130, "#7FB073"), (860, 550, 120, "#B1D191")):
        c.circle(x, y, r, f, clip_path=c.clip('<rect x="470" y="208" width="460" height="364"/>'), filter=c.blur(5))
    c.rect(694, 208, 12, 364, "#FFFFFF")
    c.rect(0, 596, 1400, 14, "#E2B873", opacity=.5)
    c.rect(0, 604, 1400, 60, c.linear((0, "#FFE9BC", .8), (1, "#FFE9BC", 0)))
    # Counter.
    c.rect(0, 868, 1400, 30, c.linear("#FFFFFF", "#D7D6D0"))
    c.rect(0, 898, 1400, 330, c.linear("#35544F", "#233B38"))
    for x in range(0, 1400, 200):
        c.rect(x + 8, 912, 184, 304, "none", stroke="#45695F", stroke_width=3, rx=4)
        c.rect(x + 60, 936, 80, 7, "#E2B873", rx=3)
    c.line("M700 868V760Q700 716 744 716Q786 716 786 752", "#B98A45", 12)
    c.rect(160, 770, 60, 98, "#E9DFD0", rx=8)
    for i in range(5):
        c.line(f"M{190} 780L{150 + i * 20} {690 - (i % 2) * 26}", ["#B4783F", "#8F5A2E", "#D2A06A"][i % 3], 8)
    c.rect(290, 726, 120, 142, "#B98455", rx=10)
    c.rect(330, 700, 110, 168, "#D9A873", rx=10)
    plant(c, 1130, 868, 240, ["#4B8A5B", "#38704B", "#6DA568"], 6, 11, "#F6F1E8")
    c.ellipse(960, 852, 84, 22, "#E9E4DA")
    for x, y, f in ((920, 826, "#F08A3C"), (972, 820, "#F6B042"), (1004, 834, "#E46F2E"), (946, 806, "#F9C55B")):
        c.circle(x, y, 27, c.radial(f, "#D96A22", cx=.35, cy=.3, r=.9))
    # Lamps above the island.
    for x in (390, 700, 1010):
        c.line(f"M{x} 0V330", "#2B2B2B", 5)
        c.glow(x, 440, 230, "#FFE2A0", .55)
        c.path(f"M{x - 84} 430C{x - 80} 350 {x - 34} 330 {x} 326C{x + 34} 330 {x + 80} 350 {x + 84} 430Z", c.across("#E9C078", "#B98A45", "#7E5B2B"))
        c.ellipse(x, 430, 84, 15, "#FFF2CC")
    # Island, stools.
    c.shadow(700, 1560, 640, 46, .5)
    c.rect(150, 1130, 1100, 420, c.linear("#C58F57", "#8E5D31"))
    for i in range(27):
        c.rect(150 + i * 41, 1130, 3, 420, "#6b4220", opacity=.4)
    c.rect(110, 1074, 1180, 62, c.linear("#FFFFFF", "#E1DFDA"), rx=6)
    c.line("M180 1100Q420 1080 560 1112T980 1096", "#C7C5C0", 4, opacity=.7)
    c.rect(150, 1136, 1100, 30, "#000", opacity=.18)
    for x in (330, 700, 1070):
        c.shadow(x, 1668, 120, 18, .45)
        c.line(f"M{x - 56} 1400L{x - 82} 1664M{x + 56} 1400L{x + 82} 1664M{x - 70} 1560H{x + 70}", "#2C2621", 11)
        c.rect(x - 92, 1352, 184, 52, c.linear("#3A332C", "#211C18"), rx=24)
        c.path(f"M{x - 92} 1372V1260Q{x} 1228 {x + 92} 1260V1372Q{x} 1336 {x - 92} 1372Z", c.across("#F0E2CE", "#D4BE9F"))
    c.path("M610 1074L590 980H700L680 1074Z", c.across((0, "#FFFFFF", .9), (1, "#C9DAD6", .9)))
    for i, a in enumerate((-120, -100, -84, -66, -50)):
        leaf(c, 645, 985, 190 - (i % 2) * 40, a, ["#5D9466", "#7BB07A", "#457A52"][i % 3], .18)
    sunlight(c, [(0, 1300), (420, 1240), (760, 1750), (120, 1750)], strength=.28)
    return c.svg()


def bedroom():
    """A bedroom in the evening, the lamp on."""
    c, dice = Canvas(1400, 1750), random.Random(8)
    room(c, ("#A9747A", "#8B5F72", "#6C4E69"), ("#7C5547", "#5C3D38", "#42292B"), 1260)
    planks(c, 1260, dice, "#2a1512")
    c.path("M418 680V468A282 282 0 0 1 982 468V680Z", "#F8ECDF")
    c.path("M440 670V468A260 260 0 0 1 960 468V670Z", c.linear("#243468", "#6A4F8C", "#EE9677"))
    for _ in range(28):
        c.circle(dice.uniform(470, 930), dice.uniform(250, 480), dice.uniform(1, 2.6), "#fff", opacity=dice.uniform(.4, 1))
    c.circle(820, 370, 42, "#FFF1CF")
    c.poly([(440, 670)] + [(x + 440, y) for x, y in ridge(520, 620, 60, 4, 3)] + [(960, 670)], "#3A2C56")
    c.rect(694, 210, 10, 460, "#F8ECDF")
    c.rect(440, 500, 520, 10, "#F8ECDF")
    c.rect(406, 668, 588, 22, "#F8ECDF", rx=8)
    for i in range(16):
        x = 20 + i * 92
        y = 90 + 46 * (1 - ((i - 7.5) / 7.5) ** 2)
        c.glow(x, y + 24, 60, "#FFD98F", .9)
        c.circle(x, y + 24, 8, "#FFF2CE")
    c.line("M0 92Q700 188 1400 92", "#3a2430", 3)
    # Bed.
    c.shadow(700, 1560, 640, 60, .6)
    c.rect(190, 760, 1020, 540, c.linear("#D9A98F", "#A97766"), rx=60)
    for i in range(5):
        c.rect(214 + i * 198, 790, 180, 480, "none", stroke="#8f5f52", stroke_width=3, rx=30, opacity=.5)
    for x, f in ((300, "#FFF6EC"), (720, "#F6E7DA")):
        cushion(c, x, 970, 380, 210, f, -3 if x < 600 else 3)
    cushion(c, 440, 1050, 260, 170, "#D46A4C", -5)
    cushion(c, 690, 1056, 270, 164, "#3E5C76", 6)
    c.path("M150 1230Q700 1150 1250 1230L1300 1560Q700 1620 100 1560Z", c.linear("#FBF1E6", "#E3CFC0"))
    c.path("M120 1380Q420 1330 720 1390T1282 1370L1300 1560Q700 1622 100 1560Z", c.linear("#4C6B86", "#2F465F"))
    for i in range(7):
        c.line(f"M{180 + i * 180} {1400 + (i % 2) * 12}Q{200 + i * 176} 1480 {170 + i * 182} 1576", "#24374c", 4, opacity=.35)
    for x, flip in ((96, 1), (1304, -1)):
        c.glow(x, 940, 420, "#FFC877", .55)
        c.rect(x - 92, 1190, 184, 210, c.linear("#8A5A3E", "#5F3A2A"), rx=10)
        c.rect(x - 76, 1216, 152, 70, "none", stroke="#4b2c20", stroke_width=4, rx=6)
        c.circle(x, 1250, 8, "#F2C27A")
        c.rect(x - 10, 1060, 20, 130, "#E6B76F")
        c.path(f"M{x - 84} 1070L{x - 50} 930H{x + 50}L{x + 84} 1070Z", c.linear("#FFF4D4", "#FFCF83"))
        c.ellipse(x, 1190, 50, 12, "#C99852")
    c.ellipse(700, 1660, 560, 76, "#D8B7A3", opacity=.5)
    return c.svg()


def worn():
    """The living room before anybody cared for it; wall, window and floor as in `living`."""
    c, dice = Canvas(1400, 1750), random.Random(12)
    room(c, ("#B9B2A4", "#A39B8C", "#8C8475"), ("#7C7468", "#655E54", "#4E4840"), 1240)
    planks(c, 1240, dice, "#2c2822")
    # Damp, patches of bare plaster, cracks.
    for x, y, r in ((980, 330, 330), (1240, 900, 300), (700, 180, 240)):
        c.glow(x, y, r, "#6E664F", .45)
    for x, y, w, h in ((640, 420, 210, 150), (1090, 620, 180, 240), (760, 930, 150, 110)):
        points = [(x + w * dice.uniform(.36, .52) * px, y + h * dice.uniform(.36, .52) * py)
                  for px, py in ((0, 1), (.7, .75), (1, 0), (.75, -.7), (0, -1), (-.7, -.75), (-1, 0), (-.75, .7))]
        c.poly([(px + 5, py + 7) for px, py in points], "#6f6757", opacity=.6)
        c.poly(points, "#D2C8B5")
        c.poly([(x + (px - x) * .8, y + (py - y) * .8) for px, py in points], "#9C7F68")
        for row in range(3):
            c.line(f"M{x - w * .28:.0f} {y - h * .16 + row * h * .16:.0f}h{w * .56:.0f}", "#7f6450", 3, opacity=.7)
    for x, y in ((880, 60), (1180, 200), (620, 640)):
        d = f"M{x} {y}"
        for _ in range(7):
            d += f"l{dice.uniform(-34, 34):.0f} {dice.uniform(30, 74):.0f}"
        c.line(d, "#5d5648", 4, opacity=.75)
    # The window, blind with dust.
    c.rect(90, 240, 420, 760, "#CFC8BA", rx=6)
    c.rect(112, 262, 376, 716, c.linear("#98A3A6", "#A9ADA4", "#8A8F80"))
    for x, y, r in ((200, 860, 150), (400, 900, 160)):
        c.circle(x, y, r, "#6F7867", opacity=.6, clip_path=c.clip('<rect x="112" y="262" width="376" height="716"/>'), filter=c.blur(14))
    c.rect(294, 262, 12, 716, "#BDB6A7")
    c.rect(112, 600, 376, 12, "#BDB6A7")
    c.line("M330 300L420 400L400 470L470 560M420 400L476 380", "#DDE2E0", 3, opacity=.8)
    c.rect(20, 186, 560, 12, "#4b4136", rx=6, transform="rotate(3 300 190)")
    c.path("M40 205C90 420 50 700 100 900C60 880 20 700 30 205Z", "#8F8474", opacity=.9)
    # A bulb on its wire.
    c.line("M960 0C960 120 940 200 950 262", "#2b2620", 6)
    c.rect(934, 258, 34, 40, "#2b2620", rx=6)
    c.circle(951, 326, 34, "#CFC9B4", opacity=.8)
    # What was left behind: a sofa, boxes, a ladder, rubble.
    c.shadow(600, 1372, 440, 44, .5)
    c.rect(250, 1040, 640, 250, c.linear("#7A6A58", "#5E5142"), rx=40)
    c.rect(214, 1130, 110, 220, c.across("#75654f", "#564a3b"), rx=40)
    c.rect(816, 1130, 110, 220, c.across("#64563f", "#463c30"), rx=40)
    for x, tilt in ((312, -3), (572, 4)):
        c.rect(x, 1178, 250, 112, c.linear("#86745f", "#66573f"), rx=24, transform=f"rotate({tilt} {x + 120} 1230)")
    c.rect(276, 1284, 600, 60, "#4a3f32", rx=16)
    c.path("M420 1100l50 20l-20 40l40 20l-60 24l-30 -50z", "#C9B78F")
    c.line("M1240 1330L1100 420M1330 1330L1170 420", "#8A7350", 18)
    for i in range(8):
        t = i / 8 + .06
        c.line(f"M{1100 + 140 * t:.0f} {420 + 910 * t:.0f}L{1170 + 160 * t:.0f} {420 + 910 * t:.0f}", "#6f5b3c", 13)
    for x, y, s in ((960, 1300, 200), (990, 1178, 150)):
        c.shadow(x + s / 2, y + s * .82, s * .62, 22, .45)
        c.rect(x, y, s, s * .82, c.linear("#A98257", "#86633d"), rx=6)
        c.rect(x + s * .42, y, s * .16, s * .82, "#C3A57B", opacity=.7)
    for _ in range(60):
        x, y = dice.uniform(60, 1340), dice.uniform(1400, 1720)
        r = dice.uniform(4, 22) * (y - 1200) / 400
        c.poly([(x - r, y), (x - r * .3, y - r * .7), (x + r * .8, y - r * .4), (x + r, y + r * .1), (x, y + r * .3)], dice.choice(["#9b9182", "#7d7365", "#b3a892"]))
    return c.svg()
