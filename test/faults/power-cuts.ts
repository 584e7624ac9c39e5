import { poweredDisk } from '../kit/mounts.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { treeOf, type Tree } from '../kit/tree.ts'
import { askAs, type RequestSender } from './requests.ts'

const diskBytes = 128 * 1024 * 1024
const smallAtOnce = 12
const saved = 'saved.txt'
const textOf = (name: string): string => `${name} `.repeat(100)
/** Pauses between two power cuts, in ms. The pauses differ, so that the cuts happen at different moments of a write. */
const pausesMs = [50, 87, 124, 161, 198]

/**
 * Cuts the power of a disk `cuts` times while small files are uploaded to it and one file is saved again and again.
 * Returns descriptions of lost changes that the server had confirmed, and of files with incomplete content. The server
 * is paused while the state of the disk after the cut is examined, and continues afterwards.
 */
export async function cutPower(
  cuts: number,
  wish: { readonly hasJournal: boolean },
): Promise<readonly string[]> {
  const disk = poweredDisk(diskBytes, wish)
  if (disk === null) throw new Error('no file system may be mounted here')
  const server = await runServer({ folder: disk.folder, people: [ada] })
  try {
    const { answered, stop } = keepWriting(await askAs(server, ada))
    const faults: string[] = []
    for (let cut = 0; cut < cuts; cut += 1) {
      await new Promise((resolve) => setTimeout(resolve, pausesMs[cut % pausesMs.length]))
      process.kill(server.pid(), 'SIGSTOP')
      const promised = [...answered]
      const left = await disk.afterPowerCut(treeOf).finally(() => process.kill(server.pid(), 'SIGCONT'))
      faults.push(...faultsIn(left, promised).map((fault) => `cut ${cut}: ${fault}`))
    }
    await stop()
    return answered.size > cuts ? faults : ['hardly anything was written']
  } finally {
    await server.remove()
    disk.remove()
  }
}

function faultsIn(left: Tree, promised: readonly string[]): readonly string[] {
  const lost = promised.filter((name) => !(name in left)).map((name) => `${name} is lost`)
  const torn = Object.keys(left).filter((name) => !isWhole(name, left[name]))
  return [...lost, ...torn.map((name) => `${name} is torn`)]
}

const isWhole = (name: string, text: unknown): boolean =>
  name === saved
    ? typeof text === 'string' && /^(.+ )\1{99}$/.test(text)
    : !name.startsWith('written-') || text === textOf(name)

/** Uploads and saves files until it is stopped, and records which changes the server confirmed. */
function keepWriting(who: RequestSender) {
  const answered = new Set<string>()
  const over = new AbortController()
  let count = 0
  const put = async (name: string, text: string): Promise<void> => {
    const said = await who.ask('resources.create', `/${name}`, {
      body: text,
      query: { override: `${name === saved}` },
    })
    if (said === '200') answered.add(name)
  }
  const uploading = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const name = `written-${(count += 1)}.txt`
      await put(name, textOf(name))
    }
  }
  const saving = async (): Promise<void> => {
    while (!over.signal.aborted) await put(saved, textOf(`save ${(count += 1)}`))
  }
  const working = Promise.all([...Array.from({ length: smallAtOnce }, uploading), saving()])
  return {
    answered,
    stop: async (): Promise<void> => {
      over.abort()
      await working
    },
  }
}
