import { splitWords } from '../programs/split-words.ts'
import { isReadByShell } from './is-read-by-shell.ts'

/** What a hook may know, by the names that its line and its environment use. */
export const hookVariables = ['FILE', 'SCOPE', 'TRIGGER', 'USERNAME', 'DESTINATION'] as const
export type HookValues = Readonly<Record<(typeof hookVariables)[number], string>>

/** A line as it is run. `waits`: whether the request waits for its end. */
export type HookCommand =
  | {
      readonly kind: 'program'
      readonly program: string
      readonly args: readonly string[]
      readonly waits: boolean
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'broken'; readonly why: string; readonly waits: boolean }

type Reading = {
  /** What reads whole lines; empty for nothing: then they are words. */
  readonly shell: readonly string[]
  readonly values: HookValues
}

/**
 * Reads a line (contract 12.2). Values are put into single words after the line was cut, never into the first; where a shell reads
 * the text they are not put into it at all, so that no name of a file becomes part of a script: there they are variables.
 */
export function commandOf(line: string, { shell, values }: Reading): HookCommand {
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
