import { closeSync, constants, openSync } from 'node:fs'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { smallFileBytes } from '../../port.ts'
import type { Facts } from './calls.ts'
import { opening } from './descriptors.ts'
import {
  atEmptyPath,
  basicStats,
  closeOnExec,
  factsOf,
  loadKernel,
  pathBytes,
  resolveBeneath,
  resolveNoMagicLinks,
  resolveNoSymlinks,
  type How,
  type LoadedKernel,
} from './kernel.ts'

/**
 * The kernel's calls that never wait for a disk: they give what it has in memory, and null where that does not do. The only ones that
 * the main thread may make on files that are served, and only on file systems of this machine (`isLocalDisk`): others ask somebody
 * when a file is opened.
 */
export type CallsAtOnce = {
  /** Opens an entry below a folder as a mere handle, crossing no link and no mount. */
  openKnown(folder: number, path: Path): number | null
  facts(handle: number): Facts | null
  /** All bytes of a file that is held by a handle and is no larger than `smallFileBytes`. */
  readKnown(handle: number, sizeBytes: number): Uint8Array | null
}

/** openat2(2), of Linux 5.12; on older ones the call fails, as it does where something must be waited for. */
const resolveCached = 0x20
const resolveNoMounts = 0x01
/** statx(2) */
const asKnown = 0x4000
/** preadv2(2): EAGAIN where not all is in memory. */
const noWait = 0x8
/** A time of reading would have to be written. Only the owner of a file may leave it out: others take the long way. */
const readingAtOnce = opening.read | constants.O_NOATIME

const known: How = {
  flags: BigInt(opening.handle | closeOnExec),
  resolve: BigInt(resolveBeneath | resolveNoMagicLinks | resolveNoSymlinks | resolveNoMounts | resolveCached),
}
const reading: How = { flags: BigInt(readingAtOnce | closeOnExec), resolve: 0n }

/** Null where the machine has none of them. */
export async function loadCallsAtOnce(): Promise<CallsAtOnce | null> {
  const loaded = await loadKernel()
  return loaded === null ? null : callsAtOnce(loaded)
}

function callsAtOnce({ kernel, number, space }: LoadedKernel): CallsAtOnce {
  const bytes = Buffer.allocUnsafeSlow(smallFileBytes)
  // `struct iovec`
  const part = new BigUint64Array([BigInt(kernel.addressOf(bytes)), 0n])
  const partAt = kernel.addressOf(Buffer.from(part.buffer))
  // Nobody else has this space: what is put into it once stays.
  const noPath = space.writePath('', pathBytes / 2)
  // Held as long as the process lives. From here a handle is one step away, and one that may not be read is no error to be made.
  const ownDescriptors = openSync('/proc/self/fd', opening.folderHandle)

  function open(folder: number, path: string, { flags, resolve }: How): number | null {
    space.how[0] = flags
    space.how[2] = resolve
    const opened = kernel.openat2(number.openat2, folder, space.writePath(path, 0), space.howAt, 24)
    return opened < 0 ? null : opened
  }

  return {
    openKnown: (folder, path) => open(folder, path === root ? '.' : path.slice(1), known),
    facts(handle) {
      const told = kernel.statx(number.statx, handle, noPath, atEmptyPath | asKnown, basicStats, space.statAt)
      return told < 0 ? null : factsOf(space.stat)
    },
    readKnown(handle, sizeBytes) {
      const file = open(ownDescriptors, String(handle), reading)
      if (file === null) return null
      // `using` would cost as much as opening does.
      try {
        part[1] = BigInt(sizeBytes)
        const read = kernel.preadv2(number.preadv2, file, partAt, 1, 0, 0, noWait)
        return read === sizeBytes ? Buffer.copyBytesFrom(bytes, 0, sizeBytes) : null
      } finally {
        closeSync(file)
      }
    },
  }
}
