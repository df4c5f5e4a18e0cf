//! A matcher made from the BNF of RFC 1808 §2.2 and RFC 1738 §5 and the ABNF of RFC 3986, appendix A: a grammar's text
//! is copied from the RFC, parsed by the conventions of RFC 822 or RFC 5234, and matched by sets of positions. It
//! shares nothing with `src`, and knows nothing of URLs.

use std::collections::BTreeMap;

/// §2.2 of RFC 1808.
const RFC_1808: &str = include_str!("../data/rfc1808.bnf");

/// §5 of RFC 1738.
const RFC_1738: &str = include_str!("../data/rfc1738.bnf");

/// Appendix A of RFC 3986.
const RFC_3986: &str = include_str!("../data/rfc3986.abnf");

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
    /// An optional element.
    Optional(Box<Node>),
}

/// A word of the grammar.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// The name of a production.
    Name(String),
    /// The number before or after a `*`, or before an element.
    Number(usize),
    /// A literal.
    Literal(Vec<u8>),
    /// One byte of these.
    Bytes(Vec<u8>),
    /// One of `= | ( ) [ ] *`. The `/` of ABNF is a `|`.
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
        Self::new(&[RFC_1808])
    }

    /// RFC 1738 §5, with other lines for some productions.
    pub fn rfc_1738(other: &str) -> Self {
        Self::new(&[RFC_1738, other])
    }

    /// RFC 3986, appendix A.
    pub fn rfc_3986() -> Self {
        Self::new(&[RFC_3986])
    }

    /// A grammar of several texts. A production of a later one replaces that of an earlier one.
    pub fn new(texts: &[&str]) -> Self {
        let mut all = BTreeMap::new();
        for text in texts {
            let tokens = tokenize(text);
            let begins: Vec<usize> =
                (1..tokens.len()).filter(|&index| tokens[index] == Token::Sign(b'=')).map(|index| index - 1).collect();
            let mut own = BTreeMap::new();
            for (number, &begin) in begins.iter().enumerate() {
                let end = begins.get(number + 1).copied().unwrap_or(tokens.len());
                let Token::Name(name) = &tokens[begin] else { panic!("a production without a name") };
                assert!(own.insert(name.clone(), tokens[begin + 2..end].to_vec()).is_none(), "{name} is there twice");
            }
            all.extend(own);
        }
        let productions = all.keys().map(|name| (name.clone(), parse_production(name, &all))).collect();
        Grammar { productions }
    }

    /// How many productions there are.
    pub fn len(&self) -> usize {
        self.productions.len()
    }

    /// Whether a production matches all of a text of at most 127 bytes.
    pub fn matches(&self, production: &str, text: &[u8]) -> bool {
        self.step(production, text).0 >> text.len() & 1 == 1
    }

    /// The offset of the first byte with which no text that the production matches begins; the length of a
    /// text that only lacks something; `None` for a text that matches.
    pub fn dead(&self, production: &str, text: &[u8]) -> Option<usize> {
        let is_alive = |length: usize| {
            let (ends, goes_on) = self.step(production, &text[..length]);
            goes_on || ends >> length & 1 == 1
        };
        if self.matches(production, text) {
            return None;
        }
        let lengths: Vec<_> = (1..=text.len()).collect();
        Some(lengths.partition_point(|&length| is_alive(length)))
    }

    /// Where a production can end, if it begins where the text does, and whether more text could match.
    fn step(&self, production: &str, text: &[u8]) -> (Positions, bool) {
        assert!(text.len() < 128);
        let mut goes_on = false;
        (step(&self.productions[production], text, 1, &mut goes_on), goes_on)
    }

    /// A random text that a production matches. `below` returns a random number below another.
    pub fn derive(&self, production: &str, below: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
        let mut text = Vec::new();
        derive(&self.productions[production], below, &mut text);
        text
    }
}

/// Where a node can end, if it begins at one of `from`. `goes_on` becomes true if it wants a byte after the text.
fn step(node: &Node, text: &[u8], from: Positions, goes_on: &mut bool) -> Positions {
    if from == 0 {
        return 0;
    }
    match node {
        Node::Set(set) => {
            *goes_on |= from >> text.len() & 1 == 1;
            let fits = |&at: &usize| from >> at & 1 == 1 && set[usize::from(text[at])];
            (0..text.len()).filter(fits).fold(0, |ends, at| ends | 1 << (at + 1))
        }
        Node::Sequence(nodes) => nodes.iter().fold(from, |from, node| step(node, text, from, goes_on)),
        Node::Alternatives(nodes) => nodes.iter().fold(0, |ends, node| ends | step(node, text, from, goes_on)),
        Node::Optional(node) => from | step(node, text, from, goes_on),
        Node::AtLeast(times, node) => {
            let least = (0..*times).fold(from, |from, _| step(node, text, from, goes_on));
            let (mut all, mut new) = (least, least);
            while new != 0 {
                new = step(node, text, new, goes_on) & !all;
                all |= new;
            }
            all
        }
    }
}

/// Appends a random text that a node matches.
fn derive(node: &Node, below: &mut dyn FnMut(usize) -> usize, text: &mut Vec<u8>) {
    match node {
        Node::Set(set) => {
            let bytes: Vec<u8> = (0..=255).filter(|byte| set[usize::from(*byte)]).collect();
            text.push(bytes[below(bytes.len())]);
        }
        Node::Sequence(nodes) => nodes.iter().for_each(|node| derive(node, below, text)),
        Node::Alternatives(nodes) => derive(&nodes[below(nodes.len())], below, text),
        Node::Optional(node) if below(2) == 0 => derive(node, below, text),
        Node::Optional(_) => {}
        Node::AtLeast(times, node) => {
            (0..times + below(4)).for_each(|_| derive(node, below, text));
        }
    }
}

