import { fileTypes } from '../../shared/domain/file-types.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { childOf, nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import { splitName } from '../../shared/domain/names.ts'
import { entryFlag, type EntryPage, type Storage } from '../storage/port.ts'

/** The storage that is searched for subtitles, and the abort signal of the request. */
type SubtitleSearch = { readonly storage: Storage; readonly signal: AbortSignal }

/**
 * Limits for one listing: 100 subtitles per film, 1,000 names that are looked at for a film, and 200 folders that are
 * searched for subtitles. Without these limits, the work could grow with the square of the number of names in a folder.
 */
const maxSubtitlesPerFilm = 100
const maxNamesRead = 1000
const maxFoldersRead = 200
/** The number of names of a subfolder that are read for subtitles, because they stay in memory until the response is written. */
const maxNamesOfSubfolder = 10_000

/** Finds the subtitles of films in a folder. All pages of the folder must be added before the first call of `find`. */
export type SubtitleIndex = {
  add(page: EntryPage): void
  /**
   * Returns the subtitles of the film with that name (contract 3.5): the subtitle files in the film's folder whose
   * names begin with the name of the film as whole words; all subtitle files in the folders for subtitles; and the subtitle files one
   * level deeper, in folders whose names begin with the name of the film.
   */
  find(film: string): Promise<readonly Path[]>
}

/** The value in `EntryPage.types` that identifies films. Only films have subtitles. */
export const filmType = fileTypes.indexOf('video')

/** Reads the folder of a film and returns the film's subtitles. */
export async function subtitlesOf(search: SubtitleSearch, film: Path): Promise<readonly Path[]> {
  if (film === root) return []
  const folder = parentOf(film)
  const index = createSubtitleIndex(search, folder)
  await forEachPage(search, folder, (page) => index.add(page))
  return index.find(nameOf(film))
}

/**
 * Creates the index of a folder's subtitles. A subfolder is read when it is needed for the first time, and then only
 * once.
 */
export function createSubtitleIndex(search: SubtitleSearch, folder: Path): SubtitleIndex {
  const folderNames = emptyNames()
  const namesByFolder = new Map<Path, Promise<FolderNames>>()

  async function namesIn(subfolder: Path): Promise<FolderNames> {
    const known = namesByFolder.get(subfolder)
    if (known !== undefined) return known
    if (namesByFolder.size >= maxFoldersRead) return emptyNames()
    const names = emptyNames()
    const reading = forEachPage({ ...search, maxNames: maxNamesOfSubfolder }, subfolder, (page) =>
      addNames(page, names),
    ).then(() => names)
    namesByFolder.set(subfolder, reading)
    return reading
  }

  return {
    add: (page) => addNames(page, folderNames),
    async find(film) {
      const { stem } = splitName(film)
      const found = childPaths(folder, folderNames.subtitles.startingWith(stem))
      for (const subtitleFolder of childPaths(folder, folderNames.folders.all().filter(isForSubtitles))) {
        const names = await namesIn(subtitleFolder)
        found.push(...childPaths(subtitleFolder, names.subtitles.startingWith('')))
        for (const filmFolder of childPaths(subtitleFolder, names.folders.startingWith(stem)))
          found.push(...childPaths(filmFolder, (await namesIn(filmFolder)).subtitles.startingWith('')))
      }
      return found.slice(0, maxSubtitlesPerFilm)
    },
  }
}

type FolderNames = { readonly subtitles: SortedNames; readonly folders: SortedNames }

const emptyNames = (): FolderNames => ({ subtitles: createSortedNames(), folders: createSortedNames() })

function addNames(page: EntryPage, { subtitles, folders }: FolderNames): void {
  for (const [at, name] of page.names.entries()) {
    const isFolder = ((page.flags[at] ?? 0) & entryFlag.folder) !== 0
    if (isFolder) folders.add(name)
    else if (isSubtitle(name)) subtitles.add(name)
  }
}

/**
 * True for the names of subtitle files. All four extensions have three letters, so checking the position of the dot
 * excludes most names before the regular expression runs.
 */
const isSubtitle = (name: string): boolean =>
  name.charAt(name.length - 4) === '.' && /(vtt|srt|ass|ssa)$/i.test(name)

/** True for the names of folders that contain subtitles for the films in the parent folder. */
const isForSubtitles = (name: string): boolean => /^(sub|subs|subtitles)$/i.test(name)

const childPaths = (folder: Path, names: readonly string[]): Path[] =>
  names.flatMap((name) => childOf(folder, name) ?? [])

type SortedNames = {
  add(name: string): void
  all(): readonly string[]
  /**
   * Returns up to `maxSubtitlesPerFilm` names that begin with the prefix, in sort order. The prefix is whole words:
   * `Movie 1` is the beginning of `Movie 1.en`, but not of `Movie 10`.
   */
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
      const start = lowerBound(all(), prefix)
      return names
        .slice(start, start + maxNamesRead)
        .filter((name) => name.startsWith(prefix) && (prefix === '' || !goesOn(name, prefix)))
        .slice(0, maxSubtitlesPerFilm)
    },
  }
}

/** Returns true when a letter or a digit follows the prefix, so that the name is about something else. */
const goesOn = (name: string, prefix: string): boolean => /^[\p{L}\p{N}]/u.test(name.slice(prefix.length))

/** Returns the index of the first name that is greater than or equal to the prefix, by binary search. */
function lowerBound(names: readonly string[], prefix: string): number {
  let [from, to] = [0, names.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((names[middle] ?? '') < prefix) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Calls `work` with each page of a folder, or with the first ones that have at least `maxNames` names together. A folder that the caller may not read counts as empty, and the film is then
 * shown without subtitles from that folder.
 */
async function forEachPage(
  { storage, signal, maxNames = Number.POSITIVE_INFINITY }: SubtitleSearch & { readonly maxNames?: number },
  folder: Path,
  work: (page: EntryPage) => void,
): Promise<void> {
  const order = { by: 'name', descending: false, folders: 'mixed' } as const
  try {
    let remaining = maxNames
    for await (const page of (await storage.list(folder, { order, signal })).pages) {
      work(page)
      remaining -= page.names.length
      if (remaining <= 0) break
    }
  } catch (error) {
    if (codeOf(error) === 'internal' || codeOf(error) === 'aborted') throw error
  }
}
