import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { speedOf, takeGet, takeOutput, type Asked } from './measure.ts'
import { memoryDuring } from './memory.ts'
import { has } from './peers.ts'
import { byTurns, median, type Result } from './table.ts'
import { makeMixed } from './trees.ts'
import type { World } from './world.ts'

const rounds = 2
const gibibyte = 1 << 30

/** Archives of 100,000 small files and some large ones, 10 GiB, against the programs that everybody has. */
export async function benchArchives(world: World): Promise<readonly Result[]> {
  const folder = path.join(world.folder, 'mixed')
  await mkdir(folder)
  makeMixed(folder)
  try {
    const results = [
      ...(await speeds(world, { algo: 'zip', peer: ['zip', '-0', '-q', '-r', '-', 'mixed'], bar: 0.8 })),
      ...(await speeds(world, { algo: 'tar', peer: ['tar', '-cf', '-', 'mixed'], bar: null })),
    ]
    await refuseBroken(world)
    return results
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Packing = { readonly algo: string; readonly peer: readonly string[]; readonly bar: number | null }

const asking = ({ server, headers }: World, algo: string): Asked => ({
  port: server.port,
  path: `/api/raw/mixed/?algo=${algo}`,
  headers,
})

async function speeds(world: World, { algo, peer, bar }: Packing): Promise<readonly Result[]> {
  const { drain, folder, server } = world
  const program = peer[0]!
  const firsts: number[] = []
  const memories: number[] = []
  const ours = async () => {
    let speed = 0
    const memoryMB = await memoryDuring(server.pid(), async () => {
      const taken = await takeGet(drain, asking(world, algo))
      firsts.push(taken.firstMs)
      speed = speedOf(taken) / gibibyte
    })
    memories.push(memoryMB)
    return speed
  }
  const hasPeer = drain !== null && has(program)
  const floor = async () => (hasPeer ? speedOf(takeOutput(drain, peer, folder)) / gibibyte : Number.NaN)
  const both = await byTurns(rounds, ours, floor)
  const alone = { floor: null, against: '', better: 'less' } as const
  return [
    {
      ...alone,
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
      ...alone,
      what: `${algo} of 100,000 files, 10 GiB: memory over idle`,
      ours: Math.max(...memories),
      unit: 'MB',
      bar: 128,
    },
  ]
}

/** The archive as somebody has it on disk, judged by the program that everybody unpacks with. */
async function refuseBroken(world: World): Promise<void> {
  if (!has('unzip')) return
  const file = path.join(world.folder, 'mixed', 'mixed.zip')
  const { port, path: wanted, headers } = asking(world, 'zip')
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path: `${wanted}&files=small%2Clarge`, headers: { ...headers }, agent: false }, resolve).on(
      'error',
      reject,
    )
  })
  await pipeline(answer, createWriteStream(file))
  const judged = spawnSync('unzip', ['-tq', file], { encoding: 'utf8' })
  if (judged.status !== 0) throw new Error(`unzip -t: ${judged.stdout} ${judged.stderr}`)
}
