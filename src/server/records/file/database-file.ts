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
import type { Database } from '../tables.ts'

export type FileState = 'missing' | 'empty' | 'sqlite'

/** What SQLite adds to a database's name for the files that it keeps beside it. */
export const sideEndings = ['-wal', '-shm', '-journal'] as const

const headBytes = 100
const sqliteMark = 'SQLite format 3\0'
/** Where a Bolt file, the original's kind of database, carries its mark. */
const bolt = { mark: 0xed0cdaed, at: 16 }

/**
 * What lies at the database's place, without opening it as a database. `unsupported` for anything that is not ours to write:
 * the file stays as it is, byte for byte.
 */
export function lookAtFile(file: string): FileState {
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

/** 1 for a database that keeps no log beside it, as SQLite makes them; ours do from when they are first opened (SQLite's file format, 1.3). */
const writeVersionAt = 18

/** The tables of a database that was never opened by us, looked at without changing it; none of one that may be ours, or is in use. */
export function tablesOfUntouched(file: string): readonly string[] {
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
    // Whatever it is that is wrong with it is told by opening it.
    return []
  }
}

/** Whether a file is one of SQLite's, whoever wrote it. */
export function hasSqlite(file: string): boolean {
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

/** Makes an empty file for its owner alone (0600), and the folders above it (0700). SQLite gives its side files the same mode. */
export function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** A consistent copy beside the file, for its owner alone, taken while others may have it open. Whole, or not there. */
export async function copyFile(database: Database, copy: string): Promise<void> {
  const unfinished = `${copy}.unfinished`
  rmSync(unfinished, { force: true })
  makeFile(unfinished)
  try {
    await sql`vacuum into ${unfinished}`.execute(database)
    flush(unfinished)
    removeSides(copy)
    renameSync(unfinished, copy)
  } catch (thrown) {
    rmSync(unfinished, { force: true })
    throw thrown
  }
}

/** A log that another database has left in this place would be read into the next one there. */
function removeSides(file: string): void {
  for (const ending of sideEndings) rmSync(file + ending, { force: true })
}

/** A damaged database goes to another place, byte by byte: nobody can copy it by SQLite's means. */
export function putAside(file: string, kept: string): void {
  const real = realpathSync(file)
  const endings = ['', ...sideEndings].filter((ending) => existsSync(real + ending))
  removeSides(kept)
  for (const ending of endings) {
    copyFileSync(real + ending, kept + ending)
    flush(kept + ending)
  }
  for (const ending of endings) rmSync(real + ending)
}

/** Copying leaves it to the system when the bytes reach the disk. */
function flush(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
