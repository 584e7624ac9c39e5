import { expect, test } from 'vitest'
import { createLoginProgramRunner } from './run-login-program.ts'
import { startProcess } from '../../../../test/kit/start-process.ts'

const credentials = { username: 'ann', password: 'secret' }

test('a program that exceeds its time is killed with all processes that it started', async () => {
  const run = createLoginProgramRunner({
    start: startProcess,
    environment: { PATH: '/usr/bin:/bin', PAUSE: '60' },
    timeoutMs: 100,
  })
  const startMs = Date.now()
  await expect(run('sleep 60', credentials)).rejects.toMatchObject({ code: 'internal' })
  expect(Date.now() - startMs).toBeLessThan(5000)
})

test('the command line is split at single spaces without a shell', async () => {
  const run = createLoginProgramRunner({ start: startProcess, environment: { PATH: '/usr/bin:/bin' } })
  expect(await run("printf %s| a;b '$USERNAME'", credentials)).toBe("a;b|'$USERNAME'|")
})

test('the program gets the environment of the server and the credentials', async () => {
  const run = createLoginProgramRunner({
    start: startProcess,
    environment: { PATH: '/usr/bin:/bin', LDAP: 'there' },
  })
  const lines = (await run('env', credentials)).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['LDAP=there', 'USERNAME=ann', 'PASSWORD=secret']))
})
