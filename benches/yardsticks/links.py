#!/usr/bin/env python3
"""links.py BASE FILE...: the links of pages, or of the HTML in mailboxes, by lxml and Python's email."""
import email.policy
import mailbox
import sys
from email.parser import BytesParser

import lxml.html

POLICY = email.policy.default


def pages(path):
    if not path.endswith(".mbox"):
        with open(path, "rb") as file:
            yield file.read()
        return
    for mail in mailbox.mbox(path, factory=BytesParser(policy=POLICY).parse):
        for part in mail.walk():
            if part.get_content_type() == "text/html":
                yield part.get_payload(decode=True)


for name in sys.argv[2:]:
    for text in pages(name):
        page = lxml.html.fromstring(text)
        page.make_links_absolute(sys.argv[1])
        sys.stdout.writelines(link + "\n" for _, _, link, _ in page.iterlinks())
