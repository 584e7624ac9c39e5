import { useSyncExternalStore } from 'react'

/** Returns true while a text field in the header of the folder has the focus, which the bar of the selection would cover. */
export const useTypingInHeader = (): boolean => useSyncExternalStore(subscribeToFocus, isTypingInHeader)

/** Returns the header of the folder, whose place the bar of the selection takes. */
const folderHeader = (): HTMLElement | null | undefined =>
  document.querySelector('[data-slot="selection"]')?.parentElement

const isTypingInHeader = (): boolean =>
  document.activeElement instanceof HTMLInputElement &&
  folderHeader()?.contains(document.activeElement) === true

function subscribeToFocus(listener: () => void): () => void {
  const events = ['focusin', 'focusout']
  for (const event of events) document.addEventListener(event, listener)
  return () => {
    for (const event of events) document.removeEventListener(event, listener)
  }
}
