#!/usr/bin/env python3
"""Runs resolve.py on Spark, local[2], and compares with a single absurl. README.md says how."""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAIRS = 2_000_000
FEWEST = 100_000
PAGES = Path(os.environ.get("ABSURL_TEST_PAGES", "/usr/share/doc"))
ABSURL = shutil.which(os.environ.get("ABSURL", "absurl"))


def skipped(why):
    """Reports that a test, or all, is skipped."""
    print(f"skipped: {why}", file=sys.stderr)
    return why


try:
    import pandas  # noqa: F401: Spark needs it for Arrow
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.json
    import pyarrow.parquet as pq
    from pyspark.sql import SparkSession
except ImportError as error:
    sys.exit(0 if skipped(f"Spark: {error}; pip install -r examples/spark/requirements.txt") else 1)
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    sys.exit(0 if skipped("Spark: java is not on PATH; install a Java 17 runtime") else 1)
if not ABSURL:
    sys.exit("absurl is not on PATH; name it by ABSURL")

os.environ["PYSPARK_PYTHON"] = sys.executable
sys.path.insert(0, str(HERE))
import resolve  # noqa: E402

# base, reference, and the URL or the code of the error
ODD = [
    (b"http://a/b", b"g", b"http://a/g"),
    (b"http://a/b", b"", b"http://a/b"),
    (b"http://a/b", b"../g\nx\r\n", b"http://a/../g\nx\r\n"),
    (b"http://a/b\r\n", b"g\t", b"http://a/g\t"),
    (b"http://a/\xff/b", b"g\xfe\xc3", b"http://a/\xff/g\xfe\xc3"),
    ("http://ä/b".encode(), "ü\n".encode(), "http://ä/ü\n".encode()),
    (b"\xef\xbb\xbfhttp://a/b", b"g", "base-without-scheme"),
    (None, b"g:h", b"g:h"),
    (None, b"g", "no-base"),
    (b"", b"", "no-base"),
    (b"mailto:x", b"g", "unsuitable-base"),
    (b"a/b", b"g", "base-without-scheme"),
    (b"http://a/b", None, "null-reference"),
    (None, None, "null-reference"),
    (b"http://a/b\tc", b"g", "tab-in-base"),
    (b"http://a/b\tc", b"g:h", "tab-in-base"),
    (b"http://a/b", b"g\0h", "nul"),
    (b"http://a/b\0", b"g", "nul"),
    (b"http://a/b", b"last", b"http://a/last"),
]


@functools.cache
def links():
    """The links of all pages in PAGES, at least PAIRS of them, as columns base and reference."""
    pages = sorted(path for path in PAGES.rglob("*.html") if path.is_file() and not path.is_symlink())
    schema = pa.schema({"base": pa.string(), "reference": pa.string()})
    options = pa.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    mirrors = []
    while sum(map(len, mirrors)) < PAIRS:
        # the same pages from another server are other pairs
        records = (b"http://%d.example.org%s\t%s\0" % (len(mirrors), path, path) for path in map(bytes, pages))
        command = [ABSURL, "--links", "--pairs", "--null", "--json", "--quiet"]
        with tempfile.TemporaryFile() as found:
            subprocess.run(command, input=b"".join(records), stdout=found)
            if not found.tell():
                break
            found.seek(0)
            mirrors.append(pa.json.read_json(found, pa.json.ReadOptions(block_size=1 << 26), options))
        if len(mirrors[0]) < FEWEST:
            break
    return pa.concat_tables(mirrors) if mirrors else schema.empty_table()


def single(records, end, *options):
    """What a single absurl answers to pairs, which it reads from a file; None where that is empty."""
    records.seek(0)
    with tempfile.TemporaryFile() as answers:
        done = subprocess.run([ABSURL, "--pairs", "--quiet", *options], stdin=records, stdout=answers)
        assert done.returncode in (0, 1)
        answers.seek(0)
        return [url or None for url in answers.read().split(end)[:-1]]


def read(path):
    """The rows of a data set in the order of its files, with base, reference and url as bytes."""
    rows = pa.concat_tables(pq.read_table(file) for file in sorted(Path(path).glob("part-*")))
    for i, name in enumerate(rows.column_names):
        if name in ("base", "reference", "url"):
            rows = rows.set_column(i, name, rows[name].cast(pa.binary()))
    return rows


def codes_of(rows):
    """Of each row its URL, or the code of its error; exactly one of them is there."""
    codes = pc.struct_field(rows["error"].combine_chunks(), "code").to_pylist()
    urls = rows["url"].to_pylist()
    assert all((url is None) != (code is None) for url, code in zip(urls, codes))
    return [code if url is None else url for url, code in zip(urls, codes)]


