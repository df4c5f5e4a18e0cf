#!/usr/bin/env python3
"""Runs the recipes of README.md, as they are there, on two million links of real pages, and compares
with a single absurl. ABSURL and ABSURL_TEST_PAGES are as for ../spark/test_resolve.py. Needs pyspark,
chdb-core (pip install --no-deps) and duckdb; prints "skipped" for what is missing."""

import collections
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from urllib.parse import urljoin

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "spark"))
from test_resolve import ABSURL, PAIRS, links, skipped  # noqa: E402

import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

ODD = [("mailto:x", "g"), ("", "g"), ("http://a/b", "../g"), ("http://a/b/c;p", ";x"), ("http://a/b", "g?"),
       ("http://a/b", ""), ("http://ä/b", "ü"), ("http://a/b", 'a "q", \\N')]


def recipe(heading):
    """The first block of code under a heading of README.md."""
    section = (HERE / "README.md").read_text().split(f"\n## {heading}\n", 1)[1]
    return section.split("```", 2)[1].split("\n", 1)[1]


def needs(module):
    """Skips a test where a module is missing."""
    missing = importlib.util.find_spec(module) is None
    return unittest.skipIf(missing, missing and skipped(f"{module} is not installed"))


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        (cls.directory / "absurl").symlink_to(ABSURL)
        cls.addClassCleanup(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.environ["PATH"] = f"{cls.directory}:{os.environ['PATH']}"
        table = links()
        if not len(table):
            raise unittest.SkipTest(skipped("there are no pages; name some by ABSURL_TEST_PAGES"))
        rows = (zip(*(batch[name].to_pylist() for name in ("base", "reference"))) for batch in table.to_batches())
        cls.rows = [row for batch in rows for row in batch if not set(row[0] + row[1]) & set("\t\n\r\0")][:PAIRS] + ODD
        cls.pairs = cls.directory / "pairs.tsv"
        with cls.pairs.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{base}\t{reference}\n" for base, reference in cls.rows)
        with cls.pairs.open("rb") as file:
            cls.kept = subprocess.run([ABSURL, "-pkq"], stdin=file, stdout=subprocess.PIPE).stdout

    def same(self, rows, engine, start):
        """The engine's rows, BASE TAB REFERENCE TAB URL, are those of a single absurl."""
        print(f"{engine}: {len(self.rows)} rows in {time.perf_counter() - start:.1f} s", file=sys.stderr)
        # neither Spark nor ClickHouse promises an order
        rows, kept = sorted(rows.splitlines()), sorted(self.kept.splitlines())
        differing = next(((row, ours) for row, ours in zip(rows, kept) if row != ours), None)
        self.assertTrue(rows == kept, f"{engine}: {len(rows)} rows, {differing}")

    def test_spark_sql(self):
        master = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
        spark = master.config("spark.log.level", "OFF").config("spark.driver.host", "127.0.0.1").getOrCreate()
        self.addCleanup(spark.stop)
        # no value is NULL because of its text
        options = {"sep": "\t", "quote": "", "escape": "", "nullValue": "\0", "emptyValue": "", "lineSep": "\n"}
        table = spark.read.options(**options).csv(str(self.pairs), schema="base string, reference string")
        table.fillna("").write.parquet(str(self.directory / "links"))
        spark.read.parquet(str(self.directory / "links")).createOrReplaceTempView("links")
        start = time.perf_counter()
        spark.sql(recipe("Spark SQL")).write.parquet(str(self.directory / "resolved"))
        rows = pq.read_table(self.directory / "resolved").to_pydict().values()
        self.same("".join("\t".join(row) + "\n" for row in zip(*rows)).encode(), "Spark SQL", start)

        spark.sql("SELECT 'http://a/b' AS base, CAST(NULL AS string) AS reference").createOrReplaceTempView("links")
        self.assertEqual(spark.sql(recipe("Spark SQL")).count(), 0)
        bare = recipe("Spark SQL").split("WHERE")[0]
        self.assertEqual([row.url for row in spark.sql(bare).collect()], ["http://a/\\N"])
        spark.sql("SELECT 'http://a/b' AS base, concat('m', chr(13)) AS reference").createOrReplaceTempView("links")
        self.assertEqual(spark.sql(recipe("Spark SQL")).count(), 0)

    @needs("chdb")
    def test_clickhouse(self):
        import chdb

        (self.directory / "udf_config.xml").write_text(recipe("ClickHouse"))

        def query(table, suffix=""):
            sql = recipe("ClickHouse, the query").replace("FROM links", f"FROM {table}") + suffix
            return bytes(chdb.query(sql, "TabSeparatedRaw", udf_path=str(self.directory)).bytes())

        columns = "base Nullable(String), reference Nullable(String)"
        start = time.perf_counter()
        self.same(query(f"file('{self.pairs}', TabSeparatedRaw, 'base String, reference String')"), "ClickHouse", start)
        odd = "('http://a/b', NULL), (NULL, 'g'), ('http://a/b', 'g\\th'), ('http://a/b', 'g\\nh'), ('x:', 'g\\r')"
        odd = f"values('{columns}', {odd})"
        self.assertEqual(query(odd), b"\\N\tg\t\n")

    @needs("duckdb")
    def test_duckdb(self):
        # duckdb links.db <query.sql | absurl -pkq
        quiet = "import duckdb, sys; duckdb.execute('SET enable_progress_bar = false'); "
        program = quiet + "duckdb.execute(f'CREATE TABLE links AS {sys.argv[1]}'); duckdb.sql(sys.stdin.read())"
        query = self.directory / "query.sql"
        query.write_text(recipe("DuckDB"))

        def resolved(table):
            command = [sys.executable, "-c", program, table]
            with query.open() as sql, subprocess.Popen(command, stdin=sql, stdout=subprocess.PIPE) as duckdb:
                return subprocess.run([ABSURL, "-pkq"], stdin=duckdb.stdout, stdout=subprocess.PIPE).stdout

        start = time.perf_counter()
        options = "delim='\t', header=false, quote='', escape='', nullstr='no NULL', auto_detect=false"
        columns = "columns={'base': 'VARCHAR', 'reference': 'VARCHAR'}"
        self.same(resolved(f"FROM read_csv('{self.pairs}', {options}, {columns})"), "DuckDB", start)
        odd = "('http://a/b', NULL), (NULL, 'x:y'), ('http://a/b', E'g\th'), ('http://a/b', E'g\nh'), "
        odd += "(E'x:\t', 'g'), ('x:', E'g\r')"
        rows = b"http://a/b\t\thttp://a/b\n\tx:y\tx:y\nhttp://a/b\tg\th\thttp://a/g\th\n"
        self.assertEqual(resolved(f"FROM (VALUES {odd}) AS links(base, reference)"), rows)

    def test_the_link_graph_of_a_crawl(self):
        pages = collections.defaultdict(list)
        for base, reference in self.rows:
            pages[base].append({"path": "A@/href", "url": reference})
        with (self.directory / "wat").open("w") as wat:
            for page, found in pages.items():
                html = {"Head": {}, "Links": found}
                payload = {"HTTP-Response-Metadata": {"HTML-Metadata": html}}
                envelope = {"WARC-Header-Metadata": {"WARC-Target-URI": page}, "Payload-Metadata": payload}
                wat.write(f"WARC/1.0\r\nWARC-Type: metadata\r\n\r\n{json.dumps({'Envelope': envelope})}\r\n\r\n")
            # a URL in a STYLE has no field url
            found = [{"url": "g"}, {"path": "STYLE/#text", "href": "/s.png"}]
            based = {"Head": {"Base": "http://other.example/"}, "Links": found}
            payload = {"HTTP-Response-Metadata": {"HTML-Metadata": based}}
            envelope = {"WARC-Header-Metadata": {"WARC-Target-URI": "http://a/"}, "Payload-Metadata": payload}
            wat.write(json.dumps({"Envelope": envelope}) + "\n")
        with (self.directory / "wat").open() as wat:
            script = ["bash", "-c", recipe("The link graph of a crawl")]
            graph = subprocess.run(script, stdin=wat, stdout=subprocess.PIPE, cwd=self.directory, check=True).stdout
        self.assertIn(b" 2 other.example\n", graph)

        # row for row; every difference has a reason
        classes = collections.Counter()
        answers = (self.directory / "urls.txt").read_text().split("\n")
        pairs = (self.directory / "pairs.tsv").read_text().split("\n")
        self.assertEqual(len(answers), len(pairs))
        for pair, url in zip(pairs[:-1], answers):
            base, reference = pair.split("\t", 1)
            try:
                theirs = urljoin(base, reference)
            except ValueError:
                theirs = None
            if theirs != url:
                classes[why(base, reference, url, theirs)] += 1
        print(f"{len(pairs) - 1} links, urljoin differs: {dict(classes)}", file=sys.stderr)
        self.assertNotIn("unknown", classes)


def why(base, reference, url, theirs):
    """The class of a difference between absurl and urljoin."""
    if not url:
        return "urljoin resolves without a base (§3)"
    if theirs in (url.removesuffix("#"), url.removesuffix("?")):
        return "urljoin drops an empty query or fragment"
    if "/../" in url or url.endswith("/.."):
        return "urljoin drops surplus .. (§4, step 6)"
    if reference.startswith(";"):
        return "urljoin takes params for a segment (§4, step 5)"
    return "unknown"


if __name__ == "__main__":
    unittest.main(verbosity=2)
