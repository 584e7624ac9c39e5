import { useEffect, useRef, useState } from 'react'
import { ExternalLink, GalleryThumbnails, X } from 'lucide'
import type { FileResource } from '../../../shared/contract/resources.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { childOf, encodePath, parentOf, type Path } from '../../../shared/domain/path.ts'
import type { ActionContext } from '../../actions/action.ts'
import { href } from '../../api/href.ts'
import { formatDate, formatSize } from '../../i18n/format.ts'
import '../../i18n/later-texts.ts'
import { t } from '../../i18n/translate.ts'
import { recordVisit } from '../../router/folder-positions.ts'
import { filesUrl, location, navigate } from '../../router/router.ts'
import { filmStrip } from '../../state/device/film-strip.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { setTitle } from '../../state/page-title.ts'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { addRecentPlace } from '../../state/recent-places.ts'
import { openFile } from '../../state/screens/open-file.ts'
import { useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { FileFrame } from '../../ui/file-frame/file-frame.tsx'
import { useIdleMark } from '../../ui/file-frame/use-idle-mark.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { directed } from '../../ui/icon.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { FactsLine } from '../viewers/frame/facts-line.tsx'
import { fileFactsOf, viewedFile } from '../viewers/viewed-file.ts'
import type { ViewedFile } from '../viewers/viewer.ts'
import { coversScreen } from '../viewers/covers-screen.ts'
import { FileActions } from './open-file/file-actions.tsx'
import { FileBody } from './open-file/file-body.tsx'
import { closeFile } from './open-file/opened-from-search.ts'
import { SiblingButtons } from './open-file/sibling-buttons.tsx'
import { type Siblings, useSiblings } from './open-file/siblings.ts'
import { useFileKeys } from './open-file/use-file-keys.ts'
import { useFollowedFile } from './open-file/use-followed-file.ts'
import { usePreloading } from './open-file/use-preloading.ts'
import { useSwipe } from './open-file/use-swipe.ts'
import { useTakenTime } from './open-file/use-taken-time.ts'
import styles from './file-screen.module.css'

/** The other pictures of the folder. Those who have switched the strip off do not load its code. */
const FilmStrip = lazyPart(async () => (await import('./open-file/film-strip.tsx')).FilmStrip)

const FullScreenButton = lazyPart(
  async () => (await import('./open-file/full-screen-button.tsx')).FullScreenButton,
)

type FileScreenProps = { readonly path: Path; readonly file: FileResource }

/**
 * Renders an open file: its name, size and time, what it contains, and the links to the other files of its folder. The
 * actions and keys are those of the listing, applied to this file. Pictures, films and comics cover the whole screen, and documents
 * are shown within the page.
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
  const frame = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const isWhole = may('download') && coversScreen(viewedFile(path, fileFactsOf(file)))
  const isPicture = isWhole && (file.type === 'image' || file.type === 'video')
  const hasStrip = useStore(filmStrip) === 'on'
  const context: ActionContext = {
    folder: parentOf(path),
    selected: [entryOf(file)],
    may,
    isMultiple: false,
  }
  const takenMs = useTakenTime(path, file)
  const facts = factsOf(siblings, version ?? fileFactsOf(file), takenMs)
  const close = (): void => closeFile(path)
  const open = (entry: ListedEntry): void => {
    const target = childOf(context.folder, entry.name)
    if (target !== null) navigate(filesUrl(target, false), { replace: true })
  }
  const goTo = (to: keyof Pick<Siblings, 'previous' | 'next' | 'first' | 'last'>): void => {
    const current = addressedFile(context.folder) ?? path
    const entry = (current === path ? siblings : siblings.around(current))[to]
    if (entry !== null && childOf(context.folder, entry.name) !== current) open(entry)
  }
  useFollowedFile(path, () => {
    if (siblings.next !== null) goTo('next')
    else if (siblings.previous !== null) goTo('previous')
    else close()
  })
  useIdleMark(frame, { isOn: isWhole, wakesByKeys: file.type === 'video' })
  useFileKeys({ context, onClose: close, onStep: goTo })
  useSwipe(stage, (to) => (to === 'close' ? close() : goTo(to)))
  usePreloading(context.folder, may('download') ? siblings : noNeighbours)
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
    <article
      ref={frame}
      className={classNames(styles.file, isWhole ? styles.wholeScreen : styles.document, isWhole && 'dark')}
      data-part="file"
      data-whole-screen={isWhole || undefined}
    >
      <FileFrame
        file={file}
        look={isWhole ? 'whole' : 'screen'}
        mark={isUnsaved && <UnsavedMark />}
        facts={<FactsLine facts={facts} />}
        factsTitle={facts.join(' · ')}
        start={<IconButton icon={X} label={t('viewer.close')} hint={t('key.Escape')} onClick={close} />}
        end={
          <>
            {/* A film has such a button beside its other controls. */}
            {isWhole && file.type !== 'video' && !isPhone && <FullScreenButton />}
            <FileActions
              context={context}
              entries={[
                ...(may('download') ? [openInTab(path)] : []),
                ...(isPicture ? [filmStripSwitch(hasStrip)] : []),
              ]}
            />
          </>
        }
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
      {isPicture && hasStrip && siblings.pictures().total > 1 && (
        <FilmStrip folder={context.folder} pictures={siblings.pictures()} onOpen={open} />
      )}
    </article>
  )
}

const noNeighbours = { previous: null, next: null } as const

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
const factsOf = (
  { position, total }: Siblings,
  { sizeBytes, modifiedMs }: ShownVersion,
  takenMs: number | null,
): string[] => [
  ...(position > 0 ? [t('viewer.position', { position, total })] : []),
  ...(takenMs === null ? [] : [t('viewer.taken', { date: formatDate(takenMs) })]),
  formatSize(sizeBytes),
  ...(takenMs === null ? [formatDate(modifiedMs)] : []),
]

/** Returns the menu entry that shows the bytes of a file in a tab of the browser. */
const openInTab = (path: Path): MenuEntry => ({
  id: 'open-in-tab',
  label: t('file.open'),
  icon: directed(ExternalLink),
  run: () => void window.open(href('raw.get', { path, query: { inline: true } }), '_blank', 'noopener'),
})

/** Returns the menu entry that shows and hides the other pictures of the folder. */
const filmStripSwitch = (isOn: boolean): MenuEntry => ({
  id: 'film-strip',
  label: t('viewer.filmStrip'),
  icon: GalleryThumbnails,
  isChosen: isOn,
  run: () => filmStrip.set(isOn ? 'off' : 'on'),
})

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
