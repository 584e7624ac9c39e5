import { createEvent } from '../../state/event.ts'
import { isTextField } from './key-targets.ts'
import { isSystemKeyPressed } from './keys.ts'

/**
 * The kinds of scopes, from the innermost to the outermost:
 *
 * - `menu` and `dialog` are closed: the scopes below get no keys while one of them is open.
 * - `panel` lies above a part of the screen: the quick look, and the sidebar on phones.
 * - `viewer` is the content of a file.
 * - `search` leads from the rows of the screen to those that the search has found.
 * - `screen` is a list of files, or an open file.
 * - `page` has the keys that work on every screen.
 */
const kinds = ['menu', 'dialog', 'panel', 'viewer', 'search', 'screen', 'page'] as const

type KeyScopeKind = (typeof kinds)[number]

/** A part of the page that handles keys wherever the focus is. */
export type KeyScope = {
  readonly kind: KeyScopeKind
  /**
   * Handles a key. Returns true when the scope has used the key: the browser and the scopes below then ignore it. A key that
   * is not used goes to the next scope.
   */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** Set when the scope also gets the keys that type nothing, such as Ctrl+S, while a text field has the focus. */
  readonly fieldKeys?: 'with-field-keys' | undefined
}

/** The open scopes, from the innermost to the outermost. */
let scopes: readonly KeyScope[] = []

/**
 * Happens after each key press that the focused element has not kept to itself, whether or not a scope has used the key. It is
 * for code that observes the keyboard. Keys are handled by scopes.
 */
export const keyPressed = createEvent<KeyboardEvent>()

/**
 * Opens a scope inside of the open scopes of outer kinds and of its own kind. Its kind decides first, because the effects of a
 * component run after those of the components inside. Returns the function that closes the scope.
 */
export function openKeyScope(scope: KeyScope): () => void {
  scopes = [scope, ...scopes].toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  return () => {
    scopes = scopes.filter((open) => open !== scope)
  }
}

/**
 * Starts to hand the keys of the document to the open scopes. Called once, when the page starts. The focused element gets a key
 * before the scopes. What it does may close its dialog, but the key still belongs to the scopes that were open before, so that
 * it reaches nothing below the dialog.
 */
export function startKeyScopes(page: Pick<Document, 'addEventListener'>): void {
  let openBefore = scopes
  page.addEventListener('keydown', () => (openBefore = scopes), true)
  page.addEventListener('keydown', (event) => {
    if (isUsed(event, openBefore)) event.preventDefault()
    keyPressed.emit(event)
  })
}

/**
 * Offers a key to those of the scopes that are still open. Returns true when one of them has used the key. No scope gets a key
 * that the focused element has used, that an input method composes, that the system uses or that types into a text field.
 */
function isUsed(event: KeyboardEvent, openBefore: readonly KeyScope[]): boolean {
  const { target, defaultPrevented, isComposing } = event
  const isInField = isTextField(target)
  if (defaultPrevented || isComposing || isSystemKeyPressed(event)) return false
  if (isInField && isTextKey(event)) return false
  for (const scope of openBefore) {
    const isOffered = scopes.includes(scope) && (!isInField || scope.fieldKeys !== undefined)
    if (isOffered && scope.onKey(event)) return true
    if (scope.kind === 'menu' || scope.kind === 'dialog') return false
  }
  return false
}

/** Returns true for keys that a text field uses: characters, and those that move, delete, confirm or cancel. */
const isTextKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !/^F\d/.test(key)
