// What the open document's base is, and which links it has, in the order of its tags: those with an attribute data-n
// in the order of these numbers, others as they are in the tree. It is one expression: an object.
(() => {
  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";

  // the HTML Standard's ways to hold URLs in a value
  const one = (value) => [value];
  const filled = (value) => /^[\t\n\f\r ]*$/.test(value) ? [] : [value];
  const spaced = (value) => value.split(/[\t\n\f\r ]+/).filter((url) => url !== "");
  const commas = (value) => value.split(",").map((url) => url.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, ""))
    .filter((url) => url !== "");

  // A reader of a text, from its start: `collect` returns what a sticky pattern matches, and goes on after that.
  const reader = (input) => {
    const self = { at: 0 };
    self.collect = (pattern) => {
      pattern.lastIndex = self.at;
      const [found] = pattern.exec(input);
      self.at += found.length;
      return found;
    };
    return self;
  };

  // "parse a srcset attribute", without the check of descriptors
  const candidates = (input) => {
    const urls = [];
    const text = reader(input);
    for (;;) {
      text.collect(/[\t\n\f\r ,]*/y);
      if (text.at >= input.length) return urls;
      const url = text.collect(/[^\t\n\f\r ]*/y);
      urls.push(url.replace(/,+$/, ""));
      if (url.endsWith(",")) continue;
      let isInParentheses = false;
      for (; text.at < input.length; text.at++) {
        if (input[text.at] === "(") isInParentheses = true;
        else if (input[text.at] === ")") isInParentheses = false;
        else if (input[text.at] === "," && !isInParentheses) break;
      }
    }
  };

  // "shared declarative refresh steps"
  const refresh = (input) => {
    const space = /[\t\n\f\r ]*/y;
    const text = reader(input);
    text.collect(space);
    if (text.collect(/[0-9]*/y) === "" && input[text.at] !== ".") return [];
    text.collect(/[0-9.]*/y);
    if (!/[;,\t\n\f\r ]/.test(input[text.at] ?? "")) return [];
    text.collect(space);
    text.collect(/[;,]?/y);
    text.collect(space);
    if (text.at >= input.length) return [];
    let url = input.slice(text.at);
    if (/^url[\t\n\f\r ]*=/i.test(url)) url = url.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
    const quote = url[0];
    if (quote === '"' || quote === "'") url = url.slice(1).split(quote)[0];
    return [url];
  };

  // How attributes of HTML hold URLs, by the names of element and attribute.
  const attributes = new Map([
    ["a area", "href", one],
    ["link", "href", filled],
    ["a area", "ping", spaced],
    ["embed", "code", filled],
    ["applet", "archive", commas],
    ["object", "archive", spaced],
    ["applet object", "codebase", filled],
    ["audio bgsound embed frame iframe img input script source track video", "src", filled],
    ["blockquote del ins q", "cite", one],
    ["body col colgroup table tbody td tfoot th thead tr", "background", filled],
    ["button input", "formaction", filled],
    ["command menuitem", "icon", filled],
    ["form isindex", "action", filled],
    ["frame iframe img", "longdesc", filled],
    ["head", "profile", filled],
    ["html", "manifest", filled],
    ["img", "dynsrc lowsrc", filled],
    ["img source", "srcset data-srcset", candidates],
    ["img source iframe", "data-src", filled],
    ["img input object", "usemap", filled],
    ["link", "imagesrcset", candidates],
    ["meta", "content", refresh],
    ["object", "classid data", filled],
    ["video", "poster", filled],
  ].flatMap(([elements, names, how]) =>
    elements.split(" ").flatMap((element) => names.split(" ").map((name) => [`${element} ${name}`, how]))));
  const svg = ("a animate animatemotion animatetransform feimage image lineargradient mpath pattern radialgradient " +
    "script set textpath use").split(" ");
  const openGraph = /^(og:url|twitter:image|twitter:player|og:(image|video|audio)(:url|:secure_url)?)$/i;
  const math = /^(m.*|annotation|annotation-xml|none|semantics)$/;
  // Properties that reflect URLs; they use the document's encoding.
  const properties = { longdesc: "longDesc", formaction: "formAction", codebase: "codeBase" };
  const reflected = ("a.href area.href img.src img.longdesc img.lowsrc input.src input.formaction button.formaction " +
    "iframe.src iframe.longdesc frame.src frame.longdesc object.data object.codebase embed.src script.src " +
    "video.src video.poster audio.src source.src track.src link.href blockquote.cite q.cite ins.cite del.cite " +
    "form.action").split(" ");

  // How an attribute of an element holds URLs.
  const holds = (element, name) => {
    const local = element.localName.toLowerCase();
    if (element.namespaceURI !== HTML) {
      if (element.namespaceURI === SVG && local === "a" && name === "ping") return spaced;
      const isLink = element.namespaceURI !== SVG ? name === "href" && math.test(local)
        : svg.includes(local) && (name === "href" || name === "xlink:href" && !element.hasAttribute("href"));
      return isLink ? (element.namespaceURI === SVG && local !== "a" ? filled : one) : undefined;
    }
    if (name === "itemid") return one;
    if (name === "itemtype") return spaced;
    if (local === "meta" && (element.getAttribute("http-equiv") ?? "").toLowerCase() !== "refresh") {
      const names = ["property", "name"].flatMap((name) => spaced(element.getAttribute(name) ?? ""));
      return name === "content" && names.some((name) => openGraph.test(name)) ? filled : undefined;
    }
    return attributes.get(`${local} ${name}`);
  };

  const isBase = (element) =>
    element.namespaceURI === HTML && element.localName === "base" && element.hasAttribute("href");

  const parsed = (url, base) => {
    try {
      return new URL(url, base).href;
    } catch {
      return null;
    }
  };

  // Whether Chromium fetches the link of an attribute as soon as the parser has read it: with the base before its BASE. The
  // DOM has the BASE for it nevertheless.
  const fetched = new Set(("link.imagesrcset script.src img.src input.src video.poster iframe.src img.srcset source.srcset meta.content " +
    "image.href use.href script.href feimage.href image.xlink:href use.xlink:href script.xlink:href " +
    "feimage.xlink:href").split(" "));
  const isFetched = (element, name) => fetched.has(`${element.localName.toLowerCase()}.${name}`) ||
    element.localName === "link" && name === "href" &&
    /(^|[\t\n\f\r ])(stylesheet|(module)?preload|prefetch)($|[\t\n\f\r ])/i.test(element.getAttribute("rel"));

  // The base URL of a document by the HTML Standard, its BASE elements, and a function that resolves with it. `outer` is
  // its base if it has no BASE. Chromium takes about:blank if its first BASE is invalid: then its BASE elements are removed.
  const based = (tree, outer) => {
    const bases = [...tree.querySelectorAll("base")].filter(isBase);
    const url = bases.length ? parsed(bases[0].getAttribute("href"), outer) : outer;
    const isInvalid = url === null;
    if (isInvalid) bases.forEach((element) => element.remove());
    const expected = url ?? outer;
    const base = /^(data|javascript):/.test(expected) ? outer : expected;
    if (!tree.defaultView) {
      // a text that no browser opens: an IFRAME's in a TEMPLATE
      return { base, isInvalid, bases: [], resolve: (reference) => parsed(reference, base) };
    }
    const anchor = tree.createElementNS(HTML, "a");
    const resolve = (reference) => {
      anchor.setAttribute("href", reference);
      return anchor.protocol === ":" ? null : anchor.href;
    };
    return { base: tree.baseURI, isInvalid, bases: isInvalid ? [] : bases, resolve };
  };

  const present = [];
  const read = (tree, outer) => {
    const { base, isInvalid, bases, resolve } = based(tree, outer);
    const hrefs = bases.map((element) => element.getAttribute("href"));
    const withoutBase = (reference) => {
      bases.forEach((element) => element.removeAttribute("href"));
      const url = resolve(reference);
      bases.forEach((element, index) => element.setAttribute("href", hrefs[index]));
      return url;
    };
    const isBeforeBase = (element) => bases.length > 0 && (number(element) < number(bases[0]) ||
      (element.compareDocumentPosition(bases[0]) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !number(element));
    const elements = [];
    const walk = (node) => {
      for (const child of node.children) {
        elements.push(child);
        if (child.content?.nodeType === Node.DOCUMENT_FRAGMENT_NODE) walk(child.content);
        walk(child);
      }
    };
    walk(tree);
    const number = (element) => parseInt(element.getAttribute("data-n"));
    const numbers = elements.map(number);
    present.push(...numbers.filter((n) => !Number.isNaN(n)));
    if (numbers.some((n) => !Number.isNaN(n))) elements.sort((a, b) => (number(a) || 0) - (number(b) || 0));
    const links = [];
    const seen = new Set();
    for (const element of elements) {
      const n = number(element);
      // a formatting element that the parser has cloned is one tag
      if (!Number.isNaN(n) && seen.has(n)) continue;
      seen.add(n);
      const local = element.localName.toLowerCase();
      for (const { name, value } of element.attributes) {
        if (local === "iframe" && name === "srcdoc" && element.namespaceURI === HTML) {
          const opened = element.contentDocument;
          const inner = opened?.URL === "about:srcdoc" ? opened : new DOMParser().parseFromString(value, "text/html");
          links.push(...read(inner, base).links);
        }
        for (const reference of holds(element, name)?.(value) ?? []) {
          const isEarly = isFetched(element, name) && isBeforeBase(element);
          const url = isEarly ? withoutBase(reference) : resolve(reference);
          const link = { n: Number.isNaN(n) ? null : n, element: local, attribute: name, url };
          const property = reflected.includes(`${local}.${name}`) && element.namespaceURI === HTML;
          if (property && url !== null && value !== "" && tree.defaultView && element.ownerDocument === tree) {
            const answer = element[properties[name] ?? name];
            if (answer !== url) link.property = answer;
          }
          links.push(link);
        }
      }
    }
    return { base, isInvalid, links };
  };

  const charset = document.characterSet;
  return { ...read(document, document.URL), charset, present };
})()
