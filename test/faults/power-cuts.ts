import { powerCutDisk } from '../kit/mounts.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { treeOf, type FileTree } from '../kit/tree.ts'
import { signInAs, type RequestSender } from './requests.ts'

const diskBytes = 128 * 1024 * 1024
const uploadConcurrency = 12
const saved = 'saved.txt'
const textOf = (name: string): string => `${name} `.repeat(100)
/** The pauses between power cuts, in ms. They differ because the cuts must happen at different moments of a write. */
const pausesMs = [50, 87, 124, 161, 198]

/**
 * Cuts the power of a disk `cuts` times while small files are uploaded to it and one file is saved repeatedly.
 * Returns descriptions of lost changes that the server had confirmed, and of files with incomplete content. The server
 * is paused while the state of the disk after the cut is examined, and continues afterwards.
 */
export async function cutPower(
  cuts: number,
  options: { readonly hasJournal: boolean },
): Promise<readonly string[]> {
  const disk = powerCutDisk(diskBytes, options)
  if (disk === null) throw new Error('no file system may be mounted here')
  const server = await runServer({ folder: disk.folder, people: [ada] })
  try {
    const { confirmed, stop } = keepWriting(await signInAs(server, ada))
    const faults: string[] = []
    for (let cut = 0; cut < cuts; cut += 1) {
      await new Promise((resolve) => setTimeout(resolve, pausesMs[cut % pausesMs.length]))
      process.kill(server.pid(), 'SIGSTOP')
      const confirmedNames = [...confirmed]
      const remaining = await disk.afterPowerCut(treeOf).finally(() => process.kill(server.pid(), 'SIGCONT'))
      faults.push(...faultsIn(remaining, confirmedNames).map((fault) => `cut ${cut}: ${fault}`))
    }
    await stop()
    return confirmed.size > cuts ? faults : ['hardly anything was written']
  } finally {
    await server.remove()
    disk.remove()
  }
}

function faultsIn(remaining: FileTree, confirmedNames: readonly string[]): readonly string[] {
  const lost = confirmedNames.filter((name) => !(name in remaining)).map((name) => `${name} is lost`)
  const torn = Object.keys(remaining).filter((name) => !isWhole(name, remaining[name]))
  return [...lost, ...torn.map((name) => `${name} is torn`)]
}

const isWhole = (name: string, text: unknown): boolean =>
  name === saved
    ? typeof text === 'string' && /^(.+ )\1{99}$/.test(text)
    : !name.startsWith('written-') || text === textOf(name)

/**
 * Uploads and saves files until `stop` of the returned object is called. `confirmed` contains the names of the files
 * that the server confirmed.
 */
function keepWriting(sender: RequestSender) {
  const confirmed = new Set<string>()
  const stopping = new AbortController()
  let count = 0
  const upload = async (name: string, text: string): Promise<void> => {
    const outcome = await sender.call('resources.create', `/${name}`, {
      body: text,
      query: { override: `${name === saved}` },
    })
    if (outcome === '200') confirmed.add(name)
  }
  const uploading = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const name = `written-${(count += 1)}.txt`
      await upload(name, textOf(name))
    }
  }
  const saving = async (): Promise<void> => {
    while (!stopping.signal.aborted) await upload(saved, textOf(`save ${(count += 1)}`))
  }
  const writers = Promise.all([...Array.from({ length: uploadConcurrency }, uploading), saving()])
  return {
    confirmed,
    stop: async (): Promise<void> => {
      stopping.abort()
      await writers
    },
  }
}
