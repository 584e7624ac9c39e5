import { useEffect, useState } from 'react'
import { formatPercent } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { damagedReason } from '../frame/damaged-reason.ts'
import { ViewerNote } from '../frame/viewer-note.tsx'
import { ImageStage } from '../image/image-stage.tsx'
import type { ViewerProps } from '../viewer.ts'
import { useTiff } from './use-tiff.ts'
import styles from './tiff.module.css'

type TiffViewerProps = Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>

/**
 * Shows a TIFF, which most browsers cannot decode, page by page. A worker decodes it. The server's preview of the first page
 * is shown until then, and also when the page cannot be decoded here.
 */
export const TiffViewer = (props: TiffViewerProps) => <TiffPages key={props.file.versionKey} {...props} />

function TiffPages({ file, isQuick, onBroken }: TiffViewerProps) {
  const [number, setNumber] = useState(0)
  const [isPreviewBroken, setPreviewBroken] = useState(false)
  const { pages, page } = useTiff(file, number)
  const preview = number > 0 || isPreviewBroken ? null : file.previewAddress
  const address = page.kind === 'decoded' ? page.address : preview
  const isFailed = page.kind === 'failed' && address === null
  const isNothing = isFailed && pages <= 1
  const isDamaged = page.kind === 'failed' && page.isDamaged
  useEffect(() => {
    if (isNothing) onBroken(isDamaged ? damagedReason() : undefined)
  }, [isNothing, isDamaged, onBroken])
  return (
    <ImageStage
      name={file.name}
      picture={address === null ? null : { address, natural: null }}
      page={number}
      isQuick={isQuick}
      onBroken={() => (page.kind === 'decoded' ? onBroken() : setPreviewBroken(true))}
      pageTools={
        pages > 1 &&
        !isQuick && {
          label: t('viewer.pages'),
          tools: [
            {
              kind: 'position',
              unit: 'page',
              position: number + 1,
              total: pages,
              onGo: (to) => setNumber(to - 1),
              hasKeys: true,
            },
          ],
        }
      }
    >
      {isFailed && <ViewerNote text={t('viewer.brokenPage', { page: number + 1 })} />}
      {page.kind === 'decoding' && (
        <div className={styles.progress}>
          <ProgressBar label={t('viewer.decoding')} fraction={page.part === 0 ? null : page.part} />
          <span aria-hidden="true">{t('viewer.decoded', { percent: formatPercent(page.part) })}</span>
        </div>
      )}
    </ImageStage>
  )
}
