
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
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read references from FILE; - is standard input')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Read references from FILE; - is standard input')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Take the base URL from a page or a message')
            [CompletionResult]::new('--document', '--document', [CompletionResultType]::ParameterName, 'Take the base URL from a page or a message')
            [CompletionResult]::new('--part', '--part', [CompletionResultType]::ParameterName, 'Take the base URL of this part of the message')
            [CompletionResult]::new('--media-type', '--media-type', [CompletionResultType]::ParameterName, 'What the documents are: text/html or message/rfc822')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When --explain is coloured')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Resolve by SPEC: rfc1808, rfc3986 or whatwg')
            [CompletionResult]::new('--spec', '--spec', [CompletionResultType]::ParameterName, 'Resolve by SPEC: rfc1808, rfc3986 or whatwg')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'Write records on which the specs differ, and why')
            [CompletionResult]::new('--generate', '--generate', [CompletionResultType]::ParameterName, 'Print the man page or a completion script')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Every record is BASE TAB REFERENCE')
            [CompletionResult]::new('--pairs', '--pairs', [CompletionResultType]::ParameterName, 'Every record is BASE TAB REFERENCE')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Records end in NUL, in and out')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Records end in NUL, in and out')
            [CompletionResult]::new('--print-base', '--print-base', [CompletionResultType]::ParameterName, 'Print the base URL, TAB, and the rule that gives it')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Resolve the links of the documents')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Resolve the links of the documents')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Write the input record and TAB before each URL')
            [CompletionResult]::new('--keep-input', '--keep-input', [CompletionResultType]::ParameterName, 'Write the input record and TAB before each URL')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Write a JSON object for each record')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Write a JSON object for each record')
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Tell every step of RFC 1808 section 4')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Tell every step of RFC 1808 section 4')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Show on standard error how far the run is')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Judge references by the grammar of section 2.2')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Judge references by the grammar of section 2.2')
            [CompletionResult]::new('--fail-fast', '--fail-fast', [CompletionResultType]::ParameterName, 'Stop at the first record that fails')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing of records that fail')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing of records that fail')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help; --help tells more than -h')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help; --help tells more than -h')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
