import type { FileResource } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { createStore, type Store } from '../../state/store.ts'
import type { ListingColumns } from './columns.ts'
import { createFolderCache, type FolderCache } from './folder-cache.ts'
import { createOwnChanges, type OwnChanges } from './own-changes.ts'
import {
  fetchRows,
  type FolderListing,
  type LoadError,
  type ResourceResponse,
  type RowFetchDependencies,
} from './row-stream.ts'

/** The state that the files screen displays: a folder, a file, or a loading or error state. */
export type FolderView =
  | { readonly kind: 'blank' }
  /** Shown when the server has not answered within 150 ms and there is no older content to show. */
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
  /** Shown when the server has refused the request, or could not be reached (status 0). */
  | ({
      readonly kind: 'failed'
      readonly path: Path
      /** True for a missing folder that was on screen before: it was deleted or moved while it was open. */
      readonly wasOpen?: true
    } & LoadError)

export type ResourceAddress = { readonly path: Path; readonly isFolder: boolean }

/** Loads the folder or file of the current address, and caches recently opened folders. */
export type FolderLoader = {
  readonly view: Store<FolderView>
  /** True while a request is in flight. The screen sets `aria-busy` to this value. */
  readonly isWaiting: Store<boolean>
  /**
   * Shows the folder or file at an address. A cached folder is shown immediately. The loader sends a request to the
   * server even when the folder is cached. Does nothing when the address is already open.
   */
  readonly open: (address: ResourceAddress) => void
  /** Fetches the open address again. The new rows replace the old ones when all of them have arrived. */
  readonly reload: () => void
  /**
   * Starts to watch for fetches during an operation. The returned function ends the operation, and returns true when a
   * fetch was in flight at any time since the call of `watchFetches`.
   */
  readonly watchFetches: () => () => boolean
  /**
   * Records a change of rows that this tab has shown. It is applied again to rows that were requested before the
   * operation of the change has ended, because these rows may be older.
   */
  readonly recordChange: (folder: Path, apply: (columns: ListingColumns) => void) => void
  /** Returns the rows of a folder that was open recently, or null. */
  readonly folderAt: (path: Path) => FolderListing | null
  /** Aborts the request in flight and shows an empty screen. */
  readonly close: () => void
  /** Empties the cache after a change of the sort order or of the user. The view does not change. */
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
  /** Runs a callback after a delay, unless the signal is aborted during the delay. */
  readonly later: (ms: number, signal: AbortSignal, run: () => void) => void
}

/** The time for which the previous list stays on screen before a skeleton replaces it (ux 2.5). */
const skeletonDelayMs = 150

type LoaderState = {
  readonly dependencies: FolderLoaderDependencies
  readonly cache: FolderCache
  readonly ownChanges: OwnChanges
  readonly view: Store<FolderView>
  readonly isWaiting: Store<boolean>
  address: ResourceAddress | null
  /** The number of fetches so far. */
  fetches: number
  /** The controller that aborts the request in flight. */
  abort: AbortController
}

/**
 * Creates a folder loader. The loader shows one address at a time, and opening another address aborts the request in
 * flight.
 */
export function createFolderLoader(dependencies: FolderLoaderDependencies): FolderLoader {
  const state: LoaderState = {
    dependencies,
    cache: createFolderCache(),
    ownChanges: createOwnChanges(() => (state.isWaiting.get() ? state.fetches : null)),
    view: createStore<FolderView>({ kind: 'blank' }),
    isWaiting: createStore(false),
    address: null,
    fetches: 0,
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
    watchFetches: () => {
      const [wasWaiting, fetches] = [state.isWaiting.get(), state.fetches]
      const end = state.address === null ? () => {} : state.ownChanges.begin(state.address.path)
      return () => {
        end()
        return wasWaiting || state.fetches !== fetches
      }
    },
    recordChange: state.ownChanges.record,
    folderAt: (path) => state.cache.get(path),
    close: () => {
      state.abort.abort()
      state.address = null
      setView(state, { kind: 'blank' })
    },
    forget: () => {
      state.cache.clear()
      state.ownChanges.clear()
    },
  }
}

