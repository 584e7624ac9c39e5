import { childOf, isWithin, nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { DraggedEntries } from '../../operations/dragged-entries.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { visibleName } from '../../ui/visible-name.ts'

/** A drag of rows of the open folder, or of results of a search. */
export type EntryDrag = DraggedEntries & {
  readonly verb: 'move' | 'copy'
  /** The folder below the pointer, or null when the pointer is not above a folder. */
  readonly target: Path | null
  /** The position of the pointer in CSS pixels from the top left corner of the window. */
  readonly x: number
  readonly y: number
}

export const entryDrag = createPersonalStore<EntryDrag | null>(null)

/** Returns the reason why the entries cannot be dropped on the target. Null when they can. */
export function refusalOf(
  { folder, entries, verb, target }: EntryDrag,
  may: (permission: 'rename' | 'create') => boolean,
): 'into-itself' | 'already-here' | 'forbidden' | null {
  if (target === null) return null
  if (!may(verb === 'move' ? 'rename' : 'create')) return 'forbidden'
  const isInside = entries.some(({ name, isFolder, folder: own = folder }) => {
    const path = childOf(own, name)
    return isFolder && path !== null && isWithin(target, path)
  })
  if (isInside) return 'into-itself'
  return verb === 'move' && target === folder ? 'already-here' : null
}

/** Describes what a drop at the current position does, or why nothing can be dropped there. */
export function dragText(drag: EntryDrag, may: (permission: 'rename' | 'create') => boolean): string {
  const refusal = refusalOf(drag, may)
  if (refusal !== null) return t(`drag.${refusal}`)
  const count = drag.entries.length
  if (drag.target === null) return t('drag.items', { count })
  const folder = visibleName(nameOf(drag.target)) || t('sidebar.myFiles')
  return t(`drag.${drag.verb}`, { count, folder })
}
