import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { nameOf, namesOf, parentOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { Share, Shares, User, Users } from '../records/port.ts'
import type { Op, Storage } from '../storage/port.ts'
import { requirePassword, tokenOf, type PasswordNeeds, type Proof } from './password.ts'
import type { RealPlaces } from './real-places.ts'

export type OpenNeeds = PasswordNeeds & {
  readonly shares: Pick<Shares, 'find'>
  readonly users: Pick<Users, 'find'>
  /** What a person may reach now, announced to nobody. */
  readonly storageOf: (user: User) => Promise<Storage>
  readonly realPlaces: Pick<RealPlaces, 'inScope'>
  readonly settled: () => Promise<void>
  /** Counts unknown hashes by address. */
  readonly throttleHashes: Throttle
  readonly nowMs: () => number
}

/** What a guest asks for: the hash, then what lies below it. */
export type Visit = Proof & Op & { readonly path: Path }

/** A share that a guest was let into. */
export type OpenedShare = {
  /** The owner's, narrowed to what is shared, and for reading only. */
  readonly storage: Storage
  /** In that storage: what of the share is asked for. */
  readonly path: Path
  readonly kind: Share['kind']
  /** The shared entry's own name; empty for a whole scope. */
  readonly name: string
  /** In place of the password; null where there is none. */
  readonly token: string | null
}

/**
 * Opens a public link, with the checks in the order of contract 9.6: `not-found` for a hash that is unknown, over or not yet
 * available, then the password, then `forbidden` while the owner may not share, then the entry: it must be there, of the same kind.
 */
export async function openShare(needs: OpenNeeds, visit: Visit): Promise<OpenedShare> {
  const [hash, ...below] = namesOf(visit.path)
  if (hash === undefined) throw new AppError('not-found')
  await needs.settled()
  const share = await findShare(needs, hash, visit.address)
  await requirePassword(needs, share, visit)
  const owner = await requireOwner(needs, share)
  const at = await needs.realPlaces.inScope(owner, share.path)
  if (at === null) throw new AppError('not-found')
  const storage = await needs.storageOf(owner)
  await requireSameKind(storage, { at, kind: share.kind, signal: visit.signal })
  const opened = { kind: share.kind, name: nameOf(at), token: tokenOf(needs, share) }
  if (share.kind === 'file') return { ...opened, ...(await narrowToFile(storage, at)) }
  return {
    ...opened,
    storage: await storage.narrow({ at, only: 'read' }),
    path: pathOf(below.join('/')) ?? root,
  }
}

async function findShare({ shares, throttleHashes, nowMs }: OpenNeeds, hash: string, address: string) {
  const share = await throttleHashes({ account: '', address }, async () => {
    const found = await shares.find(hash)
    return found !== null && (found.availableFromSeconds ?? 0) * 1000 <= nowMs() ? found : null
  })
  if (share === null) throw new AppError('not-found')
  return share
}

/** Rights are looked at now: a link works while its owner may share. */
async function requireOwner({ users }: OpenNeeds, { userId }: Share): Promise<User> {
  const owner = await users.find(userId)
  if (owner === null) throw new AppError('not-found')
  if (owner.isDisabled || !owner.perm.share || !owner.perm.download) throw new AppError('forbidden')
  return owner
}

type Expected = Op & { readonly at: Path; readonly kind: Share['kind'] }

async function requireSameKind(storage: Storage, { at, kind, signal }: Expected): Promise<void> {
  const entry = await storage.stat(at, { signal })
  if (entry.kind !== kind) throw new AppError('not-found')
}

/** A file is shared with nothing beside it: whatever else a guest asks for is the file. */
async function narrowToFile(storage: Storage, at: Path): Promise<Pick<OpenedShare, 'storage' | 'path'>> {
  const path = `/${nameOf(at)}` as Path
  try {
    const narrow = { at: parentOf(at), only: 'read', permits: (asked: Path) => asked === path } as const
    return { storage: await storage.narrow(narrow), path }
  } catch (error) {
    // Rules may deny a folder and allow a file in it.
    if (codeOf(error) !== 'forbidden') throw error
    return { storage: await storage.narrow({ only: 'read', permits: (asked) => asked === at }), path: at }
  }
}
