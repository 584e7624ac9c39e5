import { closeSync, futimesSync, writeSync } from 'node:fs'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import type { SentFailure } from '../../../workers/messages.ts'
import { errorOf, sentOf } from '../../../workers/sent-failure.ts'
import type { Seat } from '../calls/calls.ts'
import { errnoOf, openAt, opening, openUnnamed, setMode, unlinkAt } from '../calls/descriptors.ts'
import { entryOf } from '../facts.ts'
import { placeNew } from '../calls/place-new.ts'
import { asFailure } from '../failures.ts'
import { pathBelow } from '../resolve.ts'
import type { Scene } from '../resolve.ts'
import { createFlusher, type Flusher } from './flushing.ts'
import { refuseWithoutRoom } from './room.ts'
import { openParent, judgeIn, type Parent, type Spot } from './spot.ts'
import { noteStaged } from './staged.ts'
import { judgeStanding, keyOf } from './stage.ts'
import { requireMounted } from './top.ts'

/** Small files for one folder, each there as a whole before it is begun; nothing may have their names. */
export type WholePuts = {
  /** Of the first of them. */
  readonly path: Path
  readonly dirMode: number | null
  readonly fileMode: number
  readonly files: readonly WholeFile[]
  /** Of all of them, one after the other. */
  readonly bytes: Uint8Array
  /** By the index of a file: not 0 when nobody waits for it any more. */
  readonly aborted: Int32Array
}

export type WholeFile = {
  readonly name: string
  readonly sizeBytes: number
  /** What the file says of its last change. */
  readonly modifiedMs: number
}

export type Put = { readonly entry: Entry } & Pick<Spot, 'madeDepths'>

type Failure = { readonly failure: SentFailure }

/** What became of one of the files. */
export type PutOutcome = Put | Failure

/** One of the files, and where it goes. */
type Meant = {
  readonly scene: Scene
  readonly parent: Parent
  readonly flusher: Flusher
  readonly path: Path
  readonly bytes: Uint8Array
  readonly modifiedMs: number
  readonly fileMode: number
  /** Throws when nobody waits for it any more. */
  readonly check: () => void
}

/** A file that is being put in its place. Closing it leaves no trace of one that is not there. */
type New = {
  readonly descriptor: number
  readonly isNameless: boolean
  readonly place: () => void
  readonly close: () => void
}

type Placed = { readonly file: New; readonly entry: Entry }

/**
 * Makes small files in one visit: judged, written out, and each put in its place in one step that fails where the name is taken; then
 * they and their folder are flushed. Whatever fails before that step, a kill of the server too, leaves no trace.
 */
export function wholePutter(): (scene: Scene, puts: WholePuts) => Promise<readonly PutOutcome[]> {
  const flushers = new Map<bigint, Flusher>()
  const flusherOf = ({ calls }: Scene, { facts, descriptor }: Parent['folder']): Flusher => {
    const flusher = flushers.get(facts.dev) ?? createFlusher({ calls, folder: descriptor, dev: facts.dev })
    flushers.set(facts.dev, flusher)
    return flusher
  }
  return async (scene, puts) => {
    const parent = await openParent(scene, parentOf(puts.path), { dirMode: puts.dirMode })
    using folder = parent.folder
    refuseWithoutRoom(folder.descriptor, puts.bytes.length)
    const flusher = flusherOf(scene, folder)
    const meant = meantBy(puts, { scene, parent, flusher })
    const written = await Promise.all(meant.map(async (one) => outcomeOf(write(one))))
    // None has its place until the bytes of all are out, so that one flush does for all of them.
    const files = await flushedFiles(written, flusher.beforeNames)
    const placed = await Promise.all(
      files.map(async (file, at) =>
        'failure' in file ? file : outcomeOf(putInPlace(file, meant[at] as Meant)),
      ),
    )
    try {
      const flushed = await flushedEntries(placed, flusher)
      const folderFlushed = isFolderDue(placed, flusher)
        ? await outcomeOf(flusher.folder(keyOf(folder.facts), folder.descriptor))
        : undefined
      return outcomesOf(flushed, { folderFlushed, madeDepths: parent.madeDepths })
    } finally {
      for (const one of placed) if ('file' in one) one.file.close()
    }
  }
}

/** The same files; one that could not be flushed is closed, and its failure stands for it. */
async function flushedFiles(
  written: readonly (New | Failure)[],
  flush: Flusher['beforeNames'],
): Promise<readonly (New | Failure)[]> {
  const files = written.flatMap((one) => ('failure' in one ? [] : [one]))
  const failed = failuresOf(files, await flush(files.map(({ descriptor }) => descriptor)))
  for (const file of failed.keys()) file.close()
  return written.map((one) => failed.get(one as New) ?? one)
}

/** What is in its place, flushed as far as it had no name before. */
async function flushedEntries(
  placed: readonly (Placed | Failure)[],
  { afterNames }: Flusher,
): Promise<readonly (Entry | Failure)[]> {
  const files = placed.flatMap((one) => ('file' in one && one.file.isNameless ? [one.file] : []))
  const failed = failuresOf(files, await afterNames(files.map(({ descriptor }) => descriptor)))
  return placed.map((one) => ('file' in one ? (failed.get(one.file) ?? one.entry) : one))
}

/** Whether something has come into its place that did not bring its name to the disk. */
const isFolderDue = (placed: readonly (Placed | Failure)[], { bringsNames }: Flusher): boolean =>
  placed.some((one) => 'file' in one && !(bringsNames && one.file.isNameless))

