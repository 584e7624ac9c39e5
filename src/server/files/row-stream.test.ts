import { expect, test } from 'vitest'
import {
  getResource,
  rowsMediaType,
  type ListingRow,
  type RowStreamHead,
} from '../../shared/contract/resources.ts'
import { fileTypes } from '../../shared/domain/file-types.ts'
import { createSchemaCheck } from '../http/request/json-body.ts'
import type { EntryPage } from '../storage/port.ts'
import { rowStreamChunks } from './row-stream.ts'

function pageOf(rows: readonly ListingRow[]): EntryPage {
  return {
    names: rows.map(([name]) => name),
    sizesBytes: Float64Array.from(rows, ([, sizeBytes]) => sizeBytes),
    modifiedMs: Float64Array.from(rows, ([, , modifiedMs]) => modifiedMs),
    types: Uint8Array.from(rows, ([, , , type]) => fileTypes.indexOf(type as (typeof fileTypes)[number])),
    flags: Uint8Array.from(rows, ([, , , , flags]) => flags),
    modes: new Uint32Array(rows.length),
  }
}

async function linesOf(rows: readonly ListingRow[]): Promise<unknown[]> {
  const pages = (async function* () {
    yield pageOf(rows)
  })()
  let text = ''
  for await (const chunk of rowStreamChunks({} as RowStreamHead, pages)) text += chunk
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

test('the rows of a stream match the schema of the contract and contain the values of the entries', async () => {
  const rows: readonly ListingRow[] = [
    ['a "quoted"\\\n\ud800.txt', 0, 1_732_200_000_123, 'text', 0],
    ['docs', 4096, 0, '', 1],
    ['before 1970', 9e15, -1, '', 6],
    ...fileTypes.map((type): ListingRow => [`file of type ${type}`, 1, 2, type, 0]),
  ]
  const [, line] = await linesOf(rows)
  const { lineSchemas } = getResource
  expect(createSchemaCheck(lineSchemas[rowsMediaType])(line)).toBe(true)
  expect(line).toEqual(rows)
})

test('times with fractions of a millisecond are rounded down', async () => {
  expect((await linesOf([['a', 1, 2.9, '', 0]]))[1]).toEqual([['a', 1, 2, '', 0]])
})

test('the first line has 256 rows, and later lines have up to 2048 rows', async () => {
  const rows = Array.from({ length: 3000 }, (_, n): ListingRow => [`${n}`, n, n, '', 0])
  const [, ...lines] = (await linesOf(rows)) as readonly (readonly ListingRow[])[]
  expect(lines.map((line) => line.length)).toEqual([256, 2048, 696])
  expect(lines.flat()).toEqual(rows)
})
