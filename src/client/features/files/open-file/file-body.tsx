import { Download, ExternalLink } from 'lucide'
import type { FileResource } from '../../../../shared/contract/resources.ts'
import { childOf, nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { t } from '../../../i18n/translate.ts'
import { downloadFile } from '../../../operations/download.ts'
import { filesUrl, navigate } from '../../../router/router.ts'
import { lazyPart } from '../../../state/parts/lazy-part.ts'
import { useMay } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { directed } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import type { EditorProps } from '../../editor/text-editor.tsx'
import { FileViewer } from '../../viewers/file-viewer.tsx'
import type { Siblings } from '../../viewers/screen/siblings.ts'
import { NoPreview } from '../../viewers/frame/no-preview.tsx'
import { ViewerLoading } from '../../viewers/frame/viewer-loading.tsx'
import { fileFactsOf, viewedFile } from '../../viewers/viewed-file.ts'
import type { ViewerProps } from '../../viewers/viewer.ts'
import { useIsEditable } from './use-is-editable.ts'
import styles from './file-body.module.css'

const Editor = lazyPart(async () => (await import('../../editor/editor.tsx')).Editor, ViewerLoading)

type FileBodyProps = Pick<EditorProps, 'onVersion' | 'onUnsaved'> & {
  readonly path: Path
  readonly file: FileResource
  readonly siblings: Siblings
}

/** Renders what an open file contains: in the editor, in its viewer, or as a notice that it cannot be shown. */
export function FileBody({ path, file, siblings, onVersion, onUnsaved }: FileBodyProps) {
  const mayRead = useMay()('download')
  const isEditable = useIsEditable(path, file, { mayRead })
  if (!mayRead) return <FileNotice path={path} file={file} reason={t('file.noPermission')} />
  if (isEditable === null) return <ViewerLoading />
  if (isEditable) return <Editor path={path} file={file} onVersion={onVersion} onUnsaved={onUnsaved} />
  const neighboursOf: ViewerProps['neighboursOf'] = (types) =>
    siblings.entriesOf(types).map(({ name, type }) => ({
      name,
      type,
      isOpen: name === nameOf(path),
      open: () => {
        const target = childOf(parentOf(path), name)
        if (target !== null) navigate(filesUrl(target, false), { replace: true })
      },
    }))
  return (
    <FileViewer
      path={path}
      file={viewedFile(path, fileFactsOf(file), file.subtitles)}
      neighboursOf={neighboursOf}
      isQuick={false}
      renderFallback={(reason) => <FileNotice path={path} file={file} reason={reason} />}
    />
  )
}

type FileNoticeProps = Pick<FileBodyProps, 'path' | 'file'> & { readonly reason: string | null }

function FileNotice({ path, file, reason }: FileNoticeProps) {
  const mayRead = useMay()('download')
  return (
    <NoPreview file={fileFactsOf(file)} reason={reason}>
      {mayRead && (
        <div className={styles.ways}>
          <Button kind="primary" icon={Download} onClick={() => void downloadFile(path)}>
            {t('action.download')}
          </Button>
          <LinkButton
            icon={directed(ExternalLink)}
            href={href('raw.get', { path, query: { inline: true } })}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t('file.open')}
          </LinkButton>
        </div>
      )}
    </NoPreview>
  )
}
