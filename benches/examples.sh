#!/usr/bin/env bash
# Counts how many of RFC 1808's 39 examples each implementation resolves as the RFC does, and lists the others.
# What is not installed is skipped. `PYTHON` is a Python that may have the package rfc3986.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
grep -E '^5\.[12]	' ../tests/data/examples.tsv >"$work/examples"
cut -f2,3 "$work/examples" >"$work/pairs"

cat >"$work/Resolve.java" <<'JAVA'
import java.net.URI;
class Resolve {
    public static void main(String[] none) {
        new java.util.Scanner(System.in).useDelimiter("\n").forEachRemaining(line -> {
            String[] pair = line.split("\t", -1);
            try { System.out.println(new URI(pair[0]).resolve(new URI(pair[1]))); }
            catch (Exception error) { System.out.println("error"); }
        });
    }
}
JAVA

# each reads lines BASE TAB REFERENCE
absurl() { command absurl --pairs; }
urljoin() {
    "$python" -c '
import sys, urllib.parse
for line in sys.stdin: print(urllib.parse.urljoin(*line.rstrip("\n").split("\t")))'
}
rfc3986() {
    "$python" -c '
import sys, rfc3986
for line in sys.stdin:
    base, reference = line.rstrip("\n").split("\t")
    try: print(rfc3986.uri_reference(reference).resolve_with(base, strict=True).unsplit())
    except Exception: print("error")'
}
perl_uri() { perl -MURI -ne 'chomp; my ($base, $reference) = split /\t/, $_, 2; print URI->new_abs($reference, $base), "\n"'; }
node_url() {
    node -e '
for (const line of require("fs").readFileSync(0, "utf8").trimEnd().split("\n")) {
    const [base, reference] = line.split("\t");
    try { console.log(new URL(reference, base).href) } catch { console.log("error") }
}'
}
java_uri() { java "$work/Resolve.java"; }
rust_url() { yardsticks/target/release/url --pairs; }
fluent_uri() { yardsticks/target/release/fluent --pairs; }

for tool in absurl urljoin perl_uri java_uri rfc3986 fluent_uri node_url rust_url; do
    if "$tool" <"$work/pairs" >"$work/answers" 2>/dev/null; then
        paste "$work/examples" "$work/answers" | awk -F'\t' -v tool="$tool" '
            $4 == $5 { same++ }
            $4 != $5 { list = list sprintf("    %-12s %-22s instead of %s\n", $3 == "" ? "(empty)" : $3, $5, $4) }
            END { printf "%s: %d of %d\n%s", tool, same, NR, list }'
    else
        echo "$tool: skipped, it is not here"
    fi
done
