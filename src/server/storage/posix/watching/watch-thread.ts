import { watch } from 'node:fs'
import { open, statfs, type FileHandle } from 'node:fs/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import { createKeyedLimiter } from '../../../concurrency/keyed-limiter.ts'
import { serve, type MainThreadLink } from '../../../workers/serve.ts'
import { bytesOf, openFlags, pathOfDescriptor } from '../calls/descriptors.ts'
import { createNameBatch, type NameBatch } from './name-batch.ts'

/** The real path of a folder, and the identity that the folder at this path must have. */
export type WatchInput = { readonly realPath: string; readonly dev: bigint; readonly ino: bigint }

/**
 * File systems that other machines change without a notification of this kernel, by their `f_type` of statfs(2): NFS,
 * SMB (three numbers), FUSE, 9P, Ceph, AFS, Coda, Lustre, OCFS2, GFS2 and the shared folders of VirtualBox.
 */
const remoteFileSystems: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x73757245,
  0x0bd00bd0, 0x7461636f, 0x01161970, 0x786f4256,
])

/**
 * The number of folders that are opened at the same time. A disk that hangs occupies at most this many threads of
 * Node's thread pool, which all parts of the server share.
 */
const maxConcurrentOpens = 4
const opening = createKeyedLimiter({ maxConcurrent: maxConcurrentOpens })

/** The batches of all watched folders. They share the queue in which the kernel stores notifications. */
const batches = new Set<NameBatch>()
/**
 * From this number of notifications in `burstMs` on, the kernel's queue (16,384 by default) may have overflowed, and
 * every watched folder counts as changed.
 */
const burstNotifications = 8192
const burstMs = 100
let notifications = 0

/** Watches one folder until the task is aborted or the folder is removed. */
async function watchFolder(input: WatchInput, link: MainThreadLink): Promise<void> {
  const folder = await openWatchable(input)
  const batch = createNameBatch({ later: (ms, run) => void setTimeout(run, ms).unref() })
  // The path of the descriptor leads to the folder that was checked, even if another folder is at its path by now.
  const ownName = String(folder.fd)
  const watcher = watch(pathOfDescriptor(folder.fd), 'buffer', (kind, bytes) => {
    countNotification()
    const name = bytes === null ? ownName : nameOfBytes(bytes)
    // The kernel reports changes of the folder itself with the last name of the watched path.
    batch.add(name === ownName ? null : { name, hasMoved: kind === 'rename' })
  })
  batches.add(batch)
  try {
    watcher.on('error', () => batch.end())
    await folder.close()
    await link.emit('started')
    await Promise.race([emitBatches(batch, link), link.sendRequest('end')])
  } finally {
    batches.delete(batch)
    batch.end()
    watcher.close()
  }
}

async function emitBatches(batch: NameBatch, link: MainThreadLink): Promise<void> {
  for await (const names of batch.changes()) await link.emit({ names })
}

function countNotification(): void {
  if (notifications === 0) setTimeout(() => (notifications = 0), burstMs).unref()
  notifications += 1
  if (notifications === burstNotifications) for (const batch of batches) batch.add(null)
}

/** Opens a folder if it is the expected one and the kernel reports its changes. */
async function openWatchable({ realPath, dev, ino }: WatchInput): Promise<FileHandle> {
  const release = await opening.acquire('folders')
  const folder = await open(bytesOf(realPath), openFlags.plainFolder).catch((error: unknown) => {
    release()
    throw error
  })
  try {
    const facts = await folder.stat({ bigint: true })
    const { type } = await statfs(pathOfDescriptor(folder.fd))
    if (facts.dev !== dev || facts.ino !== ino) throw new AppError('changed-meanwhile')
    if (remoteFileSystems.has(type)) throw new AppError('unavailable')
    return folder
  } catch (error) {
    await folder.close()
    throw error
  } finally {
    release()
  }
}

serve({ watch: watchFolder })
