import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { TakeoverRecord } from '../settings.ts'
import { accessCode } from './access-code.ts'

/**
 * Returns the digest of the signing key in the database of File Browser from which a database file was made; null when
 * the file does not hold one. The file is opened for reading only, because somebody else may have
 * created it to prevent the server from starting.
 */
export function keyDigestIn(file: string): string | null {
  try {
    const database = new DatabaseSync(urlOf(file), { readOnly: true })
    try {
      if (!hasPlainTable(database)) return null
      const row = database.prepare("select value from setting where key = 'takeover'").get()
      return (JSON.parse(String(row?.['value'])) as TakeoverRecord).keyDigest
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}

/**
 * Returns true when `setting` is a table that holds its values. Reading a view, a virtual table or a computed column runs
 * expressions from the file, which may never end. A pragma cannot be replaced by a table of the same name.
 */
function hasPlainTable(database: DatabaseSync): boolean {
  const tables = database.prepare('pragma table_list(setting)').all()
  const columns = database.prepare('pragma table_xinfo(setting)').all()
  return tables.every(({ type }) => type === 'table') && columns.every(({ hidden }) => hidden === 0)
}

/**
 * Returns the URL with which SQLite opens a file. SQLite creates files beside a database even for reading, so a database
 * on a file system that is mounted read-only must be opened as immutable.
 */
function urlOf(file: string): URL {
  const url = pathToFileURL(file)
  if (accessCode(dirname(file), constants.W_OK) === 'EROFS') url.searchParams.set('immutable', '1')
  return url
}
