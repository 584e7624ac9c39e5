import type { FileResource } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { createStore, type Store } from '../../state/store.ts'
import { createFolderCache, type FolderCache } from './folder-cache.ts'
import {
  fetchRows,
  type FolderListing,
  type ResourceAnswer,
  type RowFetchDependencies,
} from './row-stream.ts'

/** The content of the files screen. */
export type FolderView =
  | { readonly kind: 'blank' }
  /** The server has not answered within 150 ms, and there is nothing else to show. */
  | { readonly kind: 'loading'; readonly path: Path }
  | {
      readonly kind: 'folder'
      readonly path: Path
      readonly folder: FolderListing
      /** True while rows are still arriving. */
      readonly isArriving: boolean
      /** True when the server could not be reached, so that the rows may be out of date. */
      readonly isStale: boolean
    }
  | { readonly kind: 'file'; readonly path: Path; readonly file: FileResource }
  /** Status 0 means that the server could not be reached. */
  | { readonly kind: 'failed'; readonly path: Path; readonly status: number }

export type ResourceAddress = { readonly path: Path; readonly isFolder: boolean }

/** Loads the folder or file that the address names, and keeps the folders that were open lately. */
export type FolderLoader = {
  readonly view: Store<FolderView>
  /** True while a request is in flight; shown as `aria-busy`. */
  readonly isWaiting: Store<boolean>
  /**
   * Shows an address. A cached folder shows at once; the server is asked in either case. Does nothing when the address
   * is open already.
   */
  readonly open: (address: ResourceAddress) => void
  /** Fetches the open address again. The new rows replace the old ones when all of them have arrived. */
  readonly reload: () => void
  /** Aborts the request in flight and shows nothing. */
  readonly close: () => void
  /** Empties the cache, because the sort order or the user has changed. The view stays as it is. */
  readonly forget: () => void
}

export type FolderLoaderDependencies = Pick<RowFetchDependencies, 'yieldToBrowser' | 'nowMs'> & {
  readonly request: (
    address: ResourceAddress,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<Response>
  /** Called before the view changes. */
  readonly beforeShow: (current: FolderView, next: FolderView) => void
  /** Runs a callback after a delay, unless the signal is aborted before. */
  readonly later: (ms: number, signal: AbortSignal, run: () => void) => void
}

/** How long the old list stays before a skeleton replaces it (ux 2.5). */
const skeletonDelayMs = 150

type LoaderState = {
  readonly dependencies: FolderLoaderDependencies
  readonly cache: FolderCache
  readonly view: Store<FolderView>
  readonly isWaiting: Store<boolean>
  address: ResourceAddress | null
  /** Aborts the request in flight. */
  abort: AbortController
}

/** Creates a loader. It shows one address at a time: opening another drops the answer to the request in flight. */
export function createFolderLoader(dependencies: FolderLoaderDependencies): FolderLoader {
  const state: LoaderState = {
    dependencies,
    cache: createFolderCache(),
    view: createStore<FolderView>({ kind: 'blank' }),
    isWaiting: createStore(false),
    address: null,
    abort: new AbortController(),
  }
  return {
    view: state.view,
    isWaiting: state.isWaiting,
    open: (address) => {
      const isOpen = state.address?.path === address.path && state.address.isFolder === address.isFolder
      if (!isOpen) void load(state, address)
    },
    reload: () => {
      if (state.address !== null) void load(state, state.address)
    },
    close: () => {
      state.abort.abort()
      state.address = null
      setView(state, { kind: 'blank' })
    },
    forget: () => state.cache.clear(),
  }
}

async function load(state: LoaderState, address: ResourceAddress): Promise<void> {
  state.abort.abort()
  const abort = new AbortController()
  state.abort = abort
  state.address = address
  state.isWaiting.set(true)
  const known = knownFolder(state, address)
  if (known === null) showSkeletonLater(state, address, abort.signal)
  else showFolder(state, address, { folder: known })
  try {
    const answer = await fetchAddress(state, { address, known, signal: abort.signal })
    if (!abort.signal.aborted) applyAnswer(state, { address, known, answer })
  } catch {
    // The request was aborted by a later one, which shows its own answer.
  } finally {
    if (state.abort === abort) state.isWaiting.set(false)
    abort.abort()
  }
}

/**
 * Returns the folder on screen when it is the one asked for, else the cached one. A folder whose rows are arriving is
 * neither.
 */
function knownFolder(state: LoaderState, { path }: ResourceAddress): FolderListing | null {
  const view = state.view.get()
  if (view.kind === 'folder' && view.path === path && !view.isArriving) return view.folder
  return state.cache.get(path)
}

type FetchOptions = {
  readonly address: ResourceAddress
  readonly known: FolderListing | null
  readonly signal: AbortSignal
}

function fetchAddress(state: LoaderState, { address, known, signal }: FetchOptions): Promise<ResourceAnswer> {
  const { request, yieldToBrowser, nowMs } = state.dependencies
  // Rows that were changed here differ from what the server's entity tag stands for.
  const isUnchanged = known !== null && known.columns.edits === 0 && state.cache.get(address.path) === known
  return fetchRows(
    { request: (headers, signal) => request(address, headers, signal), yieldToBrowser, nowMs },
    {
      etag: isUnchanged ? known.etag : null,
      signal,
      onFirstRows: (folder) => {
        if (known === null) showFolder(state, address, { folder, isArriving: true })
      },
    },
  )
}

type LoadOutcome = {
  readonly address: ResourceAddress
  readonly known: FolderListing | null
  readonly answer: ResourceAnswer
}

function applyAnswer(state: LoaderState, { address, known, answer }: LoadOutcome): void {
  const { path } = address
  if (answer.kind === 'folder') {
    state.cache.put(path, answer.folder)
    showFolder(state, address, { folder: answer.folder })
  } else if (answer.kind === 'file') {
    state.cache.forget(path)
    setView(state, { kind: 'file', path, file: answer.file })
  } else if (answer.kind === 'failed' && answer.status === 0 && known !== null) {
    showFolder(state, address, { folder: known, isStale: true })
  } else if (answer.kind === 'failed') {
    state.cache.forget(path)
    setView(state, { kind: 'failed', path, status: answer.status })
  }
}

type FolderDisplay = {
  readonly folder: FolderListing
  readonly isArriving?: boolean
  readonly isStale?: boolean
}

function showFolder(
  state: LoaderState,
  { path }: ResourceAddress,
  { folder, isArriving = false, isStale = false }: FolderDisplay,
): void {
  const current = state.view.get()
  const isSame =
    current.kind === 'folder' &&
    current.path === path &&
    current.folder === folder &&
    current.isArriving === isArriving &&
    current.isStale === isStale
  if (!isSame) setView(state, { kind: 'folder', path, folder, isArriving, isStale })
}

function setView({ dependencies, view }: LoaderState, next: FolderView): void {
  dependencies.beforeShow(view.get(), next)
  view.set(next)
}

function showSkeletonLater(state: LoaderState, { path }: ResourceAddress, signal: AbortSignal): void {
  const before = state.view.get()
  state.dependencies.later(skeletonDelayMs, signal, () => {
    if (state.view.get() === before) setView(state, { kind: 'loading', path })
  })
}
