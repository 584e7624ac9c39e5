import { splitWords, type SplitWordsResult } from '../../shared/domain/commands/split-words.ts'
import { isReadByShell } from './is-read-by-shell.ts'

/** The names of the values that a hook gets. They are variables in its line and in its environment. */
export const hookVariables = ['FILE', 'SCOPE', 'TRIGGER', 'USERNAME', 'DESTINATION'] as const
export type HookValues = Readonly<Record<(typeof hookVariables)[number], string>>

export const emptyValues: HookValues = { FILE: '', SCOPE: '', TRIGGER: '', USERNAME: '', DESTINATION: '' }

/** A parsed line of a hook. `waits` is true when the request waits for the program's end. */
export type HookCommand =
  | {
      readonly kind: 'program'
      readonly program: string
      readonly args: readonly string[]
      readonly waits: boolean
    }
  | { readonly kind: 'empty' }
  | (Extract<SplitWordsResult, { readonly kind: 'broken' }> & { readonly waits: boolean })

type HookLineOptions = {
  /** The shell that runs whole lines. When it is empty, lines are split into words and run without a shell. */
  readonly shell: readonly string[]
  readonly values: HookValues
}

/**
 * Parses a line (contract 12.2). Values are inserted into single words after the line was split, never into the first
 * word. When a shell reads the text, no value is inserted at all, so that a file name cannot become part of a script;
 * the shell expands the variables of its environment instead.
 */
export function parseHookLine(line: string, { shell, values }: HookLineOptions): HookCommand {
  const whole = line.trim()
  const waits = !whole.endsWith('&')
  const text = waits ? whole : whole.slice(0, -1).trim()
  if (text === '') return { kind: 'empty' }
  const [shellProgram = '', ...shellArgs] = shell
  if (shellProgram !== '')
    return { kind: 'program', program: shellProgram, args: [...shellArgs, text], waits }
  const split = splitWords(text)
  if (split.kind === 'broken') return { ...split, waits }
  const [program, ...words] = split.words
  if (program === undefined) return { kind: 'empty' }
  const args = isReadByShell(split.words) ? words : words.map((word) => withValues(word, values))
  return { kind: 'program', program, args, waits }
}

const variable = new RegExp(
  `\\$(?:\\{(?<braced>${hookVariables.join('|')})\\}|(?<bare>${hookVariables.join('|')})(?![A-Za-z0-9_]))`,
  'g',
)

const withValues = (word: string, values: HookValues): string =>
  word.replaceAll(variable, (...match) => {
    const { braced, bare } = match.at(-1) as {
      readonly braced?: keyof HookValues
      readonly bare?: keyof HookValues
    }
    return values[braced ?? bare ?? 'FILE']
  })
