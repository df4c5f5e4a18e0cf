//! The law of moves: after `--move` and `--moved` each link leads to where its URL went, on sites that are made at
//! random. URLs are resolved here by rules of their own, which are enough for these sites.

use std::fs;
use std::thread;

use crate::generate::Random;
use crate::harness::{absurl, tree};
use crate::oracle;

/// What a link may be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Holds {
    Any,
    /// What browsers fetch: neither an empty text nor a fragment.
    Fetched,
    Absolute,
    /// An absolute URL that names something, and stays.
    Name,
    /// The base of all links after it.
    Base,
}

use Holds::{Absolute, Any, Base, Fetched, Name};

/// What is before and after a link. `$` is the number of the line.
type Form = (&'static str, &'static str, Holds);

/// A kind of document: how it begins, where its base may be, what follows that, lines with a link each, and its end.
struct Kind {
    head: &'static str,
    base: Option<Form>,
    body: &'static str,
    forms: &'static [Form],
    tail: &'static str,
}

const HTML: Kind = Kind {
    head: "<!doctype html>\n",
    base: Some(("<base href=\"", "\">\n", Base)),
    body: "",
    forms: &[
        ("<a href=\"", "\">x</a>\n", Any),
        ("<template><a href='", "'>x</a></template>\n", Any),
        ("<img src=\"", "\">\n", Fetched),
        ("<img srcset=\"", " 2x\">\n", Fetched),
        ("<link rel=canonical href=\"", "\">\n", Fetched),
        ("<meta property=\"og:url\" content=\"", "\">\n", Absolute),
        ("<meta http-equiv=refresh content=\"0; url=", "\">\n", Fetched),
        ("<style>a { background: url(", ") }</style>\n", Fetched),
        ("<p style='background: url(\"", "\")'>x</p>\n", Fetched),
    ],
    tail: "",
};

const XHTML: Kind = Kind {
    head: "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>\n",
    base: None,
    body: "",
    forms: &[("<a href=\"", "\"/>\n", Any), ("<img src=\"", "\"/>\n", Fetched)],
    tail: "</body></html>\n",
};

const MARKDOWN: Kind = Kind {
    head: "# x\n",
    base: None,
    body: "",
    forms: &[
        ("\n[x](", ")\n", Fetched),
        ("\n![x](", " \"t\")\n", Fetched),
        ("\n[d$]: <", "> 't'\n", Fetched),
        ("\n<", ">\n", Absolute),
        ("\n<a href=\"", "\">x</a>\n", Any),
    ],
    tail: "",
};

const CSS: Kind = Kind {
    head: "@charset \"utf-8\";\n",
    base: None,
    body: "",
    forms: &[("a { background: url(", ") }\n", Fetched), ("a { background: image-set(\"", "\" 1x) }\n", Fetched)],
    tail: "",
};

const SVG: Kind = Kind {
    head: "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"",
    base: Some((" xml:base=\"", "\"", Base)),
    body: ">\n",
    forms: &[("<a xlink:href=\"", "\"/>\n", Fetched), ("<image href=\"", "\"/>\n", Fetched)],
    tail: "</svg>\n",
};

const ATOM: Kind = Kind {
    head: "<feed xmlns=\"http://www.w3.org/2005/Atom\"",
    base: Some((" xml:base=\"", "\"", Base)),
    body: ">\n",
    forms: &[
        ("<link href=\"", "\"/>\n", Fetched),
        ("<entry><content src=\"", "\"/></entry>\n", Fetched),
        ("<entry><id>", "</id></entry>\n", Name),
    ],
    tail: "</feed>\n",
};

const RSS: Kind = Kind {
    head: "<rss version=\"2.0\"><channel>\n",
    base: None,
    body: "",
    forms: &[
        ("<item><link>", "</link></item>\n", Absolute),
        ("<item><guid>", "</guid></item>\n", Name),
        ("<item><enclosure url=\"", "\"/></item>\n", Fetched),
        ("<item><description>&lt;a href=\"", "\"&gt;</description></item>\n", Any),
    ],
    tail: "</channel></rss>\n",
};

const SITEMAP: Kind = Kind {
    head: "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    base: None,
    body: "",
    forms: &[("<url><loc>", "</loc></url>\n", Absolute)],
    tail: "</urlset>\n",
};

