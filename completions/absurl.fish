complete -c absurl -s b -l base -d 'The base URL; write the slash at the end of a directory' -r -f
complete -c absurl -s s -l spec -d 'The standard: rfc1808 (default), rfc3986, whatwg (browsers)' -r -f -a "rfc1808\t'RFC 1808'
rfc3986\t'RFC 3986'
whatwg\t'The URL Standard of the WHATWG'"
complete -c absurl -s f -l file -d 'Read references from FILE, one a line; a blank line is one' -r -F
complete -c absurl -l root -d 'The directory that has the URL of --base' -r -f -a "(__fish_complete_directories)"
complete -c absurl -l media-type -d 'The type of documents; needed for piped Markdown' -r -f -a "text/html\t'HTML'
text/css\t'A style sheet'
text/markdown\t'Markdown: CommonMark, with GitHub\'s tables, footnotes and task lists'
message/rfc822\t'An email or another message: RFC 822, MIME or HTTP'
application/atom+xml\t'An Atom feed'
application/rss+xml\t'An RSS feed'
application/rdf+xml\t'RDF, such as a feed of RSS 1'
image/svg+xml\t'SVG'
application/xhtml+xml\t'XHTML, read as XML'
application/xml\t'XML: sitemaps, OPML, the types above, or any XML with xml:base, XLink, href or src'"
complete -c absurl -s d -l document -d 'Take the base URL for references from a document' -r -F
complete -c absurl -l part -d 'With -d: take it from this part of an email' -r -f
complete -c absurl -l move -d 'Have links follow a move of paths in DOCUMENT or URLs' -r -F
complete -c absurl -l moved -d 'As --move, after the files moved; run it once' -r -F
complete -c absurl -l color -d 'Use colors: auto (default), always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c absurl -s c -l check -d 'Check characters, files or hosts' -f -a "generic\t'The grammar of RFC 1808, or of --spec'
scheme\t'Also that of the URL\'s scheme in RFC 1738'
host\t'Only whether they leave the host of --base'
files\t'Only whether they lead to files of the directory'"
complete -c absurl -l allow -d 'Pass [*.]HOST, SCHEME:, /PATH, .EXT' -r -f -a "(__fish_print_hostnames)"
complete -c absurl -l compare -d 'Print only where standards differ' -f -a "all\t'All of them'
meaning\t'Those that are more than WHATWG normalization'
host\t'Those of the host'"
complete -c absurl -l generate -d 'Print the man page or a completion script' -r -f -a "man\t'The man page, in roff'
man-documents\t'The man page of documents, in roff'
complete-bash\t'For bash'
complete-zsh\t'For zsh'
complete-fish\t'For fish'
complete-powershell\t'For PowerShell'
complete-elvish\t'For elvish'"
complete -c absurl -s p -l pairs -d 'Read lines of BASE TAB REFERENCE'
complete -c absurl -s 0 -l null -d 'Separate references with NUL, in input and output'
complete -c absurl -s l -l links -d 'Print the links of each DOCUMENT'
complete -c absurl -l print-base -d 'Print the base URL and where it comes from'
complete -c absurl -l rewrite -d 'Print a document with absolute links'
complete -c absurl -s i -l in-place -d 'With --rewrite: write each DOCUMENT back to its file'
complete -c absurl -s n -l dry-run -d 'With --rewrite: print what would change (status 1)'
complete -c absurl -l relative -d 'Print URLs, or rewrite links, relative to the base'
complete -c absurl -s k -l keep-input -d 'Print the line or link, and TAB, before each URL'
complete -c absurl -s H -l with-place -d 'Print FILE:LINE:COL and TAB before each URL'
complete -c absurl -s j -l json -d 'Print a JSON object for each reference or link'
complete -c absurl -s e -l explain -d 'Explain every step (whatwg: only what differs)'
complete -c absurl -l progress -d 'Show a progress bar on standard error'
complete -c absurl -l fail-fast -d 'Stop at the first failure'
complete -c absurl -s q -l quiet -d 'Print no messages about failures'
complete -c absurl -s h -l help -d 'Print help (-h: a summary)'
complete -c absurl -s V -l version -d 'Print the version'
complete -c absurl -f
complete -c absurl -F -n 'string match -qr " (-[0cejkpq]*l|--links|--rewrite|--print-base)" (commandline -cpo | string join " " | string split -m1 -- " -- ")[1]'
