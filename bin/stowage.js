#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { memoryLimitBytes, mostPoolThreads, nodeOptionsFor } from './memory-limit.js'
import { isNewEnough, launch, oldestMajor, pinnedRuntime, unsupportedProcessor } from './runtime.js'
import { freeTasks, tasksOfNode, threadPoolSizeWithin, tooFewTasks } from './task-limit.js'

/** Starts the bundle when it has been built, and otherwise the TypeScript source, from which Node strips the types. */
const bundle = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
const source = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const server = existsSync(bundle) ? bundle : source

// When the pinned runtime is started, it needs the tasks that every process of Node has, too.
const tasks = Math.max(0, freeTasks() - (isNewEnough() ? 0 : tasksOfNode))
const memoryBytes = memoryLimitBytes()
const threads = threadPoolSizeWithin(tasks, mostPoolThreads(memoryBytes))
const unsupported = unsupportedProcessor()
if (unsupported !== null) {
  process.stderr.write(`${unsupported}\n`)
  process.exitCode = 1
} else if (threads === null) {
  process.stderr.write(tooFewTasks(tasks))
  process.exitCode = 1
} else {
  process.env['UV_THREADPOOL_SIZE'] ??= String(threads)
  if (isNewEnough()) await serveHere()
  else await serveOnPinnedRuntime()
}

async function serveHere() {
  const options = nodeOptionsFor(memoryBytes, process.execArgv)
  // These options work from the start of Node only. The process keeps its id, and its streams for input and output.
  if (options.length > 0 && process.platform !== 'win32' && process.execve !== undefined)
    process.execve(
      process.execPath,
      [process.execPath, ...options, ...process.execArgv, ...process.argv.slice(1)],
      process.env,
    )
  // The server reads `process.argv`, so its own path replaces the path of this launcher.
  process.argv[1] = server
  await import(pathToFileURL(server).href)
}

async function serveOnPinnedRuntime() {
  const runtime = pinnedRuntime(import.meta.url)
  if (runtime === null) {
    process.stderr.write(
      `Stowage needs Node ${oldestMajor} or newer; this is Node ${process.versions.node}. Get it from https://nodejs.org/\n`,
    )
    process.exitCode = 2
    return
  }
  process.exitCode = await launch({ runtime, args: [server, ...process.argv.slice(2)] }).ended
}
