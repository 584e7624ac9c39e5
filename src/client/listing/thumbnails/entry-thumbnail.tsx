import { type ReactNode, useEffect, useRef, useState } from 'react'
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
 * shown until the thumbnail has loaded. When loading fails, it is tried once more.
 */
export const EntryThumbnail = (props: ThumbnailProps) =>
  isPosterAddress(props.address) ? <Poster key={props.address} {...props} /> : <ImageThumbnail {...props} />

/** Returns true for the URL of a picture that the server draws of a file that is not an image. */
const isPosterAddress = (address: string): boolean => address.endsWith('&poster=true')

/** The time after which a thumbnail is requested a second time, in milliseconds. A server with much work refuses some for a while. */
const retryAfterMs = 4000

type Loading = {
  readonly address: string
  readonly state: 'waiting' | 'there' | 'broken'
  readonly failures: number
}

function ImageThumbnail({ entry, address, className }: ThumbnailProps) {
  const [last, setLast] = useState<Loading>({ address, state: 'waiting', failures: 0 })
  const { state, failures }: Loading =
    last.address === address ? last : { address, state: 'waiting', failures: 0 }
  useEffect(() => {
    if (state !== 'broken' || failures > 1) return undefined
    const timer = setTimeout(() => setLast({ address, state: 'waiting', failures }), retryAfterMs)
    return () => clearTimeout(timer)
  }, [address, state, failures])
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
          setLast({ address, state: 'there', failures })
        }}
        onError={() => setLast({ address, state: 'broken', failures: failures + 1 })}
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
          onLoad={({ currentTarget }) => {
            const { clientWidth = 1, clientHeight = 1 } = frame.current ?? {}
            currentTarget.dataset['shape'] = shapeOf(currentTarget, clientWidth / clientHeight)
          }}
        />
      )}
    </Frame>
  )
}

/**
 * Returns the side of a tile that a picture fills. A gallery shows the whole picture: its other side follows from its proportions. The
 * proportions of a tile for an image are between those of the image and a square. Others are given.
 */
const shapeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement, tileRatio = 1): 'wide' | 'tall' =>
  naturalWidth < naturalHeight * tileRatio ? 'tall' : 'wide'

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
