"""A record turns while somebody speaks; the words appear as they are said."""

from film import enters, moves, words

NAME = "Podcast Audiogram"
DESCRIPTION = "Your cover art on a turning record, the voice as a waveform and every word on screen as it is spoken."
CATEGORY = "SOCIAL_MEDIA"
SECONDS, BACKGROUND, POSTER = 14, "#2A1230", 4.0
COLORS = {"accent": "#FFC14D", "background": "#2A1230"}

FONT = "Outfit"
CREAM, AMBER, CORAL, PLUM = "#FFF3E0", "#FFC14D", "#FF6F4E", "#2A1230"


def build(f):
    f.music(.22)
    f.add("sound", (0, 0, 0, 0), .3, None, {"volume": 1}, "narration", src="media/narration.m4a")
    f.rect(f.full, 0, None, PLUM, gradient="linear-gradient(150deg, #8A3358 0%, #552150 45%, #2E1238 100%)")
    record(f)
    align = f.pick("left", "center", "left")
    f.text("The Long Way Round", f.pick((930, 110, 880, 84), (80, 130, 920, 90), (560, 70, 460, 110)), 0, None, FONT, f.pick(54, 58, 48), AMBER, 600, align, name="show_name",
           **words(16, .9, opacity=[1]))
    f.text("Episode 12: Ideas on foot", f.pick((930, 200, 880, 76), (80, 220, 920, 76), (560, 186, 460, 120)), 0, None, FONT, f.pick(42, 44, 38), "#EBD3DF", 400, align, name="episode_title",
           **words(16, .9, delay=.1, opacity=[1]))
    f.captions(f.pick((910, 320, 930, 380), (60, 1160, 960, 330), (60, 540, 960, 270)), .3, None, fontFamily=FONT, fontSize=f.pick("88px", "90px", "88px"), fontWeight=700, lineHeight=1.16,
               color=CREAM, padding="0px", textAlign=align, background="none", backdropFilter="none", letterSpacing="-0.01em",
               highlightStyle={"backgroundColor": "transparent", "color": AMBER, "padding": "0px 7px", "borderRadius": "0px", "scale": 1.0, "fontWeight": 700, "transition": "0.12s"})
    bars = f.pick((930, 740, 880, 130), (80, 1510, 920, 140), (60, 850, 620, 120))
    f.add("sticker", bars, 0, None, {"fill": CORAL}, content="audio-visualiser", category="Default")
    f.text("Listen now", f.pick((930, 890, 880, 130), (80, 1680, 920, 130), (700, 850, 320, 120)), .4, None, FONT, f.pick(46, 50, 40), PLUM, 700, f.pick("left", "center", "right"), name="call_to_action",
           padding=f.pick("26px 56px", "28px 60px", "24px 40px"), backgroundColor=AMBER, borderRadius="999px", **enters("slide-up", .4, during="pulse", strength=.5))


def record(f):
    """The record with the cover in its middle; both turn, the light on it does not."""
    x, y, side = f.pick((-190, 40, 1000), (140, 330, 800), (-130, -150, 660))
    spin = enters(during="spin", strength=.5)
    box = (x, y, side, side)
    f.shape_of("circle", box, 0, None, "#120715", boxShadow="0 40px 120px rgba(0,0,0,0.55)", **moves(1.4, scale=[.94, 1]))
    f.image("record.svg", box, 0, None, **spin, **moves(1.4, scale=[.94, 1]))
    inset = round(side * .29)
    f.image("cover.svg", (x + inset, y + inset, side - 2 * inset, side - 2 * inset), 0, None, "cover_art", borderRadius="50%", **spin, **moves(1.4, scale=[.94, 1]))
    f.image("shine.svg", box, 0, None, **moves(1.4, scale=[.94, 1]))
    hole = round(side * .03)
    f.shape_of("circle", (x + round(side / 2 - hole / 2), y + round(side / 2 - hole / 2), hole, hole), 0, None, PLUM)
