//! Edits that remove a reason from a base and a reference: one for each reason of `--compare` that an edit can
//! remove. By another hand than the edits in `src/compare`.

/// A base and a reference.
pub type Pair = (String, String);

/// What an edit makes of a pair, and the characters that it has only exchanged.
pub type Edited = (Pair, &'static [(&'static str, &'static str)]);

/// The others, in an order in which all of their edits can be made.
pub const EDITED: &[&str] = &[
    "white-space",
    "scheme-name",
    "raw-non-ascii",
    "raw-space",
    "raw-character",
    "bad-percent",
    "bad-authority",
    "colon-segment",
    "backslash",
    "same-scheme",
    "scheme-slashes",
    "unsuitable-base",
    "fragment-inherited",
    "net-loc-question",
    "empty-net-loc",
    "lone-delimiter",
    "params-replaced",
    "dots-kept",
    "encoded-dots",
    "params-first-semicolon",
    "rootless-base",
    "surplus-dots",
    "slash-put-in",
    "file",
    "other",
];

/// The scheme as §2.4.2 finds it.
fn scheme_of(text: &str) -> Option<&str> {
    let (name, _) = text.split_once(':')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (!name.is_empty() && name.bytes().all(is_name)).then_some(name)
}

/// The text before the path as RFC 3986 finds it, the path, and the rest.
fn around_path(text: &str) -> [&str; 3] {
    let start = scheme_of(text).map_or(0, |name| name.len() + 1);
    let until = |from: usize, ends: &[char]| text[from..].find(ends).map_or(text.len(), |at| from + at);
    let start = if text[start..].starts_with("//") { until(start + 2, &['/', '?', '#']) } else { start };
    let end = until(start, &['?', '#']);
    [&text[..start], &text[start..end], &text[end..]]
}

/// The net_loc as §2.4.3 finds it, and where it starts.
fn net_loc(text: &str) -> Option<(usize, &str)> {
    let text = text.split('#').next().unwrap();
    let start = scheme_of(text).map_or(0, |name| name.len() + 1);
    let rest = text[start..].strip_prefix("//")?;
    Some((start + 2, rest.split('/').next().unwrap()))
}

/// The path as §2.4.6 finds it, and the params with their delimiter, and where the path starts.
fn split_path(text: &str) -> (usize, &str, &str) {
    let start = net_loc(text).map_or(scheme_of(text).map_or(0, |name| name.len() + 1), |(at, name)| at + name.len());
    let rest = text[start..].split(['#', '?']).next().unwrap();
    let (path, params) = rest.split_at(rest.find(';').unwrap_or(rest.len()));
    (start, path, params)
}

/// The pair with both texts changed.
fn both(pair: &Pair, edit: impl Fn(&str) -> String) -> Edited {
    ((edit(&pair.0), edit(&pair.1)), &[])
}

/// The pair with another base.
fn with_base(pair: &Pair, base: String) -> Edited {
    ((base, pair.1.clone()), &[])
}

/// The pair with another reference.
fn with_reference(pair: &Pair, reference: String) -> Edited {
    ((pair.0.clone(), reference), &[])
}

/// A text with some characters percent-encoded.
fn encode(text: &str, chosen: impl Fn(char) -> bool) -> String {
    let mut encoded = String::new();
    for char in text.chars() {
        if chosen(char) {
            let bytes: Vec<_> = char.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
            encoded += &bytes.concat();
        } else {
            encoded.push(char);
        }
    }
    encoded
}

/// The algorithm of RFC 3986 §5.2.4 on segments; `root` goes before a path like a net_loc.
fn without_dots(text: &str, root: &str) -> String {
    let [before, path, after] = around_path(text);
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<_> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    for (at, segment) in segments.iter().enumerate() {
        match *segment {
            "." | ".." => {
                if *segment == ".." {
                    kept.pop();
                }
                if at + 1 == segments.len() {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    let clean = format!("{}{}", if rooted { "/" } else { "" }, kept.join("/"));
    let root = if clean.starts_with("//") && !before.contains('/') { root } else { "" };
    format!("{before}{root}{clean}{after}")
}

/// A text without lone delimiters: `*` is none, and after the others a `$` follows.
fn without_lone(text: &str) -> String {
    let (start, path, params) = split_path(text);
    let rest = &text[start + path.len() + params.len()..];
    let (query, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let [params, query, fragment] = [params, query, fragment].map(|part| match part {
        ";" => "*",
        "?" => "?$",
        "#" => "#$",
        _ => part,
    });
    format!("{}{params}{query}{fragment}", &text[..start + path.len()])
}

/// A text with other segments for those that the URL Standard takes for dots.
fn without_encoded_dots(text: &str, breaks: bool) -> String {
    let [before, path, after] = around_path(text);
    let segments = path.split('/').map(|segment| match segment.to_ascii_lowercase().as_str() {
        "%2e" | "%2e%2e" | ".%2e" | "%2e." if breaks => segment.replace("%2e", "%2d").replace("%2E", "%2d"),
        "%2e" | "%2e%2e" | ".%2e" | "%2e." => segment.replace("%2e", ".").replace("%2E", "."),
        _ => segment.to_owned(),
    });
    format!("{before}{}{after}", segments.collect::<Vec<_>>().join("/"))
}

/// Base and reference with `.` for each `..` that finds nothing to remove in step 6.
fn without_surplus(pair: &Pair) -> Edited {
    let (base_start, base_path, _) = split_path(&pair.0);
    let (start, reference_path, _) = split_path(&pair.1);
    let mut stack: Vec<&str> = if base_path.is_empty() && net_loc(&pair.0).is_some() { vec!["/"] } else { vec![] };
    let directory = &base_path[..base_path.rfind('/').map_or(0, |slash| slash + 1)];
    let mut edit = |path: &'static str| {
        let mut edited = String::new();
        for segment in path.split_inclusive('/') {
            match segment.trim_end_matches('/') {
                ".." if matches!(stack[..], [] | ["/"]) => edited += &segment[1..],
                ".." => {
                    stack.pop();
                    edited += segment;
                }
                "." => edited += segment,
                _ => {
                    stack.push(segment);
                    edited += segment;
                }
            }
        }
        edited
    };
    // a slash at the start belongs to no segment, one after it is an empty one
    let base = edit(String::leak(directory.to_owned()));
    let reference = edit(String::leak(reference_path.to_owned()));
    let put =
        |text: &str, start: usize, old: &str, new: &str| text[..start].to_owned() + new + &text[start + old.len()..];
    ((put(&pair.0, base_start, directory, &base), put(&pair.1, start, reference_path, &reference)), &[])
}

/// Whether the URL Standard calls a scheme special.
fn is_special(scheme: Option<&str>) -> bool {
    let special = ["http", "https", "ws", "wss", "ftp", "file"];
    scheme.is_some_and(|scheme| special.contains(&&*scheme.to_ascii_lowercase()))
}

/// Removes a reason from a pair. Most edits write what another standard reads as RFC 1808 reads it;
/// if `breaks`, some make the text meaningless to all of them instead.
pub fn apply_edit(code: &str, pair: &Pair, breaks: bool) -> Option<Edited> {
    let (base, reference) = (&*pair.0, &*pair.1);
    let is_odd = |text: &str| scheme_of(text).is_some_and(|name| !name.as_bytes()[0].is_ascii_alphabetic());
    Some(match code {
        "white-space" => both(pair, |text| {
            let trimmed = text.trim_matches(|char: char| char <= ' ');
            trimmed.replace(['\t', '\n', '\r'], "")
        }),
        "scheme-name" => {
            let base = if is_odd(base) { format!("x{}", &base[1..]) } else { base.to_owned() };
            let before = if is_odd(reference) { "./" } else { "" };
            ((base, format!("{before}{reference}")), &[])
        }
        "raw-non-ascii" => both(pair, |text| encode(text, |char| !char.is_ascii())),
        "raw-space" => both(pair, |text| encode(text, |char| char == ' ')),
        "raw-character" => both(pair, |text| {
            let is_raw = |char: char| char.is_ascii_control() || "\"<>\\^`{|}".contains(char);
            let [before, path, after] = around_path(text);
            let (query, fragment) = after.split_at(after.find('#').map_or(after.len(), |at| at + 1));
            let tail = encode(&format!("{path}{query}"), |char| is_raw(char) || "[]".contains(char));
            encode(before, is_raw) + &tail + &encode(fragment, |char| is_raw(char) || "[]#".contains(char))
        }),
        "bad-percent" => both(pair, |text| {
            let hex = |text: &str| text.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
            let pieces = text.split('%').enumerate();
            pieces
                .map(|(at, piece)| match (at, hex(piece)) {
                    (0, _) => piece.to_owned(),
                    (_, true) => format!("%{piece}"),
                    (_, false) => format!("%25{piece}"),
                })
                .collect()
        }),
        "bad-authority" => both(pair, |text| {
            let [before, path, after] = around_path(text);
            let start = scheme_of(text).map_or(0, |name| name.len() + 1).min(before.len());
            before[..start].to_owned() + &encode(&before[start..], |char| "[]@:".contains(char)) + path + after
        }),
        "colon-segment" => with_reference(pair, reference.replace(':', "%3A")),
        "backslash" => both(pair, |text| text.replace('\\', "/")),
        "same-scheme" => {
            let rest = &reference[scheme_of(reference)?.len() + 1..];
            let before = if scheme_of(rest).is_some() { "./" } else { "" };
            with_reference(pair, format!("{before}{rest}"))
        }
        "scheme-slashes" => both(pair, |text| match scheme_of(text) {
            Some(name) if is_special(Some(name)) => {
                let rest = &text[name.len() + 1..];
                let path = rest.trim_start_matches('/');
                match (name.eq_ignore_ascii_case("file"), rest.len() - path.len()) {
                    (true, 0 | 1) => format!("{name}:///{path}"),
                    (true, _) => text.to_owned(),
                    (false, _) => format!("{name}://{path}"),
                }
            }
            _ => text.to_owned(),
        }),
        "unsuitable-base" => with_base(pair, format!("x{base}")),
        "fragment-inherited" => with_base(pair, base.split('#').next()?.to_owned()),
        "net-loc-question" => {
            if let Some((start, name)) = net_loc(reference)
                && let Some(question) = name.find('?')
            {
                let (before, after) = reference.split_at(start + question);
                return Some(with_reference(pair, format!("{before}/{after}")));
            }
            let (start, name) = net_loc(base)?;
            let question = name.find('?')?;
            let edited = if breaks {
                format!("{}{}{}", &base[..start], name.replace('?', "_"), &base[start + name.len()..])
            } else {
                base[..start + question].to_owned()
            };
            ((edited, reference.to_owned()), &[("?", "_")])
        }
        "lone-delimiter" => (both(pair, without_lone).0, &[("*", ";"), ("?$", "?"), ("#$", "#")]),
        "params-replaced" => with_reference(pair, format!("./{reference}")),
        "encoded-dots" => {
            let edited = both(pair, |text| without_encoded_dots(text, breaks));
            (edited.0, if breaks { &[("%2e", "%2d"), ("%2E", "%2d")] } else { &[] })
        }
        "params-first-semicolon" => {
            let without = |text: &str, kept: usize| {
                let [before, s_path, after] = around_path(text);
                match split_path(text).2.len() {
                    0 | 1 => text.to_owned(),
                    _ => format!("{before}{}{}{after}", &s_path[..kept], s_path[kept..].replace(';', "*")),
                }
            };
            let (_, base_path, _) = split_path(base);
            let kept = reference.starts_with(';') && !base_path.is_empty() && !base_path.ends_with('/');
            ((without(base, 0), without(reference, usize::from(kept))), &[("*", ";")])
        }
        "dots-kept" => {
            let is_absolute = scheme_of(reference).is_some() || reference.starts_with("//") || net_loc(base).is_none();
            let root = if is_absolute { "/." } else { around_path(base)[0] };
            let is_merged = scheme_of(reference).is_none() && !reference.starts_with('/');
            let edited = if is_merged { reference.to_owned() } else { without_dots(reference, root) };
            ((without_dots(base, "/."), edited), &[])
        }
        "empty-net-loc" => {
            let special = is_special(scheme_of(base)) && !base.to_ascii_lowercase().starts_with("file:");
            with_reference(
                pair,
                if special && breaks {
                    format!("//{}", reference.trim_start_matches('/'))
                } else {
                    format!("{}:{reference}", scheme_of(base)?)
                },
            )
        }
        "rootless-base" | "slash-put-in" => {
            let [before, path, after] = around_path(base);
            with_base(pair, format!("{before}/{path}{after}"))
        }
        "surplus-dots" => without_surplus(pair),
        "file" => {
            let edited = both(pair, |text| {
                let text = text.replace("file:", "ftp:");
                let segments = text.split('/').map(|segment| match segment.as_bytes() {
                    [letter, b':' | b'|', ..] if letter.is_ascii_alphabetic() => segment.replacen([':', '|'], "_", 1),
                    _ => segment.to_owned(),
                });
                segments.collect::<Vec<_>>().join("/")
            });
            (edited.0, &[("file:", "ftp:"), (":", "_"), ("|", "_")])
        }
        _ => return None,
    })
}
