import { joinPaths, root, type Path } from '../../../shared/domain/path.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { Entry } from '../../../shared/domain/entry.ts'
import type { Incoming, Meant, Op, Overwrite, Storage, UploadSession } from '../../storage/port.ts'
import type { Reservation, ScopeCount } from './scope-count.ts'

export type Quota = {
  readonly count: ScopeCount
  readonly quotaBytes: number
  readonly userId: number
  /** Where in the scope the storage begins. */
  readonly at: Path
}

/** What a tree may grow by while it is copied. */
const slackBytes = 64 * 1024 * 1024

/**
 * A storage that holds no more than a person's quota (security 3.8). What is announced claims its room before its first byte is asked
 * for; what is not, as it comes. A size that is announced is believed by nobody: the storage refuses more bytes than that.
 */
export function withQuota(storage: Storage, quota: Quota): Storage {
  return {
    ...storage,
    async narrow(to) {
      return withQuota(await storage.narrow(to), { ...quota, at: inScope(quota, to.at ?? root) })
    },
    write: (path, body, op) => write({ storage, quota }, { path, body }, op),
    copy: (from, to, op) => copy({ storage, quota }, { from, to }, op),
    async check(meant, op) {
      await storage.check(meant, op)
      if (meant.kind === 'write' || meant.kind === 'copy')
        await tryOut({ storage, quota }, { ...meant, ...op })
    },
    ...uploadsWithin({ storage, quota }),
    async usage(path, op) {
      const disk = await storage.usage(path, op)
      const usedBytes = await quota.count.usedBytes()
      const mostBytes = usedBytes + disk.totalBytes - disk.usedBytes
      return { totalBytes: Math.min(quota.quotaBytes, mostBytes), usedBytes }
    },
  }
}

type Within = { readonly storage: Storage; readonly quota: Quota }

const inScope = ({ at }: Pick<Quota, 'at'>, path: Path): Path => joinPaths(at, path) ?? path

/** Who would be refused for another reason hears that one. */
async function claimFor(
  { storage, quota }: Within,
  reservation: Reservation,
  { sizeBytes, meant }: { readonly sizeBytes: number; readonly meant: Meant },
): Promise<void> {
  try {
    await reservation.claim(sizeBytes, quota.quotaBytes)
  } catch (error) {
    if (codeOf(error) === 'no-space') await storage.check(meant)
    throw error
  }
}

/** Reserves room at a place while work goes on, and keeps what comes of it. */
async function reserving(
  { count, at }: Quota,
  { path, overwrite }: { readonly path: Path; readonly overwrite: Overwrite },
  work: (reservation: Reservation) => Promise<Entry>,
): Promise<Entry> {
  const reservation = count.open({ path: inScope({ at }, path), isNew: overwrite === 'create' })
  try {
    const entry = await work(reservation)
    const { kind, sizeBytes } = entry.target ?? entry
    reservation.keep(kind === 'file' ? sizeBytes : undefined)
    return entry
  } catch (error) {
    reservation.release()
    // It may be there after all.
    if (['internal', 'timeout', 'unavailable'].includes(codeOf(error))) count.hear('more')
    throw error
  }
}

type Writing = { readonly path: Path; readonly body: Incoming }

async function write(
  within: Within,
  { path, body }: Writing,
  op: Parameters<Storage['write']>[2],
): ReturnType<Storage['write']> {
  const { storage, quota } = within
  const { overwrite, sizeBytes, ifMatch, parents } = op
  const meant: Meant = { kind: 'write', path, overwrite, sizeBytes, ifMatch, parents }
  return reserving(quota, { path, overwrite }, async (reservation) => {
    await claimFor(within, reservation, { sizeBytes: sizeBytes ?? 0, meant })
    const isAnnounced = sizeBytes !== undefined
    return storage.write(path, isAnnounced ? body : claiming(body, reservation, quota), op)
  })
}

