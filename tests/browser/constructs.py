"""Makes pages that request something from the host `e`, where a reader may not look: the same ones for the same seed.

A page is a carrier in two to four contexts. Whether the carrier is hidden there is for the browser to decide.
"""

import html
import random
import re

# Elements that a browser reads in a way of their own, from the outside to the inside.
RAW = """
title style textarea xmp noscript noembed noframes iframe script plaintext noscript/title noscript/style noembed/xmp
""".split()
FOREIGN = """
svg svg svg/title svg/title svg/desc svg/foreignObject svg/g svg/style svg/style svg/script svg/clipPath svg/textarea
svg/linearGradient svg/a svg/noscript svg/xmp svg/iframe svg/noembed svg/p svg/font svg/template svg/foreignObject/math
math math math/mi math/mtext math/ms/mglyph math/mo/malignmark math/annotation-xml math/annotation-xml/svg math/style
math/title math/xmp math/textarea math/noframes
""".split()
TREES = """
template table table/tr/td table/caption table/colgroup table/template table/select frameset select
select/option select/optgroup select/svg select/template button/select noscript/svg p b a/b form object video
ruby/rt nobr/nobr marquee dialog head body/head custom-element custom-element-aa custom-element-aa/svg ul/li/dl/dd
a-custom-element-with-a-long-name a-custom-element-with-a-long-name/math button/button h1/h2 details/summary
""".split()
# Attributes that some of them need, or may have.
ATTRIBUTES = {
    "template": [" shadowrootmode=open", " shadowrootmode=closed", ' ShadowRootMode="Open"', ""],
    "annotation-xml": [" encoding=text/html", ' encoding="APPLICATION/XHTML+XML"', " encoding=x", ""],
    "font": ["", " color=x"],
    "dialog": [" open"],
    "details": [" open"],
}
ANY_ATTRIBUTES = [""] * 30 + [' title="<!--"', " title='</svg>'", ' x="', " /", " a<b", " x=></x>", ' x=">"']
# What is around the carrier, with | in its place.
ODD = """
<!---->|<!---->   <!-->|-->   <!--->|-->   <!--x--!>|-->   <!--<!---->|-->   <!--x-->|<!x>   <!x>|<?x?>   </>|<?x>
</ x>|<!-->   <![CDATA[|]]>   <![CDATA[>|]]>   <![CDATA[x]]>|<!>   <svg><![CDATA[</svg>|]]></svg>
<script><!--</script>|<!---->   <script><!--<script></script>|--></script>   </p>|</br>   <br/>|</br>
<title></title/>|<title></title x="</title>">   <title></titlex></title>|   <style></style\t>|   <xmp></XMP>|
<select><input>|</select>   <svg></p>|</svg>   <math></br>|</math>   <svg/>|   <style/>|</style>   <title/>|</title>
<svg><title/>|</svg>   <table><input type=hidden>|</table>   <body><frameset>|</frameset>   <iframe></iframe>|
<clipPath><svg></clipPath>|   <noscript><svg></noscript>|   <select><svg></select>|   <p><svg></p>|   <b><p></b>|
<custom-element-of-a-name><svg></custom-element-of-another>|   <select><input><svg>|   <FOREIGNOBJECT><math></x>|
<noscript><p></noscript><svg>|   <table><td><svg></table>|   <a><svg></a>|   <linearGradient><svg></linearGradient>|
<img alt="<title>">|   <p title='<!--'>|   <title>&lt;/title></title>|   <textarea><!--</textarea>|
""".strip()
ODD = [odd.split("|") for odd in re.split(r"   |\n", ODD)]
DEEP = ["div", "b", "font", "svg", "custom-element"]
ENDS = "</p> </svg> </math> </select> </table> </title> </noscript> </template> </body> </x>".split()

