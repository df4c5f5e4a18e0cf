//! A matcher made from the BNF of RFC 1808 §2.2 itself: the grammar's text is typed from the RFC,
//! parsed by the conventions of RFC 822, and matched by sets of positions. It shares nothing with
//! `src`, and knows nothing of URLs.

use std::collections::BTreeMap;

/// §2.2, as it stands in the RFC.
const RFC_1808: &str = r##"
   URL         = ( absoluteURL | relativeURL ) [ "#" fragment ]

   absoluteURL = generic-RL | ( scheme ":" *( uchar | reserved ) )

   generic-RL  = scheme ":" relativeURL

   relativeURL = net_path | abs_path | rel_path

   net_path    = "//" net_loc [ abs_path ]
   abs_path    = "/"  rel_path
   rel_path    = [ path ] [ ";" params ] [ "?" query ]

   path        = fsegment *( "/" segment )
   fsegment    = 1*pchar
   segment     =  *pchar

   params      = param *( ";" param )
   param       = *( pchar | "/" )

   scheme      = 1*( alpha | digit | "+" | "-" | "." )
   net_loc     =  *( pchar | ";" | "?" )
   query       =  *( uchar | reserved )
   fragment    =  *( uchar | reserved )

   pchar       = uchar | ":" | "@" | "&" | "="
   uchar       = unreserved | escape
   unreserved  = alpha | digit | safe | extra

   escape      = "%" hex hex
   hex         = digit | "A" | "B" | "C" | "D" | "E" | "F" |
                         "a" | "b" | "c" | "d" | "e" | "f"

   alpha       = lowalpha | hialpha
   lowalpha    = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" |
                 "j" | "k" | "l" | "m" | "n" | "o" | "p" | "q" | "r" |
                 "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z"
   hialpha     = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" |
                 "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R" |
                 "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z"

   digit       = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" |
                 "8" | "9"

   safe        = "$" | "-" | "_" | "." | "+"
   extra       = "!" | "*" | "'" | "(" | ")" | ","
   national    = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"
   reserved    = ";" | "/" | "?" | ":" | "@" | "&" | "="
   punctuation = "<" | ">" | "#" | "%" | <">
"##;

/// What matches.
#[derive(Clone, Debug)]
enum Node {
    /// One byte of a set: an alternative of single bytes.
    Set(Box<[bool; 256]>),
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of them.
    Alternatives(Vec<Node>),
    /// So many, or more.
    AtLeast(usize, Box<Node>),
    /// One or none.
    Optional(Box<Node>),
}

/// A word of the grammar.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// The name of a production, or the number before a `*`.
    Name(String),
    /// A literal.
    Literal(Vec<u8>),
    /// One of `= | ( ) [ ] *`.
    Sign(u8),
}

/// The productions of a grammar.
pub struct Grammar {
    /// Each by its name, with all others put in.
    productions: BTreeMap<String, Node>,
}

/// The positions of a text up to 127 bytes, a bit each.
type Positions = u128;

impl Grammar {
    /// RFC 1808 §2.2.
    pub fn rfc_1808() -> Self {
        let tokens = tokens(RFC_1808);
        let begins: Vec<usize> =
            (1..tokens.len()).filter(|&at| tokens[at] == Token::Sign(b'=')).map(|at| at - 1).collect();
        let mut texts = BTreeMap::new();
        for (number, &begin) in begins.iter().enumerate() {
            let end = begins.get(number + 1).copied().unwrap_or(tokens.len());
            let Token::Name(name) = &tokens[begin] else { panic!("a production without a name") };
            assert!(texts.insert(name.clone(), &tokens[begin + 2..end]).is_none(), "{name} is there twice");
        }
        let productions = texts.keys().map(|name| (name.clone(), production(name, &texts))).collect();
        Grammar { productions }
    }

    /// How many productions there are.
    pub fn len(&self) -> usize {
        self.productions.len()
    }

    /// Whether a production matches all of a text of at most 127 bytes.
    pub fn matches(&self, production: &str, text: &[u8]) -> bool {
        assert!(text.len() < 128);
        step(&self.productions[production], text, 1) >> text.len() & 1 == 1
    }
}

