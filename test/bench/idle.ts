import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { newWindow, openBrowser, rowOf, signIn } from '../kit/browser.ts'
import { makePdf } from '../kit/pdf.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { logIn, program } from './bench-context.ts'
import { memoryBytes } from './load-client.ts'
import { peakMemoryBytes } from './memory.ts'
import { compileLibrary } from './peers.ts'
import { measureAlternately, median, type BenchResult } from './table.ts'
import { noisyPhotograph } from './photograph.ts'

const rounds = 6
/** The time in ms without a request until the memory is measured. Idle threads and processes have ended by then. */
const idleMs = 60_000
/**
 * The number of measurements, one in each second after the idle time. Their median counts, because a thread that copies
 * the log of the database runs for two to four seconds in each minute in which something was written.
 */
const samples = 11
const listedEntries = 100_000
const photographs = 24
const loginsPerRound = 40
/** The number of passwords that the server hashes at the same time. */
const loginConcurrency = 2
const abortedDownloads = 8
const downloadBytes = 256 << 20
const timedLogins = 30

/** The limit in MB for the resident memory of the server process after a minute without a request. */
const idleBarMB = 100
/** The limit for the time of a login, as a ratio to a login with the thresholds that glibc chooses. */
const loginBar = 2

/** A started server, the name of its variant, and its resident memory in MB after each round. */
type MeasuredServer = { readonly name: string; readonly server: RunningServer; readonly idleMB: number[] }

/**
 * Measures the resident memory of the server a minute after each of six rounds of work: logins, a folder of 100,000
 * entries, a search, new previews of photographs, a PDF and aborted downloads, all in a browser. A second server does
 * the same work with a C library whose thresholds it cannot change. The price of the thresholds is the time of a login.
 */
export async function benchIdle(): Promise<readonly BenchResult[]> {
  const library = await compileLibrary('no-mallopt')
  const variants: Readonly<Record<string, readonly string[]>> = {
    ours: program,
    ...(library !== null && { floor: ['env', `LD_PRELOAD=${library}`, ...program] }),
  }
  const against = 'thresholds of glibc'
  return measureVariants(variants, async ([ours, floor]) => {
    const peaks = [ours, floor].map((measured) =>
      measured === undefined ? null : peakMemoryBytes(measured.server.pid()) / 1e6,
    )
    const login = floor === undefined ? null : await loginTimes(ours!.server, floor.server)
    return [
      ...ours!.idleMB.map((idleMB, round): BenchResult => ({
        what: `resident memory a minute after round ${round + 1}`,
        ours: idleMB,
        floor: floor?.idleMB[round] ?? null,
        unit: 'MB',
        against,
        better: 'less',
        bar: idleBarMB,
        isBarAbsolute: true,
      })),
      {
        what: `peak of the resident memory in ${rounds} rounds`,
        ours: peaks[0]!,
        floor: peaks[1] ?? null,
        unit: 'MB',
        against,
        better: 'less',
        bar: null,
      },
      ...(login === null
        ? []
        : [{ what: 'login', ...login, unit: 'ms', against, better: 'less', bar: loginBar } as const]),
    ]
  })
}

/**
 * Starts a server for each program, and lets a browser do the same rounds of work on each server in turn. All servers are
 * idle at the same time. Calls `evaluate` while the servers are running.
 */
