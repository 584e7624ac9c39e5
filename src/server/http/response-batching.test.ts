import { expect, test } from 'vitest'
import { getHealth } from '../../shared/contract/server.ts'
import { getResource } from '../../shared/contract/resources.ts'
import { converse, startHttpServer } from '../../../test/kit/start-http-server.ts'
import { done, route } from './route.ts'

const head = 'Host: h\r\nX-Auth: x.ann.y\r\n'

test('a delayed response is sent even when malformed text follows its request', async () => {
  const { port } = await startHttpServer({ routes: [route(getHealth, () => done)] })
  const heard = await converse(port, `GET /health HTTP/1.1\r\n${head}\r\nno request\r\n\r\n`, 300)
  expect(heard).toContain('HTTP/1.1 200')
})

test('a delayed response is sent before its connection is closed', async () => {
  const { port } = await startHttpServer({ routes: [route(getHealth, () => done)] })
  const heard = await converse(port, `GET /health HTTP/1.1\r\n${head}Connection: close\r\n\r\n`, 300)
  expect(heard).toContain('HTTP/1.1 200')
})

test.each([1, 63, 64, 65, 200])(
  '%i responses of one turn of the event loop all reach their clients',
  async (count) => {
    const asked: (() => void)[] = []
    const all = Promise.withResolvers<void>()
    const { fetch } = await startHttpServer({
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
    const names = Array.from({ length: count }, (_, index) => `/file-${index}`)
    const heard = await Promise.all(names.map(async (name) => (await fetch(`/api/resources${name}`)).text()))
    expect(heard).toEqual(names)
  },
)
