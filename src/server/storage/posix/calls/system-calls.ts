import { closeSync, openSync } from 'node:fs'
import type { Calls, Facts, Seat, StatColumns } from './calls.ts'
import { createFlushEach } from './flush-each.ts'
import { mountIdOf, opening, pathOfDescriptor } from './descriptors.ts'
import {
  atEmptyPath,
  basicStats,
  closeOnExec,
  direntBytes,
  factsOf,
  loadKernel,
  pathBytes,
  resolveBeneath,
  resolveNoMagicLinks,
  resolveNoSymlinks,
  systemError,
  type How,
  type Kernel,
  type LoadedKernel,
  type WorkSpace,
} from './kernel.ts'
import type { PackedNames, Packer } from './packed-names.ts'
import { createPacker, empty, finish, reserve } from './packed-names.ts'

/** statx(2) */
const noFollow = 0x100
const mountIdStat = 0x1000
const listStats = 0x1 | 0x2 | 0x40 | 0x200
/** renameat2(2) */
const noReplace = 1
/** linkat(2) */
const followSymlink = 0x400
/** sync_file_range(2) */
const beginWriting = 2
const untilWritten = 1 | 2 | 4
/** ENOENT */
const noEntry = 2
/** Stands for the current folder, which an absolute path makes no use of. */
const anywhere = -100

/** The kernel's calls, or null where koffi does not load, the machine is unknown, or a call is forbidden or missing. */
export async function loadSystemCalls(): Promise<Calls | null> {
  const loaded = await loadKernel()
  if (loaded === null) return null
  try {
    const calls = callsOf(loaded)
    probe(calls)
    return calls
  } catch {
    return null
  }
}

/** Throws where the kernel or a filter refuses what the rest relies on. */
function probe(calls: Calls): void {
  const root = openSync('/', opening.folderHandle)
  const descriptor = calls.openPlain(root, [])
  calls.facts(descriptor)
  for (const opened of [root, descriptor]) closeSync(opened)
}

const howOf = (flags: number, resolve: number): How => ({
  flags: BigInt(flags | closeOnExec),
  resolve: BigInt(resolve | resolveBeneath | resolveNoMagicLinks),
})
const how = {
  plain: howOf(opening.handle, resolveNoSymlinks),
  following: howOf(opening.followingHandle, 0),
  file: howOf(opening.read, resolveNoSymlinks),
  folder: howOf(opening.plainFolder, resolveNoSymlinks),
} as const

function callsOf(loaded: LoadedKernel): Calls {
  const { kernel, number, space } = loaded
  const fail = (): never => {
    throw systemError(kernel.errno())
  }
  const orFail = (result: number): number => (result < 0 ? fail() : result)

  function openat2(folder: number, names: readonly string[], { flags, resolve }: How): number {
    space.how[0] = flags
    space.how[2] = resolve
    const path = space.writePath(names.length === 0 ? '.' : names.join('/'), 0)
    return kernel.openat2(number.openat2, folder, path, space.howAt, 24)
  }

  function statx(folder: number, path: number, flags: number): Facts | null {
    const told = kernel.statx(number.statx, folder, path, flags, basicStats, space.statAt)
    return told < 0 ? null : factsOf(space.stat)
  }

  return {
    kind: 'kernel',
    openPlain: (folder, names) => orFail(openat2(folder, names, how.plain)),
    openFollowing(folder, names) {
      const opened = openat2(folder, names, how.following)
      return opened < 0 ? null : opened
    },
    openFile: ({ folder, name }) => orFail(openat2(folder, [name], how.file)),
    openFolder: ({ folder, name }) => orFail(openat2(folder, [name], how.folder)),
    facts: (descriptor) => statx(descriptor, space.writePath('', 0), atEmptyPath | noFollow) ?? fail(),
    factsAt: ({ folder, name }) => statx(folder, space.writePath(name, 0), noFollow) ?? fail(),
    lookAt: ({ folder, name }) =>
      statx(folder, space.writePath(name, 0), noFollow) ?? (kernel.errno() === noEntry ? null : fail()),
    mountId(descriptor) {
      const [path, flags] = [space.writePath('', 0), atEmptyPath | noFollow]
      const told = kernel.statx(number.statx, descriptor, path, flags, mountIdStat, space.statAt)
      const isTold = told >= 0 && (space.stat.getUint32(0, true) & mountIdStat) !== 0
      return isTold ? String(space.stat.getBigUint64(144, true)) : mountIdOf(descriptor)
    },
    readNames: (folder, into = createPacker(true)) =>
      readNames({ kernel, space, number: number.getdents64, folder }, into),
    statEntries: (from, into) => statEntries({ kernel, space, number: number.statx, ...from }, into),
    moveNew(from: Seat, to: Seat) {
      const [fromPath, toPath] = [space.writePath(from.name, 0), space.writePath(to.name, pathBytes / 2)]
      if (kernel.renameat2(number.renameat2, from.folder, fromPath, to.folder, toPath, noReplace) < 0) fail()
    },
    nameNew(file, to) {
      const [fromPath, toPath] = [
        space.writePath(pathOfDescriptor(file), 0),
        space.writePath(to.name, pathBytes / 2),
      ]
      if (kernel.linkat(number.linkat, anywhere, fromPath, to.folder, toPath, followSymlink) < 0) fail()
    },
    beginFlush: (file) => void kernel.syncFileRange(number.syncFileRange, file, 0, 0, beginWriting),
    writeOut: (file) => void orFail(kernel.syncFileRange(number.syncFileRange, file, 0, 0, untilWritten)),
    flushEach: createFlushEach(loaded),
    flushDisk: (descriptor) => void orFail(kernel.syncfs(number.syncfs, descriptor)),
    copySome: (from, to, mostBytes) =>
      orFail(kernel.copyFileRange(number.copyFileRange, from, 0, to, 0, mostBytes, 0)),
  }
}

