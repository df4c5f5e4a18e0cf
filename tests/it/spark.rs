//! `examples/spark`: its own tests, which need Spark.

use std::time::Duration;

use crate::harness::{shell, skip};

#[test]
#[ignore = "needs Spark, half a gigabyte of it"]
fn on_spark_millions_of_pairs_are_answered_as_by_one_process() {
    let script =
        r#"ABSURL=$(command -v absurl) exec "${ABSURL_TEST_PYTHON:-python3}" -B examples/spark/test_resolve.py"#;
    let (_, messages, status) = shell(script).patience(Duration::from_secs(1200)).text();
    assert_eq!(status, 0, "{messages}");
    messages.lines().filter_map(|line| line.split_once("skipped: ")).for_each(|(_, why)| skip(why));
}
