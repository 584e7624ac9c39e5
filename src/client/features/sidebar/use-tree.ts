import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Subfolders } from '../../listing/rows/subfolders.ts'
import { location, type Location } from '../../router/router.ts'
import { entryChanged, followedFolderChanged, followedFolders } from '../../state/entry-changes.ts'
import { openFolder, unreachablePath } from '../../state/open-folder.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { childrenKey, childrenQuery } from './children-query.ts'
import {
  factIn,
  factsAfter,
  isUnreadable,
  markStale,
  rememberLeaf,
  subfolderFacts,
} from '../../subfolders/leaf-folders.ts'
import {
  expandTo,
  expansionAfter,
  initialExpansion,
  treeRowsOf,
  type Expansion,
  type TreeChildren,
  type TreeRow,
} from '../../listing/tree/tree-rows.ts'

export const expansion = createPersonalStore<Expansion>(initialExpansion)

/** Returns the folder of the current address, or the folder that contains the file of the current address. */
export function folderOfAddress({ screen, path, isFolder }: Location): Path {
  if (screen !== 'files' || path === null) return root
  return isFolder ? path : parentOf(path)
}

/** Returns the lines of the folder tree, and fetches the subfolders of expanded folders. */
export function useTreeRows(open: Path): readonly TreeRow[] {
  const expanded = useStore(expansion)
  const hidesDotfiles = useUser()?.hideDotfiles ?? false
  const folders = [...expanded.keys()]
  const queries = folders.map((folder) =>
    childrenQuery({ folder, limit: expanded.get(folder) ?? 0, hidesDotfiles }),
  )
  const results = useQueries({ queries }, queryClient)
  const children = new Map(folders.map((folder, at) => [folder, childrenOf(results[at])]))
  const facts = useStore(subfolderFacts)
  // The tree still knows which of these folders have no subfolders after their parent folders are collapsed.
  useEffect(() => {
    folders.forEach((folder, at) => {
      const total = results[at]?.data?.total
      if (total !== undefined) rememberLeaf(folder, total === 0)
    })
  })
  return treeRowsOf({
    expansion: expanded,
    childrenOf: (folder) => children.get(folder),
    factOf: (folder) => factIn(facts, folder),
    open,
  })
}

const noChildren: TreeChildren = { kind: 'loaded', names: [], total: 0 }

type ChildrenResult = { readonly data: Subfolders | undefined; readonly error: Error | null }

/** A folder that the user may not list, or that is gone, has no subfolders on screen. */
function childrenOf(result: ChildrenResult | undefined): TreeChildren {
  if (result?.data !== undefined) return { kind: 'loaded', ...result.data }
  if (result === undefined || result.error === null) return { kind: 'loading' }
  return isUnreadable(result.error) ? noChildren : { kind: 'failed' }
}

/** Expands the tree to the open folder, whenever another folder is opened. */
export function useTreeFollowsAddress(): void {
  useEffect(() => {
    const follow = (): void => expansion.set((now) => expandTo(now, folderOfAddress(location.get())))
    follow()
    return location.subscribe(follow)
  }, [])
}

/**
 * Fetches expanded folders again after this tab or others have changed them. The server reports the changes by others.
 * Without such reports, changes are detected from the rows of the open folder, and from an address that can no longer
 * be opened.
 */
export function useTreeRefresh(): void {
  useEffect(() => {
    const refresher = createRefresher()
    const stopChanges = entryChanged.subscribe((change) => {
      expansion.set((now) => expansionAfter(now, change))
      subfolderFacts.set((now) => factsAfter(now, change))
      for (const path of [change.from, change.to]) if (path !== null) refresher.add(parentOf(path))
    })
    const stops = [
      watchOpenFolder(refresher.add),
      followExpandedFolders(refresher.add),
      unreachablePath.subscribe(() => {
        const path = unreachablePath.get()
        if (path !== null) refresher.add(parentOf(path))
      }),
    ]
    return () => {
      stopChanges()
      stops.forEach((stop) => stop())
      refresher.stop()
    }
  }, [])
}

/**
 * The number of expanded folders whose changes the server reports. Each takes a watch of the server's system. Most users
 * expand fewer folders, and the ones that were expanded last count.
 */
const maxFollowed = 50

/** Calls a function with the path of an expanded folder whenever others have changed its subfolders. */
function followExpandedFolders(onChange: (folder: Path) => void): () => void {
  const follow = (): void => followedFolders.set([...expansion.get().keys()].slice(-maxFollowed))
  follow()
  const stopExpansion = expansion.subscribe(follow)
  const stopChanges = followedFolderChanged.subscribe(({ folder, change }) => {
    if (change !== null) {
      expansion.set((now) => expansionAfter(now, change))
      subfolderFacts.set((now) => factsAfter(now, change))
    }
    onChange(folder)
  })
  return () => {
    stopExpansion()
    stopChanges()
    followedFolders.set([])
  }
}

/** Calls a function with the path of the open folder whenever its rows have changed, by this tab or by somebody else. */
function watchOpenFolder(onChange: (folder: Path) => void): () => void {
  let stopCounts = watchCounts(onChange)
  const stopOpen = openFolder.subscribe(() => {
    stopCounts()
    stopCounts = watchCounts(onChange)
    const open = openFolder.get()
    if (open !== null) onChange(open.folder)
  })
  return () => {
    stopOpen()
    stopCounts()
  }
}

function watchCounts(onChange: (folder: Path) => void): () => void {
  const open = openFolder.get()
  return open === null ? ignore : open.counts.subscribe(() => onChange(open.folder))
}

const ignore = (): void => undefined

/**
 * The delay in milliseconds between a change and the request for the new names. One request covers all changes during
 * the delay. While the rows of a large folder arrive, the counts change about 8 times a second.
 */
const settleMs = 400

function createRefresher(): { readonly add: (folder: Path) => void; readonly stop: () => void } {
  const changed = new Set<Path>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = (): void => {
    const open = openFolder.get()
    for (const folder of changed) {
      void queryClient.invalidateQueries({ queryKey: childrenKey(folder) })
      if (open?.folder === folder) rememberLeaf(folder, open.counts.get().folders === 0)
      else markStale(folder)
    }
    changed.clear()
  }
  return {
    add: (folder) => {
      changed.add(folder)
      clearTimeout(timer)
      timer = setTimeout(refresh, settleMs)
    },
    stop: () => clearTimeout(timer),
  }
}
