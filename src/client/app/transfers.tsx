import '../i18n/later-texts.ts'
import { Clipboard } from '../features/clipboard/clipboard.tsx'
import { DragLayer } from '../features/drag/drag-layer.tsx'
import { ConnectionMark } from '../features/files/bars/connection-mark.tsx'
import { CopyPathButton } from '../features/files/breadcrumb/copy-path-button.tsx'

/** Renders what the first rows do not need: the layers for moving and copying entries, the state of live updates, and the button that copies the path. */
export const Transfers = () => (
  <>
    <Clipboard />
    <DragLayer />
    <ConnectionMark />
    <CopyPathButton />
  </>
)