class Resolve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        # the program that is shipped with --files in test_a_program_that_was_shipped_is_found
        shutil.copy(ABSURL, cls.directory / "absurl-shipped")
        cls.spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", False)
            .config("spark.ui.showConsoleProgress", False)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.log.level", "OFF")
            .config("spark.files", str(cls.directory / "absurl-shipped"))
            .getOrCreate()
        )
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.sparkContext.addPyFile(str(HERE / "resolve.py"))

    def pairs(self, rows, type=pa.binary()):
        """A data set of rows that begin with base and reference, and number."""
        columns = [pa.array([row[i] for row in rows], type) for i in (0, 1)]
        return self.numbered(pa.table(columns, names=["base", "reference"]))

    def numbered(self, table):
        """A data set of a table and a column of row numbers."""
        path = self.directory / f"pairs-{self.id()}"
        table = table.append_column("number", pa.array(range(len(table))))
        pq.write_table(table, path, row_group_size=50_000)
        return self.spark.read.parquet(str(path))

    def written(self, rows):
        """What Spark writes, read again."""
        path = self.directory / f"answers-{self.id()}"
        shutil.rmtree(path, ignore_errors=True)
        rows.write.parquet(str(path))
        return read(path)

    def resolved(self, rows, program=ABSURL):
        """The rows with their answers, in their order."""
        return self.written(resolve.resolve_pairs(rows, program=program)).sort_by("number")

    def fails(self, script, *message):
        """A job fails with a message if absurl is a shell script."""
        path = self.directory / "program"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        with self.assertRaises(Exception) as raised:
            self.resolved(self.pairs([(b"http://a/b", b"g")] * 30_000), str(path))
        for part in message:
            self.assertIn(part, str(raised.exception))

    def real(self):
        """Two million pairs of real pages, here and there one without a base."""
        table = links()
        if len(table) < PAIRS:
            self.skipTest(
                skipped(
                    f"Spark, {PAIRS} real pairs: {PAGES} has less than {FEWEST} links; apt-get install "
                    "openjdk-17-doc, or name a directory of HTML pages by ABSURL_TEST_PAGES"
                )
            )
        without = pa.array(number % 997 == 0 for number in range(len(table)))
        return table.set_column(0, "base", pc.if_else(without, None, table["base"]))

    def test_two_million_rows_are_answered_as_by_a_single_absurl(self):
        table = self.real()
        rows = self.numbered(table)
        self.assertGreater(rows.rdd.getNumPartitions(), 1)
        resolved = self.written(resolve.resolve_pairs(rows, program=ABSURL))
        self.assertEqual(resolved["number"].to_pylist(), list(range(len(table))))
        with tempfile.TemporaryFile() as records:
            for batch in table.to_batches():
                for row in batch.to_pylist():
                    record = (row["base"] or "") + "\t" + row["reference"] + "\0"
                    records.write(record.encode())
            urls = single(records, b"\0", "--null")
        # lists of millions are compared before they are shown
        self.assertTrue(resolved["url"].to_pylist() == urls)
        codes = pc.struct_field(resolved["error"].combine_chunks(), "code").to_pylist()
        self.assertTrue([code is None for code in codes] == [url is not None for url in urls])
        self.assertIn("no-base", codes)
        print(f"{len(urls)} rows of Parquet, {urls.count(None)} of them fail", file=sys.stderr)

    def test_two_million_lines_are_answered_as_by_a_single_absurl(self):
        table = self.real()
        path = self.directory / "lines.tsv"
        with path.open("wb+") as lines:
            for batch in table.to_batches():
                for row in batch.to_pylist():
                    record = (row["base"] or "") + "\t" + row["reference"]
                    # what no HTML has, but its links
                    lines.write(record.replace("\n", "").encode() + b"\n")
            urls = single(lines, b"\n")
        output = self.directory / "lines"
        # the command line as people type it, but for the master
        environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--master local[2] pyspark-shell"}
        command = [sys.executable, HERE / "resolve.py", "--text", "--absurl", ABSURL, path, output]
        done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(read(output)["url"].to_pylist() == urls)
        print(f"{len(urls)} lines, {urls.count(None)} of them fail", file=sys.stderr)

    def test_odd_rows_keep_their_place_and_their_bytes(self):
        rows = self.resolved(self.pairs(ODD).coalesce(1))
        self.assertEqual(rows.column_names, ["base", "reference", "number", "url", "error"])
        self.assertEqual(rows["base"].to_pylist(), [row[0] for row in ODD])
        self.assertEqual(rows["reference"].to_pylist(), [row[1] for row in ODD])
        self.assertEqual(codes_of(rows), [row[2] for row in ODD])

    def test_rows_that_all_fail_are_rows(self):
        rows = self.resolved(self.pairs([(b"", b"g")] * 30_001))
        self.assertEqual(codes_of(rows), ["no-base"] * 30_001)

    def test_no_rows_give_no_rows(self):
        self.assertEqual(self.resolved(self.pairs([])).num_rows, 0)

    def test_records_larger_than_any_pipe_pass(self):
        long = [(b"http://a/b", b"%d" % number * (1 << 20)) for number in range(9)]
        self.assertEqual(codes_of(self.resolved(self.pairs(long))), [b"http://a/" + row[1] for row in long])

    def test_strings_give_strings_and_their_bytes_stay(self):
        rows = self.pairs([("http://ä/b", "ü"), ("http://a/b", None)], pa.string())
        self.assertEqual(resolve.resolve_pairs(rows).schema["url"].dataType.typeName(), "string")
        self.assertEqual(codes_of(self.resolved(rows)), ["http://ä/ü".encode(), "null-reference"])
        # a string of Spark may well be no UTF-8
        rows = self.pairs(ODD)
        rows = rows.withColumns({name: rows[name].cast("string") for name in ("base", "reference")})
        self.assertEqual(codes_of(self.resolved(rows)), [row[2] for row in ODD])

    def test_other_columns_are_carried_through_and_names_are_free(self):
        rows = self.spark.sql(
            "SELECT struct('http://a/b' AS url) AS page, X'67' AS link, timestamp'2020-01-01 00:00:00' AS at,"
            " map('k', array(1.5, NULL)) AS more, CAST(NULL AS decimal(9, 2)) AS price"
        )
        resolved = resolve.resolve_pairs(rows, "page.url", "link", ABSURL)
        self.assertEqual(resolved.columns, [*rows.columns, "url", "error"])
        self.assertEqual(resolved.drop("url", "error").collect(), rows.collect())
        self.assertEqual(resolved.first()["url"], b"http://a/g")

    def test_columns_that_cannot_be_are_refused(self):
        for columns in ("1 AS base, '' AS reference", "'' AS base, '' AS reference, '' AS URL"):
            with self.assertRaises(SystemExit):
                resolve.resolve_pairs(self.spark.sql("SELECT " + columns))

    def test_odd_lines_are_read_as_absurl_reads_them(self):
        text = (
            b"\xef\xbb\xbfhttp://a/b\tg\nhttp://a/b\tg\r\nhttp://a/b\tg\rh\r\r\n\n\r\nno TAB\ng:h\n\tg\n\tg:h\n"
            b"http://a/\xff\tg\xfe\xc3\n\xff\xc3\xe4\tg\nhttp://a/b\tx\ty\nhttp://\xe4\xb8\xad/b\t\xe4\xb8\xad\nhttp://a/b\tlast"
        )
        path = self.directory / "odd.tsv"
        path.write_bytes(text)
        lines = self.spark.read.option("lineSep", "\n").text(str(path))
        rows = self.written(resolve.resolve_lines(lines, ABSURL))
        with path.open("rb") as records:
            self.assertEqual(rows["url"].to_pylist(), single(records, b"\n"))
        pairs = [line.removesuffix(b"\r").split(b"\t", 1) for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
        pairs = [pair if len(pair) == 2 else [None, *pair] for pair in pairs]
        self.assertEqual([[row["base"], row["reference"]] for row in rows.to_pylist()], pairs)
        codes = [code for code in codes_of(rows) if isinstance(code, str)]
        self.assertEqual(codes, ["no-tab"] * 4 + ["no-base", "base-without-scheme"])
        path.write_bytes(b"http://a/b\tx\0y\nhttp://a/b\tg\n")
        self.assertEqual(codes_of(self.written(resolve.resolve_lines(lines, ABSURL))), ["nul", b"http://a/g"])

    def test_a_program_that_was_shipped_is_found(self):
        rows = self.pairs([(b"http://a/b", b"g")])
        self.assertEqual(codes_of(self.resolved(rows, "absurl-shipped")), [b"http://a/g"])

    def test_who_wants_only_the_first_rows_need_not_wait_for_the_last(self):
        rows = self.pairs([(b"http://a/b", b"g" * 100)] * 100_000)
        first = resolve.resolve_pairs(rows, program=ABSURL).limit(3).collect()
        self.assertEqual([row["url"] for row in first], [b"http://a/" + b"g" * 100] * 3)

    def test_a_job_fails_loudly_with_absurl(self):
        self.fails("echo 'no room' >&2; exit 2", "0 answers", "exit status 2: no room")
        self.fails(f"{ABSURL} \"$@\"; echo 'no room' >&2; exit 2", "exit status 2: no room")
        self.fails("head -c 99999 >/dev/null; kill -9 $$", "exit status -9")
        self.fails("exit 0", "0 answers", "exit status 0: no message")
        self.fails(f'{ABSURL} "$@" | sed -uz 5d', "9999 answers to 10000 records")
        self.fails(f'{ABSURL} "$@" | sed -uz 5p', "10001 answers to 10000 records")
        with self.assertRaisesRegex(Exception, "No such file or directory: 'no-absurl'"):
            self.resolved(self.pairs([(b"http://a/b", b"g")]), "no-absurl")


if __name__ == "__main__":
    unittest.main(verbosity=2)
