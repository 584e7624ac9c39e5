import type { Option } from '../config/option.ts'
import { servingOptionList } from '../config/serving-options.ts'
import { textTable } from './text-table.ts'
import { verbs } from './verbs.ts'
import type { Verb } from './verb.ts'

/** What the program can do, or one verb of it. */
export function helpText(verb: Verb | null): string {
  if (verb !== null)
    return [
      verb.meaning,
      '',
      `Usage: stowage ${[verb.name, ...verb.takes].join(' ')} [flags]`,
      ...(verb.options.length === 0 ? [] : ['', 'Flags:', flagTable(verb.options)]),
      '',
      'The flags of serving are taken, too: stowage help',
    ].join('\n')
  return [
    'Stowage serves the files of a folder to people with a browser.',
    '',
    'Usage: stowage [flags]            serve',
    '       stowage VERB [flags]       do one thing with the database',
    '',
    'Verbs:',
    indented(textTable(verbs.map(({ name, takes, meaning }) => [[name, ...takes].join(' '), meaning]))),
    '',
    'Flags:',
    flagTable(servingOptionList),
    '',
    'Each flag can be given by environment, too: --baseURL as STOWAGE_BASE_URL or FB_BASE_URL.',
  ].join('\n')
}

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
