import { UsageError } from '../config/usage-error.ts'
import type { Option } from '../config/option.ts'
import { servingOptionList } from '../config/serving-options.ts'
import { textTable } from './verb/text-table.ts'
import type { CliVerb } from './verb/verb.ts'
import { verbs } from './verbs.ts'

/** Returns the help text for the program, or for the verb or group of verbs with the given name. */
export function helpText(words: readonly string[]): string {
  if (words.length === 0) return programText()
  const members = membersOf(words)
  return isGroup(words) ? groupText(words.join(' '), members) : verbText(verbOf(words), members)
}

/**
 * Returns true for the name of a group of verbs that is not a verb itself, such as `users`, the group of `users add`.
 */
export const isGroup = (words: readonly string[]): boolean =>
  membersOf(words).length > 0 && verbs.every(({ name }) => name !== words[0])

const membersOf = (words: readonly string[]): readonly CliVerb[] =>
  words.length === 1 ? verbs.filter(({ name }) => name.startsWith(`${words[0]} `)) : []

/**
 * Returns the verb whose name is at the start of the words. A name of two words takes precedence over a name of one
 * word. Throws a `UsageError` for an unknown verb.
 */
export function verbOf(words: readonly string[]): CliVerb {
  const [two, one] = [words.slice(0, 2).join(' '), words[0] ?? '']
  const verb = verbs.find(({ name }) => name === two) ?? verbs.find(({ name }) => name === one)
  const isPartial = words.length > 1 && membersOf([one]).length > 0 && verb?.name !== two
  if (verb && !isPartial) return verb
  throw new UsageError(`unknown command ${two}; see: stowage help`)
}

const programText = (): string =>
  [
    'Stowage serves the files of a folder to people with a browser.',
    '',
    'Usage: stowage [flags]            serve',
    '       stowage VERB [flags]       do one thing with the database',
    '',
    ...verbLines(verbs),
    '',
    'Flags:',
    flagTable(servingOptionList),
    '',
    'Each flag can be given by environment, too: --baseURL as STOWAGE_BASE_URL or FB_BASE_URL.',
  ].join('\n')

const groupText = (group: string, members: readonly CliVerb[]): string =>
  [`Usage: stowage ${group} VERB [flags]`, '', ...verbLines(members), '', ofEachVerb(group)].join('\n')

/** Returns the help text for a verb. The name of a verb may also be the name of a group, as with `config`. */
const verbText = (verb: CliVerb, members: readonly CliVerb[]): string =>
  [
    verb.meaning,
    '',
    `Usage: stowage ${[verb.name, ...verb.parameters].join(' ')} [flags]`,
    ...(members.length === 0
      ? []
      : [`       stowage ${verb.name} VERB [flags]`, '', ...verbLines(members), '', ofEachVerb(verb.name)]),
    ...(verb.options.length === 0 ? [] : ['', 'Flags:', flagTable(verb.options)]),
    '',
    'The flags of serving are taken, too: stowage help',
  ].join('\n')

const ofEachVerb = (group: string): string => `The flags of a verb: stowage help ${group} VERB`

const verbLines = (of: readonly CliVerb[]): readonly string[] => [
  'Verbs:',
  indented(
    textTable(of.map(({ name, parameters: takes, meaning }) => [[name, ...takes].join(' '), meaning])),
  ),
]

const flagTable = (options: readonly Option[]): string =>
  indented(
    textTable(
      options.map(({ name, short, kind, meaning }) => [
        short === undefined ? '' : `-${short}`,
        `--${name}${kind.isSwitch ? '' : ` ${kind.name.includes('`') ? 'word' : kind.name}`}`,
        meaning.replaceAll('`', ''),
      ]),
    ),
  )

const indented = (text: string): string => text.replaceAll(/^/gm, '  ')
