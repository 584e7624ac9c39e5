import { joinPaths, root, type Path } from '../../../shared/domain/path.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { Entry } from '../../../shared/domain/entry.ts'
import type {
  Change,
  ChangedEntry,
  ChangeHandlers,
  CommitOptions,
  IntendedChange,
  OperationOptions,
  OverwriteMode,
  UploadSession,
} from '../../storage/change.ts'
import type { CheckedStorage, NextHandler, Policy } from '../../storage/policy.ts'
import type { ScopeSpace } from './quotas.ts'
import type { SpaceReservation } from './space-reservation.ts'
import type { SpaceLimit } from './space-taker.ts'

export type ScopeQuota = {
  readonly usage: ScopeSpace
  readonly quotaBytes: number
  /** The user whose announcements reserve space; null for guests of the user. */
  readonly userId: number | null
  /** The path of the storage's root, relative to the scope. */
  readonly rootInScope: Path
}

/** Number of bytes by which a tree may grow while it is copied: 64 MiB. */
const copySlackBytes = 64 * 1024 * 1024

/**
 * The policy that a scope contains no more bytes than the user's quota (security 3.8). An announced size reserves space
 * before the first byte is read, so that other uploads of the same user are refused early. Bytes count for everybody as
 * they arrive. Whether a file fits is decided once more when all of its bytes are there, from the size of the file that
 * it replaces at that moment. The storage refuses more bytes than announced.
 */
export const quotaPolicy = (quota: ScopeQuota): Policy => ({
  narrowed: (to) => quotaPolicy({ ...quota, rootInScope: inScope(quota, to.at ?? root) }),
  async check(storage, change) {
    await storage.check(change)
    await requireFreeSpace(storage, quota, change)
  },
  handlers: (next, storage) => ({
    ...transferHandlers({ next, storage, quota }),
    ...uploadHandlers({ next, storage, quota }),
    makeFolder: next('makeFolder'),
    remove: (change) => quota.usage.moving([inScope(quota, change.path)], () => next('remove')(change)),
    setFolderTime: next('setFolderTime'),
  }),
  usage: (storage) => async (path, options) => {
    const disk = await storage.usage(path, options)
    const usedBytes = await quota.usage.usedBytes(options?.signal)
    const maxBytes = usedBytes + disk.totalBytes - disk.usedBytes
    const { quotaBytes } = quota
    return { totalBytes: Math.min(quotaBytes, maxBytes), usedBytes, isQuota: quotaBytes <= maxBytes }
  },
})

type QuotaContext = {
  readonly next: NextHandler
  readonly storage: CheckedStorage
  readonly quota: ScopeQuota
}

const limitOf = ({ quotaBytes }: ScopeQuota, { signal }: OperationOptions): SpaceLimit => ({
  quotaBytes,
  signal,
})

const inScope = ({ rootInScope: at }: Pick<ScopeQuota, 'rootInScope'>, path: Path): Path =>
  joinPaths(at, path) ?? path

/**
 * Reserves space. If the change would also be refused for another reason, that error is thrown instead of `over-quota`.
 */
async function claimFor(
  { storage, quota }: QuotaContext,
  reservation: SpaceReservation,
  { sizeBytes, change }: { readonly sizeBytes: number; readonly change: IntendedChange },
): Promise<void> {
  try {
    await reservation.claim(sizeBytes, limitOf(quota, change))
  } catch (error) {
    if (codeOf(error) === 'over-quota') await storage.check(change)
    throw error
  }
}

type ReservedWork<T> = {
  readonly path: Path
  readonly overwrite: OverwriteMode
  /** Stores the bytes. Afterwards the reserved bytes are counted as used, or those that `storedBytes` returns. */
  readonly work: (reservation: SpaceReservation) => Promise<T>
  readonly storedBytes?: (result: T) => number | undefined
}

