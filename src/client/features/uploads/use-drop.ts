import { useMemo, useState } from 'react'
import { childOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { readDrop } from '../../operations/read-drop.ts'
import { upload } from '../../operations/uploads.ts'
import { prompt } from '../../state/prompt.ts'
import { useFileDrag } from '../../ui/use-file-drag.ts'

export type DropTarget = { readonly folder: Path; readonly row: HTMLElement | null }

/**
 * Selects the rows of folders, into which files can be dropped. Each row has its name in `data-name`, and only rows of
 * folders contain a link.
 */
const rowSelector = '[role="row"][data-name]:has(a[data-part="name"])'

/**
 * Uploads files that are dropped anywhere on the page, and returns the target of the current drag. When `folder` is
 * null, drops are ignored, and the browser is kept from opening the dropped file.
 */
export function useDrop(folder: Path | null): DropTarget | null {
  const [target, setTarget] = useState<DropTarget | null>(null)
  const listeners = useMemo(
    () => ({
      onOver(event: DragEvent) {
        const next = folder === null || prompt.get().kind !== 'none' ? null : targetOf(event, folder)
        setTarget((now) => (now?.row === next?.row && now?.folder === next?.folder ? now : next))
        return next === null ? ('none' as const) : ('copy' as const)
      },
      onEnd: () => setTarget(null),
      onDrop(event: DragEvent, data: DataTransfer) {
        if (folder === null || prompt.get().kind !== 'none') return
        void upload(targetOf(event, folder).folder, readDrop(data))
      },
    }),
    [folder],
  )
  useFileDrag(listeners)
  return target
}

function targetOf({ target }: DragEvent, folder: Path): DropTarget {
  const row = target instanceof Element ? target.closest<HTMLElement>(rowSelector) : null
  const { name, path } = row?.dataset ?? {}
  // Only rows of several folders, such as the results of a search, have a path.
  const inside = path !== undefined ? pathOf(path) : name === undefined ? null : childOf(folder, name)
  return inside === null ? { folder, row: null } : { folder: inside, row }
}
