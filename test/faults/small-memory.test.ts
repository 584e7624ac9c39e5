import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryGroup } from '../kit/memory-group.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { mebi, tokenOf } from './attack.ts'

/** The smallest container in which the server works. The test is skipped where this process may not make control groups. */
const group = createMemoryGroup(128 * mebi)
const launcher = path.resolve(import.meta.dirname, '../../bin/stowage.js')

const named = (count: number, content: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`entry-${n}.txt`, content]))

/** Requests a path so often, four times at once. Returns the statuses, after the bodies have arrived. */
async function statusesOf(url: string, count: number, token: string): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>()
  let started = 0
  const requestSome = async (): Promise<void> => {
    while (started < count) {
      started += 1
      const response = await fetch(url, { headers: { 'x-auth': token } })
      await response.bytes()
      statuses.add(response.status)
    }
  }
  await Promise.all(Array.from({ length: 4 }, requestSome))
  return statuses
}

test.skipIf(typeof group === 'string')(
  'archives and listings of 10,000 entries do not end a server in a container of 128 MiB',
  { timeout: 180_000 },
  async () => {
    if (typeof group === 'string') return
    onTestFinished(() => group.remove())
    const server = await runServer({
      people: [ada],
      files: { many: named(10_000, ''), tree: named(500, 'a line of a text\n'.repeat(1500)) },
      program: group.commandIn(['env', '-u', 'UV_THREADPOOL_SIZE', process.execPath, launcher]),
    })
    onTestFinished(() => server.remove())
    const token = await tokenOf(server, ada)
    expect(await statusesOf(`${server.url}/api/raw/tree/?algo=zip`, 16, token)).toEqual(new Set([200]))
    expect(await statusesOf(`${server.url}/api/resources/many/`, 24, token)).toEqual(new Set([200]))
    expect(group.facts().killedProcesses).toBe(0)
    expect(await server.stop()).toBe(0)
  },
)