/// Where a node can end, if it begins at one of `from`.
fn step(node: &Node, text: &[u8], from: Positions) -> Positions {
    if from == 0 {
        return 0;
    }
    match node {
        Node::Set(set) => {
            let fits = |&at: &usize| from >> at & 1 == 1 && set[usize::from(text[at])];
            (0..text.len()).filter(fits).fold(0, |ends, at| ends | 1 << (at + 1))
        }
        Node::Sequence(nodes) => nodes.iter().fold(from, |from, node| step(node, text, from)),
        Node::Alternatives(nodes) => nodes.iter().fold(0, |ends, node| ends | step(node, text, from)),
        Node::Optional(node) => from | step(node, text, from),
        Node::AtLeast(times, node) => {
            let least = (0..*times).fold(from, |from, _| step(node, text, from));
            let (mut all, mut new) = (least, least);
            while new != 0 {
                new = step(node, text, new) & !all;
                all |= new;
            }
            all
        }
    }
}

/// The words of a grammar.
fn tokens(grammar: &str) -> Vec<Token> {
    let mut rest = grammar.as_bytes();
    let mut tokens = Vec::new();
    while let [first, ..] = rest {
        let length = match first {
            b' ' | b'\n' => 1,
            b'"' => {
                let length = rest[1..].iter().position(|&byte| byte == b'"').expect("a closing quote");
                tokens.push(Token::Literal(rest[1..=length].to_vec()));
                length + 2
            }
            b'<' => {
                assert!(rest.starts_with(b"<\">"));
                tokens.push(Token::Literal(b"\"".to_vec()));
                3
            }
            b'=' | b'|' | b'(' | b')' | b'[' | b']' | b'*' => {
                tokens.push(Token::Sign(*first));
                1
            }
            _ => {
                let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
                let length = rest.iter().take_while(is_name).count();
                assert!(length > 0, "an unknown byte {first}");
                tokens.push(Token::Name(String::from_utf8(rest[..length].to_vec()).unwrap()));
                length
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// A production with all others put in: the grammar has no recursion.
fn production(name: &str, texts: &BTreeMap<String, &[Token]>) -> Node {
    let mut rest = texts[name];
    let node = alternatives(&mut rest, texts);
    assert!(rest.is_empty(), "{name} has more than alternatives: {rest:?}");
    node
}

/// `sequence | sequence | ...`
fn alternatives(rest: &mut &[Token], texts: &BTreeMap<String, &[Token]>) -> Node {
    let mut nodes = vec![sequence(rest, texts)];
    while let [Token::Sign(b'|'), after @ ..] = *rest {
        *rest = after;
        nodes.push(sequence(rest, texts));
    }
    // bytes are put together in one set, which matches the same, but faster
    let mut set = Box::new([false; 256]);
    nodes.retain(|node| {
        let Node::Set(bytes) = node else { return true };
        (0..256).for_each(|byte| set[byte] |= bytes[byte]);
        false
    });
    if set.contains(&true) {
        nodes.push(Node::Set(set));
    }
    if nodes.len() == 1 { nodes.remove(0) } else { Node::Alternatives(nodes) }
}

/// `element element ...`
fn sequence(rest: &mut &[Token], texts: &BTreeMap<String, &[Token]>) -> Node {
    let mut nodes = Vec::new();
    while !matches!(rest.first(), None | Some(Token::Sign(b'|' | b')' | b']'))) {
        nodes.push(element(rest, texts));
    }
    if nodes.len() == 1 { nodes.remove(0) } else { Node::Sequence(nodes) }
}

/// `<n>*element`, `*element`, `[...]`, `(...)`, a literal or a name.
fn element(rest: &mut &[Token], texts: &BTreeMap<String, &[Token]>) -> Node {
    let (first, after) = rest.split_first().expect("an element");
    *rest = after;
    match (first, after.first()) {
        (Token::Name(number), Some(Token::Sign(b'*'))) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            *rest = &after[1..];
            Node::AtLeast(number.parse().expect("a number"), Box::new(element(rest, texts)))
        }
        (Token::Sign(b'*'), _) => Node::AtLeast(0, Box::new(element(rest, texts))),
        (Token::Sign(open @ (b'(' | b'[')), _) => {
            let inner = alternatives(rest, texts);
            let (close, after) = rest.split_first().expect("a closing bracket");
            *rest = after;
            match (open, close) {
                (b'(', Token::Sign(b')')) => inner,
                (b'[', Token::Sign(b']')) => Node::Optional(Box::new(inner)),
                _ => panic!("brackets that do not match"),
            }
        }
        (Token::Literal(bytes), _) => {
            let set = |byte: &u8| {
                let mut set = Box::new([false; 256]);
                set[usize::from(*byte)] = true;
                Node::Set(set)
            };
            if bytes.len() == 1 { set(&bytes[0]) } else { Node::Sequence(bytes.iter().map(set).collect()) }
        }
        (Token::Name(name), _) => production(name, texts),
        (Token::Sign(_), _) => panic!("a sign out of place: {first:?}"),
    }
}
