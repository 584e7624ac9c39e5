import { beforeEach, expect, test, vi } from 'vitest'
import { keyPressed, type KeyScope, openKeyScope, startKeyScopes } from './key-scopes.ts'

/** Creates what stands for an element of the page. A text field is the one kind of element that the scopes tell from others. */
const createElement = (isContentEditable: boolean) =>
  Object.assign(new EventTarget(), { isContentEditable, matches: () => false })
const row = createElement(false)
const textField = createElement(true)

/** The listeners of the scopes for the capturing and for the bubbling phase of a key press. */
const listeners: ((event: Event) => unknown)[] = []
startKeyScopes({ addEventListener: (_type: string, listener: never) => void listeners.push(listener) })

let closers: (() => void)[] = []
let used: string[] = []

beforeEach(() => {
  vi.stubGlobal('HTMLElement', EventTarget)
  return () => {
    for (const close of closers) close()
    closers = []
    used = []
    onElement = () => undefined
    vi.unstubAllGlobals()
  }
})

type Options = Omit<KeyScope, 'kind' | 'onKey'> & { readonly keys: readonly string[] }

/** Opens a scope that uses some keys, and writes down which. Returns the function that closes it. */
function open(kind: KeyScope['kind'], { keys, ...options }: Options, name: string = kind): () => void {
  const close = openKeyScope({
    ...options,
    kind,
    onKey: ({ key }) => {
      if (keys.includes(key)) used.push(`${name} ${key}`)
      return keys.includes(key)
    },
  })
  closers.push(close)
  return close
}

/** The listener of the focused element, which gets a key between the two phases. */
let onElement: () => void = () => undefined

/** Presses a key while an element has the focus. Returns true when the browser is kept from handling the key. */
function press(key: string, facts: Partial<KeyboardEvent> = {}, focused = row): boolean {
  const event = new Event('keydown', { cancelable: true })
  const plain = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }
  for (const [name, value] of Object.entries({ ...plain, ...facts, key, target: focused }))
    Object.defineProperty(event, name, { value })
  const [capture, bubble] = listeners
  capture?.(event)
  onElement()
  bubble?.(event)
  return event.defaultPrevented
}

test('the innermost scope gets a key first, and a key that it does not use goes to the next one', () => {
  open('screen', { keys: ['Escape', 'Delete'] })
  open('viewer', { keys: ['Escape'] })
  expect([press('Escape'), press('Delete'), press('q')]).toEqual([true, true, false])
  expect(used).toEqual(['viewer Escape', 'screen Delete'])
})

test('the kind of a scope decides before the order in which scopes were opened', () => {
  open('viewer', { keys: ['Escape'] })
  open('screen', { keys: ['Escape'] })
  open('page', { keys: ['Escape'] })
  press('Escape')
  expect(used).toEqual(['viewer Escape'])
})

test('of two scopes of one kind, the one that was opened later gets a key first', () => {
  open('panel', { keys: ['Escape'] }, 'first')
  const closeSecond = open('panel', { keys: ['Escape'] }, 'second')
  press('Escape')
  closeSecond()
  press('Escape')
  expect(used).toEqual(['second Escape', 'first Escape'])
})

test.each(['dialog', 'menu'] as const)('a %s hides the scopes below it until it closes', (kind) => {
  open('screen', { keys: ['Delete'] })
  const close = open(kind, { keys: [] })
  expect(press('Delete')).toBe(false)
  close()
  expect(press('Delete')).toBe(true)
  expect(used).toEqual(['screen Delete'])
})

test('a menu in a dialog gets a key before the dialog, which then gets the next one', () => {
  open('dialog', { keys: ['Escape'] })
  const close = open('menu', { keys: ['Escape'] })
  press('Escape')
  close()
  press('Escape')
  expect(used).toEqual(['menu Escape', 'dialog Escape'])
})

test('one press closes one thing, also when a scope closes itself while it handles the key', () => {
  open('screen', { keys: ['Escape'] })
  const close = openKeyScope({
    kind: 'viewer',
    onKey: () => {
      used.push('viewer')
      close()
      return true
    },
  })
  press('Escape')
  expect(used).toEqual(['viewer'])
  press('Escape')
  expect(used).toEqual(['viewer', 'screen Escape'])
})

test('a key with which the focused element has closed or opened a dialog reaches neither what is below it nor the dialog', () => {
  open('screen', { keys: ['Escape', 'Enter'] })
  onElement = open('dialog', { keys: ['Escape'] })
  press('Escape')
  expect(used).toEqual([])
  onElement = () => open('dialog', { keys: ['Enter'] })
  press('Enter')
  expect(used).toEqual(['screen Enter'])
})

test('a text field keeps what types, and only scopes that ask for field keys get other keys from it', () => {
  open('screen', { keys: ['a', 'Escape'] })
  open('page', { keys: ['a', 'Escape', '?', 'F1', 'k'], fieldKeys: 'with-field-keys' })
  expect(press('a', {}, textField)).toBe(false)
  expect(press('?', {}, textField)).toBe(false)
  expect(press('Escape', {}, textField)).toBe(false)
  expect(press('a', { ctrlKey: true }, textField)).toBe(true)
  expect(press('k', { ctrlKey: true }, textField)).toBe(true)
  expect(press('F1', {}, textField)).toBe(true)
  expect(used).toEqual(['page a', 'page k', 'page F1'])
})

test.each([
  ['composes text', { isComposing: true }],
  ['belongs to the system', { metaKey: true }],
  ['was used by the focused element', { defaultPrevented: true }],
])('a key that %s reaches no scope', (_, facts) => {
  open('page', { keys: ['Enter'], fieldKeys: 'with-field-keys' })
  press('Enter', facts)
  expect(used).toEqual([])
})

test('observers learn of each key press, whether or not it was used or hidden', () => {
  const seen: string[] = []
  closers.push(keyPressed.subscribe(({ key }) => seen.push(key)))
  open('screen', { keys: ['Delete'] })
  press('Delete')
  press('q')
  press('x', { isComposing: true })
  open('dialog', { keys: [] })
  press('Escape')
  expect(seen).toEqual(['Delete', 'q', 'x', 'Escape'])
})
