import { prompt } from '../state/prompt.ts'

/**
 * Returns true while keys belong to something other than the page: another listener has handled the event, an input
 * method composes text, or a prompt, a dialog or a menu is open.
 */
export function isKeyTaken({ target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing || prompt.get().kind !== 'none') return true
  const layers = '[role="dialog"], [role="alertdialog"], [role="menu"]'
  return target instanceof HTMLElement && target.closest(layers) !== null
}

/** Returns true when the user types text into the element. */
export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="range"]), textarea, select'))
