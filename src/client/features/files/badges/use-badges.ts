import { useEffect } from 'react'
import { useQuery } from '../../../api/use-query.ts'
import { childOf, isWithin, pathOf, root, type Path } from '../../../../shared/domain/path.ts'
import { ownLinks } from '../../../api/link-lists.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { BadgePart } from '../../../listing/grid/badge-part.ts'
import { shownListings } from '../../../listing/grid/shown-listings.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'
import { entryChanged } from '../../../state/entry-changes.ts'
import { pinned } from '../../../state/pins.ts'
import { useMay } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { EntryBadges, textOfBadges } from './entry-badges.tsx'
import { hasTwinIn } from './twin-rows.ts'

/** The time in milliseconds after which the list of links is requested again when the listing is opened. */
const linksStaleMs = 60_000

/**
 * Marks links of the file system, entries that the user has shared, pinned folders, and entries whose names look the same
 * in the open folder.
 */
export function useBadges(columns: ListingColumns): void {
  const may = useMay()
  const { folders } = useStore(pinned)
  const { data } = useQuery(
    { ...ownLinks, staleTime: linksStaleMs, retry: false, enabled: may('share') && may('download') },
    queryClient,
  )
  useEffect(() => {
    const shared = new Set((data ?? []).map(({ path }) => entryPathOf(path)))
    const pins = new Set(folders)
    const part: BadgePart = {
      badgesOf: (shown, { name, folder, isFolder, isLink, isBroken }) => {
        const path = childOf(folder ?? shown, name) ?? root
        return [
          isLink && !isBroken ? 'link' : '',
          shared.has(path) ? 'shared' : '',
          isFolder && pins.has(path) ? 'pinned' : '',
          folder === undefined && hasTwinIn(columns, name) ? 'twin' : '',
        ]
          .filter(Boolean)
          .join(' ')
      },
      textOf: textOfBadges,
      Component: EntryBadges,
    }
    for (const { badges } of shownListings) badges.set(part)
  }, [data, folders, columns])
  useEffect(
    () => () => {
      for (const { badges } of shownListings) badges.set(null)
    },
    [],
  )
}

/**
 * Requests the list of links again after the user has renamed, moved or deleted an entry with links: they have another path
 * now, or have ended. The change may be made while no listing is on screen. Returns the function that ends this.
 */
export const refreshLinksAfterChanges = (): (() => void) =>
  entryChanged.subscribe(({ from }) => {
    if (from !== null && linksShown().some(({ path }) => isWithin(entryPathOf(path), from)))
      void queryClient.invalidateQueries({ queryKey: ownLinks.queryKey })
  })

/** Returns the path of the entry of a link. In a link, the path of a folder ends with a slash. */
const entryPathOf = (pathOfLink: string): Path => pathOf(pathOfLink.replace(/\/$/, '')) ?? root

const linksShown = () => queryClient.getQueryData(ownLinks.queryKey) ?? []
