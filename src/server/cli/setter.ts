import { valueOf } from '../config/arguments.ts'
import type { Option } from '../config/option.ts'

/** A flag of a verb, and what it changes of a record. */
export type Setter<Draft> = {
  readonly option: Option
  readonly set: (draft: Draft, text: string) => Draft
}

/** Ties a flag to what its value changes. `CallError` for a text that is no value of it. */
export const setter = <Draft, T>(
  option: Option<T>,
  change: (draft: Draft, value: T) => Draft,
): Setter<Draft> => ({
  option,
  set: (draft, text) => change(draft, valueOf(option, text, `--${option.name}`)),
})

/** The record with all that the flags say. */
export function applyFlags<Draft>(
  setters: readonly Setter<Draft>[],
  draft: Draft,
  flags: ReadonlyMap<string, string>,
): Draft {
  return setters.reduce((sofar, { option, set }) => {
    const text = flags.get(option.name)
    return text === undefined ? sofar : set(sofar, text)
  }, draft)
}
