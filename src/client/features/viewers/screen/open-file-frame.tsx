import { type ReactNode, useRef } from 'react'
import { GalleryThumbnails, X } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { filmStrip } from '../../../state/device/film-strip.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { lazyPart } from '../../../state/parts/lazy-part.ts'
import { useStore } from '../../../state/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { FileFrame } from '../../../ui/file-frame/file-frame.tsx'
import { useIdleMark } from '../../../ui/file-frame/use-idle-mark.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import type { MenuEntry } from '../../../ui/menu/menu-entry.ts'
import { coversScreen } from '../covers-screen.ts'
import { FactsLine } from '../frame/facts-line.tsx'
import type { ViewedFile } from '../viewer.ts'
import { SiblingButtons } from './sibling-buttons.tsx'
import type { Siblings } from './siblings.ts'
import { type FileKeyOptions, useFileKeys } from './use-file-keys.ts'
import { usePreloading, type ViewedEntry } from './use-preloading.ts'
import { useSwipe } from './use-swipe.ts'
import styles from './open-file-frame.module.css'

/** The other pictures of the folder. Those who have switched the strip off do not load its code. */
const FilmStrip = lazyPart(async () => (await import('./film-strip.tsx')).FilmStrip)

const FullScreenButton = lazyPart(async () => (await import('./full-screen-button.tsx')).FullScreenButton)

type OpenFileFrameProps = FileKeyOptions & {
  readonly file: Pick<ViewedFile, 'name' | 'type'>
  /** False for a file whose content the user may not read, which covers no screen. */
  readonly isReadable: boolean
  /** The name by which tests and style sheets find the file. */
  readonly part: string
  /** The class of a file that is shown within the page. */
  readonly documentClass?: string | undefined
  /** A mark before the name. */
  readonly mark?: ReactNode
  /** The line below the name. */
  readonly facts: readonly string[]
  readonly siblings: Siblings
  readonly onOpen: (entry: ListedEntry) => void
  readonly viewedOf: ViewedEntry
  /** Returns the URL of the thumbnail of a file, or an empty string for a file without a thumbnail. */
  readonly thumbnailOf: (entry: ListedEntry) => string
  /** Renders the buttons at the end of the bar. The entries are those that the frame adds to the menu of the file. */
  readonly renderTools: (entries: readonly MenuEntry[]) => ReactNode
  /** The content of the file. */
  readonly children: ReactNode
}

/**
 * Renders an open file of a user or a guest: its bar, its content, and the ways to the other files of its folder. Pictures, films and
 * comics cover the whole screen, and documents are shown within the page.
 */
export function OpenFileFrame({
  file,
  isReadable,
  part,
  documentClass,
  mark,
  facts,
  siblings,
  onOpen,
  viewedOf,
  thumbnailOf,
  renderTools,
  children,
  ...keys
}: OpenFileFrameProps) {
  const { onClose, onStep } = keys
  const frame = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const isPhone = useMedia(mobileQuery)
  const hasStrip = useStore(filmStrip) === 'on'
  const isWhole = isReadable && coversScreen(file)
  const isPicture = isWhole && (file.type === 'image' || file.type === 'video')
  useIdleMark(frame, {
    isOn: isWhole,
    wakesByKeys: file.type === 'video',
    isShownFirst: onClose === null,
  })
  useFileKeys(keys)
  useSwipe(stage, (to) => (to === 'close' ? onClose?.() : onStep(to)))
  usePreloading(siblings, viewedOf)
  return (
    <article
      ref={frame}
      className={classNames(styles.file, isWhole ? styles.wholeScreen : documentClass, isWhole && 'dark')}
      data-part={part}
      data-whole-screen={isWhole || undefined}
    >
      <FileFrame
        file={file}
        look={isWhole ? 'whole' : 'screen'}
        mark={mark}
        facts={<FactsLine facts={facts} />}
        factsTitle={facts.join(' · ')}
        start={
          onClose !== null && (
            <IconButton icon={X} label={t('viewer.close')} hint={t('key.Escape')} onClick={onClose} />
          )
        }
        end={
          <>
            {/* A film has a button for the full screen beside its other controls. */}
            {isWhole && file.type !== 'video' && !isPhone && <FullScreenButton />}
            {renderTools(isPicture && siblings.total > 1 ? [filmStripSwitch(hasStrip)] : [])}
          </>
        }
        stageRef={stage}
      >
        {children}
        {/* On a narrow screen, the arrows would cover the audio controls, which have arrows of their own. */}
        {!(isPhone && file.type === 'audio') && <SiblingButtons siblings={siblings} onStep={onStep} />}
      </FileFrame>
      {isPicture && hasStrip && siblings.pictures().total > 1 && (
        <FilmStrip pictures={siblings.pictures()} thumbnailOf={thumbnailOf} onOpen={onOpen} />
      )}
    </article>
  )
}

/** Returns the menu entry that shows and hides the other pictures of the folder. */
const filmStripSwitch = (isOn: boolean): MenuEntry => ({
  id: 'film-strip',
  label: t('viewer.filmStrip'),
  icon: GalleryThumbnails,
  isChosen: isOn,
  run: () => filmStrip.set(isOn ? 'off' : 'on'),
})
