"""Makes documents that are as wrong as HTML can be: the same ones for the same seed.

Each start tag begins a line and has a number, data-n: so a reader of the tree knows which tag an element was.
"""

import random

# Labels, the codec of Python that writes what can be in them, and characters in them.
CHARSETS = {
    "utf-8": ("utf-8", "éп日ł€😀"),
    "windows-1252": ("cp1252", "é€–ß"),
    "iso-8859-1": ("latin-1", "éß÷"),
    "us-ascii": ("latin-1", "éß"),
    "iso-8859-2": ("iso-8859-2", "łéš"),
    "iso-8859-7": ("iso-8859-7", "αώ"),
    "iso-8859-15": ("iso-8859-15", "é€Š"),
    "windows-1250": ("cp1250", "łé€"),
    "windows-1251": ("cp1251", "прЖ"),
    "windows-1255": ("cp1255", "אב"),
    "windows-874": ("cp874", "กข"),
    "koi8-r": ("koi8-r", "пр─"),
    "koi8-u": ("koi8-u", "пїє"),
    "macintosh": ("mac-roman", "é∑"),
    "ibm866": ("cp866", "пр"),
    "shift_jis": ("cp932", "日本ｱソ表"),
    "euc-jp": ("euc-jp", "日本ソ"),
    "iso-2022-jp": ("iso-2022-jp", "日本"),
    "gbk": ("gbk", "日本汉"),
    "gb18030": ("gb18030", "日é😀"),
    "big5": ("big5", "日本功許"),
    "euc-kr": ("cp949", "한글日"),
    "x-user-defined": ("latin-1", ""),
}
# Characters of other charsets: some can be written only as character references.
ANY = "éп日ł€ß☃😀ı\u00a0\u200b\u212a"
# A byte NN that is not text is U+F7NN until the line is written.
RAW = 0xF700

REFERENCES = """
g g g g/ ./g ../g ../../../g /g /p/q //h2/x ///h3/x ////h4 \\g \\\\h5\\x /\\h6 g;x=1/../y g?y g?y/../x #s g#s/../x ?
?y # . .. ./ ../ ./../g /./g /../g g. .g g.. ..g %2e/g %2E%2e/g .%2e /%2e%2e/x a//b a/./../b g?q=1&r=2 &amp &lt;x
http:g http:/g http:///g http://h7 http://h7:80/ http://h7:8080/x http://U:P@h7/ http://h7?q http://h7#f HTTP://H7/%7e
https://h7:443/a https:g https:/g ftp://h8:21/x ws://h8/ wss:x file:///etc/x file:x file:/x/../y mailto:a@b mailto:x?y
javascript:void(0) data:,x data:text/html,<b> tel:+1 urn:x:y/../z about:blank blob:http://h/x x:y x:/y/../z x://h/../z
non-special://h:80/a/./b x-y+z.1:g 1:2 :x :: a:b/c ./a:b /a:b a^b a`b a{b} a"b a'b a<b> a[b] a~b a!b a$b*(c) a+b a@b
a%zz a%2fb a%41 a%c3%a9 a%ff% %00 http://[::1]/x http://[::ffff:1.2.3.4]:90/ http://1.2/x http://0x7f.1/ http://256/
http://h%37/x http://h_9/ http://a..b/ http://h7./ http://a:b/ http://h:99999/ http://[x]/ http:// http://@/x //
http://h/a^b?c^d#e^f x:a^b x:/a^b?^ ?a^b'c"d<e>`f #a^b'c"d<e>`f{} g?q='a' g?a\\b g#a\\b /a;b?c;d,e , a,b ,a a, a,,b
""".split()

# References with white space and controls, as a value may have them.
SPACED = ["", " ", " g ", "\tg\n", "a\tb", "a\nb", "ht\ntp://h9/", "a b", "a  b#c d", "\x01g\x02", " \x0cg", "g?a b",
          "x: y",
          "\u3000g", "a\rb", "mailto:a b #c", "java\nscript:x", "\x0bg", "\x7fg", "?\n", "a\r\nb"]

