import { posix } from 'node:path'
import { joinPaths, pathOf, type Path } from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import { isPasswordHash } from '../../auth/passwords.ts'
import { digestOf } from '../../auth/tokens.ts'
import type { ShareRecord } from '../../records/share-store.ts'
import {
  noteOnUser,
  takeoverNote,
  type TakeoverNote,
} from '../../../shared/domain/takeover/takeover-report.ts'
import type { TakeoverNoteCode } from '../../../shared/domain/takeover/takeover-notes.ts'
import type { OriginalShare } from '../original/read-original.ts'
import type { PlannedUser } from './plan-users.ts'
import type { ServedFolder } from './served-folder.ts'

export type SharesPlan = {
  readonly shares: readonly ShareRecord[]
  /** The notes on shares that wait for their entries. */
  readonly changed: readonly TakeoverNote[]
  readonly left: readonly TakeoverNote[]
}

export type SharesPlanOptions = {
  readonly users: readonly PlannedUser[]
  /** The former folders of the users, by id, whose scope is another folder now. */
  readonly formerFolders: ReadonlyMap<number, string>
  readonly folder: ServedFolder
  readonly atMs: number
}

/**
 * Plans the shares. A share whose entry is missing waits for it, because its disk may not be mounted (decision 181). Its owner
 * sees so, and can delete it.
 */
export function planShares(shares: readonly OriginalShare[], options: SharesPlanOptions): SharesPlan {
  const owners = new Map(options.users.map((user) => [user.id, user]))
  const plans = shares.map((share) => planShare(share, owners.get(share.userId), options))
  return {
    shares: plans.flatMap((plan) => ('text' in plan ? [] : [plan.share])),
    changed: plans.flatMap((plan) => ('text' in plan || plan.note === null ? [] : [plan.note])),
    left: plans.flatMap((plan) => ('text' in plan ? [plan] : [])),
  }
}

/** A share to store, with a note when it waits for its entry. */
type PlannedShare = { readonly share: ShareRecord; readonly note: TakeoverNote | null }

/** Returns the share to store, or a note about why it is left out. */
function planShare(
  share: OriginalShare,
  owner: PlannedUser | undefined,
  { folder, formerFolders, atMs }: SharesPlanOptions,
): PlannedShare | TakeoverNote {
  const { hash, userId, path: written, passwordHash, token, expiresAtSeconds } = share
  if (owner === undefined)
    return takeoverNote({
      code: 'share-no-owner',
      values: { share: hash, userId: String(userId), path: written },
    })
  const user = { id: owner.id, name: owner.username }
  const noteOn = (
    code: Exclude<Extract<TakeoverNoteCode, `share-${string}`>, 'share-no-owner'>,
  ): TakeoverNote => noteOnUser(user, { code, values: { share: hash, path: written } })
  if (hash === '') return noteOn('share-no-address')
  if (expiresAtSeconds !== 0 && expiresAtSeconds * 1000 <= atMs) return noteOn('share-expired')
  if (passwordHash !== '' && !isPasswordHash(passwordHash)) return noteOn('share-password')
  // File Browser stores a token only for a share with a password, so the password was lost to damage.
  if (passwordHash === '' && token !== '') return noteOn('share-password-damaged')
  const scope = confinedScope(owner.scope)
  const path = pathInScope(written, {
    scope: scope ?? '/',
    root: folder.root,
    formerFolder: formerFolders.get(userId),
  })
  if (path === 'elsewhere') return noteOn('share-elsewhere')
  const awaitedPath = scope === null || path === null ? null : joinPaths(scope, path)
  if (scope === null || path === null || awaitedPath === null) return noteOn('share-absent')
  const found = folder.find(scope, path)
  if (found.kind !== 'absent' && !('path' in found)) return noteOn(`share-${found.kind}`)
  const entry = 'path' in found ? found : ({ kind: 'awaited', path: awaitedPath } as const)
  const record: ShareRecord = {
    hash,
    userId,
    path: entry.path,
    kind: entry.kind,
    passwordHash: passwordHash === '' ? null : passwordHash,
    tokenDigest: token === '' ? null : digestOf(token),
    expiresAtSeconds: expiresAtSeconds === 0 ? null : expiresAtSeconds,
    availableFromSeconds: null,
    mode: 'download',
    maxFiles: null,
    maxBytes: null,
    senderName: '',
    alias: '',
    maxDownloads: null,
    tellsOfFiles: false,
    disk: null,
    createdAtMs: atMs,
  }
  return { share: record, note: 'path' in found ? null : noteOn('share-awaited') }
}

type FormerScope = {
  readonly scope: string
  readonly root: string
  readonly formerFolder: string | undefined
}

/**
 * Returns the path of a shared entry in the scope of its owner; null for a text that is not a path. When the owner had
 * another folder before the takeover, the path is resolved in the former folder. `elsewhere` means that the entry is
 * outside of the scope.
 */
function pathInScope(written: string, { scope, root, formerFolder }: FormerScope): Path | null | 'elsewhere' {
  const path = posix.normalize(`/${written}`)
  if (formerFolder === undefined) return pathOf(path)
  const inScope = posix.relative(posix.join(root, scope), posix.join(formerFolder, path))
  return inScope === '..' || inScope.startsWith('../') ? 'elsewhere' : pathOf(`/${inScope}`)
}