/// The documents of each site.
const DOCUMENTS: &[(&str, &Kind)] = &[
    ("a.html", &HTML),
    ("atom.xml", &ATOM),
    ("g/a.html", &HTML),
    ("g/b.md", &MARKDOWN),
    ("g/d/c.html", &HTML),
    ("g/d/p.svg", &SVG),
    ("g/index.html", &HTML),
    ("g/s.css", &CSS),
    ("h/a.html", &HTML),
    ("h/f.rss", &RSS),
    ("i.xhtml", &XHTML),
    ("index.html", &HTML),
    ("sitemap.xml", &SITEMAP),
    ("~u/a.html", &HTML),
];

/// The links of a document.
const LINKS: usize = 18;

/// To what else links lead.
const OTHERS: &[&str] = &[
    "",
    "docs/",
    "docs/m/a.html",
    "g",
    "g.html",
    "g/",
    "g/d/",
    "g/none.png",
    "gg/a.html",
    "h/",
    "%7Eu/",
    "%7eu/a.html",
];

/// OLD and NEW of the moves of a site. `B` is its URL.
const MOVES: &[&[[&str; 2]]] = &[
    &[["a.html", "b.html"]],
    &[["g/a.html", "x/y/p.html"]],
    &[["g/", "docs/m/"]],
    &[["g", "docs"]],
    &[["g", "docs/m/"]],
    &[["g/d/", "d"]],
    &[["g", "g/v1"]],
    &[["g/d", "g"]],
    &[["g/d/", "./"]],
    &[["./", "v2/"]],
    &[["~u", "u"]],
    &[["h/f.rss", "feeds/f.rss"], ["%7Eu/a.html", "x/v/a.html"]],
    &[["g/index.html", "g.html"]],
    &[["a.html", "a/"]],
    &[["a.html", "b.html"], ["index.html", "a.html"]],
    &[["g", "h2"], ["g/d", "g/d"]],
    &[["g/", "h2/x/"], ["g/a.html", "z/y.html"], ["h/", "h2/"]],
    &[["Bg/", "Bdocs/m/"], ["B", "B"]],
    &[["B", "https://n.example/"]],
    &[["B", "http://N.example:80/x"]],
    &[["Bg/a.html", "https://arc.example/p.html"]],
    &[["B", "//n.example:8080/"], ["Bg", "Bg"]],
];

/// `--base`, if there is one, and the spellings of its host in links.
const BASES: &[(Option<&str>, &[&str])] = &[
    (None, &["e.example"]),
    (Some("https://e.example/"), &["e.example", "E.Example:443"]),
    (Some("https://E.example:443/sub/"), &["e.example", "E.example:443", "E.example:443"]),
    (Some("http://e.example:8080/"), &["e.example:8080", "e.example"]),
    (Some("http://e.example/sub/s/"), &["e.example", "e.example:80"]),
];

/// A URL of http is divided into scheme and host, path, and the rest; another one is `None`.
fn divide(url: &str) -> Option<(&str, &str, &str)> {
    let start = url.get(..8).filter(|start| start.to_lowercase().starts_with("http"))?.find("://")? + 3;
    let path = start + url[start..].find(['/', '?', '#']).unwrap_or(url.len() - start);
    let rest = path + url[path..].find(['?', '#']).unwrap_or(url.len() - path);
    Some((&url[..path], &url[path..rest], &url[rest..]))
}

/// Scheme and host as browsers write them.
fn lower(origin: &str) -> String {
    let origin = origin.to_lowercase();
    let default = if origin.starts_with("https:") { ":443" } else { ":80" };
    origin.strip_suffix(default).unwrap_or(&origin).to_owned()
}

/// The path after its dot segments have gone, and whether one led above the root.
fn without_dots(path: &str) -> (String, bool) {
    let (mut kept, mut climbs) = (Vec::new(), false);
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." => {}
            ".." => climbs |= kept.pop().is_none(),
            _ => kept.push(segment),
        }
        if segment.starts_with('.') && segments.peek().is_none() {
            kept.push("");
        }
    }
    (kept.iter().map(|segment| format!("/{segment}")).collect(), climbs)
}

/// How a reference is written.
fn style(reference: &str) -> &'static str {
    match reference {
        _ if reference.split(['/', '?', '#']).next().unwrap().contains(':') => "full",
        _ if reference.starts_with("//") => "host",
        _ if reference.starts_with('/') => "rooted",
        _ => "path",
    }
}

