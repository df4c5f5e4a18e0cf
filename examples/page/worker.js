// The answers of the three views: what the program prints, as objects. In a thread, so that the page never waits.
import { run } from "./program.js";

/** The names of the standards in the options of absurl. */
const SPECS = ["rfc1808", "rfc3986", "whatwg"];
/** How many lines or links are shown. */
const MAX_ROWS = 500;

const answers = { reference, list, document: document_ };

addEventListener("message", async ({ data: question }) => {
  try {
    postMessage(await answers[question.view](question));
  } catch (error) {
    postMessage({ problem: `The program has failed: ${error.message}` });
  }
});

const objects = ({ out }) => out.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const based = (base) => base === "" ? [] : ["--base", base];
/** A message without the name of the program and the place of an argument. */
const sentence = (message) => message.replace(/^absurl: (argument 1: )?/, "");
const sentences = ({ err }) => err.split("\n").filter(Boolean).map(sentence);

/** Why there is no answer at all: a command line that absurl refuses. */
const refusal = (done) => done.status === 2 ? sentences(done)[0] : undefined;

const answerOf = ({ url, error }) => ({ url, error: error?.message });
/** The answers to `count` references; a base that a standard refuses has none. */
function answersOf(done, count) {
  const refused = refusal(done);
  return refused ? Array(count).fill({ error: refused }) : objects(done).map(answerOf);
}

async function reference({ base, reference, spec }) {
  const end = [...based(base), "--", reference];
  const explain = ["--explain", "--spec", spec, ...end];
  const compared = await run(["--compare", "--json", ...end]);
  const guarded = await run(["--check=host", "--json", ...end]);
  const explained = await run(["--color=always", ...explain]);
  // where all three agree, it prints nothing
  const [difference] = objects(compared);
  const urls = [];
  for (const spec of SPECS) {
    const own = difference?.[spec];
    urls.push(own ? answerOf(own) : answersOf(await run(["--json", "--spec", spec, ...end]), 1)[0]);
  }
  return {
    problem: refusal(compared),
    urls,
    why: difference?.why ?? [],
    host: departures(guarded, 1)[0],
    explanation: explained.out || sentences(explained).join("\n"),
    command: explain,
  };
}

/** Whether `count` references leave the host of their base, by --check=host, and why. */
function departures(done, count) {
  const found = objects(done).filter(({ source }) => source !== "base").map(({ error, violations }) => {
    const why = error ? [error.message] : violations.map(({ message }) => message);
    return { certain: why.length === 0, own: !error, why };
  });
  const isWhole = found.length === count && (done.status === 0) === found.every(({ certain }) => certain);
  return isWhole ? found : Array(count).fill({ certain: false, own: false, why: sentences(done).slice(0, 1) });
}

async function list({ base, references }) {
  const lines = references.replace(/\n$/, "").split("\n");
  const asked = lines.slice(0, MAX_ROWS);
  // as arguments, a line that looks like HTML is no sign of a document
  const end = [...based(base), "--", ...asked];
  const compared = await run(["--compare", "--json", ...end]);
  const guarded = await run(["--check=host", "--json", ...end]);
  const hosts = departures(guarded, asked.length);
  const urls = [];
  for (const spec of SPECS) urls.push(answersOf(await run(["--json", "--spec", spec, ...end]), asked.length));
  const rows = asked.map((reference, at) => ({ reference, urls: urls.map((of) => of[at]), host: hosts[at] }));
  const command = ["--compare", ...based(base), "--file", "list.txt"];
  return { problem: refusal(compared), count: lines.length, rows, command };
}

async function document_({ base, spec, type, links, text, bytes, name = "document" }) {
  // a text that is pasted has lost its charset
  const charset = !bytes && /^text\/(html|css)$/.test(type) ? "; charset=utf-8" : "";
  const files = { [name]: bytes ?? new TextEncoder().encode(text) };
  const end = [...(type && ["--media-type", type + charset]), ...based(base), "--", name];
  const rewrite = ["--rewrite", ...(links === "relative" ? ["--relative"] : []), "--spec", spec, ...end];
  const linked = await run(["--links", "--json", "--spec", spec, ...end], files);
  const guarded = await run(["--links", "--check=host", "--json", ...end], files);
  const rewritten = await run(rewrite, files);
  const found = objects(linked);
  const groups = byHost(found.map(link));
  const guards = objects(guarded);
  const leaving = guards.filter(({ violations }) => violations?.length);
  // the last sentence of --check=host is its sum
  const notes = [...sentences(linked), ...sentences(guarded).slice(0, -1), ...sentences(rewritten)];
  const refused = guards.find(({ error }) => error)?.error.message;
  return {
    problem: refusal(linked),
    count: found.length,
    hosts: [...groups.keys()].filter((host) => !host.includes(" ")).length,
    groups: [...groups].slice(0, MAX_ROWS).map(([host, links]) => ({ host, ...links })),
    leaving: { count: leaving.length, refused, rows: leaving.slice(0, MAX_ROWS).map(link) },
    certain: guarded.status === 0,
    notes: [...new Set(notes)].slice(0, 10),
    rewritten: rewritten.out,
    command: rewrite,
  };
}

/** What is shown of a link. */
function link({ reference, url, host, error, element, attribute, line, column, violations = [] }) {
  const why = error ? [error.message] : violations.map(({ message }) => message);
  return { reference, url, host, why, line, column, from: [element, attribute].filter(Boolean).join(" ") };
}

/** Links by the host that they reach, in the order of the document: how many, and the first of them. */
function byHost(links) {
  const groups = new Map();
  links.forEach((one, at) => {
    const host = one.url === undefined ? "no answer" : one.host ?? "no host";
    if (!groups.has(host)) groups.set(host, { count: 0, rows: [] });
    const group = groups.get(host);
    group.count += 1;
    if (at < MAX_ROWS) group.rows.push(one);
  });
  return groups;
}
