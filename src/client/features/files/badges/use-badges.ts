import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { childOf } from '../../../../shared/domain/path.ts'
import { allLinks } from '../../../api/all-links.ts'
import { queryClient } from '../../../api/query-client.ts'
import { badgePart } from '../../../listing/grid/badge-part.ts'
import { pinned } from '../../../state/pins.ts'
import { useMay, useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { EntryBadges, textOfBadges } from './entry-badges.tsx'

/** The time in milliseconds after which the list of links is requested again with the next folder. */
const linksStaleMs = 60_000

/** Marks links of the file system, entries that the user has shared, and pinned folders in the open folder. */
export function useBadges(): void {
  const may = useMay()
  const userId = useUser()?.id
  const { folders } = useStore(pinned)
  const { data } = useQuery(
    { ...allLinks, staleTime: linksStaleMs, retry: false, enabled: may('share') && may('download') },
    queryClient,
  )
  useEffect(() => {
    const own = (data ?? []).filter(({ userID }) => userID === userId)
    // The path of a shared folder ends with a slash.
    const shared = new Set(own.map(({ path }) => path.replace(/\/$/, '')))
    const pins = new Set<string>(folders)
    badgePart.set({
      badgesOf: (folder, { name, isFolder, isLink, isBroken }) => {
        const path = childOf(folder, name) ?? ''
        return [
          isLink && !isBroken ? 'link' : '',
          shared.has(path) ? 'shared' : '',
          isFolder && pins.has(path) ? 'pinned' : '',
        ]
          .filter(Boolean)
          .join(' ')
      },
      textOf: textOfBadges,
      Component: EntryBadges,
    })
  }, [data, folders, userId])
  useEffect(() => () => badgePart.set(null), [])
}