NON_ASCII = ["/@", "@?@", "?q=@", "#@", "g?@=@&x=@@#@", "http://@.example/@", "@/../@", "x:@?@", "mailto:@?@",
             "ws://h/?@", "/@?@"]

SRCSETS = ["{0} 1x, {1} 2x", "{0}, {1}", "{0},{1} 2x", "{0} 1x,{1}", ", {0} ,, {1} 2x,", "{0} (a,b) 1x, {1}",
           "{0} (a, {1}", "{0} 1x 2w, {1} z",
           "\n{0}\t100w,\n{1}\t200w", "{0},, {1}", "{0} ,{1}", ",,,", "", "{0} 1x)(, {1}"]

REFRESHES = ["5;url={}", "0; URL = {}", "5,{}", "5 {}", "5;'{}'x", '5;url="{}" y', "5", "5;", "5.5.;url={}", ";{}",
             "x;{}", " 5 ; {}",
             "5;urlx={}", "5 url={}", "5;url '{}'", "-1;url={}", "5;\nurl\n=\n{}", "5;url='{}", "5x{}", "5;URL={}#"]

# Elements with attributes that hold URLs.
LINKS = {
    "a": ["href", "href", "ping"], "area": ["href", "ping"], "link": ["href", "imagesrcset"],
    "applet": ["archive", "codebase"],
    "img": ["src", "srcset", "longdesc", "usemap", "lowsrc", "dynsrc", "data-src", "data-srcset"],
    "image": ["src", "srcset"], "audio": ["src"], "embed": ["src", "code"], "track": ["src"], "bgsound": ["src"],
    "source": ["src", "srcset", "data-src", "data-srcset"], "video": ["src", "poster"], "frame": ["src", "longdesc"],
    "iframe": ["src", "longdesc", "data-src"],
    "input": ["src", "formaction", "usemap"], "button": ["formaction"], "form": ["action"], "isindex": ["action"],
    "blockquote": ["cite"], "q": ["cite"], "ins": ["cite"], "del": ["cite"],
    "object": ["data", "usemap", "classid", "codebase", "archive"], "body": ["background"], "html": ["manifest"],
    "head": ["profile"], "command": ["icon"], "menuitem": ["icon"], "script": ["src"],
    **{name: ["background"] for name in "table col colgroup thead tbody tfoot tr td th".split()},
}
LISTS = ("ping", "archive")
CANDIDATES = ("srcset", "imagesrcset", "data-srcset")
BLOCKS = """div p span b i em strong a a a font nobr button li ul ol dl dd dt h1 h2 pre table table tr td th tbody
caption colgroup col form select option optgroup select body html head section details summary ruby rt rp u small center
address marquee object applet my-element figure label fieldset textarea keygen hr br wbr input img img img image area
link meta source track embed param""".split()
FOREIGN = """svg svg g path a a image use use script style title desc foreignObject textPath linearGradient pattern
mpath animate animateMotion set feImage filter font p div table td mask marker metadata switch text b img""".split()
MATH = """math math mi mo mn ms mtext annotation-xml annotation-xml mglyph malignmark mrow mstyle semantics svg p b a
table""".split()
RAW_TEXT = "script style title textarea xmp iframe noembed noframes noscript".split()


