import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOfTar, paxHeader, tarMembers } from '../kit/tar.ts'
import { ann, bundledProgram, runServer, type RunningServer } from '../kit/run-server.ts'
import { signInAs } from './requests.ts'

/** Archives of strangers that try to use up the memory of a server, which may use 512 MB for its objects. */
let server: RunningServer

/** A tar file of a few hundred KB whose members have names of almost 1 MB, or of almost the longest path. */
const namesOf = (length: number, count: number): Buffer => {
  const member = tarMembers(paxHeader(['path', `${'n'.repeat(200)}/`.repeat(length / 201)]), { name: 'x' })
  return gzipSync(Buffer.concat([...Array.from({ length: count }, () => member), endOfTar]))
}

beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  server = await runServer({
    people: [ann],
    files: {
      'megabytes.tar.gz': namesOf(990_000, 250),
      'many.tar.gz': namesOf(4000, 10_000),
      'ordinary.tar.gz': namesOf(201, 1),
    },
    program: [node, '--max-old-space-size=512', ...program],
  })
})
afterAll(() => server.remove())

test(
  'lists of archives with long names are small, and four at once leave the server alive',
  { timeout: 120_000 },
  async () => {
    const { send } = await signInAs(server, ann)
    const pid = server.pid()
    const list = async (name: string): Promise<string> => (await send('archives.list', `/${name}`)).text
    for (const name of ['megabytes.tar.gz', 'many.tar.gz']) {
      const lists = await Promise.all(Array.from({ length: 4 }, () => list(name)))
      for (const text of lists) expect(text.length).toBeLessThan(12 * 1024 * 1024)
      expect(JSON.parse(lists[0] ?? '')).toMatchObject(
        name === 'many.tar.gz' ? { isTruncated: true } : { hidden: 250, members: [] },
      )
    }
    expect(JSON.parse(await list('ordinary.tar.gz'))).toMatchObject({ isTruncated: false })
    expect(server.pid()).toBe(pid)
  },
)
