import { conflictName, twinsOf } from '../../shared/domain/names.ts'
import type { NameConflict } from '../state/conflicts/name-conflict.ts'
import type { ComparedEntry } from '../state/listed-entry.ts'

/**
 * Describes a conflict between an entry and the existing entries of the target folder. Null when the name is free. The
 * free name has a number, as in `x(1).tar.gz`.
 */
export function conflictOf(
  existing: ReadonlyMap<string, ComparedEntry>,
  conflict: Omit<NameConflict, 'existing' | 'freeName'>,
): NameConflict | null {
  const facts = existing.get(conflict.name)
  return facts === undefined
    ? null
    : { ...conflict, existing: facts, freeName: freeNameIn(existing, conflict.name) }
}

/**
 * Like `conflictOf`, and also finds an existing entry whose name looks the same. The conflict then has the name of that
 * entry.
 */
export function conflictOfUpload(
  existing: ReadonlyMap<string, ComparedEntry>,
  conflict: Omit<NameConflict, 'existing' | 'freeName'>,
): NameConflict | null {
  const name = [conflict.name, ...twinsOf(conflict.name)].find((spelling) => existing.has(spelling))
  return name === undefined ? null : conflictOf(existing, { ...conflict, name })
}

/** Returns the name with the lowest number that no entry has. */
export function freeNameIn(existing: ReadonlyMap<string, unknown>, name: string): string {
  let n = 1
  while (existing.has(conflictName(name, n))) n += 1
  return conflictName(name, n)
}
