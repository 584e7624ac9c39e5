import { describe, expect, test, vi } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import { combinationOf, type KeyPress } from './keyboard/key-combination.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

test.each([
  ['F2', press('F2'), 'F2'],
  ['a letter with ctrl', press('A', { ctrlKey: true }), 'ctrl+a'],
  ['a letter with ctrl and shift', press('F', { ctrlKey: true, shiftKey: true }), 'ctrl+shift+f'],
  ['a sign that takes shift on some keyboards', press('?', { shiftKey: true, code: 'Slash' }), '?'],
  ['alt writes another letter', press('ñ', { altKey: true, code: 'KeyN' }), 'alt+n'],
  ['an arrow', press('ArrowUp', { altKey: true }), 'alt+ArrowUp'],
])('%s is named as verbs name it', (_case, event, expected) => {
  expect(combinationOf(event)).toBe(expected)
})

const visit = async () => {
  vi.resetModules()
  vi.stubGlobal('history', { state: null, replaceState: () => undefined })
  return import('./places.ts')
}

describe('the place in a folder', () => {
  const [docs, deep, photos] = ['/Docs', '/Docs/a/b', '/Photos'] as Path[] as [Path, Path, Path]
  test('is kept for its history entry', async () => {
    const { placeIn, rememberPlace } = await visit()
    rememberPlace('k1', docs, { scrollPx: 480, focus: 'x.txt' })
    expect(placeIn(docs, { key: 'k1', from: photos })).toEqual({ scrollPx: 480, focus: 'x.txt' })
    expect(placeIn(docs, { key: 'k2', from: photos })).toEqual({ scrollPx: 0, focus: null })
  })
  test('coming up, the folder just left has the focus', async () => {
    const { moveOn, placeIn, rememberPlace } = await visit()
    rememberPlace('k1', docs, { scrollPx: 480, focus: 'x.txt' })
    expect(moveOn(deep)).toBeNull()
    expect(placeIn(docs, { key: 'k2', from: moveOn(docs) })).toEqual({ scrollPx: 480, focus: 'a' })
  })
})
