//! The productions of RFC 1738 §5 that a URL can violate.

named! {
    /// A production of RFC 1738 §5.
    pub enum SchemeProduction {
        HttpUrl "httpurl",
        FtpUrl "ftpurl",
        FileUrl "fileurl",
        GopherUrl "gopherurl",
        MailtoUrl "mailtourl",
        NewsUrl "newsurl",
        NntpUrl "nntpurl",
        TelnetUrl "telneturl",
        WaisUrl "waisurl",
        ProsperoUrl "prosperourl",
        User "user",
        Password "password",
        HostPort "hostport",
        DomainLabel "domainlabel",
        TopLabel "toplabel",
        HostNumber "hostnumber",
        Port "port",
        Search "search",
        FtpType "ftptype",
        Address "encoded822addr",
        GroupPart "grouppart",
        Group "group",
        Article "article",
        Digits "digits",
        Database "database",
        WaisType "wtype",
        WaisPath "wpath",
        WaisDoc "waisdoc",
        FieldName "fieldname",
        FieldValue "fieldvalue",
        FieldSpec "fieldspec",
    }
}
