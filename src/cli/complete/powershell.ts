import type { Candidate } from './spec.ts';
import type { ScriptTables } from './tables.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const table = (name: string, entries: Iterable<readonly [key: string, value: string]>) =>
  `$global:${name} = @{\n${[...entries].map(([key, value]) => `    ${quoted(key)} = ${value}\n`).join('')}}\n`;

/** Each candidate with its description after a tab, as calls of shopctl print them. */
const lines = (candidates: readonly Candidate[]) =>
  `@(${candidates.map(({ name, description }) => quoted(`${name}\t${description}`)).join(', ')})`;

/** The script for PowerShell 5.1 and later: the same steps as for bash, with descriptions. */
export function powershellScript(tables: ScriptTables): string {
  const flagSources = tables.flagSources.flatMap(({ path, flags, source }) =>
    flags.map((flag) => [`${path} ${flag}`, quoted(source)] as const),
  );
  return `# PowerShell completion for shopctl
# Generated from the command tree; \`shopctl completion powershell\` prints it.

${table(
  'ShopctlWords',
  [...tables.words].map(([path, words]) => [path, lines(words)]),
)}
${table(
  'ShopctlFlags',
  [...tables.flags].map(([path, flags]) => [path, lines(flags)]),
)}
${table('ShopctlSources', flagSources)}
${table(
  'ShopctlArguments',
  [...tables.arguments].map(([key, source]) => [key, quoted(source)]),
)}
$global:ShopctlGlobals = ${lines(tables.globals)}

function global:Get-ShopctlFlagSource([string]$Path, [string]$Flag) {
    foreach ($key in "$Path $Flag", "* $Flag") {
        if ($global:ShopctlSources.ContainsKey($key)) { return $global:ShopctlSources[$key] }
    }
    'any'
}

# Candidates as lines "text<TAB>description"; Before are the words that stand before the value.
function global:Get-ShopctlCandidates([string]$Source, [string]$Value, [string[]]$Before) {
    $kind, $rest = $Source -split ' '
    switch ($kind) {
        'values' { $rest }
        'files' { Get-ChildItem -Path "$Value*" -Name -ErrorAction SilentlyContinue }
        'directories' { Get-ChildItem -Path "$Value*" -Name -Directory -ErrorAction SilentlyContinue }
        'ask' {
            $lead = ''
            if ($rest -contains 'fields' -and $Value -match '^(.*,)') { $lead = $Matches[1] }
            & shopctl __complete @rest '--' @Before 2>$null | ForEach-Object { "$lead$_" }
        }
    }
}

Register-ArgumentCompleter -Native -CommandName shopctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString().Trim('"', "'") })
    $path = ''; $flag = ''; $ended = $false; $position = 0
    foreach ($word in $before) {
        if ($flag) { $flag = ''; continue }
        if ($ended) { continue }
        if ($word -eq '--') { $ended = $true; continue }
        if ($word -match '^-.') {
            if ($word -notmatch '=' -and (Get-ShopctlFlagSource $path $word) -ne 'switch') { $flag = $word }
            continue
        }
        $names = @($global:ShopctlWords[$path] | ForEach-Object { ($_ -split "\`t")[0] })
        if ($names -ccontains $word) {
            $path = "$path $word".Trim() -replace '^(help|schema) ', ''
        } else { $position++ }
    }

    $lead = ''; $value = $wordToComplete
    if ($ended) { return }
    if ($flag) {
        $candidates = Get-ShopctlCandidates (Get-ShopctlFlagSource $path $flag) $value $before
    } elseif ($wordToComplete -match '^(--[^=]+)=(.*)$') {
        $lead = "$($Matches[1])="; $value = $Matches[2]
        $candidates = Get-ShopctlCandidates (Get-ShopctlFlagSource $path $Matches[1]) $value $before
    } else {
        $words = $global:ShopctlWords[$path]
        $source = $global:ShopctlArguments["$path $position"]
        if ($wordToComplete -like '-*' -or -not ($words -or $source)) {
            $candidates = @($global:ShopctlFlags[$path]) + $global:ShopctlGlobals
        } elseif ($words) {
            $candidates = $words
        } else {
            $candidates = Get-ShopctlCandidates $source $value $before
        }
    }

    foreach ($candidate in $candidates) {
        if (-not $candidate) { continue }
        $text, $description = $candidate -split "\`t", 2
        if (-not $text.StartsWith($value, [StringComparison]::Ordinal)) { continue }
        if (-not $description) { $description = $text }
        [System.Management.Automation.CompletionResult]::new("$lead$text", $text, 'ParameterValue', $description)
    }
}
`;
}
