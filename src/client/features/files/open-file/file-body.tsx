import { useState } from 'react'
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
import { useMedia } from '../../../ui/measuring/use-media.ts'
import { DocumentNotes } from '../../editor/document-notes.tsx'
import type { EditorProps } from '../../editor/text-editor.tsx'
import type { FileVersion } from '../../editor/text-file.ts'
import { FileViewer } from '../../viewers/file-viewer.tsx'
import type { Siblings } from '../../viewers/screen/siblings.ts'
import { NoPreview } from '../../viewers/frame/no-preview.tsx'
import { ViewerLoading } from '../../viewers/frame/viewer-loading.tsx'
import { fileFactsOf, viewedFile } from '../../viewers/viewed-file.ts'
import type { ViewerProps } from '../../viewers/viewer.ts'
import { startEditing } from './edit-mode.ts'
import type { TextKind } from './use-text-kind.ts'
import styles from './file-body.module.css'

const Editor = lazyPart(async () => (await import('../../editor/editor.tsx')).Editor, ViewerLoading)

type FileBodyProps = Pick<EditorProps, 'onVersion' | 'onUnsaved'> & {
  readonly path: Path
  readonly file: FileResource
  /** The version of the file that was saved or found after the file had been opened, or null. */
  readonly version: FileVersion | null
  /** The kind of the text that the file contains. */
  readonly text: TextKind
  readonly isEditing: boolean
  readonly siblings: Siblings
}

/**
 * Renders what an open file contains: in its viewer, in the editor, or as a notice that it cannot be shown. A document is shown as what
 * it is until the user wants to edit its text.
 */
export function FileBody({
  path,
  file,
  version,
  text,
  isEditing,
  siblings,
  onVersion,
  onUnsaved,
}: FileBodyProps) {
  const may = useMay()
  const mayRead = may('download')
  const mayType = may('modify') && file.type !== 'textImmutable'
  // A keyboard on the screen would cover the text before it is read.
  const isTouch = useMedia('(pointer: coarse)')
  const [wasEditing] = useState(isEditing)
  const [isAsked, setAsked] = useState(false)
  if (isEditing !== wasEditing && !isAsked) setAsked(true)
  if (!mayRead) return <FileNotice path={path} file={file} reason={t('file.noPermission')} />
  if (text === 'unknown') return <ViewerLoading />
  if (text === 'plain' || (text === 'document' && isEditing))
    return (
      <Editor
        path={path}
        file={file}
        takesFocus={isAsked ? 'always' : mayType && !isTouch ? 'if-free' : 'never'}
        onVersion={onVersion}
        onUnsaved={onUnsaved}
      />
    )
  const viewed = viewedFile(path, { ...fileFactsOf(file), ...factsOf(version) }, file.subtitles)
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
    <>
      {text === 'document' && (
        <DocumentNotes
          path={path}
          file={file}
          etag={version?.etag ?? null}
          onVersion={onVersion}
          onEdit={() => startEditing(path)}
        />
      )}
      <FileViewer
        key={viewed.versionKey}
        path={path}
        file={viewed}
        neighboursOf={neighboursOf}
        isQuick={false}
        renderFallback={(reason) => <FileNotice path={path} file={file} reason={reason} />}
      />
    </>
  )
}

const factsOf = (version: FileVersion | null) =>
  version && { sizeBytes: version.sizeBytes, modifiedMs: version.modifiedMs }

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
