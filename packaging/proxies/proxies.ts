import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'

/** A proxy that the trial starts: the place of its configuration, and its command. */
export type Proxy = {
  readonly name: string
  /** The word after the fence of its configurations in the page. */
  readonly language: string
  /** Writes a configuration of the page. Called before the commands of the section. */
  readonly configure: (configuration: string) => void
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The file in which it reports errors, unless it prints them. */
  readonly errorLog?: string
}

/** Empties a folder, and creates it where it is missing. */
function emptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) rmSync(`${folder}/${name}`, { recursive: true })
}

/** Replaces a folder of the packages by its first content, which the first call copies. */
function restore(folder: string): void {
  const copy = `/run/first${folder}`
  try {
    readdirSync(copy)
  } catch {
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  }
  emptyFolder(folder)
  cpSync(copy, folder, { recursive: true, verbatimSymlinks: true })
}

const nginx: Proxy = {
  name: 'nginx',
  language: 'nginx',
  configure(configuration) {
    emptyFolder('/etc/nginx/sites-enabled')
    emptyFolder('/etc/nginx/conf.d')
    writeFileSync('/etc/nginx/conf.d/stowage.conf', configuration)
  },
  command: ['nginx', '-g', 'daemon off;'],
  errorLog: '/var/log/nginx/error.log',
}

const caddy: Proxy = {
  name: 'caddy',
  language: 'caddy',
  configure(configuration) {
    // Caddy would ask a public authority for the certificate.
    const options = '{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n'
    writeFileSync('/etc/caddy/Caddyfile', `${options}${configuration}`)
  },
  command: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile'],
  env: { HOME: '/run/caddy' },
}

const apache: Proxy = {
  name: 'apache',
  language: 'apache',
  configure(configuration) {
    restore('/etc/apache2/mods-enabled')
    emptyFolder('/etc/apache2/sites-enabled')
    mkdirSync('/run/apache2', { recursive: true })
    writeFileSync('/etc/apache2/sites-enabled/stowage.conf', configuration)
  },
  command: ['sh', '-c', '. /etc/apache2/envvars && exec apache2 -D FOREGROUND'],
  errorLog: '/var/log/apache2/error.log',
}

const haproxy: Proxy = {
  name: 'haproxy',
  language: 'haproxy',
  configure(configuration) {
    restore('/etc/haproxy')
    mkdirSync('/run/haproxy', { recursive: true })
    writeFileSync(
      '/etc/haproxy/haproxy.cfg',
      `${readFileSync('/etc/haproxy/haproxy.cfg', 'utf8')}\n${configuration}`,
    )
  },
  command: ['haproxy', '-db', '-f', '/etc/haproxy/haproxy.cfg'],
}

export const proxies: readonly Proxy[] = [nginx, caddy, apache, haproxy]

/** A program of the trial, with its output so far. */
export type RunningProgram = {
  readonly pid: number
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts a program. It ends with SIGTERM, and after five seconds with SIGKILL. */
export function startProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (text) => (output += String(text)))
  child.stderr?.on('data', (text) => (output += String(text)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Waits until something listens at an address of TCP or on a unix socket. */
export async function untilListening(
  address: { readonly host: string; readonly port: number } | { readonly path: string },
  program: RunningProgram,
): Promise<void> {
  for (let attempts = 0; attempts < 200; attempts += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const probe = connect(address)
      probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
      probe.once('connect', () => probe.destroy())
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing listens at ${JSON.stringify(address)}: ${program.output()}`)
}

/** Returns the sum of a number for a process and its descendants, which `read` finds in their folders in /proc. */
export function sumOfProcesses(pid: number, read: (folder: string) => number): number {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readOrEmpty(`/proc/${name}/status`))?.[1] ?? 0)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const sum = (one: number): number =>
    [...(children.get(one) ?? [])].reduce((total, child) => total + sum(child), read(`/proc/${one}`))
  return sum(pid)
}

/** Returns the text of a file that may not exist, such as one in /proc whose process has ended. */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
