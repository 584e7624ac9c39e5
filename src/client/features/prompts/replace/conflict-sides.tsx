import { useEffect, useMemo } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { formatDate, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { EntryPicture } from '../../../listing/grid/entry-picture.tsx'
import { thumbnailOf } from '../../../operations/thumbnails/thumbnail-address.ts'
import type { NameConflict } from '../../../state/conflicts/name-conflict.ts'
import type { ComparedEntry } from '../../../state/listed-entry.ts'
import { useMay } from '../../../state/session.ts'
import styles from './replace.module.css'

/** Compares the existing entry with the entry that is sent: picture, size and time, and which of them is newer. */
export function ConflictSides({ conflict }: { readonly conflict: NameConflict }) {
  const { folder, name, source, sentFrom, existing } = conflict
  const isNewer = existing !== null && source.modifiedMs > existing.modifiedMs
  const isOlder = existing !== null && source.modifiedMs < existing.modifiedMs
  return (
    <div className={styles.sides}>
      <Side label={t('prompt.replace.existing')} name={name} at={folder} facts={existing} isNewer={isOlder} />
      <Side label={t('prompt.replace.source')} name={name} at={sentFrom} facts={source} isNewer={isNewer} />
    </div>
  )
}

type SideProps = {
  readonly label: string
  readonly name: string
  /** The folder on the server that contains the entry, or the file on the device. */
  readonly at: Path | Blob | null | undefined
  readonly facts: ComparedEntry | null
  readonly isNewer: boolean
}

function Side({ label, name, at, facts, isNewer }: SideProps) {
  const address = usePictureAddress(name, at, facts)
  if (facts === null) return null
  return (
    <div className={styles.side}>
      <EntryPicture
        entry={{ name, isLink: false, isBroken: false, ...facts }}
        address={address}
        className={styles.picture}
      />
      <dl>
        <dt className={styles.label}>{label}</dt>
        <dd className={styles.facts}>
          {!facts.isFolder && <span className={styles.size}>{formatSize(facts.sizeBytes)}</span>}
          <span>{formatDate(facts.modifiedMs)}</span>
          {isNewer && <span className={styles.newer}>{t('prompt.replace.newer')}</span>}
        </dd>
      </dl>
    </div>
  )
}

/** Returns the URL of a picture of an entry on the server or of an image on the device, or an empty string. */
function usePictureAddress(name: string, at: SideProps['at'], facts: ComparedEntry | null): string {
  const mayDownload = useMay()('download')
  const deviceAddress = useDeviceAddress(at instanceof Blob && facts?.type === 'image' ? at : null)
  if (facts === null || facts.isFolder || typeof at !== 'string') return deviceAddress
  const entry = { name, isLink: false, isBroken: false, ...facts }
  return (mayDownload && thumbnailOf(at, entry)) || ''
}

/** Returns the URL of a file on the device while it is on screen, or an empty string. */
function useDeviceAddress(file: Blob | null): string {
  const address = useMemo(() => (file === null ? '' : URL.createObjectURL(file)), [file])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  return address
}