# What requests a URL: @NAME is an attribute with it, $ a style sheet.
CARRIERS = """
<img @src>   <img @srcset>   <image @src>   <picture><source @srcset><img></picture>   <input type=image @src>
<video @poster></video>   <video @src></video>   <audio @src></audio>   <video><source @src></video>
<video src=x><track default @src></video>   <iframe @src></iframe>   <embed @src>   <object @data></object>
<script @src></script>   <script type=module @src></script>   <body @background>   <table @background></table>
<frame @src>   <link rel=stylesheet @href>   <link rel="x StyleSheet" @href>   <link rel=preload as=image @href>
<link rel=preload as=image @imagesrcset>   <link rel=preload as=style @href>   <link rel=preload as=script @href>
<link rel=modulepreload @href>   <link rel=prefetch @href>   <svg><image @href /></svg>   <svg><feImage @href /></svg>
<svg><image @xlink:href /></svg>   <svg><script @href></script></svg>   <svg><script @xlink:href /></svg>
<p><a href=x @ping>x</a>   <p @style>   <p @style>   <b @style>x</b>   <svg @style></svg>   <svg><g @fill></g></svg>
<style>$</style>   <style>$</style>   <style>$</style>   <svg><style>$</style></svg>   <style type="text/CSS">$</style>
<meta http-equiv=refresh @content>   <meta @content http-equiv=Refresh>   <meta http-equiv="&#114;efresh" @content>
<svg><image><set attributeName=href @to /></image></svg>
<svg><image><animate attributeName=href dur=9s @values /></svg>
<svg><image><animate attributeName=href dur=9s @from to=x /></svg>   <svg><feImage><set attributeName=href @to /></svg>
<svg><image><set attributeName=xlink:href @to /></svg>
<svg><image><animate attributeName=href dur=9s from=x @to /></svg>
"""
CARRIERS = re.split(r"   |\n", CARRIERS.strip())
URLS = r"""
//e/   //e/   http://e/   https://e/x   \\e\x   /\e/   ///e/   HTTP://e/   http:\\e/   https:e/   //e:80/
""".strip().split("   ")
URLS += [" //e/", "\n//e/", "\1//e/", "/\t/e/", "ht\ntp://e/"]
# Values of attributes, with $ in the place of the URL.
SETS = ["$", "$ 1x", "a 2x,$ 1x", ",$ 2w", "a 1x, , $ 9x", "$ 1x, a (,) 2x"]
VALUES = {
    "srcset": SETS,
    "imagesrcset": SETS,
    "ping": ["$", "a $", "a\n$ b"],
    "values": ["$", "a;$", " a ; $ ;b", "$;a"],
    "from": ["$", "$;x", "//h;.e/"],
    "to": ["$", "$", " $ ", "$;x", "//h;.e/"],
    "fill": ["url($#x)", "url('$') none"],
}
VALUES["content"] = """
0;url=$   0;URL='$'   0; url="$"x   0;$   0,$   0 $   0;url = $   0;url='$   0;url=$'   0;url='$'y   0;url='//h'@e/'
0;url="//h"@e/   0;url="//h'@e/"   0;url=<3000>$   0;url=<2028>'$'   <a0>0;url=$   0;<b>url=$   0;url='<1680>$<2003>'
0;;url=$   0.;url=$   0;url=<2009>//h"@e/   0;url='$<2000>'x   0;url=''$   0;urlx=$
"""
VALUES["content"] = re.sub(r"<(\w+)>", lambda code: chr(int(code[1], 16)), VALUES["content"].strip())
VALUES["content"] = re.split(r"   |\n", VALUES["content"])
VALUES["style"] = r"""
background:url($)   background:URL( '$' )   background:u\72l($)   background:image-set('$' 1x)   list-style:url("$")
--u:'$';background:image-set(var(--u) 1x)   --u:url($);background:var(--u)   border-image:url($)   mask-image:url($)
--u:'\1 $';background:image-set(var(--u) 1x)   background:-webkit-image-set(url($) 1x)   background:url(x),url($)
x:(;background:red);background:url($)   --u:"\9 $";background:image-set(var(--u) 1x)   /*/**/background:url($)
x:'(';background:url($)   display:list-item;list-style:url($)   --u:'\1 https:e/';background:image-set(var(--u) 1x)
content:url($)
"""
VALUES["style"] = re.split(r"   |\n", VALUES["style"].strip())
SHEETS = r"""
@import '$';   @IMPORT"$";   @import url($);   @import $ ;   @\69mport '$';   @import/**/url( $ )screen;
<!--@import '$';-->   @charset "x;@import '$';";   @layer "x;@import url($);";   @import url(a b;@import "$";
@charset 'x';@import '$';   @layer x;@import '$' layer(x);   /*/@import 'a';/**/@import '$';
@import 'a';@import '$'   @charset 'x'x;@import url("$   @import url('$'
@font-face{font-family:f;src:url($)}*{font:1em f}
"""
SHEETS = re.split(r"   |\n", SHEETS.strip())


