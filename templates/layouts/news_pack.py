"""Lower thirds for the news: headline, guest, what comes next, over any footage."""

from film import enters, moves, words

NAME = "News Lower Thirds"
DESCRIPTION = "A set of lower thirds over your footage: channel and live mark, headline with place, name with role, and a closing line."
CATEGORY = "SOCIAL_MEDIA"
SECONDS, BACKGROUND, POSTER = 12, "#1B1B3A", 2.6
COLORS = {"accent": "#E5263C", "primary": "#0E1C3F"}

DISPLAY, SANS = "Barlow Condensed", "Barlow"
NAVY, RED, PAPER, GREY = "#0E1C3F", "#E5263C", "#FFFFFF", "#C9D3EA"
GUEST, CLOSE = 4.4, 8.2


def build(f):
    f.music()
    f.video("footage.mp4", f.full, 0, None, "footage")
    shade = f.pick((0, 520, 1920, 560), (0, 900, 1080, 1020), (0, 480, 1080, 600))
    f.rect(shade, 0, None, "transparent", gradient="linear-gradient(180deg, rgba(8,12,32,0) 0%, rgba(8,12,32,0.72) 100%)")
    bug(f)
    headline(f)
    guest(f)
    closing(f)


def bug(f):
    """Channel and live mark stay in their corner."""
    left, top, high = f.pick((96, 76, 76), (70, 150, 80), (60, 60, 70))
    wide = round(high * 2.05)
    f.rect((left, top, wide, high), 0, None, RED, borderRadius="10px")
    dot = round(high * .24)
    f.shape_of("circle", (left + round(high * .36), top + round((high - dot) / 2), dot, dot), 0, None, PAPER, **enters(during="pulse", strength=5))
    f.text("LIVE", (left + round(high * .78), top, wide - high, high), 0, None, DISPLAY, round(high * .56), PAPER, 700, letterSpacing="0.04em")
    f.text("Channel Nine", (left + wide + 20, top, 560, high), 0, None, DISPLAY, round(high * .62), PAPER, 600, name="channel", textShadow="0 2px 14px rgba(0,0,0,0.5)",
           **words(14, .8, opacity=[1]))


def slab(f, box, start, end, fill, text, inside, font, size, colour, weight, name, delay=0.0, line=1.15):
    """A plate with its text that slides in from the left and leaves the way it came."""
    far = -(box[2] + box[0] + 40)
    for first, after, motion in ((start, end, moves(.7, "easeOutExpo", delay, x=[far, 0])), (end, end + .4, moves(.4, "easeInCubic", x=[0, far]))):
        f.rect(box, first, after, fill, borderRadius="12px", **motion)
        f.text(text, inside, first, after, font, size, colour, weight, name=name, line=line, whole=True, **motion)


def headline(f):
    left, top, width, high = f.pick((96, 690, 1300, 300), (70, 1250, 940, 420), (60, 640, 960, 360))
    tag = f.pick(72, 80, 68)
    slab(f, (left, top + tag - 14, width, high - tag + 14), 0, GUEST - .4, NAVY, "City opens its first floating park",
         (left + 44, top + tag + 14, width - 88, high - tag - 40), DISPLAY, f.pick(112, 128, 108), PAPER, 700, "headline", line=1.06)
    slab(f, (left, top, f.pick(430, 470, 400), tag), 0, GUEST - .4, RED, "Harbour district", (left + 36, top, f.pick(380, 420, 350), tag), SANS, round(tag * .5), PAPER, 600, "place")


def guest(f):
    left, top, width = f.pick((96, 726, 980), (70, 1330, 940), (60, 700, 900))
    name, role = f.pick(136, 150, 130), f.pick(96, 106, 92)
    slab(f, (left, top + name - 12, round(width * .82), role + 12), GUEST, CLOSE - .4, RED, "Landscape architect",
         (left + 44, top + name + 8, round(width * .82) - 88, role - 16), SANS, f.pick(46, 50, 44), PAPER, 600, "role", delay=.12)
    slab(f, (left, top, width, name), GUEST, CLOSE - .4, PAPER, "Dr. Leila Haddad", (left + 44, top + 12, width - 88, name - 24), DISPLAY, f.pick(92, 100, 88), NAVY, 700, "guest")


def closing(f):
    """A band as wide as the picture, with what comes next."""
    top, high = f.pick((640, 360), (1180, 560), (600, 420))
    come = moves(.8, x=[-f.w - 40, 0])
    f.rect((0, top, f.w, high), CLOSE, None, NAVY, **come)
    f.rect((0, top, f.w, 12), CLOSE + .1, None, RED, **moves(.9, x=[-f.w - 40, 0]))
    left, width = f.pick((96, 1728), (70, 940), (60, 960))
    f.text("Coming up next", (left, top + f.pick(48, 60, 48), width, 70), CLOSE, None, SANS, f.pick(46, 50, 44), GREY, 600, whole=True, **come)
    f.text("Your weekend weather", (left, top + f.pick(120, 140, 118), width, f.pick(160, 310, 230)), CLOSE, None, DISPLAY, f.pick(128, 136, 100), PAPER, 700, name="next_story",
           line=1.06, whole=True, **come)
    # The clock of the show runs out along the lower edge.
    span = f.pick(1728, 940, 960)
    f.shape_of("pill", (left, top + high - f.pick(52, 70, 52), span, 10), CLOSE + .4, None, "rgba(255,255,255,0.16)")
    for i in range(24):
        wide = round(span * (i + 1) / 24)
        f.shape_of("pill", (left, top + high - f.pick(52, 70, 52), wide, 10), CLOSE + .4, None, RED, **moves(.14, "linear", i * .14, opacity=[0, 1]))
