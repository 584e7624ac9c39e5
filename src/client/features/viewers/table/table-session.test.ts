import { expect, test, vi } from 'vitest'
import type { TableContent, TableMessage } from './table-messages.ts'
import { createTableSession } from './table-session.ts'

const window = { firstRow: 0, endRow: 10, firstColumn: 0, endColumn: 5, active: { row: 0, column: 0 } }

const asGuessed = { delimiter: null, encoding: null }

/** Opens a text as a table. `settled` returns the content when all of the text has been read. */
const openTable = (text: string) => {
  const messages: TableMessage[] = []
  const send = createTableSession((message) => messages.push(message))
  const contents = () =>
    messages.flatMap((message): TableContent[] => (message.kind === 'content' ? [message.content] : []))
  const settled = async () => {
    await vi.waitUntil(() => contents().at(-1)?.isComplete)
    return contents().at(-1)
  }
  const rowsAfter = (arrangement: Partial<TableContent['arrangement']>) => {
    send({ kind: 'arrange', arrangement: { order: null, filter: '', hasHeader: true, ...arrangement } })
    return contents()
      .at(-1)
      ?.rows.map(({ cells }) => cells[0])
  }
  send({ kind: 'show', window })
  send({ kind: 'open', name: 'a.csv', source: { kind: 'text', value: text }, format: asGuessed })
  return { messages, send, settled, rowsAfter }
}

test('a table tells its header, its rows with their numbers, and the widths of its columns', async () => {
  const { settled, messages } = openTable('name,size\nä,1\nbeta alpha,22')
  expect(await settled()).toMatchObject({
    header: ['name', 'size', '', '', ''],
    rows: [
      { number: 1, cells: ['ä', '1', '', '', ''] },
      { number: 2, cells: ['beta alpha', '22', '', '', ''] },
    ],
    activeText: 'ä',
    total: 2,
    shown: 2,
    columns: 2,
    isCut: false,
  })
  expect(messages.findLast(({ kind }) => kind === 'layout')).toEqual({
    kind: 'layout',
    widths: [10, 8],
    fitted: [10, 8],
  })
})

test('rows are sorted by numbers, then by texts, and empty cells stay last', async () => {
  const { settled, rowsAfter } = openTable('n\n10\nb\n9\n\n"-1,5"\na\n1e1\n7 %\n')
  await settled()
  const [ascending, descending] = [false, true].map((isDescending) =>
    rowsAfter({ order: { column: 0, isDescending } }),
  )
  expect(ascending).toEqual(['-1,5', '7 %', '9', '10', '1e1', 'a', 'b', ''])
  expect(descending).toEqual(['b', 'a', '10', '1e1', '9', '7 %', '-1,5', ''])
})

test('rows are filtered by any of their cells, without the header and across no cells', async () => {
  const { settled, rowsAfter } = openTable('ab,x\n1,AB\n2,a\nb,3\n4,x(y\n')
  await settled()
  expect(rowsAfter({ filter: 'ab' })).toEqual(['1'])
  expect(rowsAfter({ filter: 'ab', hasHeader: false })).toEqual(['ab', '1'])
  expect(rowsAfter({ filter: 'x(' })).toEqual(['4'])
  expect(rowsAfter({ filter: 'nothing' })).toEqual([])
  expect(rowsAfter({ filter: 'a', order: { column: 0, isDescending: true } })).toEqual(['2', '1'])
})

test('another text takes the place of the first one, and the arrangement stays', async () => {
  const { send, settled, rowsAfter } = openTable('a\n1\n2')
  await settled()
  rowsAfter({ order: { column: 0, isDescending: true } })
  send({ kind: 'open', name: 'a.csv', source: { kind: 'text', value: 'a\n1\n2\n3' }, format: asGuessed })
  await vi.waitUntil(async () => (await settled())?.total === 3)
  expect((await settled())?.rows.map(({ cells }) => cells[0])).toEqual(['3', '2', '1'])
})

test('a long cell is shortened in its place, and whole when it is active', async () => {
  const { settled } = openTable(`a\n${'x'.repeat(5000)}`)
  const content = await settled()
  expect([content?.rows[0]?.cells[0]?.length, content?.activeText.length]).toEqual([201, 5000])
})
