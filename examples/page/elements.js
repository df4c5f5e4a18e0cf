// Elements made of text: nothing that is typed or answered is ever read as HTML.

/** What would change how the rest of a text is shown: controls, marks of direction, invisible characters. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** How much of a text is shown, in characters. */
const MAX_SHOWN = 5000;

/** The text with what cannot be seen as \u and its number, but for the ends of lines. */
export function visible(text) {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${counted(text.length, "character")})` : text;
  const number = (c) => c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  return cut.replace(UNSEEN, (c) => c === "\n" ? c : `\\u${number(c)}`);
}

/** An element with classes, from `name.class.class`, and children: elements, or text. */
export function element(name, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length !== 0) made.className = classes.join(" ");
  made.append(...children.filter((child) => child != null).map((child) => child.nodeType ? child : visible(child)));
  return made;
}

/** A URL as text, what differs from `other` marked. Only a web address that shows all of itself becomes a link. */
export function urlElement(url, other = url) {
  const shown = element("span.url", ...marked(url, other));
  if (!/^https?:/.test(url) || !URL.canParse(url) || new URL(url).href !== url) return shown;
  const link = element("a.url", ...shown.childNodes);
  return Object.assign(link, { href: url, rel: "noopener noreferrer nofollow", target: "_blank" });
}

/** What lies between the first and the last word that differs, in a mark. */
function marked(text, other) {
  const [ours, theirs] = [text, other].map((url) => url.match(/[\w.%~-]+|[^]/gu) ?? []);
  const least = Math.min(ours.length, theirs.length);
  let start = 0, end = 0;
  while (start < least && ours[start] === theirs[start]) start++;
  while (end < least - start && ours.at(-1 - end) === theirs.at(-1 - end)) end++;
  // where only something is missing, what follows is marked
  if (end !== 0 && start + end === ours.length && text !== other) end--;
  const piece = (from, to) => ours.slice(from, to).join("");
  const middle = piece(start, ours.length - end);
  return [piece(0, start), middle && element("mark", middle), piece(ours.length - end)].filter(Boolean);
}

/** The codes of a terminal's colors, and the classes that they become. */
const COLORS = { 1: "bold", 2: "skipped", 31: "removed", 32: "ref", 36: "base", "38;5;130": "differs" };

/** What a terminal would color, as spans. */
export function colored(text) {
  const [first, ...rest] = text.split("\x1b[");
  const spans = rest.map((part) => {
    const end = part.indexOf("m");
    const name = COLORS[part.slice(0, end)];
    return element(name ? `span.${name}` : "span", part.slice(end + 1));
  });
  return [visible(first), ...spans];
}

/** Puts children into a parent, unless it has them: a reader of screens would say them again. */
export function replace(parent, ...children) {
  const next = element("div", ...children);
  if (parent.innerHTML !== next.innerHTML) parent.replaceChildren(...next.childNodes);
}

/** "1 link", "2 links". */
export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** Arguments as a shell reads them. */
export function commandLine(args) {
  const quoted = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  return ["absurl", ...args].map(quoted).join(" ");
}
