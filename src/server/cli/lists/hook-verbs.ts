import { AppError } from '../../../shared/domain/failure.ts'
import { text } from '../../config/option-kinds.ts'
import type { Option } from '../../config/option.ts'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { plainText } from '../verb/text-table.ts'
import type { VerbCallWithRecords, CliVerb } from '../verb/verb.ts'
import { meaninglessIndex, withoutIndexes } from './positions.ts'

type HookCommands = Settings['commands']

const event: Option = {
  name: 'event',
  short: 'e',
  kind: text,
  default: '',
  meaning: 'Only the commands of an event (`before_upload`) or of an operation (`upload`).',
}

export const hooksAdd: CliVerb = {
  name: 'cmds add',
  parameters: ['EVENT', 'COMMAND…'],
  meaning: 'Adds a command that runs before or after an operation; words after `--` may begin with a dash.',
  options: [],
  worksOn: 'database',
  async run(call) {
    const [name = '', ...words] = call.words
    const command = words.join(' ')
    if (command.trim() === '') throw new AppError('bad-request', { reason: 'the command is empty' })
    await changeHooks(call, name, (lines) => [...lines, command])
  },
}

export const hooksList: CliVerb = {
  name: 'cmds ls',
  parameters: [],
  meaning: 'Shows the commands that run before and after operations.',
  options: [event],
  worksOn: 'database',
  async run({ records, flags, print }) {
    const { commands } = await records.settings.get()
    const wanted = flags.get('event')
    if (wanted === undefined) return print(hooksText(commands))
    const names = [`before_${wanted}`, `after_${wanted}`, wanted].filter((name) =>
      Object.hasOwn(commands, name),
    )
    if (names.length === 0) throw noEvent(wanted)
    print(hooksText(Object.fromEntries(names.map((name) => [name, linesOf(commands, name)]))))
  },
}

export const hooksRemove: CliVerb = {
  name: 'cmds rm',
  parameters: ['EVENT', 'INDEX', '[END]'],
  meaning: 'Removes a command of an event, or all from INDEX to END.',
  options: [meaninglessIndex],
  worksOn: 'database',
  async run(call) {
    const [name = '', ...places] = call.words
    await changeHooks(call, name, (lines) =>
      withoutIndexes(lines, { words: places, thing: `command of ${name} at` }),
    )
  },
}

async function changeHooks(
  { records: { settings }, print }: VerbCallWithRecords,
  name: string,
  change: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  const { commands } = await settings.changeBy(({ commands }) => ({
    commands: { ...commands, [name]: change(linesOf(commands, name)) },
  }))
  print(hooksText(commands))
}

/**
 * Returns the commands of an event. Throws `not-found` for an event that neither Stowage nor the stored settings know.
 */
function linesOf(hooks: HookCommands, name: string): readonly string[] {
  const lines = Object.hasOwn(hooks, name) ? hooks[name] : undefined
  if (lines === undefined) throw noEvent(name)
  return lines
}

const noEvent = (name: string): AppError => new AppError('not-found', { reason: `there is no event ${name}` })

const hooksText = (hooks: HookCommands): string =>
  Object.entries(hooks)
    .flatMap(([name, lines]) => lines.map((line, at) => `${plainText(name)}(${at}): ${plainText(line)}`))
    .join('\n')
