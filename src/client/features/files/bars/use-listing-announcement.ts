import { useEffect, useRef } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { announce } from '../../../state/announcements.ts'

export type ListingAnnouncement = {
  readonly path: Path
  /** The name of the folder on screen. */
  readonly label: string
  /** The number of entries, or null while rows are still arriving. */
  readonly total: number | null
}

/** Announces the folder's name and number of entries to screen readers once its listing is complete. */
export function useListingAnnouncement({ path, label, total }: ListingAnnouncement): void {
  const announced = useRef<Path | null>(null)
  useEffect(() => {
    if (total === null || announced.current === path) return
    announced.current = path
    announce(t('listing.loaded', { name: label, count: total }))
  }, [path, label, total])
}
