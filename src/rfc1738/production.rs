//! The productions of RFC 1738 §5 that a URL can violate.

/// A production of RFC 1738 §5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Production {
    /// `httpurl`
    HttpUrl,
    /// `ftpurl`
    FtpUrl,
    /// `fileurl`
    FileUrl,
    /// `gopherurl`
    GopherUrl,
    /// `mailtourl`
    MailtoUrl,
    /// `newsurl`
    NewsUrl,
    /// `nntpurl`
    NntpUrl,
    /// `telneturl`
    TelnetUrl,
    /// `waisurl`
    WaisUrl,
    /// `prosperourl`
    ProsperoUrl,
    /// `user`
    User,
    /// `password`
    Password,
    /// `hostport`
    HostPort,
    /// `domainlabel`
    DomainLabel,
    /// `toplabel`
    TopLabel,
    /// `hostnumber`
    HostNumber,
    /// `port`
    Port,
    /// `search`
    Search,
    /// `ftptype`
    FtpType,
    /// `encoded822addr`
    Address,
    /// `grouppart`
    GroupPart,
    /// `group`
    Group,
    /// `article`
    Article,
    /// `digits`
    Digits,
    /// `database`
    Database,
    /// `wtype`
    WaisType,
    /// `wpath`
    WaisPath,
    /// `waisdoc`
    WaisDoc,
    /// `fieldname`
    FieldName,
    /// `fieldvalue`
    FieldValue,
    /// `fieldspec`
    FieldSpec,
}

impl Production {
    /// Its name there.
    pub fn name(self) -> &'static str {
        match self {
            Production::HttpUrl => "httpurl",
            Production::FtpUrl => "ftpurl",
            Production::FileUrl => "fileurl",
            Production::GopherUrl => "gopherurl",
            Production::MailtoUrl => "mailtourl",
            Production::NewsUrl => "newsurl",
            Production::NntpUrl => "nntpurl",
            Production::TelnetUrl => "telneturl",
            Production::WaisUrl => "waisurl",
            Production::ProsperoUrl => "prosperourl",
            Production::User => "user",
            Production::Password => "password",
            Production::HostPort => "hostport",
            Production::DomainLabel => "domainlabel",
            Production::TopLabel => "toplabel",
            Production::HostNumber => "hostnumber",
            Production::Port => "port",
            Production::Search => "search",
            Production::FtpType => "ftptype",
            Production::Address => "encoded822addr",
            Production::GroupPart => "grouppart",
            Production::Group => "group",
            Production::Article => "article",
            Production::Digits => "digits",
            Production::Database => "database",
            Production::WaisType => "wtype",
            Production::WaisPath => "wpath",
            Production::WaisDoc => "waisdoc",
            Production::FieldName => "fieldname",
            Production::FieldValue => "fieldvalue",
            Production::FieldSpec => "fieldspec",
        }
    }
}
