import { expect, test } from 'vitest'
import { createRunLogin } from './run-login.ts'

const credentials = { username: 'ann', password: 'secret' }

test('a program that takes too long is ended with all that it started', async () => {
  const run = createRunLogin({ environment: { PATH: '/usr/bin:/bin', PAUSE: '60' }, timeoutMs: 100 })
  const startMs = Date.now()
  await expect(run('sleep 60', credentials)).rejects.toMatchObject({ code: 'internal' })
  expect(Date.now() - startMs).toBeLessThan(5000)
})

test('the line is cut at single spaces, and no shell reads it', async () => {
  const run = createRunLogin({ environment: { PATH: '/usr/bin:/bin' } })
  expect(await run("printf %s| a;b '$USERNAME'", credentials)).toBe("a;b|'$USERNAME'|")
})

test('the program has the environment of the server, and the credentials', async () => {
  const run = createRunLogin({ environment: { PATH: '/usr/bin:/bin', LDAP: 'there' } })
  const lines = (await run('env', credentials)).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['LDAP=there', 'USERNAME=ann', 'PASSWORD=secret']))
})
