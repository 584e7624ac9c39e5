import { memo, type ReactNode, type Ref } from 'react'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { listText } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { classNames } from '../../ui/class-names.ts'
import { FileName } from '../../ui/file-name.tsx'
import type { BadgePart, Badges } from './badge-part.ts'
import { EntryPicture } from './entry-picture.tsx'
import type { FolderCoverPart } from '../covers/folder-cover-part.ts'
import type { ListFilter } from './listing.ts'
import type { PlaceColumn } from './place-column.ts'
import { RowMenuButton } from './row-menu-button.tsx'
import type { GridView } from './grid-view.ts'
import { visibleName } from '../../ui/visible-name.ts'
import styles from './grid-cells.module.css'

type GridRowProps = {
  readonly entry: ListedEntry
  readonly index: number
  /** The row's position among all rows of the grid including its header, counted from 1. */
  readonly ariaRow: number
  readonly view: GridView
  readonly top: number
  readonly start: number
  readonly width: string | number
  /** The height of a tile with the proportions of its picture. Other rows have that of the style sheet. */
  readonly height: number | undefined
  readonly isSelected: boolean
  /** True for a moment after somebody else or another program has created the entry. */
  readonly isNew: boolean
  /** True while the entry is on the clipboard and will be moved when it is pasted. */
  readonly isCut: boolean
  /** The reason why the last operation on this entry was refused, or an empty string. */
  readonly failure: string
  /** Called with the element in the place of the name while the user renames the entry, or null. */
  readonly offerSlot: Ref<HTMLElement>
  readonly isTabStop: boolean
  readonly hasCheckbox: boolean
  /** The kind of the entry, such as *JPEG picture*. */
  readonly kind: string
  readonly hasExactDates: boolean
  /** The address that the name links to, or an empty string for a name without a link. */
  readonly href: string
  /** The URL of the entry's thumbnail, or an empty string when the entry has no thumbnail. */
  readonly thumbnail: string
  /** Renders the cover of a folder, or undefined for an entry without one. */
  readonly cover: FolderCoverPart | undefined
  readonly hasMenu: boolean
  readonly badges: Badges
  readonly badgePart: BadgePart | null
  /** Renders a name with the parts marked that match a search. */
  readonly renderName: ListFilter['renderName'] | undefined
  /** Renders the cell of the further column, or undefined for a list without one. */
  readonly renderPlace: PlaceColumn['render'] | undefined
  /** The content of that cell for screen readers, or an empty string. */
  readonly place: string
}

/**
 * Renders a row of the list, a card of the mosaic or a tile of the gallery. All have the same cells in different
 * layouts. The grid handles clicks and keys.
 */
