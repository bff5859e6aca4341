# SPDX-License-Identifier: MIT
"""Makes tables and figures of the results of shepard_papers.

    python3 papers/report --docs                                       docs/papers.md and its figures
    python3 papers/report RESULTS.json...                              all tables, as Markdown
    python3 papers/report RESULTS.json --figures DIR                   and the papers' figures, linked
    python3 papers/report RESULTS.json --template T.md --output F.md   a page of one's own
"""
import argparse
import os
import sys
from pathlib import Path

from errors import ReportError
from page import Page
from printed import Printed
from published import Published
from results import Results, files_of_page

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
RESULTS = ROOT / "bench/results"
DOCS = {"results": files_of_page(RESULTS),
        "published": next(RESULTS.glob("hecbench-aidw-nvidia-h200.json"), None),
        "output": ROOT / "docs/papers.md", "template": HERE / "papers.md", "figures": ROOT / "docs/images"}


def draw(results, printed, folder, form):
    """The names of the figures."""
    try:
        from figures import Figures
    except ImportError as error:
        raise ReportError(f"--figures: cannot use matplotlib ({error}); install it (Debian: apt-get install "
                          "python3-matplotlib, for /usr/bin/python3), or leave --figures out") from error
    folder.mkdir(parents=True, exist_ok=True)
    return Figures(results, printed).save_all(folder, form)


def make(arguments):
    """The text of the page. With --check the figures that are there are linked, and none is drawn."""
    results, printed = Results.load(*arguments.results), Printed()
    published = Published.load(arguments.published) if arguments.published else None
    links = None
    if arguments.figures:
        start = arguments.output.parent if arguments.output else Path(".")
        folder = Path(os.path.relpath(arguments.figures, start)).as_posix()
        names = None if arguments.check else draw(results, printed, arguments.figures, arguments.format)

        def links(name):
            file = f"papers-{name}.{arguments.format}"
            is_there = (arguments.figures / file).exists() if names is None else name in names
            return f"{folder}/{file}" if is_there else None
    page = Page(results, printed, published, links)
    try:
        return page.fill(arguments.template.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(f"cannot read {arguments.template}: {error.strerror}") from error


def check(path, text):
    try:
        found = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from error
    for number, (old, new) in enumerate(zip(found.splitlines(), text.splitlines()), 1):
        if old != new:
            raise ReportError(f"{path}:{number} differs from the results and the template:\n"
                              f"  is       {old}\n  must be  {new}")
    if found != text:
        raise ReportError(f"{path} is longer or shorter than what the results and the template make")


def parse(argv):
    parser = argparse.ArgumentParser(prog="papers/report", description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="*",
                        help="JSON that shepard_papers has written, of one or several runs on one kind of machine")
    parser.add_argument("--docs", action="store_true",
                        help="docs/papers.md with its figures: sets all options that are not given")
    parser.add_argument("--template", type=Path, help="the page to fill; default: all tables")
    parser.add_argument("--output", type=Path, help="the page; default: standard output")
    parser.add_argument("--figures", type=Path, metavar="DIR", help="draws the papers' figures into DIR")
    parser.add_argument("--format", choices=["svg", "png"], default="svg", help="of the figures")
    parser.add_argument("--published", type=Path, help="the JSON that hecbench.sh has written")
    parser.add_argument("--check", action="store_true",
                        help="writes and draws nothing; exit code 1 if the page at --output differs")
    arguments = parser.parse_args(argv)
    for name, path in DOCS.items() if arguments.docs else ():
        setattr(arguments, name, getattr(arguments, name) or path)
    arguments.template = arguments.template or HERE / "report.md"
    if not arguments.results:
        parser.error("give the results, the JSON that shepard_papers has written, or --docs")
    if arguments.check and not arguments.output:
        parser.error("--check needs --output, the page to compare with")
    return arguments


def main(argv):
    arguments = parse(argv)
    try:
        text = make(arguments)
        if arguments.check:
            check(arguments.output, text)
        elif arguments.output:
            arguments.output.write_text(text, encoding="utf-8")
        else:
            sys.stdout.write(text)
    except (ReportError, OSError) as error:
        print(f"papers/report: error: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
