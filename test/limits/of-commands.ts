import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { commandLimits, type CommandLimits } from '../../src/server/shell/command-limits.ts'
import { createLineSplitter } from '../../src/server/shell/line-splitter.ts'
import { createCommandOutput } from '../../src/server/shell/command-output.ts'
import { openCommand } from '../kit/command-socket.ts'
import { isProcessArgument } from '../kit/is-running.ts'
import { eventually } from '../kit/start-http-server.ts'
import { startApp, type TestApp } from '../kit/start-app.ts'
import type { LimitTestCase } from './limit.ts'

/** Starts a server on which commands run without a sandbox when the machine has none. */
const startCommandServer = (limits: Partial<CommandLimits> = {}): Promise<TestApp> =>
  startApp({
    config: { disableExec: false, unsafeExec: true },
    user: { commands: ['sh', 'sleep', 'echo'] },
    commandLimits: limits,
  })

/** Runs a command line and returns how the command ends. */
async function endReasonOf(line: string, limits: Partial<CommandLimits> = {}): Promise<string> {
  const app = await startCommandServer(limits)
  const { socket, ended } = await openCommand(app, app)
  socket.send(line)
  return (await ended).reason
}

/** Runs a command that exceeds its time limit. Returns how the command ends, after all of its processes have ended. */
async function endReasonOfLongCommand(): Promise<string> {
  // This argument identifies the processes of the command.
  const pause = `5000.${process.pid}`
  const reason = await endReasonOf(`sleep ${pause}`, { timeMs: 500 })
  await eventually(() => !isProcessArgument(pause))
  return reason
}

/** Returns how long the server delays output of the given size, in ms of a clock that the test controls. */
async function outputDelayMs(sizeBytes: number): Promise<number> {
  const clock = { nowMs: 0 }
  const sleep = async (ms: number): Promise<void> => void (clock.nowMs += ms)
  const output = createCommandOutput(
    { nowMs: () => clock.nowMs, sleep },
    { deliver: () => Promise.resolve() },
  )
  const part = Buffer.alloc(64 * 1024, 'x'.repeat(1023) + '\n')
  for (let offset = 0; offset < sizeBytes; offset += part.length) await output.write(part)
  return Math.floor(clock.nowMs / 1000) * 1000
}

/** Returns the lengths of the messages into which a line of the given length is split. */
function messageLengthsOf(sizeBytes: number): readonly number[] {
  const lines = createLineSplitter()
  return [...lines.push(Buffer.alloc(sizeBytes, 'x')), ...lines.flush()].map(({ length }) => length)
}

type AppChange = (app: TestApp) => Promise<unknown>

const changePermissions =
  (perm: object): AppChange =>
  async ({ records, user }) =>
    records.users.update(user.id, { perm: { ...user.perm, ...perm } })

/**
 * Runs a command, makes the given change while the command runs, and returns how the command ends. The command may also
 * finish normally.
 */
async function endReasonAfter(change: AppChange): Promise<string> {
  const app = await startCommandServer({ recheckMs: 5 })
  const { socket, lines, ended } = await openCommand(app, app)
  socket.send(`sh -c 'echo on; until [ -e stop ]; do sleep 0.02; done'`)
  await eventually(() => lines.includes('on'), 15_000)
  await change(app)
  for (let n = 0; n < 20; n += 1) await app.fetch('/api/resources/')
  await writeFile(path.join(app.disk, 'stop'), '')
  return (await ended).reason
}

/**
 * Returns true when a command ends within a second after a change. One success in five attempts is enough, because a
 * shared machine may pause.
 */
async function endsSoon(change: AppChange): Promise<boolean> {
  let tookMs = Number.POSITIVE_INFINITY
  for (let n = 0; n < 5 && tookMs >= 1000; n += 1) {
    const app = await startCommandServer()
    const { socket, lines } = await openCommand(app, app)
    socket.send(`sh -c 'echo on; sleep 60'`)
    await eventually(() => lines.includes('on'), 15_000)
    const startMs = performance.now()
    await change(app)
    await eventually(() => app.lines.some((line) => line.includes('command ran')), 15_000)
    tookMs = performance.now() - startMs
  }
  return tookMs < 1000
}

const mebibyte = 1024 * 1024

export const commandLimitTests: readonly LimitTestCase[] = [
  {
    limit: 'a command may run for 60 s (here: less)',
    limitNames: ['commands.timeMs'],
    below: async () => [commandLimits.timeMs, await endReasonOf('echo done')],
    beyond: endReasonOfLongCommand,
    expected: [[60_000, '0'], 'time-limit'],
  },
  {
    limit: 'a command may print 1 MB without delay, and then 1 MB a second',
    limitNames: ['commands.outputBytesPerSecond'],
    below: () => outputDelayMs(mebibyte * 0.9),
    beyond: () => outputDelayMs(mebibyte * 3),
    expected: [0, 2000],
  },
  {
    limit: 'a line of output has at most 64 KiB, and a longer line is split',
    limitNames: ['commands.lineBytes'],
    below: async () => messageLengthsOf(64 * 1024),
    beyond: async () => messageLengthsOf(64 * 1024 + 1),
    expected: [[64 * 1024], [64 * 1024, 1]],
  },
  {
    limit:
      'a command ends within a second after the user loses the permission, and not because of other changes',
    limitNames: ['commands.recheckMs'],
    below: () => endReasonAfter(changePermissions({ share: false })),
    beyond: () => endsSoon(changePermissions({ execute: false })),
    expected: ['0', true],
  },
  {
    limit: 'a command ends within a second after its session, and not because of another session',
    below: () => endReasonAfter(async (app) => (await app.signIn('ann')).call('sessions.logout')),
    beyond: () => endsSoon(async (app) => app.call('sessions.logout')),
    expected: ['0', true],
  },
]
