import { closeSync } from 'node:fs'
import { openAt, openFlags, openUnnamed, unlinkAt } from '../calls/descriptors.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { renameIfFree, recordStaged } from '../staging/staged-files.ts'

/**
 * A file that is not yet visible under its final name. If the file is closed before `place` is called, it is deleted.
 */
export type UnplacedFile = {
  readonly descriptor: number
  readonly isNameless: boolean
  readonly place: () => void
  readonly close: () => void
}

/**
 * Creates a file without a name, which disappears when its descriptor is closed. Returns null when the file system does
 * not support such files.
 */
export function openNamelessFile({ calls }: TaskContext, location: EntryLocation): UnplacedFile | null {
  const { linkUnnamed } = calls
  if (linkUnnamed === null) return null
  const descriptor = openUnnamed(location.folder, 0o600)
  return {
    descriptor,
    isNameless: true,
    place: () => linkUnnamed(descriptor, location),
    close: () => closeSync(descriptor),
  }
}

/** Creates a staged file, after the journal has recorded it. */
export async function openStagedFile(context: TaskContext, location: EntryLocation): Promise<UnplacedFile> {
  const from = { folder: location.folder, name: context.newStagedName() }
  await recordStaged(context, from)
  const descriptor = openAt(from, openFlags.createNew, 0o600)
  let isPlaced = false
  return {
    descriptor,
    isNameless: false,
    place() {
      renameIfFree(context.calls, from, location)
      isPlaced = true
    },
    close() {
      closeSync(descriptor)
      if (!isPlaced) unlinkQuietly(from)
    },
  }
}

/** Removes a staged file. Errors are ignored, because its folder may no longer exist either. */
function unlinkQuietly(location: EntryLocation): void {
  try {
    unlinkAt(location)
  } catch {
    // The file no longer exists.
  }
}
