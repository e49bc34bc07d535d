"""A dish on the table and the menu beside it."""

from film import enters, moves, words

NAME = "Chef's Menu"
DESCRIPTION = "Footage of a dish fills the screen, then three courses with prices appear beside it and an invitation to book."
CATEGORY = "SOCIAL_MEDIA"
SECONDS, BACKGROUND, POSTER = 12, "#14110D", 6.6
COLORS = {"accent": "#D9A95B", "text": "#F6EBDA"}

SERIF, SANS = "Cormorant Garamond", "Karla"
CREAM, BRASS, SHADE = "#F6EBDA", "#D9A95B", "rgba(14,10,7,0.88)"
MENU, END = 3.1, 8.9


def build(f):
    f.music()
    f.video("dish.mp4", f.full, 0, None, "footage", **moves(2.0, scale=[1.08, 1]))
    # Shade under the text, so that any footage carries it.
    shade = f.pick((640, 0, 1280, 1080), (0, 820, 1080, 1100), (380, 0, 700, 1080))
    turn = f.pick("90deg", "180deg", "90deg")
    f.rect(shade, 0, None, "transparent", gradient=f"linear-gradient({turn}, rgba(14,10,7,0) 0%, {SHADE} 42%, {SHADE} 100%)")
    title(f)
    menu(f)
    ending(f)


def column(f):
    """Left edge, width."""
    return f.pick((1130, 660), (90, 900), (610, 410))


def title(f):
    left, width = column(f)
    align = f.pick("left", "center", "left")
    f.text("Hana Noodles", f.pick((left, 250, width, 430), (left, 1130, width, 330), (left, 220, width, 460)), 0, MENU, SERIF, f.pick(164, 158, 112), CREAM, 600, align,
           name="restaurant", line=1.08, letterSpacing="-0.02em", **words(26, 1.2, opacity=[1]), **enters(leave="slide-up", leaving=.3))
    f.text("On the menu today", f.pick((left, 700, width, 80), (left, 1500, width, 80), (left, 720, width, 70)), 0, MENU, SANS, f.pick(46, 46, 36), BRASS, 500, align,
           letterSpacing="0.02em", **words(40, 1.0, delay=.3), **enters(leave="slide-up", leaving=.3))


def menu(f):
    left, width = column(f)
    top, step = f.pick((186, 240), (1090, 222), (196, 240))
    size, money = f.pick(98, 92, 56), f.pick(170, 180, 116)
    dishes = (("Miso ramen", "16"), ("Yuzu gyoza", "11"), ("Matcha cake", "9"))
    for i, (name, price) in enumerate(dishes):
        start, y = MENU + .05 + i * .3, top + i * step
        leave = enters(leave="slide-up", leaving=.3)
        high = f.pick(150, 150, 150)
        f.text(name, (left, y, width - money - 20, high), start, END, SERIF, size, CREAM, 600, name=f"dish_{i + 1}", line=1.06, letterSpacing="-0.01em", **words(70, .9), **leave)
        f.text(price, (left + width - money, y, money, high), start + .15, END, SANS, f.pick(66, 64, 50), BRASS, 500, "right", name=f"price_{i + 1}", **words(60, .9), **leave)
        if i < 2:
            f.rect((left, y + high + round((step - high) / 2), width, 2), start + .1, END, "rgba(246,235,218,0.28)", **moves(.9, x=[-60, 0], opacity=[0, 1]),
                   **enters(leave="fade", leaving=.3))


def ending(f):
    left, width = column(f)
    align = f.pick("left", "center", "left")
    f.text("Hana Noodles", f.pick((left, 270, width, 330), (left, 1090, width, 310), (left, 240, width, 380)), END + .05, None, SERIF, f.pick(136, 140, 100), CREAM, 600, align,
           name="restaurant", line=1.08, letterSpacing="-0.02em", **words(70, 1.0))
    f.text("Book a table: hana.example", f.pick((left, 640, width, 170), (left, 1450, width, 170), (left, 650, width, 170)), END + .4, None, SANS, f.pick(42, 46, 34), "#1A120B", 700,
           align, name="booking", padding=f.pick("30px 48px", "34px 56px", "28px 36px"), backgroundColor=BRASS, borderRadius="10px",
           **enters("slide-up", .5, during="breathe", strength=.8))
