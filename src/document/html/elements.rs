//! The open elements that change how tags in them are read, by the HTML Standard's tree construction.

use html5gum::State;

use crate::limits::MAX_OPEN;

/// Whether an element ends SVG and MATH, because it cannot be in them.
#[rustfmt::skip]
pub fn ends_foreign(name: &[u8]) -> bool {
    matches!(
        name,
        b"b" | b"big" | b"blockquote" | b"body" | b"br" | b"center" | b"code" | b"dd" | b"div" | b"dl" | b"dt"
        | b"em" | b"embed" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"head" | b"hr" | b"i" | b"img" | b"li"
        | b"listing" | b"menu" | b"meta" | b"nobr" | b"ol" | b"p" | b"pre" | b"ruby" | b"s" | b"small" | b"span"
        | b"strong" | b"strike" | b"sub" | b"sup" | b"table" | b"tt" | b"u" | b"ul" | b"var"
    )
}

/// Whether an element can be in HEAD or before it.
#[rustfmt::skip]
fn is_of_head(name: &[u8]) -> bool {
    matches!(
        name,
        b"html" | b"head" | b"base" | b"basefont" | b"bgsound" | b"link" | b"meta" | b"noframes" | b"noscript"
        | b"script" | b"style" | b"template" | b"title"
    )
}

/// Whether a FRAMESET is ignored after this element in BODY. It is ignored after an INPUT that is not hidden, too.
#[rustfmt::skip]
fn ends_frames(name: &[u8]) -> bool {
    matches!(
        name,
        b"applet" | b"area" | b"body" | b"br" | b"button" | b"dd" | b"dt" | b"embed" | b"hr" | b"iframe" | b"image"
        | b"img" | b"keygen" | b"li" | b"listing" | b"marquee" | b"object" | b"pre" | b"select" | b"table"
        | b"template" | b"textarea" | b"wbr" | b"xmp"
    )
}

/// Whether HTML has an element of this name, an obsolete one too.
#[rustfmt::skip]
pub fn is_known(name: &[u8]) -> bool {
    let has_rule = ends_foreign(name) || is_of_head(name) || ends_frames(name) || kind_of(name) != 0;
    has_rule || matches!(
        name,
        b"abbr" | b"acronym" | b"audio" | b"bdi" | b"bdo" | b"blink" | b"canvas" | b"cite" | b"col" | b"command"
        | b"data" | b"datalist" | b"del" | b"dfn" | b"frame" | b"frameset" | b"input" | b"ins" | b"isindex" | b"kbd"
        | b"label" | b"legend" | b"map" | b"mark" | b"math" | b"menuitem" | b"meter" | b"multicol" | b"nextid"
        | b"optgroup" | b"option"
        | b"output" | b"param" | b"picture" | b"progress" | b"q" | b"rb" | b"rp" | b"rt" | b"rtc" | b"samp"
        | b"selectedcontent" | b"slot" | b"source" | b"spacer" | b"svg" | b"time" | b"track" | b"video"
    )
}

/// The language of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Html,
    Svg,
    Math,
}

use Language::{Html, Math, Svg};

/// The start of an element's name, long enough to compare. An array would be copied by a call.
type Name = u128;

// What an element is: bits that add up.

/// Its end tag closes the elements in it that are no blocks.
const FORMAT: u8 = 1;
/// Its end tag closes all elements in it.
const BLOCK: u8 = 1 << 1;
/// It is what the HTML Standard calls special: end tags of elements that are neither of the above do not close it.
const SPECIAL: u8 = 1 << 2;
/// The end tags of most elements around it do not close it.
const BARRIER: u8 = 1 << 3;
/// End tags of tables do not close what is around it: TABLE, and TEMPLATE.
const TABLE: u8 = 1 << 4;
/// `</p>` does not close a P around it.
const BUTTON: u8 = 1 << 5;
/// `</li>` does not close an LI around it.
const LIST: u8 = 1 << 6;
/// It is an element of SVG or MATH whose content is HTML.
const HAS_HTML: u8 = 1 << 7;

struct OpenElement {
    name: Name,
    language: Language,
    kind: u8,
}

#[derive(Default)]
pub struct OpenElements {
    /// The elements, the innermost last.
    open: Vec<OpenElement>,
    /// Whether BODY has begun, by a tag or a text that cannot be in HEAD.
    pub is_in_body: bool,
    /// Whether a FRAMESET in BODY is ignored.
    is_late_for_frames: bool,
    /// Whether there is a FRAMESET instead of BODY.
    has_frames: bool,
}

impl OpenElements {
    /// The number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the innermost element is one of SVG or MATH.
    pub fn is_in_foreign(&self) -> bool {
        self.open.last().is_some_and(|element| element.language != Html)
    }

    /// Whether a BASE applies here.
    pub fn can_have_base(&self) -> bool {
        self.language_of(b"base") == Html && !self.is_in_template() && !self.has_frames
    }

    /// Whether what follows is in a TEMPLATE.
    fn is_in_template(&self) -> bool {
        self.open.iter().any(|element| element.is(b"template"))
    }