class Document:
    """A document while it is made."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.lines = []
        self.number = 0
        self.open = []
        self.depth = 0
        self.header = None
        self.charset = None
        self.is_declared = True
        self.characters = ""

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def one_of(self, things):
        return self.random.choice(things)

    # references

    def reference(self):
        """A reference, as the value of an attribute."""
        kind = self.random.random()
        if kind < 0.12:
            text = self.one_of(SPACED)
        elif kind < 0.3 and (self.characters or self.chance(20)):
            places = self.one_of(NON_ASCII).split("@")
            text = places[0] + "".join(self.character() + place for place in places[1:])
        else:
            text = self.one_of(REFERENCES)
            if self.chance(10):
                text += self.one_of(REFERENCES)
        return text

    def character(self):
        if self.chance(6) and self.characters:
            return chr(RAW + self.random.randrange(0x80, 0x100))
        if self.chance(75) and self.characters:
            return self.one_of(self.characters)
        return self.one_of(ANY)

    def value(self, attribute):
        """The value of an attribute that holds URLs."""
        if attribute in CANDIDATES:
            return self.one_of(SRCSETS).format(self.reference(), self.reference())
        if attribute in LISTS and self.chance(50):
            return self.reference() + self.one_of([" ", ",", " , ", "\n"]) + self.reference()
        return self.reference()

    # tags

    def written(self, value):
        """An attribute's value with its quotes, perhaps with character references."""
        kind = self.random.random()
        quote = '"' if kind < 0.6 else "'" if kind < 0.8 else ""
        text = ""
        for character in value:
            kind = self.random.random()
            code = ord(character)
            if RAW <= code < RAW + 0x100:
                text += character
            elif character == quote or character == "&" and kind < 0.5 or kind < 0.02:
                named = {"&": ["&amp;", "&AMP", "&#38;"], '"': ["&quot;", "&quot"], "/": ["&sol;"], "#": ["&num;"],
                         "é": ["&eacute"],
                         "<": ["&lt"], "\n": ["&NewLine;"], "?": ["&quest;"], ":": ["&colon;"]}
                text += self.one_of([f"&#{code};", f"&#x{code:X};", f"&#x{code:x};"] + named.get(character, []))
            elif not quote and (character in "\t\n\f\r >" or not text and character in "\"'"):
                text += f"&#{code};"
            else:
                text += character
        if self.chance(2):
            text += self.one_of(["&copy", "&copy=1", "&notit;", "&not=", "&lang=x", "&#0;", "&#128;", "&#xD800;", "&x;",
                                 "&", "&#", "&#x", "&amp;amp;", "&ampx"])
        if not quote and not text:
            quote = '"'
        if self.chance(0.4):
            text += "\0"
        space = self.one_of([" ", "\n", "\t"]) if self.chance(4) else ""
        return f"={space}{quote}{text}{quote}"

    def cased(self, name):
        return name.upper() if self.chance(4) else name

    def tag(self, name, attributes=(), end=None):
        """Adds a start tag with its number: `attributes` are names and values as written."""
        self.number += 1
        pieces = [f"{attribute}{value}" for attribute, value in attributes]
        separators = [self.one_of([" ", " ", " ", "\n", "/", "\t "]) for _ in pieces]
        if end is None:
            end = "/>" if self.chance(6) else " />" if self.chance(3) else ">"
        # a slash after an unquoted value would be in it
        joined = "".join((" " if separator == "/" and not (index and pieces[index - 1][-1] in "\"'") else separator)
                         + piece
                         for index, (separator, piece) in enumerate(zip(separators, pieces)))
        if end == "/>" and pieces and pieces[-1][-1] not in "\"'":
            end = " />"
        self.lines.append(f"<{self.cased(name)} data-n={self.number}{joined}{end}")

    def element(self, name):
        """Adds the start tag of an element, with some of its links."""
        names = LINKS.get(name, [])
        chosen = [self.one_of(names) for _ in range(self.random.randrange(1, 3))] if names and self.chance(85) else []
        if name == "object" and self.chance(50):
            chosen = ["data"]
        if self.chance(3):
            chosen.append(self.one_of(["itemid", "itemtype", "HREF", "src", "background", "cite", "srcset", "style",
                                       "href"]))
        if self.chance(97):
            chosen = list(dict.fromkeys(attribute.lower() for attribute in chosen))
        attributes = [(self.cased(attribute), self.written(self.value(attribute)) if self.chance(98) else "")
                      for attribute in chosen]
        if name in ("input", "font", "link") and self.chance(60):
            attributes.append({"input": ("type", self.one_of(["=image", "=hidden", "=text"])),
                               "font": ("color", "=red"),
                               "link": ("rel", "=icon")}[name])
        self.random.shuffle(attributes)
        self.tag(name, attributes)
        self.open.append(name)

    def foreign(self, name, language):
        """Adds the start tag of an element of SVG or MATH, or of what ends it."""
        attributes = []
        for attribute in self.random.sample(["href", "xlink:href", "src", "encoding", "color", "HREF", "itemid"], 2):
            if attribute == "encoding":
                attributes.append((attribute, self.one_of(["=text/html", '="TEXT/HTML"', "=application/xhtml+xml",
                                                           "=text/xml"])))
            elif attribute == "color":
                attributes += [("color", "=red")] if self.chance(20) else []
            elif self.chance(50):
                attributes.append((attribute, self.written(self.reference())))
        self.tag(name, attributes, self.one_of(["/>", " />"]) if self.chance(30) and not attributes else None)
        self.open.append(name)

    def end(self):
        """Adds an end tag: mostly of an open element."""
        if self.open and self.chance(85):
            place = len(self.open) - 1 - min(int(self.random.expovariate(1.2)), len(self.open) - 1)
            name = self.open[place]
            del self.open[place if self.chance(30) else slice(place, None)]
        else:
            name = self.one_of(BLOCKS + FOREIGN + MATH + RAW_TEXT + ["template", "frameset", "p", "br"])
        self.lines.append(f"</{self.cased(name)}{self.one_of(['', '', '', ' ', ' href=x', '/'])}>")

    def base(self):
        value = self.written(self.one_of(BASES) if self.chance(60) else self.reference())
        attributes = [("href", value)] if self.chance(92) else [("target", "=x")]
        if self.chance(5):
            attributes.append(("href", "=/second/"))
        self.tag("base", attributes)

    def refresh(self):
        equiv = self.one_of(["refresh"] * 6 + ["Refresh", "REFRESH", '" refresh"', '"refresh "', "refreſh",
                                               "content-type", "x"])
        content = self.one_of(REFRESHES).format(self.reference())
        attributes = [("http-equiv", f"={equiv}"), ("content", self.written(content))]
        self.random.shuffle(attributes)
        self.tag("meta", attributes)

    def raw_text(self):
        """Adds an element whose content is text: what looks like a tag in it is not one."""
        name = self.one_of(RAW_TEXT)
        if name in LINKS:
            self.element(name)
        else:
            self.tag(name, end=">" if self.chance(95) else "/>")
            self.open.append(name)
        if self.chance(60):
            self.lines.append(self.one_of(["<!--", "<!-- <script>", "<!--><script></script>", "-->", "</scrip",
                                           "</title x", "<!-- </style>", "&lt;/title&gt;"]))
        for _ in range(self.random.randrange(0, 3)):
            self.one_of([self.base, self.anchor, self.refresh])()
        if self.chance(92):
            self.lines.append(f"</{name}{self.one_of(['', '', ' ', '/', ' x=1'])}>")
            self.open.pop()

    def anchor(self):
        self.element(self.one_of(["a", "a", "img", "link", "q"]))

    def srcdoc(self):
        """Adds an IFRAME with a document in it."""
        if self.depth == 2:
            return
        outer = self.lines, self.open
        self.lines, self.open, self.depth = [], [], self.depth + 1
        self.number += 1
        number = self.number
        for _ in range(self.random.randrange(1, 6)):
            self.item()
        inner = "\n".join(self.lines)
        (self.lines, self.open), self.depth = outer, self.depth - 1
        quote = self.one_of("\"'")
        inner = inner.replace("&", "&amp;").replace(quote, "&quot;" if quote == '"' else "&#39;")
        if self.chance(30):
            inner = inner.replace("<", "&lt;")
        source = f" src{self.written(self.reference())}" if self.chance(20) else ""
        self.lines.append(f"<iframe data-n={number}{source} srcdoc={quote}\n{inner}{quote}>")
        self.lines.append("</iframe>")

    def other(self):
        """Adds what is neither a start tag nor an end tag, or is broken."""
        self.number += 1
        self.lines.append(self.one_of([
            "<!-- <a href=c> -->", "<!--><i>-->", "<!--->", "<!-- -- <b --!>", "<!-", "<!doctype html>",
            "<!DOCTYPE html PUBLIC '><i>", "<?php <a ?>", "<?xml version='1.0'?>",
            "</ x>", "</>", "<>", "< a href=x>", "<3", "<![CDATA[ <a href=c> ]]>", "<![CDATA[ x", "]]>", "x",
            "x &amp; y", "x", "&lt;a href=x&gt;", "</p>", "</br>",
            f"<a data-n={self.number}", ">", f'<b data-n={self.number} x="', '">', f"<a data-n={self.number} /", "\0",
            "<b\0>", "x\0y", "<!ENTITY x>", "<!--\n<base href=/c/>\n-->", "--!>"]))

    def frameset(self):
        self.tag("frameset")
        self.open.append("frameset")
        for _ in range(self.random.randrange(1, 8)):
            kind = self.random.random()
            if kind < 0.5:
                self.element("frame")
            elif kind < 0.6:
                self.base()
            elif kind < 0.8:
                self.raw_text()
            elif kind < 0.9:
                self.item()
            else:
                self.lines.append("</frameset>")

    def item(self):
        """Adds one thing."""
        kind = self.random.random() * 100
        inside = next((name for name in reversed(self.open) if name in ("svg", "math", "foreignObject", "desc")), None)
        if inside in ("svg", "math") and kind < 45:
            self.foreign(self.one_of(FOREIGN if inside == "svg" else MATH), inside)
        elif kind < 34:
            self.element(self.one_of(list(LINKS)) if self.chance(55) else self.one_of(BLOCKS))
        elif kind < 56:
            self.end()
        elif kind < 60:
            self.base()
        elif kind < 65:
            self.foreign("svg", "svg")
        elif kind < 68:
            self.foreign("math", "math")
        elif kind < 71:
            self.tag("template")
            self.open.append("template")
        elif kind < 74:
            self.refresh()
        elif kind < 81:
            self.raw_text()
        elif kind < 84:
            self.srcdoc()
        elif kind < 85:
            self.frameset()
        elif kind < 85.4:
            self.tag("plaintext")
        else:
            self.other()

    # the charset

    def declare(self, label):
        """Adds what names a charset."""
        name = self.one_of([label, label, label, label.upper(), f" {label} "])
        quoted = self.one_of(["charset={}", "charset = {}", "charset='{}'", "CHARSET={} ", "charset charset={}",
                              "charset={};x", 'charset="{}"', ";charset={}"]).format(label)
        value = self.written_plain(f"{self.one_of(['text/html; ', 'text/html;', '', 'x '])}{quoted}")
        kind = self.random.random()
        if kind < 0.5:
            self.tag("meta", [("charset", self.written_plain(name))])
        elif kind < 0.9:
            attributes = [("http-equiv", self.one_of(["=content-type", "=Content-Type", '="CONTENT-TYPE"'])),
                          ("content", value)]
            self.random.shuffle(attributes)
            self.tag("meta", attributes)
        elif not self.lines:
            self.lines.append(f'<?xml version="1.0" encoding="{label}"?>')
        else:
            self.tag("meta", [("charset", f"={label}")])

    def written_plain(self, value):
        quote = "'" if '"' in value else '"'
        return f"={quote}{value}{quote}"

    def decoy(self):
        """Adds what looks as if it named a charset, and may."""
        label = self.one_of(list(CHARSETS))
        self.lines.append(self.one_of([
            f"<!-- <meta charset={label}> -->", f"<title><meta charset={label}></title>",
            f"<script>'<meta charset={label}>'</script>", f"<meta content='charset={label}'>",
            f"<meta http-equiv=' content-type' content='charset={label}'>",
            f"<meta http-equiv=content-type content='charset=\"{label}'>", f"</meta charset={label}>",
            f"<metax charset={label}>",
            "<meta charset=nothing>", f"<style><meta charset={label}></style>",
            f"<noscript><meta charset={label}></noscript>", "<meta name=x charset=''>", f"<?x <meta charset={label}>",
            f"<a title='<meta charset={label}>'>", f"<template><meta charset={label}></template>",
            f"<svg><meta charset={label}></svg>", "<div>", f"<meta/charset={label}>", "<meta charset=utf-16>",
            f"<meta charset={label} charset=nothing>", f"<textarea><meta charset={label}></textarea>", "<body>"]))

    def make(self):
        """Makes the document. Returns its lines as bytes."""
        kind = self.random.random() * 100
        codec, mark = "ascii", b""
        often = ["utf-8"] * 4 + ["windows-1252"] * 3 + ["iso-8859-1", "koi8-r", "shift_jis"] * 2
        label = self.one_of([*CHARSETS, *often])
        if kind >= 25:
            codec, self.characters = CHARSETS[label]
            self.characters = self.characters or chr(RAW + 0xE9)
        if self.chance(30):
            self.lines.append(self.one_of(["<!DOCTYPE html>", "<!-- x -->", "",
                                           "<!doctype html public '-//W3C//DTD HTML 3.2//EN'>"]))
        if kind < 25 or kind >= 92:
            self.is_declared = False
        elif kind < 68:
            self.lines *= self.chance(50)
            if self.chance(10):
                self.decoy()
            self.declare(label)
            if self.chance(10):
                self.declare(self.one_of(list(CHARSETS)))
        elif kind < 80:
            self.header = label
            if self.chance(20):
                self.declare(self.one_of(list(CHARSETS)))
        elif kind < 86:
            codec, mark, self.characters = "utf-8", b"\xef\xbb\xbf", ANY
            if self.chance(40):
                self.declare(self.one_of(list(CHARSETS)))
            if self.chance(30):
                self.header = label
        else:
            codec, self.characters = self.one_of(["utf-16-le", "utf-16-be"]), ANY
            if self.chance(80):
                mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}[codec]
            else:
                self.header = codec.replace("-le", "le").replace("-be", "be")
        if self.chance(4):
            self.frameset()
        for _ in range(self.random.randrange(3, 30)):
            self.item()
        lines = [written(line, codec) for line in self.lines]
        lines[0] = mark + lines[0]
        end = self.one_of(["\n"] * 8 + ["\r\n", "\r"]).encode(codec)
        return [line + end for line in lines]


BASES = ["/b/", "b/", "http://h10/b/", "//h11/b/", "?b", "", "#b", "../b/", "http:b/", "\\b\\", "data:,x",
         "javascript:x", " /b/ ", "http://a:b/", "mailto:x",
         "x:/b/", "x:b", "http://h12", "file:///b/", "b;p?q#f", "http://h13/@?@", "/b^/", "about:blank", "https:b",
         "//", "\x01javascript:x", "ht\ttp://h14/", "1:2/"]


def written(line, codec):
    """The bytes of a line: what its charset lacks becomes a character reference, U+F7NN the byte NN."""
    pieces = [b""]
    for character in line:
        code = ord(character)
        if RAW <= code < RAW + 0x100:
            pieces.append(bytes([code - RAW]) * (2 if codec.startswith("utf-16") else 1))
            continue
        pieces.append(character.encode(codec, "xmlcharrefreplace"))
    return b"".join(pieces)


def document(seed, number):
    """Returns the lines of a document, the charset in its HTTP header, and whether it names one itself or there."""
    made = Document(seed, number)
    lines = made.make()
    return lines, made.header, made.is_declared
