import type { createShare } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Share, Shares } from '../records/port.ts'
import type { Storage } from '../storage/port.ts'
import { shareResource } from './list.ts'
import type { RealPlaces } from './real-places.ts'
import { requireSharing } from './right.ts'
import { termsOf } from './terms.ts'

export type CreateNeeds = {
  readonly shares: Pick<Shares, 'add'>
  readonly realPlaces: Pick<RealPlaces, 'ofScoped' | 'inScope'>
  readonly settled: () => Promise<void>
  readonly hashPassword: (password: string) => Promise<string>
  readonly randomBytes: (count: number) => Uint8Array
  readonly nowMs: () => number
}

/** 128 bits, in 22 characters. */
const hashBytes = 16

/** Shares an entry that is there and that its owner may reach. */
export async function create(needs: CreateNeeds, asked: Asked<typeof createShare>): Promise<Answer> {
  const { caller, path, body, query, signal } = asked
  requireSharing(caller)
  const terms = termsOf(body, query, needs.nowMs())
  const kind = await kindAt(caller.storage, path, signal)
  const at = await needs.realPlaces.ofScoped(caller.user, path)
  if (at === null) throw new AppError('bad-request', { reason: 'the path is too long' })
  const password = body.password ?? ''
  const share: Share = {
    ...terms,
    hash: Buffer.from(needs.randomBytes(hashBytes)).toString('base64url'),
    userId: caller.user.id,
    path: at,
    kind,
    passwordHash: password === '' ? null : await needs.hashPassword(password),
    tokenDigest: null,
    createdAtMs: needs.nowMs(),
  }
  await needs.settled()
  await needs.shares.add(share)
  return { kind: 'json', json: await shareResource(needs, share, caller.user) }
}

/** A link may lead elsewhere tomorrow, and what is neither file nor folder has nothing to give. */
async function kindAt(storage: Storage, path: Path, signal: AbortSignal): Promise<Share['kind']> {
  const { kind } = await storage.stat(path, { signal })
  if (kind === 'file' || kind === 'folder') return kind
  throw new AppError('bad-request', { reason: 'only files and folders can be shared' })
}
