import type { Option } from '../../config/option.ts'
import { servingOptionList } from '../../config/serving-options.ts'
import type { CliVerb } from '../verb/verb.ts'

/**
 * The words (`next`) that may follow the words `path`. An empty `path` is the position after the name of the program.
 */
export type CompletionPosition = { readonly path: string; readonly next: readonly string[] }

/** The words that a completion script offers. A flag that takes a value ends with `=`. */
export type CompletionWords = {
  /** The words of verbs and of `help`, by the words before them. */
  readonly verbs: readonly CompletionPosition[]
  /** For each verb that has options of its own, all flags that the verb accepts. */
  readonly flags: readonly CompletionPosition[]
  /** The serving flags, which are offered in all other positions. */
  readonly serving: readonly string[]
}

/** Collects the words that a shell can complete from the verbs and their options. */
export function completionWords(verbs: readonly CliVerb[]): CompletionWords {
  const heads = distinct(verbs.map(({ name }) => name.split(' ')[0] ?? ''))
  const groups = heads.flatMap((path) => {
    const next = verbs.filter(({ name }) => name.startsWith(`${path} `)).map(({ name }) => lastWord(name))
    return next.length === 0 ? [] : [{ path, next }]
  })
  return {
    verbs: [
      { path: '', next: [...heads, 'help'] },
      ...groups,
      { path: 'help', next: heads },
      ...groups.map(({ path, next }) => ({ path: `help ${path}`, next })),
    ],
    flags: verbs
      .filter(({ options }) => options.length > 0)
      .map(({ name, options }) => ({ path: name, next: flagsOf([...options, ...servingOptionList]) })),
    serving: flagsOf(servingOptionList),
  }
}

/**
 * Returns the flags of options. When two options have the same flag, the first option counts, as in the parser of the
 * command line.
 */
function flagsOf(options: readonly Option[]): readonly string[] {
  const takesValue = new Map<string, boolean>()
  for (const { name, short, kind } of options) {
    for (const flag of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
      if (!takesValue.has(flag)) takesValue.set(flag, !kind.isSwitch)
  }
  return [...Array.from(takesValue, ([flag, takes]) => (takes ? `${flag}=` : flag)), '--help', '-h']
}

const lastWord = (name: string): string => name.split(' ').at(-1) ?? ''

const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)]
