# SPDX-License-Identifier: MIT
"""The directive `manual FILE`: a manual page, as mandoc writes it, in sections of the page."""
import re
import subprocess
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

SECTION = re.compile(r'<h1 class="Sh" id="([^"]+)">.*?</h1>', re.S)
SUBSECTION = re.compile(r'<h2 class="Ss" id="([^"]+)">.*?</h2>', re.S)


def written_by_mandoc(path):
    page = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", path], check=True,
                          capture_output=True, text=True).stdout
    text = page[page.index('<div class="manual-text">'):page.rindex('</div>\n<table class="foot">')]
    return re.sub(r"</?section\b[^>]*>", "", text)


def body(text):
    return nodes.raw("", f'<div class="manual-text">{text}</div>', format="html")


def sections(heading, text, content):
    """What stands before the first heading, and a section for each; content makes what is in one."""
    first, *parts = heading.split(text)
    made = []
    for name, inner in zip(parts[::2], parts[1::2], strict=True):
        title = name.replace("_", " ")
        made.append(nodes.section("", nodes.title(title, title), *content(inner), ids=[name],
                                  names=[name]))
    return first, made


def with_subsections(text):
    first, made = sections(SUBSECTION, text, lambda inner: [body(inner)])
    return [body(first), *made]


class Manual(Directive):
    required_arguments = 1

    def run(self):
        environment = self.state.document.settings.env
        path, _ = environment.relfn2path(self.arguments[0])
        environment.note_dependency(path)
        text = written_by_mandoc(str(Path(environment.srcdir) / path))
        return sections(SECTION, text, with_subsections)[1]


def setup(app):
    app.add_directive("manual", Manual)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
