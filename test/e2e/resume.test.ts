import { request } from 'node:http'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ann, runServer, type RunningServer } from '../kit/run-server.ts'

const mebi = 1024 * 1024
const bytes = Buffer.from(
  Uint32Array.from({ length: mebi }, (_, index) => Math.imul(index, 2_654_435_761)).buffer,
)
const partType = 'application/offset+octet-stream'

async function tokenOf({ url }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username: ann.name, password: ann.password })
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
}

/** Sends the head of an upload part and some of its bytes. Returns the connection, which stays open. */
const sendHalf = (url: string, headers: Readonly<Record<string, string>>, half: Buffer): void => {
  const length = String(half.length * 3)
  const sending = request(url, { method: 'PATCH', headers: { ...headers, 'content-length': length } })
  sending.on('error', () => undefined)
  sending.write(half)
}

test('an upload is completed exactly after the server was killed in the middle of a part', async () => {
  const server = await runServer({ files: { 'a.bin': 'old' } })
  onTestFinished(() => server.remove())
  const index = `${server.url}/api/tus/a.bin`
  const sent = { 'X-Auth': await tokenOf(server), 'Content-Type': partType }
  const begin = { ...sent, 'Upload-Length': String(bytes.length) }
  const begun = await fetch(`${index}?override=true`, { method: 'POST', headers: begin })
  expect(begun.status).toBe(201)
  const put = (from: number, to: number) =>
    fetch(index, {
      method: 'PATCH',
      headers: { ...sent, 'Upload-Offset': String(from) },
      body: bytes.subarray(from, to),
    })
  expect((await put(0, mebi)).status).toBe(204)
  sendHalf(index, { ...sent, 'Upload-Offset': String(mebi) }, bytes.subarray(mebi, 2 * mebi))
  await until(async () => (await stagedBytes(server)) > mebi)
  await server.stop('SIGKILL')
  expect(await readFile(path.join(server.folder, 'a.bin'), 'utf8')).toBe('old')
  await server.start()
  const head = await fetch(index, { method: 'HEAD', headers: sent })
  const offset = Number(head.headers.get('upload-offset'))
  expect([head.status, head.headers.get('upload-length')]).toEqual([200, String(bytes.length)])
  expect(offset).toBe(await stagedBytes(server))
  expect(offset).toBeGreaterThan(mebi)
  expect((await put(offset, bytes.length)).status).toBe(204)
  expect((await readFile(path.join(server.folder, 'a.bin'))).equals(bytes)).toBe(true)
  expect(await readdir(server.folder)).toEqual(['a.bin'])
})

async function stagedBytes({ folder }: RunningServer): Promise<number> {
  const [staged] = (await readdir(folder)).filter((name) => name.endsWith('.stowage-part'))
  return staged === undefined ? 0 : (await readFile(path.join(folder, staged))).length
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it never came to that')
}
