import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { HookTrial } from '../../shared/contract/settings.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createPlainText } from '../programs/plain-text.ts'
import { emptyValues, parseHookLine, type HookValues } from './hook-command.ts'
import { refusalTextOf } from './refusal-text.ts'
import { runHookProgram, type HookProgramDependencies } from './run-hook-program.ts'

export type HookTrialDependencies = HookProgramDependencies & {
  readonly settings: () => Promise<Pick<Settings, 'shell'>>
  readonly nowMs: () => number
  readonly limiter: KeyedLimiter
}

/** A line to try, in the name of an administrator. */
export type HookTrialRequest = {
  readonly event: string
  readonly line: string
  readonly username: string
  readonly signal: AbortSignal
}

/** The events at which the changed file, or its copy, does not exist at its place. */
const eventsWithoutFile: readonly string[] = ['before_upload', 'after_rename', 'after_delete']
const eventsWithCopy: readonly string[] = ['after_copy', 'after_rename']

/**
 * Runs a line once and waits for its end, also when it ends with `&`. Its values are those of a sample file in a folder for
 * temporary files, so that a program that changes or deletes its file does no harm.
 */
export async function tryHookLine(
  dependencies: HookTrialDependencies,
  { event, line, username, signal }: HookTrialRequest,
): Promise<HookTrial> {
  const { shell } = await dependencies.settings()
  const options = { shell, values: emptyValues }
  const parsed = parseHookLine(line, options)
  if (parsed.kind === 'empty') throw new AppError('bad-request', { reason: 'the line is empty' })
  if (parsed.kind === 'broken') return { end: 'broken', status: null, output: '', reason: '', durationMs: 0 }
  return runLimited({ limiter: dependencies.limiter, key: 'trial', signal }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stowage-trial-'))
    try {
      const values = await prepareSample(folder, event, username)
      return await runTrial(dependencies, { line, shell, values, signal })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** Creates the sample file as it would be at the event. Returns the values that the line gets. */
async function prepareSample(folder: string, event: string, username: string): Promise<HookValues> {
  const file = path.join(folder, 'sample.txt')
  const copy = path.join(folder, 'sample 2.txt')
  const hasDestination = /_(?:copy|rename)$/.test(event)
  const text = 'This is a sample file.\n'
  if (!eventsWithoutFile.includes(event)) await writeFile(file, text)
  if (eventsWithCopy.includes(event)) await writeFile(copy, text)
  return {
    FILE: file,
    SCOPE: '.',
    TRIGGER: event,
    USERNAME: username,
    DESTINATION: hasDestination ? copy : folder,
  }
}

async function runTrial(
  dependencies: HookTrialDependencies,
  {
    line,
    shell,
    values,
    signal,
  }: {
    readonly line: string
    readonly shell: readonly string[]
    readonly values: HookValues
    readonly signal: AbortSignal
  },
): Promise<HookTrial> {
  const command = parseHookLine(line, { shell, values })
  if (command.kind !== 'program') throw new AppError('internal')
  const startMs = dependencies.nowMs()
  const { ending, output, firstLine } = await runHookProgram(dependencies, command, { values, signal })
  if (ending.kind === 'aborted') throw new AppError('aborted')
  const hasFailed = ending.kind !== 'exited' || ending.status !== 0
  return {
    end: ending.kind,
    status: ending.kind === 'exited' ? ending.status : null,
    output: createPlainText()(output),
    reason: hasFailed ? (refusalTextOf(firstLine, { ...values, servedFolder: '' }) ?? '') : '',
    durationMs: Math.round(dependencies.nowMs() - startMs),
  }
}
