import { useEffect, useRef, useState } from 'react'
import { Download, ExternalLink, X } from 'lucide'
import type { FileResource } from '../../../shared/contract/resources.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { childOf, encodePath, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { href } from '../../api/href.ts'
import { formatDate, formatSize } from '../../i18n/format.ts'
import '../../i18n/later-texts.ts'
import { t } from '../../i18n/translate.ts'
import { downloadFile } from '../../operations/download.ts'
import { filesUrl, location, navigate } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFile } from '../../state/screens/open-file.ts'
import { addRecentPlace } from '../../state/recent-places.ts'
import { setTitle } from '../../state/page-title.ts'
import { useMay } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { FactsLine } from '../viewers/frame/facts-line.tsx'
import { FileFrame } from '../../ui/file-frame/file-frame.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { directed } from '../../ui/icon.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { FileViewer } from '../viewers/file-viewer.tsx'
import { NoPreview } from '../viewers/frame/no-preview.tsx'
import { fileFactsOf, preloadImage, viewedFile } from '../viewers/viewed-file.ts'
import type { ViewedFile, ViewerProps } from '../viewers/viewer.ts'
import { ViewerLoading } from '../viewers/frame/viewer-loading.tsx'
import type { EditorProps } from '../editor/text-editor.tsx'
import { HeaderActions } from './bars/header-actions.tsx'
import { recordVisit } from '../../router/folder-positions.ts'
import { closeFile } from './open-file/opened-from-search.ts'
import { SiblingButtons } from './open-file/sibling-buttons.tsx'
import { type Siblings, useSiblings } from './open-file/siblings.ts'
import { useFileKeys } from './open-file/use-file-keys.ts'
import { useFollowedFile } from './open-file/use-followed-file.ts'
import { useIsEditable } from './open-file/use-is-editable.ts'
import { useSwipe } from './open-file/use-swipe.ts'
import styles from './file-screen.module.css'
import { lazyPart } from '../../state/parts/lazy-part.ts'

const Editor = lazyPart(async () => (await import('../editor/editor.tsx')).Editor, ViewerLoading)

type FileScreenProps = { readonly path: Path; readonly file: FileResource }

/**
 * Renders an open file: its name, size and time, what it contains, and the links to the other files of its folder. The
 * actions and keys are those of the listing, applied to this file.
 */
export function FileScreen({ path, file }: FileScreenProps) {
  const may = useMay()
  const isPhone = useMedia(mobileQuery)
  const siblings = useSiblings(path)
  const [version, setVersion] = useState<ShownVersion | null>(null)
  const [versionPath, setVersionPath] = useState(path)
  if (versionPath !== path) {
    setVersionPath(path)
    setVersion(null)
  }
  const [isUnsaved, setUnsaved] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const context: ActionContext = {
    folder: parentOf(path),
    selected: [entryOf(file)],
    may,
    isMultiple: false,
  }
  const facts = factsOf(siblings, version ?? fileFactsOf(file))
  const close = (): void => closeFile(path)
  const goTo = (to: keyof Pick<Siblings, 'previous' | 'next' | 'first' | 'last'>): void => {
    const current = addressedFile(context.folder) ?? path
    const entry = (current === path ? siblings : siblings.around(current))[to]
    const target = entry && childOf(context.folder, entry.name)
    if (target !== null && target !== current) navigate(filesUrl(target, false), { replace: true })
  }
  useFollowedFile(path, () => {
    if (siblings.next !== null) goTo('next')
    else if (siblings.previous !== null) goTo('previous')
    else close()
  })
  useFileKeys({ context, onClose: close, onStep: goTo })
  useSwipe(stage, (to) => (to === 'close' ? close() : goTo(to)))
  usePreloading(context.folder, siblings)
  // The folder gives the focus to the row of this file when the file is closed.
  useEffect(() => void recordVisit(path), [path])
  useEffect(() => addRecentPlace({ path, isFolder: false }), [path])
  useEffect(() => {
    openFile.set(entryOf(file))
    return () => openFile.set(null)
  }, [file])
  useEffect(() => setTitle({ isUnsaved }), [isUnsaved])
  useEffect(() => () => setTitle({ isUnsaved: false }), [])
  return (
    <>
      <HeaderActions context={context} place="file-header" />
      <article className={styles.file} data-part="file">
        <FileFrame
          file={file}
          isHeading
          mark={isUnsaved && <UnsavedMark />}
          facts={<FactsLine facts={facts} />}
          factsTitle={facts.join(' · ')}
          start={<IconButton icon={X} label={t('viewer.close')} hint={t('key.Escape')} onClick={close} />}
          end={may('download') && <OpenInTab path={path} />}
          stageRef={stage}
        >
          <FileBody
            key={encodePath(path)}
            path={path}
            file={file}
            siblings={siblings}
            onVersion={setVersion}
            onUnsaved={setUnsaved}
          />
          {/* On a narrow screen, the arrows would cover the audio controls, which have arrows of their own. */}
          {!(isPhone && file.type === 'audio') && <SiblingButtons siblings={siblings} onStep={goTo} />}
        </FileFrame>
      </article>
    </>
  )
}

