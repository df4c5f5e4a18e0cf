// What the open document's base is, and which links it has, in the order of its tags: those with an attribute data-n
// in the order of these numbers, others as they are in the tree. It is one expression: an object.
(() => {
  const HTML = "http://www.w3.org/1999/xhtml";
  const SVG = "http://www.w3.org/2000/svg";

  // the HTML Standard's ways to hold URLs in a value
  const one = (value) => [value];
  const spaced = (value) => value.split(/[\t\n\f\r ]+/).filter((url) => url !== "");
  const commas = (value) => value.split(",").map((url) => url.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, ""))
    .filter((url) => url !== "");

  // "parse a srcset attribute", without the check of descriptors
  const candidates = (input) => {
    const urls = [];
    let at = 0;
    const collect = (pattern) => {
      pattern.lastIndex = at;
      const found = pattern.exec(input)[0];
      at += found.length;
      return found;
    };
    for (;;) {
      collect(/[\t\n\f\r ,]*/y);
      if (at >= input.length) return urls;
      const url = collect(/[^\t\n\f\r ]*/y);
      urls.push(url.replace(/,+$/, ""));
      if (url.endsWith(",")) continue;
      let isInParentheses = false;
      for (; at < input.length; at++) {
        if (input[at] === "(") isInParentheses = true;
        else if (input[at] === ")") isInParentheses = false;
        else if (input[at] === "," && !isInParentheses) break;
      }
    }
  };

  // "shared declarative refresh steps"
  const refresh = (input) => {
    const space = /[\t\n\f\r ]*/y;
    let at = 0;
    const collect = (pattern) => {
      pattern.lastIndex = at;
      const found = pattern.exec(input);
      at += found ? found[0].length : 0;
      return found ? found[0] : "";
    };
    collect(space);
    if (collect(/[0-9]*/y) === "" && input[at] !== ".") return [];
    collect(/[0-9.]*/y);
    if (at >= input.length) return [];
    if (!/[;,\t\n\f\r ]/.test(input[at])) return [];
    collect(space);
    collect(/[;,]?/y);
    collect(space);
    if (at >= input.length) return [];
    let url = input.slice(at);
    if (/^url[\t\n\f\r ]*=/i.test(url)) url = url.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
    const quote = url[0];
    if (quote === '"' || quote === "'") url = url.slice(1).split(quote)[0];
    return [url];
  };

  const attributes = {
    a: { href: one, ping: spaced },
    area: { href: one, ping: spaced },
    applet: { archive: commas, codebase: one },
    audio: { src: one },
    bgsound: { src: one },
    blockquote: { cite: one },
    body: { background: one },
    button: { formaction: one },
    command: { icon: one },
    del: { cite: one },
    embed: { src: one },
    form: { action: one },
    frame: { longdesc: one, src: one },
    head: { profile: one },
    html: { manifest: one },
    iframe: { longdesc: one, src: one },
    img: { dynsrc: one, longdesc: one, lowsrc: one, src: one, srcset: candidates, usemap: one },
    input: { formaction: one, src: one, usemap: one },
    ins: { cite: one },
    isindex: { action: one },
    link: { href: one, imagesrcset: candidates },
    menuitem: { icon: one },
    meta: { content: refresh },
    object: { archive: spaced, classid: one, codebase: one, data: one, usemap: one },
    q: { cite: one },
    script: { src: one },
    source: { src: one, srcset: candidates },
    table: { background: one },
    tbody: { background: one },
    td: { background: one },
    tfoot: { background: one },
    th: { background: one },
    thead: { background: one },
    tr: { background: one },
    track: { src: one },
    video: { poster: one, src: one },
  };
  const svg = ("a animate animatemotion animatetransform feimage image lineargradient mpath pattern radialgradient " +
    "script set textpath use").split(" ");
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
      const isLink = element.namespaceURI !== SVG ? name === "href" && math.test(local)
        : svg.includes(local) && (name === "href" || name === "xlink:href" && !element.hasAttribute("href"));
      return isLink ? one : undefined;
    }
    if (name === "itemid") return one;
    if (name === "itemtype") return spaced;
    if (local === "meta" && (element.getAttribute("http-equiv") ?? "").toLowerCase() !== "refresh") return undefined;
    return attributes[local]?.[name];
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

  // The base URL of a document by the HTML Standard, and a function that resolves with it. `outer` is what counts if
  // it has no BASE. Chromium takes about:blank if its first BASE is invalid: then its BASE elements are removed.
  const based = (tree, outer) => {
    const base = [...tree.querySelectorAll("base")].find(isBase);
    const isInvalid = Boolean(base) && parsed(base.getAttribute("href"), outer) === null;
    if (isInvalid) [...tree.querySelectorAll("base")].filter(isBase).forEach((element) => element.remove());
    if (!tree.defaultView) {
      // a text that no browser opens: an IFRAME's in a TEMPLATE
      const url = base && !isInvalid ? parsed(base.getAttribute("href"), outer) : outer;
      const counts = /^(data|javascript):/.test(url) ? outer : url;
      return { base: counts, isInvalid, resolve: (reference) => parsed(reference, counts) };
    }
    // a srcdoc keeps the base that its container had when it was opened: its BASE may have come later
    const expected = base && !isInvalid ? parsed(base.getAttribute("href"), outer) : outer;
    const isEarly = tree !== document && !/^(data|javascript):/.test(expected) && tree.baseURI !== expected;
    if (isEarly) {
      [...tree.querySelectorAll("base")].filter(isBase).forEach((element) => element.remove());
      const later = tree.createElementNS(HTML, "base");
      later.setAttribute("href", expected);
      tree.documentElement.prepend(later);
    }
    const anchor = tree.createElementNS(HTML, "a");
    const resolve = (reference) => {
      anchor.setAttribute("href", reference);
      return anchor.protocol === ":" ? null : anchor.href;
    };
    return { base: tree.baseURI, isInvalid, isEarly, resolve };
  };

  const present = [];
  let hasEarly = false;
  const read = (tree, outer) => {
    const { base, isInvalid, isEarly, resolve } = based(tree, outer);
    hasEarly ||= Boolean(isEarly);
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
          const url = resolve(reference);
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
  return { ...read(document, document.URL), charset, present, hasEarly };
})()
