import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { compileProgram, goServer, nginx, type PeerServer } from './peers.ts'

/** Our server, the servers that it is compared with, and the folder that all of them serve. */
export type BenchContext = {
  readonly folder: string
  readonly server: RunningServer
  readonly headers: Readonly<Record<string, string>>
  readonly go: PeerServer | null
  readonly nginx: PeerServer | null
  readonly listFloor: string | null
  readonly drain: string | null
  remove(): Promise<void>
}

/** The numbers of entries in the folders whose listing is measured. */
export const sizes = [100, 10_000, 100_000] as const
export const gibibyte = 1 << 30

/** The command of the shipped program. It uses the launcher, which sets the size of Node's thread pool. */
export const program = [process.execPath, path.resolve(import.meta.dirname, '../../bin/stowage.js')]

/** Logs in as the user `ada` and returns the headers for authenticated requests. */
export async function logIn({ url }: RunningServer): Promise<Readonly<Record<string, string>>> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: ada.name, password: ada.password }),
  })
  return { 'X-Auth': await login.text() }
}

/** Creates the folders to serve, and starts the built program and the servers that it is compared with. */
export async function createBenchContext(): Promise<BenchContext> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-files-'))
  for (const size of sizes) await fillFolder(path.join(folder, `n${size}`), size)
  await makeFile(path.join(folder, 'one.bin'), gibibyte)
  const server = await runServer({ folder, people: [ada], program })
  const headers = await logIn(server)
  const [go, nginxServer] = [await goServer('list-server', folder), await nginx(folder)]
  const remove = async () => {
    go?.stop()
    nginxServer?.stop()
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    folder,
    server,
    headers,
    go,
    nginx: nginxServer,
    listFloor: await compileProgram('list-floor'),
    drain: await compileProgram('drain'),
    remove,
  }
}

async function fillFolder(folder: string, count: number): Promise<void> {
  await mkdir(folder)
  for (let n = 0; n < count; n += 1) {
    const file = await open(path.join(folder, `entry-${(n * 7919) % count}.txt`), 'w')
    await file.close()
  }
}

async function makeFile(target: string, sizeBytes: number): Promise<void> {
  const file = await open(target, 'w')
  const chunk = Buffer.alloc(1 << 20)
  for (let offset = 0; offset < sizeBytes; offset += chunk.length) {
    chunk.writeDoubleLE(offset, 0)
    await file.write(chunk)
  }
  await file.sync()
  await file.close()
}
