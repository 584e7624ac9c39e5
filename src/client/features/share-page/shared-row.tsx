import type { MouseEvent } from 'react'
import type { ResourceItem } from '../../../shared/contract/resources.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Link } from '../../router/link.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import styles from './share-page.module.css'

type SharedRowProps = {
  readonly item: ResourceItem
  readonly to: string
  readonly isChosen: boolean
  /** True while each click on a row chooses it, and no click opens it. */
  readonly isMultiple: boolean
  /** Chooses the row; null where rows can only be opened. */
  readonly onChoose: ((how: 'toggle' | 'range') => void) | null
  /** Called before the row is opened. */
  readonly onOpen: () => void
}

/** Renders an entry of a shared folder. Its name opens it; its box, and a click beside the name, choose it. */
export function SharedRow({ item, to, isChosen, isMultiple, onChoose, onOpen }: SharedRowProps) {
  const name = visibleName(item.name)
  const modifiedMs = Date.parse(item.modified)
  const choose = (event: MouseEvent): void => {
    if (onChoose === null) return
    const { target, shiftKey, ctrlKey, metaKey, detail } = event
    if (target instanceof Element && target.closest('label') !== null && !shiftKey) return
    const isLink = target instanceof Element && target.closest('a') !== null
    const isChoice = isMultiple || shiftKey || ctrlKey || metaKey
    if (isLink && !isChoice) return
    event.preventDefault()
    // The second click of a double click would undo the first one.
    if (detail < 2) onChoose(shiftKey ? 'range' : 'toggle')
  }
  return (
    <li
      data-name={item.name}
      className={classNames(styles.row, isChosen && styles.chosen, onChoose === null && styles.unchoosable)}
      onClickCapture={choose}
    >
      {onChoose !== null && (
        <Checkbox
          label={t('guest.choose', { name })}
          isLabelHidden
          checked={isChosen}
          onChange={() => onChoose('toggle')}
          className={styles.box}
        />
      )}
      <FilePicture name={item.name} type={item.type} isFolder={item.isDir} isLink={item.isSymlink} />
      <Link
        to={to}
        className={styles.open}
        // A name that is shortened in the middle has two parts, which would be read as two words.
        aria-label={name}
        onClick={(event) => (event.detail > 1 ? event.preventDefault() : onOpen())}
      >
        <FileName name={item.name} />
      </Link>
      <span className={styles.rowSize}>{item.isDir ? '—' : formatSize(item.size)}</span>
      <time className={styles.rowTime} dateTime={item.modified} title={formatDate(modifiedMs)}>
        {useRelativeTime(modifiedMs)}
      </time>
    </li>
  )
}
