import { groupedArms, type ScriptTables } from './tables.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A `case` over paths that sets `found`; paths with the same result share an arm. */
function caseOf(name: string, subject: string, arms: ReadonlyMap<string, string>): string {
  const lines = groupedArms(arms).map(
    ([answer, keys]) => `    ${keys.map(quoted).join('|')}) found=${quoted(answer)} ;;`,
  );
  return `${name}() {\n  case ${subject} in\n${lines.join('\n')}\n    *) found= ;;\n  esac\n}\n`;
}

function flagSources({ flagSources: sources }: ScriptTables): string {
  const arms = sources.map(({ path, flags, source }) => {
    const patterns = flags.map((flag) => (path === '*' ? `*' ${flag}'` : quoted(`${path} ${flag}`)));
    return `    ${patterns.join('|')}) found=${quoted(source)} ;;`;
  });
  return `_shopctl_flag() {\n  case "$1 $2" in\n${arms.join('\n')}\n    *) found=any ;;\n  esac\n}\n`;
}

/**
 * The script for bash 3.2 and later. Readline splits words at `=`, `:` and `@`, so they are joined again first;
 * candidates are only compared and never expanded, so that nothing in a name can be executed.
 */
export function bashScript(tables: ScriptTables): string {
  const names = (candidates: readonly { name: string }[]) => candidates.map(({ name }) => name).join(' ');
  return `# bash completion for shopctl                                    -*- shell-script -*-
# Generated from the command tree; \`shopctl completion bash\` prints it.

${caseOf('_shopctl_words', '$1', new Map([...tables.words].map(([path, words]) => [path, names(words)])))}
${caseOf('_shopctl_flags', '$1', new Map([...tables.flags].map(([path, flags]) => [path, names(flags)])))}
${flagSources(tables)}
${caseOf('_shopctl_argument', '"$1 $2"', tables.arguments)}
_shopctl_globals=${quoted(names(tables.globals))}

# Offers those of the words that go on from \`value\`; each gets \`prefix\`.
_shopctl_offer() {
  local word
  for word in $1; do
    [[ $word == "$value"* ]] && COMPREPLY[\${#COMPREPLY[@]}]=$prefix$word
  done
}

# Files, or with -d directories: by readline itself where it can, which knows how to quote them.
_shopctl_files() {
  [[ -z $prefix ]] && compopt -o default 2>/dev/null && return
  local name
  while IFS= read -r name; do
    if [[ -d $name ]]; then
      name=$name/
      compopt -o nospace 2>/dev/null
    fi
    printf -v name %q "$name"
    COMPREPLY[\${#COMPREPLY[@]}]=$prefix$name
  done < <(compgen "$1" -- "$value")
}

# What only shopctl knows: one candidate a line, its description after a tab.
_shopctl_ask() {
  local name rest
  while IFS=$'\\t' read -r name rest; do
    [[ $name == "$value"* ]] && COMPREPLY[\${#COMPREPLY[@]}]=$prefix$name
  done < <(command shopctl __complete $1 -- "\${before[@]}" 2>/dev/null </dev/null)
}

_shopctl_source() {
  case $1 in
    'values '*) _shopctl_offer "\${1#values }" ;;
    files) _shopctl_files -f ;;
    directories) _shopctl_files -d ;;
    'ask fields')
      if [[ $value == *,* ]]; then
        prefix=$prefix\${value%,*},
        value=\${value##*,}
      fi
      compopt -o nospace 2>/dev/null
      _shopctl_ask fields
      ;;
    'ask '*) _shopctl_ask "\${1#ask }" ;;
    any)
      [[ $value == @* ]] || return
      value=\${value#@}
      prefix=$prefix@
      _shopctl_files -f
      ;;
  esac
}

_shopctl() {
  COMPREPLY=()
  local -a all before
  local line=$COMP_LINE piece index gap
  all=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=\${COMP_WORDS[index]}
    gap=\${line%%"$piece"*}
    [[ -z $piece ]] && gap=$line
    if [[ $index == 0 || $gap == *[[:space:]]* ]]; then
      all[\${#all[@]}]=$piece
    else
      all[\${#all[@]} - 1]=\${all[\${#all[@]} - 1]}$piece
    fi
    line=\${line#*"$piece"}
  done

  local current=\${all[\${#all[@]} - 1]} found path= word flag= position=0 ended=
  before=("\${all[@]:1:\${#all[@]} - 2}")
  for word in "\${before[@]}"; do
    if [[ -n $flag ]]; then flag= && continue; fi
    if [[ $ended ]]; then continue; fi
    if [[ $word == -- ]]; then ended=yes && continue; fi
    if [[ $word == -?* ]]; then
      [[ $word == *=* ]] && continue
      _shopctl_flag "$path" "$word"
      [[ $found != switch ]] && flag=$word
      continue
    fi
    _shopctl_words "$path"
    if [[ " $found " == *" $word "* ]]; then
      path=\${path:+$path }$word
      [[ $path == 'help '* || $path == 'schema '* ]] && path=\${path#* }
    else
      position=$((position + 1))
    fi
  done

  local value=$current prefix=
  if [[ $ended ]]; then
    _shopctl_files -f
  elif [[ -n $flag ]]; then
    _shopctl_flag "$path" "$flag"
    _shopctl_source "$found"
  elif [[ $current == --*=* ]]; then
    value=\${current#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=\${current%%=*}=
    _shopctl_flag "$path" "\${current%%=*}"
    _shopctl_source "$found"
  else
    _shopctl_words "$path"
    local words=$found
    _shopctl_argument "$path" "$position"
    if [[ $current == -* || -z $words$found ]]; then
      _shopctl_flags "$path"
      _shopctl_offer "$found $_shopctl_globals"
    elif [[ -n $words ]]; then
      _shopctl_offer "$words"
    else
      _shopctl_source "$found"
    fi
  fi
}

complete -F _shopctl shopctl
`;
}
