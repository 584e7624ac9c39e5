import type { DiskPath } from '../../disk-path.ts'
import { readFileSync, watch } from 'node:fs'
import { lstat, open, statfs, type FileHandle } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import { createKeyedLimiter } from '../../../concurrency/keyed-limiter.ts'
import { serve, type MainThreadLink } from '../../../workers/serve.ts'
import type { SignaturesOf } from '../../../workers/task-signatures.ts'
import { monotonicMs, type ChangedNames, type FolderVersion } from '../../folder-watcher.ts'
import type { DiskIdentity } from '../../local-disk.ts'
import { bytesOf, openFlags, pathOfDescriptor } from '../calls/descriptors.ts'
import { createNameBatch, type NameBatch } from './name-batch.ts'

/** The real path of a folder, and the identity that the folder at this path must have. The id is new for each watch. */
export type WatchInput = DiskIdentity & { readonly id: number; readonly realPath: DiskPath }
export type VersionInput = Pick<WatchInput, 'id'>

/**
 * The first message of a watch is `started`. Each further message contains the names that have changed since then, until
 * the folder is `gone`.
 */
export type WatchThreadMessage = 'started' | { readonly names: ChangedNames } | 'gone'

/**
 * File systems that other machines change without a notification of this kernel, by their `f_type` of statfs(2): NFS,
 * SMB (three numbers), FUSE, 9P, Ceph, AFS, Coda, Lustre, OCFS2, GFS2 and the shared folders of VirtualBox.
 */
const remoteFileSystems: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x73757245,
  0x0bd00bd0, 0x7461636f, 0x01161970, 0x786f4256,
])

/**
 * File systems that only this kernel changes, by the same number: ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, F2FS, ZFS,
 * bcachefs, overlay, JFS, ReiserFS, NILFS2, exFAT, FAT, NTFS (two numbers), eCryptfs, HFS and HFS+, UDF, ISO 9660, SquashFS
 * and EROFS. On any other one, such as that of a cluster, another machine may change a folder without a notification, so
 * that a folder has no version there.
 */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630,
  0x3153464a, 0x52654973, 0x3434, 0x2011bab0, 0x4d44, 0x5346544e, 0x7366746e, 0xf15f, 0x4244, 0x482b,
  0x15013346, 0x9660, 0x73717368, 0xe0f5e1e2,
])

/**
 * The number of folders that are opened at the same time. A disk that hangs occupies at most this many threads of
 * Node's thread pool, which all parts of the server share.
 */
const maxConcurrentOpens = 4
const opening = createKeyedLimiter({ maxConcurrent: maxConcurrentOpens })

type WatchState = {
  readonly batch: NameBatch
  /** True on a file system that only this kernel changes. */
  readonly isLocal: boolean
  /** The number of checks under way whether the folder still exists. While there are any, it has no version. */
  checks: number
  isGone: boolean
  /** The number of notifications so far, and the time of the last one or of the start of the watch. */
  changes: number
  changedAtMs: number
}

/** All watched folders by the id of their watch. They share the queue in which the kernel stores notifications. */
const watched = new Map<number, WatchState>()
/**
 * After each time that this number of notifications has arrived in `burstMs`, the kernel's queue may have overflowed, and
 * every watched folder counts as changed. A full queue is emptied at once and has twice as many notifications.
 */
const burstNotifications = Math.max(1, Math.floor(queueCapacity() / 2))
const burstMs = 100
let notifications = 0

/** The name with which the kernel reports changes of a watched folder itself. No entry of a folder has this name. */
const ownName = '.'

