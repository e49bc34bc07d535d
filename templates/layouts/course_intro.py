"""A course: its title, three modules on a path, and when it starts."""

from film import enters, moves, words

NAME = "Course Intro"
DESCRIPTION = "The title of a course beside a turning play button, three modules that land one by one, then teacher, start and button."
CATEGORY = "EDUCATIONAL"
SECONDS, BACKGROUND, POSTER = 12, "#F6F4EC", 6.6
COLORS = {"accent": "#C9F25B"}

FONT = "Sora"
INK, PAPER, LIME, TEAL, MUTED = "#0F2A2E", "#F6F4EC", "#C9F25B", "#12575B", "#5C7073"
MODULES, END = 3.0, 8.2


def build(f):
    f.music()
    f.rect(f.full, 0, None, PAPER)
    grid(f)
    title(f)
    modules(f)
    ending(f)


def grid(f):
    """Squared paper that moves slowly past."""
    step = 90
    for x in range(0, f.w + step * 2, step):
        f.rect((x - step, 0, 2, f.h), 0, None, "#E6E3D6", **moves(f.seconds, "linear", x=[0, step]))
    for y in range(step // 2, f.h, step):
        f.rect((0, y, f.w, 2), 0, None, "#E6E3D6")


def title(f):
    x, y, side = f.pick((1220, 210, 660), (300, 1120, 640), (600, 560, 460))
    gone = enters(leave="scale", leaving=.35, during="pulse", strength=.8, speed=.6)
    until = MODULES + .2
    f.shape_of("circle", (x, y, side, side), 0, until, LIME, **moves(1.2, "easeOutBack", scale=[.9, 1]), **gone)
    inner = round(side * .12)
    f.shape_of("circle", (x + inner, y + inner, side - 2 * inner, side - 2 * inner), 0, until, TEAL, **moves(1.2, "easeOutBack", scale=[.86, 1]), **gone)
    f.shape_of("M38 28L74 50L38 72Z", (x + inner, y + inner, side - 2 * inner, side - 2 * inner), 0, until, PAPER, **moves(1.4, "easeOutBack", scale=[.7, 1]), **gone)
    f.text("Watercolour for beginners", f.pick((120, 230, 1020, 460), (80, 260, 920, 560), (60, 110, 960, 420)), 0, MODULES, FONT, f.pick(146, 128, 112), INK, 800, name="course", line=1.1,
           letterSpacing="-0.045em", **words(22, 1.0, opacity=[1]), **enters(leave="slide-up", leaving=.25))
    f.text("Six weeks, no talent needed", f.pick((120, 720, 1020, 90), (80, 850, 920, 90), (60, 560, 520, 170)), 0, MODULES, FONT, f.pick(50, 50, 46), MUTED, 500, name="subtitle",
           **words(40, .9, delay=.2), **enters(leave="slide-up", leaving=.25))


def modules(f):
    """Three cards; side by side in a wide film, one below the other elsewhere."""
    f.text("What you will learn", f.pick((120, 120, 1680, 110), (80, 210, 920, 110), (60, 66, 960, 90)), MODULES, END, FONT, f.pick(68, 66, 56), INK, 800, letterSpacing="-0.03em",
           **words(60, .8), **enters(leave="fade", leaving=.25))
    lines = ("Mixing colours that glow", "Light, shadow and water", "Your first landscape")
    for i, line in enumerate(lines):
        start = MODULES - .3 + i * .7
        left, top, width, height = f.pick((120 + i * 576, 300, 528, 620), (80, 370 + i * 420, 920, 380), (60, 186 + i * 282, 960, 256))
        fill, ink, chip = ((TEAL, PAPER, LIME), (LIME, INK, TEAL), (INK, PAPER, LIME))[i]
        come = moves(.9, "easeOutQuart", y=[f.h - top + 80, 0]) | enters(leave="fade", leaving=.25)
        f.rect((left, top, width, height), start, END + .2, fill, borderRadius="44px", boxShadow="0 30px 60px rgba(15,42,46,0.22)", **come)
        knob = f.pick(132, 120, 104)
        spot = f.pick((left + 48, top + 52), (left + 48, top + 48), (left + 44, top + (256 - 104) // 2))
        f.shape_of("circle", (*spot, knob, knob), start, END + .2, chip, **come)
        f.text(str(i + 1), (*spot, knob, knob), start, END + .2, FONT, round(knob * .5), PAPER if chip == TEAL else INK, 800, "center", whole=True, **come)
        box = f.pick((left + 48, top + 240, width - 96, 320), (left + 48, top + 180, width - 96, 176), (left + 44 + knob + 40, top + 30, width - 128 - knob, 196))
        f.text(line, box, start, END + .2, FONT, f.pick(66, 62, 56), ink, 700, name=f"module_{i + 1}", line=1.16, letterSpacing="-0.03em", whole=True, **come)


def ending(f):
    card = f.pick((120, 130, 1680, 820), (80, 380, 920, 1160), (60, 60, 960, 960))
    left, top, width, height = card
    come, start = moves(.9, "easeOutQuart", y=[f.h - top + 60, 0]), END - .25
    f.rect(card, start, None, TEAL, borderRadius="60px", **come)
    side = f.pick(560, 620, 420)
    f.shape_of("circle", (left + width - round(side * .78), top + height - round(side * .72), side, side), END + .1, None, LIME, opacity=.95,
               **moves(3.6, "easeOutCubic", scale=[0, 1], x=[120, 0]))
    pad = f.pick(110, 84, 84)
    f.text("With Amara Osei", (left + pad, top + pad - 20, width - 2 * pad, 90), start, None, FONT, f.pick(50, 50, 46), LIME, 600, name="teacher", whole=True, **come)
    f.text("Starts on\n5 October", (left + pad, top + pad + 96, f.pick(1240, width - 2 * pad, width - 2 * pad), f.pick(330, 420, 360)), start, None, FONT, f.pick(142, 128, 112), PAPER, 800,
           name="starts", line=1.1, letterSpacing="-0.045em", whole=True, **come)
    f.text("Save your seat", (left + pad, top + height - pad - f.pick(150, 160, 140), f.pick(900, 620, 600), f.pick(150, 160, 140)), start + .4, None, FONT, f.pick(54, 56, 48), INK, 700,
           name="call_to_action", padding=f.pick("36px 68px", "38px 68px", "32px 56px"), backgroundColor=PAPER, borderRadius="999px",
           **enters("slide-up", .3, during="pulse", strength=.7))
