import type { Path } from '../../shared/domain/path.ts'
import { operationsAfterRows } from './load-after-rows.ts'
import { pickFiles, type PickedKind } from './pick-files.ts'

/**
 * Lets the user choose files, a folder or a photo, and uploads the choice into a folder. The picker opens before
 * anything is loaded, because browsers open it only in response to a press.
 */
export async function uploadPicked(folder: Path, kind: PickedKind): Promise<void> {
  const items = await pickFiles(kind)
  if (items.length === 0) return
  const { upload } = await operationsAfterRows.load()
  await upload(folder, items)
}
