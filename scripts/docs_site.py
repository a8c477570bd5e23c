"""A hook of mkdocs: the site shows files of the repository that are not in docs/.

README.md is the first page. What README or a page links to outside of docs/ is put into the site
below ``repository/``, so that no link has to know where the repository lives; of a folder the site
lists the files. Headings get the anchors that GitHub gives them, since pages link to these.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

ROOT = Path(__file__).resolve().parent.parent
HOME = "index.md"
BELOW = "repository"
"""Folder of the site for files from outside of docs/."""
SHOWN = ("CONTRIBUTING.md", "CHANGELOG.md")
"""Pages of the navigation from outside of docs/."""

_CODE = re.compile(r"^(```|~~~).*?^\1[ \t]*$|`[^`\n]+`", re.M | re.S)
_LINK = re.compile(r"""(\]\(|\b(?:href|src|srcset)=["'])([^\s"'()#:]+)(?=[\s"')#])""")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make anchors as GitHub does."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slugify(case="lower")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add README and each file from outside of docs/ that the site links to."""
    left = [(HOME, "README.md"), *((f"{BELOW}/{name}", name) for name in SHOWN)]
    left += [(page.src_uri, f"docs/{page.src_uri}") for page in files.documentation_pages()]
    seen: set[str] = set()
    while left:
        uri, source = left.pop()
        if source in seen:
            continue
        seen.add(source)
        if not source.startswith("docs/"):
            files.append(
                File.generated(
                    config,
                    uri,
                    content=content_of(source),
                    inclusion=InclusionLevel.INCLUDED
                    if source in ("README.md", *SHOWN)
                    else InclusionLevel.NOT_IN_NAV,
                )
            )
        if source.endswith(".md"):
            for target in linked((ROOT / source).read_text("utf-8"), source):
                if not target.startswith("docs/"):
                    left.append((place_of(target), target))
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_: Any) -> str:
    """Write the links of a page as the site has them."""
    return moved(markdown, page.file.src_uri, source_of(page.file.src_uri))


def content_of(source: str) -> bytes:
    """Return what the site shows of a file or a folder of the repository."""
    path = ROOT / source
    if path.is_file():
        return path.read_bytes()
    names = sorted(f"- `{each.name}`" for each in path.iterdir() if each.name[0] not in "._")
    return "\n".join([f"# {source}/", "", *names, ""]).encode()


def source_of(uri: str) -> str:
    """Return the file of the repository that a page of the site is."""
    if uri == HOME:
        return "README.md"
    return uri.removeprefix(f"{BELOW}/") if uri.startswith(f"{BELOW}/") else f"docs/{uri}"


def place_of(source: str) -> str:
    """Return where the site has a file of the repository."""
    if source == "README.md":
        return HOME
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    return f"{BELOW}/{source}/index.md" if (ROOT / source).is_dir() else f"{BELOW}/{source}"


def is_there(source: str) -> bool:
    """Whether there is such a file, or a folder outside of docs/."""
    path = ROOT / source
    inside = source.startswith(("docs", "..")) or source == "."
    return path.is_file() or (path.is_dir() and not inside)


def linked(text: str, source: str) -> list[str]:
    """Return the files and folders of the repository that a page links to."""
    found: list[str] = []
    _each_link(text, lambda target: found.append(_target(target, source)) or target)
    return [each for each in found if is_there(each)]


def moved(text: str, uri: str, source: str) -> str:
    """Return a page with its links as the site has them; what is no file stays as it is."""
    here = posixpath.dirname(uri)

    def place(target: str) -> str:
        to = _target(target, source)
        if not is_there(to):
            return target
        return posixpath.relpath(place_of(to), here or ".")

    return _each_link(text, place)


def _target(target: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def _each_link(text: str, change: Callable[[str], str]) -> str:
    """Return a text with each link to a file changed, outside of code."""

    def links(part: str) -> str:
        return _LINK.sub(lambda m: m[1] + change(m[2]), part)

    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [links(text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, links(text[at:])])
