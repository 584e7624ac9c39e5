import { expect, test } from 'vitest'
import { actions } from '../../../actions/actions.ts'
import { unknownCodec } from './codecs/codecs.ts'
import { positionsAfter, type SavedPositions } from './positions.ts'
import { fileAfter } from './play-order.ts'
import { nextPartS, startAfterGapS } from './remuxed-ranges.ts'
import { languageOf, preferredSubtitle } from './subtitles.ts'
import { spokenTime, timeText } from './time-text.ts'

test.each([
  [0, '0:00', '0 seconds'],
  [65.9, '1:05', '1 minute, 5 seconds'],
  [120, '2:00', '2 minutes'],
  [7265, '2:01:05', '2 hours, 1 minute, 5 seconds'],
])('%d seconds are printed and said', (timeS, text, spoken) => {
  expect([timeText(timeS), spokenTime(timeS)]).toEqual([text, spoken])
})

test.each([
  ['clip.en.vtt', 'en'],
  ['My Film.pt-BR.srt', 'pt-br'],
  ['clip.vtt', null],
  ['clip.commentary.srt', null],
])('the language of %s is %s', (name, language) => {
  expect(languageOf(name)).toBe(language)
})

test.each([
  ['first', 'clip.de.vtt'],
  ['en', 'clip.en.srt'],
  ['sv', 'clip.de.vtt'],
  ['off', undefined],
])('with the choice %s, the subtitles are %s', (choice, name) => {
  const subtitles = ['clip.de.vtt', 'clip.en.srt'].map((file) => ({ name: file, address: `/${file}` }))
  expect(preferredSubtitle(subtitles, choice)?.name).toBe(name)
})

test('the 200 latest positions are kept, each file once', () => {
  const full: SavedPositions = Array.from({ length: 200 }, (_, index) => [`film ${index}`, index] as const)
  const again = positionsAfter(full, 'film 0', 42)
  expect([again.length, again.at(-1)]).toEqual([200, ['film 0', 42]])
  const more = positionsAfter(full, 'new', 7)
  expect([more.length, more[0], more.at(-1)]).toEqual([200, ['film 1', 1], ['new', 7]])
  expect(positionsAfter(full, 'film 3', null)).toHaveLength(199)
})

test.each([
  ['hevc', 'HEVC'],
  ['mpeg4', 'MPEG-4'],
  ['h264', null],
  ['ac3', 'AC-3'],
  ['pcm_s16le', null],
  ['rv40', 'RV40'],
  ['constructor', 'CONSTRUCTOR'],
  ['none', null],
  [null, null],
])('the codec %s is told as %s by a browser that plays H.264', (name, told) => {
  expect(unknownCodec(name, (type) => type.includes('avc1'))).toBe(told)
})

const range = (startS: number, endS: number) => ({ startS, endS })

test.each([
  ['nothing is loaded', [], 12, 12],
  ['the position is close to the end of what is loaded', [range(0, 10.02)], 9, 10.02],
  ['enough is loaded', [range(0, 40)], 5, null],
  ['all is loaded', [range(30, 59.8)], 58, null],
  ['the position is in another range', [range(0, 10), range(30, 40)], 33, 40],
  ['the user jumped', [range(0, 10)], 33.1234, 33.123],
])('the next part of a file of 60 seconds, when %s', (_, loaded, timeS, fromS) => {
  expect(nextPartS(loaded, { timeS, durationS: 60 })).toBe(fromS)
})

test('a short gap is skipped, and a long one is not', () => {
  const loaded = [range(0, 10), range(12, 20)]
  expect([5, 10.5, 8, 25].map((timeS) => startAfterGapS(loaded, timeS))).toEqual([null, 12, null, null])
  expect(startAfterGapS([range(12, 20)], 5)).toBeNull()
})

const songs = (open: string) => ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, isOpen: name === open }))

test('the order of playing ends with the folder, unless all files are repeated', () => {
  const next = (open: string, by: 1 | -1, repeat: 'off' | 'all' | 'one') =>
    fileAfter(songs(open), by, { repeat, shuffled: 'off' })?.name
  expect([next('a', 1, 'off'), next('e', 1, 'off'), next('a', -1, 'one')]).toEqual([
    'b',
    undefined,
    undefined,
  ])
  expect([next('e', 1, 'all'), next('a', -1, 'all')]).toEqual(['a', 'e'])
  expect(fileAfter(songs('none'), 1, { repeat: 'all', shuffled: '5' })).toBeUndefined()
})

test('a random order contains each file once, goes back the same way, and differs from another one', () => {
  const orderOf = (shuffled: string) => {
    const names = ['a']
    while (names.length < 6) {
      const after = fileAfter(songs(names.at(-1) ?? ''), 1, { repeat: 'off', shuffled })
      names.push(after?.name ?? '')
    }
    return names
  }
  const orders = Array.from({ length: 20 }, (_, seed) => orderOf(String(seed)))
  for (const order of orders)
    expect([order.toSorted(), order[5]]).toEqual([['a', 'a', 'b', 'c', 'd', 'e'], 'a'])
  expect(new Set(orders.map(String)).size).toBeGreaterThan(5)
  const [first = '', second = ''] = orders[7] ?? []
  expect(fileAfter(songs(second), -1, { repeat: 'off', shuffled: '7' })?.name).toBe(first)
})

test('M is the only key of an action that also controls a player', () => {
  const playerKeys = ' kjl,.<>mfc0123456789'.split('')
  const actionKeys = actions.flatMap(({ keys }) => keys)
  expect(actionKeys.filter((key) => playerKeys.includes(key))).toEqual(['m'])
})
