import { t } from '../../../i18n/translate.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { checkName } from '../name-check.ts'
import type { NameMaker } from './new-names.ts'

/** The new name of an entry in a batch, and the reason why it is not possible, if any. */
export type PlannedName = {
  readonly entry: ListedEntry
  readonly to: string
  readonly error: string | null
}

type NamePlan = {
  readonly make: NameMaker
  /** Checks a single name. */
  readonly check: typeof checkName
  /** Returns true when an entry of the folder has the name. */
  readonly isTaken: (name: string) => boolean
}

/**
 * Makes and checks the new names of entries. A name is refused when another entry of the batch gets it too, and when an
 * entry of the folder has it that keeps its name.
 */
export function planNames(
  entries: readonly ListedEntry[],
  { make, check, isTaken }: NamePlan,
): readonly PlannedName[] {
  const names = entries.map((entry, index) => make(entry, index).trim())
  const uses = new Map<string, number>()
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  const freed = new Set(entries.filter(({ name }, index) => names[index] !== name).map(({ name }) => name))
  return entries.map((entry, index) => {
    const to = names[index] ?? entry.name
    if (to === '') return { entry, to, error: t('name.empty') }
    if ((uses.get(to) ?? 0) > 1) return { entry, to, error: t('name.twice', { name: visibleName(to) }) }
    const { error } = check(to, { isTaken: (name) => isTaken(name) && !freed.has(name), old: entry.name })
    return { entry, to, error }
  })
}
