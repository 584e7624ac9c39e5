import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { RotateCw } from 'lucide'
import { formatPercent } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { Tools, ViewerToolbar } from '../frame/tool.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { useImageGestures, useImageZoom } from './use-image-zoom.ts'
import { fittedView, type ImageView, scaleStep, type Size, zoomTo } from './zoom.ts'
import styles from './image.module.css'

/** A picture that the browser can show: a version of an image, or a page of it. */
export type ShownPicture = {
  readonly address: string
  /** The size of the whole image, of which the picture may be a smaller version. Null until it is known. */
  readonly natural: Size | null
}

type ImageStageProps = {
  readonly name: string
  /** Null while there is no picture yet. */
  readonly picture: ShownPicture | null
  /** Differs for each page of an image. Another page is shown as a whole again. */
  readonly page?: number
  readonly isQuick: boolean
  /** Called when the picture has been loaded, with its own size. */
  readonly onShown?: (size: Size) => void
  readonly onBroken: () => void
  /** Called when the picture is shown larger than it is. */
  readonly onEnlarged?: () => void
  /** Further tools at the end of the toolbar. */
  readonly tools?: Tools
  /** The toolbar for the pages of an image. */
  readonly pageTools?: ViewerToolbar | false
  /** Content that is shown above the picture, such as the progress of decoding. */
  readonly children?: ReactNode
}

/** The factor by which the initial view may enlarge a picture before `onEnlarged` is called. */
const maxFirstEnlargement = 2

/** Shows a picture with zoom, movement and rotation. */
export function ImageStage({ name, picture, page = 0, isQuick, ...props }: ImageStageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [own, setOwn] = useState<Size | null>(null)
  const [turns, setTurns] = useState(0)
  const [shownPage, setShownPage] = useState(page)
  const natural = own === null ? null : (picture?.natural ?? own)
  const isLying = turns % 2 === 1
  const zoom = useImageZoom(stage, natural && isLying ? turned(natural) : natural)
  const { view, fitted } = zoom
  const drawn = isLying ? turned(fitted) : fitted
  const naturalScale = natural === null || drawn.width === 0 ? 1 : natural.width / drawn.width
  if (page !== shownPage) {
    setShownPage(page)
    setOwn(null)
    setTurns(0)
    zoom.change(() => fittedView)
  }
  useImageGestures(stage, zoom)
  useEnlarged(enlargementOf(view, drawn, own), props.onEnlarged)
  const zoomWith = (scaleAfter: (scale: number) => number): void =>
    zoom.change((before, limits) => zoomTo(before, { scale: scaleAfter(before.scale) }, limits))
  return (
    <ViewerFrame
      look="stage"
      ground="sunken"
      isQuick={isQuick}
      upperToolbar={props.pageTools ?? false}
      keys={{ '1': () => zoomWith(() => naturalScale) }}
      toolbar={{
        label: t('viewer.zoom'),
        tools: [
          {
            kind: 'zoom',
            onStep: (by) => zoomWith((scale) => scale + by * scaleStep),
            scale: natural === null ? '' : formatPercent(view.scale / naturalScale),
            hasKeys: true,
          },
          { kind: 'fit', hasKeys: true, run: () => zoom.change(() => fittedView) },
          {
            icon: RotateCw,
            label: t('viewer.rotate'),
            run: () => {
              setTurns((turns + 1) % 4)
              zoom.change(() => fittedView)
            },
          },
          ...(props.tools ?? []),
        ],
      }}
    >
      <div ref={stage} className={styles.stage} data-zoomed={view.scale > 1 || undefined}>
        {picture !== null && (
          <img
            className={styles.image}
            src={picture.address}
            alt={visibleName(name)}
            draggable={false}
            decoding="async"
            style={{
              inlineSize: drawn.width,
              blockSize: drawn.height,
              transform: `translate(${view.offset.x}px, ${view.offset.y}px) scale(${view.scale}) rotate(${turns * 90}deg)`,
            }}
            data-loaded={natural !== null || undefined}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              // A drawing in SVG may have no size of its own.
              const size = { width: naturalWidth || 300, height: naturalHeight || 150 }
              setOwn(size)
              props.onShown?.(size)
            }}
            onError={() => props.onBroken()}
          />
        )}
        {props.children}
      </div>
    </ViewerFrame>
  )
}

const turned = ({ width, height }: Size): Size => ({ width: height, height: width })

/**
 * Returns how much larger than its own pixels a picture is shown. The enlargement of the initial view is divided by
 * `maxFirstEnlargement`, because the user has not asked for it.
 */
function enlargementOf({ scale }: ImageView, { width }: Size, own: Size | null): number {
  if (own === null) return 0
  return (width * scale) / own.width / (scale > 1 ? 1 : maxFirstEnlargement)
}

/** Calls a function when a picture becomes larger than its own pixels. */
function useEnlarged(enlargement: number, onEnlarged: (() => void) | undefined): void {
  const noteEnlarged = useEffectEvent(() => onEnlarged?.())
  const isEnlarged = enlargement > 1
  useEffect(() => {
    if (isEnlarged) noteEnlarged()
  }, [isEnlarged])
}
