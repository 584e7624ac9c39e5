import { useRef } from 'react'
import { CircleAlert, Copy, FolderInput } from 'lucide'
import { may } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Icon, directed } from '../../ui/icon.tsx'
import { useRootMark } from '../../ui/root/use-root-mark.ts'
import { dragText, entryDrag, refusalOf } from './entry-drag.ts'
import { useEntryDrag } from './use-entry-drag.ts'
import styles from './drag.module.css'

/** Lets the user drag rows onto folders, and shows beside the pointer what a drop would do. */
export function DragLayer() {
  const drag = useStore(entryDrag)
  const blank = useRef<HTMLDivElement>(null)
  useEntryDrag(blank)
  // The style sheet shows the folders of the breadcrumb while they can take what is dragged.
  useRootMark('entryDrag', drag === null ? null : '')
  const isRefused = drag !== null && refusalOf(drag, may) !== null
  return (
    <>
      <div ref={blank} className={styles.blank} aria-hidden />
      {drag !== null && (
        <output className={styles.preview} style={{ left: drag.x, top: drag.y }} data-part="drag">
          <Icon
            icon={isRefused ? CircleAlert : drag.verb === 'copy' ? Copy : directed(FolderInput)}
            size={16}
          />
          {dragText(drag, may)}
        </output>
      )}
    </>
  )
}
