import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import type { FileAppearance } from '../../ui/glyphs/file-icon.ts'
import styles from './entry-thumbnail.module.css'

type EntryThumbnailProps = {
  readonly entry: FileAppearance
  /** The URL of the thumbnail, or an empty string when the entry has no thumbnail. */
  readonly address: string
  readonly className?: string | undefined
}

/**
 * Renders the thumbnail of an entry, hidden from screen readers, in the size that the class name gives. The entry's icon is shown until the thumbnail has
 * loaded, and permanently when loading fails.
 */
export function EntryThumbnail({ entry, address, className }: EntryThumbnailProps) {
  const [loaded, setLoaded] = useState({ address: '', state: 'waiting' })
  const state = loaded.address === address ? loaded.state : 'waiting'
  if (address === '' || state === 'broken') return <FilePicture {...entry} className={className} />
  return (
    <span className={classNames(styles.frame, className)}>
      <FilePicture {...entry} className={classNames(styles.glyph, state === 'there' && styles.covered)} />
      <img
        key={address}
        className={styles.image}
        src={address}
        alt=""
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
