"""Moving pictures: each is a composition, and the drawings it shows."""

import math
import random

import arenas
import goods


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


def bokeh(seconds, width=540, height=676):
    """Soft lights that drift over a warm gradient."""
    dice = random.Random(6)
    ground = shape("rectangle", 0, 0, width, height, gradientTransition={
        "enabled": True, "duration": round(seconds * 30), "easing": "easeInOutSine",
        "gradients": ["linear-gradient(160deg, #FF9A76 0%, #E0527A 45%, #5B2A86 100%)", "linear-gradient(200deg, #FFB36B 0%, #E2486F 50%, #43247E 100%)",
                      "linear-gradient(240deg, #F9C46B 0%, #D9467A 50%, #34206F 100%)"]})
    lights = []
    for _ in range(26):
        size = dice.choice([60, 90, 130, 190, 260])
        tint, strength = dice.choice(["255,226,160", "255,255,255", "255,150,190", "190,140,255"]), dice.uniform(.08, .26)
        disc = f"radial-gradient(circle, rgba({tint},{strength:.2f}) 0%, rgba({tint},{strength * .8:.2f}) 58%, rgba({tint},0) 70%)"
        x, y = dice.uniform(-80, width - 60), dice.uniform(-80, height - 60)
        move = keys(seconds, x=[0, round(dice.uniform(-90, 90))], y=[0, round(dice.uniform(-150, -20))], opacity=[round(dice.uniform(.1, 1), 2) for _ in range(4)], easing="easeInOutSine")
        lights.append(shape("circle", x, y, size, size, gradient=disc, staggeredMotion=move))
    return page(width, height, seconds, "#5B2A86", [ground, *lights])


def nebula(seconds, width=960, height=540):
    """Clouds of light and dust in deep space, seen on a slow flight."""
    dice = random.Random(9)
    layers = [shape("rectangle", 0, 0, width, height, gradient="radial-gradient(circle at 50% 42%, #2A1E6B 0%, #150D40 50%, #0B0820 100%)")]
    for x, y, size, tint, strength in ((180, -120, 620, "106,47,126", .75), (420, 40, 560, "75,60,190", .6), (-160, 160, 560, "40,60,150", .5), (560, -160, 520, "150,60,140", .45)):
        cloud = f"radial-gradient(circle, rgba({tint},{strength}) 0%, rgba({tint},{strength * .4:.2f}) 38%, rgba({tint},0) 70%)"
        move = keys(seconds, x=[round(dice.uniform(-70, 70)), round(dice.uniform(-70, 70))], y=[round(dice.uniform(-40, 40)), round(dice.uniform(-40, 40))], scale=[1, 1.25])
        layers.append(shape("circle", x, y, size, size, gradient=cloud, staggeredMotion=move))
    for _ in range(70):
        angle, start = dice.uniform(0, 2 * math.pi), dice.uniform(20, 420)
        x, y = width / 2 + math.cos(angle) * start * 1.4, height * .46 + math.sin(angle) * start
        far, size = start * dice.uniform(.25, .5), dice.choice([2, 2, 3, 4])
        move = keys(seconds, "linear", x=[0, round(math.cos(angle) * far * 1.4)], y=[0, round(math.sin(angle) * far)], opacity=[round(dice.uniform(.1, .9), 2) for _ in range(5)])
        layers.append(shape("circle", x, y, size, size, fill=dice.choice(["#FFFFFF", "#D9CCFF", "#FFD9E8"]), staggeredMotion=move))
    return page(width, height, seconds, "#0B0820", layers)