/** Opens a reservation at a path while the work runs. */
async function withReservation<T>(
  { usage, userId, rootInScope }: ScopeQuota,
  { path, overwrite, work, storedBytes }: ReservedWork<T>,
): Promise<T> {
  const at = inScope({ rootInScope }, path)
  const reservation = usage.open({ path: at, userId, isNew: overwrite === 'create' })
  try {
    const result = await work(reservation)
    reservation.keep(storedBytes?.(result))
    return result
  } catch (error) {
    reservation.release()
    // The file may have been stored despite the failure.
    if (['internal', 'timeout', 'unavailable'].includes(codeOf(error))) usage.noteInexact(at, 'more')
    throw error
  }
}

/** Adds the quota's decision to the last check before a file appears. The caller's own check runs first. */
const settling = (
  { beforeCommit, signal }: CommitOptions & OperationOptions,
  reservation: SpaceReservation,
  quota: ScopeQuota,
): Required<CommitOptions> => ({
  async beforeCommit(placement) {
    await beforeCommit?.(placement)
    await reservation.settle(placement, limitOf(quota, { signal }))
  },
})

const transferHandlers = (context: QuotaContext): Pick<ChangeHandlers, 'write' | 'move' | 'copy'> => ({
  write: (change) => write(context, change),
  move: (change) => {
    const { next, quota } = context
    const places = [inScope(quota, change.path), inScope(quota, change.to)] as const
    return quota.usage.moving(places, () => next('move')(change))
  },
  copy: (change) => copy(context, change),
})

async function write(context: QuotaContext, change: Change<'write'>): Promise<ChangedEntry> {
  const { next, quota } = context
  const { path, body, overwrite, sizeBytes } = change
  const work = async (reservation: SpaceReservation): Promise<ChangedEntry> => {
    await claimFor(context, reservation, { sizeBytes: sizeBytes ?? 0, change })
    const counted = Object.assign(countArriving(body, 0, { reservation, limit: limitOf(quota, change) }), {
      whole: body.whole,
    })
    return next('write')({ ...change, body: counted, ...settling(change, reservation, quota) })
  }
  return withReservation(quota, { path, overwrite, work })
}

async function* countArriving(
  body: AsyncIterable<Uint8Array>,
  offsetBytes: number,
  { reservation, limit }: { readonly reservation: SpaceReservation; readonly limit: SpaceLimit },
): AsyncGenerator<Uint8Array, void> {
  let arrivedBytes = offsetBytes
  for await (const chunk of body) {
    arrivedBytes += chunk.length
    await reservation.arrive(arrivedBytes, limit)
    yield chunk
  }
}

/**
 * Copies an entry. The size that is measured beforehand limits the copy, with some slack for a tree that grows during
 * the copy, and for a file to be replaced that disappears meanwhile.
 */
async function copy(context: QuotaContext, change: Change<'copy'>): Promise<ChangedEntry> {
  const { next, storage, quota } = context
  const { path: from, to, overwrite, signal } = change
  const sizeBytes = await storage.measure(from, { follows: true, signal })
  const work = async (reservation: SpaceReservation): Promise<ChangedEntry> => {
    await claimFor(context, reservation, { sizeBytes, change })
    const maxBytes = await reservation.enlarge(copySlackBytes + sizeBytes, limitOf(quota, change))
    try {
      const entry = await next('copy')({ ...change, maxBytes })
      if (!isNewFile(entry, overwrite)) quota.usage.noteInexact(inScope(quota, to), 'less')
      return entry
    } catch (error) {
      // A merge that fails halfway leaves the files that it has copied.
      if (overwrite === 'upsert') quota.usage.noteInexact(inScope(quota, to), 'more')
      throw error
    }
  }
  const storedBytes = (entry: Entry): number | undefined =>
    isNewFile(entry, overwrite) ? entry.sizeBytes : undefined
  return withReservation(quota, { path: to, overwrite, work, storedBytes })
}

const isNewFile = ({ kind }: Entry, overwrite: OverwriteMode): boolean =>
  kind === 'file' && overwrite === 'create'