type Reading = {
  readonly kernel: Kernel
  readonly space: WorkSpace
  readonly number: number
  readonly folder: number
}

function readNames({ kernel, space, number, folder }: Reading, packer: Packer): PackedNames {
  empty(packer)
  const { dirents, direntsAt } = space
  for (;;) {
    const filled = kernel.getdents64(number, folder, direntsAt, direntBytes)
    if (filled < 0) throw systemError(kernel.errno())
    if (filled === 0) return finish(packer)
    reserve(packer, Math.ceil(filled / leastRecord), filled)
    packRecords(packer, dirents, filled)
  }
}

const leastRecord = 24
const dot = 46

/** `struct linux_dirent64`, at addresses divisible by 8: inode (8), offset (8), length (2), type (1), name and its NUL. */
function packRecords(packer: Packer, dirents: Buffer, filled: number): void {
  const words = new Uint32Array(dirents.buffer, dirents.byteOffset, direntBytes / 4)
  const { bytes, starts, kinds } = packer
  const inos = packer.inos?.all ?? new Float64Array()
  let { count, length } = packer
  for (let at = 0; at < filled; at += (words[(at >> 2) + 4] as number) & 0xffff) {
    const start = length
    let from = at + 19
    for (let byte = dirents[from] as number; byte !== 0; byte = dirents[from] as number) {
      bytes[length] = byte
      length += 1
      from += 1
    }
    if (
      bytes[start] === dot &&
      (length === start + 1 || (length === start + 2 && bytes[start + 1] === dot))
    ) {
      length = start
      continue
    }
    bytes[length] = 0
    length += 1
    starts[count] = start
    kinds[count] = dirents[at + 18] as number
    inos[count] = (words[at >> 2] as number) + (words[(at >> 2) + 1] as number) * 0x1_0000_0000
    count += 1
  }
  packer.count = count
  packer.length = length
}

type Stating = Reading & { readonly names: PackedNames; readonly indices: Uint32Array }

/** The names are handed to the kernel where they lie: no string and no error object is made for any of them. */
function statEntries({ kernel, space, number, folder, names, indices }: Stating, into: StatColumns): void {
  const { stat, statAt } = space
  const { statx } = kernel
  const { modes, sizesBytes, modifiedMs } = into
  const bytesAt = kernel.addressOf(names.bytes)
  for (let at = 0; at < indices.length; at += 1) {
    const index = indices[at] as number
    const nameAt = bytesAt + (names.starts[index] as number)
    if (statx(number, folder, nameAt, noFollow, listStats, statAt) < 0) {
      modes[index] = 0
      continue
    }
    modes[index] = stat.getUint16(28, true)
    sizesBytes[index] = stat.getUint32(40, true) + stat.getUint32(44, true) * 0x1_0000_0000
    modifiedMs[index] = milliseconds(stat, 112)
  }
}

/** Seconds in 64 bits with a sign, then nanoseconds. */
const milliseconds = (stat: DataView, at: number): number =>
  (stat.getInt32(at + 4, true) * 0x1_0000_0000 + stat.getUint32(at, true)) * 1000 +
  stat.getUint32(at + 8, true) / 1e6
