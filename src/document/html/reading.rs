//! What a text of HTML is read for.

/// What a text of HTML is read for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Reading {
    /// The charset that a META names in the HEAD of a page.
    #[default]
    Head,
    /// The charset that a META names, also in text that is no markup, as the HTML Standard looks for it.
    Prescan,
    /// The BASE of a page.
    Base,
    /// The links of a page.
    Page,
    /// The links of a page that has no BASE, so that they need not wait for one.
    BaselessPage,
    /// The links of what may be a page, or Markdown that begins with a tag.
    MaybePage,
    /// The links of the page in a SRCDOC.
    Srcdoc,
    /// The links of HTML in a text that has no HEAD, such as Markdown.
    Fragment,
    /// The links of HTML that is the raw text of an element for others.
    RawText(&'static [u8]),
    /// The links of HTML in a comment, in which BASE and META mean nothing.
    Comment,
}

impl Reading {
    /// Whether links are wanted.
    pub fn wants_links(self) -> bool {
        !matches!(self, Reading::Head | Reading::Prescan | Reading::Base)
    }

    /// Whether its BASE is wanted, before its links.
    pub fn wants_base(self) -> bool {
        matches!(self, Reading::Base | Reading::Page | Reading::MaybePage | Reading::Srcdoc)
    }
}
