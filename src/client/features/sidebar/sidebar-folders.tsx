import { useLayoutEffect } from 'react'
import { useLocation } from '../../router/use-location.ts'
import { isDrawerOpen } from '../../state/device/sidebar.ts'
import { useStore } from '../../state/store.ts'
import { FolderTree } from './folder-tree.tsx'
import { GoToFileButton } from './go-to-file-button.tsx'
import { Pins } from './pins.tsx'
import { folderOfAddress } from './use-tree.ts'

/** Renders the button that finds a file, the pinned folders and the folder tree. */
export function SidebarFolders() {
  const open = folderOfAddress(useLocation())
  useDrawerTop()
  return (
    <>
      <GoToFileButton />
      <Pins open={open} />
      <FolderTree open={open} />
    </>
  )
}

/** Scrolls the drawer to its first entries whenever it opens. While it was closed, the tree followed the open folder. */
function useDrawerTop(): void {
  const isOpen = useStore(isDrawerOpen)
  useLayoutEffect(() => {
    if (!isOpen) return
    for (const part of document.querySelectorAll('#sidebar, #sidebar > div')) part.scrollTop = 0
  }, [isOpen])
}
