"""A year in three moments, in the light of old film."""

from film import enters, moves, words

NAME = "Year Recap"
DESCRIPTION = "The year in giant figures, three photos with one line each, and all of them together for a thank-you, in warm light."
CATEGORY = "PERSONALIZED"
SECONDS, BACKGROUND, POSTER = 13, "#1C0F24", 4.2
COLORS = {"accent": "#FFC978", "background": "#1C0F24", "text": "#FFF4EA"}

DISPLAY, SANS = "Syne", "DM Sans"
PAPER, ROSE, AMBER = "#FFF4EA", "#FF9E80", "#FFC978"
FIRST, EACH = 2.6, 2.2
END = FIRST + 3 * EACH
MOMENTS = ("412 mountain mornings", "9 empty beaches", "1 blue village")


def build(f):
    f.music()
    f.loop("leaks.mp4", 6, f.full)
    title(f)
    moments(f)
    ending(f)


def title(f):
    f.text("2026", f.pick((110, 200, 1700, 520), (60, 560, 960, 520), (60, 220, 960, 420)), 0, FIRST, DISPLAY, f.pick(520, 360, 340), PAPER, 800, "center", name="year", line=1.0,
           letterSpacing="-0.05em", background=f"linear-gradient(100deg, {PAPER} 10%, {AMBER} 45%, {ROSE} 70%, {PAPER} 100%)", WebkitBackgroundClip="text",
           WebkitTextFillColor="transparent", **moves(1.6, scale=[.92, 1]), **enters(leave="zoom-blur", leaving=.3))
    f.text("Our year at Northwind", f.pick((110, 760, 1700, 100), (60, 1110, 960, 100), (60, 690, 960, 90)), 0, FIRST, SANS, f.pick(64, 64, 54), PAPER, 500, "center", name="title",
           **words(18, 1.0, opacity=[1]), **enters(leave="fade", leaving=.25))


def moments(f):
    """Each photo slides over the one before; its line rises out of its own edge."""
    frame = f.pick((860, 110, 940, 860), (70, 200, 940, 1080), (60, 60, 960, 640))
    left, top, width, height = frame
    words_at = f.pick((120, 330, 660, 460), (70, 1390, 940, 330), (60, 790, 960, 220))
    bars = f.pick((120, 250, 84), (70, 1330, 110), (60, 744, 96))
    for i, line in enumerate(MOMENTS):
        start, end = FIRST - .1 + i * EACH, FIRST + (i + 1) * EACH
        come = {"y": [f.h, 0]} if i == 0 else {"x": [f.w - left + 60, 0]}
        # A photo stays until the next one covers it; the last one falls away.
        f.image(f"photo-{i + 1}.jpg", frame, start, end + (1 if i < 2 else .35), f"photo_{i + 1}", borderRadius="44px", boxShadow="0 40px 100px rgba(10,0,20,0.5)",
                **moves(.9, **come, rotate=[5, 0]), **enters(leave="slide-down" if i == 2 else None, leaving=.35, during="ken-burns-in", strength=.7))
        for n in range(3):
            f.shape_of("pill", (bars[0] + n * (bars[2] + 16), bars[1], bars[2], 10), FIRST + i * EACH, end, AMBER if n <= i else "rgba(255,244,234,0.25)",
                       **(moves(.6, scale=[.3, 1]) if n == i else {}))
        f.text(line, words_at, FIRST + i * EACH, end, DISPLAY, f.pick(108, 108, 80), PAPER, 700, name=f"moment_{i + 1}", line=1.12, letterSpacing="-0.03em",
               **words(70, .8, stagger=.9), **enters(leave="slide-up", leaving=.22))


def ending(f):
    """The three together, as prints on a table."""
    boxes = f.pick(((1010, 90, 420, 420, -6), (1380, 250, 420, 420, 5), (1090, 540, 440, 440, 3)),
                   ((90, 170, 500, 500, -6), (480, 420, 520, 520, 5), (120, 690, 480, 480, -3)),
                   ((50, 70, 380, 380, -6), (350, 110, 380, 380, 4), (650, 60, 380, 380, -3)))
    far = ((-900, -500), (900, -300), (900, -700))
    for i, (left, top, width, height, tilt) in enumerate(boxes):
        x, y = far[i]
        f.image(f"photo-{i + 1}.jpg", (left, top, width, height), END + i * .1, None, f"photo_{i + 1}", rotation=tilt, border="14px solid #FFF9F2", boxShadow="0 30px 70px rgba(10,0,20,0.5)",
                **moves(.9, "easeOutQuart", x=[x, 0], y=[y, 0], rotate=[x / 30, 0]), **enters(during="float", strength=.4, speed=.5 + i * .12))
    f.text("Thank you\nfor it all.", f.pick((120, 220, 800, 520), (70, 1270, 940, 370), (60, 540, 960, 320)), END + .1, None, DISPLAY, f.pick(96, 112, 96), PAPER, 800, name="closing",
           line=1.1, letterSpacing="-0.035em", **words(80, .9, stagger=.9))
    f.text("See you next year", f.pick((120, 770, 800, 90), (70, 1660, 940, 90), (60, 890, 960, 80)), END + .7, None, SANS, f.pick(52, 54, 46), AMBER, 600, **words(50, .8))
