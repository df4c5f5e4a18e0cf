//! The picture of --explain: it shows what absurl prints, and a browser keeps its columns.

use std::fs;

use crate::harness::{has, new_directory, say, shell};

const PICTURE: &str = "examples/explain.svg";

/// The command whose output it shows.
const COMMAND: &str = "absurl --explain --base https://example.com/docs/intro.html ../img/logo.png";

#[test]
fn pictures_show_what_absurl_prints() {
    if has("python3") {
        let drawn = shell(&format!("examples/draw-explain {COMMAND}")).output();
        assert!(drawn.stdout == fs::read(PICTURE).unwrap(), "{PICTURE} is out of date; renew it: .ci/renew");
    }
}

/// Writes into the picture's title where each character of each text begins; -1 for one that is not drawn.
const MEASURE: &str = r#"<script>
const lines = [...document.querySelectorAll("text")].map(text => {
  const places = [...text.textContent].map((_, at) => text.getNumberOfChars() > at ? text.getStartPositionOfChar(at).x : -1);
  return places.join(" ");
});
document.querySelector("title").textContent = lines.join("\n");
</script></svg>"#;

/// The browser, if there is one; if not, the test is skipped. Few machines have it, so that a test is skipped even where `CI` is set.
pub fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| shell(&format!("command -v {name} >/dev/null")).output().status.success());
    if found.is_none() {
        say("skipped: no browser is on PATH");
    }
    found
}

#[test]
fn a_browser_keeps_the_columns_of_pictures() {
    let Some(browser) = browser() else { return };
    let directory = new_directory("pictures");
    let drawn = fs::read_to_string(PICTURE).unwrap();
    assert!(drawn.ends_with("</svg>\n"));
    fs::write(directory.join("measured.svg"), drawn.replace("</svg>\n", MEASURE)).unwrap();
    let options = "--headless --no-sandbox --disable-gpu --user-data-dir=profile --dump-dom";
    let dump = shell(&format!("{browser} {options} \"file://$PWD/measured.svg\" 2>/dev/null"));
    let dump = String::from_utf8(dump.directory(&directory).output().stdout).unwrap();
    let measured = dump.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>")).expect(&dump).0;
    let places: Vec<Vec<f64>> = measured
        .lines()
        .map(|line| line.split(' ').map(|place| place.parse().expect("the place of a character")).collect())
        .collect();
    // the lines that have characters; the last one is the legend
    let printed = String::from_utf8(shell(COMMAND).output().stdout).unwrap();
    let shown = format!("$ {COMMAND}\n{printed}");
    let widths: Vec<_> = shown.lines().filter(|line| !line.is_empty()).map(|line| line.chars().count()).collect();
    let (_, drawn) = places.split_last().expect("a legend");
    assert_eq!(drawn.iter().map(Vec::len).collect::<Vec<_>>(), widths, "{PICTURE}: {measured}");
    let column = drawn[0][1] - drawn[0][0];
    assert!(column > 1.0, "{PICTURE}: {measured}");
    for line in &places {
        let mut starts = line.iter().zip(0_u16..).map(|(place, at)| place - drawn[0][0] - column * f64::from(at));
        assert!(starts.all(|off| off.abs() < column / 4.0), "{PICTURE}: {line:?}");
    }
}
