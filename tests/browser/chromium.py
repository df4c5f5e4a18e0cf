"""Chromium without a window, spoken to over pipes in the DevTools protocol: JSON messages that end in NUL."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

# Scripts do not run, so NOSCRIPT is parsed as HTML and no page changes itself; nothing is loaded, nothing navigates.
POLICY = "sandbox allow-same-origin; default-src 'none'"

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # frames from other hosts are in the page's process, so that their requests are seen
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process",
    "--remote-debugging-pipe",
]


class Chromium:
    """One tab, used for one document after the other."""

    def __init__(self, program, flags=()):
        self.profile = tempfile.mkdtemp(prefix="absurl-chromium-")
        commands, self.writer = os.pipe()
        self.reader, answers = os.pipe()

        def use_pipes():
            # the protocol's numbers; both may be in use here
            commands_high, answers_high = os.dup(commands), os.dup(answers)
            os.dup2(commands_high, 3)
            os.dup2(answers_high, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, *flags, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=use_pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.version = self.call("Browser.getVersion")["product"]
        tab = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.call("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def send(self, method, **params):
        """Sends a command. Returns its number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writer, data) :]
        return self.number

    def receive(self):
        """Returns the next answer or event."""
        while b"\0" not in self.buffer:
            block = os.read(self.reader, 1 << 20)
            if not block:
                raise RuntimeError("Chromium has ended")
            self.buffer += block
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **params):
        """Sends a command and returns its result."""
        number = self.send(method, **params)
        while True:
            message = self.receive()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def open(self, url, document, charset=None):
        """Opens a document, given as bytes, as if it came from `url` with that charset in its Content-Type."""
        content_type = "text/html" + (f"; charset={charset}" if charset else "")
        answers = [({"Content-Type": content_type, "Content-Security-Policy": POLICY}, document)]
        self.load(url, lambda asked: answers.pop() if asked == url and answers else None)

    def load(self, url, answer, expression=None, silence=0):
        """Opens a URL. `answer` gives the fields and the bytes that a URL has, or `None`. Returns the types and the URLs
        that the page requests while it is loaded. With an expression, also the value that it has then, and what is
        requested until there is silence for some seconds."""
        number, evaluation = self.send("Page.navigate", url=url), None
        requests, value = [], None
        is_answered = is_loaded = is_served = False
        while not (is_answered and is_loaded) or expression and (value is None or not self.is_silent(silence)):
            message = self.receive()
            is_answered = is_answered or message.get("id") == number
            if message.get("method") == "Fetch.requestPaused":
                asked = message["params"]["request"]["url"]
                if is_served:
                    requests.append((message["params"]["resourceType"], asked))
                is_served = is_served or asked == url
                self.answer(message["params"]["requestId"], answer(asked) if is_served else None)
            if message.get("method") == "Page.loadEventFired" and is_served and not is_loaded:
                is_loaded = True
                if expression:
                    evaluation = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
            if evaluation and message.get("id") == evaluation:
                value = message["result"]["result"]["value"]
        return requests, value

    def is_silent(self, silence):
        """Whether nothing comes for some seconds."""
        return b"\0" not in self.buffer and not select.select([self.reader], [], [], silence)[0]

    def answer(self, request, answer):
        """Answers a request with fields and bytes, or lets it fail."""
        if answer is None:
            self.send("Fetch.failRequest", requestId=request, errorReason="Aborted")
            return
        fields, body = answer
        self.send(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=200,
            responseHeaders=[{"name": name, "value": value} for name, value in fields.items()],
            body=base64.b64encode(body).decode(),
        )

    def evaluate(self, expression):
        """Evaluates JavaScript in the open document, in spite of its policy. Returns the value."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def close(self):
        """Ends Chromium."""
        self.session = None
        self.send("Browser.close")
        self.process.wait(timeout=20)
        shutil.rmtree(self.profile, ignore_errors=True)
