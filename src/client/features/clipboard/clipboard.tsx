import { useLocation } from '../../router/use-location.ts'
import { useStore } from '../../state/store.ts'
import { useUser } from '../../state/session.ts'
import { clipboard } from '../../state/clipboard.ts'
import { unreachablePath } from '../../state/open-folder.ts'
import { ClipboardChip } from './clipboard-chip.tsx'
import { useClipboardKeys } from './use-clipboard-keys.ts'
import { useClipboardSharing } from './use-clipboard-sharing.ts'

/** Handles the keys of the clipboard, shares its content with other tabs, and shows the content in a folder. */
export function Clipboard() {
  const content = useStore(clipboard)
  const { screen, path, isFolder } = useLocation()
  const isUnreachable = useStore(unreachablePath) !== null
  useClipboardKeys()
  useClipboardSharing(useUser()?.id ?? null)
  // The rows of this folder may still be loading, with the previous folder on screen.
  const folder = screen === 'files' && isFolder && !isUnreachable ? path : null
  return content === null || folder === null ? null : <ClipboardChip content={content} folder={folder} />
}
