//! Which host an answer reaches, and what changes between two answers of one standard.

use super::case::Case;
use super::edits::around_path;
use super::reason::Effect;
use crate::resolver::parse;
use crate::rfc1738::login::Login;
use crate::spec::Spec;
use crate::spec::prepared::spell_host;

/// The hosts that three answers reach.
#[derive(Default)]
pub struct Hosts {
    /// In the order of [`Spec::ALL`]; `None` without a host or an answer.
    pub reached: [Option<Vec<u8>>; 3],
    /// Whether one answer reaches another host than another one, or only one of them reaches a host.
    pub differ: bool,
    /// Whether an answer of another standard reaches the host that RFC 1808's has before a `?`, where RFC 1808 finds
    /// another one.
    pub by_question: [bool; 3],
}

impl Hosts {
    /// The hosts of three answers, of which some may be missing; none if the answers are the same.
    pub fn of(answers: [Option<&[u8]>; 3]) -> Self {
        if answers[1..] == [answers[0]; 2] && !answers[0].is_some_and(has_question) {
            return Hosts::default(); // nothing differs, so nobody asks
        }
        let [rfc1808, rfc3986, whatwg] =
            Spec::ALL.map(|spec| answers[spec as usize].and_then(|url| host_as_written(spec, url)));
        let own = spell(rfc1808);
        let spell_other = |host| if host == rfc1808 { own.clone() } else { spell(host) };
        let reached = [own.clone(), spell_other(rfc3986), spell_other(whatwg)];
        let mut hosts = answers.iter().zip(&reached).filter(|(answer, _)| answer.is_some()).map(|(_, host)| host);
        let first = hosts.next();
        let differ = hosts.any(|host| Some(host) != first);
        let before = answers[0].filter(|url| has_question(url));
        let before = before.map(|url| spell_other(host_as_written(Spec::Rfc3986, url))).filter(|before| *before != own);
        let is_before = |index: usize| answers[index].is_some() && Some(&reached[index]) == before.as_ref();
        Hosts { by_question: [false, is_before(1), is_before(2)], reached, differ }
    }
}

/// Whether RFC 1808's answer has a `?` in its net_loc.
fn has_question(url: &[u8]) -> bool {
    url.contains(&b'?') && parse(url).net_loc.is_some_and(|net_loc| net_loc.contains(&b'?'))
}

/// The scheme and the host of an answer, as its standard reads it.
fn host_as_written(spec: Spec, url: &[u8]) -> Option<(&[u8], &[u8])> {
    let (scheme, authority) = spec.scheme_and_authority(url);
    Some((scheme?, Login::divide(authority?).host))
}

/// The scheme of an answer, in lower case, and the host that it reaches, as its standard reads it.
pub fn reach(spec: Spec, url: &[u8]) -> (Vec<u8>, Option<Vec<u8>>) {
    let (scheme, _) = spec.scheme_and_authority(url);
    (scheme.unwrap_or_default().to_ascii_lowercase(), spell(host_as_written(spec, url)))
}

/// A host in WHATWG's spelling if WHATWG accepts it with its scheme; `None` if it is empty.
pub fn spell(host: Option<(&[u8], &[u8])>) -> Option<Vec<u8>> {
    let (scheme, host) = host?;
    let host = spell_host(scheme, host).map_or_else(|| host.to_vec(), String::into_bytes);
    (!host.is_empty()).then_some(host)
}

/// All before the path of an answer as its standard reads it, then path, query and fragment.
fn components(spec: Spec, url: &[u8]) -> [&[u8]; 4] {
    let [start, path, query] = match spec {
        Spec::Rfc1808 => {
            let [_, net_loc, _, params, query, _] = parse(url).ends(url);
            [net_loc, params, query]
        }
        Spec::Rfc3986 | Spec::Whatwg => {
            let [before, path, after] = around_path(url);
            let query = after.iter().position(|&byte| byte == b'#').unwrap_or(after.len());
            [before.len(), before.len() + path.len(), before.len() + path.len() + query]
        }
    };
    [&url[..start], &url[start..path], &url[path..query], &url[query..]]
}

impl Effect {
    /// What an edit of a case changes most in an answer: the path if nothing, because that takes another edit.
    pub fn between(before: &Case, after: &Case) -> Effect {
        let of_answers = |spec, before: &[u8], after: &[u8]| {
            let [before, after] = [before, after].map(|url| components(spec, url));
            let effects = [Effect::Host, Effect::Path, Effect::Query, Effect::Fragment];
            effects.into_iter().enumerate().find(|(index, _)| before[*index] != after[*index]).map(|(_, effect)| effect)
        };
        let (Ok(own), Ok(next_own), Ok(other), Ok(next)) =
            (&before.rfc1808, &after.rfc1808, &before.other, &after.other)
        else {
            return Effect::Answer;
        };
        let effects = [of_answers(Spec::Rfc1808, own, next_own), of_answers(before.spec, other, next)];
        effects.into_iter().flatten().min().unwrap_or(Effect::Path)
    }
}
