import { expect, test } from 'vitest'
import { shortenText } from './shorten-text.ts'

/** Shortens a text to a number of characters and returns it with its ellipses. */
function shorten(
  text: string,
  { mark, room, keeps = 'start' }: { mark: string; room: number; keeps?: 'start' | 'end' },
) {
  const at = text.indexOf(mark)
  const marks = mark === '' ? [] : [{ start: at, end: at + mark.length }]
  const shown = (parts: readonly { start: number; end: number }[]): string => {
    const last = parts.at(-1)?.end ?? 0
    const start = (parts[0]?.start ?? 0) > 0 ? '…' : ''
    return (
      start +
      parts.map(({ start, end }) => text.slice(start, end)).join('…') +
      (last < text.length ? '…' : '')
    )
  }
  const fits = (parts: readonly { start: number; end: number }[]) => shown(parts).length <= room
  return shown(shortenText(text, { marks, endLength: keeps === 'start' ? 7 : 0, keeps, fits }))
}

test.each([
  ['a text that fits is whole', 'short.pdf', { mark: 'ort', room: 20 }, 'short.pdf'],
  ['the end stays', 'a very long name of a report.pdf', { mark: '', room: 20 }, 'a very long …ort.pdf'],
  [
    'a mark inside stays',
    'the first and the second quarterly report of a year.pdf',
    { mark: 'quarterly', room: 30 },
    'the fi…nd quarterly re…ear.pdf',
  ],
  [
    'a mark at the start',
    'quarterly report of the year 2024.pdf',
    { mark: 'quarter', room: 20 },
    'quarterly re…024.pdf',
  ],
  [
    'the end of a path stays',
    'one/two/three/four/five',
    { mark: '', room: 12, keeps: 'end' as const },
    '…e/four/five',
  ],
  [
    'a mark in a path stays',
    'one/two/three/four/five',
    { mark: 'two', room: 16, keeps: 'end' as const },
    '…ne/two/th…/five',
  ],
])('%s', (_, text, options, expected) => {
  expect(shorten(text, options)).toBe(expected)
  expect(shorten(text, options).length).toBeLessThanOrEqual(options.room)
})