/// The URL of a reference, before its dot segments go.
fn join(base: &str, reference: &str) -> String {
    let (origin, path, rest) = divide(base).unwrap();
    match reference.chars().next() {
        _ if style(reference) == "full" => reference.to_owned(),
        _ if style(reference) == "host" => format!("{}:{reference}", origin.split(':').next().unwrap()),
        Some('/') => format!("{origin}{reference}"),
        Some('?') => format!("{origin}{path}{reference}"),
        Some('#') | None => format!("{origin}{path}{}{reference}", rest.split('#').next().unwrap()),
        Some(_) => format!("{origin}{}/{reference}", path.rsplit_once('/').unwrap().0),
    }
}

/// The URL of a reference by a standard.
fn resolve(spec: &str, base: &str, reference: &str) -> String {
    if spec == "rfc1808" {
        return String::from_utf8(oracle::resolve(base.as_bytes(), reference.as_bytes()).unwrap().url).unwrap();
    }
    let url = join(base, reference);
    let Some((origin, path, rest)) = divide(&url) else { return url };
    let (path, _) = without_dots(path);
    match spec {
        "whatwg" => format!("{}{}{rest}", lower(origin), if path.is_empty() { "/" } else { &path }),
        _ => format!("{origin}{path}{rest}"),
    }
}

/// What all spellings of a URL have in common.
fn key(url: &str) -> String {
    let Some((origin, path, rest)) = divide(url) else { return url.to_owned() };
    let (_, host) = lower(origin).split_once("//").map(|(scheme, host)| (scheme.to_owned(), host.to_owned())).unwrap();
    format!("{host}{}{rest}", path.replace("%7E", "~").replace("%7e", "~"))
}

/// Where a URL will be, by OLD and NEW of some moves.
fn moved(moves: &[[String; 2]], url: &str) -> String {
    let after = |old: &str| {
        let start = key(old.strip_suffix('/').unwrap_or(old));
        let ends = url.match_indices(['/', '?', '#']).map(|(at, _)| at).chain([url.len()]);
        ends.rev().find(|end| key(&url[..*end]) == start)
    };
    let fitting = moves.iter().filter_map(|[old, new]| Some((after(old)?, &**old, &**new)));
    // a directory means its index.html
    let of_index = moves.iter().filter_map(|[old, new]| {
        let old = old.strip_suffix("index.html").filter(|old| old.ends_with('/'))?;
        let end = after(old)?;
        let rest = url[end..].trim_start_matches('/');
        let new = new.strip_suffix("index.html").filter(|new| new.ends_with('/')).unwrap_or(new);
        matches!(rest.chars().next(), None | Some('?' | '#')).then_some((end, old, new))
    });
    let Some((end, old, new)) = fitting.chain(of_index).max_by_key(|(end, ..)| *end) else { return url.to_owned() };
    let (rest, is_page) = (&url[end..], matches!(new.rsplit('.').next(), Some("html" | "md")));
    match rest.strip_prefix('/') {
        Some(rest) if is_page && old.ends_with('/') && matches!(rest.chars().next(), None | Some('?' | '#')) => {
            format!("{new}{rest}")
        }
        Some(rest) => format!("{}/{rest}", new.trim_end_matches('/')),
        None => format!("{new}{rest}"),
    }
}

/// A document: its name, its kind, and its links, each in its form.
struct Document {
    name: &'static str,
    kind: &'static Kind,
    links: Vec<(Form, String)>,
}

impl Document {
    /// Its text.
    fn text(&self) -> String {
        let lines =
            self.links.iter().enumerate().map(|(at, ((_, after, _), link))| [&self.before(at), link, *after].concat());
        [self.kind.head.to_owned()].into_iter().chain(lines).collect::<String>() + self.kind.tail
    }

    /// What is between a link and the line before it.
    fn before(&self, at: usize) -> String {
        let has_base = self.links[0].0.2 == Base;
        let body = if at == usize::from(has_base) { self.kind.body } else { "" };
        format!("{body}{}", self.links[at].0.0.replace('$', &at.to_string()))
    }

    /// The links in its new text, in which nothing else may have changed.
    fn links_of<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let mut rest = text.strip_prefix(self.kind.head)?;
        let mut links = Vec::new();
        for (at, ((_, after, _), _)) in self.links.iter().enumerate() {
            rest = rest.strip_prefix(&*self.before(at))?;
            let link = rest.split(['"', '\'', ')', '>', '<', ' ', '&']).next()?;
            rest = rest[link.len()..].strip_prefix(after)?;
            links.push(link);
        }
        (rest == self.kind.tail).then_some(links)
    }
}

