"""A question, three answers, five seconds, and the right one."""

from film import enters, moves, words

NAME = "Trivia Quiz"
DESCRIPTION = "One question, three answers and five seconds to think, then the right answer lights up with the fact behind it."
CATEGORY = "SOCIAL_MEDIA"
SECONDS, BACKGROUND, POSTER = 14, "#2A0F6B", 10.6
COLORS = {"accent": "#FFD23F", "primary": "#220A5C"}

FONT = "Lexend"
PAPER, INK, SUN, MINT, PINK = "#FFFFFF", "#220A5C", "#FFD23F", "#2FE6A8", "#FF5D8F"
LETTERS = ("A", "B", "C")
# Think, then reveal, then the ending.
ASK, THINK, REVEAL, END = .0, 3.2, 8.2, 11.4


def build(f):
    f.music()
    backdrop(f)
    f.add("effect", f.full, REVEAL, END, {"particleCount": 110}, content="confetti")
    question(f)
    timer(f)
    answers(f)
    ending(f)


def backdrop(f):
    """Slow discs of light, so that the picture never stands still."""
    w, h = f.w, f.h
    f.rect(f.full, 0, None, "#2A0F6B", gradient="linear-gradient(160deg, #3A1596 0%, #2A0F6B 45%, #1A0850 100%)")
    big = max(w, h)
    for x, y, size, colour, drift in ((-.22, -.25, .8, "#5B2BE0", 90), (.55, .45, .9, "#7A1FB8", -110)):
        side = round(big * size)
        f.shape_of("circle", (round(w * x), round(h * y), side, side), 0, None, colour, opacity=.55,
                   **moves(f.seconds, "easeInOutSine", x=[0, drift, 0], y=[0, -drift * .6, 0], blur=[90]))
    # A ring of question marks would be a pattern; one large mark is a picture.
    mark = f.pick((1180, 40, 760, 1000), (420, 30, 760, 1000), (560, 20, 560, 740))
    f.text("?", mark, 0, THINK, FONT, f.pick(900, 900, 660), "rgba(255,255,255,0.07)", 800, "center", line=1.1, **moves(6, "linear", rotate=[-4, 10]),
           **enters(leave="fade", leaving=.4))


def question(f):
    # Large while it is asked, then smaller above the answers.
    topic = f.pick((130, 230, 1000, 84), (80, 470, 920, 84), (80, 180, 920, 76))
    f.text("Ocean trivia", topic, 0, THINK, FONT, f.pick(46, 46, 42), INK, 700, name="topic", padding="14px 34px", backgroundColor=SUN,
           borderRadius="999px", **enters(None, leave="slide-up", leaving=.3))
    f.text("How much of the ocean has been mapped in detail?", f.pick((130, 330, 1400, 580), (80, 570, 920, 800), (80, 280, 920, 620)), 0, THINK, FONT,
           f.pick(128, 118, 98), PAPER, 800, name="question", line=1.14, letterSpacing="-0.025em", **words(30, .9, opacity=[1]),
           **enters(leave="slide-up", leaving=.3))
    f.text("How much of the ocean has been mapped in detail?", f.pick((130, 180, 760, 620), (80, 270, 920, 430), (80, 76, 920, 270)), THINK, END, FONT,
           f.pick(84, 82, 62), PAPER, 800, name="question", line=1.16, letterSpacing="-0.025em", **words(30, .6, stagger=.2, opacity=[.4, 1]), **enters(leave="fade", leaving=.3))


def timer(f):
    """Five lights go out, one a second."""
    left, top, width, gap = f.pick((130, 850, 760, 18), (80, 738, 920, 18), (80, 372, 920, 16))
    each = (width - 4 * gap) / 5
    for i in range(5):
        box = (round(left + i * (each + gap)), top, round(each), f.pick(22, 22, 18))
        f.shape_of("pill", box, THINK, END, "rgba(255,255,255,0.16)", **enters("fade", .3, leave="fade", leaving=.3))
        f.shape_of("pill", box, THINK, REVEAL, SUN, **moves(.8, delay=4 - i, opacity=[1, 0], scale=[1, .86]))