async function load(state: LoaderState, address: ResourceAddress): Promise<void> {
  state.abort.abort()
  const abort = new AbortController()
  state.abort = abort
  state.address = address
  state.fetches += 1
  state.isWaiting.set(true)
  const known = knownFolder(state, address)
  const wasOpen = isOnScreen(state.view.get(), address)
  if (known === null) showSkeletonLater(state, address, abort.signal)
  else showFolder(state, address, { folder: known })
  try {
    const response = await fetchAddress(state, { address, known, signal: abort.signal })
    if (!abort.signal.aborted) applyResponse(state, { address, known, wasOpen, response })
  } catch {
    // The request was aborted by a later request, which shows its own response.
  } finally {
    if (state.abort === abort) state.isWaiting.set(false)
    abort.abort()
  }
}

/**
 * Returns the requested folder if it is on screen or in the cache. Returns null for any other folder, and also while
 * the folder's rows are still arriving.
 */
function knownFolder(state: LoaderState, { path }: ResourceAddress): FolderListing | null {
  const view = state.view.get()
  if (view.kind === 'folder' && view.path === path && !view.isArriving) return view.folder
  return state.cache.get(path)
}

/** Returns true for the folder on screen, also after it was found to be missing. */
const isOnScreen = (view: FolderView, { path, isFolder }: ResourceAddress): boolean =>
  isFolder &&
  (view.kind === 'folder' || (view.kind === 'failed' && view.wasOpen === true)) &&
  view.path === path

type AddressFetchOptions = {
  readonly address: ResourceAddress
  readonly known: FolderListing | null
  readonly signal: AbortSignal
}

function fetchAddress(
  state: LoaderState,
  { address, known, signal }: AddressFetchOptions,
): Promise<ResourceResponse> {
  const { request, yieldToBrowser, nowMs } = state.dependencies
  // Locally changed rows no longer match the server's entity tag.
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
  /** True when the folder was on screen at the time of the request. */
  readonly wasOpen: boolean
  readonly response: ResourceResponse
}

function applyResponse(state: LoaderState, { address, known, wasOpen, response }: LoadOutcome): void {
  const { path } = address
  if (response.kind === 'folder') {
    // Older fetches have been aborted, so the number of fetches is the number of this fetch.
    state.ownChanges.applyTo(response.folder.columns, path, state.fetches)
    state.cache.put(path, response.folder)
    showFolder(state, address, { folder: response.folder })
  } else if (response.kind === 'file') {
    state.cache.forget(path)
    setView(state, { kind: 'file', path, file: response.file })
  } else if (response.kind === 'failed' && response.status === 0 && known !== null) {
    showFolder(state, address, { folder: known, isStale: true })
  } else if (response.kind === 'failed') {
    state.cache.forget(path)
    setView(state, { ...response, path, ...(wasOpen && response.status === 404 && { wasOpen }) })
  }
}

type FolderDisplayOptions = {
  readonly folder: FolderListing
  readonly isArriving?: boolean
  readonly isStale?: boolean
}

function showFolder(
  state: LoaderState,
  { path }: ResourceAddress,
  { folder, isArriving = false, isStale = false }: FolderDisplayOptions,
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

/**
 * Shows that a folder or a file is loading when it takes long. An open file stays until the next one has arrived, because its viewer
 * may fill the screen.
 */
function showSkeletonLater(
  state: LoaderState,
  { path, isFolder }: ResourceAddress,
  signal: AbortSignal,
): void {
  const before = state.view.get()
  if (before.kind === 'file' && !isFolder) return
  state.dependencies.later(skeletonDelayMs, signal, () => {
    if (state.view.get() === before) setView(state, { kind: 'loading', path })
  })
}
