
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
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'The base URL')
            [CompletionResult]::new('--base', '--base', [CompletionResultType]::ParameterName, 'The base URL')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read references from FILE (-: stdin); an empty line is one')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Read references from FILE (-: stdin); an empty line is one')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Take the base URL from a page, a feed or an email')
            [CompletionResult]::new('--document', '--document', [CompletionResultType]::ParameterName, 'Take the base URL from a page, a feed or an email')
            [CompletionResult]::new('--part', '--part', [CompletionResultType]::ParameterName, 'With -d: take the base URL from this part of an email')
            [CompletionResult]::new('--media-type', '--media-type', [CompletionResultType]::ParameterName, 'Type; needed for Markdown on stdin [default: detect]')
            [CompletionResult]::new('--move', '--move', [CompletionResultType]::ParameterName, 'With --rewrite, have links follow what will move')
            [CompletionResult]::new('--moved', '--moved', [CompletionResultType]::ParameterName, '--move for files that have moved already')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The directory that has the URL of --base')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colors: auto (default), always or never')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Check characters, hosts or files')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Check characters, hosts or files')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'What --check=host or =files passes')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'By rfc3986 or whatwg (browsers)')
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'By rfc3986 or whatwg (browsers)')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'Print only what standards differ on')
            [CompletionResult]::new('--generate', '--generate', [CompletionResultType]::ParameterName, 'Print the man page or a completion script')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Each record is BASE TAB REFERENCE')
            [CompletionResult]::new('--pairs', '--pairs', [CompletionResultType]::ParameterName, 'Each record is BASE TAB REFERENCE')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Separate records with NUL, in input and output')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Separate records with NUL, in input and output')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print all links of pages, feeds, CSS, Markdown, email')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Print all links of pages, feeds, CSS, Markdown, email')
            [CompletionResult]::new('--rewrite', '--rewrite', [CompletionResultType]::ParameterName, 'Print the document itself, its links resolved')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'With --rewrite, write each DOCUMENT back to its file')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'With --rewrite, write each DOCUMENT back to its file')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'With --rewrite, print the links that would change')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'With --rewrite, print the links that would change')
            [CompletionResult]::new('--print-base', '--print-base', [CompletionResultType]::ParameterName, 'Print the base URL and where it comes from')
            [CompletionResult]::new('--relative', '--relative', [CompletionResultType]::ParameterName, 'Print the reference from the base to each URL')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Print the input record and TAB before each URL')
            [CompletionResult]::new('--keep-input', '--keep-input', [CompletionResultType]::ParameterName, 'Print the input record and TAB before each URL')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'Print FILE:LINE:COL and TAB before each URL')
            [CompletionResult]::new('--with-place', '--with-place', [CompletionResultType]::ParameterName, 'Print FILE:LINE:COL and TAB before each URL')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Print a JSON object for each record')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print a JSON object for each record')
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Explain every step (RFC 1808, section 4)')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain every step (RFC 1808, section 4)')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Show a progress bar on standard error')
            [CompletionResult]::new('--fail-fast', '--fail-fast', [CompletionResultType]::ParameterName, 'Stop at the first record that fails')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no messages about records that fail')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no messages about records that fail')
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
