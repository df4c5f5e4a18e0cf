//! tokenize FILE...: html5gum's tokenizer over each file, with an emitter that keeps nothing but what the tokenizer asks
//! it for; prints the number of start tags.
use html5gum::{Emitter, Error, State, Tokenizer, naive_next_state};

/// Counts start tags.
#[derive(Default)]
struct Count {
    /// The number of them.
    tags: u64,
    /// Whether the text has ended.
    is_done: bool,
    /// Whether the current tag is one.
    is_start: bool,
    /// The name of the current tag.
    name: Vec<u8>,
    /// The name of the last start tag.
    last: Vec<u8>,
}

impl Emitter for Count {
    type Token = u64;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last = name.unwrap_or_default().to_vec();
    }
    fn emit_eof(&mut self) {
        self.is_done = true;
    }
    fn emit_error(&mut self, _: Error) {}
    fn should_emit_errors(&mut self) -> bool {
        false
    }
    fn pop_token(&mut self) -> Option<u64> {
        std::mem::take(&mut self.is_done).then_some(self.tags)
    }
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_start_tag(&mut self) {
        self.is_start = true;
        self.name.clear();
    }
    fn init_end_tag(&mut self) {
        self.is_start = false;
        self.name.clear();
    }
    fn init_comment(&mut self) {}
    fn emit_current_tag(&mut self) -> Option<State> {
        self.tags += u64::from(self.is_start);
        if !self.is_start {
            return None;
        }
        std::mem::swap(&mut self.name, &mut self.last);
        naive_next_state(&self.last)
    }
    fn emit_current_comment(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_self_closing(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }
    fn push_comment(&mut self, _: &[u8]) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn init_attribute(&mut self) {}
    fn push_attribute_name(&mut self, _: &[u8]) {}
    fn push_attribute_value(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && self.name == self.last
    }
}

fn main() -> std::io::Result<()> {
    let mut tags = 0;
    for file in std::env::args_os().skip(1) {
        let page = std::fs::read(&file)?;
        let page = String::from_utf8_lossy(&page);
        tags += Tokenizer::new_with_emitter(&*page, Count::default()).flatten().sum::<u64>();
    }
    println!("{tags}");
    Ok(())
}
