import { useEffect, type RefObject } from 'react'
import { childOf, type Path } from '../../../shared/domain/path.ts'
import { href } from '../../api/href.ts'
import { resultContext } from '../../actions/page-context.ts'
import { selectAlone } from '../../listing/grid/select-in-lists.ts'
import { foundListing, shownListings } from '../../listing/grid/shown-listings.ts'
import { idAt } from '../../listing/rows/columns.ts'
import type { DraggedEntries } from '../../operations/dragged-entries.ts'
import { startTransfer } from '../../operations/start-transfer.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolder } from '../../state/open-folder.ts'
import { prompt } from '../../state/prompt.ts'
import { isChosen, selectOnly } from '../../state/selection.ts'
import { may } from '../../state/session.ts'
import { dropTargetOf, markDropTarget } from './drop-target.ts'
import { entryDrag, refusalOf } from './entry-drag.ts'

/** A folder opens when entries are held above it for this time (ux 2.5). */
const springMs = 600

/** The parts of a row from which the entry can be dragged. A selection rectangle starts on all other parts. */
const handles = '[data-part="name"], [role="rowheader"] svg, [role="rowheader"] img'

/** Lets the user drag rows of the open folder, and results of a search, onto folders. `blank` is an element that shows nothing. */
export function useEntryDrag(blank: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const spring = createSpring()
    const end = (): void => {
      spring.watch(null)
      markDropTarget(null)
      entryDrag.set(null)
    }
    const listeners = {
      pointerdown: makeDraggable,
      // Some browsers do not report the end of a drag whose row has been removed.
      pointermove: () => entryDrag.get() !== null && end(),
      dragstart: (event: DragEvent) => {
        startDrag(event, blank.current)
        // The end of the drag does not reach the document when the row has been removed meanwhile.
        event.target?.addEventListener('dragend', end, { once: true })
      },
      dragover: (event: DragEvent) => spring.watch(followDrag(event)),
      dragend: end,
      drop: (event: DragEvent) => {
        dropEntries(event)
        end()
      },
    }
    const entries = Object.entries(listeners) as [string, EventListener][]
    for (const [type, listener] of entries) document.addEventListener(type, listener, true)
    return () => {
      for (const [type, listener] of entries) document.removeEventListener(type, listener, true)
      end()
    }
  }, [blank])
}

/** Makes the pressed row draggable when the press is on its name or picture and the user may move entries. */
function makeDraggable({ target, button, pointerType }: PointerEvent): void {
  const isHandle = target instanceof Element && target.closest(handles) !== null
  if (!isHandle || button !== 0 || pointerType !== 'mouse' || !may('rename')) return
  const row = target.closest<HTMLElement>('[role="row"][data-name]')
  if (row === null) return
  row.draggable = true
  const stop = (): void => {
    row.draggable = false
    removeEventListener('pointerup', stop)
    removeEventListener('dragend', stop)
  }
  addEventListener('pointerup', stop)
  addEventListener('dragend', stop)
}

function startDrag({ target, dataTransfer, clientX, clientY }: DragEvent, blank: HTMLElement | null): void {
  if (!(target instanceof HTMLElement) || dataTransfer === null || prompt.get().kind !== 'none') return
  const dragged = draggedRows(target)
  if (dragged === null) return
  const { folder, entries } = dragged
  dataTransfer.clearData()
  dataTransfer.effectAllowed = 'copyMove'
  dataTransfer.setData('text/plain', entries.map((entry) => entry.name).join('\n'))
  offerDownload(dataTransfer, folder, entries)
  if (blank !== null) dataTransfer.setDragImage(blank, 0, 0)
  entryDrag.set({ folder, entries, verb: 'move', target: null, x: clientX, y: clientY })
}

/** Returns the selected rows for the row that is dragged, which is selected first unless it is. */
function draggedRows(row: HTMLElement): DraggedEntries | null {
  const open = openFolder.get()
  const listing = shownListings.find(({ grid }) => grid.current?.element()?.contains(row) === true)
  if (open === null || listing === undefined || !row.draggable) return null
  const id = idAt(listing.columns.get(), Number(row.dataset['index']))
  if (!isChosen(listing.selection.get(), id)) selectAlone(listing, (now) => selectOnly(now, id))
  const matches = resultContext.get()
  if (matches !== null) return { folder: matches.folder, entries: matches.selected }
  return { folder: open.folder, entries: [...open.selected()] }
}

/** Lets Chromium download a single file that is dropped on the desktop. */
function offerDownload(dataTransfer: DataTransfer, folder: Path, entries: readonly ListedEntry[]): void {
  const [only] = entries
  const path = only === undefined || only.isFolder ? null : childOf(only.folder ?? folder, only.name)
  if (only === undefined || path === null || entries.length > 1 || !may('download')) return
  const address = new URL(href('raw.get', { path }), window.location.href).href
  const name = only.name.replaceAll(/[:\r\n]/g, '_')
  dataTransfer.setData('DownloadURL', `application/octet-stream:${name}:${address}`)
}

/** Follows the pointer. Returns the folder that opens when the pointer stays above it. */
function followDrag(event: DragEvent): Path | null {
  const before = entryDrag.get()
  if (before === null || event.dataTransfer === null) return null
  const found = dropTargetOf(event.target)
  const verb = event.ctrlKey || event.altKey ? 'copy' : 'move'
  const drag = { ...before, verb, target: found?.folder ?? null, x: event.clientX, y: event.clientY } as const
  const refusal = refusalOf(drag, may)
  const isAllowed = found !== null && refusal === null
  event.preventDefault()
  event.dataTransfer.dropEffect = isAllowed ? verb : 'none'
  markDropTarget(isAllowed ? found.element : null)
  entryDrag.set(drag)
  // A folder that opened would replace the results of the search from which the entries come.
  if (foundListing.grid.current !== null || refusal === 'into-itself') return null
  return found?.folder === openFolder.get()?.folder ? null : drag.target
}

function dropEntries(event: DragEvent): void {
  const drag = entryDrag.get()
  if (drag === null) return
  event.preventDefault()
  event.stopPropagation()
  const { folder, entries, verb, target } = drag
  if (target === null || refusalOf(drag, may) !== null) return
  void startTransfer({ verb, from: folder, to: target, entries })
}

/** Opens a folder that stays the same for `springMs`. */
function createSpring(): { readonly watch: (folder: Path | null) => void } {
  let watched: Path | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    watch: (folder) => {
      if (folder === watched) return
      clearTimeout(timer)
      watched = folder
      if (folder !== null) timer = setTimeout(() => navigate(filesUrl(folder, true)), springMs)
    },
  }
}
