import type { CliVerb } from '../verb/verb.ts'
import { completionScripts } from './completion-scripts.ts'
import { completionWords } from './completion-words.ts'

const uses: Readonly<Record<string, string>> = {
  bash: 'source <(stowage completion bash)',
  zsh: 'source <(stowage completion zsh)',
  fish: 'stowage completion fish | source',
  powershell: 'stowage completion powershell | Out-String | Invoke-Expression',
}

/**
 * Creates a verb for each shell, such as `completion bash`. `verbs` returns all verbs of the command line, including
 * the created verbs.
 */
export const completionVerbs = (verbs: () => readonly CliVerb[]): readonly CliVerb[] =>
  Object.entries(completionScripts).map(([shell, script]) => ({
    name: `completion ${shell}`,
    parameters: [],
    meaning: `Prints the script that completes commands in ${shell}: \`${uses[shell]}\`.`,
    options: [],
    worksOn: 'itself',
    run: ({ print }) => print(script(completionWords(verbs()))),
  }))
