import { hookEvents } from '../../src/shared/contract/hooks/hook-events.ts'
import { startApp, type App, type AppWish } from './start-app.ts'

export const hookTriggers: readonly string[] = hookEvents.flatMap(({ name }) => [
  `before_${name}`,
  `after_${name}`,
])

/** The lines of hooks, or one for all of them. */
export type HookLines = string | Readonly<Record<string, readonly string[]>>

export const hookCommands = (lines: HookLines): Readonly<Record<string, readonly string[]>> =>
  typeof lines === 'string' ? Object.fromEntries(hookTriggers.map((trigger) => [trigger, [lines]])) : lines

/** The real server, where programs may run and these do. */
export const startHooked = (lines: HookLines, wish: AppWish = {}): Promise<App> =>
  startApp({
    ...wish,
    config: { disableExec: false, ...wish.config },
    settings: { ...wish.settings, commands: hookCommands(lines) },
  })
