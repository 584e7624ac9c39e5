import { useEffect, useRef, useState } from 'react'
import type { ResourceItem } from '../../../shared/contract/resources.ts'
import type { PublicResource } from '../../../shared/contract/shares.ts'
import { childOf } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { InfoBox } from './info-box.tsx'
import { LinkCode } from './link-code.tsx'
import { DownloadLink } from './download-link.tsx'
import {
  type FolderVisit,
  type PageMemory,
  rowsPerStep,
  saveVisit,
  useFolderPosition,
  visitOf,
} from './page-memory.ts'
import { extendChoice, noRows, type RowChoice, toggleChoice } from './row-choice.ts'
import { ShareBreadcrumb } from './share-breadcrumb.tsx'
import { archiveOfEntries, type ShareDownload, startShareDownload } from './share-download.ts'
import { type SharePath, shareUrl } from './share-address.ts'
import { SharedRow } from './shared-row.tsx'
import styles from './share-page.module.css'
import { lazyPart } from '../../state/parts/lazy-part.ts'

const { Part: FormatDialog } = lazyPart(async () => (await import('./format-dialog.tsx')).FormatDialog)

export type SharedFolderProps = {
  readonly path: SharePath
  readonly folder: PublicResource
  /** The time at which the link ends, in ms since 1970, or null. */
  readonly endMs: number | null
  /** The key of the history entry, under which the position in the folder is kept. */
  readonly visitKey: string
  readonly memory: PageMemory
  readonly onRefused: (thrown: unknown) => void
}

/** Renders a shared folder: its description, its entries, and the buttons that download all or some of them. */
export function SharedFolder({ path, folder, endMs, visitKey, memory, onRefused }: SharedFolderProps) {
  const page = useRef<HTMLDivElement>(null)
  const [choice, setChoice] = useState(noRows)
  const [isMultiple, setMultiple] = useState(false)
  const [asked, setAsked] = useState<ShareDownload | null>(null)
  useFolderPosition(memory, { key: visitKey, path }, page)
  useEscape(asked === null, () => {
    setChoice(noRows)
    setMultiple(false)
  })
  const items = folder.items ?? []
  const isViewOnly = folder.shareMode === 'view-only'
  const chosen = items.filter(({ name }) => choice.names.has(name))
  const whole: ShareDownload = { path, query: { token: folder.token } }
  const isTooMany = chosen.length > 0 && chosen.length < items.length && targetOf(chosen) === null
  function targetOf(some: typeof items): ShareDownload | null {
    const [first] = some
    if (first === undefined || some.length === items.length) return whole
    const at = some.length === 1 ? childOf(path, first.name) : null
    return at === null
      ? archiveOfEntries(
          whole,
          some.map(({ name }) => name),
        )
      : { ...whole, path: at }
  }
  const download = (): void => {
    const target = targetOf(chosen)
    const isOneFile = chosen.length === 1 && chosen[0]?.isDir === false && target?.path !== path
    if (target === null) return
    if (isOneFile) void startShareDownload(target).catch(onRefused)
    else setAsked(target)
  }
  const choose = (name: string, how: 'toggle' | 'range'): void =>
    setChoice((now) =>
      how === 'toggle'
        ? toggleChoice(now, name)
        : extendChoice(
            now,
            name,
            items.map((item) => item.name),
          ),
    )
  return (
    <div ref={page} className={styles.folder} data-part="shared-folder">
      <InfoBox entry={folder} endMs={endMs}>
        {!isViewOnly && (
          <>
            <DownloadLink download={whole} onRefused={onRefused}>
              {t('guest.downloadFolder')}
            </DownloadLink>
            <Button onClick={() => setAsked(whole)}>{t('guest.formats')}</Button>
          </>
        )}
      </InfoBox>
      <section className={styles.list} aria-label={t('listing.files')}>
        <ShareBreadcrumb path={path} />
        {!isViewOnly && (
          <ChoiceBar {...{ items, chosen, isTooMany, isMultiple, setChoice, setMultiple, download }} />
        )}
        <Rows
          {...{ path, folder, isMultiple }}
          choose={isViewOnly ? null : choose}
          names={choice.names}
          firstShown={visitOf(memory, visitKey, path).shown}
          onVisit={(part) => saveVisit(memory, visitKey, { ...visitOf(memory, visitKey, path), ...part })}
        />
      </section>
      <LinkCode />
      {asked !== null && (
        <FormatDialog download={asked} onClose={() => setAsked(null)} onRefused={onRefused} />
      )}
    </div>
  )
}