def petals(seconds, width=540, height=676):
    """Petals that fall over cream paper."""
    dice = random.Random(8)
    ground = shape("rectangle", 0, 0, width, height, gradientTransition={
        "enabled": True, "duration": round(seconds * 30), "easing": "easeInOutSine",
        "gradients": ["radial-gradient(circle at 50% 40%, #FFFDF9 0%, #F6EADC 100%)", "radial-gradient(circle at 50% 60%, #FFFDF9 0%, #F3E0D6 100%)"]})
    tints = (("#F7D3CC", "#E9AFA8"), ("#FBE6DA", "#EFC4AE"), ("#F2BFC0", "#DE9698"))
    drawings = {f"petal-{i}.svg": f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 60"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="{a}"/>'
                                  f'<stop offset="1" stop-color="{b}"/></linearGradient></defs><path d="M20 58C-4 40 2 8 20 2C38 8 44 40 20 58Z" fill="url(#g)"/>'
                                  '<path d="M20 54Q19 30 20 8" stroke="#fff" stroke-opacity=".4" fill="none"/></svg>' for i, (a, b) in enumerate(tints)}
    falling = []
    for _ in range(22):
        size, steps = dice.uniform(12, 30), 8
        x, start = dice.uniform(-40, width), dice.uniform(-height, height * .6)
        drop = dice.uniform(.7, 1.15) * height * seconds / 9
        swing, phase = dice.uniform(10, 40), dice.uniform(0, 6)
        move = keys(seconds, "linear", x=[round(math.sin(phase + k * 1.4) * swing + k * 6, 1) for k in range(steps + 1)], y=[round(drop * k / steps, 1) for k in range(steps + 1)],
                    rotate=[round(phase * 60 + math.sin(phase + k * 1.4) * 70 + k * 25) for k in range(steps + 1)])
        falling.append(picture(f"petal-{dice.randrange(3)}.svg", x, start, size, size * 1.5, objectFit="contain", opacity=round(dice.uniform(.45, .85), 2), staggeredMotion=move))
    return page(width, height, seconds, "#FBF6EF", [ground, *falling], drawings)


def show(seconds, width=540, height=960):
    """A concert: beams that sweep over the stage, and a crowd before it."""
    dice = random.Random(3)
    drawings = {"stage.svg": arenas.stage(part="stage"), "crowd.svg": arenas.stage(part="crowd")}
    layers, span = [picture("stage.svg", 0, 0, width, height)], height * .82
    for i in range(9):
        tint = ["#FF5FA8", "#8C6BFF", "#4FD1FF", "#FFC24B"][i % 4]
        drawings[f"beam-{i % 4}.svg"] = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 1600"><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1">'
            f'<stop offset="0" stop-color="{tint}" stop-opacity=".9"/><stop offset="1" stop-color="{tint}" stop-opacity="0"/></linearGradient>'
            '<filter id="b" x="-60%" y="-10%" width="220%" height="120%"><feGaussianBlur stdDeviation="7"/></filter></defs>'
            '<path d="M96 800H104L178 1600H22Z" fill="url(#g)" filter="url(#b)"/></svg>')
        x, lean, phase = width * (i + .5) / 9, (4 - i) * 7, dice.uniform(0, 6)
        swing = [round(lean + math.sin(phase + k * 1.15) * 22, 1) for k in range(round(seconds) + 1)]
        glow = [round(.55 + .45 * math.sin(phase * 2 + k * 1.7), 2) for k in range(round(seconds * 2) + 1)]
        layers.append(picture(f"beam-{i % 4}.svg", x - span / 8, -span, span / 4, span * 2, objectFit="fill", staggeredMotion=keys(seconds, rotate=swing, opacity=glow)))
    bob = [0 if k % 2 else -7 for k in range(round(seconds * 4) + 1)]
    layers.append(picture("crowd.svg", -10, 0, width + 20, height + 24, objectFit="fill", staggeredMotion=keys(seconds, y=bob)))
    return page(width, height, seconds, "#0A0518", layers, drawings)


def turn(seconds, width=696, height=648):
    """A bottle that turns once: a drawing for every frame."""
    count = round(seconds * 30)
    drawings = {f"turn-{k}.svg": goods.serum(turn=2 * math.pi * k / count) for k in range(count)}
    frames = [{**picture(name, 0, 0, width, height, objectFit="cover"), "from": k, "durationInFrames": 1} for k, name in enumerate(drawings)]
    return page(width, height, seconds, "#F9C9B0", frames, drawings)
