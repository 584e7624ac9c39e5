import type { Verb } from '../verb.ts'
import { completionScripts } from './completion-scripts.ts'
import { completionWords } from './completion-words.ts'

const uses: Readonly<Record<string, string>> = {
  bash: 'source <(stowage completion bash)',
  zsh: 'source <(stowage completion zsh)',
  fish: 'stowage completion fish | source',
  powershell: 'stowage completion powershell | Out-String | Invoke-Expression',
}

/** `completion bash` and the like; `verbs` gives those that are completed, themselves among them. */
export const completionVerbs = (verbs: () => readonly Verb[]): readonly Verb[] =>
  Object.entries(completionScripts).map(([shell, script]) => ({
    name: `completion ${shell}`,
    takes: [],
    meaning: `Prints what completes commands in ${shell}: \`${uses[shell]}\`.`,
    options: [],
    on: 'itself',
    run: ({ print }) => print(script(completionWords(verbs()))),
  }))
