import { fileTypes } from '../../shared/domain/file-kind.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { childOf, nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import { splitName } from '../../shared/domain/names.ts'
import { flag, type EntryPage, type Storage } from '../storage/port.ts'

type Looking = { readonly storage: Storage; readonly signal: AbortSignal }

/** No film has more, and no more folders are opened for a listing: both could grow with the square of a folder. */
const mostOfFilm = 100
const mostFolders = 200

/** The subtitles of a folder's films, once all of its pages have been put in. */
export type SubtitleShelf = {
  put(page: EntryPage): void
  /**
   * Of the film of that name (contract 3.5): in the folder those that begin with its name; in folders for subtitles all of them, and
   * those one level deeper in folders that begin with its name.
   */
  of(film: string): Promise<readonly Path[]>
}

/** The index in `EntryPage.types` of what may have subtitles. */
export const filmType = fileTypes.indexOf('video')

/** The subtitles of a single film: its folder is read for them. */
export async function subtitlesBeside(looking: Looking, film: Path): Promise<readonly Path[]> {
  if (film === root) return []
  const folder = parentOf(film)
  const shelf = createSubtitleShelf(looking, folder)
  await eachPage(looking, folder, (page) => shelf.put(page))
  return shelf.of(nameOf(film))
}

export function createSubtitleShelf(looking: Looking, folder: Path): SubtitleShelf {
  const beside = emptyNames()
  const opened = new Map<Path, Promise<Names>>()

  async function inside(below: Path): Promise<Names> {
    const known = opened.get(below)
    if (known !== undefined) return known
    if (opened.size >= mostFolders) return emptyNames()
    const names = emptyNames()
    const reading = eachPage(looking, below, (page) => sort(page, names)).then(() => names)
    opened.set(below, reading)
    return reading
  }

  return {
    put: (page) => sort(page, beside),
    async of(film) {
      const { stem } = splitName(film)
      const found = below(folder, beside.subtitles.startingWith(stem))
      for (const shelf of below(folder, beside.folders.all().filter(isForSubtitles))) {
        const names = await inside(shelf)
        found.push(...below(shelf, names.subtitles.startingWith('')))
        for (const own of below(shelf, names.folders.startingWith(stem)))
          found.push(...below(own, (await inside(own)).subtitles.startingWith('')))
      }
      return found.slice(0, mostOfFilm)
    },
  }
}

type Names = { readonly subtitles: SortedNames; readonly folders: SortedNames }

const emptyNames = (): Names => ({ subtitles: createSortedNames(), folders: createSortedNames() })

function sort(page: EntryPage, { subtitles, folders }: Names): void {
  for (const [at, name] of page.names.entries()) {
    const isFolder = ((page.flags[at] ?? 0) & flag.folder) !== 0
    if (isFolder) folders.add(name)
    else if (isSubtitle(name)) subtitles.add(name)
  }
}

/** All four have three letters: most of a hundred thousand names are told apart by their dot. */
const isSubtitle = (name: string): boolean =>
  name.charAt(name.length - 4) === '.' && /(vtt|srt|ass|ssa)$/i.test(name)

const isForSubtitles = (name: string): boolean => /^(sub|subs|subtitles)$/i.test(name)

const below = (folder: Path, names: readonly string[]): Path[] =>
  names.flatMap((name) => childOf(folder, name) ?? [])

type SortedNames = {
  add(name: string): void
  all(): readonly string[]
  /** At most as many as a film has, found without a look at the others. */
  startingWith(prefix: string): readonly string[]
}

function createSortedNames(): SortedNames {
  const names: string[] = []
  let isSorted = true

  function all(): readonly string[] {
    if (!isSorted) names.sort()
    isSorted = true
    return names
  }

  return {
    all,
    add(name) {
      names.push(name)
      isSorted = false
    },
    startingWith(prefix) {
      const start = firstFrom(all(), prefix)
      return names.slice(start, start + mostOfFilm).filter((name) => name.startsWith(prefix))
    },
  }
}

/** Where the names begin that are not before it. */
function firstFrom(names: readonly string[], prefix: string): number {
  let [from, to] = [0, names.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((names[middle] ?? '') < prefix) from = middle + 1
    else to = middle
  }
  return from
}

/** Nothing where the folder may not be read: the film is shown without. */
async function eachPage(
  { storage, signal }: Looking,
  folder: Path,
  work: (page: EntryPage) => void,
): Promise<void> {
  const order = { by: 'name', descending: false, folders: 'mixed' } as const
  try {
    for await (const page of (await storage.list(folder, { order, signal })).pages) work(page)
  } catch (error) {
    if (codeOf(error) === 'internal' || codeOf(error) === 'aborted') throw error
  }
}
