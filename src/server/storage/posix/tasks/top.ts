import { closeSync, fstatSync, readFileSync, statSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import { root } from '../../../../shared/domain/path.ts'
import type { Link } from '../../../workers/serve.ts'
import { errnoOf, mountIdOf, openAnywhere, realPathOf } from '../calls/descriptors.ts'
import { inPlain } from '../disks.ts'
import type { Question, Scene, Where } from '../resolve.ts'
import type { OpenedRoot } from './look.ts'

/** The top of the volume, as a thread is told of it. */
export type Top = {
  readonly descriptor: number
  readonly dev: bigint
  readonly ino: bigint
  /** Where it was when the volume was opened. */
  readonly realPath: string
  /** Where the disk that holds it was mounted then; null where the system does not say. */
  readonly mountPoint: string | null
  /** Whether the task may go on with another top: nothing it holds is of the old one. */
  readonly mayRenew: boolean
}

/**
 * Where a task is to work when its root is not in its place. A root that was renamed is still the same folder. One whose disk was
 * taken away, or that was removed, or that another disk covers, is looked for again at its path: what stands there now takes its
 * place, and `unavailable` where there is none. The empty folder that a disk leaves when it goes is none.
 */
export async function whereNow(where: Where, link: Link): Promise<Where> {
  const { top } = where
  if (isKept(top)) return where
  if (!top.mayRenew) throw gone()
  const opened = reopenTop(top)
  const question: Question = { kind: 'top', opened }
  const descriptor = (await link.ask(question)) as number
  return { ...where, root: descriptor, top: { ...top, descriptor, dev: opened.dev, ino: opened.ino } }
}

const gone = (): AppError => new AppError('unavailable', { reason: 'the served folder is not there' })

/** As it nearly always is: the path leads to the folder that is open. */
export function isInPlace({ descriptor, dev, ino, realPath }: Top): boolean {
  if (realPathOf(descriptor) !== realPath) return false
  const found = statAt(realPath)
  return found !== null && found.dev === dev && found.ino === ino
}

/** The folder is still on a disk that is mounted, under another name maybe, and no other disk lies over it. */
function isKept({ descriptor, realPath, mountPoint }: Top): boolean {
  if (fstatSync(descriptor).nlink === 0 || realPathOf(descriptor) === realPath) return false
  return mountPoint === null || mountOf(descriptor) !== null
}

function reopenTop({ realPath, mountPoint }: Top): OpenedRoot {
  const descriptor = openTop(realPath)
  try {
    const found = statAt(realPath)
    if (found === null || !isOnDisk(descriptor, mountPoint)) throw gone()
    const { dev, ino } = found
    return { descriptor, dev, ino, mountId: mountIdOf(descriptor), path: root, realPath }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function openTop(realPath: string): number {
  try {
    return openAnywhere(realPath)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) throw gone()
    throw error
  }
}

/** A disk is mounted where the former was, or below: not the one that both were mounted on. */
function isOnDisk(descriptor: number, mountPoint: string | null): boolean {
  if (mountPoint === null || mountPoint === '/') return true
  const point = mountOf(descriptor)?.point ?? ''
  return point === mountPoint || point.startsWith(`${mountPoint}/`)
}

function statAt(path: string): { readonly dev: bigint; readonly ino: bigint } | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
}

/** Which mount holds an open folder, and where that is mounted; null when it no longer is. */
export function mountOf(descriptor: number): { readonly id: string; readonly point: string } | null {
  const id = mountIdOf(descriptor)
  const rows = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const row = rows.find((line) => line.startsWith(`${id} `))
  const point = row?.split(' ')[4]
  return point === undefined ? null : { id, point: inPlain(point) }
}

/** Refuses to finish on a disk that was taken away meanwhile: nobody would find it there. */
export function requireMounted({ calls, where: { top } }: Scene, folder: number): void {
  // The top's own mount was seen a moment ago.
  if (top.mountPoint === null || calls.mountId(folder) === calls.mountId(top.descriptor)) return
  if (mountOf(folder) === null) throw gone()
}
