import { spawn } from 'node:child_process'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { timeGet } from './measure.ts'
import { isInstalled } from './peers.ts'
import { measureAlternately, type BenchResult } from './table.ts'
import type { BenchContext } from './bench-context.ts'
import { noisyPhotograph } from './photograph.ts'

const imageCount = 24
/**
 * Number of processes of the compared program. Our server also uses two processes, and both programs run with the same
 * low priority, because different priorities would decide the result on a busy machine.
 */
const processCount = 2
const { PRIORITY_BELOW_NORMAL: priority } = constants.priority

/**
 * Measures requests for new thumbnails of photographs, compared with the command-line program of libvips on the same
 * files.
 */
export async function benchPreviews({
  folder,
  server,
  headers,
}: BenchContext): Promise<readonly BenchResult[]> {
  const names = await makePhotographs(path.join(folder, 'photographs'))
  let round = 0
  const ours = async () => {
    round += 1
    // A new modification time makes the cached thumbnails stale, so no thumbnail comes from the cache.
    for (const name of names) await utimes(path.join(folder, 'photographs', name), round, round)
    const waiting = names.map((name) => ({
      port: server.port,
      path: `/api/preview/thumb/photographs/${name}`,
      headers: { ...headers, Accept: 'image/webp' },
    }))
    const start = performance.now()
    const fetchSome = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await timeGet(next)
    }
    await Promise.all(Array.from({ length: 6 }, fetchSome))
    return imageCount / ((performance.now() - start) / 1000)
  }
  const hasPeer = isInstalled('vipsthumbnail')
  const peer = async () => {
    if (!hasPeer) return Number.NaN
    const start = performance.now()
    const share = imageCount / processCount
    const parts = Array.from({ length: processCount }, (_, n) => names.slice(n * share, (n + 1) * share))
    await Promise.all(parts.map((part) => vipsThumbnails(path.join(folder, 'photographs'), part)))
    return imageCount / ((performance.now() - start) / 1000)
  }
  const speeds = await measureAlternately(5, ours, peer)
  const against = `vipsthumbnail, ${processCount} processes of the same rank`
  return [
    {
      what: 'thumbnails of 12-megapixel JPEGs',
      ours: speeds.ours,
      floor: hasPeer ? speeds.floor : null,
      unit: '/s',
      against,
      better: 'more',
      bar: hasPeer ? 0.9 : null,
    },
  ]
}

/** Creates images of random noise whose files are as large as photographs. */
async function makePhotographs(folder: string): Promise<readonly string[]> {
  await mkdir(folder)
  const photograph = await noisyPhotograph()
  const names = Array.from({ length: imageCount }, (_, n) => `photograph-${n}.jpg`)
  for (const name of names) await writeFile(path.join(folder, name), photograph)
  return names
}

function vipsThumbnails(folder: string, names: readonly string[]): Promise<void> {
  const args = ['--size', '256x256', '--smartcrop', 'centre', '--output', '%s-small.webp[Q=80,effort=2]']
  const program = spawn('vipsthumbnail', [...args, ...names], { cwd: folder, stdio: 'ignore' })
  if (program.pid !== undefined) setPriority(program.pid, priority)
  return new Promise((resolve, reject) => {
    program.once('error', reject)
    program.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`vipsthumbnail: ${code}`))))
  })
}
