import { closeSync, fsyncSync, futimesSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Facts, Seat } from '../calls/calls.ts'
import { errnoOf, giveTo, openAt, opening, reopen, setMode } from '../calls/descriptors.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import { modifiedMsOf } from '../facts.ts'
import type { Scene } from '../resolve.ts'

/** Bytes between two looks at whether the request still stands. */
const stepBytes = 64 * 1024 * 1024

/** After so much, what was written is flushed: one flush of all in the end would look like a disk that hangs. */
const mostUnflushedBytes = 8 * stepBytes

/** File systems say in these ways that they cannot copy within the kernel. */
const refusals = ['EXDEV', 'EINVAL', 'ENOSYS', 'EOPNOTSUPP', 'EBADF', 'EPERM']

/**
 * `copy`: a new file of its own, on the disk before it counts, unless the scene counts what is flushed together. `exact`: always
 * flushed, and with owner and all bits, since the source goes.
 */
export type Manner = 'copy' | 'exact'

export type CopyBytes = {
  /** A handle of the file to read. */
  readonly source: number
  readonly facts: Facts
  /** A free name for the copy. */
  readonly seat: Seat
  readonly manner: Manner
}

/** A scene in which so many bytes may still be copied; any number where nothing is said. `unflushed`: what its holder flushes together. */
export type RoomyScene = Scene & {
  readonly room?: { leftBytes: number }
  readonly unflushed?: Unflushed
}
type Unflushed = { bytes: number; readonly flush: (file: number) => void }

/** Makes a file with the bytes, permission bits and time of another. A failed one may stay, for who asked to remove. */
export function copyBytes(scene: RoomyScene, { source, facts, seat, manner }: CopyBytes): void {
  const isFlushedWithOthers = manner === 'copy' && scene.unflushed !== undefined
  const from = reopen(source, opening.read)
  try {
    const to = openAt(seat, opening.createNew, 0o600)
    try {
      pump(isFlushedWithOthers ? scene : { ...scene, unflushed: { bytes: 0, flush: fsyncSync } }, {
        from,
        to,
      })
      keepFacts(to, facts, manner)
      if (!isFlushedWithOthers) fsyncSync(to)
    } finally {
      closeSync(to)
    }
  } finally {
    closeSync(from)
  }
}

/** Permission bits and the time of the last change; setuid, setgid, sticky and the owner only where the source goes. */
export function keepFacts(descriptor: number, facts: Facts, manner: Manner): void {
  if (manner === 'exact') giveTo(descriptor, facts)
  setMode(descriptor, facts.mode & (manner === 'exact' ? 0o7777 : 0o777))
  const seconds = modifiedMsOf(facts) / 1000
  futimesSync(descriptor, seconds, seconds)
}

type Pump = { readonly from: number; readonly to: number }

function pump({ calls, link, room, unflushed }: RoomyScene, { from, to }: Pump): void {
  let able = calls
  for (let step = 0; ; step += 1) {
    link.check()
    try {
      const mostBytes = room === undefined ? stepBytes : Math.min(stepBytes, room.leftBytes + 1)
      const copiedBytes = able.copySome(from, to, mostBytes)
      if (copiedBytes === 0) return
      if (room !== undefined) takeRoom(room, copiedBytes)
      if (unflushed !== undefined) countUnflushed(unflushed, copiedBytes, to)
    } catch (error) {
      if (step > 0 || calls.kind === 'walk' || !refusals.includes(errnoOf(error))) throw error
      able = nodeCalls()
    }
  }
}

function countUnflushed(unflushed: Unflushed, bytes: number, file: number): void {
  unflushed.bytes += bytes
  if (unflushed.bytes < mostUnflushedBytes) return
  unflushed.flush(file)
  unflushed.bytes = 0
}

/** What grew while it was copied may not fit any more. */
function takeRoom(room: NonNullable<RoomyScene['room']>, bytes: number): void {
  room.leftBytes -= bytes
  if (room.leftBytes < 0) throw new AppError('no-space', { reason: 'more bytes than there was room for' })
}
