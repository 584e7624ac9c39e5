import type { Entry } from '../../shared/domain/entry.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Storage } from '../storage/port.ts'

/** What stands at a path, or null when nothing does. What is denied is still `forbidden`. */
export async function look(storage: Storage, path: Path): Promise<Entry | null> {
  try {
    return await storage.stat(path)
  } catch (error) {
    if (codeOf(error) === 'not-found' || codeOf(error) === 'not-a-folder') return null
    throw error
  }
}
