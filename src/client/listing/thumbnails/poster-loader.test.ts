import { expect, test } from 'vitest'
import { createPosterLoader } from './poster-loader.ts'

/** A server whose answers the test decides: `answer` ends the oldest request for an address. */
function startDrawing() {
  const open = new Map<string, (response: Response) => void>()
  const requested: string[] = []
  const loader = createPosterLoader((address, signal) => {
    requested.push(address)
    return new Promise((resolve, reject) => {
      open.set(address, resolve)
      signal.addEventListener('abort', () => {
        open.delete(address)
        reject(signal.reason as Error)
      })
    })
  })
  const answer = (address: string, response: Response) => {
    open.get(address)?.(response)
    open.delete(address)
  }
  return { loader, open, requested, answer }
}

const free = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('three posters are requested at once, and the next ones when one of them ends', async () => {
  const { loader, open, answer } = startDrawing()
  const results = ['a', 'b', 'c', 'd', 'e'].map((address) => loader.load(address, free))
  await settled()
  expect([...open.keys()]).toEqual(['a', 'b', 'c'])
  answer('b', new Response('picture'))
  expect(await (await results[1])?.text()).toBe('picture')
  await settled()
  expect([...open.keys()]).toEqual(['a', 'c', 'd'])
  expect(await loader.loadedPicture('b')?.text()).toBe('picture')
})

test('a row that leaves the screen ends its request or its wait, and the slot is free for others', async () => {
  const { loader, open, requested } = startDrawing()
  const rows = new AbortController()
  const results = ['a', 'b', 'c', 'd'].map((address) => loader.load(address, rows.signal))
  await settled()
  rows.abort()
  expect(await Promise.all(results)).toEqual([null, null, null, null])
  expect(requested).toEqual(['a', 'b', 'c'])
  void loader.load('e', free)
  await settled()
  expect([...open.keys()]).toEqual(['e'])
})

test.each([
  [422, true],
  [413, true],
  [501, true],
  [504, true],
  [429, false],
  [503, false],
  [403, false],
])('after an answer with %d, the failure is remembered: %s', async (status, isRemembered) => {
  const { loader, answer, requested } = startDrawing()
  const result = loader.load('a', free)
  await settled()
  answer('a', new Response('', { status }))
  expect(await result).toBeNull()
  expect(loader.hasFailed('a')).toBe(isRemembered)
  void loader.load('a', free)
  await settled()
  expect(requested).toHaveLength(isRemembered ? 1 : 2)
})

test('the newest 300 pictures and 1000 failures are remembered, until the user leaves', async () => {
  const loader = createPosterLoader((address) =>
    Promise.resolve(new Response('x', { status: address.startsWith('bad') ? 422 : 200 })),
  )
  for (let index = 0; index <= 1000; index += 1) {
    await loader.load(`bad ${index}`, free)
    if (index <= 300) await loader.load(`good ${index}`, free)
  }
  expect([0, 1, 1000].map((index) => loader.hasFailed(`bad ${index}`))).toEqual([false, true, true])
  expect([0, 1, 300].map((index) => loader.loadedPicture(`good ${index}`) !== null)).toEqual([
    false,
    true,
    true,
  ])
  loader.clear()
  expect([loader.hasFailed('bad 1000'), loader.loadedPicture('good 300')]).toEqual([false, null])
})
