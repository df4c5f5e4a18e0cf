#!/usr/bin/env python3
"""Runs the recipes of README.md, as they are there, on the links of HTML pages, and compares the rows with those of a
single absurl: test_engines.py DIRECTORY. The programs of the recipes, and absurl, have to be on PATH."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import resolve

HERE = Path(__file__).resolve().parent
TEXT = pa.schema({"base": pa.string(), "reference": pa.string()})
ODD = [("http://a/b", 'a "q", \\N'), ("http://a/b", ""), ("http://ä/b", "ü"), (None, "x:y")]
ODD += [(None, "g"), ("mailto:x", "g")]  # these fail
# what the queries leave out, and one row after it
LEFT_OUT = [("http://a/b", None), ("http://a/b", "c\r"), ("http://a/b", "l\nm"), ("http://a/b", "n")]
TABS = [("http://a/b", "t\tu"), ("http://a/b\tc", "g")]
# base, reference, url and error of the strict job
BYTES = [
    (b"\xef\xbb\xbfhttp://a/b", b"g", None, "base-without-scheme"),
    (b"http://a/\xff/b", b"g\xfe\t\r\n", b"http://a/\xff/g\xfe\t\r\n", None),
    (b"http://a/b", b"", b"http://a/b", None),
    (None, b"g:h", b"g:h", None),
    (None, b"g", None, "no-base"),
    (b"mailto:x", b"g", None, "unsuitable-base"),
    (b"http://a/b", None, None, "no-tab"),
    (b"http://a/b\tc", b"g", None, "no-tab"),
    (b"http://a/b", b"g\0h", None, "no-tab"),
    (b"http://a/b\0", b"g", None, "no-tab"),
    (b"http://a/b", b"last", b"http://a/last", None),
]


def blocks(heading):
    """The blocks of code under a heading of README.md, by their language."""
    section = (HERE / "README.md").read_text().split(f"\n## {heading}\n", 1)[1].split("\n## ")[0]
    return dict(re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL))


def without_where(text):
    return re.sub(r"\n *WHERE .*", "", text)


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.chdir(HERE)
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        with tempfile.TemporaryFile() as found:
            command = ["absurl", "-b", "http://a.example/", "--links", "--json", "--quiet", PAGES]
            subprocess.run(command, stdout=found, stderr=subprocess.DEVNULL)
            found.seek(0)
            options = pa.json.ParseOptions(explicit_schema=TEXT, unexpected_field_behavior="ignore")
            table = pa.json.read_json(found, pa.json.ReadOptions(block_size=1 << 26), options)
        assert len(table) > 100_000, f"{PAGES} has only {len(table)} links"
        cls.rows = list(zip(*(column.to_pylist() for column in table.columns))) + ODD
        records = "".join(f"{base or ''}\t{reference}\0" for base, reference in cls.rows).encode()
        answers = subprocess.run(["absurl", "-pq0"], input=records, stdout=subprocess.PIPE).stdout
        urls = answers.decode().split("\0")[:-1]
        cls.answers = [(base or "", reference, url) for (base, reference), url in zip(cls.rows, urls, strict=True)]
        print(f"{len(urls)} rows, {urls.count('')} of them fail", file=sys.stderr)

    def run_recipe(self, heading, rows, change=lambda text: text):
        """Runs a recipe on rows, in a new directory, and returns the rows that come out."""
        self.at = Path(tempfile.mkdtemp(dir=self.directory.name))
        columns = [pa.array(column, pa.string()) for column in zip(*rows)]
        pq.write_table(pa.table(columns, TEXT), self.at / "links.parquet", row_group_size=50_000)
        (self.at / "resolve.py").symlink_to(HERE / "resolve.py")
        recipe = {language: change(text) for language, text in blocks(heading).items()}
        (self.at / "query.sql").write_text(recipe.get("sql", ""))
        (self.at / "udf_config.xml").write_text(recipe.get("xml", ""))
        done = subprocess.run(["bash", "-ec", recipe["sh"]], cwd=self.at, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        if (self.at / "resolved.tsv").exists():
            return [line.split("\t") for line in (self.at / "resolved.tsv").read_bytes().decode().split("\n")[:-1]]
        return list(zip(*(column.to_pylist() for column in pq.read_table(self.at / "resolved.parquet").columns)))

    def same(self, rows, expected):
        """The same rows in any order, or three that differ; a NULL base is an empty one."""
        rows, expected = Counter((base or "", *rest) for base, *rest in rows), Counter(expected)
        self.assertEqual([[*(rows - expected)][:3], [*(expected - rows)][:3]], [[], []])

    def check_query(self, heading):
        rows = self.run_recipe(heading, self.rows + LEFT_OUT[:-1] + TABS)
        self.same(rows, [row for row in self.answers if not re.search("[\t\n\r]", row[0] + row[1])])

    def test_spark_every_row(self):
        rows = self.run_recipe("Spark, every row", self.rows + LEFT_OUT)
        self.assertEqual({error for *_, error in rows}, {None, "no-base", "no-tab", "unsuitable-base"})
        more = [(base, reference, f"http://a/{reference}" if reference else "") for base, reference in LEFT_OUT]
        self.same(((base, reference, url or "") for base, reference, url, _ in rows), self.answers + more)

    def test_spark_in_python(self):
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
        spark = builder.config("spark.log.level", "OFF").getOrCreate()
        self.addCleanup(spark.stop)
        rows = [(number, *row) for number, row in enumerate(BYTES)]
        links = spark.createDataFrame([row[:3] for row in rows], "number int, page binary, link binary").coalesce(1)
        for kind in ("binary", "string"):
            given = links.withColumns({name: links[name].cast(kind) for name in ("page", "link")})
            names = {"spark": spark, "links": given}
            exec(blocks("Spark, every row")["python"], names)
            resolved = names["resolved"]
            self.assertEqual(dict(resolved.dtypes)["url"], kind)
            # a string of Spark may well be no UTF-8
            casts = {name: resolved[name].cast("binary") for name in ("base", "reference", "url")}
            self.assertEqual([tuple(row) for row in resolved.withColumns(casts).collect()], rows)

    def test_spark_fails_loudly(self):
        program = Path(tempfile.mkdtemp(dir=self.directory.name)) / "absurl"
        program.touch(0o755)
        program.write_text("#!/bin/sh\nabsurl \"$@\" | sed -z '$d'\n")
        ship = f"spark-submit --files {program}"
        with self.assertRaisesRegex(AssertionError, "5 answers to 6 records, exit status 0"):
            self.run_recipe("Spark, every row", ODD, lambda text: text.replace("spark-submit", ship))
        self.assertFalse((self.at / "resolved.parquet" / "_SUCCESS").exists())
        program.write_text('#!/bin/sh\nabsurl "$@"; echo no room >&2; exit 2\n')
        with self.assertRaisesRegex(RuntimeError, "exit status 2: no room"):
            resolve.ask(program, [b"http://a/b\tg"], b"\0")

    def test_spark_sql(self):
        self.check_query("Spark SQL")
        rows = self.run_recipe("Spark SQL", LEFT_OUT + TABS[:1], without_where)
        broken = [("l", "http://a/l"), ("n", "http://a/n"), ("t", "u"), ("c", "http://a/c"), (None, "http://a/\\N")]
        self.same(rows, [("http://a/b", *row) for row in broken] + [("m", "", None)])

    def test_clickhouse(self):
        self.check_query("ClickHouse")
        urls = [url for *_, url in self.run_recipe("ClickHouse", LEFT_OUT, without_where)]
        self.assertEqual(urls, ["http://a/b", "http://a/c", "http://a/l", ""])
        for row in TABS:
            with self.assertRaisesRegex(AssertionError, "UDF_EXECUTION_FAILED"):
                self.run_recipe("ClickHouse", [row], without_where)
        with self.assertRaisesRegex(AssertionError, "exited with return code 1"):
            self.run_recipe("ClickHouse", ODD, lambda text: text.replace("executable_pool", "executable"))

    def test_duckdb(self):
        self.check_query("DuckDB")
        rows = self.run_recipe("DuckDB", LEFT_OUT + TABS, without_where)
        broken = [("", "http://a/b"), ("c", "http://a/c"), ("l", "http://a/l"), ("n", "http://a/n")]
        broken += [("t", "u", "http://a/t", "u"), ("c", "g", "http://a/c", "g")]
        self.same(rows, [("http://a/b", *row) for row in broken] + [("m", "")])
        with self.assertRaisesRegex(AssertionError, "No files found"):
            self.run_recipe("DuckDB", ODD, lambda text: text.replace("links.parquet", "missing.parquet"))


if __name__ == "__main__":
    PAGES = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
