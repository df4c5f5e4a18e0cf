#!/usr/bin/env python3
"""Runs the recipes of README.md, as they are there, on two million links of real pages, and compares
with a single absurl. ABSURL and ABSURL_TEST_PAGES are as for ../spark/test_resolve.py. Needs pyspark,
chdb-core (pip install --no-deps), duckdb, polars and Postgres; prints "skipped" for what is missing."""

import collections
import importlib.util
import json
import os
import re
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

    def test_postgres(self):
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            self.skipTest(skipped("Postgres is not installed"))
        server = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, server)
        # its programs refuse to run as root
        user = []
        if os.getuid() == 0:
            user = ["runuser", "-u", "postgres", "--"]
            shutil.chown(server, "postgres")

        def run(program, *arguments):
            command = [*user, programs[-1] / program, "-D", server / "data", *arguments]
            with (server / "log").open("ab") as log:
                subprocess.run(command, check=True, stdout=log, stderr=log)

        run("initdb", "-U", "absurl", "-E", "UTF8", "--no-locale", "--no-sync")
        run("pg_ctl", "-w", "-o", f"-k {server} -c listen_addresses= -c fsync=off", "start")
        self.addCleanup(run, "pg_ctl", "-w", "-m", "immediate", "stop")
        environment = os.environ | {"PGHOST": str(server), "PGUSER": "absurl", "PGDATABASE": "postgres"}
        script = recipe("Postgres")
        name, options = script.splitlines()[0].split("=", 1)
        self.assertEqual(name, "format")
        options = options.strip('"')

        def sql(command, **streams):
            psql = ["psql", "-qc", command]
            return subprocess.run(psql, stdout=subprocess.PIPE, check=True, env=environment, **streams).stdout

        def resolved(recipe=script):
            subprocess.run(["bash", "-c", f"set -eo pipefail; {recipe}"], check=True, env=environment)
            rows = sql(f"COPY urls TO STDOUT {options}")
            sql("TRUNCATE links, urls")
            return rows

        sql("CREATE TABLE links (base text, reference text); CREATE TABLE urls (base text, reference text, url text)")
        with self.pairs.open("rb") as pairs:
            sql(f"COPY links FROM STDIN {options}", stdin=pairs)
        start = time.perf_counter()
        self.same(resolved(), "Postgres", start)

        odd = "('http://a/b', NULL), (NULL, 'x:y'), ('x:', E'g\r'), ('x:', E'g\nh'), ('x:', E'g\th'), ('x:', E'\x02'), "
        sql(f"INSERT INTO links VALUES {odd} ('http://a/', E'\\\\.'), ('http://a/', E'\\\\N')")
        self.assertEqual(resolved(), b"\tx:y\tx:y\nhttp://a/\t\\.\thttp://a/\\.\nhttp://a/\t\\N\thttp://a/\\N\n")
        # without the filter, and in the format that is the default
        sql("INSERT INTO links VALUES ('http://a/', E'g\th'), ('http://a/', E'g\r'), ('http://a/', NULL)")
        kept = b"".join(b"http://a/\t\x01%b\x01\t\x01http://a/%b\x01\n" % (odd, odd) for odd in (b"g\th", b"g\r"))
        kept += b"http://a/\t\x02\thttp://a/\x02\n"
        self.assertEqual(resolved(re.sub(r"\n *WHERE .*\) TO", ") TO", script)), kept)

    @needs("polars")
    def test_polars(self):
        import polars as pl

        code = {}
        exec(recipe("Polars"), code)
        columns = pl.Schema({"base": pl.String, "reference": pl.String})
        options = {"separator": "\t", "has_header": False, "quote_char": None}
        table = pl.read_csv(self.pairs, schema=columns, **options).fill_null("")
        start = time.perf_counter()
        rows = code["resolve"](table)
        self.same("".join("\t".join(row) + "\n" for row in rows.iter_rows()).encode(), "Polars", start)

        odd = [("http://a/b", None, None), (None, "x:y", "x:y"), ("http://a/", "g\r\n\t", "http://a/g\r\n\t"), ("", "g", "")]
        table = pl.DataFrame([row[:2] for row in odd], schema=columns, orient="row")
        lazy = table.lazy().map_batches(code["resolve"], schema=columns | {"url": pl.String})
        self.assertEqual(lazy.collect().rows(), odd)
        with self.assertRaises(pl.exceptions.ShapeError):
            code["resolve"](pl.DataFrame({"base": ["x:"], "reference": ["g\0h"]}))

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
