#!/usr/bin/env python3
"""Writes demo/week.events: one person's week with three apps, made up but the same every time.

    python3 demo/generate-week.py > demo/week.events

Only random.Random(SEED).random() is drawn from, whose numbers are the same in every Python 3; no other
method of that class promises this.
"""

import random
import sys

SEED = 20261130
DAY = 86_400
WEEK = 7 * DAY

# Where in a day uses gather: (hour, hours to either side).
OFFICE = [(9.5, 1.8), (11.3, 1.2), (14.2, 1.5), (16.3, 1.6)]
MAIL = [(8.2, 0.8), (9.6, 1.5), (12.8, 1.0), (16.6, 1.5), (20.8, 1.3)]
FAMILY = [(12.6, 0.8), (19.8, 1.8)]
OUTSIDE = [(8.0, 0.7), (12.7, 0.7), (17.8, 1.5)]
EVENING = [(20.7, 1.8)]

# On Saturday and Sunday everything starts this many hours later.
LIE_IN = 1.4

# (action, further fields, where in the day, lines on Monday … Sunday, greatest n).
# Two habits change on Wednesday: one project ends (bob, atlas) and the next begins (carol, borealis).
HABITS = [
    ("com.example.mail.inbox", "", MAIL, (58, 60, 57, 61, 55, 24, 22), 1),
    ("com.example.mail.compose", "", MAIL, (30, 28, 31, 29, 27, 7, 6), 1),
    ("com.example.mail.search", "", OFFICE, (15, 14, 15, 15, 13, 4, 3), 1),
    ("com.example.mail.write#alice", "", MAIL, (15, 16, 14, 15, 14, 6, 7), 1),
    ("com.example.mail.write#bob", "", OFFICE, (46, 45, 41, 7, 4, 0, 0), 1),
    ("com.example.mail.write#carol", "", OFFICE, (0, 1, 6, 44, 46, 14, 13), 1),
    ("com.example.mail.write#mum", "", FAMILY, (1, 0, 1, 1, 2, 9, 12), 1),
    ("com.example.camera.takePhoto", "", OUTSIDE, (18, 16, 19, 20, 28, 110, 125), 4),
    ("com.example.camera.takeVideo", "", OUTSIDE, (2, 1, 2, 2, 4, 22, 26), 1),
    ("com.example.camera.scan#receipts", "", FAMILY, (14, 12, 15, 13, 16, 4, 2), 1),
    ("com.example.camera.openAlbum#garden", "", EVENING, (9, 8, 10, 9, 12, 25, 28), 1),
    ("com.example.camera.openAlbum#family", "", EVENING, (5, 5, 4, 6, 7, 21, 24), 1),
    ("org.example.share.photo", "app=com.example.camera", EVENING, (4, 3, 4, 5, 6, 24, 30), 2),
    ("com.example.terminal.newTab", "", OFFICE, (88, 90, 86, 91, 80, 17, 14), 1),
    ("com.example.terminal.newWindow", "", OFFICE, (38, 40, 37, 41, 35, 9, 8), 1),
    ("com.example.terminal.splitPane", "", OFFICE, (26, 25, 27, 26, 22, 6, 5), 1),
    ("com.example.terminal.openProject#atlas", "", OFFICE, (92, 95, 80, 9, 4, 0, 0), 1),
    ("com.example.terminal.openProject#borealis", "", OFFICE, (0, 2, 16, 88, 90, 26, 22), 1),
    ("com.example.terminal.connect#build", "", OFFICE, (34, 36, 33, 35, 31, 4, 3), 1),
    ("com.example.terminal.connect#staging", "", OFFICE, (11, 12, 10, 12, 9, 0, 0), 1),
    ("com.example.terminal.connect#nas", "", EVENING, (3, 2, 3, 3, 5, 16, 17), 1),
]

HEAD = """\
# One person's week with three apps, for `make demo`. Made by demo/generate-week.py; do not edit.
#
# A line is a line of the plain format (docs/PROTOCOL.md) but for its time: t=-N means N seconds before
# the end of the week. scripts/demo.sh lets the week end now and puts the Unix time in its place, so that
# the demo is the same on any day. Oldest first. The week runs from Monday 00:00 to Sunday 24:00.
"""


def uses(rng):
    """Yields (seconds before the end of the week, line without its time) for every use."""
    for action, fields, places, days, most in HABITS:
        for day, count in enumerate(days):
            for _ in range(count):
                hour, reach = places[int(rng.random() * len(places))]
                # Two draws make a triangle: most uses are near the hour, none is farther than `reach`.
                hour += (rng.random() + rng.random() - 1) * reach + (LIE_IN if day >= 5 else 0)
                second = min(max(int(hour * 3_600), 0), DAY - 1)
                n = 1 + int(rng.random() * rng.random() * most)
                words = [action] + ([f"n={n}"] if n > 1 else []) + ([fields] if fields else [])
                yield WEEK - day * DAY - second, " ".join(words)


def main():
    sys.stdout.write(HEAD)
    for age, line in sorted(uses(random.Random(SEED)), key=lambda use: -use[0]):
        sys.stdout.write(f"{line} t=-{age}\n")


if __name__ == "__main__":
    main()
