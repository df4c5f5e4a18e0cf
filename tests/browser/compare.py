"""The links of documents by absurl and by Chromium, and how they differ."""

import collections
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
URL = "http://r.example/d/p"

# A link: the number of its tag in a generated document, its element and attribute, its URL (None if it is invalid)
# and, by absurl, the reference.
Link = collections.namedtuple("Link", "n element attribute url reference")
Answer = collections.namedtuple("Answer", "base links")


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


READER = read("links.js")


def quirks():
    """The differences that have a name: it, where it is seen, and how."""
    for line in read("quirks.tsv").splitlines():
        if not line.startswith("# "):
            name, where, pattern, _ = line.split("\t")
            yield name, where, re.compile(pattern, re.DOTALL | re.IGNORECASE)


def by_absurl(program, files, charset, url=URL):
    """What absurl answers for files with that charset in their HTTP header: a dictionary from names to answers."""
    media_type = "text/html" + (f"; charset={charset}" if charset else "")
    options = ["--json", "--quiet", "--spec", "whatwg", "--base", url, "--media-type", media_type]
    answers = {name: Answer(None, []) for name in files}
    for task in ["--print-base", "--links"]:
        run = subprocess.run([program, task, *options, "--", *files], capture_output=True, check=False)
        if run.returncode not in (0, 1):
            raise RuntimeError(f"{program}: {run.stderr.decode(errors='replace')}")
        for line in run.stdout.splitlines():
            record = json.loads(line)
            answer = answers[record["source"]]
            if task == "--print-base":
                answers[record["source"]] = answer._replace(base=record["base"])
                continue
            # the line, until the numbers of the tags are known
            place = record["line"], record["element"], record["attribute"]
            answer.links.append(Link(*place, record.get("url"), record.get("reference")))
    return answers


def by_chromium(chromium, document, charset, url=URL):
    """What Chromium answers: also whether its first BASE is invalid, its charset, and the numbers of the tags."""
    chromium.open(url, document, charset)
    answer = chromium.evaluate(READER)
    links = [Link(link["n"], link["element"], link["attribute"], link["url"],
                  link.get("property")) for link in answer["links"]]
    return Answer(answer["base"], links), answer


def numbered(links, document):
    """absurl's links with the numbers of their tags instead of their lines: that of the last tag that starts there
    or before."""
    text = document.replace(b"\0", b"")  # of UTF-16
    numbers = [None]
    for line in re.split(rb"\r\n|\r|\n", text):
        number = re.search(rb"data-n=(\d+)", line)
        numbers.append(int(number[1]) if number else numbers[-1])
    return [link._replace(n=numbers[link.n]) for link in links]


def key(link):
    """What has to be equal. IMAGE is IMG in browsers."""
    return "img" if link.element == "image" else link.element, link.attribute, link.url


def take(links, is_wanted):
    """Takes the first wanted link out of a list."""
    found = next((link for link in links if is_wanted(link)), None)
    if found:
        links.remove(found)
    return found


def differences(absurl, chromium, present):
    """How the links of a document differ: pairs of links, of which one may be missing, and the number of links that
    absurl lists of tags that the browser's parser dropped. `present` are the numbers of the tags in its tree."""
    groups = collections.defaultdict(lambda: ([], []))
    present = set(present)
    for side, links in enumerate([absurl, chromium]):
        for link in links:
            groups[link.n][side].append(link)
    numbers = [link.n for link in absurl if link.n]
    pairs = [(absurl[0], None)] if numbers != sorted(numbers) else []
    ours, theirs = [], []
    for here, there in groups.values():
        if [key(link) for link in here] == [key(link) for link in there]:
            continue
        here, there = list(here), list(there)
        both = [link for link in here if take(there, lambda other, link=link: key(other) == key(link))]
        for link in both:
            here.remove(link)
        if both and not here and not there:
            # only the order is another
            pairs.append((both[0], None))
        ours += here
        theirs += there
    # a second BODY's attributes go to the first one; a broken tag may have two numbers
    for link in list(theirs):
        if take(ours, lambda other: key(other) == key(link)):
            theirs.remove(link)
    dropped = [link for link in ours if link.n is not None and link.n not in present]
    for link in ours:
        if link not in dropped:
            same = take(theirs, lambda other: other.n == link.n and key(other)[:2] == key(link)[:2])
            pairs.append((link, same))
    return pairs + [(None, link) for link in theirs], len(dropped)