async function* claiming(
  body: AsyncIterable<Uint8Array>,
  reservation: Reservation,
  { quotaBytes }: Quota,
): AsyncGenerator<Uint8Array, void> {
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    await reservation.claim(sizeBytes, quotaBytes)
    yield chunk
  }
}

type Copying = { readonly from: Path; readonly to: Path }

/** Sized before, and held to that while it is made, with some slack for a tree that grows meanwhile. */
async function copy(
  within: Within,
  { from, to }: Copying,
  op: Parameters<Storage['copy']>[2],
): ReturnType<Storage['copy']> {
  const { storage, quota } = within
  const { overwrite, signal } = op
  const sizeBytes = await storage.measure(from, { follows: true, signal })
  return reserving(quota, { path: to, overwrite }, async (reservation) => {
    await claimFor(within, reservation, { sizeBytes, meant: { kind: 'copy', path: from, to, overwrite } })
    const moreBytes = reservation.stretch(slackBytes, quota.quotaBytes)
    try {
      const entry = await storage.copy(from, to, { ...op, mostBytes: sizeBytes + moreBytes })
      if (entry.kind === 'folder') quota.count.hear('less')
      return entry
    } catch (error) {
      // Of a merge that failed some stays.
      if (overwrite === 'upsert') quota.count.hear('more')
      throw error
    }
  })
}

type Arriving = Extract<Meant, { readonly kind: 'write' } | { readonly to: Path }> & Op

/** Whether it would fit as things stand; nothing is claimed for longer than that. */
async function tryOut({ storage, quota }: Within, meant: Arriving): Promise<void> {
  const { signal } = meant
  const [sizeBytes, at] =
    meant.kind === 'write'
      ? [meant.sizeBytes ?? 0, meant.path]
      : [await storage.measure(meant.path, { follows: true, signal }), meant.to]
  const reservation = quota.count.open({ path: inScope(quota, at), isNew: meant.overwrite === 'create' })
  try {
    await reservation.claim(sizeBytes, quota.quotaBytes)
  } finally {
    reservation.release()
  }
}

/** An upload in parts has its room from its beginning to its end; one that began elsewhere, from its next part. */
function uploadsWithin(within: Within): Pick<Storage, 'begin' | 'put' | 'commit' | 'abort'> {
  const { storage, quota } = within
  const { count, userId } = quota
  return {
    async begin(path, op) {
      const { overwrite, sizeBytes, parents } = op
      const at = inScope(quota, path)
      const insteadOf = count.uploadTo({ userId, path: at })
      const reservation = count.open({ path: at, isNew: overwrite === 'create', insteadOf })
      try {
        const meant: Meant = { kind: 'write', path, overwrite, sizeBytes, parents }
        await claimFor(within, reservation, { sizeBytes: sizeBytes ?? 0, meant })
        const { token } = await storage.begin(path, op)
        reservation.isFor({ path: at, token, userId })
        return { path, token }
      } catch (error) {
        reservation.release()
        throw error
      }
    },
    async put(session, part, op) {
      await goOn(quota, session, part.offsetBytes + part.mostBytes)
      return storage.put(session, part, op)
    },
    async commit(session, op) {
      const known = count.uploadOf(session.token)
      const reservation = known ?? (await goOn(quota, session, await storage.received(session)))
      const entry = await storage.commit(session, op)
      reservation.keep()
      return entry
    },
    async abort(session, op) {
      await storage.abort(session, op)
      count.uploadOf(session.token)?.release()
    },
  }
}

/** Judged anew with each part: a quota may be less by now. */
async function goOn(quota: Quota, { path, token }: UploadSession, sizeBytes: number): Promise<Reservation> {
  const { count, quotaBytes, userId } = quota
  const at = inScope(quota, path)
  const known = count.uploadOf(token)
  const reservation = known ?? count.open({ path: at, isNew: false })
  try {
    await reservation.claim(sizeBytes, quotaBytes)
    reservation.isFor({ path: at, token, userId })
    return reservation
  } catch (error) {
    if (known === undefined) reservation.release()
    throw error
  }
}
