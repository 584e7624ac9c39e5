import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { faultOfNewName } from '../../shared/domain/names.ts'
import { childOf, root, type Path } from '../../shared/domain/path.ts'
import { limits } from '../../shared/domain/limits.ts'
import { createKeyedLimiter, runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { ReceivedFileStore, ReceptionRequest, ReservationResult } from '../records/received-files.ts'
import type { User } from '../records/user-store.ts'
import type { IncomingBody } from '../storage/change.ts'
import { smallFileBytes, type Storage } from '../storage/port.ts'
import { streamOfBytes } from '../storage/stream-of-bytes.ts'
import { freeNameCandidates, type NamesInUse } from './free-names.ts'
import type { GuestDetails } from './guest-details.ts'
import type { RunningReception, RunningReceptions } from './running-receptions.ts'
import {
  admitGuest,
  requireOpenDrop,
  type AdmittedGuest,
  type OpenShareDependencies,
  type OpenShareRequest,
} from './open-share.ts'

/** A request for a storage through which a guest adds files. */
export type DropStorageRequest = {
  readonly owner: User
  /** The shared folder, as a path in the owner's scope. */
  readonly at: Path
  /** The hash of the share. */
  readonly share: string
  readonly address: string
  readonly ownerNow: () => Promise<User>
}

export type ReceiveFileDependencies = OpenShareDependencies & {
  readonly receivedFiles: Pick<
    ReceivedFileStore,
    'begin' | 'renew' | 'reserve' | 'complete' | 'release' | 'totals'
  >
  readonly runningReceptions: RunningReceptions
  /** Returns a text that changes with the scope and the rules of a user. */
  readonly accessKeyOf: (user: User) => Promise<string>
  /** Returns the storage of the shared folder, for writing only. */
  readonly dropStorageOf: (request: DropStorageRequest) => Promise<Storage>
  readonly namesInUse: NamesInUse
  /** Limits the files that a share receives at the same time, from one network and in total. */
  readonly receptions: { readonly ofNetwork: KeyedLimiter; readonly ofShare: KeyedLimiter }
  /** Returns the network to which a client address belongs. */
  readonly networkOf: (address: string) => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly onFault: (error: unknown) => void
}

/** A file that a guest sends. The last name of the path is the name that the guest has chosen. */
export type DroppedFile = OpenShareRequest & {
  /** True when the path ends with a slash, which no name of a file does. */
  readonly isFolder: boolean
  readonly bytes: IncomingBody
  readonly sizeBytes: number | undefined
  /** The modification time that the file keeps, in ms since 1970. Undefined for the current time. */
  readonly modifiedMs: number | undefined
  /** Returns what the guest says about the file. Throws `bad-request` for malformed texts. */
  readonly details: () => GuestDetails
}

/**
 * The time in ms for which the place of a file counts whose bytes are all there. Putting it in place takes milliseconds;
 * a disk may hang for some time.
 */
const leaseMs = 5 * 60_000
/** The time in ms after which a running reception is renewed. Rows that are not renewed for a day are removed. */
const renewalMs = 60 * 60_000

/**
 * Adds a file of a guest to the folder of an upload-only share (decision 72). A file whose name is taken gets a new name,
 * which is not returned, because guests must not learn which names exist.
 */
export async function receiveFile(dependencies: ReceiveFileDependencies, file: DroppedFile): Promise<void> {
  const guest = await admitGuest(dependencies, file)
  const name = newNameOf(guest, file)
  const { sizeBytes, signal } = file
  if (sizeBytes === undefined)
    throw new AppError('bad-request', { reason: 'the size of the file is missing' })
  if (guest.share.maxBytes !== null && sizeBytes > guest.share.maxBytes) throw new AppError('too-large')
  const id = randomTextOf(dependencies, 16)
  const { hash: shareHash } = guest.share
  const place = { id, shareHash, sizeBytes, ...file.details() }
  const network = dependencies.networkOf(file.address)
  const { ofNetwork, ofShare } = dependencies.receptions
  const key = `${shareHash} ${network}`
  return runLimited({ limiter: ofNetwork, key, signal }, () =>
    runLimited({ limiter: ofShare, key: shareHash, signal }, async () => {
      const result = await dependencies.receivedFiles.begin(place)
      if (result === 'already-received') return
      if (result !== 'begun') throw refusalOf(result)
      await renewing(dependencies, id, () => receive(dependencies, { guest, file, name, sizeBytes, place }))
    }),
  )
}

/** Creates the limiters of the files that a share receives at the same time. Further files wait. */
export const createReceptionLimiters = (): ReceiveFileDependencies['receptions'] => ({
  ofNetwork: createKeyedLimiter({ maxConcurrent: limits.receptionsOfNetwork }),
  ofShare: createKeyedLimiter({ maxConcurrent: limits.receptionsOfShare }),
})

/** Returns the name that the guest has chosen. Throws unless the share takes files and the name is allowed. */
function newNameOf({ share, below }: AdmittedGuest, { isFolder }: DroppedFile): string {
  if (share.mode !== 'upload-only') throw new AppError('forbidden')
  const [name = '', ...more] = below
  // The storage of a guest cannot look up whether an entry with a forbidden name exists already, as a user's can.
  if (isFolder || more.length > 0 || faultOfNewName(name) !== null) throw new AppError('bad-name')
  return name
}

function refusalOf(result: Exclude<ReservationResult, 'reserved'>): AppError {
  // A later attempt of the same upload has begun. Only one of the two attempts may store the file.
  if (result === 'replaced') return new AppError('busy')
  if (result === 'ended') return new AppError('not-found')
  if (result === 'too-many-files') return new AppError('too-many-files')
  return linkIsFull()
}

const linkIsFull = (): AppError => new AppError('no-space', { reason: 'the link accepts no more bytes' })

const randomTextOf = ({ randomBytes }: Pick<ReceiveFileDependencies, 'randomBytes'>, count: number): string =>
  Buffer.from(randomBytes(count)).toString('base64url')

/** Renews a reception while `work` runs. */
async function renewing(
  { receivedFiles, onFault }: ReceiveFileDependencies,
  id: string,
  work: () => Promise<void>,
): Promise<void> {
  const renew = (): void => void receivedFiles.renew(id).catch(onFault)
  const timer = setInterval(renew, renewalMs).unref()
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

type Reception = {
  readonly guest: AdmittedGuest
  readonly file: DroppedFile
  readonly name: string
  readonly sizeBytes: number
  readonly place: ReceptionRequest
}

/** A reception whose progress the owner of the share sees. */
type VisibleReception = Reception & {
  readonly running: RunningReception
  /** Aborts when the guest leaves or the owner ends the reception. */
  readonly signal: AbortSignal
}

/** Stores the file and records it. When the file could not be stored, nothing of the reception stays. */
async function receive(dependencies: ReceiveFileDependencies, reception: Reception): Promise<void> {
  const { receivedFiles, runningReceptions, nowMs, onFault } = dependencies
  const { guest, name, file, place } = reception
  const running = { ...place, share: guest.share, name, startedAtMs: nowMs(), receivedBytes: 0 }
  let storedName: string
  try {
    storedName = await runningReceptions.run(running, file.signal, (signal) =>
      storeUnderFreeName(dependencies, { ...reception, running, signal }),
    )
  } catch (error) {
    await receivedFiles.release(reception.place.id).catch(onFault)
    throw error
  }
  await receivedFiles.complete(reception.place, storedName)
}

/** Writes the file under the first candidate that is free, and returns its name. */
async function storeUnderFreeName(
  dependencies: ReceiveFileDependencies,
  reception: VisibleReception,
): Promise<string> {
  const { receivedFiles, nowMs } = dependencies
  const { guest, file, name, sizeBytes, place, running, signal } = reception
  const { owner, at, share } = guest
  const { address, modifiedMs } = file
  const accessKey = await dependencies.accessKeyOf(owner)
  const ownerNow = async (): Promise<User> => {
    const now = await requireOpenDrop(dependencies, share)
    if ((await dependencies.accessKeyOf(now)) !== accessKey) throw new AppError('forbidden')
    return now
  }
  const beforeCommit = async (): Promise<void> => {
    await ownerNow()
    const result = await receivedFiles.reserve(place, nowMs() + leaseMs)
    if (result !== 'reserved') throw refusalOf(result)
  }
  const storage = await dependencies.dropStorageOf({ owner, at, share: share.hash, address, ownerNow })
  const arriving = await countArriving(dependencies, reception)
  const body = await repeatableBodyOf({ bytes: file.bytes, sizeBytes, running, arriving })
  let refusal: unknown
  // A name at which a link leads out of the folder is refused like a name that a rule denies. Both count as taken, so
  // that guests do not learn that the link exists. A rule that denies all candidates refuses the file.
  const isFree = async (path: Path): Promise<boolean> => {
    try {
      await storage.check({ kind: 'write', path, overwrite: 'create', sizeBytes, signal })
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
    try {
      const options = { overwrite: 'create', sizeBytes, modifiedMs, beforeCommit, signal } as const
      await storage.apply({ kind: 'write', path, body: body.stream(), ...options })
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
 * Returns a function that counts the bytes of a file as they arrive. It throws when all files that the share is receiving
 * now, and those that had arrived when this one began, have more bytes than the share accepts.
 */
async function countArriving(
  { receivedFiles, runningReceptions }: ReceiveFileDependencies,
  { guest: { share }, running }: VisibleReception,
): Promise<(bytes: number) => void> {
  const maxBytes = share.maxBytes ?? Number.POSITIVE_INFINITY
  const { bytes: storedBytes } =
    share.maxBytes === null ? { bytes: 0 } : await receivedFiles.totals(share.hash)
  return (bytes) => {
    running.receivedBytes += bytes
    const arrived = runningReceptions
      .list(share.hash)
      .reduce((sum, one) => sum + one.receivedBytes, storedBytes)
    if (arrived > maxBytes) throw linkIsFull()
  }
}

type ArrivingBody = {
  readonly bytes: IncomingBody
  readonly sizeBytes: number
  readonly running: RunningReception
  /** Called with the length of each chunk. Throws when the share accepts no more bytes. */
  readonly arriving: (bytes: number) => void
}

/**
 * Makes a body repeatable: a small body that has arrived is kept in memory, and a stream can be started again until its
 * first byte has been requested.
 */
async function repeatableBodyOf({
  bytes,
  sizeBytes,
  running,
  arriving,
}: ArrivingBody): Promise<RepeatableBody> {
  const whole = sizeBytes <= smallFileBytes ? ((await bytes.whole?.(sizeBytes)) ?? null) : null
  if (whole !== null) {
    running.receivedBytes = sizeBytes
    return { stream: () => streamOfBytes(whole), isRepeatable: () => true }
  }
  let hasBegun = false
  async function* stream(): AsyncGenerator<Uint8Array, void> {
    hasBegun = true
    for await (const chunk of bytes) {
      arriving(chunk.length)
      yield chunk
    }
  }
  return { stream, isRepeatable: () => !hasBegun }
}
