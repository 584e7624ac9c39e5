import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import type { FileAppearance } from '../../ui/glyphs/file-icon.ts'
import styles from './entry-thumbnail.module.css'

type EntryThumbnailProps = {
  readonly entry: FileAppearance
  /** The URL of the thumbnail, or an empty string when the entry has no thumbnail. */
  readonly address: string
  /** The width and height in CSS pixels. */
  readonly size: number
  readonly className?: string | undefined
}

/**
 * Renders the thumbnail of an entry, hidden from screen readers. The entry's icon is shown until the thumbnail has
 * loaded, and permanently when loading fails.
 */
export function EntryThumbnail({ entry, address, size, className }: EntryThumbnailProps) {
  const [loaded, setLoaded] = useState({ address: '', state: 'waiting' })
  const state = loaded.address === address ? loaded.state : 'waiting'
  if (address === '' || state === 'broken')
    return <FilePicture {...entry} size={size} className={className} />
  return (
    <span className={classNames(styles.frame, className)}>
      <FilePicture {...entry} size={size} className={state === 'there' ? styles.covered : undefined} />
      <img
        key={address}
        className={styles.image}
        src={address}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        draggable={false}
        data-state={state}
        onLoad={() => setLoaded({ address, state: 'there' })}
        onError={() => setLoaded({ address, state: 'broken' })}
      />
    </span>
  )
}
