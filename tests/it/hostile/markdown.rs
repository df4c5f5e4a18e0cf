//! Markdown that is made to hurt.

use super::row::{FULL, MUCH, PLAIN, QUICK, Size, each, join, row, run_all, text, times};
use super::{G, GH};
use crate::harness::Bytes;

/// The links of Markdown on standard input.
const LINKS: &str = "--links - --media-type text/markdown -b http://a/b/c/d";

/// A link before and after some Markdown, each in a text of its own.
fn between(markdown: Bytes) -> Bytes {
    join([text("[a](g)\n\n"), markdown, text("\n\n[a](h)\n")])
}

fn marks_are_read(Size { many, .. }: Size) {
    let marks = [
        "[", "]", "(", ")", "![", "](", "[](", "[a](", "[a](<", "[a][", "[a]", "[^a]", "[^a]: ", "[a]: <", "[a\\",
        "[a](b \"", "[a](b '", "[a](b (", "[a](\\(", "![[a](", "&", "&#", "&a;", "<", "<a ", "<a b=\"", "</", "<a:",
        "<a@b.", "<a\n", "> <a\n", "*", "_", "**a *", "*a_", "|", "|a", "|-", "|\\", "\\\\|", "a|\n-|\n", "|a|b|\n",
        "\\", "$", "# ", "- a\n", "1. a\n", "a\n=\n", "---\n", "- [x](\n", "> [x](\n", "<p>\n\n", "<p>\n", "\t", " ",
        "\r", "\u{FEFF}", "    a\n",
    ];
    run_all(
        marks.map(|mark| row(mark, LINKS).reads(between(times(mark, many / 10))).writes(text(GH)).within(MUCH)).into(),
    );
    // these go on to the end of the text
    let marks = ["<!a", "`", "~", "<!--", "<?", "<![CDATA[", "```\n", "~~~ a\n", "<pre>\n", "<style ", "<textarea>"];
    run_all(
        marks
            .map(|mark| row(mark, LINKS).reads(between(times(mark, many / 10 + 1))).writes(text(G)).within(MUCH))
            .into(),
    );
}

#[test]
fn marks_by_the_thousand_are_read_in_linear_time() {
    marks_are_read(QUICK);
}

#[test]
#[ignore = "marks by the 100,000: 2 seconds"]
fn marks_by_the_thousand_are_read_in_linear_time_in_full_size() {
    marks_are_read(FULL);
}

#[test]
fn quotes_and_lists_are_nested_at_most_100_levels_deep() {
    let deep =
        |name, markdown: Bytes| row(name, LINKS).reads(join([text("[a](g)\n\n"), markdown, text("a\n[b](h)\n")]));
    let refused = |name, markdown| {
        let what = "the Markdown has quotes or lists nested more than 100 levels deep; use fewer levels";
        deep(name, markdown).says(text(format!("absurl: -: {what}\n"))).status(2)
    };
    let lists = |last: usize| each(last, |level| format!("{}- a\n", "  ".repeat(level - 1)));
    run_all(vec![
        deep("100 quotes", times(">", 100)).writes(text(GH)),
        deep("50 lists in one line", times("- ", 50)).writes(text(GH)),
        deep("50 lists in as many lines", lists(50)).writes(text(GH)),
        deep("a rule of 100 000 marks", join([times("* ", 100_000), text("\n")])).writes(text(GH)),
        deep("code that is indented by 100 000", join([times(" ", 100_000), text("- a\n")])).writes(text(GH)),
        refused("a million quotes", times("> ", 1_000_000)),
        refused("a million lists", times("- ", 1_000_000)),
        refused("a million numbered lists", times("1. ", 1_000_000)),
        refused("500 000 quotes in footnotes", times("[^a]: >", 500_000)),
        refused("200 lists, each in a line", lists(200)),
    ]);
}

#[test]
fn a_list_of_marks_of_front_matter_is_read_in_linear_time() {
    let list = |name, front: &str, item: &str| {
        let markdown = join([text(front), times(item, 300_000), text("\n---\n+++\n\n[a](g)\n")]);
        row(name, LINKS).reads(markdown).writes(text(G)).within(MUCH)
    };
    run_all(vec![
        list("- +++", "", "- +++\n"),
        list("1. ---", "", "1. ---\n"),
        list("1. +++", "", "1. +++\n"),
        list("in lines of their own", "", "- x\n  +++\n"),
        list("after front matter", "---\na: b\n---\n", "- +++\n"),
        list("after front matter that does not end", "+++\na = 1\n", "1. ---\n"),
        list("after what is no front matter", "---\n\n", "- +++\n"),
    ]);
}