/// A site and its moves.
struct Site {
    number: usize,
    /// `--base`.
    base: Option<&'static str>,
    documents: Vec<Document>,
    moves: &'static [[&'static str; 2]],
}

/// The reference from a document or BASE with a path to another path, by the folders that both have.
fn direct(from: &str, to: &str) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (from.split('/').collect(), to.split('/').collect());
    let folders = (from.len() - 1).min(to.len() - 1);
    let shared = (0..folders).take_while(|at| from[*at] == to[*at]).count();
    let reference = "../".repeat(from.len() - 1 - shared) + &to[shared..].join("/");
    if reference.is_empty() { "./".to_owned() } else { reference }
}

/// A reference to something in a site, or elsewhere, from a document or BASE with a path.
fn reference(random: &mut Random, holds: Holds, (root, hosts): (&str, &[&str]), path: &str) -> String {
    let names: Vec<_> = DOCUMENTS.iter().map(|(name, _)| *name).chain(OTHERS.iter().copied()).collect();
    let name = random.pick(&names);
    let tail = random.pick(&["", "", "#s", "?q", "?q=/g/#s"]);
    let host = random.pick(hosts);
    let near = direct(path, &format!("{root}{name}"));
    match random.below(16) {
        _ if matches!(holds, Absolute | Name) && random.below(8) > 0 => format!("https://{host}{root}{name}{tail}"),
        _ if matches!(holds, Absolute | Name) => "https://other.example/g/a.html".to_owned(),
        0..5 => format!("{near}{tail}"),
        5 => format!("./{near}{tail}"),
        6 => format!("x/../{near}{tail}"),
        7..10 => format!("{root}{name}{tail}"),
        10 => format!("//{host}{root}{name}{tail}"),
        11 => format!("{}://{host}{root}{name}{tail}", random.pick(&["http", "https", "HTTPS"])),
        12 => format!("../../../../{name}{tail}"),
        13 if holds == Any => random.pick(&["", "#t", "?x"]).to_owned(),
        13 => "?x".to_owned(),
        14 => format!("//{host}"),
        _ => random.pick(ELSEWHERE).to_owned(),
    }
}

/// Links that no move changes.
const ELSEWHERE: &[&str] =
    &["mailto:x@e.example", "https://e.example.evil/g/", "//other.example/g/a.html", "/other", "ftp://e.example/g/"];

/// The URL of a site that has no `--base`.
const UNKNOWN: &str = "http://unknown.invalid/";

impl Site {
    /// One of many.
    fn new(number: usize) -> Self {
        let mut random = Random(number as u64);
        let moves = MOVES[number % MOVES.len()];
        let needs_base = moves.iter().flatten().any(|text| text.starts_with('B'));
        let fitting: Vec<_> = BASES.iter().copied().filter(|(base, _)| base.is_some() || !needs_base).collect();
        let (base, hosts) = random.pick(&fitting);
        let root = divide(base.unwrap_or(UNKNOWN)).unwrap().1;
        let document = |&(name, kind): &(&'static str, &'static Kind)| {
            let mut path = format!("{root}{name}");
            let mut links = Vec::new();
            if let Some(form) = kind.base.filter(|_| random.below(3) == 0) {
                let folder = random.pick(&["g/", "g/d/", "h/x.html", ""]);
                let near = direct(&path, &format!("{root}{folder}"));
                path = format!("{root}{folder}");
                let host = hosts[0];
                let [url, other] = [format!("https://{host}{path}"), "https://cdn.example/g/".to_owned()];
                let written = [near.clone(), near, path.clone(), url.clone(), url, format!("//{host}{path}"), other];
                links.push((form, random.pick(&written.each_ref()).clone()));
            }
            while links.len() < LINKS {
                let form = random.pick(kind.forms);
                links.push((form, reference(&mut random, form.2, (root, hosts), &path)));
            }
            Document { name, kind, links }
        };
        Site { number, base, documents: DOCUMENTS.iter().map(document).collect(), moves }
    }

    /// OLD and NEW as absolute URLs.
    fn urls(&self, spec: &str) -> Vec<[String; 2]> {
        let base = self.base.unwrap_or(UNKNOWN);
        self.arguments().map(|pair| pair.map(|text| resolve(spec, base, &text))).collect()
    }

    /// OLD and NEW as they are typed.
    fn arguments(&self) -> impl Iterator<Item = [String; 2]> {
        self.moves.iter().map(|pair| pair.map(|text| text.replace('B', self.base.unwrap_or_default())))
    }

