"""Five cards of coloured paper land on a pile, then the whole list."""

import math

from film import enters, moves, words

NAME = "Paper List"
DESCRIPTION = "A list of five on cards of cut paper that land one on the other, with all five on one page at the end."
CATEGORY = "SOCIAL_MEDIA"
SECONDS, BACKGROUND, POSTER = 15, "#F4EBDB", 3.8
COLORS = {"accent": "#E2552D", "accent_2": "#1F5C57", "accent_3": "#24376B"}

SERIF, SANS = "DM Serif Display", "DM Sans"
INK, CREAM = "#22211F", "#FBF3E4"
# Card, what is cut out of other paper, text.
CARDS = (("#E2552D", "#F6B73C", CREAM), ("#1F5C57", "#F2A08E", CREAM), ("#F6B73C", "#E2552D", INK), ("#24376B", "#8FC6C0", CREAM), ("#F2A08E", "#1F5C57", INK))
ITEMS = ("Open the window", "Water before coffee", "Ten minutes outside", "Write three lines", "Phone stays asleep")
TITLE, EACH = 2.4, 1.8
END = TITLE + 5 * EACH


def frond(lobes=4):
    """A leaf of cut paper, as path data in a box of 100 by 100."""
    right, left = [], []
    for i in range(lobes):
        y, reach = 88 - i * 74 / lobes, 40 * math.sin(math.pi * (i + 1.2) / (lobes + 1.2))
        tip = y - 15
        right.append(f"C{54 + reach * .5:.1f} {y + 1:.1f} {58 + reach:.1f} {y - 4:.1f} {54 + reach:.1f} {tip:.1f}C{50 + reach:.1f} {tip - 7:.1f} {54 + reach * .35:.1f} {y - 8:.1f} 53 {y - 9:.1f}")
        left.append(f"C{46 - reach * .35:.1f} {y - 8:.1f} {50 - reach:.1f} {tip - 7:.1f} {46 - reach:.1f} {tip:.1f}C{42 - reach:.1f} {y - 4:.1f} {46 - reach * .5:.1f} {y + 1:.1f} 47 {y:.1f}")
    return "M47 98L53 98L53 88" + "".join(right) + "C54 8 52 2 50 1C48 2 46 8 47 " + f"{78 - (lobes - 1) * 74 / lobes:.1f}" + "".join(reversed(left)) + "Z"


def build(f):
    f.music()
    f.loop("paper.mp4", 4, f.full)
    title(f)
    for i in range(5):
        card(f, i)
    recap(f)


def leaf(f, box, start, end, colour, rotation, sway=3):
    f.shape_of(frond(), box, start, end, colour, rotation=rotation, boxShadow="0 10px 18px rgba(60,40,10,0.28)",
               **enters(during="sway", strength=sway, speed=.6))


def title(f):
    until = TITLE + .5
    spots = f.pick(
        (((1330, 300, 520, 760), 0, 12), ((1180, 560, 360, 520), 1, -22), ((1600, 20, 340, 500), 3, 150)),
        (((560, 1180, 520, 760), 0, 14), ((60, 1300, 420, 620), 1, -16), ((720, -60, 380, 520), 3, 160)),
        (((680, 450, 420, 620), 0, 16), ((490, 760, 300, 420), 1, -14), ((800, -90, 300, 420), 3, 165)))
    for box, paper, rotation in spots:
        leaf(f, box, 0, until, CARDS[paper][0], rotation)
    f.text("5", f.pick((120, 120, 420, 470), (80, 200, 460, 500), (70, 90, 330, 370)), 0, until, SERIF, f.pick(470, 500, 360), CARDS[0][0], 400, line=1.0,
           **moves(1.2, "easeOutBack", scale=[.8, 1]))
    f.text("habits for brighter mornings", f.pick((130, 570, 1000, 400), (80, 690, 900, 540), (76, 470, 700, 420)), 0, TITLE + .36, SERIF, f.pick(140, 142, 100), INK, 400, name="title",
           line=1.08, letterSpacing="-0.015em", **words(26, 1.0, opacity=[1]))


def card(f, i):
    paper, cut, ink = CARDS[i]
    start, end = TITLE + i * EACH, END + .6
    box = f.pick((250, 130, 1420, 820), (100, 360, 880, 1200), (90, 110, 900, 860))
    left, top, width, height = box
    tilt = (-3, 2.5, -1.5, 3, -2)[i]
    far = (1 if i % 2 else -1) * (f.w + 300)
    land = moves(.6, "easeOutQuart", x=[far, 0], y=[-160, 0])
    f.sound("whoosh.m4a", start - .1, .9, .16)
    f.rect(box, start, None, paper, rotation=tilt, borderRadius="10px", boxShadow="0 26px 60px rgba(60,40,10,0.38)", **land)
    leafbox = f.pick((left + width - 560, top + 60, 480, 700), (left + 430, top + 60, 410, 600), (left + 540, top + 40, 300, 440))
    f.shape_of(frond(), leafbox, start, end, cut, rotation=tilt + (24, -18, 160, 30, -28)[i], boxShadow="0 8px 16px rgba(0,0,0,0.22)",
               **moves(.7, "easeOutCubic", x=[far, 0], y=[-220, 0], rotate=[-far / 30, 0]))
    stop = start + EACH + .5 if i < 4 else end
    pad = f.pick(90, 80, 76)
    number = f.pick((left + pad, top + 70, 420, 360), (left + pad, top + 90, 340, 420), (left + pad, top + 60, 300, 330))
    f.text(str(i + 1), number, start, stop, SERIF, f.pick(360, 400, 320), cut, 400, rotation=tilt, line=1.0, whole=True, **land)
    words_box = f.pick((left + pad, top + 440, 800, 300), (left + pad, top + 690, width - 2 * pad, 420), (left + pad, top + 440, width - 2 * pad - 40, 340))
    f.text(ITEMS[i], words_box, start, start + EACH + .36 if i < 4 else END + .28, SERIF, f.pick(128, 138, 112), ink, 400, name=f"item_{i + 1}", rotation=tilt, line=1.08,
           letterSpacing="-0.01em", whole=True, **land)


def recap(f):
    """Every item on one sheet, over the pile."""
    box = f.pick((360, 60, 1200, 960), (80, 210, 920, 1500), (60, 50, 960, 980))
    left, top, width, height = box
    f.sound("whoosh.m4a", END - .1, .9, .16)
    land = moves(.7, "easeOutCubic", y=[f.h, 0])
    f.rect(box, END, None, CREAM, borderRadius="10px", boxShadow="0 30px 80px rgba(60,40,10,0.42)", **land)
    pad, first, step, size = f.pick((100, 70, 140, 76), (80, 110, 220, 70), (80, 60, 146, 72))
    for i, item in enumerate(ITEMS):
        y = top + first + i * step
        number, line = (left + pad, y, 100, step - 24), (left + pad + 120, y, width - 2 * pad - 120, step - 24)
        f.text(str(i + 1), number, END, None, SERIF, round(size * 1.15), (CARDS[i][0], "#D9971A", "#CF6350")[(0, 0, 1, 0, 2)[i]], 400, line=1.0, whole=True, **land)
        f.text(item, line, END, None, SERIF, size, INK, 400, name=f"item_{i + 1}", whole=True, **land)
    f.text("Save this for later  ·  @slowmornings", (left + pad, top + height - f.pick(170, 220, 176), width - 2 * pad, 110), END + .9, None, SANS, f.pick(40, 42, 36), CREAM, 700, name="handle",
           padding="24px 40px", backgroundColor=INK, borderRadius="999px", **enters("slide-up", .4, during="pulse", strength=.6))
