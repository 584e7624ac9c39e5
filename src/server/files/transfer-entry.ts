import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { childOf, isWithin, nameOf, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ChangedEntry } from '../storage/change.ts'
import type { Storage } from '../storage/port.ts'
import { statOrNull } from '../storage/stat-or-null.ts'

/**
 * The action when the destination already exists: the transfer is refused, a numbered name is chosen, or the existing
 * entry is overwritten.
 */
export type ConflictAction = 'refuse' | 'rename' | 'overwrite'

/** A copy or a move to make. */
export type Transfer = {
  readonly verb: 'copy' | 'move'
  readonly from: Path
  readonly to: Path
  readonly onConflict: ConflictAction
  /** True when the permission to modify files is required, whether or not a file is replaced (contract 3.8). */
  readonly needsModify: boolean
  /** Returns the n-th candidate for a free name. */
  readonly candidateOf: (name: string, n: number) => string
}

/** The path of a copied or moved entry, and what could not be kept. */
export type TransferResult = { readonly at: Path } & Pick<ChangedEntry, 'losses'>

/**
 * Maximum number of numbered names that are tried before the transfer fails. In practice no folder has 10,000 copies of
 * one name.
 */
const maxNameAttempts = 10_000

/**
 * Copies, renames or moves an entry. The refusals come in the order that contract 3.8 defines. The storage refuses a move in
 * the same order, so a user with the permissions for it makes a move at once, without lookups.
 */
export async function transferEntry(
  actor: Actor,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<TransferResult> {
  const { storage, may } = actor
  const { verb, from, to, onConflict, needsModify } = transfer
  const isMoveToPath = verb === 'move' && onConflict !== 'rename'
  const isMadeAtOnce = isMoveToPath && to !== from && may('rename') && (!needsModify || may('modify'))
  if (!isMadeAtOnce) await requireTransferable(actor, transfer)
  if (isMoveToPath && to === from) {
    // Nothing is changed, but the audit log contains what was asked for.
    await storage.asOne({ action: 'move', path: from, to }, (same) =>
      same.check({ kind: 'move', path: from, to, overwrite: 'create', signal }),
    )
    return { at: to }
  }
  if (onConflict === 'rename') return transferToFreeName(storage, transfer, signal)
  const overwrite = onConflict === 'overwrite' ? 'upsert' : 'create'
  try {
    const { losses } = await storage.apply({ kind: verb, path: from, to, overwrite, signal })
    return { at: to, ...(losses && { losses }) }
  } catch (error) {
    // New names are checked before the storage, but what the storage refuses comes first.
    if (isMadeAtOnce && codeOf(error) === 'bad-name') await requireTransferable(actor, transfer)
    throw error
  }
}

/** Throws what refuses a transfer before anything else does: rules, the paths themselves, a conflict, and *modify*. */
async function requireTransferable(
  { storage, may }: Actor,
  { verb, from, to, onConflict, needsModify }: Transfer,
): Promise<void> {
  // Both lookups also refuse a path that a rule denies, that of the source first.
  await statOrNull(storage, from)
  const existing = await statOrNull(storage, to)
  if (from === root || to === root) throw new AppError('forbidden')
  if (to !== from && isWithin(to, from)) throw new AppError('into-itself', { reason: 'source is parent' })
  if (verb === 'move' && to === from && onConflict !== 'rename') return
  if (existing !== null && onConflict === 'refuse') throw new AppError('name-taken')
  if (needsModify && !may('modify')) throw new AppError('forbidden', { permission: 'modify' })
}

/**
 * Copies or moves an entry to the first free name in the sequence `x.txt`, `x(1).txt`, `x(2).txt` and so on. Skips
 * names that access rules deny and names that a concurrent request has just used.
 */
async function transferToFreeName(
  storage: Storage,
  { verb, from, to, candidateOf }: Transfer,
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
