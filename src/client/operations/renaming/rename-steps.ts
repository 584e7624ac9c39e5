/** The new name of an entry in its folder. */
export type NewName = { readonly from: string; readonly to: string }

/** One request of a batch. `entry` is the name that the entry had before the batch. */
export type RenameStep = NewName & { readonly entry: string }

/**
 * Returns the steps that give entries their new names without replacing anything. The steps of a group run in their
 * order, because each frees the name that the next one takes. Groups are independent. When entries exchange their
 * names, one of them first gets a free name, for which `isTaken` returns false. All new names must be different.
 */
export function renameStepsOf(
  names: readonly NewName[],
  isTaken: (name: string) => boolean,
): readonly (readonly RenameStep[])[] {
  const byOldName = new Map(names.map((name) => [name.from, name]))
  const byNewName = new Map(names.map((name) => [name.to, name]))
  const groups: RenameStep[][] = []
  /** Moves a name to a group, together with each name that waits for a name that becomes free. */
  const takeFrom = (first: NewName | undefined, group: RenameStep[]): void => {
    for (let next = first; next !== undefined; next = byNewName.get(next.from)) {
      if (!byOldName.delete(next.from)) return
      group.push({ ...next, entry: next.from })
    }
  }
  for (const name of names) {
    if (byOldName.has(name.to)) continue
    const group: RenameStep[] = []
    takeFrom(name, group)
    groups.push(group)
  }
  // The remaining names form cycles.
  for (const start of names) {
    if (!byOldName.delete(start.from)) continue
    const between = freeName(start.from, (name) => isTaken(name) || byNewName.has(name))
    const group: RenameStep[] = [{ from: start.from, to: between, entry: start.from }]
    takeFrom(byNewName.get(start.from), group)
    group.push({ from: between, to: start.to, entry: start.from })
    groups.push(group)
  }
  return groups
}

/** Returns a short name that contains the beginning of the old name. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  const beginning = Array.from(name).slice(0, keptCharacters).join('')
  let number = 1
  while (isTaken(`${number}~${beginning}`)) number += 1
  return `${number}~${beginning}`
}

/**
 * The number of characters of the old name that a temporary name contains. The temporary name thus stays below 255
 * bytes.
 */
const keptCharacters = 40
