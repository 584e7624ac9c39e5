import type { dropFile } from '../../shared/contract/shares.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { childOf, root, type Path } from '../../shared/domain/path.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { keptModifiedMs } from '../http/request/kept-modified-time.ts'
import { done, type OperationRequest, type RouteResponse } from '../http/route.ts'
import type { ReceivedFileStore, ReceptionRequest, ReservationResult, User } from '../records/port.ts'
import { smallFileBytes, type IncomingBody, type Storage } from '../storage/port.ts'
import { streamOfBytes } from '../storage/stream-of-bytes.ts'
import { freeNameCandidates, type NamesInUse } from './free-names.ts'
import { guestDetailsOf } from './guest-details.ts'
import { visitOf } from './guest-visit.ts'
import { admitGuest, requireOpenDrop, type AdmittedGuest, type OpenShareDependencies } from './open-share.ts'

/** A request for a storage through which a guest adds files. */
export type DropStorageRequest = {
  readonly owner: User
  /** The shared folder, as a path in the owner's scope. */
  readonly at: Path
  readonly address: string
  readonly ownerNow: () => Promise<User>
}

export type ReceiveFileDependencies = OpenShareDependencies & {
  readonly receivedFiles: Pick<ReceivedFileStore, 'reserve' | 'renew' | 'complete' | 'release'>
  /** Returns a text that changes with the scope and the rules of a user. */
  readonly accessKeyOf: (user: User) => Promise<string>
  /** Returns the storage of the shared folder, for writing only. */
  readonly dropStorageOf: (request: DropStorageRequest) => Promise<Storage>
  readonly namesInUse: NamesInUse
  /** Limits the places of a share that are reserved for the files of one network. */
  readonly receptions: KeyedLimiter
  /** Returns the network to which a client address belongs. */
  readonly networkOf: (address: string) => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly onFault: (error: unknown) => void
}

type DropRequest = OperationRequest<typeof dropFile>

/**
 * The time for which a place is reserved, in ms. It is renewed while the file is being received, so that only the
 * places of a crashed server end.
 */
const leaseMs = 5 * 60_000

/**
 * Adds a file of a guest to the folder of an upload-only share (decision 72). The response is the same whether or not
 * the name was taken: then the file gets a new name, because guests must not learn which names exist.
 */
export async function receiveFile(
  dependencies: ReceiveFileDependencies,
  request: DropRequest,
): Promise<RouteResponse> {
  const guest = await admitGuest(dependencies, visitOf(request))
  const name = newNameOf(guest, request)
  const { sizeBytes } = request
  if (sizeBytes === undefined)
    throw new AppError('bad-request', { reason: 'the size of the file is missing' })
  if (guest.share.maxBytes !== null && sizeBytes > guest.share.maxBytes) throw new AppError('too-large')
  const id = randomTextOf(dependencies, 16)
  const { hash: shareHash } = guest.share
  const place = { id, shareHash, sizeBytes, ...guestDetailsOf(request.header) }
  const network = dependencies.networkOf(request.client.address)
  const release = await dependencies.receptions.acquire(`${shareHash} ${network}`, request.signal)
  try {
    const result = await dependencies.receivedFiles.reserve(place, dependencies.nowMs() + leaseMs)
    if (result === 'already-received') return { ...done, isRepetition: true }
    if (result !== 'reserved') throw refusalOf(result)
    await keepingLease(dependencies, id, () =>
      receive(dependencies, { guest, request, name, sizeBytes, place }),
    )
    return done
  } finally {
    release()
  }
}

/**
 * The files of one network that a share receives at the same time. Each holds a place of the share, so that slow uploads of
 * one guest would otherwise keep all others out.
 */
export const maxReceptions = 10

/** Returns the name that the guest has chosen. Throws unless the share takes files and the name is allowed. */
function newNameOf({ share, below }: AdmittedGuest, { isFolder }: DropRequest): string {
  if (share.mode !== 'upload-only') throw new AppError('forbidden')
  const [name = '', ...more] = below
  // The storage of a guest cannot look up whether an entry with a forbidden name exists already, as a user's can.
  if (isFolder || more.length > 0 || faultOfNewName(name) !== null) throw new AppError('bad-name')
  return name
}

function refusalOf(result: Exclude<ReservationResult, 'reserved' | 'already-received'>): AppError {
  if (result === 'ended') return new AppError('not-found')
  if (result === 'too-many-files') return new AppError('too-many-files')
  return new AppError('no-space', { reason: 'the link accepts no more bytes' })
}

const randomTextOf = ({ randomBytes }: Pick<ReceiveFileDependencies, 'randomBytes'>, count: number): string =>
  Buffer.from(randomBytes(count)).toString('base64url')

