"""Makes 200 pages with every attribute that absurl-documents(7) lists: the same ones each time.

A page has the attributes of one family, with values of one kind: those that are empty, references of each form, or
queries in a charset that is named late. There are pages without BASE, and with one before or after all else.
"""

import os

ROOT = "http://r.example/"
FOLDER = "d/e/"

# `{}` is where an attribute has its value, `{url}` where CSS or a META has one, `~` a new number.
FAMILIES = {
    "a": ["<a href{}>x</a>", "<a href=x ping{}>x</a>", "<map><area href{}><area href=x ping{}></map>"],
    "link": ["<link rel=stylesheet href{}>", "<link rel=canonical href{}>"],
    "icon": ["<link rel=icon href{}>"],
    "preload": ["<link rel=preload as=image href{}>", "<link rel=prefetch href{}>",
                "<link rel=preload as=image imagesrcset{}>"],
    "manifest": ["<link rel=manifest href{}>"],
    "script": ["<script src{}></script>", "<script type=module src{}></script>", "<link rel=modulepreload href{}>"],
    "style": ["<style>@import \"{url}\"; #i~ { background: url({url}) }</style><p id=i~>x",
              "<style>#i~ { background: image-set('{url}' 1x) }</style><p id=i~>x",
              "<style>#i~ { background: url('{url}') }</style><p id=i~>x",
              "<p style=\"list-style: url('{url}'); display: list-item\">x"],
    "img": ["<img src{}>", "<image src{}>", "<img lowsrc{} dynsrc{} longdesc{} usemap{}>"],
    "srcset": ["<img srcset{}>", "<img src=x srcset{}>", "<image srcset{}>",
               "<picture><source srcset{}><img src=x></picture>"],
    "media": ["<audio src{}></audio>", "<video src{}></video>", "<audio><source src{}></audio>", "<bgsound src{}>",
              "<video src=x><track default src{}></video>"],
    "poster": ["<video poster{}></video>"],
    "amp": ["<amp-img src{} srcset{}></amp-img>", "<amp-anim src{} srcset{}></amp-anim>",
            "<amp-video src{} srcset{} poster{}></amp-video>"],
    "iframe": ["<iframe src{}></iframe>", "<iframe longdesc{}></iframe>"],
    "srcdoc": ["<iframe srcdoc='<img src{}><link rel=stylesheet href{}>'></iframe>"],
    "frame": ["<frame src{}>", "<frame longdesc{}>"],
    "embed": ["<embed src{}>"],
    "object": ["<object data{}></object>", "<object usemap{} classid{} codebase{} archive{}></object>",
               "<applet codebase{} archive{}></applet>"],
    "input": ["<input type=image src{}>", "<input usemap{}>"],
    "form": ["<form action{}><button formaction{}>x</button><input type=submit formaction{}></form>", "<form></form>",
             "<isindex action{}>"],
    "background": ["<table background{}><thead background{}><tr><th background{}>x<tbody background{}>"
                   "<tr background{}><td background{}>x<tfoot background{}><tr><td>x</table>"],
    "cite": ["<blockquote cite{}></blockquote><del cite{}></del><ins cite{}></ins><q cite{}></q>",
             "<p itemid{} itemtype{}>x", "<menuitem icon{}></menuitem><command icon{}>"],
    "refresh": ["<meta http-equiv=refresh content=\"0; url={url}\">"],
    "svg": ["<svg><image href{} /><image xlink:href{} /><use href{} /><use xlink:href{} /><a href{}>x</a>"
            "<a xlink:href{}>x</a></svg>", "<math href{}><mi href{}>x</mi></math>"],
    "filter": ["<svg><filter id=f~><feImage href{} /><feImage xlink:href{} /></filter><rect filter='url(#f~)' /></svg>",
               "<svg><pattern href{} /><linearGradient href{} /><radialGradient href{} /><textPath href{}>x</textPath>"
               "<animate href{} /><animateMotion><mpath href{} /></animateMotion><set href{} /></svg>"],
    "noscript": ["<noscript><img src{}><link rel=stylesheet href{}></noscript>"],
    "body": [],  # the attributes of HTML, HEAD and BODY
}
# As documents of their own.
XML = {
    "xhtml": ["<link rel='stylesheet' href{} />", "<img src{} />", "<img srcset{} />", "<iframe src{}></iframe>",
              "<object data{}></object>", "<a href{}>x</a>", "<form action{}></form>", "<video poster{} />",
              "<svg xmlns='http://www.w3.org/2000/svg'><image href{} /></svg>"],
    "svg": ["<image href{} />", "<image xlink:href{} />", "<use href{} />", "<use xlink:href{} />", "<a href{}>x</a>",
            "<filter id='f~'><feImage href{} /></filter><rect filter='url(#f~)' />"],
}
# By chance Chromium requests these without a BASE after them, with it, or both: it looks ahead.
BY_CHANCE = ("img", "srcset", "media", "poster", "input", "svg", "noscript")

