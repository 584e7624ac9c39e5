import { readFile, rename, writeFile } from 'node:fs/promises'
import { parseAdvisoryList, type ListedAdvisory } from './advisory-list.ts'

/** The last answer from a URL with advisories. A file keeps it, so that a start asks no earlier than a day after the last one. */
export type AdvisoryRecord = {
  readonly url: string
  readonly askedAtMs: number
  /** The time of the last list. Null before the first one. */
  readonly answeredAtMs: number | null
  /** The reason why the last request brought no list. Null when it did, or while it runs. */
  readonly failure: string | null
  readonly list: readonly ListedAdvisory[]
}

/** Reads the record of a URL. Returns null when there is none, or when it is about another URL or cannot be read. */
export async function readAdvisoryRecord(file: string, url: string): Promise<AdvisoryRecord | null> {
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as AdvisoryRecord
    const list = parseAdvisoryList(JSON.stringify(stored.list))
    return stored.url === url && typeof stored.askedAtMs === 'number' && list !== null
      ? { ...stored, list }
      : null
  } catch {
    return null
  }
}

/** Replaces the record. */
export async function writeAdvisoryRecord(file: string, record: AdvisoryRecord): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
