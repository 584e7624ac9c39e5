import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import type { Pictured } from '../../ui/glyphs/file-icon.ts'
import styles from './entry-thumbnail.module.css'

type EntryThumbnailProps = {
  readonly entry: Pictured
  /** Address of the small picture; empty for none. */
  readonly address: string
  /** In CSS pixels. */
  readonly size: number
  readonly className?: string | undefined
}

/** What an image looks like, small; its glyph until that is there, and where it does not come. Never read out. */
export function EntryThumbnail({ entry, address, size, className }: EntryThumbnailProps) {
  const [shown, setShown] = useState({ address: '', is: 'waiting' })
  const state = shown.address === address ? shown.is : 'waiting'
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
        onLoad={() => setShown({ address, is: 'there' })}
        onError={() => setShown({ address, is: 'broken' })}
      />
    </span>
  )
}
