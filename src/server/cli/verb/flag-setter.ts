import { valueOf } from '../../config/arguments.ts'
import type { Option } from '../../config/option.ts'

/** A flag of a verb, with a function that writes the flag's value into a record. */
export type FlagSetter<Draft> = {
  readonly option: Option
  readonly set: (draft: Draft, text: string) => Draft
}

/** Creates a flag setter. Its `set` throws a `UsageError` for a text that is not a valid value of the option. */
export const flagSetter = <Draft, T>(
  option: Option<T>,
  change: (draft: Draft, value: T) => Draft,
): FlagSetter<Draft> => ({
  option,
  set: (draft, text) => change(draft, valueOf(option, text, `--${option.name}`)),
})

/** Returns a copy of the record to which the values of all given flags were applied. */
export function applyFlags<Draft>(
  setters: readonly FlagSetter<Draft>[],
  draft: Draft,
  flags: ReadonlyMap<string, string>,
): Draft {
  return setters.reduce((sofar, { option, set }) => {
    const text = flags.get(option.name)
    return text === undefined ? sofar : set(sofar, text)
  }, draft)
}
