import type { ReactNode } from 'react'
import { formatDate, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { FactsLine } from './facts-line.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { kindWord } from '../../../ui/kinds/kind-word.ts'
import styles from './no-preview.module.css'
import type { ViewedFile } from '../viewer.ts'

type NoPreviewProps = {
  readonly file: Pick<ViewedFile, 'name' | 'type' | 'sizeBytes' | 'modifiedMs'>
  /** The reason why the file cannot be shown, or null when no reason is known. */
  readonly reason: string | null
  /** Buttons with which the user can continue. */
  readonly children?: ReactNode
}

/** Shows a message that a file cannot be shown, with its icon, kind, size and date. */
export const NoPreview = ({ file, reason, children }: NoPreviewProps) => (
  <div className={styles.notice}>
    <FilePicture name={file.name} type={file.type} isFolder={false} size={64} />
    <p className={styles.reason}>{reason ?? t('file.noPreview')}</p>
    <p className={styles.facts} data-part="file-facts">
      <FactsLine
        facts={[
          kindWord({ name: file.name, type: file.type, isFolder: false, isBroken: false, isLink: false }),
          formatSize(file.sizeBytes),
          formatDate(file.modifiedMs),
        ]}
      />
    </p>
    {children}
  </div>
)
