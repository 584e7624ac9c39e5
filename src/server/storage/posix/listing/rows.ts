import { closeSync, readSync } from 'node:fs'
import { fileTypes, headBytes, mostTextBytes, typeOfFile } from '../../../../shared/domain/file-kind.ts'
import type { FileType } from '../../../../shared/domain/file-kind.ts'
import { flag } from '../../port.ts'
import type { StatColumns } from '../calls/calls.ts'
import { openAt, opening, reopen } from '../calls/descriptors.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { nameAt, sharedWords } from '../calls/packed-names.ts'
import { kindOfMode, modifiedMsOf } from '../facts.ts'
import { find, pathBelow } from '../resolve.ts'
import type { Scene } from '../resolve.ts'
import { typeByName, unclear } from './name-types.ts'
import type { Looking, Seen } from './seen.ts'
import { fewAlone } from './stat-together.ts'

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

/** Columns for the facts of a folder's entries; of those that another thread may help with, in memory that threads share. */
export const emptyColumns = (count: number): StatColumns =>
  count > fewAlone
    ? {
        modes: sharedWords(count),
        sizesBytes: new Float64Array(new SharedArrayBuffer(count * 8)),
        modifiedMs: new Float64Array(new SharedArrayBuffer(count * 8)),
      }
    : {
        modes: new Uint32Array(count),
        sizesBytes: new Float64Array(count),
        modifiedMs: new Float64Array(count),
      }

/** Fills in the facts of these entries; those of a link are its target's, or its own where it is broken. */
export function statRows({ calls }: Scene, rows: Rows, indices: Uint32Array): void {
  const { folder, names } = rows.looking
  calls.statEntries({ folder, names, indices }, rows.columns)
  fillTargets(rows)
}

/** Puts the facts of what links lead to in the place of the links' own. */
export function fillTargets({ seen, columns }: Rows): void {
  for (const [index, target] of seen.links) {
    if (target === null || columns.modes[index] === 0) continue
    columns.modes[index] = target.mode
    columns.sizesBytes[index] = target.sizeBytes
    columns.modifiedMs[index] = modifiedMsOf(target)
  }
}

/** The rows of these entries, without those that have gone meanwhile. */
export async function pageOf(scene: Scene, rows: Rows, indices: Uint32Array): Promise<SentPage> {
  const { columns, looking, sniffs } = rows
  const there = withoutGone(columns, indices)
  const page = emptyPage(packed(looking.names, there), there.length)
  const unread: number[] = []
  for (let at = 0; at < there.length; at += 1) {
    const index = there[at] as number
    page.sizesBytes[at] = columns.sizesBytes[index] as number
    page.modifiedMs[at] = columns.modifiedMs[index] as number
    page.modes[at] = columns.modes[index] as number
    page.flags[at] = flagsOf(rows, index)
    const type = typeOf(rows, index)
    page.types[at] = type === unclear ? unreadTypeOf(rows, index) : type
    if (sniffs && type === unclear) unread.push(at)
  }
  for (const at of unread) page.types[at] = fileTypes.indexOf(await sniff(scene, rows, there[at] ?? 0))
  return page
}

/** The buffers of a page, which are handed over and not copied. */
export const buffersOf = ({ names, flags }: SentPage): ArrayBuffer[] => [names.buffer, flags.buffer]

function withoutGone({ modes }: StatColumns, indices: Uint32Array): Uint32Array {
  for (let at = 0; at < indices.length; at += 1) {
    if (modes[indices[at] as number] === 0) return indices.filter((index) => modes[index] !== 0)
  }
  return indices
}

/** All columns but the names lie in one buffer: each that is sent costs as much as many rows. */
function emptyPage(names: Uint8Array<ArrayBuffer>, count: number): SentPage {
  const columns = new ArrayBuffer(count * (8 + 8 + 4 + 1 + 1))
  return {
    names,
    sizesBytes: new Float64Array(columns, 0, count),
    modifiedMs: new Float64Array(columns, count * 8, count),
    modes: new Uint32Array(columns, count * 16, count),
    flags: new Uint8Array(columns, count * 20, count),
    types: new Uint8Array(columns, count * 21, count),
  }
}

function packed({ bytes, starts }: PackedNames, indices: Uint32Array): Uint8Array<ArrayBuffer> {
  let size = 0
  for (let row = 0; row < indices.length; row += 1) {
    const index = indices[row] as number
    size += (starts[index + 1] as number) - (starts[index] as number)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (let row = 0; row < indices.length; row += 1) {
    const index = indices[row] as number
    const end = starts[index + 1] as number
    for (let from = starts[index] as number; from < end; from += 1) {
      all[at] = bytes[from] as number
      at += 1
    }
  }
  return all
}

function flagsOf({ seen, columns }: Rows, index: number): number {
  const type = (columns.modes[index] as number) & 0o170000
  if (type === 0o100000 && seen.links.size === 0) return 0
  const target = seen.links.get(index)
  const kind = kindOfMode(type)
  return (
    (kind === 'folder' ? flag.folder : 0) |
    (target === undefined ? 0 : flag.link) |
    (target === null ? flag.broken : 0) |
    (kind === 'other' ? flag.special : 0)
  )
}

const blob = fileTypes.indexOf('blob')
const text = fileTypes.indexOf('text')
const folder = fileTypes.indexOf('')
const brokenLink = fileTypes.indexOf('invalid_link')

/** An index into `fileTypes`, or `unclear` where only the first bytes can tell. */
function typeOf({ columns, looking }: Rows, index: number): number {
  const type = (columns.modes[index] as number) & 0o170000
  if (type === 0o040000) return folder
  if (type === 0o120000) return brokenLink
  if (type !== 0o100000) return blob
  const named = typeByName(looking.names, index)
  const sizeBytes = columns.sizesBytes[index] as number
  if (named === unclear || sizeBytes <= mostTextBytes) return named
  return fileTypes.indexOf(typeOfFile(nameAt(looking.names, index), sizeBytes, null))
}

/** What an unclear file counts as while its first bytes are not read (contract 3.4). */
const unreadTypeOf = ({ columns }: Rows, index: number): number =>
  (columns.sizesBytes[index] as number) <= mostTextBytes ? text : blob

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
