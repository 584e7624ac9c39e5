import { AppError } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../storage/change.ts'
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
    if (change.kind !== 'remove') await requireValidNewNames(storage, namedPathOf(change))
    return storage.check(change)
  },
  handlers: (storage) => {
    const applyNamed = async <Kind extends NamingKind>(change: Change<Kind>) => {
      await requireValidNewNames(storage, namedPathOf(change))
      return storage.apply(change)
    }
    return {
      write: applyNamed,
      begin: applyNamed,
      put: storage.apply,
      commit: storage.apply,
      abort: storage.apply,
      makeFolder: applyNamed,
      move: applyNamed,
      copy: applyNamed,
      remove: storage.apply,
      setFolderTime: storage.apply,
    }
  },
}

/** The kinds of changes that give a name to an entry. */
type NamingKind = 'write' | 'begin' | 'makeFolder' | 'move' | 'copy'

type NamingChange = { readonly kind: NamingKind; readonly path: Path; readonly to?: Path }

/** Returns the path of the entry that a change names. */
const namedPathOf = ({ path, to }: NamingChange): Path => to ?? path

async function requireValidNewNames(storage: Storage, path: Path): Promise<void> {
  for (let at = path; at !== root; at = parentOf(at)) {
    if (faultOfNewName(nameOf(at)) !== null && (await isMissing(storage, at))) throw new AppError('bad-name')
  }
}
