import { createPersonalStore } from '../state/personal.ts'
import { closePrompt, prompt } from '../state/prompt.ts'
import { isTextField } from '../ui/key-targets.ts'

/** The text that was typed since a prompt was opened whose code is still loading. */
const held = createPersonalStore('')

/**
 * Keeps the characters that are typed while a prompt waits for the code that follows the rows, because they are meant for its
 * field. Escape closes the prompt. Enter does nothing, because a command that the user does not see must not run.
 */
export function holdKeys(): void {
  addEventListener('keydown', hold, true)
  // A prompt does not get the text that was typed for the one before it.
  prompt.subscribe(() => prompt.get().kind === 'none' && held.set(''))
}

function hold(event: KeyboardEvent): void {
  if (prompt.get().kind === 'none' || !isForField(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.key === 'Escape') closePrompt()
  else held.set((text) => textAfter(text, event.key))
}

/** Returns true for keys that edit the field of a prompt. Others, such as Tab and F5, stay those of the browser. */
function isForField(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (event.isComposing || isTextField(event.target)) return false
  // Some keyboards report Ctrl and Alt for AltGraph, with which characters such as "@" are typed.
  if ((ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')) return false
  return key.length === 1 || ['Backspace', 'Enter', 'Escape'].includes(key)
}

const textAfter = (text: string, key: string): string =>
  key === 'Backspace' ? text.slice(0, -1) : key === 'Enter' ? text : text + key

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
