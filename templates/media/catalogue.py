"""What every template needs: file, how it is made, and with what."""

import arenas
import clips
import films
import goods
import homes
import lights
import marks
import places

TALL, SQUARE = (1080, 1350), (1080, 1080)

MEDIA = {
    "dream-home-tour": {
        "cover.jpg": ("scene", homes.villa, 1400, 1750),
        "photo-1.jpg": ("scene", homes.living, *TALL),
        "photo-2.jpg": ("scene", homes.kitchen, *TALL),
        "photo-3.jpg": ("scene", homes.bedroom, *TALL),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "lofi", 14.5),
    },
    "product-spotlight": {
        "product.jpg": ("scene", goods.serum, *SQUARE),
        "turn.mp4": ("clip", clips.turn, 4),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "bright", 11.5),
    },
    "wanderlust-story": {
        "photo-1.jpg": ("scene", places.village, 1080, 1920, 1400, 1750, "clear"),
        "photo-2.jpg": ("scene", places.coast, 1080, 1920, 1080, 1920, 5, False),
        "photo-3.jpg": ("scene", places.village, 1080, 1920, 1400, 1750, "sunset"),
        "music.m4a": ("music", "tropic", 13),
    },
    "halo-logo-reveal": {
        "logo.svg": ("drawing", marks.halo),
        "nebula.mp4": ("clip", clips.nebula, 7),
        "music.m4a": ("music", "tech", 7),
    },
    "bold-manifesto": {
        "logo.svg": ("drawing", marks.petal, "#E6FF4B"),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "drive", 11.5),
    },
    "year-in-numbers": {
        "logo.svg": ("drawing", marks.petal, "#F4B942"),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "tech", 14.5),
    },
    "just-sold": {
        "photo.jpg": ("scene", homes.villa, *TALL),
        "music.m4a": ("music", "bright", 8),
    },
    "open-house": {
        "photo-1.jpg": ("scene", homes.villa, 840, 1050),
        "photo-2.jpg": ("scene", homes.living, 840, 1050),
        "photo-3.jpg": ("scene", homes.kitchen, 840, 1050),
        "photo-4.jpg": ("scene", homes.bedroom, 840, 1050),
        "narration.m4a": ("narration",),
        "music.m4a": ("music", "calm", 20),
    },
    "quote-card": {
        "bokeh.mp4": ("clip", clips.bokeh, 7.5),
        "music.m4a": ("music", "calm", 7.5),
    },
    "podcast-clip": {
        "cover.svg": ("drawing", marks.cover),
        "narration.m4a": ("narration",),
        "music.m4a": ("music", "lofi", 17),
    },
    "three-tips": {
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "lofi", 14.5),
    },
    "code-lesson": {
        "sorting.mp4": ("clip", clips.sorting),
        "narration.m4a": ("narration",),
        "music.m4a": ("music", "lofi", 19),
    },
    "space-fact": {
        "planet.jpg": ("scene", arenas.planet, 1080, 1920),
        "narration.m4a": ("narration",),
        "music.m4a": ("music", "epic", 14.5),
    },
    "word-of-the-day": {
        "music.m4a": ("music", "waltz", 7),
    },
    "flash-sale": {
        "product.jpg": ("scene", goods.headphones, 900, 900),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "drive", 8.5),
    },
    "lookbook-wall": {
        "item-1.jpg": ("scene", goods.chair, 900, 900),
        "item-2.jpg": ("scene", goods.watch, 700, 900),
        "item-3.jpg": ("scene", goods.perfume, 700, 900),
        "item-4.jpg": ("scene", goods.coffee, 700, 900),
        "item-5.jpg": ("scene", goods.serum, 700, 900),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "calm", 12),
    },
    "five-star-review": {
        "product.jpg": ("scene", goods.coffee, *SQUARE),
        "music.m4a": ("music", "bright", 8.2),
    },
    "match-day": {
        "stadium.jpg": ("scene", arenas.stadium, 1080, 1920),
        "home.svg": ("drawing", marks.badge, "bolt", "#E2473C", "#8E1420", "#FFE3B8"),
        "away.svg": ("drawing", marks.badge, "wave", "#2B8AE0", "#123A7A", "#E3F4FF"),
        "music.m4a": ("music", "epic", 9),
    },
    "final-score": {
        "home.svg": ("drawing", marks.badge, "bolt", "#E2473C", "#8E1420", "#FFE3B8"),
        "away.svg": ("drawing", marks.badge, "wave", "#2B8AE0", "#123A7A", "#E3F4FF"),
        "music.m4a": ("music", "street", 8.4),
    },
    "training-plan": {
        "photo-1.jpg": ("scene", arenas.track, *TALL),
        "photo-2.jpg": ("scene", arenas.tennis, *TALL),
        "photo-3.jpg": ("scene", arenas.pool, *TALL),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "street", 12.6),
    },
    "birthday-wish": {
        "balloons.svg": ("drawing", marks.balloons),
        "music.m4a": ("music", "party", 10),
    },
    "your-year": {
        "favourite.jpg": ("scene", places.lake, 1080, 912),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "drive", 14.8),
    },
    "welcome-aboard": {
        "desk.jpg": ("scene", goods.coffee, 840, 888),
        "logo.svg": ("drawing", marks.petal, "#FF7A45"),
        "music.m4a": ("music", "bright", 9),
    },
    "summit-opener": {
        "logo.svg": ("drawing", marks.petal, "#FFB86B"),
        "music.m4a": ("music", "tech", 11.6),
    },
    "wedding-invitation": {
        "garland-top.svg": ("drawing", marks.garland),
        "garland-bottom.svg": ("drawing", marks.garland, True),
        "petals.mp4": ("clip", clips.petals, 13),
        "music.m4a": ("music", "waltz", 13),
    },
    "concert-night": {
        "stage.mp4": ("clip", clips.show, 10),
        "music.m4a": ("music", "drive", 10),
    },
    "trip-postcards": {
        "map.svg": ("drawing", marks.chart),
        "photo-1.jpg": ("scene", places.village, 700, 694),
        "photo-2.jpg": ("scene", places.lake, 700, 694, "alpine"),
        "photo-3.jpg": ("scene", places.dunes, 700, 694),
        "music.m4a": ("music", "tropic", 13),
    },
    "city-guide": {
        "photo-1.jpg": ("scene", places.skyline, 1080, 1920, "dusk", 1080, 1920),
        "photo-2.jpg": ("scene", places.cafe, 1080, 1920),
        "photo-3.jpg": ("scene", places.skyline, 1080, 1920, "night", 1080, 1920, 4),
        "narration.m4a": ("narration",),
        "music.m4a": ("music", "lofi", 20),
    },
}

