#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads a page of --report.

    page.py numbers PAGE JSON      each number of the page with a key is that of the summary;
                                   all tags are closed, and nothing outside of the page is used
    page.py command PAGE           prints the command that repeats the run
    page.py picture PAGE N FILE    writes picture N, from 0, as a PNG
    page.py bars PAGE              prints for each scale bar: its length, its unit, and the share of
                                   the map's width that it takes
    page.py frame PAGE WIDTH FILE  writes a page that shows it so wide, and whose title says how wide
                                   its contents became
"""
import base64
import json
import math
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "path", "rect", "image", "circle", "img", "wbr"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.numbers, self.links, self.code = [], {}, [], ""
        self.edges, self.bars, self.bar = [], [], None
        self.feed(text)
        self.close()
        assert not self.open, f"open tags: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if tag not in VOID:
            self.open.append(tag)
        if "data-key" in attributes:
            self.numbers.setdefault(attributes["data-key"], set()).add(float(attributes["value"]))
        if tag == "rect" and attributes.get("class") == "edge":
            self.edges.append(float(attributes["width"]))
        if attributes.get("class") == "scale-bar":
            self.bar = {"text": "", "share": None}
            self.bars.append(self.bar)
        elif self.bar and tag == "rect" and self.bar["share"] is None:
            self.bar["share"] = float(attributes["width"]) / self.edges[-1]

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()
        if tag == "g":
            self.bar = None

    def handle_data(self, data):
        if "pre" in self.open:
            self.code += data
        if self.bar:
            self.bar["text"] += data


def look_up(summary, key):
    for part in key.split("."):
        summary = summary[int(part) if isinstance(summary, list) else part]
    return summary


def check_numbers(page, summary):
    for link in page.links:
        assert re.match(r"data:|#", link), f"the page needs {link[:60]}"
    for key, values in sorted(page.numbers.items()):
        expected = look_up(summary, key)
        # cJSON writes 15 digits.
        assert len(values) == 1 and math.isclose(*values, expected, rel_tol=1e-14), \
            f"{key}: {values} on the page, {expected} in the summary"
    print(len(page.numbers), "numbers equal")


def main():
    verb, path, *rest = sys.argv[1:]
    text = open(path, encoding="utf-8").read()
    if verb == "numbers":
        check_numbers(Page(text), json.load(open(rest[0], encoding="utf-8")))
    elif verb == "command":
        print(Page(text).code)
    elif verb == "picture":
        pictures = re.findall(r"data:image/png;base64,([^\"]+)", text)
        open(rest[1], "wb").write(base64.b64decode(pictures[int(rest[0])], validate=True))
    elif verb == "bars":
        for bar in Page(text).bars:
            print(*bar["text"].split(), bar["share"])
    elif verb == "frame":
        say = ("document.title='width '+contentWindow.innerWidth+' of '+"
               "contentDocument.documentElement.scrollWidth")
        open(rest[1], "w", encoding="utf-8").write(
            f'<!DOCTYPE html><title>not loaded</title><iframe src="{path}" width="{rest[0]}" '
            f'height="900" style="border:0" onload="{say}"></iframe>')
    else:
        sys.exit(__doc__)


main()
