import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/door.ts'
import type { User, UserFields, Users } from '../records/port.ts'
import type { Storage } from '../storage/port.ts'

/**
 * How the folder of a new user comes to be: `none` is made; a folder that is there already is `shared` with whoever has it; it must
 * be made by this very call (`exclusive`), or else is made under the `next-free` name.
 */
export type HomeWish = 'none' | 'shared' | 'exclusive' | 'next-free'

export type ProvisionNeeds = {
  readonly users: Pick<Users, 'add'>
  /** The whole volume: scopes are folders of it. */
  readonly volume: Pick<Storage, 'makeFolder' | 'remove'>
}

/** Homes under one base that may have the same name before somebody has to choose another. */
const mostHomes = 100

/**
 * Makes a user with the folder that is their scope. The folder comes first, so that nobody logs in without one; when the user cannot
 * be stored, a folder that was made for them goes again.
 */
export async function provision(needs: ProvisionNeeds, fields: UserFields, wish: HomeWish): Promise<User> {
  if (wish === 'none') return needs.users.add(fields)
  const home = await makeHome(needs, fields.scope, wish)
  try {
    return await needs.users.add({ ...fields, scope: home.scope })
  } catch (refusal) {
    if (home.isNew) await needs.volume.remove(home.path, { recursive: false }).catch(() => {})
    throw refusal
  }
}

type Home = { readonly scope: string; readonly path: Path; readonly isNew: boolean }

async function makeHome(needs: ProvisionNeeds, wanted: string, wish: HomeWish): Promise<Home> {
  for (let n = 1; ; n += 1) {
    const scope = n === 1 ? wanted : `${wanted}-${n}`
    const path = confinedScope(scope)
    if (path === null) throw new AppError('bad-request', { reason: 'the scope is no folder' })
    try {
      await needs.volume.makeFolder(path, { parents: true })
      return { scope, path, isNew: true }
    } catch (refusal) {
      if (codeOf(refusal) !== 'name-taken' || wish === 'exclusive' || n === mostHomes) throw refusal
    }
    if (wish !== 'shared') continue
    await needs.volume.makeFolder(path, { mayExist: true })
    return { scope, path, isNew: false }
  }
}
