import { expect, test } from 'vitest'
import { moveAfterKey } from './row-moves.ts'

const closed = { index: 3, isOpen: false, size: 2, parent: 1 }
const opened = { ...closed, isOpen: true }
const leaf = { ...closed, size: 0 }
const tree = { shown: 50, perView: 10, isRightToLeft: false }

test.each([
  ['ArrowDown', closed, { kind: 'focus', row: 4 }],
  ['ArrowUp', closed, { kind: 'focus', row: 2 }],
  ['PageDown', closed, { kind: 'focus', row: 13 }],
  ['PageUp', closed, { kind: 'focus', row: 0 }],
  ['End', closed, { kind: 'focus', row: 49 }],
  ['ArrowRight', closed, { kind: 'toggle' }],
  ['ArrowRight', opened, { kind: 'focus', row: 4 }],
  ['ArrowRight', leaf, null],
  ['ArrowLeft', opened, { kind: 'toggle' }],
  ['ArrowLeft', closed, { kind: 'focus', row: 1 }],
  ['ArrowLeft', { ...leaf, parent: -1 }, null],
  ['Enter', leaf, null],
  ['a', closed, null],
] as const)('%s on %j does %j', (key, active, move) => {
  expect(moveAfterKey(key, { ...tree, active })).toEqual(move)
})

test('in right-to-left languages the left arrow leads inward', () => {
  const options = { ...tree, active: closed, isRightToLeft: true }
  expect(moveAfterKey('ArrowLeft', options)).toEqual({ kind: 'toggle' })
})
