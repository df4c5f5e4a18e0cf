complete -c absurl -s b -l base -d 'The base URL' -r
complete -c absurl -s f -l file -d 'Read references from FILE; - is standard input' -r -F
complete -c absurl -s d -l document -d 'Take the base URL from a page or a message' -r -F
complete -c absurl -l part -d 'Take the base URL of this part of the message' -r
complete -c absurl -l media-type -d 'What the documents are: text/html or message/rfc822' -r -f -a "text/html\t'HTML'
message/rfc822\t'A message: RFC 822, MIME or HTTP'"
complete -c absurl -l color -d 'When --explain is coloured' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Wherever the output goes'
never\t'Never'"
complete -c absurl -s s -l spec -d 'Resolve by SPEC: rfc1808, rfc3986 or whatwg' -r -f -a "rfc1808\t'RFC 1808'
rfc3986\t'RFC 3986'
whatwg\t'The URL Standard of the WHATWG'"
complete -c absurl -l compare -d 'Write records on which the specs differ, and why' -r -f -a "all\t'All of them'
meaning\t'Not those of WHATWG\'s normalisation alone'"
complete -c absurl -l generate -d 'Print the man page or a completion script' -r -f -a "man\t'The man page, in roff'
complete-bash\t'For bash'
complete-zsh\t'For zsh'
complete-fish\t'For fish'
complete-powershell\t'For PowerShell'
complete-elvish\t'For elvish'"
complete -c absurl -s p -l pairs -d 'Every record is BASE TAB REFERENCE'
complete -c absurl -s 0 -l null -d 'Records end in NUL, in and out'
complete -c absurl -l print-base -d 'Print the base URL, TAB, and the rule that gives it'
complete -c absurl -s l -l links -d 'Resolve the links of the documents'
complete -c absurl -s k -l keep-input -d 'Write the input record and TAB before each URL'
complete -c absurl -s j -l json -d 'Write a JSON object for each record'
complete -c absurl -s e -l explain -d 'Tell every step of RFC 1808 section 4'
complete -c absurl -l progress -d 'Show on standard error how far the run is'
complete -c absurl -s c -l check -d 'Judge references by the grammar of section 2.2'
complete -c absurl -l fail-fast -d 'Stop at the first record that fails'
complete -c absurl -s q -l quiet -d 'Say nothing of records that fail'
complete -c absurl -s h -l help -d 'Print help; --help tells more than -h'
complete -c absurl -s V -l version -d 'Print the version'
