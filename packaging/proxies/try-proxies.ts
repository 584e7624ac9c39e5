import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { loadConfig } from '../../src/server/config/load-config.ts'
import * as checks from './checks.ts'
import { portalCookie, startLoginPortal } from './login-portal.ts'
import { commandsOf, readPage, type Section } from './pages.ts'
import {
  proxies,
  readOrEmpty,
  startProgram,
  sumOfProcesses,
  untilListening,
  type Proxy,
  type RunningProgram,
} from './proxies.ts'
import type { Target } from './visitor.ts'

const repository = path.resolve(import.meta.dirname, '../..')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Puts a command `stowage` into the search path, whose state is that of the trial. */
function installCommand(): void {
  mkdirSync('/run/stowage-trial', { recursive: true })
  const command = '/run/stowage-trial/stowage'
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${repository}/bin/stowage.js "$@"\n`)
  chmodSync(command, 0o755)
  process.env['PATH'] = `/run/stowage-trial:${process.env['PATH'] ?? ''}`
  process.env['XDG_STATE_HOME'] = '/var/lib'
  process.env['HOME'] = '/run/stowage-trial'
}

const shell = (command: string): void =>
  void execFileSync('sh', ['-ec', command], { stdio: ['ignore', 'pipe', 'pipe'] })

/** Removes the files and the state of the last trial, and creates two users. */
function createState(): void {
  rmSync('/var/lib/stowage', { recursive: true, force: true })
  for (const name of readdirSync('/srv/files')) rmSync(`/srv/files/${name}`, { recursive: true })
  shell(`stowage config init
    stowage users add ada 'ada has a long password' --perm.admin
    stowage users add ${checks.ann.username} '${checks.ann.password}'`)
}

/** Returns the address at which the server of a command listens, and the way to it without the proxy. */
function listenerOf(command: string, env: Record<string, string> = {}) {
  const { config } = loadConfig({
    argv: command.split(' ').slice(1),
    env,
    cwd: '/',
    home: '/',
    readFile: () => null,
    exists: () => false,
    isPrivate: () => false,
  })
  const { address, port, socket, cert, baseURL } = config
  const host = address === '0.0.0.0' ? '127.0.0.1' : address
  const scheme = cert === '' ? 'http' : 'https'
  const direct: Target =
    socket === ''
      ? { url: `${scheme}://${host}:${port}${baseURL}` }
      : { url: `http://localhost${baseURL}`, socketPath: socket }
  return { direct, baseURL, listens: socket === '' ? { host, port } : { path: socket } }
}

