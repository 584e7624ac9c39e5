import type { Option } from '../../config/option.ts'
import { servingOptionList } from '../../config/serving-options.ts'
import type { Verb } from '../verb.ts'

/** What may stand behind the words of a command line; no words are the program alone. */
export type Place = { readonly path: string; readonly next: readonly string[] }

/** Of flags, those that take a value end with `=`. */
export type CompletionWords = {
  /** The words that lead on to a verb. */
  readonly verbs: readonly Place[]
  /** All flags of the verbs that have some of their own. */
  readonly flags: readonly Place[]
  /** The flags of serving, which stand everywhere else. */
  readonly serving: readonly string[]
}

/** The words that a shell can complete, from the verbs and their options. */
export function completionWords(verbs: readonly Verb[]): CompletionWords {
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

/** Of two flags with one name the first is meant, as where they are read. */
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
