import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { downloadWith, readOutputOf, timeGet, type GetRequest } from './measure.ts'
import { memoryDuring } from './memory.ts'
import { measureAlternately, median, type BenchResult } from './table.ts'
import { makeEmptyFiles, manyNames } from './trees.ts'
import type { BenchContext } from './bench-context.ts'

const rounds = 5
const listings = 40

/** Measures searches by name in a million files without an index, compared with `find -iname` in the same folders. */
export async function benchFind(context: BenchContext): Promise<readonly BenchResult[]> {
  const folder = path.join(context.folder, 'names')
  await mkdir(folder)
  makeEmptyFiles(folder)
  try {
    const results = [
      ...(await measureTimes(context)),
      await measureListingDuringSearches(context),
      await measureMemory(context),
    ]
    return context.drain === null ? results.map((result) => ({ ...result, floor: null })) : results
  } finally {
    await rm(folder, { recursive: true })
  }
}

const searchRequest = ({ server, headers }: BenchContext, query: string, accept = '*/*'): GetRequest => ({
  port: server.port,
  path: `/api/search/names/?query=${query}`,
  headers: { ...headers, Accept: accept },
})

const rows = 'application/x-ndjson'

async function measureTimes(context: BenchContext): Promise<readonly BenchResult[]> {
  const { drain, folder } = context
  const runFind = async (query: string) =>
    drain === null
      ? Number.NaN
      : readOutputOf(drain, ['find', 'names', '-iname', `*${query}*`], folder).wholeMs
  const runSearch = (query: string, accept?: string) =>
    downloadWith(drain, searchRequest(context, query, accept))
  const firsts: number[] = []
  const findNeedles = async () => {
    const { firstMs, wholeMs } = await runSearch('needle', rows)
    firsts.push(firstMs)
    return wholeMs
  }
  const rare = await measureAlternately(rounds, findNeedles, () => runFind('needle'))
  const all = await measureAlternately(
    rounds,
    async () => (await runSearch('many')).wholeMs,
    () => runFind('many'),
  )
  const against = 'find -iname'
  const timeFields = { unit: 'ms', against, better: 'less', bar: null } as const
  return [
    {
      ...timeFields,
      what: `search ${manyNames} names, 200 hits, first`,
      ours: median(firsts),
      floor: null,
      against: '',
      bar: 50,
    },
    { ...timeFields, what: `search ${manyNames} names, 200 hits, all`, ...rare },
    { ...timeFields, what: `search ${manyNames} names, all hits, JSON`, ...all },
  ]
}

/** Measures how long another user waits for the listing of a small folder while two searches are running. */
async function measureListingDuringSearches(context: BenchContext): Promise<BenchResult> {
  const listing = { port: context.server.port, path: '/api/resources/n100/', headers: context.headers }
  const medianListingMs = async () => {
    const waits: number[] = []
    for (let n = 0; n < listings; n += 1) waits.push((await timeGet(listing)).wholeMs)
    return median(waits)
  }
  const ours = async () => {
    const stopping = new AbortController()
    const searches = Promise.all([1, 2].map(() => searchUntil(context, stopping.signal)))
    const listingMs = await medianListingMs()
    stopping.abort()
    await searches
    return listingMs
  }
  const waits = await measureAlternately(3, ours, medianListingMs)
  return {
    what: 'list 100 beside two searches',
    ...waits,
    unit: 'ms',
    against: 'the same alone',
    better: 'less',
    bar: null,
  }
}

async function searchUntil(context: BenchContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await timeGet(searchRequest(context, 'needle'))
}

async function measureMemory(context: BenchContext): Promise<BenchResult> {
  const ours = await memoryDuring(context.server.pid(), () =>
    downloadWith(context.drain, searchRequest(context, 'many')),
  )
  return {
    what: `search ${manyNames} names, memory over idle`,
    ours,
    floor: null,
    unit: 'MB',
    against: '',
    better: 'less',
    bar: null,
  }
}
