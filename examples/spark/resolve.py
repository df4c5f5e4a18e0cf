#!/usr/bin/env python3
"""Resolves the links of a crawl with absurl on Spark: rows of base and reference in, the same rows
with url and error out. README.md tells how to run it, and what becomes of odd rows."""

import argparse
import json
import os
import subprocess
import tempfile
import threading

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

OPTIONS = ["--pairs", "--null", "--quiet"]
RECORD = "absurl record"  # BASE TAB REFERENCE on the way to absurl; null if it cannot be written so
ERROR = StructType([StructField("code", StringType()), StructField("message", StringType())])


class Absurl:
    """A running absurl, to which batches of records go, and which answers each record with one."""

    def __init__(self, program):
        self.messages = tempfile.TemporaryFile()  # a pipe would have to be read at the same time
        self.process = subprocess.Popen(
            [program, *OPTIONS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages
        )
        # an absolute reference, which is its own answer, after each batch: the answers end there
        self.mark = b"mark:" + os.urandom(16).hex().encode()

    def ask(self, records):
        """The URLs of a binary array of records without nulls and NULs; empty where there is none."""
        ended = pc.binary_join_element_wise(records, b"", b"\0")
        length = pc.sum(pc.binary_length(ended)).as_py() or 0
        # absurl writes while it reads: who only wrote would wait for it, and it for him
        writer = threading.Thread(target=self._write, args=(memoryview(ended.buffers()[2] or b"")[:length],))
        writer.start()
        answers = bytearray()
        while not answers.endswith(self.mark + b"\0"):
            read = self.process.stdout.read1(1 << 20)
            if not read:
                raise self._failure(f"{answers.count(0)} of {len(records)} answers")
            answers += read
        writer.join()
        urls = pc.split_pattern(pa.array([bytes(answers)]), b"\0").flatten()
        if len(urls) != len(records) + 2:
            raise self._failure(f"{len(urls) - 2} answers to {len(records)} records")
        return urls[:-2]

    def _write(self, records):
        try:
            self.process.stdin.write(records)
            self.process.stdin.write(b"\t" + self.mark + b"\0")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, which the reader will see too

    def _failure(self, what):
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            status = "none"
        self.messages.seek(0)
        said = self.messages.read().decode(errors="replace").strip()
        return RuntimeError(f"absurl: {what}, exit status {status}: {said or 'no message'}")

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        if failed:
            self.process.kill()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        rest = None if failed else self.process.stdout.read()
        self.process.stdout.close()
        # 1 tells that records failed, and they have their rows
        if not failed and (rest or self.process.wait() not in (0, 1)):
            raise self._failure("answers after the last" if rest else "it failed")
        self.process.wait()
        self.messages.close()


def reasons(program, records):
    """Why each of the records fails, as absurl tells it: pairs of code and message."""
    if not records:
        return []
    given = b"".join(record + b"\0" for record in records)
    done = subprocess.run([program, *OPTIONS, "--json"], input=given, capture_output=True)
    errors = [json.loads(line)["error"] for line in done.stdout.splitlines()]
    if done.returncode != 1 or len(errors) != len(records):
        said = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"absurl --json: exit status {done.returncode}: {said}")
    return [(error["code"], error["message"]) for error in errors]


def answer(batch, absurl, program):
    """A batch of rows with their answers."""
    records = batch.column(RECORD)
    url = absurl.ask(pc.fill_null(records, b""))
    none = pc.equal(pc.binary_length(url), 0)  # no URL is empty
    failed = pc.and_(none, records.is_valid())
    told = reasons(program, records.filter(failed).to_pylist())
    nulls = pa.nulls(len(batch), pa.string())
    fields = [pc.replace_with_mask(nulls, failed, pa.array([pair[i] for pair in told], pa.string())) for i in (0, 1)]
    error = pa.StructArray.from_arrays(fields, ERROR.names, mask=pc.invert(failed))
    rows = batch.drop_columns([RECORD]).append_column("url", pc.if_else(none, pa.scalar(None, url.type), url))
    return rows.append_column("error", error)


