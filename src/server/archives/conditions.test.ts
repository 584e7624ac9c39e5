import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

const conditions = [
  [{ 'if-match': '"x"' }, 412],
  [{ 'if-match': '*' }, 200],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': '"x"' }, 200],
  [{ 'if-match': '"x"', 'if-none-match': '*' }, 412],
  [{ 'if-modified-since': 'Sat, 21 Nov 2099 12:00:00 GMT' }, 200],
  [{ 'if-unmodified-since': 'Sat, 21 Nov 1999 12:00:00 GMT' }, 200],
  [{ range: 'bytes=0-2' }, 200],
] as const

test.each(conditions)(
  '5.1: a request for an archive with the headers %j returns the status %i',
  async (headers, status) => {
    const app = await startApp({ files: { docs: { 'a.txt': 'first' } } })
    const { hash } = (await (await app.call('shares.create', { path: '/docs', json: {} })).json()) as {
      hash: string
    }
    const requests = [
      { route: 'raw.get', path: '/docs' },
      { route: 'public.download', path: `/${hash}` },
    ] as const
    for (const { route, path: at } of requests) {
      const reply = await app.call(route, { path: at, headers: { ...headers } })
      const bytes = Buffer.from(await reply.arrayBuffer())
      expect([reply.status, reply.headers.get('etag'), reply.headers.get('accept-ranges')]).toEqual([
        status,
        null,
        null,
      ])
      expect(bytes.includes('a.txt')).toBe(status === 200)
      const headReply = await app.fetch(new URL(reply.url).pathname, {
        method: 'HEAD',
        headers: { ...headers },
      })
      expect([headReply.status, await headReply.text()]).toEqual([status, ''])
    }
  },
)
