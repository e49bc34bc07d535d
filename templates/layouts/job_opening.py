"""A wall of turning tiles, the role, three reasons, and where to apply."""

from film import enters, moves, words

NAME = "Job Opening"
DESCRIPTION = "Tiles of quarter circles turn beside the role, three good reasons to join and the address to apply."
CATEGORY = "BRANDING"
SECONDS, BACKGROUND, POSTER = 12, "#F5F1EA", 5.6
COLORS = {"accent": "#2446F5", "background": "#F5F1EA", "text": "#14131A"}

FONT = "Space Grotesk"
INK, PAPER, BLUE, RED, SUN, SKY = "#14131A", "#F5F1EA", "#2446F5", "#FF5A36", "#FFCE4A", "#BFD3FF"
# Ground and figure of the tiles, in turn.
PAIRS = ((BLUE, SUN), (RED, PAPER), (INK, BLUE), (SUN, RED), (SKY, INK), (PAPER, RED), (BLUE, SKY), (SUN, INK))
QUARTER, HALF = "M0 0H100A100 100 0 0 1 0 100Z", "M0 0H100V50A50 50 0 0 1 0 50Z"
ROLE, END = 2.8, 8.8


def build(f):
    f.music()
    f.rect(f.full, 0, None, PAPER)
    tiles(f)
    texts(f)


def tiles(f):
    """Every tile turns by a quarter now and then, at its own time."""
    left, top, columns, rows, side = f.pick((1110, 0, 3, 4, 270), (0, 0, 4, 3, 270), (700, 0, 2, 6, 190))
    for row in range(rows):
        for column in range(columns):
            index = row * columns + column
            ground, figure = PAIRS[(index * 3 + row) % len(PAIRS)]
            box = (left + column * side, top + row * side, side, side)
            turn = 90 * (index * 7 % 4)
            f.rect(box, 0, None, ground)
            if index % 5 == 3:
                inset = round(side * .16)
                f.shape_of("circle", (box[0] + inset, box[1] + inset, side - 2 * inset, side - 2 * inset), 0, None, figure,
                           **moves(4, "easeInOutCubic", delay=index % 4 * .5, scale=[1, .55, 1, 1.1, 1]))
                continue
            stops = [turn, turn, turn + 90, turn + 90, turn + 180, turn + 180, turn + 270]
            f.shape_of(QUARTER if index % 3 else HALF, box, 0, None, figure, **moves(11.2 - index % 4 * .7, "easeInOutCubic", delay=index % 4 * .25, rotate=stops))


def texts(f):
    left, width = f.pick((120, 900), (80, 920), (70, 580))
    gone = enters(leave="slide-up", leaving=.25)
    f.image("logo.svg", f.pick((left, 110, 110, 110), (left, 890, 100, 100), (left, 90, 84, 84)), 0, None, "logo", **moves(1.2, "easeOutBack", rotate=[-90, 0]))
    f.text("Meadow Works", f.pick((left + 140, 120, 720, 90), (left + 130, 895, 780, 90), (left + 106, 92, 470, 80)), 0, None, FONT, f.pick(46, 48, 38), INK, 600, name="company",
           **words(14, .9, opacity=[1]))
    f.text("We are hiring", f.pick((left, 300, width, 520), (left, 1040, width, 560), (left, 280, width, 560)), 0, ROLE, FONT, f.pick(220, 216, 160), INK, 700, name="headline", line=1.06,
           letterSpacing="-0.05em", **words(24, 1.0, opacity=[1]), **gone)
    f.text("Product designer", f.pick((left, 250, width, 370), (left, 1010, width, 336), (left, 220, width, 310)), ROLE, END, FONT, f.pick(150, 144, 104), BLUE, 700, name="role", line=1.06,
           letterSpacing="-0.045em", **words(90, .9, stagger=1.5), **gone)
    top, step = f.pick((626, 106), (1350, 118), (566, 108))
    for i, perk in enumerate(("Four-day week", "Work from anywhere", "Own what you ship")):
        start, y = ROLE + .5 + i * .35, top + i * step
        box = (left, y + round((step - 56) / 2) - 8, 40, 40)
        f.shape_of(QUARTER, box, start, END, (RED, SUN, BLUE)[i], **moves(.7, "easeOutBack", rotate=[-180, 0], scale=[0, 1]), **enters(leave="fade", leaving=.25))
        f.text(perk, (left + 72, y, width - 72, step - 16), start, END, FONT, f.pick(60, 62, 48), INK, 500, name=f"perk_{i + 1}", letterSpacing="-0.02em", **words(60, .8), **gone)
    f.text("Apply today", f.pick((left, 300, width, 300), (left, 1040, width, 300), (left, 260, width, 330)), END, None, FONT, f.pick(180, 176, 134), INK, 700, name="closing", line=1.06,
           letterSpacing="-0.05em", **words(90, .9, stagger=1.5))
    f.text("meadow.example/jobs", f.pick((left, 680, width, 170), (left, 1440, width, 180), (left, 660, width, 150)), END + .4, None, FONT, f.pick(60, 64, 42), PAPER, 700, name="apply",
           padding=f.pick("38px 60px", "42px 64px", "34px 40px"), backgroundColor=BLUE, borderRadius="20px", **enters("slide-up", .4, during="pulse", strength=.7))
