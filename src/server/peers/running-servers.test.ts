import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { later } from '../concurrency/later.ts'
import { areServersRunning } from './running-servers.ts'
import { openSocketLink } from './socket-link.ts'

const name = '00000000000000aa'
const listener = { onMessage: () => {}, onLoss: () => {} }

test('a server runs from the moment in which its socket is there until it stops', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  expect(await areServersRunning(folder)).toBe(false)
  const link = await openSocketLink({ folder, name, listener, later })
  expect(await areServersRunning(folder)).toBe(true)
  await link.close()
  expect(await areServersRunning(folder)).toBe(false)
})

test('the socket that a killed server has left counts as none', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  expect(await areServersRunning(folder)).toBe(false)
  writeFileSync(path.join(folder, name), '')
  expect([await areServersRunning(folder), existsSync(path.join(folder, name))]).toEqual([false, true])
})
