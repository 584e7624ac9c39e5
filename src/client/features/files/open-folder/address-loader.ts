import { call, CallError } from '../../../api/call.ts'
import { takeEarlyListing } from '../../../api/early-listing.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { carrySelection } from '../../../listing/rows/carry-selection.ts'
import { createFolderLoader, type FolderView } from '../../../listing/rows/folder-loader.ts'
import { location } from '../../../router/router.ts'
import { registerPersonal } from '../../../state/personal.ts'
import { session, userOf } from '../../../state/session.ts'
import { selectionIn } from '../../../state/selection.ts'
import { filesAfterRows } from '../parts/load-after-rows.ts'

const { selection } = folderListing

/** Loads the content of the files screen, and caches recently opened folders. */
export const addressLoader = createFolderLoader({
  request: async ({ path, isFolder }, headers, signal) => {
    try {
      const early = await takeEarlyListing({ path, isFolder }, signal)
      return early ?? (await call('resources.get', { path, isFolder, headers, signal }))
    } catch (thrown) {
      if (thrown instanceof CallError && thrown.status >= 200) return responseOf(thrown)
      throw thrown
    }
  },
  yieldToBrowser: () => new Promise((resolve) => setTimeout(resolve)),
  nowMs: () => performance.now(),
  later: (ms, signal, run) => {
    const timer = setTimeout(run, ms)
    signal.addEventListener('abort', () => clearTimeout(timer))
  },
  beforeShow: keepSelection,
})

/** Opens the folder or file of the address, and closes it when the address leads to another screen. */
function followAddress(): void {
  const { screen, path, isFolder } = location.get()
  if (screen !== 'files' || path === null) addressLoader.close()
  else if (userOf() !== null) addressLoader.open({ path, isFolder })
}

// The address and the user alone determine the request, so the request starts before the screen is rendered.
location.subscribe(followAddress)
session.subscribe(followAddress)
followAddress()

// Cached folders of one user must never be shown to the next user.
registerPersonal({
  drop: () => {
    addressLoader.close()
    addressLoader.forget()
  },
})

/**
 * Keeps the selection when the rows of the same folder are fetched again, and clears it when another folder is shown.
 */
function keepSelection(current: FolderView, next: FolderView): void {
  if (next.kind !== 'folder') return
  if (current.kind !== 'folder' || current.path !== next.path) return selection.set(selectionIn(next.path))
  const [from, to] = [current.folder.columns, next.folder.columns]
  if (from === to) return
  const before = selection.get()
  const after = carrySelection(before, from, to)
  selection.set(after)
  if (after.chosen.count < before.chosen.count || (before.focusId !== -1 && after.focusId === -1))
    void filesAfterRows.load().then((module) => module.reportMissingRows({ before, after, from, to }))
}

/** Converts the error of a call back to a response without a body, which the loader reads. */
const responseOf = ({ status, code, requestId }: CallError): Response =>
  new Response(null, {
    status,
    headers: {
      ...(code !== null && { 'x-error': code }),
      ...(requestId !== null && { 'x-request-id': requestId }),
    },
  })
