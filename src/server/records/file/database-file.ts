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
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Database } from '../sql/tables.ts'

export type FileState = 'missing' | 'empty' | 'sqlite'

/** The suffixes of the files that SQLite keeps beside a database. */
export const sideFileSuffixes = ['-wal', '-shm', '-journal'] as const

const headBytes = 100
const sqliteMark = 'SQLite format 3\0'
/** The magic number of a Bolt file, which is the database of the original, and its offset in bytes. */
const bolt = { mark: 0xed0cdaed, at: 16 }

/**
 * Detects what lies at the path of the database, without opening it as a database. Throws `unsupported` for a file that
 * must not be written; the file stays unchanged, byte for byte.
 */
export function detectFileState(file: string): FileState {
  if (!existsSync(file)) return 'missing'
  const head = headOf(file)
  if (head.length === 0) return 'empty'
  if (head.toString('latin1', 0, sqliteMark.length) === sqliteMark) return 'sqlite'
  const isBolt = head.length >= bolt.at + 4 && head.readUInt32LE(bolt.at) === bolt.mark
  throw new AppError('unsupported', {
    reason: isBolt
      ? 'the database is one of File Browser, which this version cannot take over yet; name another with -d'
      : 'the database is no SQLite file; name another with -d',
  })
}

/**
 * The offset of the write version. It is 1 in a database without a write-ahead log, as SQLite creates them, and 2 in
 * each database that Stowage has opened (SQLite's file format, 1.3).
 */
const writeVersionAt = 18

/**
 * Returns the tables of a database that Stowage never opened, without changing the file. Returns none for a database
 * that may be our own or that is in use.
 */
export function tablesOfForeignFile(file: string): readonly string[] {
  if (headOf(file)[writeVersionAt] !== 1) return []
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const rows = database.prepare("select name from sqlite_schema where type in ('table', 'view')").all()
      return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
    } finally {
      database.close()
    }
  } catch {
    // Opening the database reports what is wrong with it.
    return []
  }
}

/** True for an SQLite database, whichever program wrote it. */
export function isSqliteFile(file: string): boolean {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isFile && headOf(file).toString('latin1', 0, sqliteMark.length) === sqliteMark
}

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
 * Creates an empty file for its owner alone (0600) and the folders above it (0700). SQLite gives its side files the
 * same mode.
 */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/**
 * Writes a consistent copy of a database, for its owner alone, while others may have it open. The copy is complete or
 * does not exist.
 */
export async function copyFile(database: Database, copy: string): Promise<void> {
  const unfinished = `${copy}.unfinished`
  rmSync(unfinished, { force: true })
  createPrivateFile(unfinished)
  try {
    await sql`vacuum into ${unfinished}`.execute(database)
    flush(unfinished)
    removeSideFiles(copy)
    renameSync(unfinished, copy)
  } catch (thrown) {
    rmSync(unfinished, { force: true })
    throw thrown
  }
}

/** Removes side files: SQLite would read a log that another database has left here into the next database. */
function removeSideFiles(file: string): void {
  for (const ending of sideFileSuffixes) rmSync(file + ending, { force: true })
}

/** Moves a damaged database to another path byte by byte, since SQLite cannot copy it. */
export function moveDamagedFile(file: string, kept: string): void {
  const real = realpathSync(file)
  const endings = ['', ...sideFileSuffixes].filter((ending) => existsSync(real + ending))
  removeSideFiles(kept)
  for (const ending of endings) {
    copyFileSync(real + ending, kept + ending)
    flush(kept + ending)
  }
  for (const ending of endings) rmSync(real + ending)
}

/** Flushes a file, since a copy alone leaves it to the system when the bytes reach the disk. */
function flush(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
