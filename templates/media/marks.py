"""Logos and other drawings that stay SVG, so that they are sharp at every size."""

import math

from canvas import Canvas


def halo():
    """A round mark: an orbit and its planet."""
    c = Canvas(512, 512)
    c.circle(256, 256, 200, "none", stroke=c.linear("#FFFFFF", "#B9A8FF", x2=1), stroke_width=34)
    c.path("M256 126A130 130 0 1 0 386 256A92 92 0 0 1 256 126Z", c.linear("#FFD9A0", "#FF7A8A", x2=1))
    c.circle(392, 120, 44, c.linear("#FFFFFF", "#FFE3B8"))
    return c.svg()
