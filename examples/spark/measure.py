#!/usr/bin/env python3
"""How many rows a second absurl, and Python's urljoin, resolve on Spark: measure.py PAIRS.parquet.

Four jobs over the same rows, in turns, in one run; each carries its rows through and gives its
answers to Spark's sink `noop`, which drops them. PAIRS has columns base and reference, strings.
No-op only takes the rows to Python and back, as absurl's job does."""

import os
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import urljoin

import pandas
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

ROUNDS = 3
HERE = Path(__file__).resolve().parent
os.environ["PYSPARK_PYTHON"] = sys.executable
sys.path.insert(0, str(HERE))
import resolve  # noqa: E402


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
    """The CPU seconds that this process and all below it have used: Java, Python's workers, absurl."""
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
    ticks = sum(processes[process][1] for process in tree)
    return ticks / os.sysconf("SC_CLK_TCK")


def main():
    path, absurl = sys.argv[1], os.environ.get("ABSURL", "absurl")
    for cores in (1, 2):
        builder = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.showConsoleProgress", False)
        spark = builder.config("spark.log.level", "ERROR").getOrCreate()
        spark.sparkContext.addPyFile(str(HERE / "resolve.py"))
        spark.sparkContext.addPyFile(__file__)
        rows = spark.read.parquet(path).select("base", "reference").repartition(4).cache()
        count = rows.count()
        plain = F.udf(joined, "string", useArrow=False)
        series = F.pandas_udf(of_series, "string")
        jobs = {
            "absurl": resolve.resolve_pairs(rows, program=absurl),
            "urljoin, plain UDF": rows.withColumn("url", plain("base", "reference")),
            "urljoin, pandas UDF": rows.withColumn("url", series("base", "reference")),
            "no-op": rows.mapInArrow(lambda batches: batches, rows.schema),
        }
        taken = {name: [] for name in jobs}
        for _ in range(1 + ROUNDS):
            for name, job in jobs.items():
                begin = time.perf_counter(), cpu()
                job.write.format("noop").mode("overwrite").save()
                taken[name].append((time.perf_counter() - begin[0], cpu() - begin[1]))
        print(f"local[{cores}], {count} rows, medians of {ROUNDS} rounds:")
        for name, rounds in taken.items():
            # the first round warms up
            wall, used = (statistics.median(each) for each in zip(*rounds[1:]))
            pairs = list(zip(rounds, taken["absurl"]))[1:]
            ratios = [statistics.median(a[i] / b[i] for a, b in pairs) for i in (0, 1)]
            print(
                f"  {name:20} {wall:6.2f} s, CPU {used:6.2f} s: {count / used:9,.0f} rows per CPU second;"
                f" {ratios[0]:5.2f} times absurl's time, {ratios[1]:5.2f} times its CPU",
                flush=True,
            )
        spark.stop()


if __name__ == "__main__":
    main()
