#!/usr/bin/env node
// Prints tests/data/whatwg-errors.tsv: the validation errors that the npm package whatwg-url has in made texts, and in
// those of the web platform tests (url/resources/urltestdata.json) that have no answer:
//     npm install --prefix DIR whatwg-url@17.3.0
//     NODE_PATH=DIR/node_modules tests/browser/whatwg-errors.js urltestdata.json >tests/data/whatwg-errors.tsv
"use strict";
const { readFileSync } = require("node:fs");
const { parseURL, parseURLWithValidationErrors, isValidURLString } = require("whatwg-url");
const { version } = require("whatwg-url/package.json");

const ROWS = 2000;
const MOST_ALIKE = 20; // rows with the same errors
const MOST_FAILURES = 1000;

// a generator of numbers, the same in each run: mulberry32
let seed = 17;
const below = (limit) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
};
const pick = (items) => items[below(items.length)];
const some = (limit, items) => Array.from({ length: below(limit) }, () => pick(items)).join("");

const BASES = ["", "http://a/b/c?q", "http://a/b/c?q", "https://x/", "file:///c:/d", "file://h/e", "sc://a/b", "mailto:x"];
const STARTS = ["", "", "", "//", "//", "/", "\\", "\\\\", "/\\", "///", "http:", "http:/", "http://", "https://", "HTTP:\\\\",
    "ws:///", "file:", "file:c:", "file:/", "file:/", "file://", "file://", "file://", "file:///", "file:\\\\", "c|", "C|/", "sc:", "sc:/", "sc://", "sc://", "mailto:", "1a:", "?", "#"];
const USERS = ["", "", "", "", "", "", "u@", "u:p@", "@", "u@v@", ":@"];
const LABELS = ["a", "a", "b", ".", ".", "-", "_", "%41", "%2e", "%zz", "%C3%A9", "%00", "é", "ß", "\u00AD", "\uFF0E", "xn--a", "xn--bcher-kva",
    "aa--b", " ", "<", "^", "|", "[", "]", "*", "\u0080", "\u200D", "א", "1", "\u{FDD0}", "\uFFFD", "a".repeat(64)];
const NUMBERS = ["1", "2", "0", "10", "127", "255", "256", "65535", "65536", "4294967295", "4294967296", "0x1F", "0X", "0xg", "010", "08",
    "00", "a", "", "99999999999999999999", "\uFF11", "%31"];
const PIECES = ["1", "a", "0", "", "", "2", "ffff", "01", "00", "10000", "1.2.3.4", "1.2.3", "1.2.3.04", "1.2.256.4", "g", "%31", "é"];
const PORTS = ["", "", "", "", ":", ":80", ":0080", ":65535", ":65536", ":99999999999", ":8a", ":a", ": 8", ":-1", ":é"];
const PATHS = ["/", "/", "a", "b", ".", "..", "\\", "%20", "%2e", "%", "%4", "%g0", "?", "#", " ", "\t", "\n", "\r", "\"", "<", ">", "[", "]",
    "^", "`", "{", "|", "}", "~", "'", ":", "@", "!$&()*+,;=_-", "\0", "\x1F", "\x7F", "\u0080", "\u00A0", "é", "\u{FFFE}", "\u{1FFFF}",
    "\u{10FFFD}", "\uFEFF", "c:", "C|", "c|/"];
const ENDS = ["", "", "", "", "", "", "", "", " ", "\n", "\t ", "\x01"];

const join = (limit, items, sign) => Array.from({ length: 1 + below(limit) }, () => pick(items)).join(sign);
const host = () => {
    switch (below(10)) {
        case 0: return "";
        case 1: return "h";
        case 2: case 3: case 4: return `[${join(9, PIECES, ":")}${pick(["]", "]", "]", "]", "]", "]", "", "]x"])}`;
        case 5: return pick(["c:", "C|", "c|"]);
        case 6: case 7: return join(5, NUMBERS, ".") + pick(["", "", "", "."]);
        default: return some(5, LABELS);
    }
};
const text = () => {
    const start = pick(STARTS);
    const authority = /[/\\]{2}$|^https?:$/.test(start) ? pick(USERS) + host() + pick(PORTS) : "";
    const all = pick(ENDS) + start + authority + some(5, PATHS) + pick(ENDS);
    if (below(12) > 0) {
        return all;
    }
    const chars = Array.from(all);
    chars.splice(below(chars.length + 1), 0, pick(["\t", "\n", "\r"]));
    return chars.join("");
};

const shown = (text) => Buffer.from(text).toString("latin1").replace(/^ | $|[^ -~]|\\/g, (char) => {
    return `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
});
/** The row of a text, and its errors; nothing if its base is no URL. */
const judge = (base, text) => {
    const baseURL = base === "" ? null : parseURL(base);
    if (base !== "" && baseURL === null) {
        return null;
    }
    const { url, validationErrors } = parseURLWithValidationErrors(text, { baseURL });
    if (isValidURLString(text, { baseURL }) !== (validationErrors.length === 0)) {
        process.stderr.write(`valid or with errors, and not both: ${shown(base)} ${shown(text)} ${validationErrors}\n`);
    }
    const errors = validationErrors.join(" ");
    return [errors, [shown(base), shown(text), errors, url === null ? "failure" : ""].join("\t")];
};

const rows = [];
const seen = new Set();
const alike = new Map();
let failures = 0;
while (rows.length < ROWS) {
    const [errors, row] = judge(pick(BASES), text());
    const count = alike.get(errors) ?? 0;
    const fails = row.endsWith("failure");
    if (count < MOST_ALIKE && !seen.has(row) && !(fails && failures === MOST_FAILURES)) {
        failures += Number(fails);
        seen.add(row);
        alike.set(errors, count + 1);
        rows.push(row);
    }
}
process.stdout.write(`# The validation errors of the npm package whatwg-url ${version} (tests/browser/whatwg-errors.js), in the order\n`);
process.stdout.write("# in which it reports them: base, text, errors, and whether there is no answer.\n");
process.stdout.write(`${rows.join("\n")}\n# --- texts of the web platform tests that have no answer\n`);
for (const test of JSON.parse(readFileSync(process.argv[2], "utf8")).filter((test) => test.failure)) {
    const judged = test.input.isWellFormed() ? judge(test.base ?? "", test.input) : null;
    if (judged !== null && !seen.has(judged[1])) {
        seen.add(judged[1]);
        process.stdout.write(`${judged[1]}\n`);
        if (!judged[1].endsWith("failure")) {
            process.stderr.write(`an answer, unlike in the web platform tests: ${judged[1]}\n`);
        }
    }
}
