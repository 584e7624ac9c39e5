import { useEffect, useState } from 'react'
import type { FileResource } from '../../../shared/contract/resources.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { childOf, encodePath, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import '../../i18n/later-texts.ts'
import { t } from '../../i18n/translate.ts'
import { thumbnailOf } from '../../operations/thumbnails/thumbnail-address.ts'
import { recordVisit } from '../../router/folder-positions.ts'
import { filesUrl, location, navigate } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { setTitle } from '../../state/page-title.ts'
import { addRecentPlace } from '../../state/recent-places.ts'
import { openFile } from '../../state/screens/open-file.ts'
import { useMay } from '../../state/session.ts'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { useRootMark } from '../../ui/root/use-root-mark.ts'
import { fileFactTexts } from '../viewers/screen/file-facts.ts'
import { coversScreen } from '../viewers/covers-screen.ts'
import { OpenFileFrame } from '../viewers/screen/open-file-frame.tsx'
import type { FileStep } from '../viewers/screen/use-file-keys.ts'
import { fileFactsOf, viewedFile } from '../viewers/viewed-file.ts'
import type { ViewedFile } from '../viewers/viewer.ts'
import type { FileVersion } from '../editor/text-file.ts'
import { useIsEditing } from './open-file/edit-mode.ts'
import { EditSwitch } from './open-file/edit-switch.tsx'
import { FileActions } from './open-file/file-actions.tsx'
import { FileBody } from './open-file/file-body.tsx'
import { closeFile } from './open-file/opened-from-search.ts'
import { runFileAction } from './open-file/run-file-action.ts'
import { useFollowedFile } from './open-file/use-followed-file.ts'
import { useSiblings } from './open-file/use-siblings.ts'
import { useTakenTime } from './open-file/use-taken-time.ts'
import { useTextKind } from './open-file/use-text-kind.ts'
import { useWaitingStep } from './open-file/use-waiting-step.ts'
import styles from './file-screen.module.css'

type FileScreenProps = { readonly path: Path; readonly file: FileResource }

/**
 * Renders an open file: its name, size and time, what it contains, and the links to the other files of its folder. The
 * actions and keys are those of the listing, applied to this file. Pictures, films and comics cover the whole screen, and documents
 * are shown within the page.
 */
export function FileScreen({ path, file }: FileScreenProps) {
  const may = useMay()
  const { siblings, areKnown } = useSiblings(path)
  const [version, setVersion] = useState<FileVersion | null>(null)
  const [versionPath, setVersionPath] = useState(path)
  if (versionPath !== path) {
    setVersionPath(path)
    setVersion(null)
  }
  const [isUnsaved, setUnsaved] = useState(false)
  const isReadable = may('download')
  const isEditing = useIsEditing(path)
  const text = useTextKind(path, file, { mayRead: isReadable })
  const hasSwitch = isReadable && text === 'document'
  const isPhone = useMedia(mobileQuery)
  const context: ActionContext = {
    folder: parentOf(path),
    selected: [entryOf(file)],
    may,
    isMultiple: false,
  }
  const takenMs = useTakenTime(path, file)
  const viewed = viewedFile(path, fileFactsOf(file))
  const close = (): void => closeFile(path)
  const open = (entry: ListedEntry): void => {
    const target = childOf(context.folder, entry.name)
    if (target !== null) navigate(filesUrl(target, false), { replace: true })
  }
  const goTo = (to: FileStep): void => {
    const current = addressedFile(context.folder) ?? path
    const entry = (current === path ? siblings : siblings.around(nameOf(current)))[to]
    if (entry !== null && childOf(context.folder, entry.name) !== current) open(entry)
  }
  const step = useWaitingStep(areKnown, goTo)
  const viewedOf = (entry: ListedEntry): ViewedFile | null => {
    const target = isReadable ? childOf(context.folder, entry.name) : null
    return target === null ? null : viewedFile(target, entry)
  }
  useFollowedFile(path, () => {
    if (siblings.next !== null) goTo('next')
    else if (siblings.previous !== null) goTo('previous')
    else close()
  })
  // The folder gives the focus to the row of this file when the file is closed.
  useEffect(() => void recordVisit(path), [path])
  useRootMark('openFile', isReadable && coversScreen(viewed) ? 'whole' : 'document')
  useEffect(() => addRecentPlace({ path, isFolder: false }), [path])
  useEffect(() => {
    openFile.set(entryOf(file))
    return () => openFile.set(null)
  }, [file])
  useEffect(() => setTitle({ isUnsaved }), [isUnsaved])
  useEffect(() => () => setTitle({ isUnsaved: false }), [])
  return (
    <OpenFileFrame
      file={viewed}
      isReadable={isReadable}
      part="file"
      mark={isUnsaved && <UnsavedMark />}
      facts={fileFactTexts(siblings, version ?? fileFactsOf(file), takenMs)}
      siblings={siblings}
      onClose={close}
      onStep={step}
      onOpen={open}
      runKey={(event) => runFileAction({ context, onClose: close }, event)}
      viewedOf={viewedOf}
      thumbnailOf={(entry) => thumbnailOf(context.folder, entry)}
      renderTools={(entries) => (
        <>
          {hasSwitch && <EditSwitch path={path} file={file} isEditing={isEditing} />}
          <FileActions context={context} isCrowded={isPhone && hasSwitch} entries={entries} />
        </>
      )}
    >
      <FileBody
        key={encodePath(path)}
        path={path}
        file={file}
        version={version}
        text={text}
        isEditing={isEditing}
        siblings={siblings}
        onVersion={setVersion}
        onUnsaved={setUnsaved}
      />
    </OpenFileFrame>
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

/** Marks a file whose text has changes that are not saved. */
const UnsavedMark = () => (
  <span className={styles.unsaved} data-part="unsaved">
    <span aria-hidden>●</span>
    <span className="visually-hidden">{t('editor.isUnsaved')}</span>
  </span>
)

const entryOf = ({ name, size, modified, type, isSymlink }: FileResource): ListedEntry => ({
  name,
  isFolder: false,
  isLink: isSymlink,
  isBroken: false,
  sizeBytes: size,
  modifiedMs: Date.parse(modified),
  type: type as FileType,
})
