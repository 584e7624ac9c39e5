/**
 * Returns the key of an option in a list of React Aria, which identifies the option by any text, such as a name. The library
 * removes the spaces of a key to make the id of the element, so that `a b` and `ab` would be the same option for a field that
 * refers to it. Spaces are therefore encoded.
 */
export const optionKeyOf = (text: string): string => text.replaceAll(/[%\s]/g, encodeURIComponent)

/**
 * Returns the key of the option that is chosen in the list of a field, or null. The library names the option in
 * `aria-activedescendant` only half a second after a letter was typed, and keys may come before.
 */
export function chosenKeyOf(field: Element): string | null {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  const option = list?.querySelector<HTMLElement>('[role="option"][data-focused]')
  return option?.dataset['key'] ?? null
}
