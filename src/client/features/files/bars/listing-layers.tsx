import '../../../i18n/later-texts.ts'
import { lazy, Suspense } from 'react'
import type { ActionContext } from '../../../actions/action.ts'
import { contextMenu } from '../../../state/context-menu.ts'
import { useStore } from '../../../state/store.ts'
import { MultipleBanner } from './multiple-banner.tsx'
import { NewMenu } from './new-menu.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { TypeAheadChip } from './type-ahead-chip.tsx'

const ContextMenu = lazy(() =>
  import('../context-menu.tsx').then(({ ContextMenu }) => ({ default: ContextMenu })),
)

type ListingLayersProps = { readonly context: ActionContext; readonly isPhone: boolean }

/**
 * Renders what lies above the rows: the letters that the user types, the banner of the multiple-selection mode, the
 * context menu, and on phones the selection bar or the button "New".
 */
export function ListingLayers({ context, isPhone }: ListingLayersProps) {
  const hasSelection = context.selected.length > 0
  const place = useStore(contextMenu)
  return (
    <>
      <TypeAheadChip />
      {context.isMultiple && (!isPhone || !hasSelection) && <MultipleBanner />}
      {isPhone && hasSelection && <SelectionBar context={context} />}
      {isPhone && !hasSelection && <NewMenu context={context} isFloating />}
      {place !== null && (
        <Suspense>
          <ContextMenu place={place} context={context} />
        </Suspense>
      )}
    </>
  )
}
