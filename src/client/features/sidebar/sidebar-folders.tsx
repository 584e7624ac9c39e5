import { useLayoutEffect } from 'react'
import { useLocation } from '../../router/use-location.ts'
import { isDrawerOpen } from '../../state/device/sidebar.ts'
import { useStore } from '../../state/store.ts'
import { FolderTree } from './folder-tree.tsx'
import { GoToFileButton } from './go-to-file-button.tsx'
import { Pins } from './pins.tsx'
import { folderOfAddress } from './use-tree.ts'
import styles from './sidebar-parts.module.css'

/** Renders the button that finds a file, and below it the pinned folders and the folder tree, which scroll. */
export function SidebarFolders() {
  const open = folderOfAddress(useLocation())
  useDrawerTop()
  return (
    <>
      <GoToFileButton />
      <div className={styles.scroller}>
        <Pins open={open} />
        <FolderTree open={open} />
      </div>
    </>
  )
}

/** Scrolls the drawer to its first entries whenever it opens. While it was closed, the tree followed the open folder. */
function useDrawerTop(): void {
  const isOpen = useStore(isDrawerOpen)
  useLayoutEffect(() => {
    if (!isOpen) return
    for (const part of document.querySelectorAll('#sidebar, #sidebar > div > div')) part.scrollTop = 0
  }, [isOpen])
}
