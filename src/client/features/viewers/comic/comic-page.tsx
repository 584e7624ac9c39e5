import { useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { t } from '../../../i18n/translate.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { ViewerNote } from '../frame/viewer-note.tsx'
import { useIsNear } from '../frame/use-is-near.ts'
import type { Comic } from './comic.ts'
import { usePageImage } from './use-comic.ts'
import styles from './comic.module.css'

type ComicPageProps = { readonly comic: Comic; readonly index: number }

/** Shows a page in the whole area of the viewer. A hidden page is loaded, so that it is shown at once. */
export const SinglePage = ({ comic, index, isHidden }: ComicPageProps & { readonly isHidden: boolean }) => (
  <figure className={styles.single} data-page={index + 1} hidden={isHidden}>
    <PageContent comic={comic} index={index} isNeeded />
  </figure>
)

/** The height of a page as a multiple of its width, before the page is known: that of most printed comics. */
const expectedRatio = 1.5

/** The largest height of a page as a multiple of its width. Taller images are shown smaller. */
const maxRatio = 40

/** Shows a page above the next one. Its image is loaded when it comes near the visible area, and released far from it. */
export function StripPage({ comic, index }: ComicPageProps) {
  const frame = useRef<HTMLElement>(null)
  const [ratio, setRatio] = useState(expectedRatio)
  const isNeeded = useIsNear(frame)
  return (
    <figure
      ref={frame}
      className={styles.inStrip}
      data-page={index + 1}
      style={{ aspectRatio: `1 / ${ratio}` }}
    >
      <PageContent comic={comic} index={index} isNeeded={isNeeded} onRatio={setRatio} />
    </figure>
  )
}

type PageContentProps = ComicPageProps & {
  readonly isNeeded: boolean
  /** Called with the height of the page as a multiple of its width. */
  readonly onRatio?: (ratio: number) => void
}

function PageContent({ comic, index, isNeeded, onRatio }: PageContentProps) {
  const image = usePageImage(comic, index, isNeeded)
  const [brokenUrl, setBrokenUrl] = useState('')
  const page = index + 1
  if (image === null) return <Spinner />
  if (image === 'failed' || image.url === brokenUrl)
    return <ViewerNote text={t('viewer.brokenPage', { page })} />
  return (
    <img
      className={classNames(styles.image, onRatio && styles.wide)}
      src={image.url}
      alt={t('viewer.page', { page })}
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        onRatio?.(Math.min(maxRatio, naturalHeight / Math.max(1, naturalWidth)))
      }
      onError={() => setBrokenUrl(image.url)}
    />
  )
}
