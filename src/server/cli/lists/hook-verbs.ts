import { AppError } from '../../../shared/domain/failure.ts'
import { text } from '../../config/kinds.ts'
import type { Option } from '../../config/option.ts'
import type { Settings } from '../../records/port.ts'
import { plainText } from '../text-table.ts'
import type { RecordsCall, Verb } from '../verb.ts'
import { meaninglessIndex, withoutPlaces } from './positions.ts'

type Hooks = Settings['commands']

const event: Option = {
  name: 'event',
  short: 'e',
  kind: text,
  default: '',
  meaning: 'Only those of an event (`before_upload`) or of an operation (`upload`).',
}

export const hooksAdd: Verb = {
  name: 'cmds add',
  takes: ['EVENT', 'COMMAND…'],
  meaning: 'Adds a command that runs before or after something; behind `--` its words may begin with a dash.',
  options: [],
  on: 'database',
  async run(call) {
    const [name = '', ...words] = call.words
    const command = words.join(' ')
    if (command.trim() === '') throw new AppError('bad-request', { reason: 'the command is empty' })
    await changeHooks(call, name, (lines) => [...lines, command])
  },
}

export const hooksList: Verb = {
  name: 'cmds ls',
  takes: [],
  meaning: 'Shows the commands that run before and after things.',
  options: [event],
  on: 'database',
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

export const hooksRemove: Verb = {
  name: 'cmds rm',
  takes: ['EVENT', 'INDEX', '[END]'],
  meaning: 'Removes a command of an event, or all from INDEX to END.',
  options: [meaninglessIndex],
  on: 'database',
  async run(call) {
    const [name = '', ...places] = call.words
    await changeHooks(call, name, (lines) =>
      withoutPlaces(lines, { words: places, thing: `command of ${name} at` }),
    )
  },
}

async function changeHooks(
  { records: { settings }, print }: RecordsCall,
  name: string,
  change: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  const { commands } = await settings.changeBy(({ commands }) => ({
    commands: { ...commands, [name]: change(linesOf(commands, name)) },
  }))
  print(hooksText(commands))
}

/** The lines of an event. `not-found` for one that nothing fires and nobody has stored. */
function linesOf(hooks: Hooks, name: string): readonly string[] {
  const lines = Object.hasOwn(hooks, name) ? hooks[name] : undefined
  if (lines === undefined) throw noEvent(name)
  return lines
}

const noEvent = (name: string): AppError => new AppError('not-found', { reason: `there is no event ${name}` })

const hooksText = (hooks: Hooks): string =>
  Object.entries(hooks)
    .flatMap(([name, lines]) => lines.map((line, at) => `${plainText(name)}(${at}): ${plainText(line)}`))
    .join('\n')
