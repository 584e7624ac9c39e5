import { useState } from 'react'
import type { FileResource } from '../../../shared/contract/resources.ts'
import { encodePath, type Path } from '../../../shared/domain/path.ts'
import { href } from '../../api/href.ts'
import { formatDate, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { downloadFile } from '../../operations/download.ts'
import { useMay } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import styles from './file-screen.module.css'

type FileScreenProps = { readonly path: Path; readonly file: FileResource }

/**
 * Renders an open file: its name, size and time, a preview of file types that the browser can show, and a download
 * button.
 */
export function FileScreen({ path, file }: FileScreenProps) {
  useKeyboard(null)
  const address = href('raw.get', { path, query: { inline: true } })
  const mayRead = useMay()('download')
  return (
    <article className={styles.file} data-part="file">
      <header className={styles.header}>
        <FilePicture name={file.name} type={file.type} isFolder={false} size={40} />
        <div className={styles.facts}>
          <h1 className={styles.name} tabIndex={-1}>
            <FileName name={file.name} isWhole />
          </h1>
          <p className={styles.line}>
            {formatSize(file.size)} · {formatDate(Date.parse(file.modified))}
          </p>
        </div>
        {mayRead && (
          <div className={styles.ways}>
            <Button kind="primary" icon="download" onClick={() => void downloadFile(path)}>
              {t('action.download')}
            </Button>
            <Button icon="external" onClick={() => window.open(address, '_blank', 'noopener')}>
              {t('file.open')}
            </Button>
          </div>
        )}
      </header>
      <FileBody key={encodePath(path)} address={address} file={file} mayRead={mayRead} />
    </article>
  )
}

type FileBodyProps = { readonly address: string; readonly file: FileResource; readonly mayRead: boolean }

function FileBody({ address, file, mayRead }: FileBodyProps) {
  const [isBroken, setBroken] = useState(false)
  const fail = (): void => setBroken(true)
  if (isTextual(file)) return <pre className={styles.text}>{file.content ?? ''}</pre>
  if (!mayRead || isBroken) return <NoPreview />
  switch (file.type) {
    case 'image':
      return <img className={styles.media} src={address} alt={file.name} onError={fail} />
    case 'video':
      return (
        <video className={styles.media} src={address} controls onError={fail}>
          <track kind="captions" />
        </video>
      )
    case 'audio':
      return (
        <audio className={styles.audio} src={address} controls onError={fail}>
          <track kind="captions" />
        </audio>
      )
    default:
      return <NoPreview />
  }
}

/**
 * Returns true for a file whose text can be shown. The server sends the text together with the file's description. An
 * empty file has no text.
 */
const isTextual = ({ type, content, size }: FileResource): boolean =>
  (type === 'text' || type === 'textImmutable') && (content !== undefined || size === 0)

const NoPreview = () => <p className={styles.none}>{t('file.noPreview')}</p>
