import { useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { isAvailable, type Action } from '../../actions/action.ts'
import { copyToClipboard } from '../../actions/copy-to-clipboard.ts'
import { cut } from '../../actions/cut.ts'
import { contextOfAction } from '../../actions/page-context.ts'
import { paste } from '../../actions/paste.ts'
import { location } from '../../router/router.ts'
import { openFolder } from '../../state/open-folder.ts'
import { prompt } from '../../state/prompt.ts'
import { may } from '../../state/session.ts'

const actionOfEvent: Readonly<Record<string, Action>> = { copy: copyToClipboard, cut, paste }

/**
 * Cuts, copies and pastes entries with the browser's own keys and menu commands. The browser fires an event for each
 * of them, also over plain http, where pages cannot read the clipboard. In fields, and while text is selected, the
 * browser handles the events itself. The uploads feature handles pasted files.
 */
export function useClipboardKeys(): void {
  useEffect(() => {
    const types = Object.keys(actionOfEvent)
    for (const type of types) document.addEventListener(type, onClipboardEvent as EventListener)
    return () => {
      for (const type of types) document.removeEventListener(type, onClipboardEvent as EventListener)
    }
  }, [])
}

function onClipboardEvent(event: ClipboardEvent): void {
  const action = actionOfEvent[event.type]
  const folder = folderOfAddress()
  if (action === undefined || folder === null || isHandledElsewhere(event)) return
  const open = openFolder.get()
  const selected = open?.folder === folder ? open.selected() : []
  const context = contextOfAction(action, { folder, selected, may, isMultiple: false })
  if (!isAvailable(action, context)) return
  event.preventDefault()
  if (event.type !== 'paste') {
    // The system's clipboard gets the names. They replace a picture that a later paste would otherwise upload.
    event.clipboardData?.setData('text/plain', context.selected.map(({ name }) => name).join('\n'))
  }
  void action.run(context)
}

/** Returns the folder of the current address. Its rows may still be loading, with the previous folder on screen. */
function folderOfAddress(): Path | null {
  const { screen, path, isFolder } = location.get()
  return screen === 'files' && isFolder ? path : null
}

function isHandledElsewhere({ type, target, clipboardData, defaultPrevented }: ClipboardEvent): boolean {
  if (defaultPrevented || prompt.get().kind !== 'none') return true
  if (type === 'paste' && clipboardData !== null && clipboardData.files.length > 0) return true
  if (type !== 'paste' && getSelection()?.isCollapsed === false) return true
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, [contenteditable="true"], [role="menu"]') !== null
  )
}
