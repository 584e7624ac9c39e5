import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { challengeLimits, createCaptcha } from '../../src/server/auth/captcha.ts'
import {
  createLoginProgramRunner,
  loginProgramLimits,
} from '../../src/server/auth/methods/run-login-program.ts'
import { createHookRunner, hookLimits, type HookLimits } from '../../src/server/hooks/hook-runner.ts'
import { AppError, codeOf } from '../../src/shared/domain/failure.ts'
import { captchaServer } from '../kit/captcha-server.ts'
import { eventually } from '../kit/start-http-server.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'
import { oneRun, type LimitTestCase } from './limit.ts'
import { root } from '../../src/shared/domain/path.ts'
import { startProcess } from '../kit/start-process.ts'

const environment = { PATH: '/usr/bin:/bin' }

const values = { FILE: '/a', SCOPE: '.', TRIGGER: 'after_save', USERNAME: 'ann', DESTINATION: '' }

/** Returns the last line of a hook's output that reaches the log. */
async function lastLogLineOf(line: string, limits: Partial<HookLimits> = {}): Promise<string> {
  const logged: string[] = ['nothing']
  const log = (text: string): void => void logged.push(text)
  const runner = createHookRunner({
    start: startProcess,
    environment,
    limits: { ...hookLimits, ...limits },
    log,
    onFailure: () => {},
  })
  onTestFinished(() => runner.close())
  await runner.run({ trigger: 'after_save', lines: [line], shell: [], path: root, values }).catch(codeOf)
  return logged.at(-1) ?? ''
}

/**
 * Runs a hook that prints one letter the given number of times, and then a different letter. Returns the number of
 * letters in the log, and whether the log contains the different letter.
 */
async function loggedBytes(letters: number): Promise<unknown> {
  const logged = await lastLogLineOf(`sh -c 'head -c ${letters} /dev/zero | tr "\\0" x; printf y'`)
  return [logged.split('x').length - 1, logged.endsWith('y"')]
}

const credentials = { username: 'ann', password: 'secret' }

/** Returns the output of a login program, or the reason why it failed. */
async function loginProgramOutput(
  command: string,
  timeoutMs: number = loginProgramLimits.timeMs,
): Promise<string> {
  const run = createLoginProgramRunner({ start: startProcess, environment, timeoutMs })
  return run(command, credentials).catch((error: unknown) =>
    error instanceof AppError ? (error.reason ?? error.code) : String(error),
  )
}

/**
 * Starts 68 concurrent logins, and then one more. Returns how many login programs ran concurrently, and how many of the 68 and of all
 * logins were refused.
 */
const concurrentLogins = oneRun(async () => {
  const folder = temporaryFolder()
  const program = path.join(folder, 'program')
  const startedFile = path.join(folder, 'begun')
  writeFileSync(program, `echo >> ${startedFile}\nuntil [ -e ${folder}/go ]; do sleep 0.02; done\n`)
  const run = createLoginProgramRunner({ start: startProcess, environment, timeoutMs: 60_000 })
  const logIn = () => run(`sh ${program}`, credentials).then(() => '', codeOf)
  const logins = Array.from({ length: 68 }, logIn)
  const running = (): number => (existsSync(startedFile) ? readFileSync(startedFile).length : 0)
  await eventually(() => running() >= loginProgramLimits.atOnce, 15_000)
  // These programs take some time. If the server allowed too many login programs, the additional programs would start
  // in this time.
  for (let n = 0; n < 5; n += 1) await loginProgramOutput('true')
  const oneMore = logIn()
  const runningCount = running()
  writeFileSync(path.join(folder, 'go'), '')
  const refused = (await Promise.all(logins)).filter((code) => code === 'overloaded').length
  const refusedOfAll = refused + Number((await oneMore) === 'overloaded')
  return { runningCount, refused, refusedOfAll }
})

/**
 * Returns the outcome of a challenge whose captcha service responds with a body of the given size. The service does not
 * respond when the size is 0.
 */
async function challengeOutcome(
  sizeBytes: number,
  timeoutMs: number = challengeLimits.timeMs,
): Promise<unknown> {
  const [start, end] = ['{"success":true,"x":"', '"}']
  const text = start + 'x'.repeat(Math.max(0, sizeBytes - start.length - end.length)) + end
  const { host } = await captchaServer((reply) => void (sizeBytes === 0 ? null : reply.end(text)))
  const recaptcha = { host, key: 'key', secret: 'secret' }
  const settings = { signIn: async () => ({ recaptcha, header: '', command: '' }) }
  return createCaptcha({ settings, timeoutMs })('answer').catch(codeOf)
}

export const programLimitTests: readonly LimitTestCase[] = [
  {
    limit: 'a hook may run for 30 s (here: less)',
    limitNames: ['hooks.timeMs'],
    below: async () => [hookLimits.timeMs, await lastLogLineOf('echo done')],
    beyond: () => lastLogLineOf('sleep 60', { timeMs: 200 }),
    expected: [
      [30_000, 'Hook after_save printed: "done"'],
      'Hook after_save failed: it took too long: "sleep 60"',
    ],
  },
  {
    limit: 'at most 64 KiB of a hook’s output are logged',
    limitNames: ['hooks.outputBytes'],
    below: () => loggedBytes(64 * 1024 - 1),
    beyond: () => loggedBytes(64 * 1024),
    expected: [
      [64 * 1024 - 1, true],
      [64 * 1024, false],
    ],
  },
  {
    limit: 'at most a thousand lines of a hook’s output are logged',
    limitNames: ['hooks.outputLines'],
    below: () => lastLogLineOf(`sh -c 'seq 1 1000'`),
    beyond: () => lastLogLineOf(`sh -c 'seq 1 1001'`),
    expected: ['Hook after_save printed: "1000"', 'Hook after_save printed 1 more lines'],
  },
  {
    limit: 'a login program may run for 10 s (here: less)',
    limitNames: ['loginPrograms.timeMs'],
    below: async () => [loginProgramLimits.timeMs, await loginProgramOutput('echo done')],
    beyond: () => loginProgramOutput('sleep 60', 200),
    expected: [[10_000, 'done\n'], 'the login program failed: it took too long'],
  },
  {
    limit: 'a login program may print 64 KiB',
    limitNames: ['loginPrograms.outputBytes'],
    below: async () => (await loginProgramOutput('head -c 65536 /dev/zero')).length,
    beyond: () => loginProgramOutput('head -c 65537 /dev/zero'),
    expected: [65_536, 'the login program failed: it printed too much'],
  },
  {
    limit: 'four login programs run, 64 logins wait, and the next login is refused with 503',
    limitNames: ['loginPrograms.atOnce', 'loginPrograms.maxWaiting'],
    below: async () => {
      const { runningCount, refused } = await concurrentLogins()
      return [runningCount, refused]
    },
    beyond: async () => {
      const { runningCount, refusedOfAll } = await concurrentLogins()
      return [runningCount, refusedOfAll]
    },
    expected: [
      [4, 0],
      [4, 1],
    ],
  },
  {
    limit: 'the captcha service must respond within 10 s (here: less)',
    limitNames: ['challenges.timeMs'],
    below: async () => [challengeLimits.timeMs, await challengeOutcome(100)],
    beyond: () => challengeOutcome(0, 100),
    expected: [[10_000, true], 'internal'],
  },
  {
    limit: 'the captcha service may send 64 KiB',
    limitNames: ['challenges.responseBytes'],
    below: () => challengeOutcome(64 * 1024),
    beyond: () => challengeOutcome(64 * 1024 + 1),
    expected: [true, false],
  },
]
