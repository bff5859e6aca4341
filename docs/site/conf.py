# SPDX-License-Identifier: MIT
"""The site: Markdown of the repository where it stands, the manual page, docstrings, the headers.

`make docs` calls this with the repository as the source folder, so that links between files that
are right in the repository are right on the site.
"""
import re
import sys
from pathlib import Path

from docutils import nodes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE / "extensions"), str(ROOT / "python")]

project = "shepard"
author = "the shepard authors"
project_copyright = author
version = release = re.search(r"project\(shepard VERSION ([\d.]+)",
                              (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "breathe",
              "sphinx.ext.mathjax", "manual"]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/adr/*.md", "docs/math/*.md", "docs/reference/*.md",
                    "python/README.md", "bench/README.md", "data/README.md", "CHANGELOG.md",
                    "CONTRIBUTING.md"]
exclude_patterns = ["build", "demo"]

myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4

# Code without a language is a command or text.
highlight_language = "none"

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autosummary_generate = False
numpydoc_show_class_members = False

breathe_projects = {"shepard": str(ROOT / "build/docs/xml")}
breathe_default_project = "shepard"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

html_theme = "furo"
html_title = f"shepard {version}"
html_static_path = ["static", str(next(
    Path(path) / "sphinx-mathjax-offline/static/mathjax/tex-svg.js" for path in sys.path
    if (Path(path) / "sphinx-mathjax-offline").is_dir()))]
html_css_files = ["site.css"]
templates_path = ["templates"]
html_additional_pages = {"index": "redirect.html"}
html_copy_source = False
html_show_sphinx = False
# One file, copied: formulas need no network.
mathjax_path = "tex-svg.js"

# `make docs-links` looks at the links that lead out of the site.
linkcheck_timeout = 20
linkcheck_ignore = [r"^(?!https?:)"]


# Pages whose tables list others, which stand below them in the navigation.
CHAPTERS = {"docs/math": r"\]\((math/[\w-]+)\.md\)", "docs/adr/README": r"\]\((\d{4}-[\w-]+)\.md\)"}


def as_dollars(app, docname, source):
    """GitHub's $`...`$, which keeps underscores from being emphasis, is $...$ on the site."""
    source[0] = re.sub(r"\$`([^`\n]+)`\$", r"$\1$", source[0])


def with_chapters(app, docname, source):
    """The navigation follows the table, which GitHub shows too."""
    if docname in CHAPTERS:
        pages = dict.fromkeys(re.findall(CHAPTERS[docname], source[0]))
        source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"


def without_links(app, what, name, obj, options, lines):
    """In a docstring [n_features_in_] is a shape, no link."""
    lines[:] = [re.sub(r"\b(\w+)_\]", r"\1\\_]", line) for line in lines]


def as_equations(app, document):
    """Formulas as they stand: Sphinx would put lines into `split`, where no \\tag may be."""
    for formula in document.findall(nodes.math_block):
        text = f"\\begin{{equation}}{formula.astext()}\\end{{equation}}"
        formula.replace_self(nodes.math_block(text, text, **{"no-wrap": True, "nowrap": True}))


def setup(app):
    app.connect("source-read", as_dollars)
    app.connect("source-read", with_chapters)
    app.connect("autodoc-process-docstring", without_links, priority=1000)
    app.connect("doctree-read", as_equations)
