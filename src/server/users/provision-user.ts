import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { isWithin, type Path } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { User, UserFields, UserStore } from '../records/user-store.ts'
import type { Volume } from '../storage/port.ts'

/**
 * How the home folder of a new user is created. `none`: no folder is created. `shared`: an existing folder is used.
 * `exclusive`: a folder that is taken is an error. `next-free`: a number is appended to the name until the folder is not
 * taken. A folder is taken when it exists, and when it is the scope of another user or contains it, because that scope may
 * be missing on the disk for a while.
 */
export type HomePolicy = 'none' | 'shared' | 'exclusive' | 'next-free'

export type ProvisionDependencies = {
  readonly users: Pick<UserStore, 'add' | 'list'>
  /** The whole volume. The scope of a user is a folder in it. */
  readonly volume: Pick<Volume, 'apply' | 'foldsCase'>
}

/** Maximum number of names that `next-free` tries. After that, an administrator has to choose a name. */
const homeNameAttempts = 100

/**
 * Stores a user and creates the user's home folder. The folder is created first, so that it exists when the user logs
 * in. When the user cannot be stored, a folder that this call created is removed again.
 */
export async function provisionUser(
  dependencies: ProvisionDependencies,
  fields: UserFields,
  policy: HomePolicy,
): Promise<User> {
  if (policy === 'none') return dependencies.users.add(fields)
  const home = await createHome(dependencies, fields.scope, policy)
  try {
    return await dependencies.users.add({ ...fields, scope: home.scope })
  } catch (refusal) {
    if (home.isNew)
      await dependencies.volume.apply({ kind: 'remove', path: home.path, recursive: false }).catch(() => {})
    throw refusal
  }
}

async function createHome(
  dependencies: ProvisionDependencies,
  requestedScope: string,
  policy: HomePolicy,
): Promise<{ readonly scope: string; readonly path: Path; readonly isNew: boolean }> {
  const isScope = policy === 'shared' ? () => false : await scopeFinder(dependencies)
  for (let n = 1; ; n += 1) {
    const scope = n === 1 ? requestedScope : `${requestedScope}-${n}`
    const path = confinedScope(scope)
    if (path === null) throw new AppError('bad-request', { reason: 'the scope is not a folder' })
    try {
      if (isScope(path)) throw new AppError('name-taken')
      await dependencies.volume.apply({ kind: 'makeFolder', path, parents: true })
      return { scope, path, isNew: true }
    } catch (refusal) {
      if (codeOf(refusal) !== 'name-taken' || policy === 'exclusive' || n === homeNameAttempts) throw refusal
    }
    if (policy !== 'shared') continue
    await dependencies.volume.apply({ kind: 'makeFolder', path, mayExist: true })
    return { scope, path, isNew: false }
  }
}

/**
 * Creates a function that returns true for the scope of a stored user and for a folder that contains such a scope. A folder
 * inside of a scope is free: the scope of an administrator and the folder of all homes contain the home of each user.
 */
async function scopeFinder({ users, volume }: ProvisionDependencies): Promise<(folder: Path) => boolean> {
  const keyOf = (path: Path): Path => {
    const key = path.normalize('NFC')
    return (volume.foldsCase ? key.toUpperCase().toLowerCase() : key) as Path
  }
  const scopes = (await users.list()).flatMap(({ scope }) => confinedScope(scope) ?? []).map(keyOf)
  return (folder) => {
    const key = keyOf(folder)
    return scopes.some((scope) => isWithin(scope, key))
  }
}
