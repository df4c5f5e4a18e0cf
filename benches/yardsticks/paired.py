#!/usr/bin/env python3
"""paired.py N 'cmd A' 'cmd B' : paired timing of two shell commands, A B A B ..., N pairs after one warm-up each.

Each runs through `sh -c` from the small launcher paired_run (wait4; stdout goes to /dev/null unless the command redirects it). Prints wall-clock medians, the median of
the per-pair ratios A/B with min and max, user+sys CPU medians and ratio, and peak memory (ru_maxrss of sh and the child it
waited for). Exits 1 when a command fails.
"""
import os
import statistics as st
import subprocess
import sys

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "target", "paired_run")


def run(cmd):
    out = subprocess.run([RUN, cmd], stdout=subprocess.PIPE, check=True).stdout.split()
    if out[0] != b"0":
        sys.exit("failed (status %d): %s" % (os.waitstatus_to_exitcode(int(out[0])), cmd))
    return float(out[1]), float(out[2]), int(out[3])


def main():
    if len(sys.argv) != 4 or int(sys.argv[1]) < 1:
        sys.exit(__doc__)
    n, a, b = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    run(a)
    run(b)
    A, B = [], []
    for _ in range(n):
        A.append(run(a))
        B.append(run(b))
    for name, cmd, r in (("A", a, A), ("B", b, B)):
        w = [x[0] for x in r]
        print("%s  median %.4f s  (min %.4f max %.4f)  cpu %.4f s  peak %d KiB  %s" % (
            name, st.median(w), min(w), max(w), st.median(x[1] for x in r), max(x[2] for x in r), cmd))
    q = [x[0] / y[0] for x, y in zip(A, B)]
    c = [x[1] / y[1] for x, y in zip(A, B) if y[1] > 0]
    print("A/B wall  median %.4f  min %.4f  max %.4f  (%d pairs)" % (st.median(q), min(q), max(q), n))
    if c:
        print("A/B cpu   median %.4f  min %.4f  max %.4f" % (st.median(c), min(c), max(c)))


main()