    /// The language of the element of a start tag that comes next.
    pub fn language_of(&self, name: &[u8]) -> Language {
        let foreign = self.open.last().filter(|parent| parent.language != Html);
        match (foreign, name) {
            (Some(OpenElement { language: Math, kind, name }), b"mglyph" | b"malignmark")
                if kind & HAS_HTML > 0 && *name != key(b"annotation-xml") =>
            {
                Math
            }
            (Some(parent), b"svg") if parent.kind & HAS_HTML == 0 && parent.name == key(b"annotation-xml") => Svg,
            (Some(parent), _) if parent.kind & HAS_HTML == 0 && !ends_foreign(name) => parent.language,
            (_, b"svg") => Svg,
            (_, b"math") => Math,
            _ => Html,
        }
    }

    /// Whether text does not change anything any more.
    pub fn ignores_text(&self) -> bool {
        self.is_in_body && self.is_late_for_frames
    }

    /// Follows text that is not the content of an element like SCRIPT.
    pub fn text(&mut self, text: &[u8]) {
        if !self.ignores_text() && text.iter().any(|byte| !byte.is_ascii_whitespace() && *byte != 0) {
            self.is_late_for_frames = true;
            self.is_in_body = self.is_in_body || !self.is_in_template();
        }
    }

    /// Opens the element of a start tag. Returns how its content is tokenized, if not as HTML. `value_of` gives
    /// the values of its attributes.
    pub fn start<'a>(
        &mut self,
        name: &[u8],
        is_self_closing: bool,
        value_of: impl Fn(&str) -> Option<&'a [u8]>,
    ) -> Option<State> {
        let is = |attribute, values: &[&[u8]]| {
            value_of(attribute).is_some_and(|value| values.iter().any(|one| value.eq_ignore_ascii_case(one)))
        };
        // with one of these attributes FONT ends SVG and MATH, without them it is an element of theirs
        let is_old_font = name == b"font" && ["color", "face", "size"].iter().any(|name| value_of(name).is_some());
        let language = if is_old_font { Html } else { self.language_of(name) };
        if language == Html && !self.has_frames {
            self.has_frames = name == b"frameset" && !self.ignores_text() && !self.is_in_template();
            self.is_late_for_frames =
                self.is_late_for_frames || ends_frames(name) || name == b"input" && !is("type", &[b"hidden"]);
        }
        self.is_in_body = self.is_in_body || !is_of_head(name) && !self.is_in_template();
        // frames have no other content than NOFRAMES
        if self.has_frames {
            return (name == b"noframes").then_some(State::RawText);
        }
        let kind = match (language, name) {
            (Html, _) => {
                self.end_foreign();
                self.push_html(name);
                return text_state(name);
            }
            // the integration points of the HTML Standard: what is in them is HTML
            (Svg, b"foreignobject" | b"desc" | b"title") | (Math, b"mi" | b"mo" | b"mn" | b"ms" | b"mtext") => {
                HAS_HTML | BARRIER | SPECIAL
            }
            (Math, b"annotation-xml") if is("encoding", &[b"text/html", b"application/xhtml+xml"]) => {
                HAS_HTML | BARRIER | SPECIAL
            }
            (Math, b"annotation-xml") => BARRIER | SPECIAL,
            _ => 0,
        };
        if !is_self_closing {
            self.push(name, language, kind);
        }
        None
    }

    /// Opens an element of HTML, unless it has no content, is open until the end, is not allowed here, or ends
    /// the innermost one, which has the same name.
    fn push_html(&mut self, name: &[u8]) {
        let is_open = match name {
            b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"embed" | b"frame" | b"hr" | b"image" | b"img"
            | b"input" | b"keygen" | b"link" | b"meta" | b"param" | b"source" | b"track" | b"wbr" | b"html"
            | b"head" | b"body" | b"frameset" => false,
            b"dd" | b"dt" | b"li" | b"option" | b"p" => !self.open.last().is_some_and(|last| last.is(name)),
            b"form" => self.is_in_template() || !self.open.iter().any(|element| element.is(name)),
            b"td" | b"th" => self.start_in_table(&[b"tr", b"tbody", b"tfoot", b"thead"]),
            b"tr" => self.start_in_table(&[b"tbody", b"tfoot", b"thead"]),
            b"caption" | b"colgroup" | b"tbody" | b"tfoot" | b"thead" => self.start_in_table(&[]),
            b"col" => {
                self.start_in_table(&[b"colgroup"]);
                false
            }
            _ => true,
        };
        if is_open {
            self.push(name, Html, kind_of(name));
        }
    }

    /// Closes what is in the TABLE or in one of these elements of it. Returns whether there is a TABLE, or
    /// a TEMPLATE for one.
    fn start_in_table(&mut self, elements: &[&[u8]]) -> bool {
        let Some(table) = self.open.iter().rposition(|element| element.kind & TABLE > 0) else { return false };
        if self.open[table].is(b"table") {
            let is_around = |element: &OpenElement| elements.iter().any(|name| element.is(name));
            let around = self.open[table..].iter().rposition(is_around).unwrap_or(0);
            self.open.truncate(table + around + 1);
        }
        true
    }

    fn push(&mut self, name: &[u8], language: Language, kind: u8) {
        self.open.truncate(MAX_OPEN - 1);
        self.open.push(OpenElement { name: key(name), language, kind });
    }

    /// Closes what an end tag ends.
    pub fn end(&mut self, name: &[u8]) {
        if matches!(name, b"p" | b"br") {
            self.end_foreign(); // these end tags are read as elements of HTML
        }
        if name == b"br" {
            self.is_late_for_frames = true;
            self.is_in_body = self.is_in_body || !self.is_in_template();
        }
        let named = key(name);
        if self.open.pop_if(|last| last.name == named).is_some() {
            return;
        }
        let foreign = self.open.iter().rposition(|element| element.language == Html).map_or(0, |html| html + 1);
        if let Some(index) = self.open[foreign..].iter().rposition(|element| element.name == named) {
            self.open.truncate(foreign + index);
        } else if let Some(index) = self.ended_by(name, named) {
            if kind_of(name) == FORMAT {
                let block = self.open[index..].iter().rposition(|element| element.kind & SPECIAL > 0).unwrap_or(0);
                self.open.truncate(index + block + 1);
                self.open.remove(index);
            } else if name == b"form" && !self.is_in_template() {
                self.open.remove(index);
            } else {
                self.open.truncate(index);
            }
        }
    }

    /// The index of the element of HTML that an end tag ends, by the HTML Standard's scopes.
    fn ended_by(&self, name: &[u8], named: Name) -> Option<usize> {
        let keeping = match name {
            b"template" => 0,
            b"caption" | b"table" | b"tbody" | b"td" | b"tfoot" | b"th" | b"thead" | b"tr" => TABLE,
            b"p" => BARRIER | BUTTON,
            b"li" => BARRIER | LIST,
            _ if kind_of(name) & (FORMAT | BLOCK) > 0 => BARRIER,
            _ => BARRIER | SPECIAL,
        };
        // the end tag of a heading ends any heading
        let ended = if matches!(name, [b'h', b'1'..=b'6']) { key(b"h1")..=key(b"h6") } else { named..=named };
        let is_ended = |element: &OpenElement| element.language == Html && ended.contains(&element.name);
        let index = self.open.iter().rposition(|element| element.kind & keeping > 0 || is_ended(element))?;
        is_ended(&self.open[index]).then_some(index)
    }

    /// Ends SVG and MATH up to the HTML around them.
    fn end_foreign(&mut self) {
        while self.open.last().is_some_and(|element| element.language != Html && element.kind & HAS_HTML == 0) {
            self.open.pop();
        }
    }
}

