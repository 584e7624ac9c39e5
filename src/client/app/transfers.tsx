import '../i18n/later-texts.ts'
import { Clipboard } from '../features/clipboard/clipboard.tsx'
import { DragLayer } from '../features/drag/drag-layer.tsx'
import { ConnectionMark } from '../features/files/bars/connection-mark.tsx'
import { CopyPathButton } from '../features/files/breadcrumb/copy-path-button.tsx'
import { isShellOpen } from '../state/panels/shell.ts'
import { useStore } from '../state/store.ts'
import { lazyPart } from '../state/parts/lazy-part.ts'

const { Part: Shell } = lazyPart(async () => (await import('../features/shell/shell.tsx')).Shell)

/** Renders what the first rows do not need: the layers for moving and copying entries, the state of live updates, and the button that copies the path. */
export const Transfers = () => (
  <>
    <Clipboard />
    <DragLayer />
    <ConnectionMark />
    <CopyPathButton />
    {useStore(isShellOpen) && <Shell />}
  </>
)
