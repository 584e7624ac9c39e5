import { type MouseEvent, useEffect } from 'react'
import { EllipsisVertical, X } from 'lucide'
import { isAvailable, type ActionContext } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { formatCount } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/translate.ts'
import { contextMenu } from '../../../state/context-menu.ts'
import { endMultiple } from '../../../listing/grid/shown-listings.ts'
import { useStore } from '../../../state/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './selection-bar.module.css'

/**
 * Renders the number of selected entries, the most common actions for them, and the button that opens the menu with all
 * actions. On phones the bar is below the list, within reach of the thumb, and covers no row.
 */
export function SelectionBar({ context }: { readonly context: ActionContext }) {
  const shown = actions.filter(
    (action) => action.places.includes('selection-bar') && isAvailable(action, context),
  )
  useRowAboveBar()
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('listing.selection')} data-part="selection-bar">
      <div className={styles.start}>
        <IconButton icon={X} label={t('action.clear-selection')} onClick={endMultiple} />
        <Count count={context.selected.length} />
      </div>
      <div className={styles.actions}>
        {shown.map((action) => (
          <IconButton
            key={action.id}
            icon={action.icon}
            label={t(action.label)}
            onClick={() => void action.run(context)}
          />
        ))}
        <IconButton
          icon={EllipsisVertical}
          label={t('buttons.more')}
          aria-haspopup="menu"
          aria-expanded={useStore(contextMenu) !== null}
          onClick={openMenu}
        />
      </div>
    </div>
  )
}

/** Opens the context menu of the selected entries. On phones this menu is at the lower edge, above the bar. */
function openMenu({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const { x, y } = currentTarget.getBoundingClientRect()
  contextMenu.set({ x, y, on: 'entries' })
}

/** Renders the number of selected entries as a sentence, and as the number alone where the sentence is too long. */
const Count = ({ count }: { readonly count: number }) => (
  <span className={classNames(styles.count, 'numbers')}>
    <span aria-hidden>{formatCount(count)}</span>
    <span className={styles.cover}>
      <span className={styles.sentence}>{t('listing.selected', { count })}</span>
    </span>
  </span>
)

/**
 * Scrolls the selected row that has the focus back into view when the appearing bar has made the list shorter. A key may
 * still scroll the list after it has selected a row, so the row is looked up in the next frame.
 */
function useRowAboveBar(): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      document
        .querySelector('[role="grid"] [role="row"][aria-selected="true"][tabindex="0"]')
        ?.scrollIntoView({ block: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [])
}
