import { useLocation } from '../../router/use-location.ts'
import { FolderTree } from './folder-tree.tsx'
import { Pins } from './pins.tsx'
import { folderOfAddress } from './use-tree.ts'

/** Renders the pinned folders and the folder tree. */
export function SidebarFolders() {
  const open = folderOfAddress(useLocation())
  return (
    <>
      <Pins open={open} />
      <FolderTree open={open} />
    </>
  )
}
