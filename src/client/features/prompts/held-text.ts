import { isTextField } from '../../actions/action-keys.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { closePrompt, type Prompt, prompt } from '../../state/prompt.ts'

/** The text that was typed before the field of a palette was on screen, and the palette for which it was typed. */
const held = createPersonalStore<{ readonly palette: Prompt; readonly text: string } | null>(null)

let isFieldShown = false

/** Tells that the field of a palette is on screen and gets the keys itself. Returns a function that ends this. */
export function showField(): () => void {
  isFieldShown = true
  return () => {
    isFieldShown = false
  }
}

/** Returns the text that was typed for the open palette before its field was on screen, and forgets it. */
export function takeHeldText(): string {
  const typed = held.get()
  const text = typed?.palette === prompt.get() ? typed.text : ''
  held.set(null)
  return text
}

/**
 * Keeps what the user types while the code of a palette is still loading. Escape closes the palette. Enter and other
 * keys do nothing, because a command that the user does not see must not run.
 */
export function holdKey(event: KeyboardEvent): void {
  const palette = prompt.get()
  if (isFieldShown || !(palette.kind === 'palette' || palette.kind === 'go-to-file')) return
  if (event.target instanceof Element && event.target.closest('[role="dialog"]') !== null) return
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  const typed = held.get()
  if (event.key === 'Escape') closePrompt()
  else held.set({ palette, text: textAfter(typed?.palette === palette ? typed.text : '', event.key) })
}

const textAfter = (text: string, key: string): string =>
  key === 'Backspace' ? text.slice(0, -1) : key.length === 1 ? text + key : text

/** Closes the open prompt on Escape when its code is still loading, so that no dialog handles the key. */
export function closeLoadingPrompt(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || prompt.get().kind === 'none') return
  // The name of an entry can be edited in its row instead of a dialog.
  if (isTextField(event.target) || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null)
    return
  event.preventDefault()
  event.stopPropagation()
  closePrompt()
}
