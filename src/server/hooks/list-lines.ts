import type { HookLine, HookLineFault } from '../../shared/contract/settings.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import { findProgramIn } from '../programs/find-program.ts'
import { emptyValues, parseHookLine, type HookCommand } from './hook-command.ts'

/** The `PATH` that the C library uses for a program without one. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

export type HookLineDependencies = {
  readonly settings: () => Promise<Pick<Settings, 'commands' | 'shell'>>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Returns all stored lines with the fault of each, such as a program that does not exist. No program is started. */
export async function listHookLines({
  settings,
  environment,
}: HookLineDependencies): Promise<readonly HookLine[]> {
  const { commands, shell } = await settings()
  const lines = Object.entries(commands).flatMap(([event, ofEvent]) =>
    ofEvent.map((line) => ({ event, line })),
  )
  const searchPath = environment['PATH'] ?? defaultPath
  const exists = async (program: string): Promise<boolean> =>
    (await findProgramIn(program, searchPath)) !== null
  return Promise.all(
    lines.map(async ({ event, line }) => {
      const command = parseHookLine(line, { shell, values: emptyValues })
      const program = command.kind === 'program' ? command.program : ''
      return { event, line, program, fault: await faultOf(command, exists) }
    }),
  )
}

async function faultOf(
  command: HookCommand,
  exists: (program: string) => Promise<boolean>,
): Promise<HookLineFault | null> {
  if (command.kind === 'empty') return null
  if (command.kind === 'broken') return command.fault
  return (await exists(command.program)) ? null : 'no-program'
}
