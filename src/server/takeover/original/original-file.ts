import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { AppError } from '../../../shared/domain/failure.ts'
import { accessHint } from './access-hint.ts'
import { boltHeadBytes, isBoltHead } from '../bolt/meta-page.ts'
import { maxBoltFileBytes } from '../bolt/read-bolt.ts'

/** Returns true for a Bolt file, which the database of File Browser is. False for a missing file. */
export function isBoltFile(file: string): boolean {
  if (!isFile(file)) return false
  return withFile(file, (fd) => isBoltHead(readBytes(fd, boltHeadBytes)))
}

/**
 * Returns true for a file. Also returns false when the path cannot be examined, because opening it reports the reason.
 */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * The number of attempts to read a file that changes while it is read. File Browser writes rarely, so the second attempt is usually
 * enough.
 */
const attempts = 5

/**
 * Reads a database of File Browser into memory and leaves the file as it is. File Browser may be running: the bytes are
 * those of a moment at which the file did not change.
 */
export function copyOriginalFile(file: string): Buffer {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const copy = withFile(file, readUnchanged)
    if (copy !== null) return copy
  }
  throw new AppError('busy', { reason: `File Browser is writing to ${file}; stop it, and start again` })
}

/** Reads a whole file. Returns null when the file changed meanwhile. */
function readUnchanged(fd: number): Buffer | null {
  const before = fstatSync(fd, { bigint: true })
  const copy = readBytes(fd, Math.min(Number(before.size), maxBoltFileBytes + 1))
  const after = fstatSync(fd, { bigint: true })
  return before.size === after.size && before.mtimeNs === after.mtimeNs ? copy : null
}

function readBytes(fd: number, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  let length = 0
  while (length < count) {
    const read = readSync(fd, bytes, length, count - length, length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

function withFile<T>(file: string, work: (fd: number) => T): T {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new AppError('unavailable', {
      cause,
      reason: `the database ${file} cannot be read (${code})${accessHint(code, file)}`,
    })
  }
  try {
    return work(fd)
  } finally {
    closeSync(fd)
  }
}