type ChoiceBarProps = {
  readonly items: readonly ResourceItem[]
  readonly chosen: readonly ResourceItem[]
  /** True when one request cannot name all the chosen entries. */
  readonly isTooMany: boolean
  readonly isMultiple: boolean
  readonly setChoice: (choice: RowChoice) => void
  readonly setMultiple: (isMultiple: boolean) => void
  readonly download: () => void
}

/** Renders the buttons that choose entries and download the chosen ones. */
function ChoiceBar(props: ChoiceBarProps) {
  const { items, chosen, isTooMany, isMultiple, setChoice, setMultiple, download } = props
  return (
    <div className={styles.bar}>
      {items.length > 0 && (
        <Checkbox
          label={
            chosen.length === 0 ? t('action.select-all') : t('listing.selected', { count: chosen.length })
          }
          checked={chosen.length === items.length}
          isMixed={chosen.length > 0 && chosen.length < items.length}
          onChange={() =>
            setChoice(
              chosen.length === items.length
                ? noRows
                : { names: new Set(items.map(({ name }) => name)), anchor: null },
            )
          }
        />
      )}
      <IconButton
        icon="list-checks"
        label={t('action.select-multiple')}
        aria-pressed={isMultiple}
        onClick={() => setMultiple(!isMultiple)}
      />
      <IconButton
        icon="download"
        label={t(chosen.length === 0 ? 'action.download' : 'guest.downloadSelected')}
        badge={chosen.length}
        blockedBy={isTooMany ? t('guest.tooMany') : undefined}
        onClick={download}
      />
    </div>
  )
}

type RowsProps = Pick<SharedFolderProps, 'path' | 'folder'> & {
  readonly isMultiple: boolean
  readonly names: ReadonlySet<string>
  /** Chooses a row; null where guests may not download, so that there is nothing to choose rows for. */
  readonly choose: ((name: string, how: 'toggle' | 'range') => void) | null
  readonly firstShown: number
  readonly onVisit: (part: Partial<FolderVisit>) => void
}

function Rows({ path, folder, isMultiple, names, choose, firstShown, onVisit }: RowsProps) {
  const [shown, setShown] = useState(firstShown)
  const items = folder.items ?? []
  const list = useRef<HTMLUListElement>(null)
  const show = (count: number): void => {
    setShown(count)
    onVisit({ shown: count })
    // The pressed button moves or disappears, so the focus goes to the first of the new rows.
    requestAnimationFrame(() =>
      list.current?.children[shown]?.querySelector('a')?.focus({ preventScroll: true }),
    )
  }
  if (items.length === 0) return <EmptyState icon="folder" text={t('listing.lonely')} />
  const rest = items.length - shown
  return (
    <>
      <ul ref={list} className={styles.rows}>
        {items.slice(0, shown).map((item) => (
          <SharedRow
            key={item.name}
            item={item}
            to={shareUrl(childOf(path, item.name) ?? path, item.isDir)}
            isChosen={names.has(item.name)}
            isMultiple={isMultiple}
            onChoose={choose === null ? null : (how) => choose(item.name, how)}
            onOpen={() => onVisit({ focusedName: item.name })}
          />
        ))}
      </ul>
      {rest > 0 && (
        <div className={styles.more}>
          <Button onClick={() => show(shown + rowsPerStep)}>{t('guest.more', { count: rest })}</Button>
          {shown > rowsPerStep && <Button onClick={() => show(items.length)}>{t('guest.showAll')}</Button>}
        </div>
      )}
    </>
  )
}

function useEscape(isActive: boolean, onEscape: () => void): void {
  const latest = useRef(onEscape)
  useEffect(() => {
    latest.current = onEscape
  })
  useEffect(() => {
    if (!isActive) return undefined
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented) latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isActive])
}
