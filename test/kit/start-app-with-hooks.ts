import { hookEvents } from '../../src/shared/contract/hook-events.ts'
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts'

/** The names of all hook triggers. Each event has one trigger before it and one trigger after it. */
export const hookTriggers: readonly string[] = hookEvents.flatMap(({ name }) => [
  `before_${name}`,
  `after_${name}`,
])

/** The command lines of the hooks, keyed by trigger, or one command line for all triggers. */
export type HookCommandLines = string | Readonly<Record<string, readonly string[]>>

/** Returns the value of the setting `commands` for the given hooks. */
export const hookCommands = (lines: HookCommandLines): Readonly<Record<string, readonly string[]>> =>
  typeof lines === 'string' ? Object.fromEntries(hookTriggers.map((trigger) => [trigger, [lines]])) : lines

/** Starts the real server with the given hooks. Running programs is enabled. */
export const startAppWithHooks = (lines: HookCommandLines, options: TestAppOptions = {}): Promise<TestApp> =>
  startApp({
    ...options,
    config: { disableExec: false, ...options.config },
    settings: { ...options.settings, commands: hookCommands(lines) },
  })
