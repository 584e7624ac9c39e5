import { describe, expect, test, vi } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import { combinationOf, type KeyPress } from '../../ui/keyboard/keys.ts'

/** Returns a key press whose fields are inherited, as those of events in browsers are. */
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress =>
  Object.create({
    key,
    code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  }) as KeyPress

test.each([
  ['F2', press('F2'), 'F2'],
  ['a letter with ctrl', press('A', { ctrlKey: true }), 'ctrl+a'],
  ['a letter with ctrl and shift', press('F', { ctrlKey: true, shiftKey: true }), 'ctrl+shift+f'],
  [
    'a digit with ctrl and shift',
    press('@', { ctrlKey: true, shiftKey: true, code: 'Digit2' }),
    'ctrl+shift+2',
  ],
  ['punctuation that needs shift on some keyboards', press('?', { shiftKey: true, code: 'Slash' }), '?'],
  ['a digit that needs shift on some keyboards', press('0', { shiftKey: true, code: 'Digit0' }), '0'],
  ['a letter that alt changes', press('ñ', { altKey: true, code: 'KeyN' }), 'alt+n'],
  ['an arrow', press('ArrowUp', { altKey: true }), 'alt+ArrowUp'],
])('%s has the name that actions use', (_case, event, expected) => {
  expect(combinationOf(event)).toBe(expected)
})

/** Imports a fresh copy of the module, as when the user opens the page again. */
const startVisit = async () => {
  vi.resetModules()
  vi.stubGlobal('history', { state: null, replaceState: () => undefined })
  return import('../../router/folder-positions.ts')
}

describe('the position in a folder', () => {
  const [docs, deep, photos] = ['/Docs', '/Docs/a/b', '/Photos'] as Path[] as [Path, Path, Path]
  test('is restored for its history entry', async () => {
    const { startPositionIn, rememberPosition } = await startVisit()
    const topRow = { name: 'w.txt', distancePx: -3 }
    rememberPosition('k1', docs, { scrollPx: 480, topRow, focus: 'x.txt' })
    expect(startPositionIn(docs, { key: 'k1', from: photos })).toEqual({
      scrollPx: 480,
      topRow,
      focus: 'x.txt',
      scrollsToFocus: 'never',
    })
    expect(startPositionIn(docs, { key: 'k2', from: photos })).toMatchObject({ scrollPx: 0, focus: null })
  })
  test('after going up, the folder just left has the focus', async () => {
    const { recordVisit, startPositionIn, rememberPosition } = await startVisit()
    rememberPosition('k1', docs, { scrollPx: 480, focus: 'x.txt' })
    expect(recordVisit(deep)).toBeNull()
    expect(startPositionIn(docs, { key: 'k2', from: recordVisit(docs) })).toEqual({
      scrollPx: 480,
      focus: 'a',
      scrollsToFocus: 'always',
    })
  })
  test('a file that was opened and closed stays where it was in view, and another one that was shown meanwhile is scrolled into view', async () => {
    const { startPositionIn, rememberPosition } = await startVisit()
    rememberPosition('k1', docs, { scrollPx: 480, focus: 'x.txt' })
    const scrollsAfter = (file: string) =>
      startPositionIn(docs, { key: 'k2', from: file as Path }).scrollsToFocus
    expect(scrollsAfter('/Docs/x.txt')).toBe('if-out-of-view')
    expect(scrollsAfter('/Docs/y.txt')).toBe('always')
  })
})