export async function measureVariants<T>(
  variants: Readonly<Record<string, readonly string[]>>,
  evaluate: (servers: readonly MeasuredServer[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-idle-'))
  const servers: MeasuredServer[] = []
  const browser = await openBrowser()
  try {
    await createFiles(folder)
    for (const [name, command] of Object.entries(variants))
      servers.push({
        name,
        server: await runServer({ folder, people: [ada], program: command }),
        idleMB: [],
      })
    for (let round = 1; round <= rounds; round += 1) {
      // New times make the cached previews stale.
      for (let n = 0; n < photographs; n += 1)
        await utimes(path.join(folder, 'photographs', photographName(n)), round, round)
      for (const { server } of servers) await work(browser, server)
      await pause(idleMs)
      const sampled = servers.map((): number[] => [])
      for (let sample = 0; sample < samples; sample += 1) {
        servers.forEach(({ server }, at) => sampled[at]!.push(memoryBytes(server.pid()) / 1e6))
        await pause(1000)
      }
      for (const [at, { name, idleMB }] of servers.entries()) {
        idleMB.push(median(sampled[at]!))
        console.error(`round ${round}, ${name}: ${idleMB.at(-1)?.toFixed(0)} MB`)
      }
    }
    return await evaluate(servers)
  } finally {
    await browser.close()
    for (const { server } of servers) await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Works with a server as a user does, in a new window, which is closed afterwards because a page polls the server. */
async function work(browser: Browser, server: RunningServer): Promise<void> {
  await logInRepeatedly(server)
  const page = await newWindow(browser)
  await signIn(page, server, ada)
  await page.goto(`${server.url}/files/many/`)
  await page.locator('[role="grid"][aria-busy="false"]').waitFor()
  await page.getByRole('row').nth(2).waitFor()
  await page.evaluate(searchNames, `${server.url}/api/search/?query=entry-99`)
  await page.goto(`${server.url}/files/photographs/`)
  await rowOf(page, photographName(0)).locator('img').waitFor()
  await page.evaluate(
    fetchAll,
    Array.from({ length: photographs }, (_, n) =>
      ['thumb', 'big'].map((size) => `${server.url}/api/preview/${size}/photographs/${photographName(n)}`),
    ).flat(),
  )
  await page.goto(`${server.url}/files/documents/`)
  await rowOf(page, 'report.pdf').click()
  await page.keyboard.press('Space')
  await page.locator('[data-page="1"] canvas').waitFor()
  for (let n = 0; n < abortedDownloads; n += 1)
    await page.evaluate(abortDownload, `${server.url}/api/raw/documents/large.bin`)
  await page.context().close()
}

async function logInRepeatedly(server: RunningServer): Promise<void> {
  const logInSome = async (): Promise<void> => {
    for (let n = 0; n < loginsPerRound / loginConcurrency; n += 1) await logIn(server)
  }
  await Promise.all(Array.from({ length: loginConcurrency }, logInSome))
}

/** Runs in the page. */
async function searchNames(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the search answered ${response.status}`)
  await response.arrayBuffer()
}

/** Runs in the page. */
async function fetchAll(urls: readonly string[]): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url, { cache: 'no-store' })
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      await response.arrayBuffer()
    }),
  )
}

/** Runs in the page. Reads the beginning of a download and closes the connection. */
async function abortDownload(url: string): Promise<void> {
  const controller = new AbortController()
  const response = await fetch(url, { cache: 'no-store', signal: controller.signal })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  await response.body?.getReader().read()
  controller.abort()
}

/** Returns the median times in ms of logins on two servers. */
const loginTimes = (ours: RunningServer, floor: RunningServer) =>
  measureAlternately(
    timedLogins,
    () => loginTime(ours),
    () => loginTime(floor),
  )

async function loginTime(server: RunningServer): Promise<number> {
  const start = performance.now()
  await logIn(server)
  return performance.now() - start
}

const photographName = (n: number): string => `photograph-${n}.jpg`

async function createFiles(folder: string): Promise<void> {
  for (const name of ['many', 'photographs', 'documents']) await mkdir(path.join(folder, name))
  for (let n = 0; n < listedEntries; n += 1) await writeFile(path.join(folder, 'many', `entry-${n}.txt`), '')
  const photograph = await noisyPhotograph()
  for (let n = 0; n < photographs; n += 1)
    await writeFile(path.join(folder, 'photographs', photographName(n)), photograph)
  const pages = Array.from({ length: 200 }, (_, index) => `Page ${index + 1}`)
  await writeFile(path.join(folder, 'documents', 'report.pdf'), makePdf({ pages }))
  await writeFile(path.join(folder, 'documents', 'large.bin'), Buffer.alloc(downloadBytes))
}
