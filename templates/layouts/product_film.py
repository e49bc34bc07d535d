"""A product turns in the sun: headline, three benefits, price."""

from film import enters, moves, words

NAME = "Product Film"
DESCRIPTION = "Your product video does the selling: a headline, three benefits beside a close-up, then name, price and button."
CATEGORY = "ECOMMERCE"
SECONDS, BACKGROUND, POSTER = 11, "#FFF6E6", 9.5
COLORS = {"accent": "#FF6B35", "background": "#FFF6E6", "text": "#3B1605"}

INK, CREAM, CORAL, SUN = "#3B1605", "#FFF6E6", "#FF6B35", "#FFC846"
FONT = "Outfit"


def build(f):
    f.music()
    # Where the video plays, and where the text stands beside it.
    panel = f.pick((960, 0, 960, 1080), (0, 0, 1080, 1440), (0, 0, 500, 1080))
    close = zoomed(panel, f.pick(1.75, 1.6, 1.7), f.pick(.46, .44, .46))
    f.video("product.mp4", panel, 0, 3.5, "product_video", **moves(1.4, scale=[1.12, 1]))
    f.video("product.mp4", close[0], 3.1, 7.3, "product_video", at=1.0, clipPath=close[1], **moves(.7, opacity=[0, 1]))
    f.video("product.mp4", panel, 6.95, None, "product_video", **enters("fade", .35))
    sheet(f)
    headline(f)
    benefits(f)
    offer(f)


def zoomed(panel, factor, height):
    """A box `factor` times as large as the panel and the clip that shows only the panel of it. `height` is the part of the picture in the middle."""
    left, top, width, tall = panel
    wide, high = width * factor, tall * factor
    x, y = (wide - width) / 2, (high - tall) * height
    box = (round(left - x), round(top - y), round(wide), round(high))
    inset = [y / high, (wide - width - x) / wide, (high - tall - y) / high, x / wide]
    return box, "inset(" + " ".join(f"{100 * side:.3f}%" for side in inset) + ")"


def sheet(f):
    """The paper the text stands on; wide and square films have it beside the video."""
    if f.shape == "9x16":
        f.rect((0, 1330, 1080, 640), 0, None, CREAM, borderRadius="64px", boxShadow="0 -18px 60px rgba(120,60,0,0.18)")
    else:
        f.rect(f.pick((0, 0, 960, 1080), None, (500, 0, 580, 1080)), 0, None, CREAM)


def headline(f):
    box = f.pick((130, 210, 770, 560), (80, 1380, 920, 400), (552, 230, 474, 560))
    f.text("Sunshine, with bubbles.", box, 0, 3.2, FONT, f.pick(150, 140, 104), INK, 800, name="headline", line=1.06, letterSpacing="-0.03em",
           **words(24, 1.0, opacity=[1]), **enters(leave="slide-up", leaving=.25))
    x, y = f.pick((134, 790), (84, 1800), (556, 800))
    f.shape_of("pill", (x, y, 120, 12), 0, 3.2, CORAL, **moves(1.2, x=[-40, 0]), **enters(leave="fade", leaving=.25))


def benefits(f):
    left, top, step, width = f.pick((130, 268, 190, 770), (80, 1400, 158, 920), (552, 296, 176, 474))
    dot = f.pick(104, 96, 76)
    lines = ("Real yuzu", "Zero sugar", "All sunshine")
    for i, line in enumerate(lines):
        start, y = 3.25 + i * .75, top + i * step
        f.shape_of("circle", (left, y + 20, dot, dot), start, 7.2, SUN, **moves(.6, "easeOutBack", scale=[0, 1]), **enters(leave="fade", leaving=.2))
        f.shape_of("M31 52L44 65L70 37", (left, y + 20, dot, dot), start + .12, 7.2, "transparent", stroke=INK,
                   strokeWidth=f.pick(10, 9, 8), **moves(.5, "easeOutBack", scale=[0, 1]), **enters(leave="fade", leaving=.2))
        f.text(line, (left + dot + 32, y, width - dot - 32, dot + 40), start, 7.2, FONT, f.pick(96, 88, 64), INK, 700, name=f"benefit_{i + 1}",
               letterSpacing="-0.015em", **words(50, .8), **enters(leave="fade", leaving=.2))


def offer(f):
    """The colour comes in with name, price and button."""
    box = f.pick((0, 0, 960, 1080), (0, 1250, 1080, 720), (500, 0, 580, 1080))
    come = moves(.8, **f.pick({"x": [-960, 0]}, {"y": [720, 0]}, {"x": [580, 0]}))
    f.sound("whoosh.m4a", 6.75, .9, .25)
    f.rect(box, 6.9, None, CORAL, borderRadius=f.pick(None, "64px", None), **come)
    f.text("Mira Sparkling Yuzu", f.pick((130, 200, 770, 330), (80, 1310, 920, 150), (552, 210, 474, 330)), 6.9, None, FONT, f.pick(140, 100, 96), CREAM, 800,
           name="product_name", line=1.06, letterSpacing="-0.03em", whole=True, **come)
    f.text("€ 2.40 a can", f.pick((130, 560, 770, 110), (80, 1470, 920, 110), (552, 560, 474, 90)), 6.9, None, FONT, f.pick(76, 76, 58), "#FFE3B0", 600,
           name="price", whole=True, **come)
    button = f.pick((130, 706, 770, 170), (80, 1626, 920, 180), (552, 690, 474, 150))
    f.text("Taste it now", button, 7.25, None, FONT, f.pick(64, 68, 52), INK, 700, name="call_to_action", padding=f.pick("40px 76px", "44px 84px", "34px 56px"),
           backgroundColor=SUN, borderRadius="999px", **enters("slide-up", .3, during="pulse", strength=.6))
