import { useState } from 'react'
import { Aperture } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import type { ViewerProps } from '../viewer.ts'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { ImageStage } from './image-stage.tsx'
import { useOriginal } from './use-original.ts'
import { uprightSize, type Size } from './zoom.ts'

/**
 * Shows an image that the browser can decode. Where the server makes previews, the smaller preview is shown until the
 * user enlarges it, or asks for the original.
 */
export function ImageViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const { name, address, previewAddress, resolution } = file
  const [isPreviewBroken, setPreviewBroken] = useState(false)
  const [wish, setWish] = useState<'preview' | 'original' | null>(null)
  const [own, setOwn] = useState<Size | null>(null)
  const [attempt, setAttempt] = useState(1)
  const original = useOriginal({ address, attempt, isWanted: wish === 'original' && previewAddress !== null })
  const hasPreview = previewAddress !== null && !isPreviewBroken
  const isOriginal = !hasPreview || original === 'ready'
  const isChosen = wish === 'original' && original !== 'failed'
  const natural = own === null || resolution === undefined ? null : uprightSize(resolution, own)
  return (
    <ImageStage
      name={name}
      picture={{ address: isOriginal ? address : previewAddress, natural }}
      isQuick={isQuick}
      onShown={setOwn}
      onEnlarged={() => setWish(wish ?? 'original')}
      onBroken={() => (isOriginal ? onBroken() : setPreviewBroken(true))}
      tools={[
        hasPreview && {
          icon: Aperture,
          label: t('viewer.original'),
          hint: original === 'failed' ? t('viewer.noOriginal') : undefined,
          description: original === 'failed' ? t('viewer.noOriginal') : undefined,
          isPressed: isChosen,
          isBusy: original === 'loading',
          run: () => {
            if (original === 'failed') setAttempt(attempt + 1)
            setWish(isChosen ? 'preview' : 'original')
          },
        },
      ]}
    >
      {own === null && <ViewerLoading />}
    </ImageStage>
  )
}
