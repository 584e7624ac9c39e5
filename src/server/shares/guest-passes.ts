import type { Permission } from '../../shared/domain/access.ts'
import type { SessionLookup } from '../auth/session-ends.ts'
import type { ShareRecord } from '../records/share-store.ts'
import type { User, UserStore } from '../records/user-store.ts'

/** The permissions that the owner of a share needs as long as guests use it. */
const ownerPermissions = {
  download: ['share', 'download'],
  'view-only': ['share', 'download'],
  'upload-only': ['share', 'create'],
} as const satisfies Readonly<Record<ShareRecord['mode'], readonly Permission[]>>

/** True while guests may use the shares of a user that have the given mode. */
export const mayReceiveGuests = (owner: User, mode: ShareRecord['mode']): boolean =>
  !owner.isDisabled && ownerPermissions[mode].every((name) => owner.perm[name])

/** Begins the id of a guest pass. No id of a session contains a space. */
const passPrefix = 'guests of '

/**
 * Returns the id of the pass under which the transfers of guests run, as those of users run under their sessions. All
 * shares of an owner that have the same mode have the same pass, because it depends on the owner alone: it ends when the
 * owner is disabled or loses a permission that the mode needs, and that of uploads also when the owner is removed.
 */
export const guestPassOf = ({ userId, mode }: Pick<ShareRecord, 'userId' | 'mode'>): string =>
  `${passPrefix}${userId} ${mode}`

/** Extends a lookup of sessions to the ids of guest passes. */
export const withGuestPasses = (sessions: SessionLookup, users: Pick<UserStore, 'find'>): SessionLookup => ({
  ...sessions,
  async unended(ids) {
    const unended = new Set(await sessions.unended(ids.filter((id) => !id.startsWith(passPrefix))))
    for (const id of new Set(ids)) if (await isValidPass(users, id)) unended.add(id)
    return unended
  },
})

/** Downloads that run while their owner is removed finish (security design, chapter 3.5). */
async function isValidPass(users: Pick<UserStore, 'find'>, id: string): Promise<boolean> {
  if (!id.startsWith(passPrefix)) return false
  const [userId, mode] = id.slice(passPrefix.length).split(' ')
  const owner = await users.find(Number(userId))
  if (owner === null) return mode !== 'upload-only'
  return mayReceiveGuests(owner, mode as ShareRecord['mode'])
}
