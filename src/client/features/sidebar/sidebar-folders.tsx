import { useLocation } from '../../router/use-location.ts'
import { FolderTree } from './folder-tree.tsx'
import { GoToFileButton } from './go-to-file-button.tsx'
import { Pins } from './pins.tsx'
import { folderOfAddress } from './use-tree.ts'

/** Renders the button that finds a file, the pinned folders and the folder tree. */
export function SidebarFolders() {
  const open = folderOfAddress(useLocation())
  return (
    <>
      <GoToFileButton />
      <Pins open={open} />
      <FolderTree open={open} />
    </>
  )
}
