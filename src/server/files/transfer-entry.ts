import type { transferResource, TransferQuery } from '../../shared/contract/resources.ts'
import { operationPermissions } from '../../shared/domain/access.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { conflictName, numberedName } from '../../shared/domain/names.ts'
import { childOf, encodePath, isWithin, nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import { lossHeaders } from '../http/response/loss-headers.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { ChangedEntry } from '../storage/change.ts'
import type { Storage } from '../storage/port.ts'
import { destinationOf } from './destination.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

/**
 * The action when the destination already exists: the transfer is refused, a numbered name is chosen, or the existing
 * entry is overwritten.
 */
export type ConflictAction = 'refuse' | 'rename' | 'overwrite'
type TransferVerb = 'copy' | 'move'

/** A requested copy or move, with the action for an existing destination. */
type TransferPlan = {
  readonly verb: TransferVerb
  readonly from: Path
  readonly to: Path
  readonly onConflict: ConflictAction
  /** Returns the n-th candidate for a free name. */
  readonly candidateOf: (name: string, n: number) => string
}

/**
 * Maximum number of numbered names that are tried before the transfer fails. In practice no folder has 10,000 copies of
 * one name.
 */
const maxNameAttempts = 10_000

/** Copies, renames or moves an entry. The checks are made in the order that contract 3.8 defines. */
export async function transferEntry({
  caller,
  path,
  query,
  signal,
}: OperationRequest<typeof transferResource>): Promise<RouteResponse> {
  const to = destinationOf(query.destination)
  const source = await statOrNull(caller.storage, path)
  const existing = await statOrNull(caller.storage, to)
  if (path === root || to === root) throw new AppError('forbidden')
  if (to !== path && isWithin(to, path)) throw new AppError('into-itself', { reason: 'source is parent' })
  const plan = { from: path, to, onConflict: onConflictOf(query), candidateOf: candidatesOf(query) }
  if (isRenameToItself(plan, query)) {
    requireRight(caller, 'move')
    requireSource(source)
    return locationResponse({ at: to })
  }
  if (existing !== null && plan.onConflict === 'refuse') throw new AppError('name-taken')
  if (query.override === 'true' && !caller.may('modify'))
    throw new AppError('forbidden', { permission: 'modify' })
  const verb = verbOf(query)
  requireRight(caller, verb)
  requireSource(source)
  if (to === path && plan.onConflict !== 'rename') throw new AppError('name-taken')
  return locationResponse(await copyOrMove(caller.storage, { ...plan, verb }, signal))
}

/**
 * Returns the action for an existing destination. Of the two flags in the query, `rename` takes precedence over
 * `override`.
 */
export function onConflictOf(query: Pick<TransferQuery, 'override' | 'rename'>): ConflictAction {
  if (query.rename === 'true') return 'rename'
  return query.override === 'true' ? 'overwrite' : 'refuse'
}

/** Clients of File Browser expect `x.tar(1).gz` and `(1).bashrc`. Ours asks for `x(1).tar.gz` and `.bashrc(1)`. */
const candidatesOf = ({ wholeExtension }: TransferQuery): TransferPlan['candidateOf'] =>
  wholeExtension === 'true' ? conflictName : numberedName

function verbOf({ action }: TransferQuery): TransferVerb {
  if (action === 'copy') return 'copy'
  if (action === 'rename') return 'move'
  throw new AppError('bad-request', { reason: 'unknown action' })
}

const isRenameToItself = (plan: Omit<TransferPlan, 'verb'>, { action }: TransferQuery): boolean =>
  action === 'rename' && plan.to === plan.from && plan.onConflict !== 'rename'

function requireRight(caller: Caller, verb: TransferVerb): void {
  const [permission] = operationPermissions[verb]
  if (!caller.may(permission)) throw new AppError('forbidden', { permission })
}

function requireSource(source: Entry | null): void {
  if (source === null) throw new AppError('not-found')
}

/** The path of a copied or moved entry, and what could not be kept. */
type TransferResult = { readonly at: Path } & Pick<ChangedEntry, 'losses'>

const locationResponse = ({ at, losses }: TransferResult): RouteResponse => ({
  kind: 'status',
  status: 200,
  headers: { 'Content-Location': encodePath(at), ...lossHeaders(losses) },
})

async function copyOrMove(
  storage: Storage,
  plan: TransferPlan,
  signal: AbortSignal,
): Promise<TransferResult> {
  const { verb, from, to, onConflict } = plan
  if (onConflict === 'rename') return copyOrMoveToFreeName(storage, plan, signal)
  const overwrite = onConflict === 'overwrite' ? 'upsert' : 'create'
  const { losses } = await storage.apply({ kind: verb, path: from, to, overwrite, signal })
  return { at: to, ...(losses && { losses }) }
}

/**
 * Copies or moves an entry to the first free name in the sequence `x.txt`, `x(1).txt`, `x(2).txt` and so on. Skips
 * names that access rules deny and names that a concurrent request has just used.
 */
async function copyOrMoveToFreeName(
  storage: Storage,
  { verb, from, to, candidateOf }: TransferPlan,
  signal: AbortSignal,
): Promise<TransferResult> {
  for (let n = 0; n < maxNameAttempts; n += 1) {
    const target = childOf(parentOf(to), candidateOf(nameOf(to), n))
    if (target === null) break
    if (!(await isFree(storage, target))) continue
    try {
      const { losses } = await storage.apply({
        kind: verb,
        path: from,
        to: target,
        overwrite: 'create',
        signal,
      })
      return { at: target, ...(losses && { losses }) }
    } catch (error) {
      if (codeOf(error) !== 'name-taken') throw error
    }
  }
  throw new AppError('name-taken')
}

/** True when the caller may use a path and no entry exists there. */
async function isFree(storage: Storage, path: Path): Promise<boolean> {
  try {
    return (await statOrNull(storage, path)) === null
  } catch (error) {
    if (codeOf(error) === 'forbidden') return false
    throw error
  }
}
