"""A phone that shows the app while the text says what it does."""

from film import enters, moves, words

NAME = "App Promo"
DESCRIPTION = "Your screen recording inside a phone, a headline, three features in time with it, then icon, name and button."
CATEGORY = "BRANDING"
SECONDS, BACKGROUND, POSTER = 12, "#ECE6FF", 6.4
COLORS = {"accent": "#6C4DFF"}

FONT, INK, VIOLET, SOFT = "Plus Jakarta Sans", "#1B1340", "#6C4DFF", "#5E5684"
# Headline, features, ending.
FEATURES, END = 3.2, 9.0


def build(f):
    f.music()
    backdrop(f)
    phone(f)
    headline(f)
    features(f)
    ending(f)


def backdrop(f):
    f.rect(f.full, 0, None, "#ECE6FF", gradient="linear-gradient(135deg, #E6DEFF 0%, #F4EDFF 50%, #FFE9DF 100%)")
    side = round(max(f.w, f.h) * .62)
    spots = f.pick(((980, -180), (1300, 520), (-420, 560)), ((300, 300), (-500, 1100), (420, 1250)), ((360, -80), (560, 420), (-380, 480)))
    for (x, y), colour, drift in zip(spots, ("#B9A4FF", "#FFB9A0", "#C9D4FF"), (80, -100, 70)):
        f.shape_of("circle", (x, y, side, side), 0, None, colour, opacity=.7,
                   **moves(f.seconds, "easeInOutSine", x=[0, drift, 0], y=[0, -drift, 0], blur=[80]))


def phone(f):
    """Frame, screen and camera, which move as one. A tall film lets it stand at the bottom, half out of the picture."""
    left, top, width = f.pick((1200, 60, 452), (214, 690, 652), (574, 90, 424))
    screen, rim = round(width * .93), round(width * .035)
    height = round(screen * 1170 / 540) + 2 * rim
    inner = (left + rim, top + rim, width - 2 * rim, height - 2 * rim)
    motion = moves(1.4, y=[90, 0])
    f.rect((left, top, width, height), 0, None, "#14101F", borderRadius=f"{round(width * .155)}px",
           boxShadow="0 60px 120px rgba(50,25,130,0.35), 0 12px 30px rgba(50,25,130,0.22)", stroke="#4A4560", strokeWidth=3, **motion)
    f.video("screen.mp4", inner, 0, None, "screen_recording", borderRadius=f"{round(width * .125)}px", **motion)
    island = round(width * .27)
    f.shape_of("pill", (round(left + (width - island) / 2), top + rim + round(width * .03), island, round(width * .072)), 0, None, "#14101F", **motion)


def headline(f):
    box = f.pick((130, 270, 960, 420), (80, 150, 920, 380), (60, 250, 470, 480))
    f.text("Money that minds itself.", box, 0, FEATURES, FONT, f.pick(152, 142, 100), INK, 800, f.pick("left", "center", "left"), name="headline", line=1.08,
           letterSpacing="-0.04em", **words(26, 1.0, opacity=[1]), **enters(leave="slide-up", leaving=.25))
    f.text("Saves while you live.", f.pick((130, 700, 960, 90), (80, 540, 920, 80), (60, 740, 470, 80)), 0, FEATURES, FONT, f.pick(54, 50, 40), SOFT, 500,
           f.pick("left", "center", "left"), name="subtitle", **words(40, .9, delay=.3), **enters(leave="slide-up", leaving=.25))


def features(f):
    """One at a time, with a number and a bar of three parts."""
    align = f.pick("left", "center", "left")
    lines = ("See what you have, at a glance", "Set goals that fill up by themselves", "Celebrate every one you reach")
    starts = (FEATURES, 5.2, 7.2, END)
    left, top, width = f.pick((130, 300, 960), (80, 150, 920), (60, 250, 470))
    part, gap = f.pick(120, 120, 84), 16
    middle = f.pick(left, left + (width - 3 * part - 2 * gap) / 2, left)
    for i, line in enumerate(lines):
        where = (round(middle + i * (part + gap)), top, part, 12)
        f.shape_of("pill", where, FEATURES, END, "rgba(27,19,64,0.14)", **enters("fade", .3, leave="fade", leaving=.25))
        f.shape_of("pill", where, starts[i], END, VIOLET, **moves(.5, opacity=[0, 1]), **enters(leave="fade", leaving=.25))
        f.text(line, (left, top + f.pick(60, 50, 50), width, f.pick(290, 260, 300)), starts[i], starts[i + 1], FONT, f.pick(112, 100, 76), INK, 800, align,
               name=f"feature_{i + 1}", line=1.12, letterSpacing="-0.035em", **words(60, .8, stagger=.7), **enters(leave="slide-up", leaving=.22))


def ending(f):
    align = f.pick("left", "center", "left")
    icon = f.pick((130, 250, 176, 176), (452, 110, 176, 176), (60, 240, 150, 150))
    f.image("icon.svg", icon, END, None, "app_icon", borderRadius=f"{round(icon[2] * .23)}px", boxShadow="0 24px 50px rgba(60,30,160,0.35)",
            **moves(.9, "easeOutBack", scale=[.2, 1], opacity=[0, 1]))
    f.text("Pockets", f.pick((130, 450, 960, 190), (80, 300, 920, 150), (60, 410, 470, 140)), END + .1, None, FONT, f.pick(150, 118, 104), INK, 800, align,
           name="app_name", letterSpacing="-0.04em", **words(80, .9))
    f.text("Get it free", f.pick((130, 670, 960, 160), (80, 466, 920, 150), (60, 580, 470, 140)), END + .45, None, FONT, f.pick(60, 56, 46), "#FFFFFF", 700, align,
           name="call_to_action", padding=f.pick("38px 76px", "34px 76px", "32px 56px"), backgroundColor=VIOLET, borderRadius="999px",
           **enters("slide-up", .4, during="pulse", strength=.6))