export const GridRow = memo(function GridRow({
  entry,
  index,
  ariaRow,
  view,
  top,
  start,
  width,
  height,
  isSelected,
  isNew,
  isCut,
  failure,
  offerSlot,
  isTabStop,
  hasCheckbox,
  kind,
  hasExactDates,
  href,
  thumbnail,
  cover: Cover,
  hasMenu,
  badges,
  badgePart,
  renderName,
  renderPlace,
  place,
}: GridRowProps) {
  // `memo` compares the props already. A cache of each part, which the compiler would add, makes the code of the first
  // page 1.1 kB larger, and the first rendering of a row slower.
  'use no memo'
  const name = renderName?.(entry.name) ?? <FileName name={entry.name} />
  const exact = formatDate(entry.modifiedMs)
  const relative = useRelativeTime(entry.modifiedMs)
  const isKnown = entry.isUnreachable !== true
  const date = !isKnown ? '—' : hasExactDates ? exact : relative
  const size = entry.isFolder || !isKnown ? '—' : formatSize(entry.sizeBytes)
  const sizeAndDate = isKnown ? [entry.isFolder ? '' : size, date] : []
  const facts = [visibleName(entry.name), kind, place, ...sizeAndDate]
  return (
    <div
      role="row"
      className={classNames(
        'item',
        styles.row,
        styles[view],
        hasCheckbox && styles.choosing,
        isCut && styles.cut,
        isNew && styles.new,
        renderPlace && styles.placed,
      )}
      style={{ top, insetInlineStart: start, inlineSize: width, blockSize: height }}
      tabIndex={isTabStop ? 0 : -1}
      aria-rowindex={ariaRow}
      aria-selected={isSelected}
      aria-label={listText([...facts, badges && badgePart?.textOf(badges), failure])}
      data-index={index}
      data-name={entry.name}
      data-folder-name={entry.isFolder ? entry.name : undefined}
      data-path={entry.folder && `${entry.folder}/${entry.name}`}
    >
      <span
        role="gridcell"
        className={styles.check}
        aria-label={t(isSelected ? 'listing.selected.column' : 'listing.notSelected')}
        data-part="check"
      >
        <span className={styles.box} aria-hidden>
          {isSelected && (
            <svg viewBox="0 0 16 16" className={styles.tick} aria-hidden>
              <path d="m3.500 8.500 3 3 6-7" />
            </svg>
          )}
        </span>
      </span>
      <span role="rowheader" className={styles.name}>
        {Cover ? (
          <Cover entry={entry} className={styles.picture} />
        ) : (
          <EntryPicture entry={entry} address={thumbnail} className={styles.picture} />
        )}
        <span className={styles.title}>
          {offerSlot !== null ? (
            <span ref={offerSlot} className={styles.slot} />
          ) : (
            renderTitle(entry, href, name)
          )}
          {badges !== '' && badgePart !== null && <badgePart.Component badges={badges} />}
          {failure !== '' && (
            <span className={styles.failure} title={failure}>
              {failure}
            </span>
          )}
          {entry.isBroken && <span className={styles.badge}>{t('kind.brokenLink')}</span>}
          {entry.isUnreachable && <span className={styles.badge}>{t('kind.unreachable')}</span>}
        </span>
        {hasMenu && <RowMenuButton name={visibleName(entry.name)} />}
      </span>
      {renderPlace && (
        <span role="gridcell" className={styles.place}>
          {renderPlace(entry)}
        </span>
      )}
      {view === 'list' && (
        <span role="gridcell" className={styles.type}>
          {kind}
        </span>
      )}
      <span
        role="gridcell"
        className={classNames(styles.size, 'numbers')}
        title={size === '—' ? undefined : t('prompt.info.bytes', { count: entry.sizeBytes })}
      >
        {size}
      </span>
      <span role="gridcell" className={classNames(styles.date, 'numbers')}>
        {isKnown ? renderTime(entry.modifiedMs, date, `${exact} (${relative})`) : date}
      </span>
    </div>
  )
}, isSameRow)

/** Renders the name of an entry, as a link if it has an address. */
const renderTitle = ({ name }: ListedEntry, href: string, content: ReactNode): ReactNode =>
  href === '' ? (
    <span className={styles.link} data-part="name">
      {content}
    </span>
  ) : (
    <a
      href={href}
      // A name that is shortened in the middle has two parts, which would be read as two words.
      aria-label={visibleName(name)}
      tabIndex={-1}
      draggable={false}
      className={styles.link}
      data-part="name"
    >
      {content}
    </a>
  )

const renderTime = (timeMs: number, text: string, title: string): ReactNode => (
  <time dateTime={dateTimeOf(timeMs)} title={title}>
    {text}
  </time>
)

/** Compares entries by their fields, because each rendering of the grid creates new entry objects. */
function isSameRow(
  { entry: oldEntry, ...oldProps }: GridRowProps,
  { entry: newEntry, ...newProps }: GridRowProps,
): boolean {
  return isShallowEqual(oldProps, newProps) && isShallowEqual(oldEntry, newEntry)
}

const isShallowEqual = <T extends object>(a: T, b: T): boolean =>
  (Object.keys(a) as (keyof T)[]).every((key) => Object.is(a[key], b[key]))

/**
 * Formats a time for the `datetime` attribute. Returns undefined for a time outside of the range of Date; file systems
 * can store such times.
 */
const dateTimeOf = (timeMs: number): string | undefined =>
  Math.abs(timeMs) <= 8.64e15 ? new Date(timeMs).toISOString() : undefined