#[test]
fn long_texts_of_markdown() {
    let definitions = each(100_000, |n| format!("[{n}]: i\n"));
    let backticks = each(1_000, |n| format!("{} ", "`".repeat(n)));
    let title = |line: &str, count| join([text("[a](g \""), times(line, count), text("\")\n")]);
    let too_long = |name, line: &str, count| {
        let what = "the Markdown has titles of links with too many lines; shorten or close them";
        row(name, LINKS).reads(title(line, count)).says(text(format!("absurl: -: {what}\n"))).status(2).within(MUCH)
    };
    let answers = |count: usize| join([text(G), times("http://a/b/c/i\n", count), text("http://a/b/c/h\n")]);
    run_all(vec![
        row("100 000 definitions", LINKS).reads(between(definitions)).writes(answers(100_000)).within(MUCH),
        row("a definition that is used 100 000 times", LINKS)
            .reads(between(join([text("[b]: "), times("j", 100_000), text("\n\n"), times("[b]\n", 100_000)])))
            .writes(join([text(G), text("http://a/b/c/"), times("j", 100_000), text("\nhttp://a/b/c/h\n")]))
            .within(MUCH),
        row("backticks, each time one more", LINKS).reads(between(backticks)).writes(text(GH)).within(MUCH),
        row("images in each other", LINKS)
            .reads(between(join([times("![", 100_000), text("a"), times("](i)", 100_000)])))
            .writes(answers(1))
            .within(MUCH),
        row("a destination with 70 000 quotes", "--rewrite - --media-type text/markdown -b http://a/b/c/d")
            .reads(join([text("[a](g"), times("'", 70_000), text(")")]))
            .writes(join([text("[a](http://a/b/c/g"), times("'", 70_000), text(")")]))
            .within(MUCH),
        row("a destination that starts as 300 000 quotes do", LINKS)
            .reads(between(join([
                text(
                    "[b](
     ",
                ),
                times(">", 50),
                text(")[b]("),
                times(">", 300_000),
                text(")"),
            ])))
            .writes(join([
                text(G),
                text("http://a/b/c/"),
                times(">", 50),
                text(
                    "
http://a/b/c/",
                ),
                times(">", 300_000),
                text(
                    "
http://a/b/c/h
",
                ),
            ]))
            .within(MUCH),
        row("a table of 10 000 columns and rows", LINKS)
            .reads(between(join([
                times("|a", 10_000),
                text("\n"),
                times("|-", 10_000),
                text("\n"),
                times("a\n", 10_000),
            ])))
            .writes(text(GH))
            .within(MUCH),
        row("100 000 links in a block of HTML in a quote", LINKS)
            .reads(between(join([text("> <p>\n"), times("> <a href=i>\n", 100_000)])))
            .writes(answers(100_000))
            .within(MUCH),
        row("front matter of 4 MB that does not end", LINKS)
            .reads(join([text("---\n"), times("a: b\n", 800_000), text("[a](g)\n")]))
            .writes(text(G))
            .within(2 * MUCH),
        row("Markdown longer than 4 MiB", LINKS)
            .reads(times("a", 4_200_000))
            .says(text("absurl: -: the Markdown is longer than 4 MiB; split it\n"))
            .status(2)
            .within(PLAIN),
        row("100 000 links are rewritten", "--rewrite - --media-type text/markdown -b http://a/b/c/d")
            .reads(times("[](g)\n", 100_000))
            .writes(times("[](http://a/b/c/g)\n", 100_000))
            .within(MUCH),
        row("a title of 7900 lines", LINKS).reads(title("t\n", 7_900)).writes(text(G)).within(MUCH),
        row("a title of 8000 lines of words", LINKS)
            .reads(title("Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n", 8_000))
            .writes(text(G))
            .within(MUCH),
        row("a title of 8000 lines in a quote", LINKS)
            .reads(join([text("> [a](g \"\n"), times("> t\n", 7_990), text("> \")\n")]))
            .writes(text(G))
            .within(MUCH),
        row("400 titles of 500 lines", LINKS)
            .reads(times(format!("[a](g \"x\n{}\")\n\n", "c\n".repeat(500)), 400))
            .writes(times(G, 400))
            .within(MUCH),
        too_long("a title of 8400 lines", "t\n", 8_400),
        too_long("a title of 500 000 lines", "t\n", 500_000).within(PLAIN),
        too_long("a title of 900 lines with 4000 marks in each", &format!("{}\n", "*_".repeat(2_000)), 900),
        row("titles of 900 lines each", LINKS)
            .reads(times(format!("[a](b '{}')\n", "t\n".repeat(900)), 50))
            .writes(times("http://a/b/c/b\n", 50))
            .within(MUCH),
        row("empty Markdown", LINKS).says(times("absurl: -: no links\n", 1)),
    ]);
}
