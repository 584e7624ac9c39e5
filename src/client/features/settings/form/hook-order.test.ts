import { expect, test } from 'vitest'
import { orderHooks } from './hook-order.ts'

test('the event before a change stands in front of the one after it, and unknown events are last', () => {
  const names = ['after_copy', 'on_full_moon', 'after_upload', 'before_upload', 'after_a_b', 'before_copy']
  expect(orderHooks(names)).toEqual([
    'before_copy',
    'after_copy',
    'before_upload',
    'after_upload',
    'on_full_moon',
    'after_a_b',
  ])
})
