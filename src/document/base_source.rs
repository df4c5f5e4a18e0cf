//! What has a base URL in a document.

named! {
    /// What has a base URL in a document. Header fields stand in their precedence.
    pub enum BaseSource {
        Element "BASE",
        XmlBase "xml:base",
        Base "Base",
        ContentBase "Content-Base",
        ContentLocation "Content-Location",
        Location "Location",
    }
}
