import '../i18n/later-texts.ts'
import { Clipboard } from '../features/clipboard/clipboard.tsx'
import { DragLayer } from '../features/drag/drag-layer.tsx'

/** Renders the layers for moving and copying entries, which the first rows do not need. */
export const Transfers = () => (
  <>
    <Clipboard />
    <DragLayer />
  </>
)
