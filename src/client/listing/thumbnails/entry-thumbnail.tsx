import { type ReactNode, useRef, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import type { FileAppearance } from '../../ui/glyphs/file-icon.ts'
import { usePoster } from './use-poster.ts'
import styles from './entry-thumbnail.module.css'

export type ThumbnailProps = {
  readonly entry: FileAppearance
  /** The URL of the thumbnail. */
  readonly address: string
  readonly className?: string | undefined
}

/**
 * Renders the thumbnail of an entry, hidden from screen readers, in the size that the class name gives. The entry's icon is
 * shown until the thumbnail has loaded, and permanently when loading fails.
 */
export const EntryThumbnail = (props: ThumbnailProps) =>
  isPosterAddress(props.address) ? <Poster key={props.address} {...props} /> : <ImageThumbnail {...props} />

/** Returns true for the URL of a picture that the server draws of a file that is not an image. */
const isPosterAddress = (address: string): boolean => address.endsWith('&poster=true')

function ImageThumbnail({ entry, address, className }: ThumbnailProps) {
  const [loaded, setLoaded] = useState({ address: '', state: 'waiting' })
  const state = loaded.address === address ? loaded.state : 'waiting'
  if (state === 'broken') return <FilePicture {...entry} className={className} />
  return (
    <Frame entry={entry} isCovered={state === 'there'} className={className}>
      <img
        key={address}
        className={styles.image}
        src={address}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        data-state={state}
        onLoad={({ currentTarget }) => {
          currentTarget.dataset['shape'] = shapeOf(currentTarget)
          setLoaded({ address, state: 'there' })
        }}
        onError={() => setLoaded({ address, state: 'broken' })}
      />
    </Frame>
  )
}

/**
 * Renders the picture that the server draws of a file that is not an image. It is requested while the row is on
 * screen.
 */
function Poster({ entry, address, className }: ThumbnailProps) {
  const frame = useRef<HTMLSpanElement>(null)
  const picture = usePoster(address, frame)
  return (
    <Frame entry={entry} isCovered={picture !== null} className={className} frame={frame}>
      {picture !== null && (
        <img
          className={classNames(styles.image, styles[entry.type])}
          src={picture}
          alt=""
          decoding="async"
          draggable={false}
          data-state="there"
          onLoad={({ currentTarget }) => void (currentTarget.dataset['shape'] = shapeOf(currentTarget))}
        />
      )}
    </Frame>
  )
}

/**
 * Returns the side of a square that a picture fills. A gallery shows the whole picture: its other side follows from its
 * proportions, which are not known before it has loaded.
 */
const shapeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement): 'wide' | 'tall' =>
  naturalWidth < naturalHeight ? 'tall' : 'wide'

type FrameProps = Pick<ThumbnailProps, 'entry' | 'className'> & {
  /** True when a picture covers the icon. */
  readonly isCovered: boolean
  readonly frame?: React.Ref<HTMLSpanElement>
  readonly children: ReactNode
}

const Frame = ({ entry, isCovered, className, frame, children }: FrameProps) => (
  <span ref={frame} className={classNames(styles.frame, className)}>
    <FilePicture {...entry} className={classNames(styles.glyph, isCovered && styles.covered)} />
    {children}
  </span>
)
