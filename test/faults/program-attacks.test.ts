import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sandbox } from '../kit/command-socket.ts'
import { ada, ann, bea, runServer } from '../kit/run-server.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'
import {
  sendFromManyAddresses,
  expectNoImpact,
  sendConcurrently,
  targetOf,
  tokenOf,
  type AttackScenario,
  type AttackTarget,
} from './attack.ts'
import { delay, attackerAddress, statusOf } from './measure-attack.ts'

/**
 * These tests attack the server with programs. Users run commands, and programs of the administrator hang or print
 * endlessly while many requests wait for them.
 */
let target: AttackTarget
let adaToken = ''
/** How long each attack by commands lasts, in ms. Requests are measured every 100 ms. */
const durationMs = 600

beforeAll(async () => {
  const commandFlags = ['--perm.execute', '--commands=bash,sleep,true,yes']
  target = await targetOf(
    await runServer({
      people: [
        { ...ada, flags: [...(ada.flags ?? []), ...commandFlags] },
        { ...ann, flags: commandFlags },
        bea,
      ],
      files: { 'a.txt': 'A', docs: {}, new: {} },
      flags: ['--auth.trustedProxies=192.0.2.1', '--disableExec=false'],
    }),
  )
  adaToken = await tokenOf(target.server, ada)
})
afterAll(() => target.server.remove())

type AttackSocket = {
  readonly socket: WebSocket
  readonly status: Promise<number>
  readonly ended: Promise<void>
}

/** Opens a command socket and sends a command line on it. */
function openCommandSocket({ server }: AttackTarget, token: string, line: string): AttackSocket {
  const url = `${server.url.replace('http', 'ws')}/api/command/`
  const socket = new WebSocket(url, { headers: { 'x-auth': token }, localAddress: attackerAddress })
  const status = new Promise<number>((resolve) => {
    socket.once('open', () => {
      socket.send(line)
      resolve(101)
    })
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
      resolve(statusCode)
      socket.terminate()
    })
  })
  const ended = new Promise<void>((resolve) =>
    socket.on('error', () => undefined).once('close', () => resolve()),
  )
  return { socket, status, ended }
}

/**
 * Opens three sockets for each of two users and sends the same command line on every socket. The server runs one
 * command of each user at a time, and the other commands wait.
 */
async function runCommands(line: string, onOpen: (socket: WebSocket) => void = () => {}): Promise<number[]> {
  const sockets = [target.token, adaToken].flatMap((token) =>
    [1, 2, 3].map(() => openCommandSocket(target, token, line)),
  )
  for (const { socket } of sockets) socket.once('message', () => onOpen(socket))
  const statuses = await Promise.all(sockets.map(({ status }) => status))
  await delay(durationMs)
  for (const { socket } of sockets) socket.terminate()
  await Promise.all(sockets.map(({ ended }) => ended))
  return statuses
}

const commandAttacks: readonly AttackScenario[] = [
  {
    name: 'hundreds of command sockets',
    statuses: [101, 429],
    async attack() {
      const statuses: number[] = []
      for (let wave = 0; wave < 6; wave += 1) {
        const sockets = Array.from({ length: 80 }, () => openCommandSocket(target, target.token, 'sleep 60'))
        statuses.push(...(await Promise.all(sockets.map(({ status }) => status))))
        for (const { socket } of sockets) socket.terminate()
        await Promise.all(sockets.map(({ ended }) => ended))
      }
      return statuses
    },
  },
  {
    name: 'commands one after the other',
    statuses: [101],
    async attack() {
      const startMs = performance.now()
      const statuses: number[] = []
      while (performance.now() - startMs < durationMs) {
        const round = [1, 2, 3].map(() => openCommandSocket(target, target.token, 'true'))
        statuses.push(...(await Promise.all(round.map(({ status }) => status))))
        await Promise.all(round.map(({ ended }) => ended))
      }
      return statuses
    },
  },
  ...[
    ['lines', 'yes'],
    ['empty lines', `yes ''`],
    ['one line', `bash -c 'exec tr "\\0" x < /dev/zero'`],
    ['binary data', `bash -c 'exec cat /dev/urandom'`],
    ['control sequences', `bash -c 'exec yes $(printf "\\033]\\033[31m")'`],
  ].map(([output, line = '']) => ({
    name: `commands that print ${output} without end`,
    statuses: [101],
    attack: () => runCommands(line),
  })),
  {
    name: 'commands that print without end to a client that does not read',
    statuses: [101],
    attack: () => runCommands('yes', (socket) => socket.pause()),
  },
]

const skipNote = sandbox.isUsable ? '' : ` (SKIPPED: ${sandbox.reason})`
describe.skipIf(!sandbox.isUsable)(`commands${skipNote}`, () => {
  test.each(commandAttacks)('$name', (attack) => expectNoImpact(target, attack))
})

/** Sets the command line of the hook that runs at each upload. An empty line removes the hook. */
async function setHook(trigger: string, line: string): Promise<void> {
  const body = JSON.stringify({ commands: { [trigger]: line === '' ? [] : [line] } })
  const headers = { 'x-auth': adaToken }
  const call = { path: '/api/settings', method: 'PUT', headers, body }
  expect(await statusOf(target.server, call)).toBe(200)
}

/** Uploads 30 new files as Ann, each of which starts a hook. */
const uploadManyFiles = (): Promise<number[]> =>
  sendConcurrently(target, 30, (n) => ({
    path: `/api/resources/new/${n}?override=true`,
    method: 'POST',
    body: 'x',
  }))

/**
 * These hooks end by themselves. The server would stop them only after 30 s, which is longer than a test may take. Those that
 * print keep both processors busy, so 30 of them at a time print for no longer than some seconds altogether.
 */
test.each([
  ['hang', 'before_upload', 'sleep 0.25'],
  ['print without end', 'before_upload', 'timeout 0.2 yes'],
  ['print without end, to both outputs', 'after_upload', `sh -c 'timeout 0.2 yes | tee /dev/stderr'`],
  ['print without end in the background', 'after_upload', 'timeout 0.3 yes &'],
])('hooks that %s', async (_case, trigger, line) => {
  await setHook(trigger, line)
  await expectNoImpact(target, { attack: uploadManyFiles, statuses: [200, 500] })
  await setHook(trigger, '')
})

/** Installs a login program with the given script. The server calls this program to accept or refuse each login. */
async function setLoginProgram(script: string): Promise<void> {
  const program = path.join(temporaryFolder(), 'login-program')
  writeFileSync(program, script)
  await target.server.cli('config', 'set', '--auth.method=hook', `--auth.command=/bin/sh ${program}`)
}

/** Four login programs run and 64 logins wait, so that of 80 logins some are refused. */
test.each([
  ['hang', 'exec sleep 0.1'],
  ['print without end', 'exec yes'],
  ['complain without end', 'exec timeout 0.1 yes >&2'],
])('login programs that %s', async (_case, script) => {
  await setLoginProgram(script)
  const attack = (): Promise<number[]> =>
    sendFromManyAddresses(target, 80, (n) => {
      const body = JSON.stringify({ username: `name ${n}`, password: 'x' })
      return { path: '/api/login', method: 'POST', body }
    })
  await expectNoImpact(target, { attack, statuses: [403, 500, 503] })
})
