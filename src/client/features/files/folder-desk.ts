import { call, CallError } from '../../api/call.ts'
import { carrySelection } from '../../listing/rows/carry-selection.ts'
import { createFolderDesk, type FolderView } from '../../listing/rows/folder-view.ts'
import { location } from '../../router/router.ts'
import { session, userOf } from '../../state/session.ts'
import { selection, selectionIn } from '../../state/selection.ts'

/** What the files screen shows, and the folders that were open lately. */
export const folderDesk = createFolderDesk({
  request: async ({ path, isFolder }, headers, signal) => {
    try {
      return await call('resources.get', { path, isFolder, headers, signal })
    } catch (thrown) {
      if (thrown instanceof CallError && thrown.status >= 200)
        return new Response(null, { status: thrown.status })
      throw thrown
    }
  },
  breathe: () => new Promise((resolve) => setTimeout(resolve)),
  nowMs: () => performance.now(),
  later: (ms, signal, run) => {
    const timer = setTimeout(run, ms)
    signal.addEventListener('abort', () => clearTimeout(timer))
  },
  beforeShow: keepSelection,
})

/** The address alone says what to ask for: by the time the screen has been rendered, the first rows are here. */
location.subscribe(() => {
  const { screen, path, isFolder } = location.get()
  if (screen === 'files' && path !== null && userOf() !== null) folderDesk.open({ path, isFolder })
})

let ownerId = userOf()?.id
/** What one person could see is not shown to the next. */
session.subscribe(() => {
  const id = userOf()?.id
  if (id === ownerId) return
  ownerId = id
  folderDesk.forget()
})

/** Selection belongs to a folder: it goes along when its rows are fetched again, and ends when another place is shown. */
function keepSelection(was: FolderView, next: FolderView): void {
  if (next.kind !== 'folder') return
  if (was.kind !== 'folder' || was.path !== next.path) return selection.set(selectionIn(next.path))
  const [from, to] = [was.folder.columns, next.folder.columns]
  if (from !== to) selection.set((now) => carrySelection(now, from, to))
}
