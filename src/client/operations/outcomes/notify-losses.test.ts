import { expect, test } from 'vitest'
import { createLossCollector, lossesText, lossHeader, namedLosses } from '../../../shared/domain/losses.ts'
import { notices } from '../../state/notices.ts'
import { notifyLosses } from './notify-losses.ts'

test('the losses of a response become one notice for each kind, which stays when content is missing', () => {
  notices.set([])
  const collector = createLossCollector()
  for (let index = 0; index < namedLosses + 5; index += 1) collector.add('special', `/naïve 😀 ${index}`)
  collector.add('other-names', 'a.txt')
  notifyLosses(new Response(null, { headers: { [lossHeader]: lossesText(collector.list()) } }))
  expect(notices.get().map(({ kind, stayMs, details }) => [kind, stayMs, details?.length])).toEqual([
    ['failure', null, namedLosses],
    ['news', 10_000, undefined],
  ])
  expect(notices.get()[0]?.details?.[0]).toBe('naïve 😀 0')
})

test('a response without losses or with another text shows nothing', () => {
  notices.set([])
  for (const text of [null, '', 'x', '{}', '[{"kind":"x","count":1,"paths":[]}]'])
    notifyLosses(new Response(null, { headers: text === null ? {} : { [lossHeader]: text } }))
  expect(notices.get()).toEqual([])
})