    /// The URL of a document.
    fn url_of(&self, spec: &str, name: &str) -> String {
        let name = if spec == "rfc1808" { name.replace('~', "%7E") } else { name.to_owned() };
        resolve(spec, self.base.unwrap_or(UNKNOWN), &name)
    }

    /// Writes its documents to a directory with a name for each, and runs a flag there. Returns their new texts.
    fn run(&self, spec: &str, flag: &str, base: Option<&str>, names: &[String]) -> (Vec<String>, String) {
        let texts: Vec<_> = self.documents.iter().map(Document::text).collect();
        let files: Vec<_> = names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
        let root = tree("follow", &files);
        let mut run = absurl(&["--rewrite", "-i", "-s", spec]).directory(&root);
        for [old, new] in self.arguments() {
            run = run.arguments(&[flag, &old, &new]);
        }
        if let Some(base) = base {
            run = run.arguments(&["-b", base]);
        }
        let (stdout, stderr, status) = run.argument(".").text();
        assert_eq!((&*stdout, status), ("", 0), "{} -s {spec}: {stderr}", self.place(flag));
        let texts = names.iter().map(|name| fs::read_to_string(root.join(name)).unwrap()).collect();
        fs::remove_dir_all(root).unwrap();
        (texts, stderr)
    }

    /// What names it in a message.
    fn place(&self, flag: &str) -> String {
        let moves: Vec<_> = self.arguments().map(|[old, new]| format!("{flag} {old} {new}")).collect();
        format!("site {}: -b {} {}", self.number, self.base.unwrap_or_default(), moves.join(" "))
    }

    /// The names of the documents once they have moved, with the URL of their directory then, if `--moved` can know where
    /// each of them lay.
    fn names_then(&self, spec: &str, urls: &[[String; 2]]) -> Option<(Option<String>, Vec<String>)> {
        // what is written has the spelling of --base
        let is_lower = self.base.is_some_and(|base| !base.contains('E'));
        let new_host = matches!(self.moves, [["B", _]]).then(|| format!("{}/", urls[0][1].trim_end_matches('/')));
        if new_host.is_some() && !is_lower {
            return None;
        }
        let base = new_host.or(self.base.map(str::to_owned));
        let root = resolve(spec, base.as_deref().unwrap_or(UNKNOWN), "./");
        let back: Vec<_> = urls.iter().map(|[old, new]| [new.clone(), old.clone()]).collect();
        let mut names = Vec::new();
        for document in &self.documents {
            let url = self.url_of(spec, document.name);
            let then = moved(urls, &url);
            let name = then.strip_prefix(&root)?.replace("%7E", "~");
            let is_clear = key(&moved(&back, &then)) == key(&url) && !names.contains(&name) && !name.ends_with('/');
            names.push(Some(name).filter(|_| is_clear)?);
        }
        Some((base, names))
    }
}

/// What is wrong with a link of the document `own`, if its base was `before` and is `after`. A text that climbs may
/// change in a document with a base of its own.
fn wrong(
    spec: &str,
    moves: &[[String; 2]],
    holds: Holds,
    [own, before, after]: [&str; 3],
    [old, new]: [&str; 2],
) -> Option<String> {
    if holds == Name {
        return (old != new).then(|| "a name has changed".to_owned());
    }
    let was = resolve(spec, before, old);
    let (url, now) = (moved(moves, &was), resolve(spec, after, new));
    // a host that stays may have another scheme with its document
    let after_scheme = |url: &str| url.split_once("//").map(|(_, rest)| rest.to_owned());
    if now != url && (url != was || !old.starts_with("//") || after_scheme(&now) != after_scheme(&url)) {
        return Some(format!("it leads to {now}, not to {url}"));
    }
    let climbs = |reference: &str| {
        let joined = join(after, reference);
        style(reference) != "full" && divide(&joined).is_some_and(|(_, path, _)| without_dots(path).1)
    };
    let may_change = climbs(old) && (before != after || before != own);
    if old != new && resolve(spec, after, old) == url && !may_change {
        return Some("it could stay".to_owned());
    }
    if spec != "rfc1808" && before != after && climbs(new) {
        return Some("it leads above the root".to_owned());
    }
    let origin = |url: &str| divide(url).map(|(origin, ..)| origin.to_owned());
    let scheme = |url: &str| url.split(':').next().map(str::to_owned);
    let is_possible = match style(old) {
        "full" => false,
        "host" => scheme(&url) == scheme(after),
        _ => origin(&url) == origin(after) && !url.contains("/../"),
    };
    (is_possible && style(new) != style(old)).then(|| "it has another style".to_owned())
}

