import { expect } from 'vitest'
import { ada, type RunningServer } from './run-server.ts'

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status

export const logInAt = ({ url }: RunningServer, password = ada.password): Promise<Response> =>
  fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: ada.name, password, recaptcha: '' }),
  })

/**
 * Checks that two servers accept each other's tickets, and count failed logins and wrong links together. `a.txt` is a file of
 * the folder, and Ada a user of the state.
 */
export async function expectSharedLimits(servers: readonly [RunningServer, RunningServer]): Promise<void> {
  const [one, other] = servers
  const token = await (await logInAt(one)).text()
  const useTicket = async (): Promise<readonly number[]> => {
    const issued = await fetch(`${one.url}/api/ticket`, {
      method: 'POST',
      headers: { 'x-auth': token },
      body: JSON.stringify({ path: '/a.txt', kind: 'raw' }),
    })
    const ticket = await issued.text()
    const used = await Promise.all(
      [other, one, other].map(({ url }) => statusOf(fetch(`${url}/api/raw/a.txt?auth=${ticket}`))),
    )
    return used.toSorted((first, second) => first - second)
  }
  // On a busy machine the use of a ticket may be stored late. Each server then accepts it once (decision 141).
  await expect.poll(useTicket, { timeout: 30_000, interval: 200 }).toEqual([200, 401, 401])

  const share = ({ url }: RunningServer) => statusOf(fetch(`${url}/api/public/share/unknown`))
  const unknown = await Promise.all(Array.from({ length: 60 }, (_, n) => share(n % 2 ? one : other)))
  expect(new Set(unknown)).toEqual(new Set([404]))
  expect([await share(one), await share(other)]).toEqual([429, 429])

  for (const server of [one, other, one, other, one])
    expect(await statusOf(logInAt(server, 'a wrong password'))).toBe(403)
  expect([await statusOf(logInAt(one)), await statusOf(logInAt(other))]).toEqual([429, 429])
}
