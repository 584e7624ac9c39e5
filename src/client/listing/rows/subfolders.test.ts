import { expect, test } from 'vitest'
import { readSubfolders } from './subfolders.ts'

const folder = (name: string) => [name, 0, 0, '', 1]
const file = (name: string) => [name, 1, 0, 'text', 0]

/** Returns a row stream in chunks of one line, and whether the reader has cancelled it. */
function streamOf(...lines: readonly unknown[]) {
  const state = { wasCancelled: false }
  const chunks = lines.map((line) => new TextEncoder().encode(`${JSON.stringify(line)}\n`))
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
    cancel: () => {
      state.wasCancelled = true
    },
  })
  return { response: new Response(body), state }
}

test('the names of the folders are read, and the rest of the stream is cancelled', async () => {
  const { response, state } = streamOf(
    { numDirs: 2, total: 4 },
    [folder('a'), folder('b'), file('c')],
    [file('d')],
    [file('e')],
  )
  expect(await readSubfolders(response, 200)).toEqual({ names: ['a', 'b'], total: 2 })
  expect(state.wasCancelled).toBe(true)
})

test('no more names than the limit are read', async () => {
  const { response } = streamOf({ numDirs: 5, total: 5 }, [folder('a'), folder('b')], [folder('c')])
  expect(await readSubfolders(response, 1)).toEqual({ names: ['a'], total: 5 })
})

test('a folder without folders needs no rows, and a stream that ends early gives what has arrived', async () => {
  expect(await readSubfolders(streamOf({ numDirs: 0, total: 9 }, [file('a')]).response, 9)).toEqual({
    names: [],
    total: 0,
  })
  expect(await readSubfolders(streamOf({ numDirs: 3, total: 3 }, [folder('a')]).response, 9)).toEqual({
    names: ['a'],
    total: 1,
  })
})
