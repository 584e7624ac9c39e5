import { useRef, useState } from 'react'
import { formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { addIcons } from '../../../ui/icon.tsx'
import { lateIcons } from '../../../ui/icons/late-icons.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import type { ViewerProps } from '../viewer.ts'
import { useImageGestures, useImageZoom, useZoomKeys } from './use-image-zoom.ts'
import { fittedView, scaleStep, type Size, zoomTo } from './zoom.ts'
import styles from './image.module.css'

addIcons(lateIcons)

/**
 * Shows an image with zoom, movement and rotation. Where the server makes previews, a smaller preview is shown first, and
 * the original when the user asks for it.
 */
export function ImageViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const stage = useRef<HTMLDivElement>(null)
  const [natural, setNatural] = useState<Size | null>(null)
  const [turns, setTurns] = useState(0)
  const [isOriginal, setOriginal] = useState(file.previewAddress === null)
  const isLying = turns % 2 === 1
  const zoom = useImageZoom(stage, natural && isLying ? turned(natural) : natural)
  const { view, fitted } = zoom
  const naturalScale =
    natural === null || fitted.width === 0 ? 1 : naturalWidth(natural, isLying) / fitted.width
  useImageGestures(stage, zoom)
  useZoomKeys(zoom, { naturalScale, isOff: isQuick })
  const step = (by: number): void =>
    zoom.change((before, limits) => zoomTo(before, { scale: before.scale + by }, limits))
  const drawn = isLying ? turned(fitted) : fitted
  return (
    <div ref={stage} className={styles.stage} data-zoomed={view.scale > 1 || undefined}>
      <img
        className={styles.image}
        src={isOriginal ? file.address : (file.previewAddress ?? file.address)}
        alt={visibleName(file.name)}
        draggable={false}
        style={{
          inlineSize: drawn.width,
          blockSize: drawn.height,
          transform: `translate(${view.offset.x}px, ${view.offset.y}px) scale(${view.scale}) rotate(${turns * 90}deg)`,
        }}
        data-loaded={natural !== null || undefined}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setNatural((before) => before ?? { width: width || 300, height: height || 150 })
        }
        onError={() => (isOriginal ? onBroken() : setOriginal(true))}
      />
      <div className={styles.tools} role="toolbar" aria-label={t('viewer.zoom')}>
        <IconButton icon="zoom-out" label={t('viewer.zoomOut')} hint="−" onClick={() => step(-scaleStep)} />
        <output className={styles.scale}>{formatPercent(view.scale / naturalScale)}</output>
        <IconButton icon="zoom-in" label={t('viewer.zoomIn')} hint="+" onClick={() => step(scaleStep)} />
        <IconButton
          icon="fit"
          label={t('viewer.fit')}
          hint="0"
          onClick={() => zoom.change(() => fittedView)}
        />
        <IconButton
          icon="rotate"
          label={t('viewer.rotate')}
          onClick={() => {
            setTurns((turns + 1) % 4)
            zoom.change(() => fittedView)
          }}
        />
        {file.previewAddress !== null && (
          <IconButton
            icon="original"
            label={t('viewer.original')}
            aria-pressed={isOriginal}
            onClick={() => {
              setNatural(null)
              setOriginal(!isOriginal)
            }}
          />
        )}
      </div>
    </div>
  )
}

const turned = ({ width, height }: Size): Size => ({ width: height, height: width })
const naturalWidth = ({ width, height }: Size, isLying: boolean): number => (isLying ? height : width)
