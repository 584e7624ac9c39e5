import { closeSync, statfsSync } from 'node:fs'
import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import { smallFileBytes } from '../../port.ts'
import { loadCallsAtOnce, type CallsAtOnce } from '../calls/calls-at-once.ts'
import { pathOfDescriptor } from '../calls/descriptors.ts'
import { entryOf, isSame, kindOf } from '../facts.ts'
import { hasOwnName } from '../reserved.ts'
import type { Where } from '../resolve.ts'
import type { Root } from '../roots.ts'
import type { Opened } from '../tasks/look.ts'

/**
 * Small files that the kernel has in memory, read in the main thread by calls that never wait: a visit of a thread takes ten times as
 * long. Whatever is not as plain as can be goes the long way: links, other mounts, what may be the server's own, what must be
 * waited for.
 */
export type AtOnce = {
  /** Null where a thread must look. The path has been judged as it stands. */
  read(place: Place, path: Path): Opened | null
  /** A thread has found the top of the volume in its place just now. */
  seen(): void
}

/** Where a path begins: what a thread would be told of it, and the roots meant. */
export type Place = { readonly where: Where; readonly root: Root; readonly top: Root }

/** For so long nobody looks again whether the top is in its place: the disk of one that is gone can be read no longer than that. */
const trustMs = 1000

/** ext, xfs, btrfs, f2fs, tmpfs (statfs(2)): opening one of their files asks nobody. */
const localDisks = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])

/** For the top that a volume was opened with: another one, or another disk below it, is read the long way. */
export function createAtOnce(firstTop: Root, nowMs: () => number): AtOnce {
  const isLocal = localDisks.has(statfsSync(pathOfDescriptor(firstTop.descriptor)).type)
  let calls: CallsAtOnce | null = null
  let isLoading = false
  let seenAtMs = Number.NEGATIVE_INFINITY

  /** Only who reads files needs them. */
  async function load(): Promise<void> {
    isLoading = true
    calls = await loadCallsAtOnce()
  }

  return {
    read({ where, root, top }, path) {
      const isInPlace = top === firstTop && root.dev === firstTop.dev && nowMs() - seenAtMs < trustMs
      if (calls === null || !isInPlace || hasOwnName(where.own, path)) return null
      return readAtOnce(calls, where, path)
    },
    seen() {
      seenAtMs = nowMs()
      if (isLocal && !isLoading) void load()
    },
  }
}

function readAtOnce(calls: CallsAtOnce, where: Where, path: Path): Opened | null {
  let handle: number | null = null
  try {
    handle = calls.openKnown(where.root, path)
    if (handle === null) return null
    const facts = calls.facts(handle)
    if (facts === null || kindOf(facts) !== 'file' || facts.sizeBytes > smallFileBytes) return null
    if (where.own.files.some((file) => isSame(file, facts))) return null
    const bytes = calls.readKnown(handle, facts.sizeBytes)
    return bytes === null ? null : { entry: entryOf(nameOf(path), facts), bytes }
  } catch {
    // The long way finds out, and tells.
    return null
  } finally {
    if (handle !== null) closeSync(handle)
  }
}
