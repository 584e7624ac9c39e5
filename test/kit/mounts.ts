import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Runs a program. Returns false when the program fails or is not installed. */
export function succeeds(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A file system in memory, mounted at a folder. */
export type MemoryDisk = {
  readonly folder: string
  /** Mounts a new, empty file system. */
  mount(): void
  /** Unmounts the file system even while it is in use. */
  unmount(): void
  remount(option: 'ro' | 'rw'): void
  remove(): void
}

/**
 * Mounts a file system in memory. `options` is passed to `mount -t tmpfs -o`. Returns null when mounting is not
 * permitted.
 */
export function memoryDisk(options: string): MemoryDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-disk-'))
  const isMounted = succeeds('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)
  if (!isMounted) rmSync(folder, { recursive: true })
  if (!isMounted) return null
  const unmount = (): void => void succeeds('umount', '-l', folder)
  return {
    folder,
    mount: () => void execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]),
    unmount,
    remount: (option) => void execFileSync('mount', ['-o', `remount,${option}`, folder]),
    remove() {
      unmount()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** True when this process may mount file systems. Otherwise, the tests that need a mount are skipped. */
export function canMount(): boolean {
  const disk = memoryDisk('size=1m')
  disk?.remove()
  return disk !== null
}

/** Fills the disk that contains a folder. The returned function `free` makes the space available again. */
export function fillDisk(folder: string): { readonly free: () => void } {
  const filler = path.join(folder, 'filler')
  for (const sizeBytes of [1024 * 1024, 4096]) {
    const bytes = Buffer.alloc(sizeBytes, 'f')
    while (append(filler, bytes));
  }
  return { free: () => rmSync(filler) }
}

function append(file: string, bytes: Buffer): boolean {
  try {
    writeFileSync(file, bytes, { flag: 'a' })
    return true
  } catch {
    return false
  }
}

/** A disk that can be stalled: every call on it blocks until it is resumed. */
export type StallingDisk = {
  readonly folder: string
  stall(): void
  resume(): void
  remove(): Promise<void>
}

/**
 * Mounts a readable disk with one file, `file.bin`, at an existing folder. Returns null where FUSE is not available.
 */
export async function readableStallingDisk(folder: string): Promise<StallingDisk | null> {
  if (!existsSync('/dev/fuse') || !canMount()) return null
  const program = path.join(import.meta.dirname, 'slow-disk.ts')
  const child = spawn(process.execPath, [program, folder], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 200; !(await exists(path.join(folder, 'file.bin'))); tries -= 1) {
    if (child.exitCode !== null || tries === 0) return null
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    folder,
    stall: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async remove() {
      child.kill('SIGKILL')
      await ended
      succeeds('umount', '-l', folder)
    },
  }
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** A mounted disk image: the mount point and the image file. */
type DiskImage = { readonly folder: string; readonly file: string; readonly remove: () => void }

/**
 * Creates and mounts a disk image. `features` is passed to `mkfs.ext4 -O`. If `from` names an existing image, a copy of
 * that image is mounted instead. Returns null when disk images cannot be mounted.
 */
function mountImage({ sizeBytes = 0, features = 'has_journal', from = '' }): DiskImage | null {
  const imageFolder = mkdtempSync(path.join(tmpdir(), 'stowage-image-'))
  const file = path.join(imageFolder, 'disk')
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-disk-'))
  const remove = (): void => {
    succeeds('umount', '-l', folder)
    for (const made of [folder, imageFolder]) rmSync(made, { recursive: true, force: true })
  }
  if (from !== '') copyWhenStable(from, file)
  else {
    writeFileSync(file, '')
    truncateSync(file, sizeBytes)
  }
  // All metadata is initialised when the file system is created. By default, the kernel would initialise a part of the
  // metadata later, while the disk is in use.
  const initialiseMetadata = 'lazy_itable_init=0,lazy_journal_init=0'
  const isReady =
    from === ''
      ? succeeds('mkfs.ext4', '-q', '-F', '-O', features, '-E', initialiseMetadata, file)
      : isRepaired(file)
  if (isReady && succeeds('mount', '-o', 'loop', file, folder)) return { folder, file, remove }
  remove()
  return null
}

/**
 * Copies an image repeatedly until the copy equals the original, because the kernel may write to the original while it
 * is copied.
 */
function copyWhenStable(from: string, to: string): void {
  do copyFileSync(from, to)
  while (!succeeds('cmp', '-s', from, to))
}

/**
 * Repairs a file system, as an operating system does before it mounts a disk after a power cut. Exit codes of `e2fsck`
 * below 4 mean that the file system is consistent afterwards.
 */
const isRepaired = (file: string): boolean => (spawnSync('e2fsck', ['-fy', file]).status ?? 4) < 4

/** A disk whose power can be cut. */
export type PowerCutDisk = {
  readonly folder: string
  /** Flushes all pending writes to the disk. */
  flush(): void
  /** Calls `inspect` with a folder that shows the content that the disk would have after a power cut at this moment. */
  afterPowerCut<T>(inspect: (folder: string) => Promise<T>): Promise<T>
  remove(): void
}

/**
 * Creates an ext4 file system in an image file, with or without a journal. Data that was not flushed is missing in the
 * image file. Returns null when disk images cannot be mounted.
 */
export function powerCutDisk(
  sizeBytes: number,
  { hasJournal }: { readonly hasJournal: boolean },
): PowerCutDisk | null {
  const image = mountImage({ sizeBytes, features: hasJournal ? 'has_journal' : '^has_journal' })
  if (image === null) return null
  const { folder, file, remove } = image
  return {
    folder,
    flush: () => void execFileSync('sync', ['-f', folder]),
    async afterPowerCut(inspect) {
      const copy = mountImage({ from: file })
      if (copy === null) throw new Error('the copy of the disk image cannot be mounted')
      try {
        return await inspect(copy.folder)
      } finally {
        copy.remove()
      }
    },
    remove,
  }
}

/** True when this process can mount disk images. */
export function canMountImages(): boolean {
  const image = mountImage({ sizeBytes: 8 * 1024 * 1024 })
  image?.remove()
  return image !== null
}

/**
 * Creates and mounts a disk image on which changes can be made to block. Returns null when disk images cannot be
 * mounted.
 */
export function writableStallingDisk(sizeBytes: number): StallingDisk | null {
  const image = mountImage({ sizeBytes })
  if (image === null) return null
  const { folder } = image
  const resume = (): void => void succeeds('fsfreeze', '-u', folder)
  const remove = async (): Promise<void> => {
    resume()
    image.remove()
  }
  if (!succeeds('fsfreeze', '-f', folder)) {
    void remove()
    return null
  }
  resume()
  return { folder, stall: () => void execFileSync('fsfreeze', ['-f', folder]), resume, remove }
}

/**
 * Makes an entry unreachable, also for root, by a mount over it. `dead`: the program behind the mount has ended, so that
 * each call fails with ENOTCONN. `foreign`: the mount belongs to another user, so that each call fails with EACCES. Returns
 * a function that unmounts it, or null where FUSE is not available.
 */
export function makeUnreachable(entry: string, how: 'dead' | 'foreign'): (() => void) | null {
  if (!existsSync('/dev/fuse')) return null
  const device = openSync('/dev/fuse', 'r+')
  const mode = statSync(entry).isDirectory() ? '40000' : '100000'
  const owner = how === 'dead' ? 'user_id=0,group_id=0,allow_other' : 'user_id=1000,group_id=1000'
  const { status } = spawnSync(
    'mount',
    ['-i', '-t', 'fuse', '-o', `fd=3,rootmode=${mode},${owner}`, how, entry],
    { stdio: ['ignore', 'ignore', 'ignore', device] },
  )
  if (how === 'dead' || status !== 0) closeSync(device)
  if (status !== 0) return null
  return () => {
    succeeds('umount', '-l', entry)
    if (how === 'foreign') closeSync(device)
  }
}
