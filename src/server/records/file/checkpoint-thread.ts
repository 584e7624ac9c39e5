import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { serve } from '../../workers/serve.ts'
import type { SignaturesOf } from '../../workers/task-signatures.ts'

/** Checkpoints run in a thread, because they wait until the database file is flushed. */
const tasks = {
  /**
   * Copies the write-ahead log into the database file, and flushes the file. Returns true when the whole log was copied,
   * and false when a reader or another checkpoint prevented this. A passive checkpoint makes no writer wait.
   */
  checkpoint({ file }: { readonly file: string }): boolean {
    // SQLite would create a missing file without this mode.
    const url = pathToFileURL(file)
    url.searchParams.set('mode', 'rw')
    const database = new DatabaseSync(url)
    try {
      const result = database.prepare('pragma wal_checkpoint(passive)').get()
      return result?.['busy'] === 0 && result['log'] === result['checkpointed']
    } finally {
      database.close()
    }
  },
}

export type CheckpointTasks = SignaturesOf<typeof tasks>

serve(tasks)
