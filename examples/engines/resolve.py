"""Resolves the references of a table with absurl on Spark. README.md says what comes out."""

import json
import os
import subprocess
import sys

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql.functions import col
from pyspark.sql.types import StructType


def record(base, reference):
    """BASE TAB REFERENCE; empty for a row that cannot be written so, and absurl refuses that."""
    base = base or b""
    if reference is None or b"\t" in base or b"\0" in base + reference:
        return b""
    return base + b"\t" + reference


def ask(program, records, end, *options):
    """absurl's answers to records, one to each."""
    command = [program, "--pairs", "--null", "--quiet", *options]
    done = subprocess.run(command, input=b"".join(record + b"\0" for record in records), capture_output=True)
    answers = done.stdout.split(end)[:-1]
    if done.returncode not in (0, 1) or len(answers) != len(records):  # 1: some records failed
        what = f"{len(answers)} answers to {len(records)} records, exit status {done.returncode}"
        raise RuntimeError(f"absurl: {what}: {done.stderr.decode(errors='replace')}")
    return answers


def answer(batch, program):
    """A batch of rows with url and error."""
    columns = [batch[name].cast(pa.binary()).to_pylist() for name in ("base", "reference")]
    records = [record(*pair) for pair in zip(*columns)]
    urls = [url or None for url in ask(program, records, b"\0")]
    failed = [record for record, url in zip(records, urls) if url is None]
    reasons = iter(ask(program, failed, b"\n", "--json") if failed else [])
    errors = [None if url else json.loads(next(reasons))["error"]["code"] for url in urls]
    batch = batch.append_column("url", pa.array(urls, pa.binary()))
    return batch.append_column("error", pa.array(errors, pa.string()))


def resolve(rows, program="absurl"):
    """Rows with columns base and reference, and their answers in url and error."""

    def answers(batches):
        shipped = SparkFiles.get(program)
        return (answer(batch, shipped if os.path.exists(shipped) else program) for batch in batches)

    schema = StructType(list(rows.schema)).add("url", "binary").add("error", "string")
    return rows.mapInArrow(answers, schema).withColumn("url", col("url").cast(rows.schema["reference"].dataType))


if __name__ == "__main__":
    source, target = sys.argv[1:]
    resolve(SparkSession.builder.getOrCreate().read.parquet(source)).write.parquet(target)
