
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
            cand -f 'Read references from FILE; - is standard input'
            cand --file 'Read references from FILE; - is standard input'
            cand -d 'Take the base URL from a page or a message'
            cand --document 'Take the base URL from a page or a message'
            cand --part 'Take the base URL of this part of the message'
            cand --media-type 'What the documents are: text/html or message/rfc822'
            cand --color 'When --explain is coloured'
            cand -s 'Resolve by SPEC: rfc1808, rfc3986 or whatwg'
            cand --spec 'Resolve by SPEC: rfc1808, rfc3986 or whatwg'
            cand --compare 'Write records on which the specs differ, and why'
            cand --generate 'Print the man page or a completion script'
            cand -p 'Every record is BASE TAB REFERENCE'
            cand --pairs 'Every record is BASE TAB REFERENCE'
            cand -0 'Records end in NUL, in and out'
            cand --null 'Records end in NUL, in and out'
            cand --print-base 'Print the base URL, TAB, and the rule that gives it'
            cand -l 'Resolve the links of the documents'
            cand --links 'Resolve the links of the documents'
            cand -k 'Write the input record and TAB before each URL'
            cand --keep-input 'Write the input record and TAB before each URL'
            cand -j 'Write a JSON object for each record'
            cand --json 'Write a JSON object for each record'
            cand -e 'Tell every step of RFC 1808 section 4'
            cand --explain 'Tell every step of RFC 1808 section 4'
            cand --progress 'Show on standard error how far the run is'
            cand -c 'Judge references by the grammar of section 2.2'
            cand --check 'Judge references by the grammar of section 2.2'
            cand --fail-fast 'Stop at the first record that fails'
            cand -q 'Say nothing of records that fail'
            cand --quiet 'Say nothing of records that fail'
            cand -h 'Print help; --help tells more than -h'
            cand --help 'Print help; --help tells more than -h'
            cand -V 'Print the version'
            cand --version 'Print the version'
        }
    ]
    $completions[$command]
}
