import { expect, test } from 'vitest'
import { positionsAfter, type SavedPositions } from './positions.ts'
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
