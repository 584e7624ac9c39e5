import { mkdir } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import type { Plugin } from 'vite'
import type { BrowserCommand } from 'vitest/node'
import { ada, ann, runServer, unusedPort, type RunningServer } from '../kit/run-server.ts'
import { componentFiles, type FileGroup, fileGroups } from './files.ts'
import { makeTree } from '../kit/tree.ts'
import type { WorkerServer } from './worker-server.ts'

const servers = new Map<string, Promise<RunningServer>>()

/** Returns the URL of the server of a worker. Each worker of the browser has a server of its own. */
export async function urlOfWorker(sessionId: string): Promise<string> {
  const { url } = await (servers.get(sessionId) ?? startServerOf(sessionId))
  return url
}

/** Returns the server of the worker, as its page knows it. */
export const serverOfWorker: BrowserCommand = async ({ sessionId }): Promise<WorkerServer> => {
  const url = await urlOfWorker(sessionId)
  return {
    basePath: new URL(url).pathname,
    username: ann.name,
    password: ann.password,
    administrator: { username: ada.name, password: ada.password },
  }
}

/** The groups of files that each server has. */
const added = new WeakMap<RunningServer, Set<FileGroup>>()

/** Makes the files of a group, and puts them into the folder of this name on the server of the worker, unless they are there. */
export const addFiles: BrowserCommand<[group: FileGroup]> = async ({ sessionId }, group) => {
  const server = await (servers.get(sessionId) ?? startServerOf(sessionId))
  const groups = added.get(server) ?? new Set()
  added.set(server, groups)
  if (groups.has(group)) return
  groups.add(group)
  const folder = path.join(server.folder, group)
  await mkdir(folder)
  await makeTree(folder, await fileGroups[group]())
}

/** Starts the server of a worker. A start that fails is forgotten, so that the next test of the worker tries again. */
function startServerOf(sessionId: string): Promise<RunningServer> {
  const starting = startServer().catch((error: unknown) => {
    servers.delete(sessionId)
    throw error
  })
  servers.set(sessionId, starting)
  return starting
}

async function startServer(): Promise<RunningServer> {
  const port = await unusedPort()
  return runServer({ files: componentFiles, people: [ada, ann], port, basePath: `/at-${port}` })
}

/** Stops all servers. Vite calls this at the end of the run. */
async function stopServers(): Promise<void> {
  const running = [...servers.values()]
  servers.clear()
  await Promise.all(running.map(async (server) => (await server).remove()))
}

/** Passes the requests below the base path of a worker's server on to this server, which is therefore on the host of the page. */
export const serverProxy: Plugin = {
  name: 'server-proxy',
  closeBundle: stopServers,
  configureServer({ middlewares }) {
    middlewares.use((incoming, response, next) => {
      const [, port] = /^\/at-(\d+)\//.exec(incoming.url ?? '') ?? []
      if (port === undefined) return next()
      const { method, headers, url } = incoming
      const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      outgoing.once('error', () => response.destroy())
      incoming.pipe(outgoing)
    })
  },
}
