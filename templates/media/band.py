"""A small band: instruments made of sines and noise, and the pieces they play. Every piece has an ending, at any length."""

import math
import random
from array import array

RATE = 44100
TWO_PI = 2 * math.pi


def hertz(note):
    """The frequency of a MIDI note."""
    return 440.0 * 2 ** ((note - 69) / 12)


def shaped(seconds, wave):
    return [wave(i / RATE) for i in range(int(seconds * RATE))]


# --- instruments: a note as samples --------------------------------------------------------------------------------

def string(note, seconds=1.8):
    """A plucked string: noise that a loop of one period rounds off."""
    dice, period = random.Random(note), max(2, round(RATE / hertz(note)))
    loop, last, out = [dice.uniform(-1, 1) for _ in range(period)], 0.0, []
    for _ in range(3):
        loop = [(loop[i - 1] + loop[i]) / 2 for i in range(period)]
    decay = 0.996 - 0.0022 * max(0, note - 60) / 12
    for i in range(int(seconds * RATE)):
        here = loop[i % period]
        loop[i % period], last = decay * 0.5 * (here + last), here
        out.append(0.75 * here * min(1, (seconds - i / RATE) * 8))
    return out


def mallet(note, seconds=1.4):
    w = TWO_PI * hertz(note)
    return shaped(seconds, lambda t: 0.55 * min(1, t / 0.003) * (
        math.exp(-4.2 * t) * math.sin(w * t) + 0.30 * math.exp(-9 * t) * math.sin(3.93 * w * t)
        + 0.12 * math.exp(-22 * t) * math.sin(9.2 * w * t)))


def bell(note, seconds=2.4):
    w = TWO_PI * hertz(note)
    return shaped(seconds, lambda t: 0.42 * min(1, t / 0.002) * math.exp(-2.6 * t) * math.sin(
        w * t + 1.6 * math.exp(-5 * t) * math.sin(3.5 * w * t)))


def keys(note, seconds=2.2):
    """An electric piano: one sine bends another."""
    w = TWO_PI * hertz(note)
    return shaped(seconds, lambda t: 0.40 * min(1, t / 0.006) * min(1, (seconds - t) / 0.25) * math.exp(-1.3 * t) * (
        math.sin(w * t + (0.9 * math.exp(-3 * t) + 0.15) * math.sin(w * t)) + 0.10 * math.exp(-14 * t) * math.sin(7 * w * t)))


def pad(note, seconds):
    w, out = TWO_PI * hertz(note), []
    for i in range(int(seconds * RATE)):
        t = i / RATE
        swell = min(1, t / 0.5) * min(1, max(0, seconds - t) / 0.7)
        out.append(0.16 * swell * (math.sin(w * t) + 0.8 * math.sin(1.0035 * w * t + 1) + 0.30 * math.sin(2 * w * t + math.sin(2.1 * t))
                                   + 0.14 * math.sin(3.004 * w * t) + 0.06 * math.sin(4.01 * w * t)))
    return out


def arp(note, seconds=0.5):
    """A soft square wave that closes quickly."""
    w = TWO_PI * hertz(note)
    return shaped(seconds, lambda t: 0.30 * min(1, t / 0.004) * math.exp(-7 * t) * (
        math.sin(w * t) + 0.33 * math.exp(-6 * t) * math.sin(3 * w * t) + 0.2 * math.exp(-12 * t) * math.sin(5 * w * t)))


def bass(note, seconds=0.9):
    w = TWO_PI * hertz(note)
    return shaped(seconds, lambda t: 0.62 * min(1, t / 0.008) * min(1, (seconds - t) / 0.08) * math.exp(-1.9 * t) * (
        math.sin(w * t) + 0.38 * math.sin(2 * w * t) * math.exp(-4 * t) + 0.12 * math.sin(3 * w * t) * math.exp(-6 * t)))


def boom(note, seconds=1.4):
    w = TWO_PI * hertz(note)
    return shaped(seconds, lambda t: 0.8 * min(1, t / 0.004) * min(1, (seconds - t) / 0.2) * math.exp(-1.7 * t) * math.tanh(
        1.6 * math.sin(w * t + 5 * (1 - math.exp(-30 * t)))))


