import { DatabaseSync } from 'node:sqlite'
import type { TakeoverRecord } from '../port.ts'

/**
 * Returns the digest of the signing key in the database of File Browser from which a database file was made; null when
 * the file does not hold one. The file is opened for reading only, because it may not be one of ours.
 */
export function keyDigestIn(file: string): string | null {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const row = database.prepare("select value from setting where key = 'takeover'").get()
      return (JSON.parse(String(row?.['value'])) as TakeoverRecord).keyDigest
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}
