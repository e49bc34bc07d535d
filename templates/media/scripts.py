"""What the narrators say: voice, speed and paragraphs. A bar starts a new caption; a pause separates paragraphs."""

NARRATIONS = {
    "city-guide": ("aria", 0.92, [
        "Forty-eight hours | in Rotterdam.",
        "Start at the harbour | when the lights | come on. | Every window | is a story.",
        "Then cross the bridge | for the best coffee | in town. | No laptops allowed.",
        "And tonight, | skip the tram. | Walk until | you are lost. | That is | the whole tour.",
    ]),
    "code-lesson": ("miles", 0.95, [
        "Here is a list of people. | We want the youngest first.",
        "So we give sort a key: | a small function that returns the age.",
        "Remember: sort changes the list, | sorted makes a new one.",
        "Now it is your turn. | Sort them by name, last first.",
    ]),
    "open-house": ("nora", 0.9, [
        "At dusk, | the whole house glows.",
        "Step into a living room | that keeps | the afternoon sun.",
        "The kitchen is made | for long breakfasts.",
        "And upstairs, at last, | it is quiet.",
        "Open house, | this Saturday, | from eleven to three. | Come and see it | for yourself.",
    ]),
    "podcast-clip": ("miles", 0.92, [
        "Most people | overestimate what | they can do | in a week,",
        "and underestimate | what a calm year | can do.",
        "Loud work | gets seen. | Slow work | adds up.",
        "So we stopped | chasing, and | started building.",
    ]),
    "space-fact": ("ewan", 0.92, [
        "Saturn is a giant, | nine times as wide as Earth.",
        "Yet it is made of gas, | and lighter than water.",
        "Find a bathtub big enough, | and it would float.",
        "Just mind the rings.",
    ]),
}

AUDIOGRAM = ("ewan", 0.95, [
    "The best ideas | never arrive at a desk. | They turn up on | the second walk.",
    "So leave the phone, | take the long way, | and let your mind | do the dishes.",
    "By the time | you are home, | the hard part is done.",
])
NARRATIONS |= {f"podcast-audiogram-{shape}": AUDIOGRAM for shape in ("16x9", "9x16", "1x1")}
