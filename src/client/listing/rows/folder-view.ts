import type { FileResource } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { createStore, type Store } from '../../state/store.ts'
import { createFolderCache, type FolderCache } from './folder-cache.ts'
import { type Answer, fetchRows, type ReadFolder, type RowSource } from './row-stream.ts'

/** What the files screen shows. */
export type FolderView =
  | { readonly kind: 'blank' }
  /** Nothing to show after 150 ms of waiting. */
  | { readonly kind: 'loading'; readonly path: Path }
  | {
      readonly kind: 'folder'
      readonly path: Path
      readonly folder: ReadFolder
      /** Rows are still arriving. */
      readonly isArriving: boolean
      /** The server could not be reached: these are the rows of an earlier time. */
      readonly isStale: boolean
    }
  | { readonly kind: 'file'; readonly path: Path; readonly file: FileResource }
  /** Status 0 when the server could not be reached. */
  | { readonly kind: 'failed'; readonly path: Path; readonly status: number }

export type Place = { readonly path: Path; readonly isFolder: boolean }

export type FolderDesk = {
  readonly view: Store<FolderView>
  /** Whether an answer is being waited for: `aria-busy`. */
  readonly isWaiting: Store<boolean>
  /** Shows a place: at once when it was open lately, asking the server either way. The place that is open stays as it is. */
  readonly open: (place: Place) => void
  /** Asks again for what is on screen; new rows are swapped in when all are here. */
  readonly reload: () => void
  /** Stops whatever is under way. */
  readonly close: () => void
  /** Nothing kept counts any more: the sorting or the user has changed. What is on screen stays. */
  readonly forget: () => void
}

export type FolderDeskNeeds = Pick<RowSource, 'breathe' | 'nowMs'> & {
  readonly request: (
    place: Place,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<Response>
  /** Called before the view changes. */
  readonly beforeShow: (was: FolderView, next: FolderView) => void
  /** Calls back after a while unless the signal is aborted. */
  readonly later: (ms: number, signal: AbortSignal, run: () => void) => void
}

/** How long the old list stays before a skeleton takes its place (the decision of the UX specification). */
const patienceMs = 150

/** What one desk holds: `stop` ends the request under way. */
type Desk = {
  readonly needs: FolderDeskNeeds
  readonly cache: FolderCache
  readonly view: Store<FolderView>
  readonly isWaiting: Store<boolean>
  place: Place | null
  stop: AbortController
}

/** One place at a time: opening another drops the answers for the one before. */
export function createFolderDesk(needs: FolderDeskNeeds): FolderDesk {
  const desk: Desk = {
    needs,
    cache: createFolderCache(),
    view: createStore<FolderView>({ kind: 'blank' }),
    isWaiting: createStore(false),
    place: null,
    stop: new AbortController(),
  }
  return {
    view: desk.view,
    isWaiting: desk.isWaiting,
    open: (place) => {
      const { place: here } = desk
      if (here?.path !== place.path || here.isFolder !== place.isFolder) void open(desk, place)
    },
    reload: () => {
      if (desk.place !== null) void open(desk, desk.place)
    },
    close: () => {
      desk.stop.abort()
      desk.place = null
      put(desk, { kind: 'blank' })
    },
    forget: () => desk.cache.clear(),
  }
}

async function open(desk: Desk, place: Place): Promise<void> {
  desk.stop.abort()
  const stop = new AbortController()
  desk.stop = stop
  desk.place = place
  desk.isWaiting.set(true)
  const known = knownFolder(desk, place)
  if (known === null) showSkeletonLater(desk, place, stop.signal)
  else show(desk, place, { folder: known })
  try {
    const answer = await ask(desk, { place, known, signal: stop.signal })
    if (!stop.signal.aborted) settle(desk, { place, known, answer })
  } catch {
    // aborted: somebody else waits now
  } finally {
    if (desk.stop === stop) desk.isWaiting.set(false)
    stop.abort()
  }
}

/** What can be shown at once: what is on screen for this place, or what was open lately. A half-filled folder is neither. */
function knownFolder(desk: Desk, { path }: Place): ReadFolder | null {
  const view = desk.view.get()
  if (view.kind === 'folder' && view.path === path && !view.isArriving) return view.folder
  return desk.cache.get(path)
}

function ask(
  desk: Desk,
  {
    place,
    known,
    signal,
  }: { readonly place: Place; readonly known: ReadFolder | null; readonly signal: AbortSignal },
): Promise<Answer> {
  const { request, breathe, nowMs } = desk.needs
  const isUntouched = known !== null && known.columns.edits === 0 && desk.cache.get(place.path) === known
  return fetchRows(
    { request: (headers, signal) => request(place, headers, signal), breathe, nowMs },
    {
      etag: isUntouched ? known.etag : null,
      signal,
      onFirstRows: (folder) => {
        if (known === null) show(desk, place, { folder, isArriving: true })
      },
    },
  )
}

type Settled = { readonly place: Place; readonly known: ReadFolder | null; readonly answer: Answer }

function settle(desk: Desk, { place, known, answer }: Settled): void {
  const { path } = place
  if (answer.kind === 'folder') {
    desk.cache.put(path, answer.folder)
    show(desk, place, { folder: answer.folder })
  } else if (answer.kind === 'file') {
    desk.cache.forget(path)
    put(desk, { kind: 'file', path, file: answer.file })
  } else if (answer.kind === 'failed' && answer.status === 0 && known !== null) {
    show(desk, place, { folder: known, isStale: true })
  } else if (answer.kind === 'failed') {
    desk.cache.forget(path)
    put(desk, { kind: 'failed', path, status: answer.status })
  }
}

type Shown = { readonly folder: ReadFolder; readonly isArriving?: boolean; readonly isStale?: boolean }

function show(desk: Desk, { path }: Place, { folder, isArriving = false, isStale = false }: Shown): void {
  const now = desk.view.get()
  const isSame =
    now.kind === 'folder' &&
    now.path === path &&
    now.folder === folder &&
    now.isArriving === isArriving &&
    now.isStale === isStale
  if (!isSame) put(desk, { kind: 'folder', path, folder, isArriving, isStale })
}

function put({ needs, view }: Desk, next: FolderView): void {
  needs.beforeShow(view.get(), next)
  view.set(next)
}

function showSkeletonLater(desk: Desk, { path }: Place, signal: AbortSignal): void {
  const before = desk.view.get()
  desk.needs.later(patienceMs, signal, () => {
    if (desk.view.get() === before) put(desk, { kind: 'loading', path })
  })
}
