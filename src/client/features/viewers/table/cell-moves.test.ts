import { expect, test } from 'vitest'
import { cellAfterKey } from './cell-moves.ts'

const table = { isCtrl: false, rows: 100, columns: 5, perView: 10, isRightToLeft: false }

test.each([
  ['ArrowDown', {}, [4, 2]],
  ['ArrowUp', {}, [2, 2]],
  ['ArrowRight', {}, [3, 3]],
  ['ArrowRight', { isRightToLeft: true }, [3, 1]],
  ['ArrowLeft', {}, [3, 1]],
  ['PageDown', {}, [13, 2]],
  ['PageUp', {}, [0, 2]],
  ['Home', {}, [3, 0]],
  ['End', {}, [3, 4]],
  ['Home', { isCtrl: true }, [0, 0]],
  ['End', { isCtrl: true }, [99, 4]],
  ['ArrowDown', { isCtrl: true }, [99, 2]],
  ['ArrowRight', { isCtrl: true }, [3, 4]],
] as const)('%s %j moves to %j', (key, options, [row, column]) => {
  expect(cellAfterKey({ row: 3, column: 2 }, { ...table, key, ...options })).toEqual({ row, column })
})

test('the up arrow leads from the first row to the header, and letters lead nowhere', () => {
  expect(cellAfterKey({ row: 0, column: 1 }, { ...table, key: 'ArrowUp' })).toEqual({ row: -1, column: 1 })
  expect(cellAfterKey({ row: 0, column: 1 }, { ...table, key: 'a' })).toBeNull()
})
