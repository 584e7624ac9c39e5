import { useEffect } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { ImageStage } from '../image/image-stage.tsx'
import type { ViewerProps } from '../viewer.ts'
import { useRawPreview } from './use-raw-preview.ts'
import styles from './raw.module.css'

type RawViewerProps = Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>

/** Shows the image that a camera has stored in a RAW file beside the data of its sensor. */
export const RawViewer = (props: RawViewerProps) => <RawPicture key={props.file.versionKey} {...props} />

function RawPicture({ file, isQuick, onBroken }: RawViewerProps) {
  const preview = useRawPreview(file)
  useEffect(() => {
    if (preview === 'failed') onBroken()
  }, [preview, onBroken])
  const isShown = preview !== 'loading' && preview !== 'failed'
  return (
    <ImageStage
      name={file.name}
      picture={isShown ? { address: preview, natural: null } : null}
      isQuick={isQuick}
      onBroken={onBroken}
    >
      {preview === 'loading' && (
        <output className={styles.loading}>
          <Spinner size="large" />
          <span className="visually-hidden">{t('shell.loading')}</span>
        </output>
      )}
    </ImageStage>
  )
}
