import { existsSync, statSync } from 'node:fs'
import { openRecords } from '../records/open-records.ts'
import type { ServerRecord } from '../records/port.ts'

/** Whether something lies at a database's place. An empty file is nothing: containers mount such ones. */
export const hasDatabase = (file: string): boolean => existsSync(file) && statSync(file).size > 0

/** The options of serving that a database keeps; none where there is no database yet. Makes nothing. */
export async function storedOptions(
  file: string,
  { nowMs }: { readonly nowMs: () => number },
): Promise<ServerRecord> {
  if (!hasDatabase(file)) return {}
  const records = await openRecords({ file, nowMs, ifMissing: 'refuse' })
  try {
    return await records.settings.server()
  } finally {
    await records.close()
  }
}