/** Renews the lease of a reserved place while `work` runs. */
async function keepingLease(
  { receivedFiles, nowMs, onFault }: ReceiveFileDependencies,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  const renew = (): void => void receivedFiles.renew(id, nowMs() + leaseMs).catch(onFault)
  const timer = setInterval(renew, leaseMs / 3).unref()
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

type Reception = {
  readonly guest: AdmittedGuest
  readonly request: DropRequest
  readonly name: string
  readonly sizeBytes: number
  /** The place that is reserved for the file. */
  readonly place: ReceptionRequest
}

/** Stores the file and records it. When the file could not be stored, its reserved place is given back. */
async function receive(dependencies: ReceiveFileDependencies, reception: Reception): Promise<void> {
  const { receivedFiles, onFault } = dependencies
  let storedName: string
  try {
    storedName = await storeUnderFreeName(dependencies, reception)
  } catch (error) {
    await receivedFiles.release(reception.place.id).catch(onFault)
    throw error
  }
  await receivedFiles.complete(reception.place, storedName)
}

/** Writes the file under the first candidate that is free, and returns its name. */
async function storeUnderFreeName(
  dependencies: ReceiveFileDependencies,
  { guest, request, name, sizeBytes, place }: Reception,
): Promise<string> {
  const { receivedFiles, nowMs } = dependencies
  const { owner, at, share } = guest
  const { client, header, signal } = request
  const accessKey = await dependencies.accessKeyOf(owner)
  const ownerNow = async (): Promise<User> => {
    const now = await requireOpenDrop(dependencies, share)
    if ((await dependencies.accessKeyOf(now)) !== accessKey) throw new AppError('forbidden')
    // A later attempt of the same upload has taken the place. Only one of the two attempts may store the file.
    if (!(await receivedFiles.renew(place.id, nowMs() + leaseMs))) throw new AppError('busy')
    return now
  }
  const storage = await dependencies.dropStorageOf({ owner, at, address: client.address, ownerNow })
  const body = await repeatableBodyOf(request.bytes, sizeBytes, ownerNow)
  const modifiedMs = keptModifiedMs(header, null)
  let refusal: unknown
  // A name at which a link leads out of the folder is refused like a name that a rule denies. Both count as taken, so
  // that guests do not learn that the link exists. A rule that denies all candidates refuses the file.
  const isFree = async (path: Path): Promise<boolean> => {
    try {
      await storage.check({ kind: 'write', path, overwrite: 'create', sizeBytes }, { signal })
      return true
    } catch (error) {
      if (!['name-taken', 'forbidden'].includes(codeOf(error))) throw error
      if (codeOf(error) === 'forbidden') refusal = error
      return false
    }
  }
  const write = async (candidate: string): Promise<boolean> => {
    const path = childOf(root, candidate)
    if (path === null) throw new AppError('bad-name')
    if (!(await isFree(path))) return false
    // The stream of a small body does not end with this check.
    if (body.isRepeatable()) await ownerNow()
    try {
      await storage.write(path, body.stream(), { overwrite: 'create', sizeBytes, modifiedMs, signal })
      return true
    } catch (error) {
      if (codeOf(error) !== 'name-taken') throw error
      if (body.isRepeatable()) return false
      // Another program has taken the name while the bytes arrived. The client has to send them again.
      throw new AppError('busy', { cause: error, retryAfterSeconds: 1 })
    }
  }
  for (const candidate of freeNameCandidates(name, () => randomTextOf(dependencies, 6)))
    if ((await dependencies.namesInUse.run(share.path, candidate, () => write(candidate))) === true)
      return candidate
  throw refusal ?? new AppError('busy', { retryAfterSeconds: 1 })
}

/** A body that can be written again under another name, as long as no byte of it has been lost. */
type RepeatableBody = { readonly stream: () => IncomingBody; readonly isRepeatable: () => boolean }

/**
 * Makes a body repeatable: a small body that has arrived is kept in memory, and a stream can be started again until its
 * first byte has been requested. The stream of any other body ends with a check that the file may still be added.
 */
async function repeatableBodyOf(
  bytes: IncomingBody,
  sizeBytes: number,
  check: () => Promise<unknown>,
): Promise<RepeatableBody> {
  const whole = sizeBytes <= smallFileBytes ? ((await bytes.whole?.(sizeBytes)) ?? null) : null
  if (whole !== null) return { stream: () => streamOfBytes(whole), isRepeatable: () => true }
  let hasBegun = false
  async function* stream(): AsyncGenerator<Uint8Array, void> {
    hasBegun = true
    yield* bytes
    await check()
  }
  return { stream, isRepeatable: () => !hasBegun }
}