/** Throws `over-quota` if the change would exceed the quota at the moment. No space stays reserved after this call. */
async function requireFreeSpace(
  storage: CheckedStorage,
  quota: ScopeQuota,
  change: IntendedChange,
): Promise<void> {
  const added = await addedBytesOf(storage, change)
  if (added === null) return
  const { at, sizeBytes, isNew } = added
  const reservation = quota.usage.open({ path: inScope(quota, at), userId: quota.userId, isNew })
  try {
    await reservation.claim(sizeBytes, limitOf(quota, change))
  } finally {
    reservation.release()
  }
}

type AddedBytes = { readonly at: Path; readonly sizeBytes: number; readonly isNew: boolean }

/** Returns where a change adds bytes and how many, or null when it adds none. */
async function addedBytesOf(storage: CheckedStorage, change: IntendedChange): Promise<AddedBytes | null> {
  const { signal } = change
  switch (change.kind) {
    case 'write':
      return { at: change.path, sizeBytes: change.sizeBytes ?? 0, isNew: change.overwrite === 'create' }
    case 'copy': {
      const sizeBytes = await storage.measure(change.path, { follows: true, signal })
      return { at: change.to, sizeBytes, isNew: change.overwrite === 'create' }
    }
    case 'makeFolder':
    case 'move':
    case 'remove':
      return null
    default:
      return change satisfies never
  }
}

/**
 * Returns the handlers of uploads in parts. The space of an upload is reserved from its start to its end. For an upload
 * that another process started, this process reserves the space when it receives the next part.
 */
function uploadHandlers(context: QuotaContext): Pick<ChangeHandlers, 'begin' | 'put' | 'commit' | 'abort'> {
  const { next, storage, quota } = context
  const { usage, userId } = quota
  const claimReceived = async (change: Change<'commit'>): Promise<SpaceReservation> => {
    const sizeBytes = await storage.received(change.upload)
    return claimForPart(quota, change.upload, { sizeBytes, limit: limitOf(quota, change) })
  }
  return {
    async begin(change) {
      const { path, overwrite, sizeBytes } = change
      const isNew = overwrite === 'create'
      const reservation = usage.open({ path: inScope(quota, path), userId, isNew, isUpload: true })
      try {
        await claimFor(context, reservation, {
          sizeBytes: sizeBytes ?? 0,
          change: { ...change, kind: 'write' },
        })
        const begun = await next('begin')(change)
        reservation.assignTo(begun.token)
        return begun
      } catch (error) {
        reservation.release()
        throw error
      }
    },
    async put(change) {
      const { upload, part } = change
      const limit = limitOf(quota, change)
      const reservation = await claimForPart(quota, upload, {
        sizeBytes: part.offsetBytes + part.maxBytes,
        limit,
      })
      const body = countArriving(part.body, part.offsetBytes, { reservation, limit })
      try {
        return await next('put')({ ...change, part: { ...part, body } })
      } finally {
        reservation.rest()
      }
    },
    async commit(change) {
      const { upload } = change
      const existing = usage.uploadOf(upload.token)
      const reservation = existing ?? (await claimReceived(change))
      const entry = await next('commit')({ ...change, ...settling(change, reservation, quota) })
      reservation.keep()
      return entry
    },
    async abort(change) {
      await next('abort')(change)
      usage.uploadOf(change.upload.token)?.release()
    },
  }
}

/**
 * Reserves the space of an upload again before each of its parts, because the quota may have been lowered since the
 * previous part.
 */
async function claimForPart(
  quota: ScopeQuota,
  { path, token }: UploadSession,
  { sizeBytes, limit }: { readonly sizeBytes: number; readonly limit: SpaceLimit },
): Promise<SpaceReservation> {
  const { usage, userId } = quota
  const existing = usage.uploadOf(token)
  const reservation = existing ?? usage.open({ path: inScope(quota, path), userId, isNew: false })
  try {
    await reservation.claim(sizeBytes, limit)
    reservation.assignTo(token)
    return reservation
  } catch (error) {
    if (existing === undefined) reservation.release()
    throw error
  }
}
