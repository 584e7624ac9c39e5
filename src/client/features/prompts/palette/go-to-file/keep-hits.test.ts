import { expect, test } from 'vitest'
import { pathOf, root } from '../../../../../shared/domain/path.ts'
import { keepHits } from './keep-hits.ts'

const hitsOf = (...texts: readonly string[]) => texts.map((text) => ({ path: pathOf(text)!, text }))

test('earlier hits that fit a longer text stay, the best ones first, each once', () => {
  const earlier = hitsOf('/my report.txt', '/rest.txt', '/a/report.md')
  const arrived = hitsOf('/report', '/a/report.md')
  const kept = keepHits('rep', { arrived, earlier, limit: 3, open: root })
  expect(kept.map(({ text }) => text)).toEqual(['/report', '/a/report.md', '/my report.txt'])
  expect(kept[1]).toBe(arrived[1])
})
