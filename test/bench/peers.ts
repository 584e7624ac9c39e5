import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const peersFolder = path.join(import.meta.dirname, 'peers')

/** True when a program is installed on this machine. */
export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Compiles a C program of the benchmark and returns its path. Returns null when there is no compiler. */
export const compileProgram = (name: string): Promise<string | null> => compile(name, [])

/** Compiles one of the benchmark's C files as a library that is loaded into a program. Returns null without a compiler. */
export const compileLibrary = (name: string): Promise<string | null> => compile(name, ['-shared', '-fPIC'])

async function compile(name: string, options: readonly string[]): Promise<string | null> {
  if (!isInstalled('cc')) return null
  const output = path.join(await mkdtemp(path.join(tmpdir(), 'stowage-bench-')), name)
  const result = spawnSync('cc', ['-O2', ...options, '-o', output, path.join(peersFolder, `${name}.c`)], {
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(result.stderr)
  return output
}

/** A running server that our server is compared with. */
export type PeerServer = { readonly port: number; readonly pid: number; stop(): void }

/** Starts one of the benchmark's Go servers, which serves a folder. Returns null when Go is not installed. */
export async function goServer(
  name: 'list-server' | 'file-server',
  folder: string,
): Promise<PeerServer | null> {
  if (!isInstalled('go')) return null
  const program = path.join(await mkdtemp(path.join(tmpdir(), 'stowage-bench-')), name)
  const result = spawnSync('go', ['build', '-o', program, path.join(peersFolder, `${name}.go`)], {
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(result.stderr)
  const child = spawn(program, [folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  )
  return { port: Number(address.split(':').at(-1)), pid: child.pid ?? 0, stop: () => child.kill() }
}

/**
 * Starts nginx, which serves a folder with sendfile for GET and WebDAV for PUT. Returns null when nginx is not
 * installed.
 */
export async function nginx(folder: string): Promise<PeerServer | null> {
  if (!isInstalled('nginx')) return null
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-nginx-'))
  await mkdir(path.join(state, 'body'))
  const port = await freePort()
  const file = path.join(state, 'nginx.conf')
  await writeFile(file, configurationOf({ state, folder, port }))
  const child = spawn('nginx', ['-c', file, '-e', path.join(state, 'error.log'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  await waitUntilListening(port, child)
  return { port, pid: workerOf(child.pid ?? 0), stop: () => child.kill() }
}

/** Returns the id of nginx's worker process, which handles the requests. Its parent process only supervises it. */
function workerOf(pid: number): number {
  const children = spawnSync('cat', [`/proc/${pid}/task/${pid}/children`], { encoding: 'utf8' }).stdout
  return Number.parseInt(children, 10) || pid
}

/** Starts rclone, which serves a folder over WebDAV. Returns null when rclone is not installed. */
export async function rclone(folder: string): Promise<PeerServer | null> {
  if (!isInstalled('rclone')) return null
  const port = await freePort()
  const child = spawn('rclone', ['serve', 'webdav', '--addr', `127.0.0.1:${port}`, folder], {
    stdio: 'ignore',
  })
  await waitUntilListening(port, child)
  return { port, pid: child.pid ?? 0, stop: () => child.kill() }
}

/** The user account that is created on the compared servers, if they support user accounts. */
export const peerUser = { name: 'ada', password: 'peers-password' } as const
export const peerUserHeaders = {
  authorization: `Basic ${Buffer.from(`${peerUser.name}:${peerUser.password}`).toString('base64')}`,
} as const

/** Starts dufs, a file manager written in Rust, with one user. Returns null when dufs is not installed. */
export async function dufs(folder: string): Promise<PeerServer | null> {
  if (!isInstalled('dufs')) return null
  const port = await freePort()
  const args = ['--bind', '127.0.0.1', '--port', `${port}`, '--allow-all', '--log-format', '']
  const account = `${peerUser.name}:${peerUser.password}@/:rw`
  const child = spawn('dufs', [...args, '--auth', account, folder], { stdio: 'ignore' })
  await waitUntilListening(port, child)
  return { port, pid: child.pid ?? 0, stop: () => child.kill() }
}

/** Starts copyparty, a file manager written in Python, with one user. Returns null when copyparty is not installed. */
export async function copyparty(folder: string): Promise<PeerServer | null> {
  if (!isInstalled('copyparty')) return null
  const port = await freePort()
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-copyparty-'))
  const args = ['-i', '127.0.0.1', '-p', `${port}`, '-q', '-a', `${peerUser.name}:${peerUser.password}`]
  const child = spawn('copyparty', [...args, '-v', `${folder}::rwd,${peerUser.name}`], {
    stdio: 'ignore',
    env: { ...process.env, XDG_CONFIG_HOME: state, HOME: state },
  })
  await waitUntilListening(port, child)
  return { port, pid: child.pid ?? 0, stop: () => child.kill() }
}

const configurationOf = ({
  state,
  folder,
  port,
}: {
  state: string
  folder: string
  port: number
}): string => `
worker_processes 1; pid ${state}/pid; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off; keepalive_requests 1000000; sendfile on; tcp_nopush on; tcp_nodelay on; client_max_body_size 0;
  client_body_temp_path ${folder}/.nginx-body; proxy_temp_path ${state}/p; fastcgi_temp_path ${state}/f;
  uwsgi_temp_path ${state}/u; scgi_temp_path ${state}/s;
  server { listen 127.0.0.1:${port}; root ${folder}; location / { dav_methods PUT DELETE; create_full_put_path on; } }
}
`

async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error('a peer server did not start')
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('a peer server does not respond')
}

/** Returns the number of a port that is free at the moment of the call. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
