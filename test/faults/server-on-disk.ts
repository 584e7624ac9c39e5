import { afterAll, beforeAll } from 'vitest'
import { ada, runServer, type TestUser, type RunningServer } from '../kit/run-server.ts'
import type { FileTree } from '../kit/tree.ts'
import { signInAs, type RequestSender } from './requests.ts'

type ServerWithTestDisk<D> = { readonly disk: D; readonly server: RunningServer; readonly ada: RequestSender }

type DiskServerOptions<D> = {
  /** Mounts the disk. Returns null on machines that cannot mount it. */
  readonly makeDisk: () => D | null
  /**
   * Selects the folder that is on the disk: `folder` is the served folder, and `state` is the folder of the server's
   * own files.
   */
  readonly mountedAs: 'folder' | 'state'
  readonly files: FileTree
  /** The users of the server. By default, Ada is the only user. */
  readonly people?: readonly TestUser[]
}

/** Starts a server with a separate disk before the tests of a group, and stops it after them. */
export function serverOnDisk<D extends { readonly folder: string; remove(): void }>(
  options: DiskServerOptions<D>,
): () => ServerWithTestDisk<D> {
  const { makeDisk, mountedAs, files, people = [ada] } = options
  let opened: ServerWithTestDisk<D> | undefined
  let disk: D | null = null
  beforeAll(async () => {
    disk = makeDisk()
    if (disk === null) throw new Error('nothing may be mounted here')
    const server = await runServer({ [mountedAs]: disk.folder, people, files })
    opened = { disk, server, ada: await signInAs(server, ada) }
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

type TransferRequest = {
  readonly action: 'copy' | 'rename'
  readonly from: string
  readonly to: string
  readonly override?: string
}

export const transfer = (
  sender: RequestSender,
  { from, to: destination, ...query }: TransferRequest,
): Promise<string> => sender.call('resources.transfer', from, { query: { destination, ...query } })
