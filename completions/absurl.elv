
use builtin;
use str;

set edit:completion:arg-completer[absurl] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'absurl'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'absurl'= {
            cand -b 'The base URL; write the slash at the end of a directory'
            cand --base 'The base URL; write the slash at the end of a directory'
            cand -s 'The standard: rfc1808 (default), rfc3986, whatwg (browsers)'
            cand --spec 'The standard: rfc1808 (default), rfc3986, whatwg (browsers)'
            cand -f 'Read references from FILE, one a line; a blank line is one'
            cand --file 'Read references from FILE, one a line; a blank line is one'
            cand --root 'The directory that has the URL of --base'
            cand --media-type 'The type of documents; needed for piped Markdown'
            cand -d 'Take the base URL for references from a document'
            cand --document 'Take the base URL for references from a document'
            cand --part 'With -d: take it from this part of an email'
            cand --move 'Have links follow a move of paths in DOCUMENT or URLs'
            cand --moved 'As --move, after the files moved; run it once'
            cand --color 'Use colors: auto (default), always or never'
            cand -c 'Check characters, files or hosts'
            cand --check 'Check characters, files or hosts'
            cand --allow 'Pass [*.]HOST, SCHEME:, /PATH, .EXT'
            cand --compare 'Print only where standards differ'
            cand --generate 'Print the man page or a completion script'
            cand -p 'Read lines of BASE TAB REFERENCE'
            cand --pairs 'Read lines of BASE TAB REFERENCE'
            cand -0 'Separate references with NUL, in input and output'
            cand --null 'Separate references with NUL, in input and output'
            cand -l 'Print the links of each DOCUMENT'
            cand --links 'Print the links of each DOCUMENT'
            cand --print-base 'Print the base URL and where it comes from'
            cand --rewrite 'Print a document with absolute links'
            cand -i 'With --rewrite: write each DOCUMENT back to its file'
            cand --in-place 'With --rewrite: write each DOCUMENT back to its file'
            cand -n 'With --rewrite: print what would change (status 1)'
            cand --dry-run 'With --rewrite: print what would change (status 1)'
            cand --relative 'Print URLs, or rewrite links, relative to the base'
            cand -k 'Print the line or link, and TAB, before each URL'
            cand --keep-input 'Print the line or link, and TAB, before each URL'
            cand -H 'Print FILE:LINE:COL and TAB before each URL'
            cand --with-place 'Print FILE:LINE:COL and TAB before each URL'
            cand -j 'Print a JSON object for each reference or link'
            cand --json 'Print a JSON object for each reference or link'
            cand -e 'Explain every step (whatwg: only what differs)'
            cand --explain 'Explain every step (whatwg: only what differs)'
            cand --progress 'Show a progress bar on standard error'
            cand --fail-fast 'Stop at the first failure'
            cand -q 'Print no messages about failures'
            cand --quiet 'Print no messages about failures'
            cand -h 'Print help (-h: a summary)'
            cand --help 'Print help (-h: a summary)'
            cand -V 'Print the version'
            cand --version 'Print the version'
        }
    ]
    $completions[$command]
}