/// The words of a grammar. In ABNF letters match in both cases; only single ones are in quotes.
fn tokenize(grammar: &str) -> Vec<Token> {
    let is_abnf = grammar.contains(" / ");
    let mut rest = grammar.as_bytes();
    let mut tokens = Vec::new();
    while let [first, ..] = rest {
        let length = match first {
            // "<" and ">" are around the name of a production
            b' ' | b'\n' | b'<' | b'>' if !rest.starts_with(b"<\">") => 1,
            b';' => rest.iter().take_while(|byte| **byte != b'\n').count(), // a comment
            b'"' => {
                let length = rest[1..].iter().position(|&byte| byte == b'"').expect("a closing quote");
                tokens.push(match &rest[1..=length] {
                    [letter] if is_abnf => Token::Bytes(vec![letter.to_ascii_lowercase(), letter.to_ascii_uppercase()]),
                    literal => Token::Literal(literal.to_vec()),
                });
                length + 2
            }
            b'<' => {
                tokens.push(Token::Literal(b"\"".to_vec()));
                3
            }
            b'%' => {
                assert!(rest.starts_with(b"%x") && rest[4] == b'-');
                let byte = |at| u8::from_str_radix(str::from_utf8(&rest[at..at + 2]).unwrap(), 16).unwrap();
                tokens.push(Token::Bytes((byte(2)..=byte(5)).collect()));
                7
            }
            b'/' => {
                tokens.push(Token::Sign(b'|'));
                1
            }
            b'0'..=b'9' => {
                let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                tokens.push(Token::Number(str::from_utf8(&rest[..length]).unwrap().parse().unwrap()));
                length
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
fn parse_production(name: &str, texts: &BTreeMap<String, Vec<Token>>) -> Node {
    let mut rest = &texts[name][..];
    let node = alternatives(&mut rest, texts);
    assert!(rest.is_empty(), "{name} has more than alternatives: {rest:?}");
    node
}

/// `sequence | sequence | ...`
fn alternatives(rest: &mut &[Token], texts: &BTreeMap<String, Vec<Token>>) -> Node {
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
fn sequence(rest: &mut &[Token], texts: &BTreeMap<String, Vec<Token>>) -> Node {
    let mut nodes = Vec::new();
    while !matches!(rest.first(), None | Some(Token::Sign(b'|' | b')' | b']'))) {
        nodes.push(element(rest, texts));
    }
    if nodes.len() == 1 { nodes.remove(0) } else { Node::Sequence(nodes) }
}

/// `<n>*<m>element`, `<n>element`, `[...]`, `(...)`, a literal, bytes or a name.
fn element(rest: &mut &[Token], texts: &BTreeMap<String, Vec<Token>>) -> Node {
    if let Some(node) = repetition(rest, texts) {
        return node;
    }
    let (first, after) = rest.split_first().expect("an element");
    *rest = after;
    match first {
        Token::Sign(open @ (b'(' | b'[')) => {
            let inner = alternatives(rest, texts);
            let (close, after) = rest.split_first().expect("a closing bracket");
            *rest = after;
            match (open, close) {
                (b'(', Token::Sign(b')')) => inner,
                (b'[', Token::Sign(b']')) => Node::Optional(Box::new(inner)),
                _ => panic!("brackets that do not match"),
            }
        }
        Token::Literal(bytes) => {
            if bytes.len() == 1 {
                set(bytes)
            } else {
                Node::Sequence(bytes.iter().map(|byte| set(&[*byte])).collect())
            }
        }
        Token::Bytes(bytes) => set(bytes),
        Token::Name(name) => parse_production(name, texts),
        Token::Number(_) | Token::Sign(_) => panic!("out of place: {first:?}"),
    }
}

/// One byte of these.
fn set(bytes: &[u8]) -> Node {
    let mut set = Box::new([false; 256]);
    for byte in bytes {
        set[usize::from(*byte)] = true;
    }
    Node::Set(set)
}

/// An element with numbers or a `*` before it.
fn repetition(rest: &mut &[Token], texts: &BTreeMap<String, Vec<Token>>) -> Option<Node> {
    let (least, most, length) = match **rest {
        [Token::Number(least), Token::Sign(b'*'), Token::Number(most), ..] => (least, Some(most), 3),
        [Token::Sign(b'*'), Token::Number(most), ..] => (0, Some(most), 2),
        [Token::Number(least), Token::Sign(b'*'), ..] => (least, None, 2),
        [Token::Sign(b'*'), ..] => (0, None, 1),
        [Token::Number(times), ..] => (times, Some(times), 1),
        _ => return None,
    };
    *rest = &rest[length..];
    let node = repeated(rest, texts);
    let Some(most) = most else { return Some(Node::AtLeast(least, Box::new(node))) };
    let more = (least..most).map(|_| Node::Optional(Box::new(node.clone())));
    Some(Node::Sequence((0..least).map(|_| node.clone()).chain(more).collect()))
}

/// An element after a `*`, where the brackets of RFC 1738 are around what is repeated, not optional.
fn repeated(rest: &mut &[Token], texts: &BTreeMap<String, Vec<Token>>) -> Node {
    match element(rest, texts) {
        Node::Optional(node) => *node,
        node => node,
    }
}
