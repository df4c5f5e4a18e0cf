// The page: the question in its fields and in its address, and the answer of the worker.
import { commandLine, replace, visible } from "./elements.js";
import { select, views } from "./views.js";

/** The most characters that are asked about: a field of a browser needs a second for a million. */
const MAX_ASKED = 2_000_000;
/** The most characters that a field has in the address. */
const MAX_IN_ADDRESS = 4000;

const forms = Object.fromEntries(Object.keys(views).map((name) => [name, document.getElementById(name)]));
const main = document.querySelector("main"), problem = document.getElementById("problem");
const area = forms.document.elements.text;
/** The view that is shown. */
let view = "reference";
/** The file that the text is from, until it is edited: its bytes have a charset. */
let file = null;
/** The last address of each view. */
const addresses = {};

const fields = (form) => Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));

// --- the worker answers one question at a time; of those that wait, the last
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
let asked = null, waiting = null;

worker.onmessage = ({ data: answer }) => {
  if (asked.view === view) show(answer);
  [asked, waiting] = [waiting, null];
  if (asked) worker.postMessage(asked);
  else main.ariaBusy = "false";
};
worker.onerror = () => complain("The program cannot be loaded. Load the page again.");

function ask() {
  const question = { view, ...fields(forms[view]) };
  for (const name of ["base", "reference"]) question[name] = question[name]?.replaceAll("\0", "\uFFFD");
  const size = Math.max(...Object.values(question).map((value) => value?.length ?? 0));
  if (size > MAX_ASKED) return complain(tooLong(size));
  if (view === "document") Object.assign(question, file);
  main.ariaBusy = "true";
  for (const said of document.querySelectorAll(".copied")) said.textContent = "";
  if (asked) waiting = question;
  else worker.postMessage(asked = question);
}

const tooLong = (size) => `This has ${(size / 1e6).toFixed(1)} MB, and this page reads ${MAX_ASKED / 1e6} MB.` +
  " The program has no such limit: absurl --links --base URL FILE";

function complain(sentence) {
  problem.textContent = visible(sentence ?? "");
  problem.hidden = !sentence;
  problem.className = "may-leave";
  forms[view].elements.base.ariaInvalid = String(/^--base/.test(sentence));
  // an answer to another question is not shown
  forms[view].classList.toggle("refused", !problem.hidden);
}

function show(answer) {
  complain(answer.problem);
  if (answer.problem) return;
  const form = forms[view];
  views[view](form, answer);
  form.dataset.command = commandLine(answer.command);
  replace(form.querySelector(".command code"), form.dataset.command);
}

// --- the address holds the question; an edit of a field is one step back
let isNewEdit = true, writing = null;

function writeAddress() {
  clearTimeout(writing);
  writing = null;
  const short = Object.entries(fields(forms[view])).filter(([, value]) => value.length <= MAX_IN_ADDRESS);
  const next = `#${new URLSearchParams(view === "reference" ? short : [["view", view], ...short])}`;
  addresses[view] = next;
  if (next === location.hash) return;
  history[isNewEdit ? "pushState" : "replaceState"](null, "", next);
  isNewEdit = false;
  linkViews();
}

function readAddress() {
  clearTimeout(writing);
  const given = new URLSearchParams(location.hash.slice(1));
  view = given.get("view") in views ? given.get("view") : "reference";
  given.delete("view");
  for (const [name, form] of Object.entries(forms)) form.hidden = name !== view;
  const form = forms[view];
  // a text that is too long for the address is still in its field
  const kept = Object.entries(fields(form)).filter(([, value]) => value.length > MAX_IN_ADDRESS);
  const text = area.value;
  form.reset();
  for (const [name, value] of [...kept, ...given]) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
    if (field?.selectedIndex === -1) field.selectedIndex = 0;
  }
  if (area.value !== text) file = null;
  addresses[view] = location.hash || "#";
  isNewEdit = true;
  linkViews();
  ask();
}

/** Each view keeps what was asked there. */
function linkViews() {
  for (const link of document.querySelectorAll("nav a")) {
    link.href = addresses[link.dataset.view] ?? link.href;
    link.ariaCurrent = link.dataset.view === view ? "page" : null;
  }
}

// --- what people do
for (const form of Object.values(forms)) {
  form.querySelector(".command").append(document.getElementById("command").content.cloneNode(true));
  form.onsubmit = (event) => event.preventDefault();
  form.oninput = (event) => {
    if (event.target.type === "file") return;
    if (event.target === area) file = null;
    ask();
    clearTimeout(writing);
    if (isNewEdit) writeAddress();
    else writing = setTimeout(writeAddress, 200);
  };
  form.onchange = () => {
    if (writing) writeAddress();
    isNewEdit = true;
  };
  form.onclick = ({ target }) => {
    if (target.dataset.copy) copy(form, target);
    if (target.dataset.line) select(area, target.dataset);
  };
}

async function copy(form, button) {
  if (writing) writeAddress();
  const isAddress = button.dataset.copy === "address";
  const said = form.querySelector(".copied");
  const isWhole = Object.values(fields(form)).every((value) => value.length <= MAX_IN_ADDRESS);
  try {
    await navigator.clipboard.writeText(isAddress ? location.href : form.dataset[button.dataset.copy]);
    said.textContent = isAddress && !isWhole ? "Copied without the text, which is too long for an address." : "Copied.";
  } catch {
    said.textContent = "This browser does not let the page copy.";
  }
}

async function read(given) {
  if (!given) return;
  if (given.size > MAX_ASKED) return complain(tooLong(given.size));
  const bytes = new Uint8Array(await given.arrayBuffer());
  area.value = new TextDecoder().decode(bytes);
  // "-" would be standard input
  file = { bytes, name: given.name.replace(/^-$|[/\0]/g, "_") || "document" };
  isNewEdit = true;
  writeAddress();
  ask();
}

forms.document.querySelector(".file").onchange = (event) => {
  event.stopPropagation();
  read(event.target.files[0]);
};
for (const type of ["dragover", "dragleave", "drop"]) forms.document.addEventListener(type, (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  area.classList.toggle("over", type === "dragover");
  if (type === "drop") read(event.dataTransfer.files[0]);
});

addEventListener("popstate", readAddress);
readAddress();
