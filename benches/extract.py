#!/usr/bin/python3
"""extract.py DOCDIR > out.tsv : BASE<TAB>REF for every link attribute, in document order.

DOCDIR/<package>/ is a `dpkg -x` tree. The .html files of each package are walked in sorted order (symlinks skipped), parsed
with lxml's HTML parser, and the attribute values printed raw (not trimmed, entities decoded), UTF-8.
BASE = http://docs.example.org/<package>/<path inside the doc dir>, percent-encoded where needed.
Refs containing TAB, LF, CR or NUL are skipped. <base href> is NOT applied (counted on stderr).
"""
import os
import re
import sys
from multiprocessing import Pool
from urllib.parse import quote

from lxml import etree

ATTRS = {"href", "src", "action", "cite", "data", "longdesc", "background", "poster", "formaction", "usemap", "codebase",
         "classid", "profile", "manifest", "icon", "lowsrc", "dynsrc", "archive", "srcset"}
TOP = re.compile(r"usr/(?:share|lib)/(?:doc/[^/]+/|gtk-doc/|[^/]+/)")


def refs_of(el):
    for k, v in el.attrib.items():
        k = k.lower()
        if k not in ATTRS or (k == "data" and el.tag != "object") or (k == "icon" and el.tag != "command"):
            continue
        if k == "srcset":
            for cand in v.split(","):
                cand = cand.split()
                if cand:
                    yield cand[0]
        else:
            yield v


def one(job):
    path, base = job
    with open(path, "rb") as f:
        data = f.read()
    out, skipped, bases = [], 0, 0
    if not data.strip():
        return "", 0, 0, 0
    m = re.search(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", data[:2048])
    enc = m.group(1).decode() if m else "utf-8"
    try:
        parser = etree.HTMLParser(encoding=enc, huge_tree=True)
    except LookupError:
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    root = etree.fromstring(data, parser)
    if root is None:
        return "", 0, 0, 0
    for el in root.iter(etree.Element):
        if el.tag == "base" and el.get("href"):
            bases += 1
        for r in refs_of(el):
            if any(c in r for c in "\t\n\r\0"):
                skipped += 1
            else:
                out.append(base + "\t" + r)
    return "".join(l + "\n" for l in out), len(out), skipped, bases


def jobs(top):
    for pkg in sorted(os.listdir(top)):
        files = []
        pdir = os.path.join(top, pkg)
        for d, _, names in os.walk(pdir):
            for n in names:
                p = os.path.join(d, n)
                if (n.endswith(".html") or n.endswith(".htm")) and not os.path.islink(p):
                    files.append(p)
        for p in sorted(files):
            rel = TOP.sub("", os.path.relpath(p, pdir), count=1)
            yield p, "http://docs.example.org/" + pkg + "/" + quote(rel, safe="/~!$&'()*+,;=:@")


def main():
    total = skipped = bases = pages = 0
    with Pool(2) as pool:
        for text, n, s, b in pool.imap(one, jobs(sys.argv[1]), chunksize=16):
            sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
            total, skipped, bases, pages = total + n, skipped + s, bases + b, pages + 1
    print("pages %d refs %d skipped(ctl) %d <base> %d" % (pages, total, skipped, bases), file=sys.stderr)


if __name__ == "__main__":
    main()