/** Sends everything that the checks know through a proxy. Prints what the transfer has taken. */
async function check(title: string, trial: checks.Trial): Promise<boolean> {
  try {
    if (!trial.isForwardAuth) await checks.opensPage(trial)
    const signedIn = trial.isForwardAuth ? await checks.logsInByProxy(trial) : await checks.logsIn(trial)
    await checks.reportsChanges(trial, signedIn)
    await checks.keepsNames(trial, signedIn)
    await checks.takesLongPaths(trial, signedIn)
    await checks.takesChunks(trial, signedIn)
    print(`ok: ${title}: ${await checks.streams(trial, signedIn)}`)
    return true
  } catch (thrown) {
    print(`FAILED: ${title}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    return false
  }
}

/** The numbers that the kernel counts for a server and for a proxy. */
const measuresOf = (server: RunningProgram, proxy: RunningProgram | null) => ({
  log: server.output,
  writtenBytes: () =>
    sumOfProcesses(server.pid, (folder) =>
      Number(/^wchar: (\d+)/m.exec(readOrEmpty(`${folder}/io`))?.[1] ?? 0),
    ),
  proxyBytes: () =>
    proxy === null
      ? 0
      : sumOfProcesses(
          proxy.pid,
          (folder) => Number(/^VmHWM:\s+(\d+) kB/m.exec(readOrEmpty(`${folder}/status`))?.[1] ?? 0) * 1024,
        ),
})

const credentials = Buffer.from(`${checks.ann.username}:${checks.ann.password}`).toString('base64')

/** Tries one section of the page about a proxy. Returns false when something failed. */
async function tryProxy(proxy: Proxy, { title, configuration, commands }: Section): Promise<boolean> {
  if (configuration === null) throw new Error(`the page about ${proxy.name} has no configuration "${title}"`)
  createState()
  proxy.configure(configuration)
  shell(commands.slice(0, -1).join('\n'))
  const command = commands.at(-1) ?? ''
  const { direct, baseURL, listens } = listenerOf(command)
  const server = startProgram(command.split(' '))
  const isSecure = /:?443|^files\.example\.com/m.test(configuration)
  const running = startProgram(proxy.command, proxy.env)
  try {
    await untilListening(listens, server)
    await untilListening({ host: '198.51.100.1', port: isSecure ? 443 : 80 }, running)
    const isForwardAuth = title === 'With forward authentication'
    const target: Target = {
      url: `${isSecure ? 'https' : 'http'}://files.example.com${baseURL}`,
      ...(isForwardAuth && { headers: { cookie: portalCookie, authorization: `Basic ${credentials}` } }),
    }
    const isOk = await check(`${proxy.name}, ${title}`, {
      target,
      direct,
      isForwardAuth,
      ...measuresOf(server, running),
    })
    if (!isOk) print([running.output(), readOrEmpty(proxy.errorLog ?? ''), server.output()].join('\n'))
    return isOk
  } finally {
    await Promise.all([running.stop(), server.stop()])
  }
}

/** Tries the server with a certificate of its own, and the proxy of the compose file at its fixed address. */
async function tryWithoutPage(title: 'Without a proxy' | 'The compose file'): Promise<boolean> {
  createState()
  const compose = parse(readFileSync(path.join(repository, 'packaging/compose.yaml'), 'utf8')) as {
    services: { proxy: { command: string }; stowage: { environment: Record<string, string> } }
  }
  const isCompose = title === 'The compose file'
  const { proxy, stowage } = compose.services
  const trusted = stowage.environment['STOWAGE_AUTH_TRUSTED_PROXIES'] ?? ''
  const command = isCompose ? 'stowage -r /srv/files -a 172.30.84.3' : (commandsOf(title).at(-1) ?? '')
  const server = startProgram(command.split(' '), isCompose ? { STOWAGE_AUTH_TRUSTED_PROXIES: trusted } : {})
  const running = isCompose ? startProgram(proxy.command.split(' '), { HOME: '/run/caddy' }) : null
  const { direct, listens } = listenerOf(command)
  try {
    await untilListening(listens, server)
    if (running !== null) await untilListening({ host: '198.51.100.1', port: 80 }, running)
    const target = { url: `${isCompose ? 'http' : 'https'}://files.example.com` }
    const isOk = await check(title, { target, direct, isForwardAuth: false, ...measuresOf(server, running) })
    if (!isOk) print(`${running?.output() ?? ''}\n${server.output()}`)
    return isOk
  } finally {
    await Promise.all([running?.stop(), server.stop()])
  }
}

installCommand()
const portal = await startLoginPortal()
const [onlyProxy, onlySection] = process.argv.slice(2)
let failures = 0
for (const proxy of proxies.filter(({ name }) => onlyProxy === undefined || name === onlyProxy))
  for (const section of readPage(proxy.name, proxy.language))
    if (onlySection === undefined || section.title === onlySection)
      failures += (await tryProxy(proxy, section)) ? 0 : 1
if (onlyProxy === undefined || onlyProxy === 'none')
  for (const title of ['Without a proxy', 'The compose file'] as const)
    failures += (await tryWithoutPage(title)) ? 0 : 1
portal.close()
process.exitCode = failures === 0 ? 0 : 1
