import { createPersonalStore } from '../state/personal.ts'
import { closePrompt, prompt } from '../state/prompt.ts'
import { isTextField } from '../ui/keyboard/key-targets.ts'
import { openKeyScope } from '../ui/keyboard/key-scopes.ts'

/** The text that was typed since a prompt was opened whose code is still loading. */
const held = createPersonalStore('')

/** True until the code that follows the rows has arrived, and the field of the open prompt has the focus. */
let isHolding = true

/**
 * Opens a scope of keys for the open prompt, above the page. Until the code that follows the rows has arrived, the scope keeps
 * the characters that are typed, because they are meant for the field of the prompt. Escape closes the prompt. Enter does
 * nothing, because a command that the user does not see must not run.
 */
export function holdKeys(): void {
  let close: (() => void) | null = null
  prompt.subscribe(() => {
    if (prompt.get().kind !== 'none') close ??= openKeyScope({ kind: 'dialog', onKey: hold })
    else {
      close?.()
      close = null
      // A prompt does not get the text that was typed for the one before it.
      held.set('')
    }
  })
}

function hold(event: KeyboardEvent): boolean {
  if (!isHolding || !isForField(event)) return false
  if (event.key === 'Escape') closePrompt()
  else held.set((text) => textAfter(text, event.key))
  return true
}

/** Returns true for keys that edit the field of a prompt. Others, such as Tab and F5, stay those of the browser. */
function isForField(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  // Some keyboards report Ctrl and Alt for AltGraph, with which characters such as "@" are typed.
  if ((ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')) return false
  return key.length === 1 || ['Backspace', 'Enter', 'Escape'].includes(key)
}

const textAfter = (text: string, key: string): string =>
  key === 'Backspace' ? text.slice(0, -1) : key === 'Enter' ? text : text + key

/** Stops holding keys once the open prompt has the focus, and types the text into its field. Called when the code has arrived. */
export function releaseKeys(): void {
  const isFocused = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]') !== null
  if (prompt.get().kind === 'none' || isFocused) release()
  // A field that gets the focus selects its text right afterwards.
  else addEventListener('focusin', () => queueMicrotask(release), { once: true })
}

function release(): void {
  isHolding = false
  const text = held.get()
  held.set('')
  // The field behaves as if the text were typed now: it replaces the selected text, and React learns of the change.
  if (text !== '' && isTextField(document.activeElement)) document.execCommand('insertText', false, text)
}
