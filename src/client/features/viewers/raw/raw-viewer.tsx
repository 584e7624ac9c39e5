import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { ImageStage } from '../image/image-stage.tsx'
import type { ViewerProps } from '../viewer.ts'
import { useRawPreview } from './use-raw-preview.ts'

type RawViewerProps = Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>

/** Shows the image that a camera has stored in a RAW file beside the data of its sensor. */
export const RawViewer = (props: RawViewerProps) => <RawPicture key={props.file.versionKey} {...props} />

function RawPicture({ file, isQuick, onBroken }: RawViewerProps) {
  const preview = useRawPreview(file, () => onBroken())
  return (
    <ImageStage
      name={file.name}
      picture={preview === null ? null : { address: preview, natural: null }}
      isQuick={isQuick}
      onBroken={onBroken}
    >
      {preview === null && <ViewerLoading />}
    </ImageStage>
  )
}