def kick(_=0):
    return shaped(0.42, lambda t: 0.95 * math.exp(-9.5 * t) * math.sin(TWO_PI * (47 * t + 4.6 * (1 - math.exp(-30 * t)))))


def noise(seconds, fall, high, seed, loud):
    dice, last, low, out = random.Random(seed), 0.0, 0.0, []
    for i in range(int(seconds * RATE)):
        white = dice.uniform(-1, 1)
        low += 0.35 * (white - low)
        value = (white - last) if high else low
        last = white
        out.append(loud * value * min(1, i / 60) * math.exp(-fall * i / RATE))
    return out


def hat(_=0):
    return noise(0.10, 55, True, 5, 0.20)


def open_hat(_=0):
    return noise(0.32, 12, True, 9, 0.15)


def shaker(_=0):
    return [v * min(1, i / 500) for i, v in enumerate(noise(0.12, 34, True, 6, 0.17))]


def clap(_=0):
    out = noise(0.30, 17, False, 7, 0.75)
    for shift in (440, 900):
        for i, value in enumerate(noise(0.06, 70, False, shift, 0.6)):
            out[i + shift // 2] += value
    return out


def snap(_=0):
    body, air = shaped(0.12, lambda t: 0.30 * math.exp(-50 * t) * math.sin(TWO_PI * 1250 * t)), noise(0.12, 45, True, 8, 0.22)
    return [a + b for a, b in zip(body, air)]


def tom(note, seconds=0.7):
    return shaped(seconds, lambda t: 0.8 * math.exp(-6 * t) * math.sin(TWO_PI * (hertz(note) * t + 1.4 * (1 - math.exp(-18 * t)))))


# --- the desk ------------------------------------------------------------------------------------------------------

class Desk:
    def __init__(self, seconds):
        self.count = int(seconds * RATE)
        self.left, self.right = array("d", bytes(8 * self.count)), array("d", bytes(8 * self.count))
        self.notes = {}

    def play(self, at, instrument, note=0, loud=1.0, pan=0.5, *more):
        key = instrument.__name__, note, more
        if key not in self.notes:
            self.notes[key] = array("d", instrument(note, *more))
        wave, start = self.notes[key], int(at * RATE)
        if start < 0 or start >= self.count:
            return
        wave = wave[: self.count - start]
        for side, gain in ((self.left, math.cos(pan * math.pi / 2)), (self.right, math.sin(pan * math.pi / 2))):
            gain *= loud * 1.3
            side[start:start + len(wave)] = array("d", [a + gain * b for a, b in zip(side[start:start + len(wave)], wave)])

    def samples(self, fade=1.2, level=0.82):
        """Sixteen-bit stereo, at one loudness, with a tail that fades."""
        peak = sorted(max(abs(a), abs(b)) for a, b in zip(self.left[::7], self.right[::7]))[-max(2, self.count // 3000)] or 1
        gain, out, tail = 0.85 / peak, array("h"), int(fade * RATE)
        for i, pair in enumerate(zip(self.left, self.right)):
            end = min(1.0, (self.count - i) / tail)
            for value in pair:
                out.append(int(32767 * level * math.tanh(gain * value) * end * end * (3 - 2 * end)))
        return out.tobytes()


# --- pieces --------------------------------------------------------------------------------------------------------

MAJOR, MINOR, MAJ7, MIN7, SUS = (0, 4, 7), (0, 3, 7), (0, 4, 7, 11), (0, 3, 7, 10), (0, 2, 7)
# A style: beats a minute, beats a bar, its chords as (root, kind), and who plays what.
STYLES = {
    "bright": (112, 4, [(53, MAJOR), (48, MAJOR), (50, MIN7), (46, MAJ7)]),
    "calm": (74, 4, [(48, MAJ7), (45, MIN7), (53, MAJ7), (43, SUS)]),
    "drive": (126, 4, [(45, MINOR), (53, MAJOR), (48, MAJOR), (43, MAJOR)]),
    "lofi": (84, 4, [(50, MIN7), (43, MAJ7), (48, MAJ7), (45, MIN7)]),
    "epic": (100, 4, [(50, MINOR), (46, MAJOR), (53, MAJOR), (48, SUS)]),
    "tropic": (106, 4, [(55, MAJOR), (50, MAJOR), (52, MINOR), (48, MAJ7)]),
    "waltz": (104, 3, [(55, MAJOR), (52, MIN7), (48, MAJ7), (50, MAJOR)]),
    "party": (120, 4, [(48, MAJOR), (55, MAJOR), (57, MINOR), (53, MAJOR)]),
    "street": (88, 4, [(45, MIN7), (41, MAJ7), (50, MIN7), (52, MINOR)]),
    "tech": (116, 4, [(52, MIN7), (48, MAJ7), (55, MAJOR), (50, SUS)]),
}


def tones(root, kind, low, count):
    """Tones of a chord from `low` upwards."""
    pitches = sorted(root % 12 + 12 * octave + step for octave in range(2, 9) for step in kind)
    return [p for p in pitches if p >= low][:count]


def music(style, seconds):
    """A piece of this style, as samples; its last chord falls so that it can ring."""
    bpm, bar, chords = STYLES[style]
    beat = 60 / bpm
    desk, bars = Desk(seconds), max(2, round((seconds - 2.4) / (bar * beat)))
    # The tempo yields a little, so that the last bar line is where the ending belongs.
    beat = (seconds - 2.4) / (bars * bar)
    for number in range(bars):
        root, kind = chords[number % len(chords)]
        full = number >= 1 if bars > 3 else number >= 0
        PLAYERS[style](desk, number * bar * beat, beat, root, kind, full, number)
    root, kind = chords[0]
    ending(desk, bars * bar * beat, style, root, kind)
    return desk.samples(fade=1.6)


def ending(desk, at, style, root, kind):
    voice = {"bright": string, "calm": keys, "lofi": keys, "tropic": mallet, "waltz": bell, "party": bell, "tech": keys}.get(style, keys)
    for i, note in enumerate(tones(root, kind, 60, 4)):
        desk.play(at + 0.035 * i, voice, note, 0.5, 0.3 + 0.13 * i)
        desk.play(at, pad, note, 0.42, 0.25 + 0.16 * i, 2.4)
    desk.play(at, boom, root - 12 if root > 47 else root, 0.5)
    if style not in ("calm", "waltz"):
        desk.play(at, kick, 0, 0.8)


def spread(desk, at, beat, bar, root, kind, loud, low=57):
    for i, note in enumerate(tones(root, kind, low, 3)):
        desk.play(at, pad, note, loud, 0.22 + 0.28 * i, round(bar * beat + 0.5, 3))


def bright(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.40)
    notes = tones(root, kind, 65, 5)
    for i, pick in enumerate([0, 2, 1, 3, 2, 4, 3, 1]):
        for echo, gain in ((0, 0.42), (0.75, 0.13)):
            desk.play(at + (i / 2 + echo) * beat, string, notes[pick], gain, 0.3 + 0.4 * (i % 2))
    for step, loud in ((0, 0.6), (1.5, 0.4), (2, 0.5), (3.5, 0.35)):
        desk.play(at + step * beat, bass, root - 12, loud)
    if full:
        for step in range(4):
            desk.play(at + step * beat, kick, 0, 0.62)
            desk.play(at + (step + 0.5) * beat, hat, 0, 0.5, 0.6)
            if step % 2:
                desk.play(at + step * beat, snap, 0, 0.7, 0.45)


def calm(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.62)
    for i, note in enumerate(tones(root, kind, 55, 4)):
        desk.play(at + 0.02 * i, keys, note, 0.34, 0.35 + 0.1 * i)
    melody = tones(root, kind, 72, 4)
    for step, pick in [(1, 1), (1.5, 2), (2.5, 0), (3.5, 3)] if number % 2 == 0 else [(0.5, 2), (2, 1), (3, 0)]:
        desk.play(at + step * beat, mallet, melody[pick], 0.26, 0.62)
        desk.play(at + (step + 0.75) * beat, mallet, melody[pick], 0.08, 0.3)
    desk.play(at, bass, root - 12, 0.42, 0.5, 2.0)


def drive(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.34)
    riff = tones(root, kind, 69, 4)
    for i in range(16):
        if i % 16 in (0, 3, 6, 8, 11, 14):
            desk.play(at + i / 4 * beat, arp, riff[(i * 3 + number) % 4], 0.50, 0.25 + 0.5 * (i % 2))
    for i in range(8):
        desk.play(at + (i / 2 + (0.25 if i % 2 == 0 else 0)) * beat, bass, root - 12, 0.48, 0.5, 0.3)
    if full:
        for step in range(4):
            desk.play(at + step * beat, kick, 0, 0.95)
            desk.play(at + (step + 0.5) * beat, open_hat, 0, 0.55, 0.58)
            for quarter in (0.25, 0.75):
                desk.play(at + (step + quarter) * beat, hat, 0, 0.35, 0.4)
            if step % 2:
                desk.play(at + step * beat, clap, 0, 0.62)


def lofi(desk, at, beat, root, kind, full, number):
    for step, loud in ((0, 0.46), (1.66, 0.30), (2.5, 0.26)):
        for i, note in enumerate(tones(root, kind, 56, 4)):
            desk.play(at + step * beat + 0.012 * i, keys, note, loud * 0.8, 0.3 + 0.13 * i)
    for step, pick in [(0.66, 2), (2, 3), (3.33, 1)] if number % 2 else [(1, 1), (3, 2), (3.66, 3)]:
        desk.play(at + step * beat, bell, tones(root, kind, 72, 4)[pick], 0.15, 0.66)
    for step, loud in ((0, 0.6), (1.66, 0.35), (2, 0.45)):
        desk.play(at + step * beat, bass, root - 12, loud, 0.5, 0.8)
    if full:
        for step in (0, 2.33):
            desk.play(at + step * beat, kick, 0, 0.75)
        for step in (1, 3):
            desk.play(at + step * beat, snap, 0, 0.75, 0.48)
        for step in range(4):
            desk.play(at + step * beat, hat, 0, 0.34, 0.6)
            desk.play(at + (step + 0.66) * beat, hat, 0, 0.22, 0.6)


def epic(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.60)
    spread(desk, at, beat, 4, root, kind, 0.34, 45)
    ladder = tones(root, kind, 62, 4)
    for i, pick in enumerate([0, 1, 2, 1, 3, 1, 2, 1]):
        desk.play(at + i / 2 * beat, string, ladder[pick], 0.42, 0.35 + 0.3 * (i % 2), 0.6)
    desk.play(at, boom, root - 12 if root > 47 else root, 0.55)
    if full:
        for step, note, loud in ((0, 38, 0.95), (1.5, 38, 0.5), (2, 43, 0.75), (3, 38, 0.55), (3.5, 45, 0.6)):
            desk.play(at + step * beat, tom, note, loud, 0.4 if note == 38 else 0.62)
        desk.play(at + 2 * beat, clap, 0, 0.42)


def tropic(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.28)
    notes = tones(root, kind, 64, 6)
    for step, pick in ((0, 0), (0.5, 2), (1, 3), (1.75, 2), (2.5, 4), (3, 3), (3.5, 1)):
        desk.play(at + step * beat, mallet, notes[pick], 0.55, 0.38)
        desk.play(at + (step + 0.75) * beat, mallet, notes[pick], 0.15, 0.75)
    for step in (0.5, 1.5, 2.5, 3.5):
        for i, note in enumerate(tones(root, kind, 57, 3)):
            desk.play(at + step * beat, string, note, 0.17, 0.62 + 0.05 * i, 0.5)
    for step, loud in ((0, 0.6), (1.5, 0.5), (3, 0.5)):
        desk.play(at + step * beat, bass, root - 12, loud, 0.5, 0.6)
    if full:
        for step in range(4):
            desk.play(at + step * beat, kick, 0, 0.55)
            for half in (0, 0.5):
                desk.play(at + (step + half) * beat, shaker, 0, 0.5 if half else 0.3, 0.6)
        for step, note in ((0.75, 57), (1.5, 52), (2.75, 57), (3.5, 60)):
            desk.play(at + step * beat, tom, note, 0.22, 0.3, 0.3)


def waltz(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 3, root, kind, 0.42)
    desk.play(at, keys, root - 12, 0.45, 0.42)
    for step in (1, 2):
        for i, note in enumerate(tones(root, kind, 59, 3)):
            desk.play(at + step * beat + 0.015 * i, keys, note, 0.20, 0.42 + 0.06 * i)
    tune = tones(root, kind, 74, 4)
    for step, pick in [(0, 1), (1, 2), (2, 1), (2.5, 2)] if number % 2 == 0 else [(0, 3), (1.5, 2), (2, 0)]:
        desk.play(at + step * beat, bell, tune[pick], 0.24, 0.6)


def party(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.30)
    tune = tones(root, kind, 72, 5)
    for step, pick in ((0, 0), (0.5, 1), (1, 2), (1.5, 4), (2, 3), (3, 2), (3.5, 3)) if number % 2 == 0 else (
            (0, 4), (0.75, 3), (1.5, 2), (2, 1), (2.5, 2), (3, 3)):
        desk.play(at + step * beat, bell, tune[pick], 0.32, 0.58)
        desk.play(at + step * beat, mallet, tune[pick] - 12, 0.30, 0.42)
    for i in range(4):
        desk.play(at + i * beat, bass, root - 12, 0.5, 0.5, 0.35)
        desk.play(at + (i + 0.5) * beat, bass, root, 0.34, 0.5, 0.25)
    if full:
        for step in range(4):
            desk.play(at + step * beat, kick, 0, 0.78)
            desk.play(at + (step + 0.5) * beat, hat, 0, 0.5, 0.6)
            if step % 2:
                desk.play(at + step * beat, clap, 0, 0.6)


def street(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.30)
    tune = tones(root, kind, 69, 4)
    for step, pick in ((0, 0), (0.75, 2), (1.5, 3), (2.5, 1), (3, 2)):
        desk.play(at + step * beat, bell, tune[pick], 0.25, 0.4 + 0.2 * (pick % 2))
    for step in (0, 1.75, 2.5):
        desk.play(at + step * beat, boom, root - 12 if root > 44 else root, 0.6, 0.5, 0.9)
    if full:
        for step in (0, 0.75, 2.5):
            desk.play(at + step * beat, kick, 0, 0.85)
        desk.play(at + 2 * beat, clap, 0, 0.85)
        for i in range(16):
            desk.play(at + i / 4 * beat, hat, 0, 0.42 if i % 2 == 0 else 0.25, 0.57)
        if number % 2:
            for i in range(6):
                desk.play(at + (3.5 + i / 12) * beat, hat, 0, 0.2 + 0.04 * i, 0.45)


def tech(desk, at, beat, root, kind, full, number):
    spread(desk, at, beat, 4, root, kind, 0.50)
    ladder = tones(root, kind, 64, 6)
    for i in range(16):
        pick = (0, 2, 4, 1, 3, 5, 2, 4)[i % 8]
        desk.play(at + i / 4 * beat, arp, ladder[pick], 0.34 if i % 4 else 0.46, 0.2 + 0.6 * ((i * 5) % 16) / 15)
    for step in (0, 1.5, 2.5):
        desk.play(at + step * beat, bass, root - 12, 0.45, 0.5, 0.7)
    if full:
        for step in range(4):
            desk.play(at + step * beat, kick, 0, 0.55)
            desk.play(at + (step + 0.5) * beat, shaker, 0, 0.45, 0.6)
            if step % 2:
                desk.play(at + step * beat, snap, 0, 0.5, 0.44)


PLAYERS = {"bright": bright, "calm": calm, "drive": drive, "lofi": lofi, "epic": epic, "tropic": tropic, "waltz": waltz,
           "party": party, "street": street, "tech": tech}


# --- sound effects -------------------------------------------------------------------------------------------------

def whoosh():
    desk, dice, low, band, out = Desk(0.9), random.Random(2), 0.0, 0.0, []
    for i in range(int(0.9 * RATE)):
        t = i / RATE / 0.9
        cut = 0.02 + 0.30 * math.sin(math.pi * t) ** 2
        low += cut * (dice.uniform(-1, 1) - low)
        band += 0.3 * cut * (low - band)
        out.append((low - band) * math.sin(math.pi * t) ** 2.2)
    desk.notes[("whoosh", 0, ())] = array("d", out)
    desk.play(0, whoosh, 0, 1.0, 0.5)
    return desk.samples(fade=0.2, level=0.6)
