import type { MouseEvent } from 'react'
import { t } from '../../i18n/translate.ts'
import { startEdgeOf } from '../../ui/direction/direction.ts'
import styles from './grid-cells.module.css'

/**
 * Renders the button that opens the context menu of a row. The button is visible while the pointer is on the row or
 * the row has the focus. It is not a tab stop, because the keys of the context menu do the same.
 */
export const RowMenuButton = ({ name }: { readonly name: string }) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.menu}
    aria-label={t('listing.rowMenu', { name })}
    onMouseDown={(event) => event.preventDefault()}
    onClick={openMenu}
  >
    <svg viewBox="0 0 16 16" className={styles.dots} aria-hidden>
      <path d="M8 3.500v0M8 8v0M8 12.500v0" />
    </svg>
  </button>
)

/** Focuses the row and requests its context menu below the button, as a right click does. */
function openMenu(event: MouseEvent<HTMLButtonElement>): void {
  event.stopPropagation()
  const { currentTarget: button } = event
  const { bottom: clientY } = button.getBoundingClientRect()
  button.closest<HTMLElement>('[role="row"]')?.focus({ preventScroll: true })
  button.dispatchEvent(
    new window.MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: startEdgeOf(button),
      clientY,
    }),
  )
}
