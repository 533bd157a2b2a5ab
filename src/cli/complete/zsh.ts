import type { Candidate } from './spec.ts';
import { groupedArms, type ScriptTables } from './tables.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The format of `_describe`: the name, a colon, the description. */
const described = (candidates: readonly Candidate[]) =>
  candidates.map(({ name, description }) => quoted(`${name.replaceAll(':', '\\:')}:${description}`)).join(' ');

function caseOf(name: string, arms: ReadonlyMap<string, string>): string {
  const lines = groupedArms(arms).map(([answer, keys]) => `    ${keys.map(quoted).join('|')}) found=(${answer}) ;;`);
  return `${name}() {\n  case $1 in\n${lines.join('\n')}\n    *) found=() ;;\n  esac\n}\n`;
}

function flagSources({ flagSources: sources }: ScriptTables): string {
  const arms = sources.map(({ path, flags, source }) => {
    const patterns = flags.map((flag) => (path === '*' ? `*' ${flag}'` : quoted(`${path} ${flag}`)));
    return `    ${patterns.join('|')}) source=${quoted(source)} ;;`;
  });
  return `_shopctl_flag() {\n  case "$1 $2" in\n${arms.join('\n')}\n    *) source=any ;;\n  esac\n}\n`;
}

/** The script for zsh: the same steps as for bash, with descriptions; zsh compares and quotes the candidates. */
export function zshScript(tables: ScriptTables): string {
  const sources = new Map([...tables.arguments].map(([key, source]) => [key, quoted(source)]));
  return `#compdef shopctl
# Generated from the command tree; \`shopctl completion zsh\` prints it.

${caseOf('_shopctl_words', new Map([...tables.words].map(([path, words]) => [path, described(words)])))}
${caseOf('_shopctl_flags', new Map([...tables.flags].map(([path, flags]) => [path, described(flags)])))}
${flagSources(tables)}
${caseOf('_shopctl_argument', sources)}
_shopctl_globals=(${described(tables.globals)})

# What only shopctl knows: one candidate a line, its description after a tab.
_shopctl_ask() {
  local line
  local -a lines
  for line in \${(f)"$(command shopctl __complete \${=1} -- "\${before[@]}" 2>/dev/null </dev/null)"}; do
    lines+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#lines )) && _describe -V "$1" lines "\${@:2}"
}

_shopctl_source() {
  case $1 in
    'values '*) compadd -- \${=1#values } ;;
    files) _files ;;
    directories) _files -/ ;;
    'ask fields')
      compset -P '*,'
      _shopctl_ask fields -S ''
      ;;
    'ask '*) _shopctl_ask "\${1#ask }" ;;
    any) compset -P '@' && _files ;;
  esac
}

_shopctl() {
  local word flag= walked= source current=$words[CURRENT]
  local -a found names before
  integer position=0 ended=0
  before=("\${(@)words[2,CURRENT-1]}")
  for word in "\${before[@]}"; do
    if [[ -n $flag ]]; then flag=; continue; fi
    if (( ended )); then continue; fi
    if [[ $word == -- ]]; then ended=1; continue; fi
    if [[ $word == -?* ]]; then
      [[ $word == *=* ]] && continue
      _shopctl_flag "$walked" "$word"
      [[ $source != switch ]] && flag=$word
      continue
    fi
    _shopctl_words "$walked"
    names=("\${found[@]%%:*}")
    if (( \${names[(Ie)$word]} )); then
      walked=\${walked:+$walked }$word
      [[ $walked == ('help '*|'schema '*) ]] && walked=\${walked#* }
    else
      (( position += 1 ))
    fi
  done

  if (( ended )); then
    _files
  elif [[ -n $flag ]]; then
    _shopctl_flag "$walked" "$flag"
    _shopctl_source "$source"
  elif [[ $current == --*=* ]]; then
    _shopctl_flag "$walked" "\${current%%=*}"
    compset -P '*='
    _shopctl_source "$source"
  else
    _shopctl_words "$walked"
    local -a offered=("\${found[@]}")
    _shopctl_argument "$walked $position"
    source=\${found[1]-}
    if [[ $current == -* || ( $#offered -eq 0 && -z $source ) ]]; then
      _shopctl_flags "$walked"
      offered=("\${found[@]}" "\${_shopctl_globals[@]}")
      _describe -o 'flag' offered
    elif (( $#offered )); then
      _describe 'command' offered
    else
      _shopctl_source "$source"
    fi
  fi
}

# Sourced, the file defines the completion; autoloaded, it is the completion.
if [[ $funcstack[1] == _shopctl ]]; then
  _shopctl "$@"
else
  compdef _shopctl shopctl
fi
`;
}
