import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Meant, Storage } from '../storage/port.ts'

/**
 * A storage in which nothing new gets a name that people cannot see or type: blank, or with control characters (security 3.1). What
 * lies on disk under such a name can still be read, replaced, renamed and removed.
 */
export const withSoundNames = (storage: Storage): Storage => ({
  ...storage,
  narrow: async (to) => withSoundNames(await storage.narrow(to)),
  async write(path, body, op) {
    await requireSoundNames(storage, path)
    return storage.write(path, body, op)
  },
  async begin(path, op) {
    await requireSoundNames(storage, path)
    return storage.begin(path, op)
  },
  async makeFolder(path, op) {
    await requireSoundNames(storage, path)
    return storage.makeFolder(path, op)
  },
  async move(from, to, op) {
    await requireSoundNames(storage, to)
    return storage.move(from, to, op)
  },
  async copy(from, to, op) {
    await requireSoundNames(storage, to)
    return storage.copy(from, to, op)
  },
  async check(meant, op) {
    const made = madeBy(meant)
    if (made !== null) await requireSoundNames(storage, made)
    return storage.check(meant, op)
  },
})

/** The name that a change would make, where it makes one. */
const madeBy = (meant: Meant): Path | null =>
  meant.kind === 'move' || meant.kind === 'copy' ? meant.to : meant.kind === 'remove' ? null : meant.path

async function requireSoundNames(storage: Storage, path: Path): Promise<void> {
  for (let at = path; at !== root; at = parentOf(at)) {
    if (faultOfNewName(nameOf(at)) !== null && !(await isThere(storage, at))) throw new AppError('bad-name')
  }
}

const isThere = (storage: Storage, path: Path): Promise<boolean> =>
  storage.stat(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'not-found' && codeOf(error) !== 'not-a-folder',
  )
