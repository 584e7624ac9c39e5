import type { Path } from '../../../shared/domain/path.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { startEdgeOf } from '../../ui/direction/direction.ts'

/** The open menu of results: the point in the window at which it opens, in CSS pixels, and the result it was opened on. */
export type ResultMenuPlace = { readonly x: number; readonly y: number; readonly path: Path }

/** The open menu of results, or null. */
export const resultMenu = createPersonalStore<ResultMenuPlace | null>(null)

export const closeResultMenu = (): void => resultMenu.set(null)

/** True while the quick look shows the result that has the focus. */
export const resultLook = createPersonalStore(false)

/** Opens the menu of a result at a right click, or at the key that the system has for menus. With Shift, the browser's menu opens. */
export function openMenuAtPointer(event: MouseEvent): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-found]') : null
  if (row === null || (event.button === 2 && event.shiftKey)) return
  event.preventDefault()
  openMenu(row, { x: event.clientX, y: event.clientY })
}

/** Opens the menu of the result that contains a button, below the button. */
export function openMenuAtButton({ currentTarget: button }: { readonly currentTarget: HTMLElement }): void {
  const row = button.closest<HTMLElement>('[data-found]')
  if (row !== null) openMenu(row, { x: startEdgeOf(button), y: button.getBoundingClientRect().bottom })
}

function openMenu(row: HTMLElement, point: Pick<ResultMenuPlace, 'x' | 'y'>): void {
  // The menu gives the focus back to the result when it closes.
  row.querySelector<HTMLElement>('a')?.focus({ preventScroll: true })
  resultMenu.set({ ...point, path: row.dataset['path'] as Path })
}
