import { joinPaths, root, type Path } from '../../../shared/domain/path.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { Entry } from '../../../shared/domain/entry.ts'
import type {
  IncomingBody,
  IntendedChange,
  OperationOptions,
  OverwriteMode,
  Storage,
  UploadSession,
} from '../../storage/port.ts'
import type { SpaceReservation, ScopeUsage } from './scope-usage.ts'

export type ScopeQuota = {
  readonly usage: ScopeUsage
  readonly quotaBytes: number
  readonly userId: number
  /** The path of the storage's root, relative to the scope. */
  readonly rootInScope: Path
}

/** Number of bytes by which a tree may grow while it is copied: 64 MiB. */
const copySlackBytes = 64 * 1024 * 1024

/**
 * Wraps a storage so that its scope contains no more bytes than the user's quota (security 3.8). An upload with an
 * announced size reserves its space before its first byte is read. An upload without an announced size reserves space
 * as its bytes arrive. The storage refuses more bytes than announced.
 */
export function withQuota(storage: Storage, quota: ScopeQuota): Storage {
  return {
    ...storage,
    async narrow(to) {
      return withQuota(await storage.narrow(to), { ...quota, rootInScope: inScope(quota, to.at ?? root) })
    },
    write: (path, body, options) => write({ storage, quota }, { path, body }, options),
    copy: (from, to, options) => copy({ storage, quota }, { from, to }, options),
    async check(change, options) {
      await storage.check(change, options)
      if (change.kind === 'write' || change.kind === 'copy')
        await requireFreeSpace({ storage, quota }, { ...change, ...options })
    },
    ...uploadMethods({ storage, quota }),
    async usage(path, options) {
      const disk = await storage.usage(path, options)
      const usedBytes = await quota.usage.usedBytes()
      const maxBytes = usedBytes + disk.totalBytes - disk.usedBytes
      return { totalBytes: Math.min(quota.quotaBytes, maxBytes), usedBytes }
    },
  }
}

type QuotaContext = { readonly storage: Storage; readonly quota: ScopeQuota }

const inScope = ({ rootInScope: at }: Pick<ScopeQuota, 'rootInScope'>, path: Path): Path =>
  joinPaths(at, path) ?? path

/**
 * Reserves space. If the change would also be refused for another reason, that error is thrown instead of `no-space`.
 */
async function claimFor(
  { storage, quota }: QuotaContext,
  reservation: SpaceReservation,
  { sizeBytes, change }: { readonly sizeBytes: number; readonly change: IntendedChange },
): Promise<void> {
  try {
    await reservation.claim(sizeBytes, quota.quotaBytes)
  } catch (error) {
    if (codeOf(error) === 'no-space') await storage.check(change)
    throw error
  }
}

/** Opens a reservation at a path while `work` runs. The bytes that the work has stored are then counted as used. */
async function withReservation(
  { usage, rootInScope: at }: ScopeQuota,
  { path, overwrite }: { readonly path: Path; readonly overwrite: OverwriteMode },
  work: (reservation: SpaceReservation) => Promise<Entry>,
): Promise<Entry> {
  const reservation = usage.open({ path: inScope({ rootInScope: at }, path), isNew: overwrite === 'create' })
  try {
    const entry = await work(reservation)
    const { kind, sizeBytes } = entry.target ?? entry
    reservation.keep(kind === 'file' ? sizeBytes : undefined)
    return entry
  } catch (error) {
    reservation.release()
    // The file may have been stored despite the failure.
    if (['internal', 'timeout', 'unavailable'].includes(codeOf(error))) usage.noteChange('more')
    throw error
  }
}

type WriteInput = { readonly path: Path; readonly body: IncomingBody }

async function write(
  context: QuotaContext,
  { path, body }: WriteInput,
  options: Parameters<Storage['write']>[2],
): ReturnType<Storage['write']> {
  const { storage, quota } = context
  const { overwrite, sizeBytes, ifMatch, parents } = options
  const change: IntendedChange = { kind: 'write', path, overwrite, sizeBytes, ifMatch, parents }
  return withReservation(quota, { path, overwrite }, async (reservation) => {
    await claimFor(context, reservation, { sizeBytes: sizeBytes ?? 0, change })
    const isAnnounced = sizeBytes !== undefined
    return storage.write(path, isAnnounced ? body : claimAsReceived(body, reservation, quota), options)
  })
}

