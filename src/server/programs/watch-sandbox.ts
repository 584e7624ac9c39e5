import type { ChildProcess } from 'node:child_process'
import { readFile, readdir, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { sandboxPipes } from './sandbox.ts'
import { isThere, type SandboxProcess } from './sandbox-process.ts'

/** A folder, whatever its name. */
export type FolderIdentity = { readonly dev: bigint; readonly ino: bigint }

export type SandboxWatch = {
  /** What must stand at `/scope`, and what the work must begin in, at its path below. */
  readonly scope: FolderIdentity
  readonly folder: FolderIdentity & { readonly path: string }
  /** Of all processes in it together. */
  readonly processes: number
  readonly memoryBytes: number
  /** Ends with the sandbox. */
  readonly signal: AbortSignal
}

const stepMs = 10
const readyMs = 5000
const goneMs = 1000
const lookMs = 100
const pageBytes = 4096

/**
 * Lets a sandbox begin once it holds exactly the folders that were judged: between the judging and the mounting, somebody may have put
 * others in their place. Then looks again and again whether all that runs in it stays within the limits that the kernel does not know
 * or spares root. Gives why it has to end; null when it ended by itself.
 */
export async function watchSandbox(
  child: ChildProcess,
  first: SandboxProcess,
  watch: SandboxWatch,
): Promise<string | null> {
  const { pid } = first
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    if (!(await isReady(pid, watch))) return (await isThere(first)) ? 'its folders are others by now' : null
    ;(child.stdio[sandboxPipes.awaited] as Writable).on('error', () => undefined).end('x')
    return await excess(pid, watch)
  } catch (error) {
    // It ends whenever it likes, and takes a moment for it; what cannot be watched while it is there has to end, too.
    for (let waitedMs = 0; waitedMs < goneMs; waitedMs += stepMs) {
      if (watch.signal.aborted || !(await isThere(first))) return null
      await after(stepMs)
    }
    throw error
  }
}

/** Its root is another than ours, with a scope in it, once all is mounted; only then it waits for a word. */
async function isReady(pid: number, { scope, folder, signal }: SandboxWatch): Promise<boolean> {
  const ours = await folderAt('/')
  const place = `/proc/${pid}/root`
  for (let waitedMs = 0; waitedMs < readyMs && !signal.aborted; waitedMs += stepMs) {
    const shown = isSame(await folderAt(place), ours) ? null : await folderAt(`${place}/scope`)
    if (shown !== null) {
      return isSame(shown, scope) && isSame(await folderAt(`${place}/scope/${folder.path}`), folder)
    }
    await after(stepMs, null, { signal }).catch(() => null)
  }
  return false
}

const folderAt = (place: string): Promise<FolderIdentity | null> =>
  stat(place, { bigint: true }).catch(() => null)

const isSame = (a: FolderIdentity | null, b: FolderIdentity | null): boolean =>
  a !== null && b !== null && a.dev === b.dev && a.ino === b.ino

async function excess(pid: number, watch: SandboxWatch): Promise<string | null> {
  while (!watch.signal.aborted) {
    const numbers = (await readdir(`/proc/${pid}/root/proc`)).filter((name) => /^\d+$/.test(name))
    if (numbers.length > watch.processes) return 'it has too many processes'
    const sizes = await Promise.all(numbers.map((number) => residentBytes(pid, number)))
    if (sizes.reduce((sum, size) => sum + size, 0) > watch.memoryBytes) return 'it has too much memory'
    await after(lookMs, null, { signal: watch.signal }).catch(() => null)
  }
  return null
}

async function residentBytes(pid: number, number: string): Promise<number> {
  try {
    const facts = await readFile(`/proc/${pid}/root/proc/${number}/statm`, 'latin1')
    return Number(facts.split(' ')[1] ?? 0) * pageBytes
  } catch {
    return 0
  }
}
