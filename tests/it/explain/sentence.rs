//! The sentence of an explanation, built from its JSON.

use serde_json::Value;

use super::escaped;
use super::record::Record;
use crate::oracle;
use crate::resolve::NAMES;

/// A text of JSON; null is empty.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Names as English lists them.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// A net_loc, by whether it has a host.
fn host_of(net_loc: &Value) -> &'static str {
    let net_loc = text(net_loc);
    match net_loc.rsplit('@').next().and_then(|host| host.split(':').next()) {
        _ if net_loc.is_empty() => "empty host",
        Some("") | None => "net_loc",
        Some(_) => "host",
    }
}

/// What a reference is: its components.
fn components_of(reference: &Value) -> String {
    let mut own = Vec::new();
    for name in NAMES {
        let component = text(&reference[name]);
        own.extend(match name {
            _ if component.is_empty() => None,
            "net_loc" => Some(match host_of(&reference[name]) {
                "net_loc" => "a net_loc without a host".to_owned(),
                host => format!("a {host}"),
            }),
            "path" if component.starts_with('/') && own.is_empty() => Some("a path from the root".to_owned()),
            "params" => Some("params (after \";\")".to_owned()),
            _ => Some(format!("a {name}")),
        });
    }
    match &own[..] {
        [] => "has only delimiters".to_owned(),
        [params] if params.starts_with("params") => "starts with \";\"".to_owned(),
        own => format!("is {}", listed(own)),
    }
}

impl Record<'_> {
    /// The sentence for people, by what the JSON says.
    pub fn sentence(&self) -> String {
        let object = self.object;
        let steps = object["steps"].as_array().expect("steps");
        let parsed = steps.iter().find_map(|item| item.get("parsed")).unwrap_or(&Value::Null);
        let (base, reference) = (&parsed["base"], &parsed["reference"]);
        let fragment = if base["fragment"] == "" { "" } else { " with its fragment" };
        let rest = match (object["error"]["code"].as_str(), object["step"].as_str()) {
            (Some("no-base"), _) => "reference has no scheme, and there is no base URL".to_owned(),
            (Some("unsuitable-base"), _) => {
                "reference has no scheme, and the base's scheme is never used with relative URLs".to_owned()
            }
            (Some(_), _) => "base URL has no scheme, so nothing can be resolved with it".to_owned(),
            (_, Some("1")) => "reference has a scheme: it is the answer, and needs no base URL".to_owned(),
            (_, Some("2a")) => format!("reference is empty: the answer is the base URL{fragment}"),
            (_, Some("2b")) => "reference has a scheme: it is the answer, and nothing comes from the base".to_owned(),
            _ => {
                let mut says = vec![self.inherited(base)];
                says.extend(self.is_merged().then(|| self.changes()).into_iter().flatten());
                says.extend(self.what_stays(reference));
                format!("reference {}: {}", components_of(reference), says.join(", "))
            }
        };
        format!("The {rest}.")
    }

    /// Which components are the base's, and that they are.
    fn inherited(&self, base: &Value) -> String {
        let (object, mut names) = (self.object, Vec::new());
        for name in object["inherited"].as_array().expect("names").iter().map(text) {
            if base[&name].is_null() || name != "net_loc" && base[&name] == "" {
                continue;
            }
            let inserted = ["", "/."].map(|inserted| inserted.to_owned() + &text(&base[&name]));
            assert!(inserted.contains(&text(&object["components"][&name])), "{name}: {object}");
            names.push(if name == "net_loc" { host_of(&base[&name]).to_owned() } else { name });
        }
        match &names[..] {
            [scheme] if object["step"] == "3" => format!("only the {scheme} is the base's"),
            [scheme] => format!("the {scheme} is the base's"),
            names => format!("{} are the base's", listed(names)),
        }
    }

    /// What step 6 does.
    fn changes(&self) -> Vec<String> {
        let path = oracle::parse(self.base).path;
        let last = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let placed = match () {
            () if !last.is_empty() => Some(format!("\"{}\" is replaced", escaped(last))),
            () if self.has_no_path() => Some("its path follows a \"/\"".to_owned()),
            () => (!path.is_empty()).then(|| "the reference's path is appended to the base's".to_owned()),
        };
        let removed = self.object["steps"].as_array().expect("steps").iter().filter_map(|item| item.get("removed"));
        let (ups, dots): (Vec<_>, Vec<_>) = removed.partition(|removed| text(removed).contains(".."));
        // the names as they are in the removals of the literal step 6
        let parents = self.removals.iter().filter_map(|removal| {
            let parent = removal.removed.strip_suffix(b"/").unwrap_or(&removal.removed).strip_suffix(b"/..")?;
            Some(format!("\"{}\"", escaped(parent)))
        });
        let parents: Vec<_> = parents.collect();
        assert_eq!(parents.len(), ups.len(), "{object}", object = self.object);
        let ups = match &parents[..] {
            [] => None,
            [parent] => Some(format!("one \"..\" removes {parent}")),
            [_, _] => Some(format!("two \"..\" remove {}", listed(&parents))),
            parents => Some(format!("{} \"..\" remove as many segments", parents.len())),
        };
        let dots = (!dots.is_empty()).then(|| "\".\" is dropped".to_owned());
        [placed, ups, dots].into_iter().flatten().collect()
    }

    /// Which dot segments stay, and what becomes of slashes.
    fn what_stays(&self, reference: &Value) -> Vec<String> {
        let steps = self.object["steps"].as_array().expect("steps");
        let inserted = steps.iter().filter(|item| item["step"] == "7").find_map(|item| {
            let (inserted, _) = item["text"].as_str()?.split_once(" is inserted")?;
            Some(inserted.trim_matches('"'))
        });
        let path = text(&self.object["components"]["path"]);
        let path = path.strip_prefix(inserted.unwrap_or_default()).expect("what is inserted");
        let has = |dots| path.split('/').any(|segment| segment == dots);
        let stay = match (has("."), has("..")) {
            (false, false) => None,
            (false, true) => Some(if self.is_merged() { "surplus \"..\" stays" } else { "\"..\" stays" }),
            (true, false) => Some("\".\" stays"),
            (true, true) => Some("\".\" and \"..\" stay"),
        };
        let dropped = (reference["net_loc"] == "").then_some("its \"//\" is dropped");
        let inserted = inserted.map(|inserted| format!("\"{inserted}\" is inserted"));
        [stay, dropped, inserted.as_deref()].into_iter().flatten().map(str::to_owned).collect()
    }
}
