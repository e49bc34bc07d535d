"""What every template needs: file, how it is made, and with what."""

import goods
import homes
import marks
import places

TALL, WIDE, SQUARE = (1080, 1350), (1600, 1000), (1080, 1080)

MEDIA = {
    "dream-home-tour": {
        "cover.jpg": ("scene", homes.villa, 1400, 1750),
        "photo-1.jpg": ("scene", homes.living, *TALL),
        "photo-2.jpg": ("scene", homes.kitchen, *TALL),
        "photo-3.jpg": ("scene", homes.bedroom, *TALL),
        "music.m4a": ("music", "lofi", 15),
    },
    "product-spotlight": {
        "product.jpg": ("scene", goods.serum, *SQUARE),
        "music.m4a": ("music", "bright", 12),
    },
    "wanderlust-story": {
        "photo-1.jpg": ("scene", places.village, 1080, 1920),
        "photo-2.jpg": ("scene", places.coast, 1080, 1920),
        "photo-3.jpg": ("scene", places.dunes, 1080, 1920),
        "music.m4a": ("music", "tropic", 13),
    },
    "halo-logo-reveal": {
        "logo.svg": ("drawing", marks.halo),
        "music.m4a": ("music", "tech", 8),
    },
}
