import { accessSync, constants, statfsSync, statSync } from 'node:fs'

/** The facts about a file or folder and the disk that contains it. */
export type PathFacts = {
  readonly path: string
  /** `unreachable`: a folder above it cannot be entered, or the disk does not respond. */
  readonly kind: 'file' | 'folder' | 'missing' | 'unreachable'
  readonly uid: number
  /** The permission bits. */
  readonly mode: number
  readonly canRead: boolean
  readonly canWrite: boolean
  /** True for a folder that can be entered. */
  readonly canEnter: boolean
  readonly modifiedMs: number
  /** The disk. Null when it cannot be asked. */
  readonly disk: DiskFacts | null
}

/** The facts about a disk. */
export type DiskFacts = {
  /** The number with which the kernel names the kind of the file system (statfs(2)). */
  readonly type: number
  readonly freeBytes: number
  readonly freeInodes: number
  /** 0 where the file system has no fixed number of inodes. */
  readonly totalInodes: number
}

/** Reads the facts about a file or folder. Never throws. */
export function pathFacts(path: string): PathFacts {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { ...nothing, path, kind: 'missing' }
    return {
      path,
      kind: stat.isDirectory() ? 'folder' : 'file',
      uid: stat.uid,
      mode: stat.mode & 0o7777,
      canRead: allows(path, constants.R_OK),
      canWrite: allows(path, constants.W_OK),
      canEnter: stat.isDirectory() && allows(path, constants.X_OK),
      modifiedMs: stat.mtimeMs,
      disk: diskFacts(path),
    }
  } catch {
    return { ...nothing, path, kind: 'unreachable' }
  }
}

const nothing = {
  uid: 0,
  mode: 0,
  canRead: false,
  canWrite: false,
  canEnter: false,
  modifiedMs: 0,
  disk: null,
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

function diskFacts(path: string): DiskFacts | null {
  try {
    const { type, bavail, bsize, ffree, files } = statfsSync(path)
    return { type, freeBytes: bavail * bsize, freeInodes: ffree, totalInodes: files }
  } catch {
    return null
  }
}