impl OpenElement {
    /// Whether it is an element of HTML that has a name.
    fn is(&self, name: &[u8]) -> bool {
        self.language == Html && self.name == key(name)
    }
}

/// What an element of HTML is.
fn kind_of(name: &[u8]) -> u8 {
    match name {
        b"a" | b"b" | b"big" | b"code" | b"em" | b"font" | b"i" | b"nobr" | b"s" | b"small" | b"strike" | b"strong"
        | b"tt" | b"u" => FORMAT,
        b"dialog" => BLOCK,
        b"address" | b"article" | b"aside" | b"blockquote" | b"center" | b"dd" | b"details" | b"dir" | b"div"
        | b"dl" | b"dt" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3"
        | b"h4" | b"h5" | b"h6" | b"header" | b"hgroup" | b"li" | b"listing" | b"main" | b"menu" | b"nav" | b"p"
        | b"pre" | b"search" | b"section" | b"summary" | b"tbody" | b"tfoot" | b"thead" | b"tr" => BLOCK | SPECIAL,
        b"applet" | b"caption" | b"marquee" | b"object" | b"select" | b"td" | b"th" => BLOCK | SPECIAL | BARRIER,
        b"table" | b"template" => BLOCK | SPECIAL | BARRIER | TABLE,
        b"button" => BLOCK | SPECIAL | BUTTON,
        b"ol" | b"ul" => BLOCK | SPECIAL | LIST,
        b"colgroup" | b"iframe" | b"noembed" | b"noframes" | b"noscript" | b"plaintext" | b"script" | b"style"
        | b"textarea" | b"title" | b"xmp" => SPECIAL,
        _ => 0,
    }
}

/// How the content of an element of HTML is tokenized, if it is only text.
pub fn text_state(name: &[u8]) -> Option<State> {
    match name {
        b"title" | b"textarea" => Some(State::RcData),
        b"script" => Some(State::ScriptData),
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Some(State::RawText),
        b"plaintext" => Some(State::PlainText),
        _ => None,
    }
}

/// The elements whose text is raw for some readers, and markup for others.
const RAW: &[&[u8]] =
    &[b"noscript", b"title", b"style", b"textarea", b"xmp", b"iframe", b"noembed", b"noframes", b"script"];

/// The name of such an element.
pub fn raw_name(name: &[u8]) -> Option<&'static [u8]> {
    RAW.iter().find(|raw| **raw == name).copied()
}

/// A name as it is compared.
fn key(name: &[u8]) -> Name {
    name.iter().take(16).fold(0, |bits, byte| bits << 8 | Name::from(*byte))
}
