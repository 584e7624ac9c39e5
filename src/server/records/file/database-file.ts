import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Database } from '../sql/tables.ts'

export type DatabaseFileState = 'missing' | 'empty' | 'sqlite'

/** The suffixes of the files that SQLite creates next to a database. */
export const sideFileSuffixes = ['-wal', '-shm', '-journal'] as const

/** The suffixes of side files whose content SQLite writes into the database beside them, unless they are empty. */
export const logSuffixes = ['-wal', '-journal'] as const

const headBytes = 100
const sqliteMagic = 'SQLite format 3\0'
/** The magic number of a Bolt file, and its offset in bytes. The database of File Browser is a Bolt file. */
const bolt = { magic: 0xed0cdaed, offset: 16 }

/**
 * Detects whether a database file is missing, empty or an SQLite database, without opening it as a database. Throws
 * `unsupported` for any other file. The file is not changed.
 */
export function detectFileState(file: string): DatabaseFileState {
  if (!existsSync(file)) return 'missing'
  const head = headOf(file)
  if (head.length === 0) return 'empty'
  if (head.toString('latin1', 0, sqliteMagic.length) === sqliteMagic) return 'sqlite'
  const isBolt = head.length >= bolt.offset + 4 && head.readUInt32LE(bolt.offset) === bolt.magic
  throw new AppError('unsupported', {
    reason: isBolt
      ? 'the database is one of File Browser, and no file of Stowage; name another with -d'
      : 'the database is no SQLite file; name another with -d',
  })
}

/**
 * The offset of the header field "file format write version" (SQLite's file format, 1.3). The field is 1 in a database
 * without a write-ahead log, which is SQLite's default, and 2 in each database that Stowage has opened.
 */
const writeVersionOffset = 18

/**
 * Returns the names of the tables in a database that Stowage has never opened, without changing the file. Returns an
 * empty list for a database that may belong to Stowage or that is in use.
 */
export function tablesOfForeignFile(file: string): readonly string[] {
  if (headOf(file)[writeVersionOffset] !== 1) return []
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const rows = database.prepare("select name from sqlite_schema where type in ('table', 'view')").all()
      return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
    } finally {
      database.close()
    }
  } catch {
    // The error is ignored, because the caller opens the database next and reports the same error.
    return []
  }
}

/** Returns true for an SQLite database of any program. */
export function isSqliteFile(file: string): boolean {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isFile && headOf(file).toString('latin1', 0, sqliteMagic.length) === sqliteMagic
}

/** Returns true when a path leads, also through symbolic links, to the database or to one of SQLite's side files. */
export function isDatabaseFile(file: string, database: string): boolean {
  const own = ['', ...sideFileSuffixes].map((ending) => realPathOf(database) + ending)
  return own.includes(realPathOf(file)) || own.includes(join(realPathOf(dirname(file)), basename(file)))
}

/** Resolves the symbolic links in the existing part of a path. */
const realPathOf = (file: string): string =>
  existsSync(file) || dirname(file) === file
    ? realpathSync(file)
    : join(realPathOf(dirname(file)), basename(file))

function headOf(file: string): Buffer {
  const fd = openSync(file, 'r')
  try {
    const head = Buffer.alloc(headBytes)
    return head.subarray(0, readSync(fd, head, 0, headBytes, 0))
  } finally {
    closeSync(fd)
  }
}

/**
 * Creates an empty file that only its owner can access (0600), and the missing folders above it (0700). SQLite creates
 * its side files with the same mode.
 */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/**
 * Writes a consistent copy of a database, also while other processes have the database open. Only the owner can access
 * the copy. The copy gets its name after it was written completely.
 */
export async function copyFile(
  database: Database,
  copy: string,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<void> {
  const unfinished = `${copy}.unfinished`
  rmSync(unfinished, { force: true })
  createPrivateFile(unfinished)
  try {
    await sql`vacuum into ${unfinished}`.execute(database)
    flush(unfinished)
    if (!(await isWanted())) {
      rmSync(unfinished)
      return
    }
    removeSideFiles(copy)
    renameSync(unfinished, copy)
  } catch (thrown) {
    rmSync(unfinished, { force: true })
    throw thrown
  }
}

/**
 * Removes the side files of a former database. Otherwise SQLite would apply their log to the next database at this
 * path.
 */
function removeSideFiles(file: string): void {
  for (const suffix of sideFileSuffixes) rmSync(file + suffix, { force: true })
}

/** Moves a damaged database to another path byte by byte, because SQLite cannot copy it. */
export function moveDamagedFile(file: string, target: string): void {
  const real = realpathSync(file)
  const suffixes = ['', ...sideFileSuffixes].filter((suffix) => existsSync(real + suffix))
  removeSideFiles(target)
  for (const suffix of suffixes) {
    copyFileSync(real + suffix, target + suffix)
    flush(target + suffix)
  }
  for (const suffix of suffixes) rmSync(real + suffix)
}

/**
 * Flushes a file to the disk. Without the flush, the operating system decides when the bytes of a copy reach the disk.
 */
function flush(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
