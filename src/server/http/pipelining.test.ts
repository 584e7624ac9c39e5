import { expect, test } from 'vitest'
import { getHealth } from '../../shared/contract/server.ts'
import { createResource } from '../../shared/contract/resources.ts'
import { converse, eventually, startHttpServer } from '../../../test/kit/start-http-server.ts'
import { done, route } from './route.ts'

/** The headers of pipelined requests. The tests send several requests on one connection before any response arrives. */
const head = 'Host: h\r\nX-Auth: x.ann.y\r\n'

/** Routes of uploads that record their progress. The first upload finishes when the test allows it. */
function createRecordedUploads() {
  const notes: string[] = []
  const finish = Promise.withResolvers<void>()
  const routes = [
    route(getHealth, async () => done),
    route(createResource, async ({ path, bytes }) => {
      notes.push(`begin ${path}`)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes) chunks.push(Uint8Array.from(chunk))
      if (notes.length === 1) await finish.promise
      notes.push(`end ${path} ${Buffer.concat(chunks).toString()}`)
      return done
    }),
  ]
  return { notes, routes, finish: () => finish.resolve() }
}

const upload = (name: string, body: string): string =>
  `POST /api/resources/${name} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`

/** Encodes a body in chunks of one byte. */
const inOneByteChunks = (name: string, body: string): string =>
  `POST /api/resources/${name} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n` +
  `${body.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`

test('a pipelined request starts after the response to the previous request, and each request has its own body', async () => {
  const { notes, routes, finish } = createRecordedUploads()
  const { port } = await startHttpServer({ routes })
  const heard = converse(
    port,
    upload('a', 'first') + inOneByteChunks('b', 'second') + `GET /health HTTP/1.1\r\n${head}\r\n`,
    1000,
  )
  await eventually(() => notes.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(notes).toEqual(['begin /a'])
  finish()
  const responses = (await heard).split('HTTP/1.1 ').slice(1)
  expect(notes).toEqual(['begin /a', 'end /a first', 'begin /b', 'end /b second'])
  expect(responses.map((text) => text.slice(0, 6))).toEqual(['200 OK', '200 OK', '200 OK'])
})

test('the response to malformed text is not sent before the responses to queued requests', async () => {
  const { notes, routes, finish } = createRecordedUploads()
  const { port } = await startHttpServer({ routes })
  const heard = converse(port, `${upload('a', '1') + upload('b', '2')}no request\r\n\r\n`, 500)
  await eventually(() => notes.length > 0)
  finish()
  expect(await heard).not.toContain('HTTP/1.1 400')
})

test('the queued requests of a client that disconnects are dropped', async () => {
  const { notes, routes, finish } = createRecordedUploads()
  const { port } = await startHttpServer({ routes })
  await converse(port, upload('a', '1') + upload('b', '2'), 100)
  finish()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(notes.filter((note) => note.startsWith('begin'))).toEqual(['begin /a'])
})