function failuresOf(
  files: readonly New[],
  outcomes: readonly PromiseSettledResult<void>[],
): ReadonlyMap<New, Failure> {
  const failed = new Map<New, Failure>()
  for (const [at, file] of files.entries()) {
    const outcome = outcomes[at]
    if (outcome?.status === 'rejected') failed.set(file, failureOf(outcome.reason))
  }
  return failed
}

function meantBy(puts: WholePuts, shared: Pick<Meant, 'scene' | 'parent' | 'flusher'>): readonly Meant[] {
  const { fileMode, aborted } = puts
  const { scene } = shared
  let start = 0
  return puts.files.map(({ name, sizeBytes, modifiedMs }, at) => {
    const bytes = puts.bytes.subarray(start, start + sizeBytes)
    start += sizeBytes
    const check = (): void => {
      scene.link.check()
      if (Atomics.load(aborted, at) !== 0) throw new AppError('aborted')
    }
    return { ...shared, path: pathBelow(parentOf(puts.path), name), bytes, modifiedMs, fileMode, check }
  })
}

async function outcomeOf<T>(work: Promise<T>): Promise<T | Failure> {
  try {
    return await work
  } catch (error) {
    return failureOf(error)
  }
}

const failureOf = (error: unknown): Failure => ({ failure: sentOf(asFailure(error)) })

const isPut = (outcome: Entry | Failure): outcome is Entry => !('failure' in outcome)

type Flushed = Pick<Put, 'madeDepths'> & { readonly folderFlushed: Failure | void }

/** What is in its place is answered when its folder is flushed. The folders that were made are told of once. */
function outcomesOf(
  placed: readonly (Entry | Failure)[],
  { folderFlushed, madeDepths }: Flushed,
): readonly PutOutcome[] {
  const first = placed.findIndex(isPut)
  return placed.map((one, at) => {
    if (!isPut(one)) return one
    return folderFlushed ?? { entry: one, madeDepths: at === first ? madeDepths : [] }
  })
}

async function write(meant: Meant): Promise<New> {
  const { scene, parent, path, check } = meant
  check()
  await judgeIn(scene, parent, path)
  await judgeStanding(scene, seatOf(meant), { path, overwrite: 'create' })
  return writeNameless(meant) ?? (await writeStaged(meant))
}

/** Null where the file system knows no files without a name. */
function writeNameless(meant: Meant): New | null {
  try {
    const file = openNameless(meant)
    return file === null ? null : fill(file, meant)
  } catch (error) {
    if (isUnable(error)) return null
    throw error
  }
}

const writeStaged = async (meant: Meant): Promise<New> => fill(await openStaged(meant), meant)

function fill(file: New, { bytes, modifiedMs, fileMode }: Meant): New {
  const { descriptor } = file
  try {
    writeAll(descriptor, bytes)
    futimesSync(descriptor, modifiedMs / 1000, modifiedMs / 1000)
    setMode(descriptor, fileMode)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/** Some file systems know files without a name, and give them none later. */
async function putInPlace(file: New, meant: Meant): Promise<Placed> {
  try {
    return place(file, meant)
  } catch (error) {
    if (!file.isNameless || !isUnable(error)) throw error
    const [staged = failureOf(error)] = await flushedFiles(
      [await writeStaged(meant)],
      meant.flusher.beforeNames,
    )
    if ('failure' in staged) throw errorOf(staged.failure)
    return place(staged, meant)
  }
}

function place(file: New, { scene, parent, path, check }: Meant): Placed {
  try {
    check()
    requireMounted(scene, parent.folder.descriptor)
    file.place()
    return { file, entry: entryOf(nameOf(path), scene.calls.facts(file.descriptor)) }
  } catch (error) {
    file.close()
    throw error
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at)
}

const isUnable = (error: unknown): boolean =>
  ['EINVAL', 'EISDIR', 'ENOENT', 'ENOSYS', 'EOPNOTSUPP', 'EPERM', 'EXDEV'].includes(errnoOf(error))

const seatOf = ({ parent, path }: Meant): Seat => ({ folder: parent.folder.descriptor, name: nameOf(path) })

/** A file without a name, which the kernel forgets with its descriptor; null where there are none. */
function openNameless(meant: Meant): New | null {
  const { nameNew } = meant.scene.calls
  if (nameNew === null) return null
  const seat = seatOf(meant)
  const descriptor = openUnnamed(seat.folder, 0o600)
  return {
    descriptor,
    isNameless: true,
    place: () => nameNew(descriptor, seat),
    close: () => closeSync(descriptor),
  }
}

/** A hidden file, which the journal knows of before it is there. */
async function openStaged(meant: Meant): Promise<New> {
  const { scene } = meant
  const seat = seatOf(meant)
  const from = { folder: seat.folder, name: scene.newStagedName() }
  await noteStaged(scene, from)
  const descriptor = openAt(from, opening.createNew, 0o600)
  let isPlaced = false
  return {
    descriptor,
    isNameless: false,
    place() {
      placeNew(scene.calls, from, seat)
      isPlaced = true
    },
    close() {
      closeSync(descriptor)
      if (!isPlaced) unlinkQuietly(from)
    },
  }
}

/** Its folder may be gone with it. */
function unlinkQuietly(seat: Seat): void {
  try {
    unlinkAt(seat)
  } catch {
    // it is gone
  }
}
