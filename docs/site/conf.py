"""Sphinx's configuration for the documentation site, which scripts/site builds.

The site's pages are Markdown files of the repository, below the same paths, so that their links work here and on a git
host. CONTENTS is the navigation; a page that it lacks fails the build, as does a broken link.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
BROWSER = ROOT / "Server/Sources/GatehouseServer/Browser"

# Below a page: groups of other pages, by their captions.
CONTENTS = {
    "README": {
        "Does it fit?": [
            "docs/guides/clients", "docs/guides/comparison", "docs/guides/sizing", "docs/guides/privacy",
            "docs/guides/faq",
        ],
        "Begin": [
            "docs/guides/getting-started", "docs/guides/configuration", "docs/guides/providers",
            "docs/guides/simulator",
        ],
        "Quickstarts": ["docs/quickstarts/*"],
        "Apps": [
            "docs/guides/packages", "docs/five-guides", "docs/guides/platforms", "docs/guides/testing",
            "docs/guides/linking-and-consent", "docs/guides/account-deletion",
        ],
        "Browsers": ["docs/guides/browser-sign-in", "docs/guides/javascript", "docs/guides/app-links"],
        "Back ends": [
            "docs/guides/admin-sdk", "docs/guides/verifying-tokens", "docs/guides/blocking-functions",
            "docs/guides/events",
        ],
        "Email, phone, passkeys, second factors": [
            "docs/guides/codes", "docs/guides/email", "docs/guides/phone-numbers", "docs/guides/passkeys",
            "docs/guides/second-factors",
        ],
        "Operation": [
            "docs/guides/production", "docs/guides/monitoring", "docs/guides/console", "docs/guides/administration",
            "docs/guides/limits", "docs/guides/postgresql", "docs/guides/migrating-from-firebase",
        ],
        "Examples": ["Examples/*/README"],
        "Reference": [
            "docs/reference/README", "docs/reference/http/README", "docs/reference/errors", "docs/reference/settings",
            "docs/reference/command", "docs/reference/metrics",
        ],
        "Project": [
            "CHANGELOG", "SECURITY", "docs/threat-model", "CONTRIBUTING", "docs/architecture",
            "Server/Sources/GatehouseServer/GatehouseServer.docc/GatehouseServer", "docs/decisions/README",
            "docs/relying-party-tests", "StandIns/README", "Benchmarks/README",
        ],
    },
    "docs/decisions/README": {"": ["docs/decisions/0*"]},
    "docs/reference/http/README": {"": ["docs/reference/http/*"]},
}


def colors() -> tuple[dict[str, str], dict[str, str]]:
    """The theme's colors and fonts, light and dark: those of the server's own pages."""
    design = (BROWSER / "Pages/design.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (.*?);", block))
                   for block in re.findall(r":root \{(.*?)\}", design, re.DOTALL))
    names = {
        "color-background-primary": "paper", "color-background-secondary": "card", "color-background-hover": "soft",
        "color-background-border": "line", "color-foreground-primary": "ink", "color-foreground-secondary": "quiet",
        "color-foreground-muted": "quiet", "color-foreground-border": "edge", "color-brand-primary": "accent",
        "color-brand-content": "accent", "color-brand-visited": "accent", "color-inline-code-background": "well",
        "color-code-background": "well", "color-code-foreground": "ink", "color-highlighted-background": "warm-paper",
        "color-highlight-on-target": "warm-paper", "font-stack--monospace": "mono", "font-stack--headings": "serif",
    }
    return tuple({name: scheme[ours] for name, ours in names.items()} for scheme in (light, light | dark))


LIGHT, DARK = colors()

# The names that Sphinx reads.
# pylint: disable=invalid-name, redefined-builtin
project = "Gatehouse"
copyright = "the authors of Gatehouse. Apache License 2.0"
extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "README"
# Two hyphens are an option.
smartquotes = False
include_patterns = [
    "*.md", "docs/**.md", "Examples/*/README.md", "Benchmarks/README.md", "StandIns/README.md",
    "Server/Sources/GatehouseServer/GatehouseServer.docc/GatehouseServer.md",
]
html_theme = "furo"
html_theme_options = {"light_css_variables": LIGHT, "dark_css_variables": DARK}
html_title = "Gatehouse"
html_logo = html_favicon = str(BROWSER / "Welcome/Assets/icon.svg")
html_static_path = html_css_files = ["site.css"]
# It leads to README.html, the first page.
templates_path = ["."]
html_additional_pages = {"index": "index.html"}
html_copy_source = False
html_use_index = False
# pylint: enable=invalid-name, redefined-builtin


def add_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    for caption, pages in CONTENTS.get(page, {}).items():
        options = [":hidden:", ":glob:", *([f":caption: {caption}"] if caption else [])]
        lines = ["", "```{toctree}", *options, "", *(f"/{name}" for name in pages), "```", ""]
        source[0] += "\n".join(lines)


ARTICLE = re.compile(r"Sources/(\w+)/\1\.docc/(\w+)")


def link_articles(app: Sphinx, doctree: nodes.document) -> None:
    """Links to an article of the SDK lead to the part of the site that DocC writes."""
    for link in list(doctree.findall(addnodes.pending_xref)):
        if article := ARTICLE.fullmatch(link["reftarget"]):
            module, name = article[1].lower(), article[2].lower()
            place = f"sdk/documentation/{module}/" + ("" if name == module else f"{name}/")
            up = "../" * app.env.docname.count("/")
            link.replace_self(nodes.reference("", "", *link.children, refuri=up + place))


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_contents)
    app.connect("doctree-read", link_articles)
