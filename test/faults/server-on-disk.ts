import { afterAll, beforeAll } from 'vitest'
import { ada, runServer, type Person, type RunningServer } from '../kit/run-server.ts'
import type { Tree } from '../kit/tree.ts'
import { askAs, type RequestSender } from './requests.ts'

type ServerWithTestDisk<D> = { readonly disk: D; readonly server: RunningServer; readonly ada: RequestSender }

type DiskServerOptions<D> = {
  /** Mounts the disk. Returns null on machines that cannot mount it. */
  readonly makeDisk: () => D | null
  /** The folder that is on the disk: the served folder, or the folder of the server's own files. */
  readonly holds: 'folder' | 'state'
  readonly files: Tree
  /** The users of the server. By default Ada is the only user. */
  readonly people?: readonly Person[]
}

/** Starts a server with a disk of its own for the tests of a group. */
export function serverOnDisk<D extends { readonly folder: string; remove(): void }>(
  wish: DiskServerOptions<D>,
): () => ServerWithTestDisk<D> {
  const { makeDisk, holds, files, people = [ada] } = wish
  let opened: ServerWithTestDisk<D> | undefined
  let disk: D | null = null
  beforeAll(async () => {
    disk = makeDisk()
    if (disk === null) throw new Error('nothing may be mounted here')
    const server = await runServer({ [holds]: disk.folder, people, files })
    opened = { disk, server, ada: await askAs(server, ada) }
  })
  afterAll(async () => {
    await opened?.server.remove()
    disk?.remove()
  })
  return () => {
    if (opened === undefined) throw new Error('the server has not been started')
    return opened
  }
}

type Transfer = {
  readonly action: 'copy' | 'rename'
  readonly from: string
  readonly to: string
  readonly override?: string
}

export const transfer = (
  who: RequestSender,
  { from, to: destination, ...query }: Transfer,
): Promise<string> => who.ask('resources.transfer', from, { query: { destination, ...query } })
