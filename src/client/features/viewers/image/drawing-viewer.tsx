import { t } from '../../../i18n/translate.ts'
import { loadDrawing } from '../markup/load-drawing.ts'
import { TooComplexError } from '../markup/too-complex-error.ts'
import { useOpened, whenAborted } from '../frame/use-opened.ts'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import type { ViewerProps } from '../viewer.ts'
import { ImageViewer } from './image-viewer.tsx'

/** Shows a drawing (SVG) as an image, in which nothing runs, after its size has been checked. */
export function DrawingViewer({
  file,
  isQuick,
  onBroken,
}: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const drawing = useOpened({
    key: file.address,
    open: async (signal) => {
      const url = await loadDrawing(file.address, signal)
      whenAborted(signal, () => URL.revokeObjectURL(url))
      return url
    },
    onFailed: (error) =>
      onBroken(error instanceof TooComplexError ? t('viewer.drawingTooComplex') : undefined),
  })
  if (drawing === null) return <ViewerLoading />
  return (
    <ImageViewer
      file={{ ...file, address: drawing, previewAddress: null }}
      isQuick={isQuick}
      onBroken={onBroken}
    />
  )
}