def answers(f):
    left, top, width, height, step = f.pick((1000, 180, 790, 200, 240), (80, 840, 920, 220, 262), (80, 436, 920, 158, 188))
    knob, size = round(height * .56), f.pick(60, 64, 50)
    lines = (("wrong_answer_1", "About 80 %"), ("right_answer", "About 25 %"), ("wrong_answer_2", "Nearly all"))
    for i, (name, line) in enumerate(lines):
        right, start, y = name == "right_answer", THINK - .15 + i * .12, top + i * step
        box, inner = (left, y, width, height), round((height - knob) / 2)
        come = moves(.8, y=[90, 0], opacity=[0, 1])
        away = enters(leave="fade", leaving=.3)
        radius = {"borderRadius": f"{round(height * .24)}px"}
        # A wrong card dims when the answer is known; the right one turns green and swells.
        f.rect(box, start, REVEAL, PAPER, **radius, **come)
        if right:
            f.rect(box, REVEAL, END, MINT, **radius, boxShadow="0 0 90px rgba(47,230,168,0.55)", **moves(.7, "easeOutBack", scale=[1, 1.05]), **away)
        else:
            f.rect(box, REVEAL, END, PAPER, **radius, **moves(.4, opacity=[1, .22]), **away)
        where = (left + inner, y + inner, knob, knob)
        f.shape_of("circle", where, start, REVEAL, "#EDE6FF", **come)
        f.shape_of("circle", where, REVEAL, END, INK if right else "#EDE6FF", **(moves(.5, scale=[1, 1.05]) if right else moves(.4, opacity=[1, .22])), **away)
        for a, b in ((max(start, THINK), REVEAL), (REVEAL, END)):
            known, later = b == END, a == REVEAL
            dim = {"opacity": .4} if later and not right else {}
            motion = {} if later else words(60, .8, delay=.1)
            letter = {} if later else enters("fade", .3)
            if not (later and right):
                f.text(LETTERS[i], where, a, b, FONT, round(knob * .5), INK, 800, "center", **dim, **(away if known else letter))
            f.text(line, (left + inner * 2 + knob, y + inner, width - inner * 3 - knob, knob), a, b, FONT, size, INK, 700, name=name,
                   letterSpacing="-0.01em", **dim, **motion, **(away if known else {}))
        if right:
            f.shape_of("M31 52L44 65L70 37", where, REVEAL, END, "transparent", stroke=MINT, strokeWidth=round(knob * .1),
                       **moves(.5, "easeOutBack", scale=[.3, 1.05]), **away)


def ending(f):
    """The fact behind the answer, and who asked."""
    card = f.pick((130, 150, 1660, 780), (80, 430, 920, 1060), (80, 110, 920, 860))
    left, top, width, height = card
    pad, start, come = f.pick(110, 84, 84), END - .25, moves(.9, y=[f.h - top + 60, 0])
    f.rect(card, start, None, SUN, borderRadius="64px", **come)
    f.text("Did you know?", (left + pad, top + pad, width - 2 * pad, 80), start, None, FONT, f.pick(48, 48, 44), INK, 600, whole=True, **come)
    f.text("We know the surface of Mars better than our own sea floor.", (left + pad, top + pad + 104, width - 2 * pad, height - 2 * pad - 250), start, None,
           FONT, f.pick(132, 108, 92), INK, 800, name="fact", line=1.14, letterSpacing="-0.025em", whole=True, **come)
    f.text("@dailytrivia", (left + pad, top + height - pad - 96, width - 2 * pad, 96), start + .35, None, FONT, f.pick(46, 48, 42), PAPER, 700, name="handle",
           padding="18px 40px", backgroundColor=INK, borderRadius="999px", **enters("slide-up", .3, during="pulse", strength=.6))
