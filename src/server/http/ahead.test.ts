import { expect, test } from 'vitest'
import { getHealth } from '../../shared/contract/health.ts'
import { createResource } from '../../shared/contract/resources.ts'
import { converse, eventually, openDoor } from '../../../test/kit/open-door.ts'
import { done, route } from './route.ts'

/** Requests that are sent ahead of the answers to those before them, on one connection. */
const head = 'Host: h\r\nX-Auth: x.ann.y\r\n'

/** Uploads that note what they do; the first ends when it is told to. */
function notingUploads() {
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

/** In chunks of a byte. */
const inCrumbs = (name: string, body: string): string =>
  `POST /api/resources/${name} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n` +
  `${body.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`

test('one begins when the one before is answered, and each has its own body', async () => {
  const { notes, routes, finish } = notingUploads()
  const { port } = await openDoor({ routes })
  const heard = converse(
    port,
    upload('a', 'first') + inCrumbs('b', 'second') + `GET /health HTTP/1.1\r\n${head}\r\n`,
    1000,
  )
  await eventually(() => notes.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(notes).toEqual(['begin /a'])
  finish()
  const answers = (await heard).split('HTTP/1.1 ').slice(1)
  expect(notes).toEqual(['begin /a', 'end /a first', 'begin /b', 'end /b second'])
  expect(answers.map((text) => text.slice(0, 6))).toEqual(['200 OK', '200 OK', '200 OK'])
})

test('text that is no request, behind others that wait, is not answered in their place', async () => {
  const { notes, routes, finish } = notingUploads()
  const { port } = await openDoor({ routes })
  const heard = converse(port, `${upload('a', '1') + upload('b', '2')}no request\r\n\r\n`, 500)
  await eventually(() => notes.length > 0)
  finish()
  expect(await heard).not.toContain('HTTP/1.1 400')
})

test('a client that leaves takes with it what it asked for ahead', async () => {
  const { notes, routes, finish } = notingUploads()
  const { port } = await openDoor({ routes })
  await converse(port, upload('a', '1') + upload('b', '2'), 100)
  finish()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(notes.filter((note) => note.startsWith('begin'))).toEqual(['begin /a'])
})
