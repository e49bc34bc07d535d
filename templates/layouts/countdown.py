"""Five, four, three, two, one, and what it was all about."""

from film import enters, moves, words

NAME = "Countdown"
DESCRIPTION = "Sparks rise behind giant numbers that count from five to one, then the event bursts in with date, place and tickets."
CATEGORY = "EVENTS"
SECONDS, BACKGROUND, POSTER = 11, "#0B0A14", 9.4
COLORS = {"accent": "#FF5A1F", "highlight": "#FFB23E", "background": "#0B0A14"}

DISPLAY, SANS = "Anton", "Barlow"
PAPER, FIRE, GOLD = "#FFF6EA", "#FF5A1F", "#FFB23E"
FIRST, COUNT = 1.8, 5
END = FIRST + COUNT


def build(f):
    f.music()
    f.loop("embers.mp4", 6, f.full)
    opening(f)
    for i in range(COUNT):
        number(f, i)
    ending(f)


def opening(f):
    f.text("Doors open in", f.pick((130, 300, 1660, 480), (70, 560, 940, 800), (70, 230, 940, 620)), 0, FIRST, DISPLAY, f.pick(330, 300, 250), PAPER, 400, "center",
           name="title", line=1.1, textTransform="uppercase", **words(20, .8, opacity=[1]), **enters(leave="zoom-blur", leaving=.25))


def number(f, i):
    """A number, a ring that closes in and one that leaves."""
    start, end = FIRST + i, FIRST + i + 1
    size = f.pick(820, 1060, 800)
    middle, centre = f.w / 2, f.pick(540, 900, 560)
    for side, motion in ((size * 1.18, {"scale": [1.5, 1], "opacity": [0, .55]}), (size * 1.02, {"scale": [.9, 1.9], "opacity": [.7, 0]})):
        box = (round(middle - side / 2), round(centre - side / 2), round(side), round(side))
        f.shape_of("circle", box, start, end, "transparent", stroke=FIRE, strokeWidth=f.pick(7, 8, 6), **moves(.95, "easeOutCubic", **motion))
    high = round(size * 1.16)
    f.text(str(COUNT - i), (round(middle - 500), round(centre - high / 2), 1000, high), start, end, DISPLAY, round(size * .86), PAPER, 400, "center", line=1.2,
           background=f"linear-gradient(180deg, {PAPER} 20%, {GOLD} 62%, {FIRE} 88%)", WebkitBackgroundClip="text", WebkitTextFillColor="transparent",
           **moves(.5, "easeOutExpo", scale=[1.7, 1], opacity=[.3, 1]), **enters(leave="zoom-blur", leaving=.2))
    # Five marks, one more lit every second.
    each, gap = f.pick(96, 120, 92), 18
    left, top = round(middle - (5 * each + 4 * gap) / 2), f.pick(985, 1640, 1000)
    for n in range(COUNT):
        f.shape_of("pill", (left + n * (each + gap), top, each, 12), start, end, FIRE if n <= i else "rgba(255,246,234,0.22)",
                   **(moves(.5, scale=[.4, 1]) if n == i else {}))
    f.text("Doors open in", f.pick((130, 70, 1660, 84), (70, 190, 940, 96), (70, 62, 940, 80)), start, end, SANS, f.pick(52, 60, 48), PAPER, 600, "center", name="title")


def ending(f):
    align = f.pick("left", "center", "left")
    # The flash is a disc of fire that opens behind the name.
    side = round(max(f.w, f.h) * 1.3)
    f.shape_of("circle", (round(f.w / 2 - side / 2), round(f.h / 2 - side / 2), side, side), END - .1, END + .9, FIRE, **moves(.9, "easeOutCubic", scale=[.05, 1], opacity=[1, .9, 0]))
    f.add("effect", f.full, END, None, {"particleCount": 120, "color": GOLD, "opacity": .8}, content="confetti")
    f.text("Night Market Live", f.pick((130, 230, 1660, 380), (70, 470, 940, 640), (70, 130, 940, 470)), END, None, DISPLAY, f.pick(224, 270, 200), PAPER, 400, align, name="event_name",
           line=1.14, textTransform="uppercase", **words(60, .7, stagger=1.4, scale=[1.25, 1], opacity=[.2, 1]))
    f.text("Saturday 12 September, 8 pm", f.pick((130, 660, 1000, 76), (70, 1140, 940, 84), (70, 620, 940, 76)), END + .3, None, SANS, f.pick(58, 62, 52), GOLD, 700, align, name="date", **words(50, .8))
    f.text("Old Harbour, Hall 3", f.pick((130, 742, 1000, 76), (70, 1228, 940, 84), (70, 698, 940, 76)), END + .45, None, SANS, f.pick(58, 62, 52), PAPER, 500, align, name="place", **words(50, .8))
    f.text("Get tickets", f.pick((1240, 656, 550, 170), (70, 1390, 940, 190), (70, 820, 940, 160)), END + .7, None, SANS, f.pick(60, 66, 54), "#1A0B06", 800, f.pick("right", "center", "left"),
           name="call_to_action", padding=f.pick("38px 72px", "42px 88px", "34px 68px"), backgroundColor=GOLD, borderRadius="999px",
           **enters("slide-up", .4, during="pulse", strength=1))
