import { AppError } from '../../../shared/domain/failure.ts'
import { parentOf, root } from '../../../shared/domain/path.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { FoundNames, Storage } from '../port.ts'
import type { Ground } from './ground.ts'
import { stream } from './ground.ts'
import type { Rules } from './rules.ts'
import { isJudged, isPermitted } from './rules.ts'
import { pathBelow } from './resolve.ts'
import type { SentNames } from './tasks/trees/find.ts'

/** A search in a thread, whose finds are judged here: the thread is asked nothing, however many folders it enters. */
export async function* findNames(
  ground: Ground,
  path: Path,
  { query, ...op }: Parameters<Storage['find']>[1],
): AsyncGenerator<FoundNames, void> {
  const { rules } = ground
  if (!rules.mayRead) throw new AppError('forbidden')
  const sent = stream<SentNames>(ground, { task: 'find', input: { path, query }, op })
  const judges = new Map<Path, Judge>()
  const judgeAt = (start: Path): Judge => {
    const judge = judges.get(start) ?? createJudge(rules, start)
    judges.set(start, judge)
    return judge
  }
  for await (const { at, paths: joined, folders } of sent) {
    const paths = joined.split('\0')
    const isAllowed = isJudged(rules) ? both(judgeAt(path), at === path ? null : judgeAt(at)) : () => true
    const kept = paths.flatMap((below, index) => (isAllowed(below) ? [index] : []))
    if (kept.length === 0) continue
    yield {
      paths: kept.map((index) => paths[index] ?? ''),
      folders: kept.map((index) => folders[index] === 1),
    }
  }
}

/** Whether what lies there, as seen from the start, may be found. */
type Judge = (below: string) => boolean

/** Where a link was crossed, the path as asked for and the one that it resolved to must both be allowed. */
const both = (asked: Judge, resolved: Judge | null): Judge =>
  resolved === null ? asked : (below) => asked(below) && resolved(below)

/** A rule judges the path alone; what is hidden hides all below it, up to the start. */
function createJudge(rules: Rules, start: Path): Judge {
  const isHidden = (path: Path): boolean => rules.hides.some((hides) => hides(path))
  let folder: Path = start
  let isFolderHidden = false
  function isBelowHidden(path: Path): boolean {
    if (path === start || path === root) return false
    return isHidden(path) || isBelowHidden(parentOf(path))
  }
  return (below) => {
    const path = pathBelow(start, below)
    if (!isPermitted(rules, path)) return false
    if (rules.hides.length === 0) return true
    const above = parentOf(path)
    if (above !== folder) {
      folder = above
      isFolderHidden = isBelowHidden(above)
    }
    return !isFolderHidden && !isHidden(path)
  }
}
