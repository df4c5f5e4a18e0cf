// What each view shows of an answer.
import { colored, counted, element, replace, urlElement, visible } from "./elements.js";

/** How much of a text rewritten is shown, in characters. */
const MAX_REWRITTEN = 20_000;
const STANDARDS = ["RFC 1808", "RFC 3986", "Browsers (WHATWG)"];

export const views = { reference, list, document: document_ };

function reference(form, { urls, why: reasons, host, explanation }) {
  const rows = urls.map((answer, at) => {
    const row = element("tr", element("th", STANDARDS[at]), element("td", ...answerOf(answer, urls[0])),
      element("td.note", at === 0 ? "" : answer.url === urls[0].url ? "the same" : "differs"));
    row.firstChild.scope = "row";
    return row;
  });
  replace(form.querySelector(".urls tbody"), ...rows);
  form.querySelector(".why").hidden = reasons.length === 0;
  const items = reasons.map(({ code, message }) => element("li", message, element("code", code)));
  replace(form.querySelector(".why ul"), ...items);
  const box = form.querySelector(".host");
  const why = host.why.join("; ");
  replace(box, host.certain ? "It certainly stays on the host of the base."
    : `${host.own ? "It may leave the host of the base" : "There is no answer about the host"}: ${why}`);
  box.className = `host ${host.certain ? "stays" : host.own ? "may-leave" : ""}`;
  replace(form.querySelector(".explanation"), ...colored(explanation));
}

/** A URL, what differs from that of RFC 1808 marked, or why there is none. */
function answerOf({ url, error }, first = {}) {
  if (url === undefined) return [element("span.error", `no answer: ${error ?? ""}`)];
  return [urlElement(url, first.url ?? url)];
}

function list(form, { count, rows }) {
  const differ = rows.filter(({ urls }) => urls.some(({ url }) => url !== urls[0].url)).length;
  const leave = rows.filter(({ host }) => host.own && !host.certain).length;
  const omitted = count > rows.length ? ` The first ${rows.length} are shown; the program has no limit.` : "";
  replace(form.querySelector(".summary"),
    `${counted(count, "reference")}: the standards differ on ${differ}; ${leave} may leave the host.${omitted}`);
  const base = form.elements.base.value;
  replace(form.querySelector(".rows tbody"), ...rows.map(({ reference, urls, host }) => {
    const link = element("a.text", reference === "" ? "(empty)" : reference);
    link.href = `#${new URLSearchParams({ base, reference })}`;
    const sentence = host.certain ? "stays" : host.why.join("; ");
    return element("tr", element("td", link), element("td", ...answersOf(urls)),
      element(host.certain ? "td.note" : "td.leaves", sentence));
  }));
}

const agree = (urls) => urls.every(({ url }) => url === urls[0].url && url !== undefined);

/** One answer where all three agree, or else those that do, with their names. */
function answersOf(urls) {
  if (agree(urls)) return answerOf(urls[0]);
  const name = (at) => element("span.note", `${STANDARDS[at]}: `);
  return urls.map((answer, at) => element("div", name(at), ...answerOf(answer, urls[0])));
}

function document_(form, { count, hosts, groups, leaving, certain, notes, rewritten }) {
  const leave = leaving.refused ?? (certain ? "all stay on the host of the base"
    : leaving.count === 0 ? "some may leave the host" : `${counted(leaving.count, "link")} may leave the host`);
  replace(form.querySelector(".summary"), `${counted(count, "link")} to ${counted(hosts, "host")}; ${leave}.`);
  replace(form.querySelector(".notes"), ...notes.map((note) => element("li", note)));
  const rows = leaving.rows.map((link) => linkRow(link, element("td.leaves", link.why.join("; "))));
  fill(form.querySelector(".leaving"), [element("tbody", ...rows)], leaving.count);
  fill(form.querySelector(".links"), groups.map(hostRows), count);
  const shown = rewritten.slice(0, MAX_REWRITTEN);
  form.querySelector(".rewritten").value = shown;
  form.dataset.text = rewritten;
  form.querySelector(".cut").hidden = shown === rewritten;
}

/** Puts bodies into the table of a section, which is hidden if it has nothing. */
function fill(section, bodies, count) {
  section.hidden = count === 0;
  const table = section.querySelector("table");
  replace(table, table.tHead, ...bodies);
}

function hostRows({ host, count, rows }) {
  const shown = rows.length < count ? `, ${rows.length.toLocaleString("en")} shown` : "";
  const title = element("th", `${host} (${counted(count, "link")}${shown})`);
  Object.assign(title, { colSpan: 4, scope: "rowgroup" });
  return element("tbody", element("tr", title), ...rows.map((link) =>
    linkRow(link, element("td", link.url === undefined ? visible(link.why.join("; ")) : urlElement(link.url)))));
}

/** A link, and a button that selects its place in the text. */
function linkRow({ line, column, from, reference }, last) {
  const place = element("button", `${line}:${column}`), text = element("span.text", reference);
  Object.assign(place, { type: "button", title: "Select it in the text" });
  Object.assign(place.dataset, { line, column, reference });
  return element("tr", element("td", place), element("td.note", from), element("td", text), last);
}

/** Selects a link in the text. Columns count bytes from 1. */
export function select(area, { line, column, reference }) {
  const lines = area.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const bytes = new TextEncoder().encode(lines[line - 1] ?? "").slice(0, column - 1);
  const start = before + new TextDecoder().decode(bytes).length;
  // where it is written with escapes, up to the end of the value
  const length = area.value.startsWith(reference, start) ? reference.length
    : area.value.slice(start).match(/^[^\s"'<>)]*/)[0].length;
  area.focus();
  area.setSelectionRange(start, start + length);
  area.scrollTop = (line - 3) * parseFloat(getComputedStyle(area).lineHeight);
}
