import type { PictureLine, TakenLine } from '../../../shared/contract/previews.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { fileTypes } from '../../../shared/domain/file-types.ts'
import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { childOf, nameOf, type Path } from '../../../shared/domain/path.ts'
import { orderOf } from '../../../shared/domain/sorting.ts'
import type { PictureHead } from '../../../shared/photos/picture-head.ts'
import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import { createKeyedLimiter, runLimited } from '../../concurrency/keyed-limiter.ts'
import type { ResponseMemory } from '../../concurrency/reading-memory.ts'
import { listInTurn } from '../../storage/list-in-turn.ts'
import type { DiskIdentity } from '../../storage/local-disk.ts'
import { entryFlag, type EntryPage, type Listing, type Storage } from '../../storage/port.ts'
import { headOf } from './read-head.ts'

/** A folder whose pictures are read, or a picture. */
export type TakenTimesRequest = {
  readonly storage: Pick<Storage, 'list' | 'open' | 'localDisk'>
  readonly path: Path
  /** The user or guest whose requests take turns. */
  readonly principal: string
  readonly isGuest: boolean
  /** True when the sizes of the pictures are listed as well. */
  readonly hasSizes: boolean
  readonly reading: ResponseMemory
  readonly signal: AbortSignal
}

/**
 * Lists the times at which the pictures in a folder were taken. Each chunk is a line, a `TakenLine` or a `PictureLine`, for some pictures of
 * which something is known. The path of a picture gives its own time. Throws `not-a-folder` for all other files, and
 * `too-large` for a folder with more entries than `limits.takenTimesEntries`.
 */
export type TakenTimesLister = (request: TakenTimesRequest) => Promise<AsyncIterable<string>>

/** The number of pictures that are read in one turn. Each turn ends with a line, so a proxy sees that the response goes on. */
const picturesPerTurn = 50

/**
 * The time in milliseconds after which no further picture is read in a turn. A disk in a network may take seconds for each, and proxies
 * commonly give up on a response that has brought nothing for 60 s.
 */
const turnMs = 5000

/**
 * Capacity of the cache of times and sizes, in entries and in characters of all keys: about two folders of the largest size. An entry has
 * about 220 bytes, so the cache has about 9 MB.
 */
const maxKnown = 40_000
const maxKeyCharacters = 4 * 1024 * 1024

const imageType = fileTypes.indexOf('image')

/** A picture of the listing. */
type Picture = {
  readonly name: string
  /** Identifies this version of the file. Null for a link, which may lead each person to another file, and without a disk. */
  readonly key: string | null
}

/** Creates the function that returns the time and the size of a picture, and remembers them. */
function createHeadReader(): (request: TakenTimesRequest, picture: Picture) => Promise<PictureHead> {
  const known = createBoundedMap<string, PictureHead>(maxKnown, maxKeyCharacters)
  return async (request, { name, key }) => {
    const before = key === null ? undefined : known.get(key)
    if (before !== undefined) return before
    const head = await readPicture(request, childOf(request.path, name))
    if (head === null) return noHead
    if (key !== null) known.set(key, head)
    return head
  }
}

const noHead: PictureHead = { takenAt: null, size: null }

/** Returns the part of a line for a picture: nothing when the file does not say what is asked for. */
function itemsOf(name: string, { takenAt, size }: PictureHead, hasSizes: boolean): PictureLine {
  if (hasSizes && size !== null) return [[name, takenAt, size.width, size.height]]
  return takenAt === null ? [] : [[name, takenAt]]
}

const textOfLine = (line: TakenLine | PictureLine): string => `${JSON.stringify(line)}\n`

type TurnResult = { readonly line: string; readonly count: number }

/**
 * Creates the function that lists the times of pictures. The pictures in folders are read one after the other, in turns that all users
 * of a disk share and in other turns that all guests of a disk share. So at most two are read from a disk at any time, however many
 * folders are shown, and a disk that is slow or hangs delays no folder of another disk. The time of one picture is read at once.
 */
