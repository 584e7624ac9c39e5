import type { transferResource, TransferQuery } from '../../shared/contract/resources.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { numberedName } from '../../shared/domain/names.ts'
import { childOf, encodePath, isWithin, nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Storage } from '../storage/port.ts'
import { destinationOf } from './destination.ts'
import { look } from './look.ts'

/** What to do when the destination is taken. */
export type OnConflict = 'refuse' | 'rename' | 'overwrite'
type Verb = 'copy' | 'move'

type Wish = { readonly verb: Verb; readonly from: Path; readonly to: Path; readonly onConflict: OnConflict }

/** How many numbered names are tried before giving up: a folder with that many copies of one name has another problem. */
const mostNames = 10_000

/** Copies, renames or moves, with the checks in the order of contract 3.8. */
export async function transfer({
  caller,
  path,
  query,
  signal,
}: Asked<typeof transferResource>): Promise<Answer> {
  const to = destinationOf(query.destination)
  const source = await look(caller.storage, path)
  const standing = await look(caller.storage, to)
  if (path === root || to === root) throw new AppError('forbidden')
  if (to !== path && isWithin(to, path)) throw new AppError('into-itself', { reason: 'source is parent' })
  const wish = { from: path, to, onConflict: onConflictOf(query) }
  if (isRenameOntoItself(wish, query)) {
    requireRight(caller, 'move')
    requireSource(source)
    return finished(to)
  }
  if (standing !== null && wish.onConflict === 'refuse') throw new AppError('name-taken')
  if (query.override === 'true' && !caller.may('modify')) throw new AppError('forbidden')
  const verb = verbOf(query)
  requireRight(caller, verb)
  requireSource(source)
  if (to === path && wish.onConflict !== 'rename') throw new AppError('name-taken')
  return finished(await put(caller.storage, { ...wish, verb }, signal))
}

/** The wire says it with two flags, of which `rename` wins; from here on it is one word. */
export function onConflictOf(query: Pick<TransferQuery, 'override' | 'rename'>): OnConflict {
  if (query.rename === 'true') return 'rename'
  return query.override === 'true' ? 'overwrite' : 'refuse'
}

function verbOf({ action }: TransferQuery): Verb {
  if (action === 'copy') return 'copy'
  if (action === 'rename') return 'move'
  throw new AppError('bad-request', { reason: 'unknown action' })
}

const isRenameOntoItself = (wish: Omit<Wish, 'verb'>, { action }: TransferQuery): boolean =>
  action === 'rename' && wish.to === wish.from && wish.onConflict !== 'rename'

function requireRight(caller: Caller, verb: Verb): void {
  if (!caller.may(verb === 'copy' ? 'create' : 'rename')) throw new AppError('forbidden')
}

function requireSource(source: Entry | null): void {
  if (source === null) throw new AppError('not-found')
}

const finished = (at: Path): Answer => ({
  kind: 'status',
  status: 200,
  headers: { 'Content-Location': encodePath(at) },
})

async function put(storage: Storage, wish: Wish, signal: AbortSignal): Promise<Path> {
  const { verb, from, to, onConflict } = wish
  if (onConflict === 'rename') return putUnderFreeName(storage, wish, signal)
  await storage[verb](from, to, { overwrite: onConflict === 'overwrite' ? 'upsert' : 'create', signal })
  return to
}

/** The first free of `x.txt`, `x(1).txt`, `x(2).txt`…; one that is taken meanwhile, or that rules deny, is passed over. */
async function putUnderFreeName(
  storage: Storage,
  { verb, from, to }: Wish,
  signal: AbortSignal,
): Promise<Path> {
  for (let n = 0; n < mostNames; n += 1) {
    const target = childOf(parentOf(to), numberedName(nameOf(to), n))
    if (target === null) break
    if (!(await isFree(storage, target))) continue
    try {
      await storage[verb](from, target, { overwrite: 'create', signal })
      return target
    } catch (error) {
      if (codeOf(error) !== 'name-taken') throw error
    }
  }
  throw new AppError('name-taken')
}

async function isFree(storage: Storage, path: Path): Promise<boolean> {
  try {
    return (await look(storage, path)) === null
  } catch (error) {
    if (codeOf(error) === 'forbidden') return false
    throw error
  }
}
