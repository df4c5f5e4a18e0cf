#!/usr/bin/env python3
"""Resolves the links of a crawl with absurl on Spark: rows of base and reference in, the same rows
with url and error out. README.md says how to run it, and what becomes of odd rows."""

import argparse
import json
import os
import subprocess

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles
from pyspark.sql import SparkSession, functions as F
from pyspark.sql.types import StringType, StructField, StructType

RECORD = "absurl record"  # BASE TAB REFERENCE on the way to absurl; null if it cannot be written so
ERROR = StructType([StructField("code", StringType()), StructField("message", StringType())])


def ask(program, records, end=b"\0", *options):
    """The answers to a binary array of records without nulls and NULs, one to each."""
    given = b"".join(pc.binary_join_element_wise(records, b"", b"\0").to_pylist())
    done = subprocess.run([program, "--pairs", "--null", "--quiet", *options], input=given, capture_output=True)
    answers = pc.split_pattern(pa.array([done.stdout]), end).flatten()[:-1]
    if done.returncode not in (0, 1) or len(answers) != len(records):  # 1: records failed, they have rows
        what = f"{len(answers)} answers to {len(records)} records, exit status {done.returncode}"
        raise RuntimeError(f"absurl: {what}: {done.stderr.decode(errors='replace').strip() or 'no message'}")
    return answers


def answer(batch, program):
    """A batch of rows with their answers."""
    records = batch.column(RECORD)
    url = ask(program, pc.fill_null(records, b""))
    empty = pc.equal(pc.binary_length(url), 0)  # no URL is empty
    failed = pc.and_(empty, records.is_valid())
    reasons = ask(program, records.filter(failed), b"\n", "--json").to_pylist() if pc.any(failed).as_py() else []
    reasons = [json.loads(reason)["error"] for reason in reasons]
    nulls = pa.nulls(len(batch), pa.string())
    columns = [pa.array([reason[name] for reason in reasons], pa.string()) for name in ERROR.names]
    columns = [pc.replace_with_mask(nulls, failed, column) for column in columns]
    error = pa.StructArray.from_arrays(columns, ERROR.names, mask=pc.invert(failed))
    rows = batch.drop_columns([RECORD]).append_column("url", pc.if_else(empty, pa.scalar(None, url.type), url))
    return rows.append_column("error", error)


def with_answers(rows, program, url_type, refusal):
    """Rows that have a column RECORD, without it, but with url and error; refusal: the error where it is null."""

    def resolve(batches):
        shipped = SparkFiles.get(os.path.basename(program))
        path = shipped if os.path.exists(shipped) else program
        return (answer(batch, path) for batch in batches)

    schema = StructType(rows.drop(RECORD).schema.fields).add("url", "binary").add("error", ERROR)
    error = F.when(F.col("url").isNull(), F.coalesce("error", refusal))
    return rows.mapInArrow(resolve, schema).withColumns({"url": F.col("url").cast(url_type), "error": error})


def refused(code, message):
    """An error that absurl is not asked about."""
    return F.struct(F.lit(code).alias("code"), F.lit(message).alias("message"))


def has(column, byte):
    """Whether a binary column has a byte in it."""
    return column.contains(F.lit(bytearray(byte)))


def resolve_pairs(rows, base="base", reference="reference", program="absurl"):
    """Rows with two columns, each a string or binary; url is a string if both are."""
    types = {type for _, type in rows.select(base, reference).dtypes}
    if not types <= {"string", "binary"}:
        raise SystemExit(f"resolve.py: {base} and {reference}: not strings or binary; cast them")
    taken = {"url", "error", RECORD} & {name.lower() for name in rows.columns}
    if taken:
        raise SystemExit(f"resolve.py: there is a column {min(taken)} already; rename it")
    left = F.coalesce(F.col(base).cast("binary"), F.lit(bytearray()))
    right = F.col(reference).cast("binary")
    refusal = F.when(right.isNull(), refused("null-reference", "the reference is null; write a reference"))
    refusal = refusal.when(has(left, b"\t"), refused("tab-in-base", "a TAB in the base; write %09"))
    refusal = refusal.otherwise(refused("nul", "a NUL in the record; write %00"))
    record = F.concat(left, F.lit(bytearray(b"\t")), right)  # null if the reference is
    record = F.when(~has(left, b"\t") & ~has(record, b"\0"), record)
    return with_answers(rows.withColumn(RECORD, record), program, min(types), refusal)  # binary before string


def resolve_lines(lines, program="absurl"):
    """Lines BASE TAB REFERENCE, as `absurl --pairs` reads them, in a column value, without LF."""
    # binary, so that bytes are counted: characters are only there where a line is UTF-8
    value = F.col("value").cast("binary")
    length = F.octet_length(value) - value.endswith(F.lit(bytearray(b"\r"))).cast("int")
    lines = lines.select(value.substr(F.lit(1), length).alias("value"))
    base = F.substring_index(value.cast("string"), "\t", 1)
    rest = value.substr(F.octet_length(base) + 2, F.octet_length(value)).cast("string")
    rows = lines.select(
        F.when(has(value, b"\t"), base).alias("base"),
        F.when(has(value, b"\t"), rest).otherwise(value.cast("string")).alias("reference"),
        F.when(~has(value, b"\0"), value).alias(RECORD),
    )
    return with_answers(rows, program, "string", refused("nul", "a NUL in the record; write %00"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input", help="a Parquet data set, or lines BASE TAB REFERENCE")
    parser.add_argument("output", help="where the Parquet data set is written; must not exist")
    parser.add_argument("--text", action="store_true", help="the input is lines")
    parser.add_argument("--base", default="base", metavar="COLUMN", help="the column of base URLs")
    parser.add_argument("--reference", default="reference", metavar="COLUMN", help="that of references")
    parser.add_argument("--absurl", default="absurl", metavar="PROGRAM", help="absurl on the executors")
    arguments = parser.parse_args()
    read = SparkSession.builder.appName("absurl").getOrCreate().read
    if arguments.text:
        # without lineSep a lone CR would end a line too
        answers = resolve_lines(read.option("lineSep", "\n").text(arguments.input), arguments.absurl)
    else:
        answers = resolve_pairs(read.parquet(arguments.input), arguments.base, arguments.reference, arguments.absurl)
    answers.write.parquet(arguments.output)
