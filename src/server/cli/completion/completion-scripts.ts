import type { CompletionWords, CompletionPosition } from './completion-words.ts'

/*
 * All scripts use the same algorithm. They walk through the words before the cursor, skip the values of flags, and
 * offer the words that may follow. Where neither a verb nor a flag may follow, the shell offers files.
 */

/** The completion scripts for the command line of `stowage`, by the name of the shell. */
export const completionScripts: Readonly<Record<string, (words: CompletionWords) => string>> = {
  bash: (words) => `${walkInBashAndZsh(words)}

_stowage() {
  local next flags valued cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  __stowage_walk "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  if [[ -n $valued ]]; then return; fi
  if [[ $cur == -* ]]; then next="\${flags//=/}"; fi
  COMPREPLY=($(compgen -W "$next" -- "$cur"))
}

complete -o default -F _stowage stowage`,

  // When zsh autoloads the script from $fpath, the body of the file has to run the first completion itself.
  zsh: (words) => `#compdef stowage

${walkInBashAndZsh(words)}

_stowage() {
  local next flags valued
  __stowage_walk "\${(@)words[2,CURRENT-1]}"
  if [[ -n $valued ]] || compset -P '-*='; then _files; return; fi
  if [[ $PREFIX == -* ]]; then next="\${flags//=/}"; fi
  if [[ -n $next ]]; then compadd -- \${=next}; else _files; fi
}

if [[ "\${funcstack[1]}" == _stowage ]]; then _stowage "$@"; else compdef _stowage stowage; fi`,

  fish: (words) => `function __stowage_next
  switch "$argv[1]"
${fishCases(words.verbs)}
  end
end

function __stowage_flags
  switch "$argv[1]"
${fishCases(words.flags)}
    case '*'
      string split -- ' ' '${words.serving.join(' ')}'
  end
end

function __stowage_offer
  set -l place ''
  set -l valued no
  set -l before (commandline -opc)
  set -e before[1]
  for word in $before
    if test $valued = yes
      set valued no
    else if string match -q -- '-*' "$word"
      contains -- "$word=" (__stowage_flags "$place"); and set valued yes
    else if contains -- "$word" (__stowage_next "$place")
      set place (string trim -- "$place $word")
    end
  end
  if test $valued = yes
    return
  else if string match -q -- '-*' (commandline -ct)
    string replace -- '=' '' (__stowage_flags "$place")
  else
    __stowage_next "$place"
  end
end

complete -c stowage -n '__stowage_offer | string length -q' -f
complete -c stowage -a '(__stowage_offer)'`,

  powershell: (words) => `Register-ArgumentCompleter -Native -CommandName 'stowage' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $verbs = @{
${powershellEntries(words.verbs)}
  }
  $flags = @{
${powershellEntries(words.flags)}
  }
  $serving = '${words.serving.join(' ')}'
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $place = ''
  $valued = $false
  foreach ($word in $before) {
    $own = if ($flags.ContainsKey($place)) { $flags[$place] } else { $serving }
    if ($valued) { $valued = $false }
    elseif ($word -like '-*') { $valued = ($own -split ' ') -ccontains "$word=" }
    elseif (("$($verbs[$place])" -split ' ') -ccontains $word) { $place = "$place $word".Trim() }
  }
  if ($valued) { return }
  $own = if ($flags.ContainsKey($place)) { $flags[$place] } else { $serving }
  $offer = if ("$wordToComplete" -like '-*') { $own.Replace('=', '') } else { "$($verbs[$place])" }
  $offer -split ' ' |
    Where-Object { $_ -ne '' -and $_.StartsWith("$wordToComplete", [System.StringComparison]::Ordinal) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}`,
}

/**
 * Returns the shell functions that the bash and zsh scripts share. Bash splits `--name=value` into several words at the
 * equals sign.
 */
const walkInBashAndZsh = ({ verbs, flags, serving }: CompletionWords): string => `__stowage_at() {
  case "$1" in
${caseLines(verbs, 'next')}
    *) next='' ;;
  esac
  case "$1" in
${caseLines(flags, 'flags')}
    *) flags='${serving.join(' ')}' ;;
  esac
}

__stowage_walk() {
  local word place=''
  valued=''
  __stowage_at ''
  for word in "$@"; do
    if [[ $word == '=' ]]; then
      valued=yes
    elif [[ -n $valued ]]; then
      valued=''
    elif [[ $word == -* ]]; then
      if [[ " $flags " == *" $word= "* ]]; then valued=yes; fi
    elif [[ " $next " == *" $word "* ]]; then
      place="\${place:+$place }$word"
      __stowage_at "$place"
    fi
  done
}`

const caseLines = (places: readonly CompletionPosition[], name: string): string =>
  places.map(({ path, next }) => `    '${path}') ${name}='${next.join(' ')}' ;;`).join('\n')

const fishCases = (places: readonly CompletionPosition[]): string =>
  places
    .map(({ path, next }) => `    case '${path}'\n      string split -- ' ' '${next.join(' ')}'`)
    .join('\n')

const powershellEntries = (places: readonly CompletionPosition[]): string =>
  places.map(({ path, next }) => `    '${path}' = '${next.join(' ')}'`).join('\n')