/** Watches one folder until the task is aborted, or until the folder is deleted, moved or unmounted. */
async function watchFolder(input: WatchInput, link: MainThreadLink<WatchThreadMessage>): Promise<void> {
  const { folder: opened, birthtimeNs, isLocal } = await openWatchable(input)
  // The descriptor is closed as soon as the watch has begun. When it cannot begin, it is closed at the end of this scope.
  await using folder = opened
  const batch = createNameBatch({ later: (ms, run) => void setTimeout(run, ms).unref() })
  const state: WatchState = { batch, isLocal, checks: 0, isGone: false, changes: 0, changedAtMs: 0 }
  // The path of the descriptor leads to the folder that was checked, even if another folder is at its path by now.
  const watcher = watch(`${pathOfDescriptor(folder.fd)}/${ownName}`, 'buffer', (kind, bytes) => {
    countNotification()
    markChanged(state)
    const name = bytes === null ? ownName : nameOfBytes(bytes)
    if (name !== ownName) return batch.add({ name, hasMoved: kind === 'rename' })
    batch.add(null)
    if (kind === 'rename') void endIfGone(state, input, birthtimeNs)
  })
  markChanged(state)
  watched.set(input.id, state)
  try {
    watcher.on('error', () => {
      watched.delete(input.id)
      batch.end()
    })
    await folder.close()
    await link.emit('started')
    await Promise.race([emitBatches(batch, link), link.sendRequest('end')])
    if (state.isGone) await link.emit('gone')
  } finally {
    watched.delete(input.id)
    batch.end()
    watcher.close()
  }
}

/**
 * Ends the watch of a folder that was deleted, moved or unmounted. Node reports changes of the folder's attributes in the
 * same way. The time of birth distinguishes the folder from a newer one with the same inode; on file systems without it,
 * the watch ends in any case.
 */
async function endIfGone(state: WatchState, { realPath, dev, ino }: WatchInput, birthtimeNs: bigint) {
  state.checks += 1
  const stat = await lstat(bytesOf(realPath), { bigint: true }).catch(() => null)
  state.checks -= 1
  if (stat?.dev === dev && stat.ino === ino && stat.birthtimeNs === birthtimeNs && birthtimeNs > 0n) return
  state.isGone = true
  state.batch.end()
}

async function emitBatches(batch: NameBatch, link: MainThreadLink<WatchThreadMessage>): Promise<void> {
  for await (const names of batch.changes()) await link.emit({ names })
}

function countNotification(): void {
  if (notifications === 0) setTimeout(() => (notifications = 0), burstMs).unref()
  notifications += 1
  if (notifications % burstNotifications !== 0) return
  for (const folder of watched.values()) {
    markChanged(folder)
    folder.batch.add(null)
  }
}

function markChanged(folder: WatchState): void {
  folder.changes += 1
  folder.changedAtMs = monotonicMs()
}

/**
 * Returns the version of a watched folder. The kernel queues a notification before the call that changes the folder
 * returns. This thread reads the whole queue in each turn of its event loop, so after a complete turn it has received the
 * notifications of all changes that were complete when the task began.
 */
async function readVersion({ id }: VersionInput): Promise<FolderVersion | null> {
  await nextTurn()
  await nextTurn()
  const folder = watched.get(id)
  return folder === undefined || !folder.isLocal || folder.isGone || folder.checks > 0
    ? null
    : { id: `${id}.${folder.changes}`, changedAtMs: folder.changedAtMs }
}

/** Returns the number of notifications that the kernel stores for this thread. */
function queueCapacity(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
  } catch {
    return 16_384
  }
}

type OpenedFolder = {
  readonly folder: FileHandle
  readonly birthtimeNs: bigint
  readonly isLocal: boolean
}

/** Opens a folder if it is the expected one and the kernel reports its changes. Returns its time of birth as well. */
async function openWatchable({ realPath, dev, ino }: WatchInput): Promise<OpenedFolder> {
  const release = await opening.acquire('folders')
  const folder = await open(bytesOf(realPath), openFlags.plainFolder).catch((error: unknown) => {
    release()
    throw error
  })
  try {
    const stat = await folder.stat({ bigint: true })
    const { type } = await statfs(pathOfDescriptor(folder.fd))
    if (stat.dev !== dev || stat.ino !== ino) throw new AppError('changed-meanwhile')
    if (remoteFileSystems.has(type)) throw new AppError('unavailable')
    return { folder, birthtimeNs: stat.birthtimeNs, isLocal: localFileSystems.has(type) }
  } catch (error) {
    await folder.close()
    throw error
  } finally {
    release()
  }
}

const tasks = { watch: watchFolder, version: readVersion }

export type WatchTasks = SignaturesOf<typeof tasks>

serve(tasks)
