import { AppError } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { IntendedChange, Storage } from '../storage/port.ts'
import { isMissing } from '../storage/stat-or-null.ts'

/**
 * Wraps a storage so that no new entry gets a name that people cannot see or type: a blank name, or a name with control
 * characters (security 3.1). An entry that already has such a name can still be read, replaced, renamed and removed.
 */
export const withValidNewNames = (storage: Storage): Storage => ({
  ...storage,
  narrow: async (to) => withValidNewNames(await storage.narrow(to)),
  async write(path, body, options) {
    await requireValidNewNames(storage, path)
    return storage.write(path, body, options)
  },
  async begin(path, options) {
    await requireValidNewNames(storage, path)
    return storage.begin(path, options)
  },
  async makeFolder(path, options) {
    await requireValidNewNames(storage, path)
    return storage.makeFolder(path, options)
  },
  async move(from, to, options) {
    await requireValidNewNames(storage, to)
    return storage.move(from, to, options)
  },
  async copy(from, to, options) {
    await requireValidNewNames(storage, to)
    return storage.copy(from, to, options)
  },
  async check(change, options) {
    const made = newPathOf(change)
    if (made !== null) await requireValidNewNames(storage, made)
    return storage.check(change, options)
  },
})

/** Returns the path that a change would create, or null for a removal. */
const newPathOf = (change: IntendedChange): Path | null =>
  change.kind === 'move' || change.kind === 'copy' ? change.to : change.kind === 'remove' ? null : change.path

async function requireValidNewNames(storage: Storage, path: Path): Promise<void> {
  for (let at = path; at !== root; at = parentOf(at)) {
    if (faultOfNewName(nameOf(at)) !== null && (await isMissing(storage, at))) throw new AppError('bad-name')
  }
}
