import type { Path } from '../../../../shared/domain/path.ts'
import type { Facts, Seat } from '../calls/calls.ts'
import { bytesOf } from '../calls/descriptors.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { entryKind, nameAt } from '../calls/packed-names.ts'
import { isSame, kindOf } from '../facts.ts'
import { isStagedName } from '../reserved.ts'
import { findTargets, isOwn, pathBelow } from '../resolve.ts'
import type { Found, Question, Scene } from '../resolve.ts'

/** What a caller may know of in a folder. */
export type Seen = {
  readonly folders: Uint32Array
  readonly others: Uint32Array
  /** Where the links among them lead (null: to nothing). */
  readonly links: ReadonlyMap<number, Facts | null>
}

export type Looking = {
  /** The folder, open for reading, and what it is. */
  readonly folder: number
  readonly found: Pick<Found, 'path' | 'facts'>
  /** As it was asked for; `found.path` differs where links were crossed. */
  readonly path: Path
  readonly names: PackedNames
}

type Folder = Omit<Looking, 'path'>

/** What an entry is at first sight; `denied` is left out. */
export const mark = { denied: 0, plain: 1, folder: 2, link: 3, special: 4 } as const
const { denied, plain, folder, link, special } = mark
const marksByKind = { file: plain, folder, link, other: special } as const

/** Leaves out what is denied, ours, or a link that leaves; tells folders from the rest. */
export async function whatIsSeen(scene: Scene, looking: Looking): Promise<Seen> {
  const { names, path } = looking
  const marks = marksOf(scene, looking)
  await dropDenied(scene, looking, marks)
  const links = indicesOf(marks, (mark) => mark === link)
  const paths = Array.from(links, (index) => pathBelow(path, nameAt(names, index)))
  const targets = new Map<number, Facts | null>()
  for (const [at, target] of (await findTargets(scene, paths)).entries()) {
    const index = links[at] ?? 0
    if (target === 'denied') marks[index] = denied
    else {
      targets.set(index, target)
      marks[index] = target !== null && kindOf(target) === 'folder' ? folder : plain
    }
  }
  return {
    folders: indicesOf(marks, (mark) => mark === folder),
    others: indicesOf(marks, (mark) => mark === plain || mark === special),
    links: targets,
  }
}

/** What the entries of a folder are, without those that are ours. Rules are not asked, links not followed. */
export function marksOf(scene: Scene, looking: Folder): Uint8Array {
  const { count } = looking.names
  const marks = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) marks[index] = markOf(scene, looking, index)
  dropReserved(scene, looking, marks)
  dropOwn(scene, looking, marks)
  return marks
}

function markOf({ calls }: Scene, { names, folder: descriptor }: Folder, index: number): number {
  const kind = names.kinds[index]
  if (kind === entryKind.folder) return folder
  if (kind === entryKind.link) return link
  if (kind === entryKind.file) return plain
  if (kind !== entryKind.unknown) return special
  try {
    const found = kindOf(calls.factsAt({ folder: descriptor, name: nameAt(names, index) }))
    return marksByKind[found]
  } catch {
    return denied
  }
}

/** Staged names, and at the top what is ours: told by their bytes, since strings of all names would cost. */
function dropReserved({ where }: Scene, { found, names }: Folder, marks: Uint8Array): void {
  const dot = 46
  const { bytes, starts, count } = names
  for (let index = 0; index < count; index += 1) {
    if (bytes[starts[index] ?? 0] === dot && isStagedName(nameAt(names, index))) marks[index] = denied
  }
  if (found.path !== '/') return
  for (const name of where.topNames) {
    for (let index = 0; index < count; index += 1) if (isNamed(names, index, name)) marks[index] = denied
  }
}

const isNamed = (names: PackedNames, index: number, name: string): boolean =>
  names.bytes[names.starts[index] ?? 0] === name.charCodeAt(0) && nameAt(names, index) === name

/** The server's own files: told by their inode numbers where the folder gives them, else by a look at each. */
function dropOwn(scene: Scene, { folder: descriptor, found, names }: Folder, marks: Uint8Array): void {
  const { files, prefixes } = scene.where.own
  const inos = new Set(files.map(({ ino }) => Number(ino)))
  for (let index = 0; index < names.count && files.length > 0; index += 1) {
    if (names.inos !== null && !inos.has(names.inos[index] ?? 0)) continue
    if (isOwnAt(scene, { folder: descriptor, name: nameAt(names, index) })) marks[index] = denied
  }
  for (const own of prefixes.filter((prefix) => isSame(prefix, found.facts))) {
    const prefix = bytesOf(own.prefix)
    for (let index = 0; index < names.count; index += 1) {
      const from = names.starts[index] ?? 0
      if (names.bytes.compare(prefix, 0, prefix.length, from, from + prefix.length) === 0)
        marks[index] = denied
    }
  }
}

function isOwnAt(scene: Scene, seat: Seat): boolean {
  try {
    return isOwn(scene, scene.calls.factsAt(seat))
  } catch {
    return false
  }
}

/** Asks the rules, which live in the main thread: for the path as requested and, where links were crossed, as resolved. */
async function dropDenied(
  { where, link: main }: Scene,
  { names, path, found }: Looking,
  marks: Uint8Array,
): Promise<void> {
  if (!where.isJudged || names.count === 0) return
  const bytes = new Uint8Array(names.bytes.subarray(0, names.starts[names.count]))
  for (const place of path === found.path ? [path] : [path, found.path]) {
    const question: Question = { kind: 'children', folder: place, names: bytes }
    const verdicts = (await main.ask(question)) as Uint8Array
    for (let index = 0; index < names.count; index += 1) if (verdicts[index] !== 1) marks[index] = denied
  }
}

function indicesOf(marks: Uint8Array, isWanted: (mark: number) => boolean): Uint32Array {
  const indices = new Uint32Array(marks.length)
  let count = 0
  for (let index = 0; index < marks.length; index += 1) {
    if (!isWanted(marks[index] ?? 0)) continue
    indices[count] = index
    count += 1
  }
  return indices.slice(0, count)
}
