import type { Candidate } from './spec.ts';
import { groupedArms, type ScriptTables } from './tables.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A command that prints each candidate with its description after a tab. */
const printing = (candidates: readonly Candidate[]) =>
  `printf '%s\\t%s\\n' ${candidates.map(({ name, description }) => `${quoted(name)} ${quoted(description)}`).join(' ')}`;

function switchOf(name: string, arms: ReadonlyMap<string, string>, otherwise = ''): string {
  const cases = groupedArms(arms).map(
    ([answer, keys]) => `        case ${keys.map(quoted).join(' ')}\n            ${answer}\n`,
  );
  const rest = otherwise === '' ? '' : `        case '*'\n            ${otherwise}\n`;
  return `function ${name}\n    switch "$argv"\n${cases.join('')}${rest}    end\nend\n`;
}

function flagSources({ flagSources: sources }: ScriptTables): string {
  const arms = sources.flatMap(({ path, flags, source }) =>
    flags.map((flag): [string, string] => [`${path} ${flag}`, `echo ${quoted(source)}`]),
  );
  // In a fish `case`, a quoted star matches any text.
  return switchOf('__shopctl_flag', new Map(arms), 'echo any');
}

/** The script for fish: the same steps as for bash, with descriptions; fish compares and quotes the candidates. */
export function fishScript(tables: ScriptTables): string {
  const sources = new Map([...tables.arguments].map(([key, source]) => [key, `echo ${quoted(source)}`]));
  return `# fish completion for shopctl
# Generated from the command tree; \`shopctl completion fish\` prints it.

${switchOf('__shopctl_words', new Map([...tables.words].map(([path, words]) => [path, printing(words)])))}
${switchOf('__shopctl_flags', new Map([...tables.flags].map(([path, flags]) => [path, printing(flags)])))}
${flagSources(tables)}
${switchOf('__shopctl_argument', sources)}
function __shopctl_globals
    ${printing(tables.globals)}
end

# What may stand as a value, of which $argv[2] is there; $argv[3] stands before all of it. The words before it follow.
function __shopctl_source
    set -l source $argv[1]
    set -l value $argv[2]
    set -l prefix $argv[3]
    set -l kind (string split -f 1 ' ' -- $source)
    set -l rest (string split ' ' -- $source)[2..-1]
    switch "$kind"
        case values
            printf "$prefix%s\\n" $rest
        case files
            __fish_complete_path $value | string replace -r '^' -- $prefix
        case directories
            __fish_complete_directories $value | string replace -r '^' -- $prefix
        case ask
            if test "$rest" = fields
                set prefix $prefix(string match -r '^.*,' -- $value)
            end
            command shopctl __complete $rest -- $argv[4..-1] 2>/dev/null </dev/null | string replace -r '^' -- "$prefix"
        case any
            if string match -q '@*' -- $value
                __fish_complete_path (string sub -s 2 -- $value) | string replace -r '^' -- "$prefix@"
            end
    end
end

function __shopctl
    set -l before (commandline -opc)[2..-1]
    set -l current (commandline -ct)
    set -l walked ''
    set -l flag ''
    set -l ended ''
    set -l position 0
    for word in $before
        if test -n "$flag"
            set flag ''
        else if test -n "$ended"
            continue
        else if test "$word" = --
            set ended yes
        else if string match -qr '^-.' -- $word
            if not string match -q '*=*' -- $word; and test (__shopctl_flag $walked $word) != switch
                set flag $word
            end
        else if contains -- $word (__shopctl_words $walked | string split -f 1 \\t)
            set walked (string trim -- "$walked $word")
            set walked (string replace -r '^(help|schema) ' '' -- $walked)
        else
            set position (math $position + 1)
        end
    end

    if test -n "$ended"
        __fish_complete_path $current
    else if test -n "$flag"
        __shopctl_source (__shopctl_flag $walked $flag) "$current" '' $before
    else if string match -qr '^--[^=]+=' -- $current
        set -l parts (string split -m 1 = -- $current)
        __shopctl_source (__shopctl_flag $walked $parts[1]) "$parts[2]" "$parts[1]=" $before
    else
        set -l source (__shopctl_argument $walked $position)
        set -l words (__shopctl_words $walked)
        if string match -q -- '-*' $current; or test -z "$source$words"
            __shopctl_flags $walked
            __shopctl_globals
        else if test -n "$words"
            printf '%s\\n' $words
        else
            __shopctl_source $source "$current" '' $before
        end
    end
end

complete -c shopctl -f -a '(__shopctl)'
`;
}
