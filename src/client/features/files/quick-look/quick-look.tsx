import { useEffect } from 'react'
import { childOf } from '../../../../shared/domain/path.ts'
import type { Listing } from '../../../listing/grid/listing.ts'
import { useFolderRows } from '../../../listing/rows/folder-rows.ts'
import { useStore } from '../../../state/store.ts'
import { QuickLookPanel } from '../../quick-look/quick-look-panel.tsx'
import { closeQuickLook, useQuickLookKeys } from './use-quick-look-keys.ts'

/** Shows the entry of the row that has the focus in a listing. */
export function QuickLook({ listing }: { readonly listing: Listing }) {
  const size = useStore(listing.quickLook)
  useQuickLookKeys(listing)
  const rows = useFolderRows(useStore(listing.columns))
  const { focusId, folder } = useStore(listing.selection)
  const entry = rows.entryAt(rows.indexOfId(focusId))
  const home = entry?.folder ?? folder
  const path = entry && home && childOf(home, entry.name)
  useEffect(() => {
    if (!path) closeQuickLook(listing)
  }, [path, listing])
  useEffect(() => () => listing.quickLook.set('closed'), [listing])
  if (!path || size === 'closed') return null
  return <QuickLookPanel path={path} entry={entry} size={size} onClose={() => void closeQuickLook(listing)} />
}