EMPTY = ["", " ", "\n", None]
# Each gets a name for `@`, so that it is known which one was requested.
REFERENCES = ["@", "./@", "../@", "/r/@", "/r/../@", "//r.example/o/@", "http://r.example/o/@", "HTTP://R.example:80/o/@",
              "http://r.example/d/./@", "https://r.example/@", "http://other.example/@", "//other.example/@", "/\\@",
              "?@", "/r?@", "@#s", "#@", "/r/%20@", "/r/@ b", "http:@", "@:x",
              "../../../../@"]
QUERIES = ["/r/@?q=\u0434", "@?q=\u0434", "/r/\u0434@", "http://r.example/@?\u0434&amp;y"]
BASES = {"none": "", "first": f'<base href="{ROOT}b/c/">', "relative": '<base href="b/">', "last": f'<base href="{ROOT}b/c/">'}
CHARSET = '<meta charset="koi8-r">'


class Maker:
    """Fills snippets with references, each with a name of its own."""

    def __init__(self, family):
        self.family, self.number = family, 0

    def named(self, reference):
        self.number += 1
        return reference.replace("@", f"{self.family}{self.number}")

    def fill(self, snippet, reference):
        """A snippet with a reference in each of its places."""
        snippet = snippet.replace("~", str(self.number))
        quote = "&quot;" if "'<" in snippet else '"'
        while "{}" in snippet:
            value = "" if reference is None else f"={quote}{self.named(reference)}{quote}"
            snippet = snippet.replace("{}", value, 1)
        while "{url}" in snippet:
            snippet = snippet.replace("{url}", self.named(reference or ""), 1)
        return snippet

    def all(self, snippets, references):
        return "\n".join(self.fill(snippet, reference) for snippet in snippets for reference in references)


def html(family, references, base="none", charset=""):
    """A page of HTML."""
    maker, [attributes, head, body] = Maker(family), ["", "", ""]
    if family == "body":
        names = ("manifest", "profile", "background")
        attributes, head, body = (maker.fill(f" {name}{{}}", references[0]) for name in names)
    made = maker.all(FAMILIES[family], references)
    meta = {"early": CHARSET, "late": f"<!-- {'x' * 1100} -->"}.get(charset, "")
    late = CHARSET if charset == "late" else ""
    first, last = ("", BASES[base]) if base == "last" else (BASES[base], "")
    start = f"<!doctype html><html{attributes}><head{head}>{meta}{first}"
    if family == "frame":
        return f"{start}{last}{late}</head><frameset>{made}</frameset></html>\n"
    if made.startswith(("<link", "<script", "<meta", "<style")):
        return f"{start}{made}{last}{late}</head><body{body}>x</body></html>\n"
    return f"{start}{late}</head><body{body}>{made}{last}</body></html>\n"


def xml(kind, references):
    """A document of XML."""
    made = Maker(kind).all(XML[kind], [reference for reference in references if reference is not None])
    if kind == "svg":
        namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        return f"<svg {namespaces}>{made}</svg>\n"
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{made}</body></html>\n'


def all_pages():
    """Their names and bytes."""
    for family in FAMILIES:
        for kind, references, bases in [("empty", EMPTY, ["none", "first"]), ("value", REFERENCES, BASES)]:
            for base in bases:
                if base != "last" or family not in BY_CHANCE:
                    yield f"{family}-{kind}-base-{base}.html", html(family, references, base).encode()
        for charset in ("early", "late"):
            yield f"{family}-charset-{charset}.html", html(family, QUERIES, charset=charset).encode("koi8-r")
    for kind in XML:
        for name, references in [("empty", EMPTY), ("value", REFERENCES)]:
            yield f"{kind}-{name}.{kind}", xml(kind, references).encode()


def write(directory):
    """Writes them into a directory."""
    os.makedirs(os.path.join(directory, FOLDER))
    for name, page in all_pages():
        with open(os.path.join(directory, FOLDER, name), "wb") as file:
            file.write(page)
