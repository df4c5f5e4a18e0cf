//! What rewriting has to know about a link: where it is, and what would be lost.

use std::ops::Range;

use super::holds::Holds;
use super::place::layer::{Escape, Layer};
use super::place::markdown::Form;
use super::values::Link;

impl<'a> Link<'a> {
    /// Whether it is in Markdown, where a definition of `#` may be a comment.
    pub fn is_in_markdown(&self) -> bool {
        self.layers.first().is_some_and(|layer| matches!(layer.escape, Escape::Markdown(_)))
    }

    /// Whether it is in a conditional comment.
    pub fn is_in_comment(&self) -> bool {
        self.layers.iter().any(|layer| layer.escape == Escape::Comment)
    }

    /// Whether it is a destination of Markdown in `<` and `>`.
    pub fn is_pointy(&self) -> bool {
        matches!(self.layers, [Layer { escape: Escape::Markdown(Form::Pointy(_)), .. }])
    }

    /// Whether it is in a style sheet that is a document.
    pub fn is_in_sheet(&self) -> bool {
        matches!(self.layers, [Layer { escape: Escape::Css(_), .. }])
    }

    /// Whether it names something by its absolute URL, wherever the document is. A canonical one may be a path.
    pub fn is_absolute_by_nature(&self) -> bool {
        let is_autolink = |layer: &Layer| layer.escape == Escape::Markdown(Form::Autolink);
        self.holds == Holds::Base
            || self.element == b"base" // in Markdown
            || self.attribute == b"itemtype"
            || self.layers.first().is_some_and(is_autolink)
    }

    /// Whether a fragment alone would mean something in the document itself, whatever the base is.
    pub fn has_fragments_of_its_own(&self) -> bool {
        self.holds == Holds::SvgUrl || self.layers.last().is_some_and(|layer| matches!(layer.escape, Escape::Css(_)))
    }

    /// The markup in the text of an element of XML, or of SVG in HTML, that a range of the value has in it or at its
    /// ends: its offset in that text, and it itself, perhaps with borders of CDATA sections. `file`: the bytes of the
    /// file.
    pub fn markup<'t>(
        &self,
        file: &'t [u8],
        range: Range<usize>,
    ) -> impl Iterator<Item = (u64, &'t [u8])> + use<'a, 't> {
        let is_element = |layer: &&Layer| matches!(layer.escape, Escape::XmlText | Escape::XmlCdata | Escape::XmlMixed);
        let element = self.layers.first().filter(is_element);
        let range = self.range_in_first(range);
        let left_out = element.into_iter().flat_map(move |layer| layer.left_out(range.clone()));
        let bytes = |Range { start, end }| file.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?);
        left_out.filter_map(move |(at, place)| Some((at, bytes(place)?)))
    }

    /// Whether it has markup in it, which an answer would replace.
    pub fn has_markup(&self, file: &[u8]) -> bool {
        let range = self.range_in_first(self.range.clone());
        self.markup(file, self.range.clone()).any(|(at, markup)| {
            let border = b"<![CDATA[";
            range.start < at && at < range.end && markup.strip_suffix(border).unwrap_or(markup).contains(&b'<')
        })
    }

    /// The range in the outermost text around the value that a range of the value has.
    fn range_in_first(&self, range: Range<usize>) -> Range<u64> {
        let inner = self.layers.iter().skip(1).rev();
        inner.fold(range.start as u64..range.end as u64, |range, layer| layer.outer(range))
    }
}