export function createTakenTimesLister({ nowMs }: { readonly nowMs: () => number }): TakenTimesLister {
  const readHead = createHeadReader()
  const ownTurns = createKeyedLimiter({ maxConcurrent: 1 })
  const turns = createKeyedLimiter({ maxConcurrent: 1 })

  /** Reads pictures during one turn. Returns their line, and the number of pictures that were read. */
  async function readTurn(request: TakenTimesRequest, pictures: readonly Picture[]): Promise<TurnResult> {
    const endMs = nowMs() + turnMs
    const items: PictureLine[number][] = []
    let count = 0
    for (const picture of pictures) {
      items.push(...itemsOf(picture.name, await readHead(request, picture), request.hasSizes))
      count += 1
      if (nowMs() >= endMs) break
    }
    return { line: textOfLine(items), count }
  }

  const inTurn = (
    { principal, isGuest, signal }: TakenTimesRequest,
    disk: string,
    work: () => Promise<TurnResult>,
  ): Promise<TurnResult> =>
    runLimited({ limiter: ownTurns, key: `${disk} ${principal}`, signal }, () =>
      runLimited({ limiter: turns, key: `${disk} ${isGuest ? 'guests' : 'users'}`, signal }, work),
    )

  async function* linesOf(
    request: TakenTimesRequest,
    { folder, listing }: ListedFolder,
  ): AsyncGenerator<string> {
    const disk = String(folder?.dev ?? 'none')
    for await (const page of listing.pages) {
      const pictures = picturesIn(page, folder)
      for (let from = 0; from < pictures.length;) {
        const next = pictures.slice(from, from + picturesPerTurn)
        const { line, count } = await inTurn(request, disk, () => readTurn(request, next))
        yield line
        from += count
      }
    }
  }

  return async (request) => {
    const { path } = request
    const listed = await list(request).catch((error: unknown) => {
      if (codeOf(error) === 'not-a-folder' && typeOfName(nameOf(path)) === 'image') return null
      throw error
    })
    if (listed === null) return lineOfPicture(request)
    if (listed.listing.total > limits.takenTimesEntries) {
      await listed.listing.discard()
      throw new AppError('too-large')
    }
    return linesOf(request, listed)
  }
}

async function* lineOfPicture(request: TakenTimesRequest): AsyncGenerator<string> {
  const head = (await readPicture(request, request.path)) ?? noHead
  yield textOfLine(itemsOf(nameOf(request.path), head, request.hasSizes))
}

/**
 * Reads the time and the size of a picture. Returns null for a file that cannot be opened or changes while it is read. Throws `timeout` when the
 * disk does not respond, since each further picture would wait as long.
 */
async function readPicture(
  { storage, signal }: TakenTimesRequest,
  at: Path | null,
): Promise<PictureHead | null> {
  if (at === null) return null
  try {
    const file = await storage.open(at, { signal })
    try {
      return await headOf(file)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (signal.aborted || codeOf(error) === 'timeout') throw error
    return null
  }
}

/** A listed folder. `folder` identifies it on its disk, and is null for a storage that is not on a disk, whose times are not cached. */
type ListedFolder = { readonly folder: DiskIdentity | null; readonly listing: Listing }

async function list(request: TakenTimesRequest): Promise<ListedFolder> {
  const { storage, path, signal } = request
  const folder = (await storage.localDisk?.folder(path, { signal })) ?? null
  const order = orderOf({ by: 'name', asc: false })
  return { folder, listing: await listInTurn(request, path, { order, signal }) }
}

/** A row with one of these flags is no file that can be read. */
const unreadableFlags = entryFlag.folder | entryFlag.broken | entryFlag.special | entryFlag.unreachable

function picturesIn(page: EntryPage, folder: DiskIdentity | null): readonly Picture[] {
  return page.names.flatMap((name, at) => {
    const flags = page.flags[at] ?? 0
    const isPicture = page.types[at] === imageType && (flags & unreadableFlags) === 0
    if (!isPicture || page.sizesBytes[at] === 0) return []
    const isKnown = folder !== null && (flags & entryFlag.link) === 0
    const version = [folder?.dev, folder?.ino, page.sizesBytes[at], page.modifiedMs[at], name]
    return [{ name, key: isKnown ? version.join(' ') : null }]
  })
}