/**
 * Returns the file of a folder to which the address leads, or null for any other address. It differs from the file on screen
 * while the next one is loading, so that quick presses of an arrow key each lead one file further.
 */
function addressedFile(folder: Path): Path | null {
  const { screen, path, isFolder } = location.get()
  return screen === 'files' && !isFolder && path !== null && parentOf(path) === folder ? path : null
}

/** The size and the time of the version of a file that is on the server now. */
type ShownVersion = Pick<ViewedFile, 'sizeBytes' | 'modifiedMs'>

/** Returns what is said about a file below its name. On a narrow screen, the end is cut. The information has it, too. */
const factsOf = ({ position, total }: Siblings, { sizeBytes, modifiedMs }: ShownVersion): string[] => [
  ...(position > 0 ? [t('viewer.position', { position, total })] : []),
  formatSize(sizeBytes),
  formatDate(modifiedMs),
]

/** Marks a file whose text has changes that are not saved. */
const UnsavedMark = () => (
  <span className={styles.unsaved} data-part="unsaved">
    <span aria-hidden>●</span>
    <span className="visually-hidden">{t('editor.isUnsaved')}</span>
  </span>
)

function OpenInTab({ path }: Pick<FileScreenProps, 'path'>) {
  const isPhone = useMedia(mobileQuery)
  const open = (): void =>
    void window.open(href('raw.get', { path, query: { inline: true } }), '_blank', 'noopener')
  if (isPhone) return <IconButton icon={directed(ExternalLink)} label={t('file.open')} onClick={open} />
  return (
    <Button icon={directed(ExternalLink)} onClick={open}>
      {t('file.open')}
    </Button>
  )
}

type FileBodyProps = FileScreenProps &
  Pick<EditorProps, 'onVersion' | 'onUnsaved'> & { readonly siblings: Siblings }

function FileBody({ path, file, siblings, onVersion, onUnsaved }: FileBodyProps) {
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

function FileNotice({ path, file, reason }: FileScreenProps & { readonly reason: string | null }) {
  const mayRead = useMay()('download')
  return (
    <NoPreview file={fileFactsOf(file)} reason={reason}>
      {mayRead && (
        <Button kind="primary" icon={Download} onClick={() => void downloadFile(path)}>
          {t('action.download')}
        </Button>
      )}
    </NoPreview>
  )
}

const entryOf = ({ name, size, modified, type, isSymlink }: FileResource): ListedEntry => ({
  name,
  isFolder: false,
  isLink: isSymlink,
  isBroken: false,
  sizeBytes: size,
  modifiedMs: Date.parse(modified),
  type: type as FileType,
})

/** Fetches the images before and after the open file, so that they are shown at once. */
function usePreloading(folder: Path, { previous, next }: Siblings): void {
  useEffect(() => {
    for (const entry of [next, previous]) {
      const path = entry?.type === 'image' ? childOf(folder, entry.name) : null
      if (entry !== null && path !== null) preloadImage(viewedFile(path, entry))
    }
  }, [folder, previous, next])
}
