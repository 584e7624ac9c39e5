import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
