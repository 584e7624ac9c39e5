import { expect, test } from 'vitest'
import { getHealth } from '../../shared/contract/health.ts'
import { getResource } from '../../shared/contract/resources.ts'
import { converse, openDoor } from '../../../test/kit/open-door.ts'
import { done, route } from './route.ts'

const head = 'Host: h\r\nX-Auth: x.ann.y\r\n'

test('an answer that is ready is not lost to nonsense that came behind its request', async () => {
  const { port } = await openDoor({ routes: [route(getHealth, () => done)] })
  const heard = await converse(port, `GET /health HTTP/1.1\r\n${head}\r\nno request\r\n\r\n`, 300)
  expect(heard).toContain('HTTP/1.1 200')
})

test('nor to a client that has said all it will', async () => {
  const { port } = await openDoor({ routes: [route(getHealth, () => done)] })
  const heard = await converse(port, `GET /health HTTP/1.1\r\n${head}Connection: close\r\n\r\n`, 300)
  expect(heard).toContain('HTTP/1.1 200')
})

test.each([1, 63, 64, 65, 200])('%i answers of one moment all leave, each to who asked', async (count) => {
  const asked: (() => void)[] = []
  const all = Promise.withResolvers<void>()
  const { fetch } = await openDoor({
    routes: [
      route(getResource, async ({ path }) => {
        asked.push(all.resolve)
        if (asked.length === count) all.resolve()
        await all.promise
        return { kind: 'text', text: path }
      }),
    ],
    limits: { connectionsPerPeer: 300 },
  })
  const names = Array.from({ length: count }, (_, at) => `/file-${at}`)
  const heard = await Promise.all(names.map(async (name) => (await fetch(`/api/resources${name}`)).text()))
  expect(heard).toEqual(names)
})