def with_answers(rows, program, url_type, refusal):
    """Rows that have a column RECORD, without it, but with url and error; refusal: the error where it is null."""

    def resolve(batches):
        shipped = SparkFiles.get(os.path.basename(program))
        path = shipped if os.path.exists(shipped) else program
        with Absurl(path) as absurl:
            for batch in batches:
                yield answer(batch, absurl, path)

    schema = StructType(rows.drop(RECORD).schema.fields).add("url", BinaryType()).add("error", ERROR)
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
    types = [rows.select(name).schema[0].dataType for name in (base, reference)]
    if any(not isinstance(type, (StringType, BinaryType)) for type in types):
        raise SystemExit(f"resolve.py: {base} and {reference}: not strings or binary; cast them")
    taken = {"url", "error", RECORD} & {name.lower() for name in rows.columns}
    if taken:
        raise SystemExit(f"resolve.py: there is a column {min(taken)} already; rename it")
    url_type = "string" if all(isinstance(type, StringType) for type in types) else "binary"
    left = F.coalesce(F.col(base).cast("binary"), F.lit(bytearray()))
    right = F.col(reference).cast("binary")
    refusal = (
        F.when(right.isNull(), refused("null-reference", "the reference is null; give a reference"))
        .when(has(left, b"\t"), refused("tab-in-base", "a TAB in the base; write %09"))
        .otherwise(refused("nul", "a NUL in the record; write %00"))
    )
    # concat is null if the reference is
    writable = ~has(left, b"\t") & ~has(left, b"\0") & ~has(right, b"\0")
    record = F.when(writable, F.concat(left, F.lit(bytearray(b"\t")), right))
    return with_answers(rows.withColumn(RECORD, record), program, url_type, refusal)


def resolve_lines(lines, program="absurl"):
    """Lines BASE TAB REFERENCE, as `absurl --pairs` reads them, in a column value, without LF."""
    # binary, so that bytes are counted: characters are only there where a line is UTF-8
    value = F.col("value").cast("binary")
    in_line = F.when(F.col("value").endswith("\r"), F.octet_length(value) - 1)
    lines = lines.select(value.substr(F.lit(1), in_line.otherwise(F.octet_length(value))).alias("value"))
    base = F.substring_index(value.cast("string"), "\t", 1)
    rest = value.substr(F.octet_length(base) + 2, F.octet_length(value)).cast("string")
    rows = lines.select(
        F.when(has(value, b"\t"), base).alias("base"),
        F.when(has(value, b"\t"), rest).otherwise(value.cast("string")).alias("reference"),
        F.when(~has(value, b"\0"), value).alias(RECORD),
    )
    return with_answers(rows, program, "string", refused("nul", "a NUL in the record; write %00"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input", help="a Parquet data set, or lines BASE TAB REFERENCE")
    parser.add_argument("output", help="where the Parquet data set is written; must not exist")
    parser.add_argument("--text", action="store_true", help="the input is lines")
    parser.add_argument("--base", default="base", metavar="COLUMN", help="the column of base URLs")
    parser.add_argument("--reference", default="reference", metavar="COLUMN", help="that of references")
    parser.add_argument("--absurl", default="absurl", metavar="PROGRAM", help="absurl on the executors")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("absurl").getOrCreate()
    if arguments.text:
        # without lineSep a lone CR would end a line too
        lines = spark.read.option("lineSep", "\n").text(arguments.input)
        answers = resolve_lines(lines, arguments.absurl)
    else:
        rows = spark.read.parquet(arguments.input)
        answers = resolve_pairs(rows, arguments.base, arguments.reference, arguments.absurl)
    answers.write.parquet(arguments.output)
    spark.stop()


if __name__ == "__main__":
    main()
