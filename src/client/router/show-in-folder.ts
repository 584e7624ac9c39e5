import { nameOf, parentOf, type Path } from '../../shared/domain/path.ts'
import { openFolder } from '../state/open-folder.ts'
import { filesUrl, location, navigate } from './router.ts'

/** Opens the folder of an entry, selects its row and gives the row the focus. */
export function showInFolder(path: Path): void {
  const folder = parentOf(path)
  const isOpen = (): boolean => openFolder.get()?.folder === folder
  // The rows are in the document only after React has rendered the folder.
  const focusRow = (): void => void setTimeout(() => openFolder.get()?.focus(nameOf(path)))
  const { path: shown, query } = location.get()
  if (shown !== folder || query !== '' || !isOpen()) navigate(filesUrl(folder, true))
  if (isOpen()) return focusRow()
  const check = (): void => {
    if (!isOpen() && location.get().path === folder) return
    stops.forEach((stop) => stop())
    if (isOpen()) focusRow()
  }
  const stops = [openFolder.subscribe(check), location.subscribe(check)]
}
