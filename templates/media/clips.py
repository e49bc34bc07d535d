"""Moving pictures: each is a composition, and the drawings it shows."""

import random


def page(width, height, seconds, colour, overlays, drawings=None):
    for number, overlay in enumerate(overlays):
        overlay.setdefault("from", 0)
        overlay.setdefault("durationInFrames", round(seconds * 30))
        overlay.update(id=number + 1, row=len(overlays) - number)
    composition = {"width": width, "height": height, "fps": 30, "durationInFrames": round(seconds * 30), "backgroundColor": colour, "overlays": overlays}
    return composition, drawings or {}


def shape(content, left, top, width, height, **styles):
    return {"type": "shape", "content": content, "left": left, "top": top, "width": width, "height": height, "styles": styles}


def picture(src, left, top, width, height, **styles):
    return {"type": "image", "src": src, "left": left, "top": top, "width": width, "height": height, "styles": styles}


def keys(seconds, easing="easeInOutSine", **values):
    """Keyframes over the whole clip."""
    return {"enabled": True, **values, "duration": round(seconds * 30), "easing": easing}


def sorting(seconds=9, width=580, height=620):
    """Bars that are put in order, the smallest first."""
    dice = random.Random(4)
    values = list(range(9))
    dice.shuffle(values)
    order, steps = list(values), [list(values)] * 2
    for i in range(len(order)):
        j = order.index(min(order[i:]), i)
        order[i], order[j] = order[j], order[i]
        if i != j:
            steps.append(list(order))
    steps += [list(order)] * 2
    slot, thick, floor = (width - 80) / len(values), (width - 80) / len(values) * .66, height - 50
    tints = ["#5C7CFA", "#6373F8", "#6A6AF6", "#7A66F4", "#8B5CF6", "#7E7BE8", "#71A0DC", "#76C4C8", "#7EE2B8"]
    bars = []
    for value in range(len(values)):
        tall = 70 + value * (height - 190) / (len(values) - 1)
        places = [40 + slot * step.index(value) for step in steps]
        move = keys(seconds, "easeInOutCubic", x=[round(place - places[0], 1) for place in places])
        bars.append(shape("rectangle", places[0], floor - tall, thick, tall, gradient=f"linear-gradient(180deg, {tints[value]} 0%, #232B52 140%)", borderRadius="12px", staggeredMotion=move))
    line = shape("rectangle", 40, floor + 10, width - 80, 4, fill="rgba(255,255,255,0.22)", borderRadius="2px")
    return page(width, height, seconds, "#151B30", [line, *bars])
