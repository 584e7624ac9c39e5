import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Runs a program of the machine; false when it fails or is missing. */
export function can(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A disk in memory at a folder of its own. */
export type Disk = {
  readonly folder: string
  /** Mounts it again; a new one, empty. */
  mount(): void
  /** Takes it out from under whoever uses it. */
  unmount(): void
  remount(option: 'ro' | 'rw'): void
  remove(): void
}

/** `options` as `mount -t tmpfs -o` takes them. Null where nothing may be mounted. */
export function memoryDisk(options: string): Disk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-disk-'))
  const isMounted = can('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)
  if (!isMounted) rmSync(folder, { recursive: true })
  if (!isMounted) return null
  const unmount = (): void => void can('umount', '-l', folder)
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

/** Whether disks can be had here: tests that need them say so by being skipped. */
export function mayMount(): boolean {
  const disk = memoryDisk('size=1m')
  disk?.remove()
  return disk !== null
}

/** Writes until nothing more fits; `free` gives the room back. */
export function fill(folder: string): { readonly free: () => void } {
  const filler = path.join(folder, 'filler')
  for (const sizeBytes of [1024 * 1024, 4096]) {
    const bytes = Buffer.alloc(sizeBytes, 'f')
    while (fits(filler, bytes));
  }
  return { free: () => rmSync(filler) }
}

function fits(file: string, bytes: Buffer): boolean {
  try {
    writeFileSync(file, bytes, { flag: 'a' })
    return true
  } catch {
    return false
  }
}

/** A disk that can be stopped: every call on it hangs then, until it goes on. */
export type StallingDisk = {
  readonly folder: string
  stall(): void
  goOn(): void
  remove(): Promise<void>
}

/** A disk to read from at a folder that exists, with `file.bin` in it. Null where there can be none. */
export async function readableStallingDisk(folder: string): Promise<StallingDisk | null> {
  if (!existsSync('/dev/fuse') || !mayMount()) return null
  const program = path.join(import.meta.dirname, 'slow-disk.ts')
  const child = spawn(process.execPath, [program, folder], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 200; !(await isThere(path.join(folder, 'file.bin'))); tries -= 1) {
    if (child.exitCode !== null || tries === 0) return null
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    folder,
    stall: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async remove() {
      child.kill('SIGKILL')
      await ended
      can('umount', '-l', folder)
    },
  }
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** A real file system in a file. */
type Image = { readonly folder: string; readonly file: string; readonly remove: () => void }

/** Null where there can be none. `features` as `mkfs.ext4 -O` takes them; `from` is the image to begin with. */
function mountImage({ sizeBytes = 0, features = 'has_journal', from = '' }): Image | null {
  const above = mkdtempSync(path.join(tmpdir(), 'stowage-image-'))
  const file = path.join(above, 'disk')
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-disk-'))
  const remove = (): void => {
    can('umount', '-l', folder)
    for (const made of [folder, above]) rmSync(made, { recursive: true, force: true })
  }
  if (from !== '') copyStill(from, file)
  else {
    writeFileSync(file, '')
    truncateSync(file, sizeBytes)
  }
  // All at once: the kernel would make the rest of it while it is in use.
  const whole = 'lazy_itable_init=0,lazy_journal_init=0'
  const isMade =
    from === '' ? can('mkfs.ext4', '-q', '-F', '-O', features, '-E', whole, file) : isMended(file)
  if (isMade && can('mount', '-o', 'loop', file, folder)) return { folder, file, remove }
  remove()
  return null
}

/** A copy of one moment: what the kernel is still writing is waited for. */
function copyStill(from: string, to: string): void {
  do copyFileSync(from, to)
  while (!can('cmp', '-s', from, to))
}

/** As a system does after its power was cut, before it mounts. It tells in its exit code what it mended: below 4 all is well again. */
const isMended = (file: string): boolean => (spawnSync('e2fsck', ['-fy', file]).status ?? 4) < 4

/** A disk whose power can be cut. */
export type PoweredDisk = {
  readonly folder: string
  /** Has everything flushed that is there. */
  settle(): void
  /** Shows a folder with what would be there, had the power been cut now. */
  ifCutNow<T>(look: (folder: string) => Promise<T>): Promise<T>
  remove(): void
}

/** Ext4 with a journal or without; what was not flushed is not in the file that it lies in. Null where there can be none. */
export function poweredDisk(
  sizeBytes: number,
  { hasJournal }: { readonly hasJournal: boolean },
): PoweredDisk | null {
  const image = mountImage({ sizeBytes, features: hasJournal ? 'has_journal' : '^has_journal' })
  if (image === null) return null
  const { folder, file, remove } = image
  return {
    folder,
    settle: () => void execFileSync('sync', ['-f', folder]),
    async ifCutNow(look) {
      const left = mountImage({ from: file })
      if (left === null) throw new Error('what was left cannot be mounted')
      try {
        return await look(left.folder)
      } finally {
        left.remove()
      }
    },
    remove,
  }
}

/** Whether file systems in files can be had here. */
export function mayMountImages(): boolean {
  const image = mountImage({ sizeBytes: 8 * 1024 * 1024 })
  image?.remove()
  return image !== null
}

/** A real file system in a file, of which changes can be made to hang. Null where there can be none. */
export function writableStallingDisk(sizeBytes: number): StallingDisk | null {
  const image = mountImage({ sizeBytes })
  if (image === null) return null
  const { folder } = image
  const goOn = (): void => void can('fsfreeze', '-u', folder)
  const remove = async (): Promise<void> => {
    goOn()
    image.remove()
  }
  if (!can('fsfreeze', '-f', folder)) {
    void remove()
    return null
  }
  goOn()
  return { folder, stall: () => void execFileSync('fsfreeze', ['-f', folder]), goOn, remove }
}
