import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { speedOf, downloadWith, readOutputOf, type GetRequest } from './measure.ts'
import { memoryDuring } from './memory.ts'
import { isInstalled } from './peers.ts'
import { measureAlternately, median, type BenchResult } from './table.ts'
import { makeMixedFiles } from './trees.ts'
import type { BenchContext } from './bench-context.ts'

const rounds = 2
const gibibyte = 1 << 30

/**
 * Measures how long archive downloads take (100,000 small and 16 large files, 10 GiB in total), compared with common
 * command-line programs.
 */
export async function benchArchives(context: BenchContext): Promise<readonly BenchResult[]> {
  const folder = path.join(context.folder, 'mixed')
  await mkdir(folder)
  makeMixedFiles(folder)
  try {
    const results = [
      ...(await measureArchive(context, {
        algo: 'zip',
        peer: ['zip', '-0', '-q', '-r', '-', 'mixed'],
        bar: 0.8,
      })),
      ...(await measureArchive(context, { algo: 'tar', peer: ['tar', '-cf', '-', 'mixed'], bar: null })),
    ]
    await checkArchive(context)
    return results
  } finally {
    await rm(folder, { recursive: true })
  }
}

type ArchiveBenchOptions = {
  readonly algo: string
  readonly peer: readonly string[]
  readonly bar: number | null
}

const archiveRequest = ({ server, headers }: BenchContext, algo: string): GetRequest => ({
  port: server.port,
  path: `/api/raw/mixed/?algo=${algo}`,
  headers,
})

async function measureArchive(
  context: BenchContext,
  { algo, peer, bar }: ArchiveBenchOptions,
): Promise<readonly BenchResult[]> {
  const { drain, folder, server } = context
  const program = peer[0]!
  const firsts: number[] = []
  const memories: number[] = []
  const ours = async () => {
    let speed = 0
    const memoryMB = await memoryDuring(server.pid(), async () => {
      const download = await downloadWith(drain, archiveRequest(context, algo))
      firsts.push(download.firstMs)
      speed = speedOf(download) / gibibyte
    })
    memories.push(memoryMB)
    return speed
  }
  const hasPeer = drain !== null && isInstalled(program)
  const floor = async () => (hasPeer ? speedOf(readOutputOf(drain, peer, folder)) / gibibyte : Number.NaN)
  const both = await measureAlternately(rounds, ours, floor)
  const withoutBaseline = { floor: null, against: '', better: 'less' } as const
  return [
    {
      ...withoutBaseline,
      what: `${algo} of 100,000 files, 10 GiB: first byte`,
      ours: median(firsts),
      unit: 'ms',
      bar: 100,
    },
    {
      what: `${algo} of 100,000 files, 10 GiB`,
      ours: both.ours,
      floor: hasPeer ? both.floor : null,
      unit: 'GiB/s',
      against: peer.slice(0, 2).join(' '),
      better: 'more',
      bar: hasPeer ? bar : null,
    },
    {
      ...withoutBaseline,
      what: `${algo} of 100,000 files, 10 GiB: memory over idle`,
      ours: Math.max(...memories),
      unit: 'MB',
      bar: 128,
    },
  ]
}

/** Downloads an archive to disk and throws when `unzip` reports it as corrupt. */
async function checkArchive(context: BenchContext): Promise<void> {
  if (!isInstalled('unzip')) return
  const file = path.join(context.folder, 'mixed', 'mixed.zip')
  const { port, path: requestPath, headers } = archiveRequest(context, 'zip')
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      { port, path: `${requestPath}&files=small%2Clarge`, headers: { ...headers }, agent: false },
      resolve,
    ).on('error', reject)
  })
  await pipeline(response, createWriteStream(file))
  const result = spawnSync('unzip', ['-tq', file], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`unzip -t: ${result.stdout} ${result.stderr}`)
}
