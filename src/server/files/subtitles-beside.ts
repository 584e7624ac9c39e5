import { nameOf, parentOf, root, childOf, type Path } from '../../shared/domain/path.ts'
import { splitName } from '../../shared/domain/names.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { flag, type Storage } from '../storage/port.ts'

type Named = { readonly name: string; readonly path: Path; readonly isFolder: boolean }
type Looking = { readonly storage: Storage; readonly signal: AbortSignal }

/**
 * The subtitles of a film (contract 3.5): in its folder those that begin with its name; in folders for subtitles all of them, and
 * those one level deeper in folders that begin with its name.
 */
export async function subtitlesBeside(looking: Looking, film: Path): Promise<Path[]> {
  if (film === root) return []
  const { stem } = splitName(nameOf(film))
  const beside = await namesIn(looking, parentOf(film))
  const found = beside.filter((it) => isSubtitle(it) && it.name.startsWith(stem))
  for (const folder of beside.filter(({ name, isFolder }) => isFolder && isForSubtitles(name))) {
    const inside = await namesIn(looking, folder.path)
    found.push(...inside.filter(isSubtitle))
    for (const own of inside.filter(({ name, isFolder }) => isFolder && name.startsWith(stem)))
      found.push(...(await namesIn(looking, own.path)).filter(isSubtitle))
  }
  return found.map(({ path }) => path)
}

const isSubtitle = ({ name, isFolder }: Named): boolean => !isFolder && /\.(vtt|srt|ass|ssa)$/i.test(name)
const isForSubtitles = (name: string): boolean => /^(sub|subs|subtitles)$/i.test(name)

/** Nothing where the folder may not be read: the film is shown without. */
async function namesIn(looking: Looking, folder: Path): Promise<Named[]> {
  try {
    return await listed(looking, folder)
  } catch (error) {
    if (codeOf(error) === 'internal' || codeOf(error) === 'aborted') throw error
    return []
  }
}

async function listed({ storage, signal }: Looking, folder: Path): Promise<Named[]> {
  const order = { by: 'name', descending: false, folders: 'mixed' } as const
  const found: Named[] = []
  for await (const { names, flags } of (await storage.list(folder, { order, signal })).pages) {
    for (const [at, name] of names.entries()) {
      const path = childOf(folder, name)
      if (path !== null) found.push({ name, path, isFolder: ((flags[at] ?? 0) & flag.folder) !== 0 })
    }
  }
  return found
}
