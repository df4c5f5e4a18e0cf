//! lol_html BASE <page: lol_html rewrites the attributes of HTML that `absurl --rewrite` does, resolved by the url crate.
//! The BASE applies to what follows it.
use std::cell::RefCell;
use std::io::{Read, Write};

use lol_html::html_content::Element;
use lol_html::{HtmlRewriter, Settings, element};
use url::Url;
use yardsticks::{Done, Out};

/// The attributes of an element: its URLs, its lists with spaces, its srcset.
fn attributes(element: &str) -> (&'static [&'static str], &'static [&'static str], &'static [&'static str]) {
    match element {
        "a" | "area" => (&["href"], &["ping"], &[]),
        "link" => (&["href"], &[], &["imagesrcset"]),
        "img" | "image" => (&["src", "longdesc", "usemap", "lowsrc", "dynsrc", "href", "xlink:href"], &[], &["srcset"]),
        "use" | "pattern" | "textpath" | "lineargradient" | "radialgradient" => (&["href", "xlink:href"], &[], &[]),
        "audio" | "embed" | "script" | "track" | "bgsound" => (&["src"], &[], &[]),
        "source" => (&["src"], &[], &["srcset"]),
        "video" => (&["src", "poster"], &[], &[]),
        "frame" | "iframe" => (&["src", "longdesc"], &[], &[]),
        "input" => (&["src", "formaction", "usemap"], &[], &[]),
        "button" => (&["formaction"], &[], &[]),
        "form" | "isindex" => (&["action"], &[], &[]),
        "blockquote" | "del" | "ins" | "q" => (&["cite"], &[], &[]),
        "object" => (&["data", "usemap", "classid", "codebase"], &["archive"], &[]),
        "applet" => (&["codebase", "archive"], &[], &[]),
        "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => (&["background"], &[], &[]),
        "command" | "menuitem" => (&["icon"], &[], &[]),
        "html" => (&["manifest"], &[], &[]),
        "head" => (&["profile"], &[], &[]),
        _ => (&[], &[], &[]),
    }
}

/// A list of URLs, resolved.
fn resolved_list(base: &Url, value: &str) -> String {
    let urls = value.split_ascii_whitespace().map(|url| resolved(base, url).unwrap_or(url.into()));
    urls.collect::<Vec<_>>().join(" ")
}

/// Declarations with what is in `url()` resolved, as long as it is without escapes; `None` if there is nothing.
fn resolved_css(base: &Url, value: &str) -> Option<String> {
    let mut texts = value.split("url(");
    let mut css = texts.next()?.to_owned();
    for text in texts {
        let (url, rest) = text.split_at(text.find(')')?);
        let url = url.trim_matches(|char: char| char.is_ascii_whitespace() || "'\"".contains(char));
        css += &format!("url(\"{}\"{rest}", resolved(base, url).unwrap_or(url.into()));
    }
    (css.len() > value.len()).then_some(css)
}

/// A value with its URLs resolved; `None` if it stays.
fn resolved(base: &Url, value: &str) -> Option<String> {
    let value = value.trim_ascii();
    if value.starts_with('#') || Url::parse(value).is_ok() {
        return None;
    }
    Some(base.join(value).ok()?.into())
}

fn rewrite(base: &RefCell<Url>, element: &mut Element<'_, '_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    if element.attributes().is_empty() {
        return Ok(());
    }
    let name = element.tag_name();
    if name == "base" {
        if let Some(url) = element.get_attribute("href").and_then(|href| base.borrow().join(&href).ok()) {
            element.set_attribute("href", url.as_str())?;
            *base.borrow_mut() = url;
        }
        return Ok(());
    }
    let base = base.borrow();
    // those of every element: all names are looked at once, which takes less time than a search for each of the three
    let global = |name: &str| matches!(name, "itemid" | "itemtype" | "style");
    if element.attributes().iter().any(|attribute| global(&attribute.name())) {
        if let Some(url) = element.get_attribute("itemid").and_then(|value| resolved(&base, &value)) {
            element.set_attribute("itemid", &url)?;
        }
        if let Some(value) = element.get_attribute("itemtype") {
            element.set_attribute("itemtype", &resolved_list(&base, &value))?;
        }
        if let Some(css) = element.get_attribute("style").and_then(|value| resolved_css(&base, &value)) {
            element.set_attribute("style", &css)?;
        }
    }
    if name == "meta" && element.get_attribute("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) {
        let content = element.get_attribute("content").unwrap_or_default();
        if let Some(at) = content.to_ascii_lowercase().find("url=")
            && let Some(url) = resolved(&base, &content[at + 4..])
        {
            element.set_attribute("content", &format!("{}{url}", &content[..at + 4]))?;
        }
    }
    let (urls, lists, sets) = attributes(&name);
    for attribute in urls {
        if let Some(url) = element.get_attribute(attribute).and_then(|value| resolved(&base, &value)) {
            element.set_attribute(attribute, &url)?;
        }
    }
    for attribute in lists {
        if let Some(value) = element.get_attribute(attribute) {
            element.set_attribute(attribute, &resolved_list(&base, &value))?;
        }
    }
    for attribute in sets {
        if let Some(value) = element.get_attribute(attribute) {
            let candidate = |candidate: &str| {
                let mut words = candidate.split_ascii_whitespace();
                let url = words.next().unwrap_or_default();
                let url = resolved(&base, url).unwrap_or(url.into());
                words.fold(url, |text, word| text + " " + word)
            };
            element.set_attribute(attribute, &value.split(", ").map(candidate).collect::<Vec<_>>().join(", "))?;
        }
    }
    Ok(())
}

fn main() -> Done {
    let base = RefCell::new(Url::parse(&std::env::args().nth(1).expect("BASE"))?);
    let mut out = Out::with_capacity(1 << 16, std::io::stdout().lock());
    let settings = Settings::new().append_element_content_handler(element!("*", |element| rewrite(&base, element)));
    let mut rewriter = HtmlRewriter::new(settings, |bytes: &[u8]| out.write_all(bytes).expect("standard output"));
    let (mut stdin, mut block) = (std::io::stdin().lock(), vec![0; 1 << 16]);
    loop {
        match stdin.read(&mut block)? {
            0 => break,
            length => rewriter.write(&block[..length])?,
        }
    }
    rewriter.end()?;
    Ok(out.flush()?)
}
