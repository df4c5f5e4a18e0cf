
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
            cand -b 'The base URL'
            cand --base 'The base URL'
            cand -f 'Read references from FILE (-: stdin); an empty line is one'
            cand --file 'Read references from FILE (-: stdin); an empty line is one'
            cand -d 'Take the base URL from a page, a feed or an email'
            cand --document 'Take the base URL from a page, a feed or an email'
            cand --part 'With -d: take the base URL from this part of an email'
            cand --media-type 'Type; needed for Markdown on stdin [default: detect]'
            cand --move 'With --rewrite, have links follow what will move'
            cand --moved '--move for files that have moved already'
            cand --root 'The directory that has the URL of --base'
            cand --color 'Use colors: auto (default), always or never'
            cand -c 'Check characters, hosts or files'
            cand --check 'Check characters, hosts or files'
            cand --allow 'What --check=host or =files passes'
            cand -s 'By rfc3986 or whatwg (browsers)'
            cand --spec 'By rfc3986 or whatwg (browsers)'
            cand --compare 'Print only what standards differ on'
            cand --generate 'Print the man page or a completion script'
            cand -p 'Each record is BASE TAB REFERENCE'
            cand --pairs 'Each record is BASE TAB REFERENCE'
            cand -0 'Separate records with NUL, in input and output'
            cand --null 'Separate records with NUL, in input and output'
            cand -l 'Print all links of pages, feeds, CSS, Markdown, email'
            cand --links 'Print all links of pages, feeds, CSS, Markdown, email'
            cand --rewrite 'Print the document itself, its links resolved'
            cand -i 'With --rewrite, write each DOCUMENT back to its file'
            cand --in-place 'With --rewrite, write each DOCUMENT back to its file'
            cand -n 'With --rewrite, print the links that would change'
            cand --dry-run 'With --rewrite, print the links that would change'
            cand --print-base 'Print the base URL and where it comes from'
            cand --relative 'Print the reference from the base to each URL'
            cand -k 'Print the input record and TAB before each URL'
            cand --keep-input 'Print the input record and TAB before each URL'
            cand -H 'Print FILE:LINE:COL and TAB before each URL'
            cand --with-place 'Print FILE:LINE:COL and TAB before each URL'
            cand -j 'Print a JSON object for each record'
            cand --json 'Print a JSON object for each record'
            cand -e 'Explain every step (RFC 1808, section 4)'
            cand --explain 'Explain every step (RFC 1808, section 4)'
            cand --progress 'Show a progress bar on standard error'
            cand --fail-fast 'Stop at the first record that fails'
            cand -q 'Print no messages about records that fail'
            cand --quiet 'Print no messages about records that fail'
            cand -h 'Print help (-h: a summary)'
            cand --help 'Print help (-h: a summary)'
            cand -V 'Print the version'
            cand --version 'Print the version'
        }
    ]
    $completions[$command]
}
