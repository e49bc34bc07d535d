"""One picture wipes over the other, and back."""

from film import enters, moves, words

NAME = "Before and After"
DESCRIPTION = "A line sweeps over the picture and the old gives way to the new, three times; then what was done and whom to call."
CATEGORY = "REAL_ESTATE"
SECONDS, BACKGROUND, POSTER = 12, "#F3EEE6", 4.15
COLORS = {"accent": "#C9603F", "background": "#F3EEE6", "text": "#23302E"}

DISPLAY, SANS = "DM Serif Display", "DM Sans"
INK, TEAL, CLAY, SAND = "#23302E", "#2C5E5F", "#C9603F", "#F3EEE6"
# When the line travels: first and last second, and whether the new picture comes.
SWEEPS = ((2.6, 4.6, True), (5.4, 6.6, False), (7.0, 8.2, True))


def build(f):
    f.music()
    f.rect(f.full, 0, None, SAND)
    disc = f.pick((-260, 560, 900, 900), (460, -380, 1000, 1000), (-300, -320, 800, 800))
    f.shape_of("circle", disc, 0, None, "#E6DCCB", **moves(f.seconds, "easeInOutSine", x=[0, 90], y=[0, -60]))
    frame = f.pick((900, 90, 930, 900), (70, 480, 940, 1070), (60, 250, 960, 600))
    pictures(f, frame)
    texts(f, frame)


def pictures(f, frame):
    left, top, width, height = frame
    radius = f.pick(48, 48, 40)
    look = {"borderRadius": f"{radius}px", "objectPosition": f.pick("50% 60%", "50% 50%", "50% 78%")}
    settle = moves(1.4, scale=[.96, 1])
    f.image("before.jpg", frame, 0, None, "before_photo", boxShadow="0 40px 90px rgba(60,45,20,0.28)", **look, **settle)
    (first, _, _), (back, away, _), (again, _, _) = SWEEPS
    f.image("after.jpg", frame, first, away, "after_photo", **look, **enters("wipe-right", 2.0, leave="wipe-right", leaving=away - back))
    f.image("after.jpg", frame, again, 8.4, "after_photo", **look, **enters("wipe-right", 1.2))
    f.image("after.jpg", frame, 8.4, None, "after_photo", **look, **enters(during="ken-burns-in", strength=.5))
    for start, end, forward in SWEEPS:
        line(f, frame, start, end, [0, width] if forward else [width, 0])
    tag, inset, high = f.pick(40, 42, 36), f.pick(36, 36, 28), 82
    place = (left + inset, top + inset, width - 2 * inset, high)
    for text, colour, spans in (("Before", INK, ((0, 3.0), (6.2, 7.2))), ("After", CLAY, ((3.9, 6.0), (7.8, None)))):
        for start, end in spans:
            side = "left" if text == "Before" else "right"
            f.text(text, place, start, end, SANS, tag, "#FFFFFF", 700, side, padding="14px 32px", backgroundColor=colour, borderRadius="999px",
                   **enters("fade" if start else None, .25, leave="fade" if end else None, leaving=.25))


def line(f, frame, start, end, way):
    """The line between the pictures and its grip, at the speed of the wipe."""
    left, top, width, height = frame
    f.sound("whoosh.m4a", start, .9, .2)
    travel = moves(end - start, "linear", x=way)
    f.rect((left - 4, top, 8, height), start, end, "#FFFFFF", boxShadow="0 0 24px rgba(0,0,0,0.35)", **travel)
    grip = f.pick(96, 104, 88)
    middle = (left - grip // 2, top + height // 2 - grip // 2, grip, grip)
    f.shape_of("circle", middle, start, end, "#FFFFFF", boxShadow="0 8px 30px rgba(0,0,0,0.35)", **travel)
    f.shape_of("M38 32L22 50L38 68M62 32L78 50L62 68", middle, start, end, "transparent", stroke=INK, strokeWidth=7, **travel)


def texts(f, frame):
    align = f.pick("left", "center", "left")
    swap, end = 4.6, 8.4
    # Before: the title. After: what was done. Ending: who did it.
    head = f.pick((110, 200, 720, 520), (80, 96, 920, 360), (60, 60, 960, 170))
    size = f.pick(136, 132, 68)
    f.text("Six weeks, one new home", head, 0, swap, DISPLAY, size, INK, 400, align, name="headline", line=1.1, letterSpacing="-0.01em",
           **words(16, 1.0, opacity=[1]), **enters(leave="slide-up", leaving=.25))
    f.text("New floor, new walls, new light", head, swap, end, DISPLAY, size, TEAL, 400, align, name="work_done", line=1.1, letterSpacing="-0.01em",
           **words(60, .9, stagger=.8), **enters(leave="slide-up", leaving=.25))
    f.text("Studio Linden", f.pick((110, 250, 720, 340), (80, 150, 920, 260), (60, 66, 960, 150)), end, None, DISPLAY, f.pick(150, 140, 104), INK, 400, align, name="company", line=1.1,
           letterSpacing="-0.01em", **words(70, .9))
    low = f.pick((110, 730, 720, 80), (80, 1600, 920, 90), (60, 890, 960, 90))
    f.text("Renovation in Porto", low, 0, end, SANS, f.pick(46, 50, 44), "#6B6A60", 500, align, name="place", **words(40, .9, delay=.3), **enters(leave="slide-up", leaving=.25))
    f.text("Book a free visit", f.pick((110, 640, 720, 150), (80, 1600, 920, 160), (60, 884, 960, 130)), end + .3, None, SANS, f.pick(52, 56, 46), "#FFFFFF", 700, align,
           name="call_to_action", padding=f.pick("36px 64px", "38px 72px", "30px 56px"), backgroundColor=CLAY, borderRadius="999px",
           **enters("slide-up", .4, during="pulse", strength=.6))