# Templates in three shapes: the same media for each, except where a tuple of three says otherwise (16:9, 9:16, 1:1).
SHAPES = ("16x9", "9x16", "1x1")
SHAPED = {
    "podcast-audiogram": {
        "cover.svg": ("drawing", marks.cover),
        "record.svg": ("drawing", marks.record),
        "shine.svg": ("drawing", marks.shine),
        "narration.m4a": ("narration",),
        "music.m4a": ("music", "lofi", 14),
    },
    "course-intro": {
        "music.m4a": ("music", "bright", 12),
    },
    "year-recap": {
        "leaks.mp4": ("clip", lights.leaks),
        "photo-1.jpg": ("scene", places.lake, 900, 900, "alpine"),
        "photo-2.jpg": ("scene", places.coast, 900, 900),
        "photo-3.jpg": ("scene", places.village, 900, 900),
        "music.m4a": ("music", "waltz", 13),
    },
    "countdown": {
        "embers.mp4": ("clip", lights.embers),
        "music.m4a": ("music", "epic", 11),
    },
    "job-opening": {
        "logo.svg": ("drawing", marks.petal, "#FF5A36"),
        "music.m4a": ("music", "street", 12),
    },
    "news-pack": {
        "footage.mp4": (
            ("clip", lights.evening, 1280, 720),
            ("clip", lights.evening, 720, 1280),
            ("clip", lights.evening, 900, 900),
        ),
        "music.m4a": ("music", "tech", 12),
    },
    "before-after": {
        "before.jpg": ("scene", homes.worn, *TALL),
        "after.jpg": ("scene", homes.living, *TALL),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "bright", 12),
    },
    "paper-list": {
        "paper.mp4": ("clip", films.paper),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "lofi", 15),
    },
    "restaurant-menu": {
        "dish.mp4": (
            ("clip", films.dish, 1280, 720, 400, 370, 640),
            ("clip", films.dish, 720, 1280, 360, 400, 610),
            ("clip", films.dish, 900, 900, 180, 450, 560),
        ),
        "music.m4a": ("music", "calm", 12),
    },
    "app-promo": {
        "screen.mp4": ("clip", films.app),
        "icon.svg": ("drawing", marks.pocket),
        "music.m4a": ("music", "bright", 12),
    },
    "trivia-quiz": {
        "music.m4a": ("music", "party", 14),
    },
    "product-film": {
        "product.mp4": ("turn", films.can, films.label, films.BODY, 6, 1.2),
        "whoosh.m4a": ("effect", "whoosh"),
        "music.m4a": ("music", "tropic", 11),
    },
}

for _name, _media in SHAPED.items():
    for _index, _shape in enumerate(SHAPES):
        MEDIA[f"{_name}-{_shape}"] = {
            file: made[_index] if isinstance(made[0], tuple) else made for file, made in _media.items()}
