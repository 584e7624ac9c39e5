import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { loadDrawing } from '../markup/load-drawing.ts'
import { TooComplexError } from '../markup/too-complex-error.ts'
import { ViewerLoading } from '../viewer-loading.tsx'
import type { ViewerProps } from '../viewer.ts'
import { ImageViewer } from './image-viewer.tsx'

/** Shows a drawing (SVG) as an image, in which nothing runs, after its size has been checked. */
export function DrawingViewer({
  file,
  isQuick,
  onBroken,
}: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const { address } = file
  const [drawing, setDrawing] = useState<string | null>(null)
  const reportBroken = useEffectEvent(onBroken)
  useEffect(() => {
    const abort = new AbortController()
    const loaded = loadDrawing(address, abort.signal)
    loaded.then(setDrawing, (error: unknown) => {
      if (abort.signal.aborted) return
      reportBroken(error instanceof TooComplexError ? t('viewer.drawingTooComplex') : undefined)
    })
    return () => {
      abort.abort()
      setDrawing(null)
      loaded.then(
        (url) => URL.revokeObjectURL(url),
        () => undefined,
      )
    }
  }, [address])
  if (drawing === null) return <ViewerLoading />
  return (
    <ImageViewer
      file={{ ...file, address: drawing, previewAddress: null }}
      isQuick={isQuick}
      onBroken={onBroken}
    />
  )
}
