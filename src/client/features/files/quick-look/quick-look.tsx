import { type RefObject, useEffect } from 'react'
import { childOf, type Path } from '../../../../shared/domain/path.ts'
import type { GridHandle } from '../../../listing/grid/grid-handle.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'
import { useStore } from '../../../state/store.ts'
import { quickLook } from '../open-folder/quick-look-state.ts'
import { QuickLookPanel } from '../../quick-look/quick-look-panel.tsx'
import { useFocusedEntry } from './use-focused-entry.ts'
import { closeQuickLook } from './use-quick-look-keys.ts'

type QuickLookProps = {
  readonly folder: Path
  readonly columns: ListingColumns
  readonly grid: RefObject<GridHandle | null>
}

/** Shows the entry of the row that has the focus in the listing. */
export function QuickLook({ folder, columns, grid }: QuickLookProps) {
  const size = useStore(quickLook)
  const entry = useFocusedEntry(columns)
  const path = entry && childOf(folder, entry.name)
  useEffect(() => {
    if (!path) closeQuickLook({ columns, grid })
  }, [path, columns, grid])
  useEffect(() => () => quickLook.set('closed'), [])
  if (!path || size === 'closed') return null
  return (
    <QuickLookPanel
      path={path}
      entry={entry}
      size={size}
      onClose={() => void closeQuickLook({ columns, grid })}
    />
  )
}
