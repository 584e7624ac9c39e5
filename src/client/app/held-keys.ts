import { createPersonalStore } from '../state/personal.ts'
import { closePrompt, prompt } from '../state/prompt.ts'
import { isTextField } from '../ui/key-targets.ts'

/** The text that was typed since a prompt was opened whose code is still loading. */
const held = createPersonalStore('')

/**
 * Keeps the keys that are pressed while a prompt waits for the code that follows the rows, because they are meant for its
 * field. Escape closes the prompt. Enter and other keys do nothing, because a command that the user does not see must not run.
 */
export const holdKeys = (): void => addEventListener('keydown', hold, true)

function hold(event: KeyboardEvent): void {
  if (prompt.get().kind === 'none' || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return
  event.preventDefault()
  event.stopImmediatePropagation()
  held.set((text) => (event.key === 'Escape' ? '' : textAfter(text, event.key)))
  if (event.key === 'Escape') closePrompt()
}

const textAfter = (text: string, key: string): string =>
  key === 'Backspace' ? text.slice(0, -1) : key.length === 1 ? text + key : text

/** Ends `holdKeys` once the open prompt has the focus, and types the text into its field. Called when the code has arrived. */
export function releaseKeys(): void {
  const isFocused = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]') !== null
  if (prompt.get().kind === 'none' || isFocused) release()
  // A field that gets the focus selects its text right afterwards.
  else addEventListener('focusin', () => queueMicrotask(release), { once: true })
}

function release(): void {
  removeEventListener('keydown', hold, true)
  const text = held.get()
  held.set('')
  // The field behaves as if the text were typed now: it replaces the selected text, and React learns of the change.
  if (text !== '' && isTextField(document.activeElement)) document.execCommand('insertText', false, text)
}
