//! `examples/spark`: its own tests, which need Spark, run where that is installed.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use std::io::Write;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

/// Says that a test, or what is left of it, is skipped: past the runner, which would swallow it.
fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

#[test]
fn on_spark_millions_of_pairs_are_answered_as_by_one_process() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/spark/test_resolve.py");
    if !script.exists() {
        return skip("Spark: examples/spark is not part of the crate");
    }
    let python = std::env::var_os("ABSURL_TEST_PYTHON").unwrap_or_else(|| "python3".into());
    let Ok(output) = Command::new(&python).arg("-B").arg(script).env("ABSURL", cargo_bin!()).output() else {
        return skip(&format!("Spark: {} is not to be had", python.display()));
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    for line in told.lines() {
        if let Some((_, why)) = line.split_once("skipped: ") {
            skip(why);
        }
    }
}
