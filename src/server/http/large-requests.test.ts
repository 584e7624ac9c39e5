import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { endpoint } from '../../shared/contract/endpoint.ts'
import { login, renew } from '../../shared/contract/sessions.ts'
import { startHttpServer } from '../../../test/kit/start-http-server.ts'
import { done, route } from './route.ts'

/** The number of connections that one stranger may hold open is 100. */
const strangers = 90

test('the large heads of strangers do not delay the large body of a user', async () => {
  const withBody = endpoint({ ...renew, body: 'json', schema: Type.Unknown(), maxBodyBytes: 1_000_000 })
  const { fetch } = await startHttpServer({
    routes: [route(login, async () => done), route(withBody, async () => done)],
  })
  let answered = 0
  const stop = new AbortController()
  const heads = Array.from({ length: strangers }, () =>
    fetch('/api/login', {
      method: 'POST',
      headers: { 'x-auth': '', 'x-padding': 'x'.repeat(20_000) },
      signal: stop.signal,
    }).then(() => (answered += 1)),
  )
  const settled = Promise.allSettled(heads)
  await Promise.race(heads)
  const body = JSON.stringify({ text: 'x'.repeat(100_000) })
  expect((await fetch('/api/renew', { method: 'POST', body })).status).toBe(200)
  expect(answered).toBeLessThan(strangers / 2)
  stop.abort()
  await settled
})