async function* claimAsReceived(
  body: AsyncIterable<Uint8Array>,
  reservation: SpaceReservation,
  { quotaBytes }: ScopeQuota,
): AsyncGenerator<Uint8Array, void> {
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    await reservation.claim(sizeBytes, quotaBytes)
    yield chunk
  }
}

type CopyPaths = { readonly from: Path; readonly to: Path }

/**
 * Copies an entry. The size that is measured beforehand limits the copy, with some slack for a tree that grows during
 * the copy.
 */
async function copy(
  context: QuotaContext,
  { from, to }: CopyPaths,
  options: Parameters<Storage['copy']>[2],
): ReturnType<Storage['copy']> {
  const { storage, quota } = context
  const { overwrite, signal } = options
  const sizeBytes = await storage.measure(from, { follows: true, signal })
  return withReservation(quota, { path: to, overwrite }, async (reservation) => {
    await claimFor(context, reservation, { sizeBytes, change: { kind: 'copy', path: from, to, overwrite } })
    const moreBytes = reservation.enlarge(copySlackBytes, quota.quotaBytes)
    try {
      const entry = await storage.copy(from, to, { ...options, maxBytes: sizeBytes + moreBytes })
      if (entry.kind === 'folder') quota.usage.noteChange('less')
      return entry
    } catch (error) {
      // A merge that fails halfway leaves the files that it has copied.
      if (overwrite === 'upsert') quota.usage.noteChange('more')
      throw error
    }
  })
}

type SpaceConsumingChange = Extract<IntendedChange, { readonly kind: 'write' } | { readonly to: Path }> &
  OperationOptions

/** Throws `no-space` if the change would exceed the quota at the moment. No space stays reserved after this call. */
async function requireFreeSpace(
  { storage, quota }: QuotaContext,
  change: SpaceConsumingChange,
): Promise<void> {
  const { signal } = change
  const [sizeBytes, at] =
    change.kind === 'write'
      ? [change.sizeBytes ?? 0, change.path]
      : [await storage.measure(change.path, { follows: true, signal }), change.to]
  const reservation = quota.usage.open({ path: inScope(quota, at), isNew: change.overwrite === 'create' })
  try {
    await reservation.claim(sizeBytes, quota.quotaBytes)
  } finally {
    reservation.release()
  }
}

/**
 * Returns the methods for uploads in parts. The space of an upload is reserved from its start to its end. For an upload
 * that another process started, this process reserves the space when it receives the next part.
 */
function uploadMethods(context: QuotaContext): Pick<Storage, 'begin' | 'put' | 'commit' | 'abort'> {
  const { storage, quota } = context
  const { usage, userId } = quota
  return {
    async begin(path, options) {
      const { overwrite, sizeBytes, parents } = options
      const at = inScope(quota, path)
      const insteadOf = usage.uploadTo({ userId, path: at })
      const reservation = usage.open({ path: at, isNew: overwrite === 'create', replaces: insteadOf })
      try {
        const change: IntendedChange = { kind: 'write', path, overwrite, sizeBytes, parents }
        await claimFor(context, reservation, { sizeBytes: sizeBytes ?? 0, change })
        const { token } = await storage.begin(path, options)
        reservation.assignTo({ path: at, token, userId })
        return { path, token }
      } catch (error) {
        reservation.release()
        throw error
      }
    },
    async put(session, part, options) {
      await claimForPart(quota, session, part.offsetBytes + part.maxBytes)
      return storage.put(session, part, options)
    },
    async commit(session, options) {
      const existing = usage.uploadOf(session.token)
      const reservation = existing ?? (await claimForPart(quota, session, await storage.received(session)))
      const entry = await storage.commit(session, options)
      reservation.keep()
      return entry
    },
    async abort(session, options) {
      await storage.abort(session, options)
      usage.uploadOf(session.token)?.release()
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
  sizeBytes: number,
): Promise<SpaceReservation> {
  const { usage, quotaBytes, userId } = quota
  const at = inScope(quota, path)
  const existing = usage.uploadOf(token)
  const reservation = existing ?? usage.open({ path: at, isNew: false })
  try {
    await reservation.claim(sizeBytes, quotaBytes)
    reservation.assignTo({ path: at, token, userId })
    return reservation
  } catch (error) {
    if (existing === undefined) reservation.release()
    throw error
  }
}
