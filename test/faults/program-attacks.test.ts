import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sandbox } from '../kit/command-socket.ts'
import { ada, ann, bea, runServer } from '../kit/run-server.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'
import { crowd, expectUnfelt, storm, targetOf, tokenOf, type Attack, type AttackTarget } from './attack.ts'
import { after, elsewhere, statusOf } from './siege.ts'

/**
 * Attacks with programs: commands of users, and programs of the administrator that hang or print endlessly while many
 * requests wait for them.
 */
let target: AttackTarget
let adaToken = ''
const forMs = 1000

beforeAll(async () => {
  const may = ['--perm.execute', '--commands=bash,sleep,true,yes']
  target = await targetOf(
    await runServer({
      people: [{ ...ada, flags: [...(ada.flags ?? []), ...may] }, { ...ann, flags: may }, bea],
      files: { 'a.txt': 'A', docs: {}, new: {} },
      flags: ['--auth.trustedProxies=192.0.2.1', '--disableExec=false'],
    }),
  )
  adaToken = await tokenOf(target.server, ada)
})
afterAll(() => target.server.remove())

type CommandSocket = {
  readonly socket: WebSocket
  readonly status: Promise<number>
  readonly ended: Promise<void>
}

/** Opens a command socket and sends a command line on it. */
function dial({ server }: AttackTarget, token: string, line: string): CommandSocket {
  const url = `${server.url.replace('http', 'ws')}/api/command/`
  const socket = new WebSocket(url, { headers: { 'x-auth': token }, localAddress: elsewhere })
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
 * Sends the same command line on three sockets of each of two users. One command of each user runs at a time, and the
 * others wait.
 */
async function saying(line: string, onOpen: (socket: WebSocket) => void = () => {}): Promise<number[]> {
  const dialled = [target.token, adaToken].flatMap((token) => [1, 2, 3].map(() => dial(target, token, line)))
  for (const { socket } of dialled) socket.once('message', () => onOpen(socket))
  const statuses = await Promise.all(dialled.map(({ status }) => status))
  await after(forMs)
  for (const { socket } of dialled) socket.terminate()
  await Promise.all(dialled.map(({ ended }) => ended))
  return statuses
}

const commandAttacks: readonly Attack[] = [
  {
    name: 'command sockets by the hundred',
    statuses: [101, 429],
    async attack() {
      const statuses: number[] = []
      for (let wave = 0; wave < 6; wave += 1) {
        const sockets = Array.from({ length: 80 }, () => dial(target, target.token, 'sleep 60'))
        statuses.push(...(await Promise.all(sockets.map(({ status }) => status))))
        for (const { socket } of sockets) socket.terminate()
        await Promise.all(sockets.map(({ ended }) => ended))
      }
      return statuses
    },
  },
  {
    name: 'a command after the other',
    statuses: [101],
    async attack() {
      const startMs = performance.now()
      const statuses: number[] = []
      while (performance.now() - startMs < forMs) {
        const round = [1, 2, 3].map(() => dial(target, target.token, 'true'))
        statuses.push(...(await Promise.all(round.map(({ status }) => status))))
        await Promise.all(round.map(({ ended }) => ended))
      }
      return statuses
    },
  },
  ...[
    ['lines', 'yes'],
    ['lines of nothing', `yes ''`],
    ['one line', `bash -c 'exec tr "\\0" x < /dev/zero'`],
    ['what is no text', `bash -c 'exec cat /dev/urandom'`],
    ['control sequences', `bash -c 'exec yes $(printf "\\033]\\033[31m")'`],
  ].map(([what, line = '']) => ({
    name: `commands that print ${what} without end`,
    statuses: [101],
    attack: () => saying(line),
  })),
  {
    name: 'commands that print without end to somebody who does not read',
    statuses: [101],
    attack: () => saying('yes', (socket) => socket.pause()),
  },
]

const why = sandbox.isUsable ? '' : ` (SKIPPED: ${sandbox.reason})`
describe.skipIf(!sandbox.isUsable)(`commands${why}`, () => {
  test.each(commandAttacks)('$name', (attack) => expectUnfelt(target, attack))
})

/** Sets the hook line that runs at each upload. */
async function hooked(trigger: string, line: string): Promise<void> {
  const body = JSON.stringify({ commands: { [trigger]: line === '' ? [] : [line] } })
  const headers = { 'x-auth': adaToken }
  const call = { path: '/api/settings', method: 'PUT', headers, body }
  expect(await statusOf(target.server, call)).toBe(200)
}

/** Uploads 60 new files as Ann, each of which starts a hook. */
const uploads = (): Promise<number[]> =>
  storm(target, 60, (n) => ({ path: `/api/resources/new/${n}?override=true`, method: 'POST', body: 'x' }))

/**
 * These hooks end by themselves, because the server would end a hook only after 30 s, which is longer than a test may
 * take.
 */
test.each([
  ['hang', 'before_upload', 'sleep 0.5'],
  ['print without end', 'before_upload', 'timeout 0.5 yes'],
  ['print without end, to both outputs', 'after_upload', `sh -c 'timeout 0.5 yes | tee /dev/stderr'`],
  ['print without end, and are not waited for', 'after_upload', 'timeout 1 yes &'],
])('hooks that %s', async (_case, trigger, line) => {
  await hooked(trigger, line)
  await expectUnfelt(target, { attack: uploads, statuses: [200, 500] })
  await hooked(trigger, '')
})

/** Sets the login program, which accepts or refuses every login. */
async function judging(script: string): Promise<void> {
  const program = path.join(temporaryFolder(), 'judge')
  writeFileSync(program, script)
  await target.server.cli('config', 'set', '--auth.method=hook', `--auth.command=/bin/sh ${program}`)
}

test.each([
  ['hang', 'exec sleep 0.15'],
  ['print without end', 'exec yes'],
  ['complain without end', 'exec timeout 0.15 yes >&2'],
])('login programs that %s', async (_case, script) => {
  await judging(script)
  const attack = (): Promise<number[]> =>
    crowd(target, 100, (n) => {
      const body = JSON.stringify({ username: `name ${n}`, password: 'x' })
      return { path: '/api/login', method: 'POST', body }
    })
  await expectUnfelt(target, { attack, statuses: [403, 500, 503] })
})
