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
import type { LimitTestCase } from './limit.ts'

const environment = { PATH: '/usr/bin:/bin' }

const values = { FILE: '/a', SCOPE: '.', TRIGGER: 'after_save', USERNAME: 'ann', DESTINATION: '' }

/** Returns the last line of a hook's output that reaches the log. */
async function loggedOf(line: string, limits: Partial<HookLimits> = {}): Promise<string> {
  const logged: string[] = ['nothing']
  const log = (text: string): void => void logged.push(text)
  const runner = createHookRunner({ environment, limits: { ...hookLimits, ...limits }, log })
  onTestFinished(() => runner.close())
  await runner.run({ trigger: 'after_save', lines: [line], shell: [], values }).catch(codeOf)
  return logged.at(-1) ?? ''
}

/**
 * Runs a hook that prints the given number of equal letters and then a different letter. Returns the number of letters
 * in the log, and whether the log contains the last letter.
 */
async function loggedBytes(letters: number): Promise<unknown> {
  const logged = await loggedOf(`sh -c 'head -c ${letters} /dev/zero | tr "\\0" x; printf y'`)
  return [logged.split('x').length - 1, logged.endsWith('y"')]
}

const credentials = { username: 'ann', password: 'secret' }

/** Returns the output of a login program, or the reason why it failed. */
async function saidBy(command: string, timeoutMs: number = loginProgramLimits.timeMs): Promise<string> {
  const run = createLoginProgramRunner({ environment, timeoutMs })
  return run(command, credentials).catch((error: unknown) =>
    error instanceof AppError ? (error.reason ?? error.code) : String(error),
  )
}

/**
 * Starts `count` concurrent logins. Returns how many login programs ran concurrently and how many logins were refused.
 */
async function loginsAtOnce(count: number): Promise<unknown> {
  const folder = temporaryFolder()
  const program = path.join(folder, 'program')
  const begun = path.join(folder, 'begun')
  writeFileSync(program, `echo >> ${begun}\nuntil [ -e ${folder}/go ]; do sleep 0.02; done\n`)
  const run = createLoginProgramRunner({ environment, timeoutMs: 60_000 })
  const asked = Array.from({ length: count }, () => run(`sh ${program}`, credentials).then(() => '', codeOf))
  const running = (): number => (existsSync(begun) ? readFileSync(begun).length : 0)
  await eventually(() => running() >= loginProgramLimits.atOnce, 15_000)
  // These programs give any further program that is allowed to run concurrently enough time to start.
  for (let n = 0; n < 5; n += 1) await saidBy('true')
  const together = running()
  writeFileSync(path.join(folder, 'go'), '')
  const refused = (await Promise.all(asked)).filter((code) => code === 'overloaded')
  return [together, refused.length]
}

/**
 * Returns the outcome of a challenge whose service answers with a body of the given size. The service does not answer
 * when the size is 0.
 */
async function challenged(sizeBytes: number, timeoutMs: number = challengeLimits.timeMs): Promise<unknown> {
  const [start, end] = ['{"success":true,"x":"', '"}']
  const text = start + 'x'.repeat(Math.max(0, sizeBytes - start.length - end.length)) + end
  const { host } = await captchaServer((reply) => void (sizeBytes === 0 ? null : reply.end(text)))
  const recaptcha = { host, key: 'key', secret: 'secret' }
  const settings = { signIn: async () => ({ recaptcha, header: '', command: '' }) }
  return createCaptcha({ settings, timeoutMs })('answer').catch(codeOf)
}

export const ofPrograms: readonly LimitTestCase[] = [
  {
    limit: 'a hook has 30 s (here: less)',
    constants: ['hooks.timeMs'],
    below: async () => [hookLimits.timeMs, await loggedOf('echo done')],
    beyond: () => loggedOf('sleep 60', { timeMs: 200 }),
    says: [[30_000, 'Hook after_save says: "done"'], 'Hook after_save failed: it took too long: "sleep 60"'],
  },
  {
    limit: 'of a hook’s output 64 KiB reach the log',
    constants: ['hooks.outputBytes'],
    below: () => loggedBytes(64 * 1024 - 1),
    beyond: () => loggedBytes(64 * 1024),
    says: [
      [64 * 1024 - 1, true],
      [64 * 1024, false],
    ],
  },
  {
    limit: 'of a hook’s output a thousand lines reach the log',
    constants: ['hooks.outputLines'],
    below: () => loggedOf(`sh -c 'seq 1 1000'`),
    beyond: () => loggedOf(`sh -c 'seq 1 1001'`),
    says: ['Hook after_save says: "1000"', 'Hook after_save says more: 1 lines'],
  },
  {
    limit: 'a login program has 10 s (here: less)',
    constants: ['loginPrograms.timeMs'],
    below: async () => [loginProgramLimits.timeMs, await saidBy('echo done')],
    beyond: () => saidBy('sleep 60', 200),
    says: [[10_000, 'done\n'], 'the login program failed: it took too long'],
  },
  {
    limit: 'a login program says 64 KiB',
    constants: ['loginPrograms.outputBytes'],
    below: async () => (await saidBy('head -c 65536 /dev/zero')).length,
    beyond: () => saidBy('head -c 65537 /dev/zero'),
    says: [65_536, 'the login program failed: it printed too much'],
  },
  {
    limit: 'four login programs run and 64 logins wait; the next is 503',
    constants: ['loginPrograms.atOnce', 'loginPrograms.maxWaiting'],
    below: () => loginsAtOnce(68),
    beyond: () => loginsAtOnce(69),
    says: [
      [4, 0],
      [4, 1],
    ],
  },
  {
    limit: 'a challenge has 10 s (here: less)',
    constants: ['challenges.timeMs'],
    below: async () => [challengeLimits.timeMs, await challenged(100)],
    beyond: () => challenged(0, 100),
    says: [[10_000, true], 'internal'],
  },
  {
    limit: 'the service of a challenge says 64 KiB',
    constants: ['challenges.responseBytes'],
    below: () => challenged(64 * 1024),
    beyond: () => challenged(64 * 1024 + 1),
    says: [true, false],
  },
]
