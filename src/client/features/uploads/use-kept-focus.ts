import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** The element that has the focus, with its row and the list of the uploads if it is inside. */
type FocusPlace = {
  readonly element: HTMLElement
  readonly list: HTMLElement | null
  readonly row: HTMLElement | null
  readonly rowNumber: number
}

/**
 * Keeps the focus in the tray when the button that has it disappears, for example because its upload was cancelled. The
 * focus goes to another button of the same row, else to the row that has taken its place or to the row before, and else
 * to the list. Outside the list it goes to the button that opens the tray. Returns the listeners of the tray.
 */
export function useKeptFocus(pill: RefObject<HTMLButtonElement | null>) {
  const focused = useRef<FocusPlace | null>(null)
  useLayoutEffect(() => {
    const place = focused.current
    if (place === null || place.element.isConnected) return
    focused.current = null
    if (document.activeElement !== document.body && document.activeElement !== null) return
    const next = place.list?.isConnected ? (buttonNear(place) ?? place.list) : pill.current
    next?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      focused.current = placeOf(target)
    },
    // A browser may also report a lost focus when it removes the focused element. The microtask runs after the removal.
    onBlur: ({ target }: FocusEvent<HTMLElement>) =>
      queueMicrotask(() => {
        if (target.isConnected && focused.current?.element === target) focused.current = null
      }),
  }
}

function placeOf(element: HTMLElement): FocusPlace {
  const row = element.closest<HTMLElement>('[aria-posinset]')
  return {
    element,
    list: element.closest<HTMLElement>('[data-part="upload-rows"]'),
    row,
    rowNumber: Number(row?.getAttribute('aria-posinset')),
  }
}

function buttonNear({ list, row, rowNumber }: FocusPlace): HTMLElement | null {
  const inRow = row?.isConnected ? row.querySelector<HTMLElement>('button') : null
  if (inRow !== null || row === null) return inRow
  const numbers = row.isConnected ? [rowNumber + 1, rowNumber - 1] : [rowNumber, rowNumber - 1]
  const [button = null] = numbers.flatMap(
    (number) => list?.querySelector<HTMLElement>(`[aria-posinset="${number}"] button`) ?? [],
  )
  return button
}
