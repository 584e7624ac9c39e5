import { closeSync, fstatSync, lstatSync, readSync, readdirSync, writeSync } from 'node:fs'
import type { BigIntStats, Dirent, Stats } from 'node:fs'
import type { Calls, Facts, Seat, StatColumns } from './calls.ts'
import {
  errnoOf,
  linkAt,
  mountIdOf,
  makeFolderAt,
  openAt,
  opening,
  pathAt,
  readLinkAt,
  removeFolderAt,
  renameAt,
  reopen,
  unlinkAt,
} from './descriptors.ts'
import type { PackedNames } from './packed-names.ts'
import { createPacker, entryKind, finish, nameAt, reserve } from './packed-names.ts'

/** What stands in where the kernel's calls cannot be had: the same, step by step, through `/proc/self/fd`. */
export function nodeCalls(): Calls {
  const copyBuffer = Buffer.allocUnsafeSlow(1024 * 1024)
  return {
    kind: 'walk',
    openPlain,
    openFollowing: () => null,
    openFile: (seat) => openAt(seat, opening.read),
    openFolder: (seat) => openAt(seat, opening.plainFolder),
    facts: (descriptor) => factsOf(fstatSync(descriptor, { bigint: true })),
    factsAt: (seat) => factsOf(lstatSync(pathAt(seat), { bigint: true })),
    lookAt(seat) {
      const stats = lstatSync(pathAt(seat), { bigint: true, throwIfNoEntry: false })
      return stats === undefined ? null : factsOf(stats)
    },
    mountId: mountIdOf,
    readNames,
    statEntries,
    moveNew,
    nameNew: null,
    beginFlush: () => {},
    writeOut: null,
    flushEach: null,
    flushDisk: null,
    copySome(from, to, mostBytes) {
      const length = readSync(from, copyBuffer, 0, Math.min(copyBuffer.length, mostBytes), null)
      for (let at = 0; at < length;) at += writeSync(to, copyBuffer, at, length - at)
      return length
    },
  }
}

/** One open a name, each from the folder before it and none through a link. */
function openPlain(folder: number, names: readonly string[]): number {
  let current = reopen(folder, opening.followingHandle)
  for (const [at, name] of names.entries()) {
    const above = current
    try {
      const isLast = at === names.length - 1
      current = openAt({ folder: above, name }, isLast ? opening.handle : opening.folderHandle)
    } catch (error) {
      throw errnoOf(error) === 'ENOTDIR' && isLink({ folder: above, name }) ? linkMet(error) : error
    } finally {
      closeSync(above)
    }
  }
  return current
}

/** A link that is opened as a folder, unfollowed, is reported as no folder: told apart by reading it. */
function isLink(seat: Seat): boolean {
  try {
    readLinkAt(seat)
    return true
  } catch {
    return false
  }
}

const linkMet = (cause: unknown): Error => Object.assign(new Error('ELOOP', { cause }), { code: 'ELOOP' })

const factsOf = (stats: BigIntStats): Facts => ({
  mode: Number(stats.mode),
  sizeBytes: Number(stats.size),
  dev: stats.dev,
  ino: stats.ino,
  modifiedNs: stats.mtimeNs,
  changedNs: stats.ctimeNs,
  links: Number(stats.nlink),
  uid: Number(stats.uid),
  gid: Number(stats.gid),
})

function readNames(folder: number): PackedNames {
  const packer = createPacker(false)
  const entries = readdirSync(`/proc/self/fd/${folder}`, { encoding: 'buffer', withFileTypes: true })
  for (const entry of entries) {
    reserve(packer, 1, entry.name.length + 1)
    packer.bytes.set(entry.name, packer.length)
    packer.bytes[packer.length + entry.name.length] = 0
    packer.starts[packer.count] = packer.length
    packer.kinds[packer.count] = kindOf(entry)
    packer.length += entry.name.length + 1
    packer.count += 1
  }
  return finish(packer)
}

function kindOf(entry: Dirent<Buffer>): number {
  if (entry.isFile()) return entryKind.file
  if (entry.isDirectory()) return entryKind.folder
  return entry.isSymbolicLink() ? entryKind.link : entryKind.unknown
}

type Stating = { readonly folder: number; readonly names: PackedNames; readonly indices: Uint32Array }

function statEntries({ folder, names, indices }: Stating, into: StatColumns): void {
  for (const index of indices) {
    const stats = statsOrNone({ folder, name: nameAt(names, index) })
    into.modes[index] = stats?.mode ?? 0
    into.sizesBytes[index] = stats?.size ?? 0
    into.modifiedMs[index] = stats?.mtimeMs ?? 0
  }
}

function statsOrNone(seat: Seat): Stats | undefined {
  try {
    return lstatSync(pathAt(seat), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * A file gets its second name, which fails where one is taken, and loses its first. A folder's name is claimed by making an empty
 * one, which the kernel then replaces: by nothing else than an empty folder.
 */
function moveNew(from: Seat, to: Seat): void {
  if (!lstatSync(pathAt(from)).isDirectory()) {
    linkAt(from, to)
    unlinkAt(from)
    return
  }
  makeFolderAt(to, 0o700)
  try {
    renameAt(from, to)
  } catch (error) {
    removeFolderAt(to)
    throw error
  }
}
