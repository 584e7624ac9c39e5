import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
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

/** A real file system in a file, of which changes can be made to hang. Null where there can be none. */
export function writableStallingDisk(sizeBytes: number): StallingDisk | null {
  const image = mkdtempSync(path.join(tmpdir(), 'stowage-image-'))
  const file = path.join(image, 'disk')
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-disk-'))
  writeFileSync(file, '')
  truncateSync(file, sizeBytes)
  const isMounted = can('mkfs.ext4', '-q', '-F', file) && can('mount', '-o', 'loop', file, folder)
  const goOn = (): void => void can('fsfreeze', '-u', folder)
  const remove = async (): Promise<void> => {
    goOn()
    can('umount', '-l', folder)
    for (const made of [folder, image]) rmSync(made, { recursive: true, force: true })
  }
  if (!isMounted || !can('fsfreeze', '-f', folder)) {
    void remove()
    return null
  }
  goOn()
  return { folder, stall: () => void execFileSync('fsfreeze', ['-f', folder]), goOn, remove }
}
