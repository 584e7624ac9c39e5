import { AppError } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { ChangeHandler, IntendedChange } from '../storage/change.ts'
import type { CheckedStorage, Policy } from '../storage/policy.ts'
import { isMissing } from '../storage/stat-or-null.ts'

/**
 * The policy that no new entry gets a name that people cannot see or type: a blank name, or a name with control
 * characters (security 3.1). An entry that already has such a name can still be read, replaced, renamed and removed.
 */
export const newNamesPolicy: Policy = {
  narrowed: () => newNamesPolicy,
  async check(storage, change) {
    const named = namedPathOf(change)
    if (named !== null) await requireValidNewNames(storage, named)
    return storage.check(change)
  },
  handlers(next, storage) {
    const named = <Kind extends NamingKind>(kind: Kind): ChangeHandler<Kind> => {
      const make = next(kind)
      return async (change) => {
        const { path, to }: { readonly path: Path; readonly to?: Path } = change
        await requireValidNewNames(storage, to ?? path)
        return make(change)
      }
    }
    return {
      write: named('write'),
      begin: named('begin'),
      put: next('put'),
      commit: next('commit'),
      abort: next('abort'),
      makeFolder: named('makeFolder'),
      move: named('move'),
      copy: named('copy'),
      remove: next('remove'),
      setFolderTime: next('setFolderTime'),
    }
  },
}

/** The kinds of changes that give a name to an entry. */
type NamingKind = 'write' | 'begin' | 'makeFolder' | 'move' | 'copy'

/** Returns the path of the entry that a change names, or null when it names none. */
function namedPathOf(change: IntendedChange): Path | null {
  switch (change.kind) {
    case 'write':
    case 'makeFolder':
      return change.path
    case 'move':
    case 'copy':
      return change.to
    case 'remove':
      return null
    default:
      return change satisfies never
  }
}

async function requireValidNewNames(storage: CheckedStorage, path: Path): Promise<void> {
  for (let at = path; at !== root; at = parentOf(at)) {
    if (faultOfNewName(nameOf(at)) !== null && (await isMissing(storage, at))) throw new AppError('bad-name')
  }
}