/// A number of things.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// What a site has to show by a standard.
#[derive(Default)]
struct Shown {
    /// What is wrong.
    wrong: Vec<String>,
    /// The links that have changed.
    links: usize,
    /// Whether `--moved` can know where its documents lay.
    is_known: bool,
}

/// Moves a site in both orders.
fn follow(site: &Site, spec: &str) -> Shown {
    let urls = site.urls(spec);
    let names: Vec<_> = site.documents.iter().map(|document| document.name.to_owned()).collect();
    let (texts, sum) = site.run(spec, "--move", site.base, &names);
    let place = format!("{} -s {spec}", site.place("--move"));
    let mut shown = Shown::default();
    let (mut moving, mut changed) = (0, 0);
    for (document, text) in site.documents.iter().zip(&texts) {
        let own = site.url_of(spec, document.name);
        let mut bases = [own.clone(), moved(&urls, &own)];
        moving += usize::from(bases[0] != bases[1]);
        let Some(links) = document.links_of(text) else {
            shown.wrong.push(format!("{place}: {}: not only links have changed: {text}", document.name));
            continue;
        };
        for ((form, old), new) in document.links.iter().zip(&links) {
            let each = [&*own, &*bases[0], &*bases[1]];
            if let Some(wrong) = wrong(spec, &urls, form.2, each, [old, new]) {
                shown.wrong.push(format!("{place}: {}: {each:?}: {form:?} {old} -> {new}: {wrong}", document.name));
            }
            if form.2 == Base {
                bases = [resolve(spec, &bases[0], old), resolve(spec, &bases[1], new)];
            }
        }
        let own_changes = document.links.iter().zip(&links).filter(|((_, old), new)| old != *new).count();
        shown.links += own_changes;
        changed += usize::from(own_changes > 0);
    }
    let links = shown.links;
    let wrong_sum = |sum: String, moves: &str| {
        let (follow, documents) = (if links == 1 { "follows" } else { "follow" }, counted(changed, "document"));
        let expected =
            format!("{} {moves}; {} in {documents} {follow}", counted(moving, "document"), counted(links, "link"));
        let is_right = sum == format!("absurl: .: {} documents read, {expected}\n", names.len());
        (!is_right).then(|| format!("{place}: {expected}, but {sum}"))
    };
    shown.wrong.extend(wrong_sum(sum, "to be moved"));
    let Some((base, then)) = site.names_then(spec, &urls) else { return shown };
    shown.is_known = true;
    let (after, sum) = site.run(spec, "--moved", base.as_deref(), &then);
    shown.wrong.extend(wrong_sum(sum, "moved"));
    for ((name, one), other) in names.iter().zip(&texts).zip(&after) {
        if let Some((one, other)) = one.lines().zip(other.lines()).find(|(one, other)| one != other) {
            shown.wrong.push(format!("{place}: {name}: {one}, but by --moved {other}"));
        }
    }
    shown
}

/// Asserts the law on so many sites, by all standards.
fn assert_law(sites: usize) {
    let sites: Vec<_> = (0..sites).map(Site::new).collect();
    for spec in ["rfc1808", "rfc3986", "whatwg"] {
        let shown: Vec<_> = thread::scope(|scope| {
            let follow_all = |some: &'_ [Site]| some.iter().map(|site| follow(site, spec)).collect::<Vec<_>>();
            let parts = sites.chunks(sites.len().div_ceil(4)).map(|part| scope.spawn(move || follow_all(part)));
            parts.collect::<Vec<_>>().into_iter().flat_map(|part| part.join().unwrap()).collect()
        });
        let wrong: Vec<_> = shown.iter().flat_map(|site| &site.wrong).take(10).map(String::as_str).collect();
        assert_eq!(wrong, [""; 0]);
        let links = shown.iter().map(|site| site.links).sum::<usize>();
        let known = shown.iter().filter(|site| site.is_known).count();
        assert!(links > 45 * sites.len() && known > sites.len() / 2, "{spec}: {links} {known}");
    }
}

#[test]
fn links_follow_what_moves() {
    assert_eq!(44 * DOCUMENTS.len() * LINKS, 11_088);
    assert_law(44);
}

#[test]
#[ignore = "100,000 links: half a minute"]
fn links_of_many_sites_follow_what_moves() {
    assert_law(400);
}
