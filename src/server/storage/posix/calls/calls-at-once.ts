import { constants, openSync } from 'node:fs'
import type { Facts } from './calls.ts'
import { hold, opening, pathOfDescriptor } from './descriptors.ts'
import { loadKernel, type LoadedKernel } from './kernel.ts'
import {
  atEmptyPath,
  basicStats,
  closeOnExec,
  factsOf,
  resolveBeneath,
  resolveNoMagicLinks,
  resolveNoSymlinks,
} from './system-calls.ts'

/**
 * The kernel's calls that never wait for a disk: they give what it has in memory, and null where that does not do. The only ones that
 * the main thread may make on files that are served, and only on file systems of this machine (`isLocalDisk`): others ask somebody
 * when a file is opened.
 */
export type CallsAtOnce = {
  /** Opens an entry below a folder as a mere handle, crossing no link and no mount. */
  openKnown(folder: number, names: readonly string[]): number | null
  facts(handle: number): Facts | null
  /** All bytes of a file that is held by a handle and is no larger than `mostAtOnceBytes`. Throws where it may not be opened. */
  readKnown(handle: number, sizeBytes: number): Uint8Array | null
}

export const mostAtOnceBytes = 64 * 1024

/** openat2(2), of Linux 5.12; on older ones the call fails, as it does where something must be waited for. */
const resolveCached = 0x20
const resolveNoMounts = 0x01
/** statx(2) */
const asKnown = 0x4000
/** preadv2(2): EAGAIN where not all is in memory. */
const noWait = 0x8
/** A time of reading would have to be written. Only the owner of a file may leave it out: others take the long way. */
const readingAtOnce = opening.read | constants.O_NOATIME

/** Null where the machine has none of them. */
export async function loadCallsAtOnce(): Promise<CallsAtOnce | null> {
  const loaded = await loadKernel()
  return loaded === null ? null : callsAtOnce(loaded)
}

function callsAtOnce({ kernel, number, space }: LoadedKernel): CallsAtOnce {
  const bytes = Buffer.allocUnsafeSlow(mostAtOnceBytes)
  // `struct iovec`
  const part = new BigUint64Array([BigInt(kernel.addressOf(bytes)), 0n])
  const partAt = kernel.addressOf(Buffer.from(part.buffer))
  const resolve = resolveBeneath | resolveNoMagicLinks | resolveNoSymlinks | resolveNoMounts | resolveCached
  const how = [BigInt(opening.handle | closeOnExec), 0n, BigInt(resolve)]
  return {
    openKnown(folder, names) {
      space.how.set(how)
      const path = space.writePath(names.length === 0 ? '.' : names.join('/'), 0)
      const opened = kernel.openat2(number.openat2, folder, path, space.howAt, 24)
      return opened < 0 ? null : opened
    },
    facts(handle) {
      const path = space.writePath('', 0)
      const told = kernel.statx(number.statx, handle, path, atEmptyPath | asKnown, basicStats, space.statAt)
      return told < 0 ? null : factsOf(space.stat)
    },
    readKnown(handle, sizeBytes) {
      using file = hold(openSync(pathOfDescriptor(handle), readingAtOnce))
      part[1] = BigInt(sizeBytes)
      const read = kernel.preadv2(number.preadv2, file.descriptor, partAt, 1, 0, 0, noWait)
      return read === sizeBytes ? Buffer.copyBytesFrom(bytes, 0, sizeBytes) : null
    },
  }
}
