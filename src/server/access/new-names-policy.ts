import { AppError } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { IntendedChange } from '../storage/change.ts'
import type { Policy } from '../storage/policy.ts'
import type { Storage } from '../storage/port.ts'
import { isMissing } from '../storage/stat-or-null.ts'

/**
 * The policy that no new entry gets a name that people cannot see or type: a blank name, or a name with control
 * characters (security 3.1). An entry that already has such a name can still be read, replaced, renamed and removed.
 */
export const newNamesPolicy: Policy = {
  narrowed: () => newNamesPolicy,
  async check(storage, change) {
    const made = newPathOf(change)
    if (made !== null) await requireValidNewNames(storage, made)
    return storage.check(change)
  },
  handlers: (storage) => ({
    async write(change) {
      await requireValidNewNames(storage, change.path)
      return storage.apply(change)
    },
    async begin(change) {
      await requireValidNewNames(storage, change.path)
      return storage.apply(change)
    },
    put: storage.apply,
    commit: storage.apply,
    abort: storage.apply,
    async makeFolder(change) {
      await requireValidNewNames(storage, change.path)
      return storage.apply(change)
    },
    async move(change) {
      await requireValidNewNames(storage, change.to)
      return storage.apply(change)
    },
    async copy(change) {
      await requireValidNewNames(storage, change.to)
      return storage.apply(change)
    },
    remove: storage.apply,
    setFolderTime: storage.apply,
  }),
}

/** Returns the path that a change would create, or null for a removal. */
function newPathOf(change: IntendedChange): Path | null {
  if (change.kind === 'remove') return null
  if (change.kind === 'move' || change.kind === 'copy') return change.to
  const { path }: Extract<IntendedChange, { readonly kind: 'write' | 'makeFolder' }> = change
  return path
}

async function requireValidNewNames(storage: Storage, path: Path): Promise<void> {
  for (let at = path; at !== root; at = parentOf(at)) {
    if (faultOfNewName(nameOf(at)) !== null && (await isMissing(storage, at))) throw new AppError('bad-name')
  }
}
