import type { Entry, EntryKind, LinkTarget } from '../../../shared/domain/entry.ts'
import type { Facts } from './calls/calls.ts'

const kinds: Readonly<Record<number, EntryKind>> = {
  0o040000: 'folder',
  0o100000: 'file',
  0o120000: 'link',
}

/** What an entry of this mode is. */
export const kindOfMode = (mode: number): EntryKind => kinds[mode & 0o170000] ?? 'other'

export const kindOf = (facts: Facts): EntryKind => kindOfMode(facts.mode)

/** Milliseconds with their fraction. */
export const modifiedMsOf = (facts: Facts): number => Number(facts.modifiedNs / 1000n) / 1000

/**
 * Changes whenever the bytes may have: a save makes a new inode, an edit by other programs a new time of modification and of
 * change, the latter beyond anyone's setting.
 */
export const etagOf = ({ ino, sizeBytes, modifiedNs, changedNs }: Facts): string =>
  `${ino.toString(36)}-${sizeBytes.toString(36)}-${modifiedNs.toString(36)}-${changedNs.toString(36)}`

/** An entry that is no link. */
export const entryOf = (name: string, facts: Facts): Entry => ({
  name,
  kind: kindOf(facts),
  sizeBytes: facts.sizeBytes,
  modifiedMs: modifiedMsOf(facts),
  mode: facts.mode,
  etag: etagOf(facts),
})

/** A link, with what it leads to (null: nothing, but inside). Its etag is that of the bytes it leads to. */
export const linkEntryOf = (name: string, own: Facts, target: Facts | null): Entry => ({
  ...entryOf(name, own),
  etag: etagOf(target ?? own),
  target: target === null ? brokenTarget(own) : targetOf(target),
})

const targetOf = (facts: Facts): LinkTarget => ({
  kind: kindOf(facts) as LinkTarget['kind'],
  sizeBytes: facts.sizeBytes,
  modifiedMs: modifiedMsOf(facts),
  mode: facts.mode,
})

const brokenTarget = (own: Facts): LinkTarget => ({
  kind: 'missing',
  sizeBytes: own.sizeBytes,
  modifiedMs: modifiedMsOf(own),
  mode: own.mode,
})

/** Whether both are the same file or folder, whatever their names. */
export const isSame = (a: Identity, b: Identity): boolean => a.ino === b.ino && a.dev === b.dev

export type Identity = { readonly dev: bigint; readonly ino: bigint }
