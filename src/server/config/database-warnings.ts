import { realpathSync } from 'node:fs'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { readMounts } from './mounts.ts'

/**
 * Returns a warning for a database file that is itself a mount point, as when one file is mounted into a container. SQLite
 * keeps the last changes in a file beside it, which is lost together with the container.
 */
export function databaseWarnings(database: string, mounts = readMounts()): readonly string[] {
  const file = isDatabaseUrl(database) ? null : realPathOf(database)
  if (!mounts.some(({ point }) => point === file)) return []
  return [
    `the database ${database} is mounted as a single file, so the last second of changes is lost when the container ends suddenly; mount its folder instead`,
  ]
}

function realPathOf(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
