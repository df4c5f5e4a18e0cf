#!/usr/bin/env python3
"""How many rows per CPU second the recipes of README.md resolve, and Python's urljoin in the same engines: all over the
same real pairs, in turns, in one run; the engines drop the answers. ABSURL and ABSURL_TEST_PAGES are as for
test_engines.py. CPU is that of the engine, of Python and of absurl together, so it is rows per second per core."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

import chdb
import duckdb
import pandas
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from test_engines import ABSURL, links, recipe
import resolve  # of ../spark, by test_engines

ROWS, ROUNDS = 500_000, 3
os.environ["PYSPARK_PYTHON"] = sys.executable
# a program like absurl -qp, for ClickHouse
FILTER = f"""#!{sys.executable}
import sys
from urllib.parse import urljoin
for line in sys.stdin:
    try:
        print(urljoin(*line[:-1].split("\\t", 1)))
    except ValueError:
        print()
    sys.stdout.flush()
"""


def joined(base, reference):
    """urljoin, which raises where a base or a reference is odd; that row has no URL then."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return None


def of_series(base: pandas.Series, reference: pandas.Series) -> pandas.Series:
    """The same for many at once."""
    return pandas.Series([joined(*pair) for pair in zip(base, reference)], dtype=object)


def cpu():
    """The CPU seconds that this process and all below it have used."""
    processes = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended just now
        # its parent, and its time with that of its children that have ended
        processes[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    tree = [os.getpid()]
    for parent in tree:
        tree += (child for child, (of, _) in processes.items() if of == parent)
    return sum(processes[process][1] for process in tree if process in processes) / os.sysconf("SC_CLK_TCK")


def spark_jobs(parquet):
    """Spark's: two recipes, urljoin in two kinds of UDF, and the way to Python and back alone."""
    builder = SparkSession.builder.master("local[2]").config("spark.ui.showConsoleProgress", False)
    spark = builder.config("spark.log.level", "OFF").getOrCreate()
    spark.sparkContext.addPyFile(resolve.__file__)
    rows = spark.read.parquet(parquet).repartition(4).cache()
    rows.createOrReplaceTempView("links")
    plain, series = F.udf(joined, "string", useArrow=False), F.pandas_udf(of_series, "string")
    jobs = {
        "Spark SQL TRANSFORM": spark.sql(recipe("Spark SQL")),
        "Spark, the strict job": resolve.resolve_pairs(rows, program=ABSURL),
        "Spark, urljoin in a plain UDF": rows.withColumn("url", plain("base", "reference")),
        "Spark, urljoin in a pandas UDF": rows.withColumn("url", series("base", "reference")),
        "Spark, rows to Python and back": rows.mapInArrow(lambda batches: batches, rows.schema),
    }
    return {name: job.write.format("noop").mode("overwrite").save for name, job in jobs.items()}


def clickhouse_jobs(directory, parquet):
    """ClickHouse's: the recipe, and urljoin in a program of the same kind."""
    config = recipe("ClickHouse").replace("</functions>", "")
    function = config.split("<functions>")[1].replace("absurl -qp", "urljoin").replace(">absurl<", ">urljoin<")
    (directory / "udf_config.xml").write_text(f"{config}{function}</functions>")
    (directory / "urljoin").write_text(FILTER)
    (directory / "urljoin").chmod(0o755)
    query = recipe("ClickHouse, the query").replace("FROM links", f"FROM file('{parquet}', Parquet)")
    queries = {"ClickHouse executable_pool": query, "ClickHouse, urljoin in the same": query.replace("absurl(", "urljoin(")}
    return {name: partial(chdb.query, f"{sql} FORMAT Null", udf_path=str(directory)) for name, sql in queries.items()}


def duckdb_jobs(parquet):
    """DuckDB's: the recipe, and urljoin in a UDF."""
    database = duckdb.connect()
    database.execute("SET threads = 2")
    database.execute(f"CREATE TABLE links AS FROM '{parquet}'")
    database.create_function("urljoin", joined, ["VARCHAR", "VARCHAR"], "VARCHAR", null_handling="special")

    def piped():
        with subprocess.Popen([ABSURL, "-pkq"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as absurl:
            database.execute(recipe("DuckDB").replace("/dev/stdout", f"/dev/fd/{absurl.stdin.fileno()}"))
            absurl.stdin.close()

    udf = "COPY (SELECT base, reference, urljoin(base, reference) FROM links) TO '/dev/null' (FORMAT csv)"
    return {"DuckDB, a pipe": piped, "DuckDB, urljoin in a UDF": partial(database.execute, udf)}


def main():
    directory = Path(tempfile.mkdtemp())
    shutil.copy(ABSURL, directory / "absurl")
    os.environ["PATH"] = f"{directory}:{os.environ['PATH']}"
    parquet = str(directory / "links.parquet")
    pq.write_table(links().slice(0, ROWS), parquet, row_group_size=50_000)
    jobs = spark_jobs(parquet) | clickhouse_jobs(directory, parquet) | duckdb_jobs(parquet)
    taken = {name: [] for name in jobs}
    for _ in range(1 + ROUNDS):
        for name, job in jobs.items():
            begin = time.perf_counter(), cpu()
            job()
            taken[name].append((time.perf_counter() - begin[0], cpu() - begin[1]))
    for name, rounds in taken.items():
        # the first round warms up
        wall, used = (statistics.median(each) for each in zip(*rounds[1:]))
        print(f"{name:32} {wall:6.2f} s, CPU {used:6.2f} s: {ROWS / used:9,.0f} rows per CPU second", flush=True)
    shutil.rmtree(directory)


if __name__ == "__main__":
    main()
