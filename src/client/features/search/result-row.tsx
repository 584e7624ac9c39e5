import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { clock, formatDate, formatRelative, formatSize } from '../../i18n/format.ts'
import { listText } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { EntryPicture } from '../../listing/grid/entry-picture.tsx'
import cells from '../../listing/grid/grid-cells.module.css'
import { thumbnailPart } from '../../listing/grid/thumbnail-part.ts'
import { filesUrl } from '../../router/router.ts'
import { Link } from '../../router/link.tsx'
import { showInFolder } from '../../router/show-in-folder.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { useMay, useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { kindWord } from '../../ui/kind-word.ts'
import { MarkedName } from '../../ui/marked-name.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { openMenuAtButton } from './result-layer-state.ts'
import { type FoundEntry, listedEntryOf } from './search-hit.ts'
import styles from './search-results.module.css'

type ResultRowProps = {
  readonly entry: FoundEntry
  readonly index: number
  /** True for the only result that the Tab key reaches. */
  readonly isTabStop: boolean
  readonly isSelected: boolean
  /** True while results or rows of the folder are selected. The check box is then visible on each of them. */
  readonly hasCheckbox: boolean
  /** Selects or deselects the result. With `isRange`, selects everything from the last result that was selected. */
  readonly onSelect: (path: Path, isRange: boolean) => void
  readonly rangesOf: (text: string) => readonly { readonly start: number; readonly end: number }[]
}

/** Renders a result with the cells of a row of the list, a button that shows it in its folder, and the button of its menu. */
export function ResultRow({
  entry,
  index,
  isTabStop,
  isSelected,
  hasCheckbox,
  onSelect,
  rangesOf,
}: ResultRowProps) {
  const name = nameOf(entry.path)
  const listed = listedEntryOf(entry)
  useStore(clock)
  const { size, date, exact, label } = factsOf(entry, useUser()?.dateFormat ?? false)
  const thumbnail = useThumbnail(entry, listed)
  const tabIndex = isTabStop ? 0 : -1
  return (
    <li
      className={classNames(
        cells.list,
        styles.row,
        hasCheckbox && cells.choosing,
        hasCheckbox && styles.choosing,
        isSelected && styles.selected,
      )}
      data-found={index}
      data-path={entry.path}
      data-folder-name={entry.isFolder ? name : undefined}
      data-drop-folder={entry.isFolder ? entry.path : undefined}
    >
      <span className={classNames(cells.check, styles.check)}>
        <Checkbox
          isLabelHidden
          label={t('search.select', { name: visibleName(name) })}
          tabIndex={-1}
          checked={isSelected}
          onChange={() => onSelect(entry.path, false)}
        />
      </span>
      <span className={cells.name}>
        <EntryPicture entry={listed} address={thumbnail} className={cells.picture} />
        <span className={cells.title}>
          <Link
            to={filesUrl(entry.path, entry.isFolder)}
            tabIndex={tabIndex}
            className={classNames(cells.link, styles.link)}
            aria-label={label}
          >
            <MarkedName name={name} rangesOf={rangesOf} />
          </Link>
          {listed.isBroken && <span className={cells.badge}>{t('kind.brokenLink')}</span>}
          {listed.isUnreachable && <span className={cells.badge}>{t('kind.unreachable')}</span>}
        </span>
        <span className={styles.buttons}>
          <IconButton
            icon="folder-up"
            label={t('search.showName', { name: visibleName(name) })}
            tabIndex={tabIndex}
            className={styles.show}
            onClick={() => showInFolder(entry.path)}
          />
          <IconButton
            icon="more"
            label={t('search.actionsOf', { name: visibleName(name) })}
            aria-haspopup="menu"
            tabIndex={tabIndex}
            onClick={openMenuAtButton}
          />
        </span>
      </span>
      <span className={classNames(cells.size, 'numbers')} aria-hidden>
        {size}
      </span>
      <span className={classNames(cells.date, 'numbers')} title={exact} aria-hidden>
        {date}
      </span>
    </li>
  )
}

/** Returns the URL of a result's thumbnail, or an empty string when it has none or the user may not read files. */
function useThumbnail({ path, facts }: FoundEntry, listed: ListedEntry): string {
  const part = useStore(thumbnailPart)
  const mayRead = useMay()('download')
  return facts !== null && mayRead ? (part?.addressOf(parentOf(path), listed, 'list') ?? '') : ''
}

/** Returns the facts about a result as texts, and the label of the result with all of them. */
function factsOf(
  entry: FoundEntry,
  hasExactDates: boolean,
): { readonly size: string; readonly date: string; readonly exact: string; readonly label: string } {
  const name = visibleName(nameOf(entry.path))
  if (entry.facts === null) return { size: '', date: '', exact: '', label: name }
  if (entry.facts.isUnreachable)
    return { size: '—', date: '—', exact: '', label: listText([name, t('kind.unreachable')]) }
  const { sizeBytes, modifiedMs } = entry.facts
  const exact = formatDate(modifiedMs)
  const date = hasExactDates ? exact : formatRelative(modifiedMs)
  const size = entry.isFolder ? '' : formatSize(sizeBytes)
  return {
    size: size || '—',
    date,
    exact,
    label: listText([name, kindWord(listedEntryOf(entry)), size, date]),
  }
}
