import { afterAll, beforeAll } from 'vitest'
import { memoryDisk, type Disk } from '../kit/mounts.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import type { Tree } from '../kit/tree.ts'
import { askAs, type Asker } from './asking.ts'

type OnDisk = { readonly disk: Disk; readonly server: RunningServer; readonly ada: Asker }

type Wish = {
  /** As `mount` takes them. */
  readonly options: string
  /** What lies on the disk: what is served, or the server's own files. */
  readonly holds: 'folder' | 'state'
  readonly files: Tree
}

/** A server with a disk of its own in memory, for the tests of a group. */
export function serverOnDisk({ options, holds, files }: Wish): () => OnDisk {
  let opened: OnDisk | undefined
  let disk: Disk | null = null
  beforeAll(async () => {
    disk = memoryDisk(options)
    if (disk === null) throw new Error('nothing may be mounted here')
    const server = await runServer({ [holds]: disk.folder, people: [ada], files })
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

export const transfer = (who: Asker, { from, to: destination, ...query }: Transfer): Promise<string> =>
  who.ask('resources.transfer', from, { query: { destination, ...query } })