class Maker:
    """Makes one page."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed} {number}")
        self.one_of = self.random.choice

    def chance(self, share):
        """True for this share of the calls."""
        return self.random.random() < share

    def page(self):
        """A carrier in contexts."""
        # P ends foreign content
        page = self.one_of(["", "<p>"]) + self.carrier()
        for _ in range(self.random.randint(2, 4)):
            page = self.context(page)
        return self.one_of(["", "<!doctype html>"]) + page

    def context(self, page):
        """A page in something else."""
        kind = self.random.random()
        if kind < 0.02:
            return f"<{self.one_of(DEEP)}>" * self.one_of([300, 511, 600]) + page
        if kind < 0.07:
            return f'<iframe srcdoc="{html.escape(page)}"></iframe>'
        if kind < 0.3:
            opening, closing = self.one_of(ODD)
            # raw text, unless the browser is still in foreign content
            is_raw = self.chance(0.5) and ("<svg>" in opening or "<math>" in opening)
            return opening + (self.element(self.one_of(RAW), page) if is_raw else page) + closing
        outer, inner = self.one_of(FOREIGN), self.one_of(RAW)
        kinds = [outer] * 2 + [f"{outer}/{inner}"] * 3 + [inner] + [self.one_of(TREES)] * 4
        return self.element(self.one_of(kinds), page)

    def element(self, names, page):
        """A page in elements, from the outside to the inside."""
        names = names.split("/")
        opening = "".join(map(self.start, names))
        closing = "".join(f"</{self.cased(name)}>" for name in reversed(names))
        if self.chance(0.15):
            page = self.one_of(ENDS) + page
        if self.chance(0.1):
            closing = self.one_of(ENDS) + closing
        # what ends before a page may change how the page is read
        return opening + closing + page if self.chance(0.1) else opening + page + closing

    def start(self, name):
        """A start tag."""
        return f"<{self.cased(name)}{self.one_of(ATTRIBUTES.get(name, ANY_ATTRIBUTES))}>"

    def cased(self, name):
        """A name, sometimes in capitals."""
        return name.upper() if self.chance(0.1) else name

    def carrier(self):
        """Something that requests a URL."""
        carrier = re.sub(r"@([\w:]+)", lambda name: self.attribute(name[1]), self.one_of(CARRIERS), count=1)
        return carrier.replace("$", self.one_of(SHEETS).replace("$", self.one_of(URLS)))

    def attribute(self, name):
        """An attribute with a URL, sometimes after another of its name."""
        value = self.one_of(VALUES.get(name, ["$"])).replace("$", self.one_of(URLS))
        value = html.escape(value).encode("ascii", "xmlcharrefreplace").decode()
        if self.chance(0.2):
            value = value.replace("//", "&#47;/")
        first = name + self.one_of(["", "=''", "=' '", "=,", "=a"]) + " " if self.chance(0.15) else ""
        return f'{first}{self.cased(name)}="{value}"'


def rows(count, seed):
    """Rows as those of a table: the name, the document, no further columns."""
    return [("a.html", Maker(seed, number).page().encode(), []) for number in range(count)]
