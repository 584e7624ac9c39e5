import '../i18n/later-texts.ts'
import { Suspense } from 'react'
import { Clipboard } from '../features/clipboard/clipboard.tsx'
import { DragLayer } from '../features/drag/drag-layer.tsx'
import { ConnectionMark } from '../features/files/bars/connection-mark.tsx'
import { CopyPathButton } from '../features/files/breadcrumb/copy-path-button.tsx'
import { isShellOpen } from '../state/panels/shell.ts'
import { useStore } from '../state/store.ts'
import { lazyScreen } from '../api/lazy-screen.ts'

const { Screen: Shell } = lazyScreen(() => import('../features/shell/shell.tsx').then((it) => it.Shell))

/** Renders what the first rows do not need: the layers for moving and copying entries, the state of live updates, and the button that copies the path. */
export const Transfers = () => (
  <>
    <Clipboard />
    <DragLayer />
    <ConnectionMark />
    <CopyPathButton />
    <Suspense>{useStore(isShellOpen) && <Shell />}</Suspense>
  </>
)
