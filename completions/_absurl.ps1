
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'absurl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'absurl'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'absurl' {
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'The base URL; write the slash at the end of a directory')
            [CompletionResult]::new('--base', '--base', [CompletionResultType]::ParameterName, 'The base URL; write the slash at the end of a directory')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The standard: rfc1808 (default), rfc3986, whatwg (browsers)')
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'The standard: rfc1808 (default), rfc3986, whatwg (browsers)')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read references from FILE, one a line; a blank line is one')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Read references from FILE, one a line; a blank line is one')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The directory that has the URL of --base')
            [CompletionResult]::new('--media-type', '--media-type', [CompletionResultType]::ParameterName, 'The type of documents; needed for piped Markdown')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Take the base URL for references from a document')
            [CompletionResult]::new('--document', '--document', [CompletionResultType]::ParameterName, 'Take the base URL for references from a document')
            [CompletionResult]::new('--part', '--part', [CompletionResultType]::ParameterName, 'With -d: take it from this part of an email')
            [CompletionResult]::new('--move', '--move', [CompletionResultType]::ParameterName, 'Have links follow a move of paths in DOCUMENT or URLs')
            [CompletionResult]::new('--moved', '--moved', [CompletionResultType]::ParameterName, 'As --move, after the files moved; run it once')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors: auto (default), always or never')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Check characters, files or hosts')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Check characters, files or hosts')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Pass [*.]HOST, SCHEME:, /PATH, .EXT')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'Print only where standards differ')
            [CompletionResult]::new('--generate', '--generate', [CompletionResultType]::ParameterName, 'Print the man page or a completion script')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Read lines of BASE TAB REFERENCE')
            [CompletionResult]::new('--pairs', '--pairs', [CompletionResultType]::ParameterName, 'Read lines of BASE TAB REFERENCE')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Separate references with NUL, in input and output')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Separate references with NUL, in input and output')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print the links of each DOCUMENT')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Print the links of each DOCUMENT')
            [CompletionResult]::new('--print-base', '--print-base', [CompletionResultType]::ParameterName, 'Print the base URL and where it comes from')
            [CompletionResult]::new('--rewrite', '--rewrite', [CompletionResultType]::ParameterName, 'Print a document with absolute links')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'With --rewrite: write each DOCUMENT back to its file')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'With --rewrite: write each DOCUMENT back to its file')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'With --rewrite: print what would change (status 1)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'With --rewrite: print what would change (status 1)')
            [CompletionResult]::new('--relative', '--relative', [CompletionResultType]::ParameterName, 'Print URLs, or rewrite links, relative to the base')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Print the line or link, and TAB, before each URL')
            [CompletionResult]::new('--keep-input', '--keep-input', [CompletionResultType]::ParameterName, 'Print the line or link, and TAB, before each URL')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'Print FILE:LINE:COL and TAB before each URL')
            [CompletionResult]::new('--with-place', '--with-place', [CompletionResultType]::ParameterName, 'Print FILE:LINE:COL and TAB before each URL')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Print a JSON object for each reference or link')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON object for each reference or link')
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Explain every step (whatwg: only what differs)')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain every step (whatwg: only what differs)')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Show a progress bar on standard error')
            [CompletionResult]::new('--fail-fast', '--fail-fast', [CompletionResultType]::ParameterName, 'Stop at the first failure')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no messages about failures')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no messages about failures')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (-h: a summary)')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (-h: a summary)')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
