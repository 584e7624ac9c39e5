import type { MouseEvent } from 'react'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { clock, formatDate, formatRelative, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl } from '../../router/router.ts'
import { Link } from '../../router/link.tsx'
import { useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { kindWord } from '../../ui/kind-word.ts'
import { MarkedName } from '../../ui/marked-name.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { menuOf, showInFolder } from './result-actions.ts'
import { type FoundEntry, listedEntryOf } from './search-hit.ts'
import styles from './search-results.module.css'

type ResultRowProps = {
  readonly entry: FoundEntry
  readonly index: number
  /** True for the only result that the Tab key reaches. */
  readonly isTabStop: boolean
  readonly isSelected: boolean
  /** Selects or deselects the result. With `isRange`, selects everything from the last result that was selected. */
  readonly onSelect: (path: Path, isRange: boolean) => void
  readonly rangesOf: (text: string) => readonly { readonly start: number; readonly end: number }[]
}

/** Renders a result: its name, a button that shows it in its folder, and a menu of actions. */
export function ResultRow({ entry, index, isTabStop, isSelected, onSelect, rangesOf }: ResultRowProps) {
  const name = nameOf(entry.path)
  useStore(clock)
  const { size, date, exact, label } = factsOf(entry, useUser()?.dateFormat ?? false)
  const onClick = (event: MouseEvent): void => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
    event.preventDefault()
    onSelect(entry.path, event.shiftKey)
  }
  const tabIndex = isTabStop ? 0 : -1
  return (
    <li
      className={classNames(styles.row, isSelected && styles.selected)}
      data-found={index}
      data-path={entry.path}
    >
      <span className={styles.check}>
        <Checkbox
          isLabelHidden
          label={t('search.select', { name: visibleName(name) })}
          tabIndex={-1}
          checked={isSelected}
          onChange={() => onSelect(entry.path, false)}
        />
      </span>
      <Link
        to={filesUrl(entry.path, entry.isFolder)}
        tabIndex={tabIndex}
        className={styles.link}
        aria-label={label}
        onClick={onClick}
        onContextMenu={openMenu}
      >
        <FilePicture {...listedEntryOf(entry)} size={22} />
        <MarkedName name={name} rangesOf={rangesOf} />
        <span className={classNames(styles.facts, 'numbers')} aria-hidden>
          <span className={styles.size}>{size}</span>
          <span className={styles.date} title={exact}>
            {date}
          </span>
        </span>
      </Link>
      <IconButton
        icon="folder-up"
        label={t('search.showName', { name: visibleName(name) })}
        tabIndex={tabIndex}
        className={styles.button}
        onClick={() => showInFolder(entry)}
      />
      <MenuButton
        icon="more"
        label={t('search.actionsOf', { name: visibleName(name) })}
        entries={menuOf(entry)}
        tabIndex={tabIndex}
        className={styles.button ?? ''}
      />
    </li>
  )
}

/** Opens the menu of a result with the secondary button of the mouse, at its button. */
function openMenu(event: MouseEvent<HTMLElement>): void {
  const row = event.currentTarget.closest('[data-found]')
  const button = row?.querySelector<HTMLElement>('[aria-haspopup="menu"]')
  if (!button) return
  event.preventDefault()
  button.click()
}

/** Returns the facts about a result as texts, and the label of the result with all of them. */
function factsOf(
  entry: FoundEntry,
  hasExactDates: boolean,
): { readonly size: string; readonly date: string; readonly exact: string; readonly label: string } {
  const name = visibleName(nameOf(entry.path))
  if (entry.facts === null) return { size: '', date: '', exact: '', label: name }
  const { sizeBytes, modifiedMs } = entry.facts
  const exact = formatDate(modifiedMs)
  const date = hasExactDates ? exact : formatRelative(modifiedMs)
  const size = entry.isFolder ? '' : formatSize(sizeBytes)
  return {
    size: size || '—',
    date,
    exact,
    label: [name, kindWord(listedEntryOf(entry)), size, date].filter(Boolean).join(', '),
  }
}
