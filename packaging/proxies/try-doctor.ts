import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { newWindow, openBrowser } from '../../test/kit/browser.ts'
import { ada, runServer, unusedPort, type RunningServer, type TestUser } from '../../test/kit/run-server.ts'
import { doctorFaults, type DoctorFault } from './doctor-faults.ts'
import { readPage } from './pages.ts'
import { startProgram, untilListening } from './proxies.ts'

/**
 * This script makes each mistake of `doctor-faults.ts` in the configurations of docs/proxies/nginx.md, one at a time, and lets
 * the page "Diagnosis" measure the way in Chromium. It fails when a mistake is not found, when something else is found, or
 * when the lines of the page have a finding. It needs the built program, nginx, openssl and Chromium, and no root.
 */
const print = (line: string): void => void process.stdout.write(`${line}\n`)
process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

/** A configuration that is measured: a fault, or the lines of a section as they are. */
type Case = Pick<DoctorFault, 'title' | 'section' | 'change'> & {
  readonly code: string | null
  readonly port: number
}

const sections = readPage('nginx', 'nginx')

/** Returns the server block of a case, with the ports of this run in place of those of the page. */
function serverBlock({ title, section, change, port }: Case, upstream: string, work: string): string {
  const written = sections.find((one) => one.title === section)?.configuration ?? ''
  const changed = change(written)
  if (title !== `the lines of "${section}"` && changed === written)
    throw new Error(`the fault "${title}" changes nothing in "${section}"`)
  const blocks = changed.split(/^(?=server \{)/m)
  return (blocks.at(-1) ?? '')
    .replace(/listen \d+( ssl)?( http2)?;/, `listen 127.0.0.1:${port}$1$2;`)
    .replace('server_name files.example.com;', '')
    .replace('127.0.0.1:8080', new URL(upstream).host)
    .replace('/etc/ssl/certs/files.example.com.pem', `${work}/certificate.pem`)
    .replace('/etc/ssl/private/files.example.com.key', `${work}/key.pem`)
}

/** The workers of nginx would be another user where the script runs as root, who cannot enter the folder of the trial. */
const mainBlock = (work: string, servers: string): string => `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${work}/nginx.pid;
error_log ${work}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${work}/body;
  proxy_temp_path ${work}/proxy;
  fastcgi_temp_path ${work}/fastcgi;
  uwsgi_temp_path ${work}/uwsgi;
  scgi_temp_path ${work}/scgi;
  proxy_cache_path ${work}/cache keys_zone=stored:1m;
${servers}
}
`

/** Cases that wait for more than a minute are measured at the same time, and the server allows one person few measurements at once. */
const people = ['ada', 'bea', 'cyd', 'dan'].map((name): TestUser => ({ ...ada, name }))

const isWhole = ({ code }: Case): boolean => code === null || code === 'proxy-timeout'

/** Logs in through the proxy, opens the page and starts the checks. */
async function startChecks(browser: Browser, address: string, person: TestUser): Promise<Page> {
  const page = await newWindow(browser, { ignoreHTTPSErrors: true })
  await page.goto(`${address}/login?redirect=%2Fsettings%2Fdoctor`)
  await page.getByLabel('Username').fill(person.name)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Run the checks' }).click()
  return page
}

/** Waits until only the check of long waits runs, or until all checks have ended. */
async function untilMeasured(page: Page, which: 'quick' | 'all'): Promise<readonly string[]> {
  const button = page.getByRole('button', { name: 'Run the checks again' })
  const last = page.getByText('The last check waits')
  const done = button.and(page.locator(':not([aria-disabled])'))
  await (which === 'quick' ? last.or(done).first() : done).waitFor({ timeout: 120_000 })
  return page.locator('h3 > code').allTextContents()
}

/** Measures a case, and says whether it has exactly the finding that is expected. */
async function tryCase(browser: Browser, one: Case, person: TestUser = ada): Promise<boolean> {
  const scheme = one.section === 'With a certificate' ? 'https' : 'http'
  const base = one.section === 'Below a path' ? '/files' : ''
  const page = await startChecks(browser, `${scheme}://127.0.0.1:${one.port}${base}`, person)
  try {
    const found = await untilMeasured(page, isWhole(one) ? 'all' : 'quick')
    const expected = one.code === null ? [] : [one.code]
    const isOk = found.join() === expected.join()
    print(`${isOk ? 'ok' : 'FAILED'}: ${one.title}: ${found.join(', ') || 'nothing found'}`)
    return isOk
  } finally {
    await page.context().close()
  }
}

async function createCases(): Promise<readonly Case[]> {
  const sound = (['At the root', 'Below a path', 'With a certificate'] as const).map((section) => ({
    title: `the lines of "${section}"`,
    code: null,
    section,
    change: (configuration: string) => configuration,
  }))
  const cases: Case[] = []
  for (const one of [...sound, ...doctorFaults]) cases.push({ ...one, port: await unusedPort() })
  return cases
}

async function tryAll(work: string, servers: readonly RunningServer[]): Promise<boolean> {
  const [atRoot, below] = servers
  const all = await createCases()
  const cases = all.filter(({ title }) => onlyTitle === undefined || title === onlyTitle)
  const blocks = cases.map((one) =>
    serverBlock(one, (one.section === 'Below a path' ? below : atRoot)?.url ?? '', work),
  )
  writeFileSync(`${work}/nginx.conf`, mainBlock(work, blocks.join('\n')))
  const nginx = startProgram(['nginx', '-p', work, '-c', `${work}/nginx.conf`])
  const browser = await openBrowser()
  try {
    await untilListening({ host: '127.0.0.1', port: cases[0]?.port ?? 0 }, nginx)
    const results: boolean[] = []
    for (const one of cases.filter((each) => !isWhole(each))) results.push(await tryCase(browser, one))
    const whole = cases.filter(isWhole).map((one, index) => tryCase(browser, one, people[index]))
    results.push(...(await Promise.all(whole)))
    return results.every(Boolean)
  } finally {
    await browser.close()
    await nginx.stop()
  }
}

const [onlyTitle] = process.argv.slice(2)
const work = mkdtempSync(path.join(tmpdir(), 'stowage-doctor-'))
mkdirSync(`${work}/cache`)
execFileSync(
  'openssl',
  [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ].concat(['-subj', '/CN=127.0.0.1', '-out', `${work}/certificate.pem`, '-keyout', `${work}/key.pem`]),
  { stdio: 'ignore' },
)
// The last fault connects from another address of this machine, which is not in this list.
const options = { people, flags: ['--auth.trustedProxies', '127.0.0.1'] }
const servers = [await runServer(options), await runServer({ ...options, basePath: '/files' })]
try {
  process.exitCode = (await tryAll(work, servers)) ? 0 : 1
} finally {
  for (const server of servers) await server.remove()
  rmSync(work, { recursive: true, force: true })
}
