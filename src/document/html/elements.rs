//! The open elements that change how tags in them are read, by the HTML Standard's tree construction.

use html5gum::State;

/// The elements that end SVG and MATH, because they cannot be in them.
const ENDS_FOREIGN: &str = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img \
    li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";

/// The number of elements that can be open; a deeper one ends the innermost, as in Chromium.
const MAX_OPEN: usize = 512;

/// The language of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    Math,
}

use Language::{Html, Math, Svg};

/// The start of an element's name, long enough to compare.
type Name = [u8; 16];

/// An open element.
struct Element {
    /// Its name.
    name: Name,
    /// Its language.
    language: Language,
    /// Whether it is an element of SVG or MATH whose content is HTML.
    has_html: bool,
}

/// The open elements.
#[derive(Default)]
pub struct OpenElements {
    /// The elements, the innermost last.
    open: Vec<Element>,
    /// Whether there is a FRAMESET instead of BODY.
    has_frames: bool,
}

impl OpenElements {
    /// Whether the innermost element is one of SVG or MATH.
    pub fn is_in_foreign(&self) -> bool {
        self.open.last().is_some_and(|element| element.language != Html)
    }

    /// Whether a BASE counts here.
    pub fn can_have_base(&self) -> bool {
        self.language_of(b"base") == Html && !self.is_in_template() && !self.has_frames
    }

    /// Whether what follows is in a TEMPLATE.
    pub fn is_in_template(&self) -> bool {
        self.open.iter().any(Element::is_template)
    }

    /// The language of the element of a start tag that comes next.
    pub fn language_of(&self, name: &[u8]) -> Language {
        let in_html = match name {
            b"svg" => Svg,
            b"math" => Math,
            _ => Html,
        };
        match self.open.last() {
            Some(Element { language: Math, has_html: true, name: parent })
                if matches!(name, b"mglyph" | b"malignmark") && *parent != key(b"annotation-xml") =>
            {
                Math
            }
            Some(Element { language: Math, has_html: false, name: parent })
                if name == b"svg" && *parent == key(b"annotation-xml") =>
            {
                Svg
            }
            Some(Element { language: language @ (Svg | Math), has_html: false, .. })
                if !ENDS_FOREIGN.split(' ').any(|ending| ending.as_bytes() == name) =>
            {
                *language
            }
            _ => in_html,
        }
    }

    /// Starts a FRAMESET: what is not in it or in NOFRAMES or SCRIPT does not count any more.
    pub fn start_frames(&mut self) {
        self.has_frames = true;
    }

    /// Opens the element of a start tag. Returns how its content is tokenized, if not as HTML. `is_old_font`:
    /// it has an attribute of an old FONT. `has_html`: its `encoding` is that of HTML.
    pub fn start(&mut self, name: &[u8], is_self_closing: bool, is_old_font: bool, has_html: bool) -> Option<State> {
        let language = if name == b"font" && is_old_font { Html } else { self.language_of(name) };
        if self.has_frames {
            return text_state(name).filter(|_| matches!(name, b"script" | b"noframes"));
        }
        let has_html = match (language, name) {
            (Html, _) => {
                self.end_foreign();
                self.push_html(name);
                return text_state(name);
            }
            (Svg, b"foreignobject" | b"desc" | b"title") | (Math, b"mi" | b"mo" | b"mn" | b"ms" | b"mtext") => true,
            (Math, b"annotation-xml") => has_html,
            _ => false,
        };
        if !is_self_closing {
            self.push(Element { name: key(name), language, has_html });
        }
        None
    }

    /// Opens an element of HTML, unless it has no content, is open until the end, or ends the innermost
    /// one, which has the same name.
    fn push_html(&mut self, name: &[u8]) {
        let element = Element { name: key(name), language: Html, has_html: false };
        let is_open = match name {
            b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"col" | b"embed" | b"frame" | b"hr" | b"image"
            | b"img" | b"input" | b"keygen" | b"link" | b"meta" | b"param" | b"source" | b"track" | b"wbr"
            | b"html" | b"head" | b"body" => false,
            b"dd" | b"dt" | b"li" | b"option" | b"p" | b"td" | b"th" | b"tr" => {
                !self.open.last().is_some_and(|last| last.language == Html && last.name == element.name)
            }
            _ => true,
        };
        if is_open {
            self.push(element);
        }
    }

    /// Opens an element.
    fn push(&mut self, element: Element) {
        self.open.truncate(MAX_OPEN - 1);
        self.open.push(element);
    }

    /// Closes what an end tag ends: an element of SVG or MATH that is not around HTML, or an element of
    /// HTML in the same TEMPLATE and the same HTML in SVG or MATH.
    pub fn end(&mut self, name: &[u8]) {
        if matches!(name, b"p" | b"br") {
            self.end_foreign(); // these end tags are read as elements of HTML
        }
        let name = key(name);
        let (mut is_foreign, mut is_around) = (true, false);
        for (place, element) in self.open.iter().enumerate().rev() {
            is_foreign = is_foreign && element.language != Html;
            if element.name == name && (is_foreign || element.language == Html && !is_around) {
                self.open.truncate(place);
                return;
            }
            is_around = is_around || element.has_html || element.is_template();
            if is_around && !is_foreign {
                return;
            }
        }
    }

    /// Ends SVG and MATH up to the HTML around them.
    fn end_foreign(&mut self) {
        while self.open.last().is_some_and(|element| element.language != Html && !element.has_html) {
            self.open.pop();
        }
    }
}

impl Element {
    /// Whether it is a TEMPLATE of HTML.
    fn is_template(&self) -> bool {
        self.language == Html && self.name == key(b"template")
    }
}

/// How the content of an element of HTML is tokenized, if it is only text.
fn text_state(name: &[u8]) -> Option<State> {
    match name {
        b"title" | b"textarea" => Some(State::RcData),
        b"script" => Some(State::ScriptData),
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
        b"plaintext" => Some(State::PlainText),
        _ => None,
    }
}

/// A name as it is compared.
fn key(name: &[u8]) -> Name {
    let mut key = Name::default();
    let length = name.len().min(key.len());
    key[..length].copy_from_slice(&name[..length]);
    key
}
