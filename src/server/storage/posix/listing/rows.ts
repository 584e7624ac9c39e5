import { closeSync, readSync } from 'node:fs'
import { fileTypes, headBytes, typeOfFile, typeOfName } from '../../../../shared/domain/file-kind.ts'
import type { FileType } from '../../../../shared/domain/file-kind.ts'
import { flag } from '../../port.ts'
import type { StatColumns } from '../calls/calls.ts'
import { openAt, opening, reopen } from '../calls/descriptors.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { nameAt } from '../calls/packed-names.ts'
import { kindOfMode, modifiedMsOf } from '../facts.ts'
import { find, pathBelow } from '../resolve.ts'
import type { Scene } from '../resolve.ts'
import type { Looking, Seen } from './seen.ts'

/** A page on its way to the main thread: names as bytes, each followed by a NUL; the rest as in `EntryPage`. */
export type SentPage = {
  readonly names: Uint8Array<ArrayBuffer>
  readonly flags: Uint8Array<ArrayBuffer>
  readonly sizesBytes: Float64Array<ArrayBuffer>
  readonly modifiedMs: Float64Array<ArrayBuffer>
  readonly modes: Uint32Array<ArrayBuffer>
  readonly types: Uint8Array<ArrayBuffer>
}

export type Rows = {
  readonly looking: Looking
  readonly seen: Seen
  readonly columns: StatColumns
  readonly sniffs: boolean
}

export const emptyColumns = (count: number): StatColumns => ({
  modes: new Uint32Array(count),
  sizesBytes: new Float64Array(count),
  modifiedMs: new Float64Array(count),
})

/** Fills in the facts of these entries; those of a link are its target's, or its own where it is broken. */
export function statRows({ calls }: Scene, { looking, seen, columns }: Rows, indices: Uint32Array): void {
  const { folder, names } = looking
  calls.statEntries({ folder, names, indices }, columns)
  if (seen.links.size === 0) return
  for (const index of indices) {
    const target = seen.links.get(index)
    if (target === undefined || target === null || columns.modes[index] === 0) continue
    columns.modes[index] = target.mode
    columns.sizesBytes[index] = target.sizeBytes
    columns.modifiedMs[index] = modifiedMsOf(target)
  }
}

/** The rows of these entries, without those that have gone meanwhile. */
export async function pageOf(scene: Scene, rows: Rows, indices: Uint32Array): Promise<SentPage> {
  const { looking, columns } = rows
  const there = indices.filter((index) => columns.modes[index] !== 0)
  const types = new Uint8Array(there.length)
  const unclear: number[] = []
  for (const [at, index] of there.entries()) {
    const type = typeOf(rows, index)
    if (type === null) unclear.push(at)
    types[at] = fileTypes.indexOf(type ?? 'blob')
  }
  for (const at of rows.sniffs ? unclear : [])
    types[at] = fileTypes.indexOf(await sniff(scene, rows, there[at] ?? 0))
  return {
    names: packed(looking.names, there),
    flags: Uint8Array.from(there, (index) => flagsOf(rows, index)),
    sizesBytes: Float64Array.from(there, (index) => columns.sizesBytes[index] ?? 0),
    modifiedMs: Float64Array.from(there, (index) => columns.modifiedMs[index] ?? 0),
    modes: Uint32Array.from(there, (index) => columns.modes[index] ?? 0),
    types,
  }
}

/** The buffers of a page, which are handed over and not copied. */
export const buffersOf = (page: SentPage): ArrayBuffer[] => Object.values(page).map((column) => column.buffer)

function packed({ bytes, starts }: PackedNames, indices: Uint32Array): Uint8Array<ArrayBuffer> {
  let size = 0
  for (const index of indices) size += (starts[index + 1] ?? 0) - (starts[index] ?? 0)
  const all = new Uint8Array(size)
  let at = 0
  for (const index of indices) {
    const end = starts[index + 1] ?? 0
    for (let from = starts[index] ?? 0; from < end; from += 1) {
      all[at] = bytes[from] ?? 0
      at += 1
    }
  }
  return all
}

function flagsOf({ seen, columns }: Rows, index: number): number {
  const target = seen.links.get(index)
  const kind = kindOfMode(columns.modes[index] ?? 0)
  return (
    (kind === 'folder' ? flag.folder : 0) |
    (target === undefined ? 0 : flag.link) |
    (target === null ? flag.broken : 0) |
    (kind === 'other' ? flag.special : 0)
  )
}

/** Null when only the first bytes can tell. */
function typeOf({ seen, columns, looking }: Rows, index: number): FileType | null {
  const mode = (columns.modes[index] ?? 0) & 0o170000
  if (mode === 0o040000) return ''
  if (mode === 0o120000 || seen.links.get(index) === null) return 'invalid_link'
  if (mode !== 0o100000) return 'blob'
  const name = nameAt(looking.names, index)
  if (typeOfName(name) === null) return null
  return typeOfFile(name, columns.sizesBytes[index] ?? 0, null)
}

async function sniff(scene: Scene, { looking, seen, columns }: Rows, index: number): Promise<FileType> {
  const name = nameAt(looking.names, index)
  const sizeBytes = columns.sizesBytes[index] ?? 0
  const head =
    sizeBytes === 0 ? new Uint8Array() : await headOf(scene, looking, { name, isLink: seen.links.has(index) })
  return typeOfFile(name, sizeBytes, head)
}

/** The first bytes of a file, or null where they cannot be read. */
async function headOf(
  scene: Scene,
  looking: Looking,
  { name, isLink }: { readonly name: string; readonly isLink: boolean },
): Promise<Uint8Array | null> {
  try {
    const descriptor = isLink
      ? await openTarget(scene, looking, name)
      : openAt({ folder: looking.folder, name }, opening.read)
    try {
      const head = new Uint8Array(headBytes)
      return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

async function openTarget(scene: Scene, { path }: Looking, name: string): Promise<number> {
  using found = await find(scene, pathBelow(path, name))
  return reopen(found.descriptor, opening.read)
}
