import type { Path } from '../../../shared/domain/path.ts'
import { isProgramName } from '../../../shared/domain/commands/program-names.ts'
import { splitWords } from '../../../shared/domain/commands/split-words.ts'
import { call, isAborted, statusOf } from '../../api/call.ts'
import { listText } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { userOf } from '../../state/session.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { resolveFolder } from './resolve-folder.ts'

/** The answer of a command that the page runs itself: what it shows, and the folder into which it goes. */
type BuiltInAnswer = {
  readonly text: string
  readonly isFailure: boolean
  readonly folder?: Path
}

type BuiltInContext = {
  readonly folder: Path
  /** The folder to which `cd -` goes back. */
  readonly previous: Path | null
  readonly signal: AbortSignal
}

type BuiltIn = (words: readonly string[], context: BuiltInContext) => BuiltInAnswer | Promise<BuiltInAnswer>

/** A command of the page with its arguments. */
export type BuiltInCall = (context: BuiltInContext) => Promise<BuiltInAnswer>

const answer = (text: string): BuiltInAnswer => ({ text, isFailure: false })
const failure = (text: string): BuiltInAnswer => ({ text, isFailure: true })

const builtIns: Readonly<Record<string, BuiltIn>> = {
  cd: changeFolder,
  help: () => answer(helpText()),
  pwd: (_words, { folder }) => answer(visibleName(folder)),
}

/** Returns the command of the page that a line calls, ready to run. Null for a line that the server runs. */
export function builtInOf(line: string): BuiltInCall | null {
  const [name = ''] = line.split(/\s/, 1)
  const builtIn = Object.hasOwn(builtIns, name) ? builtIns[name] : undefined
  if (builtIn === undefined) return null
  const split = splitWords(line)
  if (split.kind === 'broken') return async () => failure(t(`command.${split.fault}`))
  return async (context) => builtIn(split.words.slice(1), context)
}

/** Goes into a folder, if it is one and the user may open it. */
async function changeFolder(
  words: readonly string[],
  { folder, previous, signal }: BuiltInContext,
): Promise<BuiltInAnswer> {
  const [argument = '~', ...others] = words[0] === '--' ? words.slice(1) : words
  if (others.length > 0) return failure(t('command.cd.arguments'))
  if (argument === '-' && previous === null) return failure(t('command.cd.noPrevious'))
  const isBack = argument === '-'
  const target = isBack ? previous : resolveFolder(folder, argument)
  const name = visibleName(argument)
  if (target === null) return failure(t('command.cd.missing', { name }))
  try {
    // The server sends a folder as rows, and describes a file in one object.
    const { headers } = await call('resources.get', {
      path: target,
      isHead: true,
      headers: { accept: 'application/x-ndjson' },
      signal,
    })
    if (headers.get('content-type')?.startsWith('application/x-ndjson') !== true)
      return failure(t('command.cd.file', { name }))
  } catch (thrown) {
    if (isAborted(thrown)) throw thrown
    return failure(
      statusOf(thrown) === 404
        ? t('command.cd.missing', { name })
        : t('command.cd.failed', { name, reason: reasonOf(thrown) }),
    )
  }
  // As in other shells, the folder before is named, because the line does not contain it.
  return { ...answer(isBack ? visibleName(target) : ''), folder: target }
}

/** Returns the programs that the user may run, as the user's list names them. */
const allowedPrograms = (): readonly string[] => (userOf()?.commands ?? []).filter(isProgramName)

function helpText(): string {
  const programs = allowedPrograms()
  return [
    programs.length === 0 ? t('command.help.none') : t('command.help.programs', { list: listText(programs) }),
    `cd\t${t('command.help.cd')}`,
    `pwd\t${t('command.help.pwd')}`,
    `clear\t${t('command.help.clear')}`,
    `exit\t${t('command.help.exit')}`,
    `help\t${t('command.help.help')}`,
  ].join('\n')
}

/** Returns why a program did not run that is not in the user's list, and what the user can run instead. */
export function unlistedText(line: string): string {
  const program = visibleName(line.trim().split(/[ \t\r\n]/, 1)[0] ?? '')
  const programs = allowedPrograms()
  return programs.length === 0
    ? t('command.not-listed.none', { program })
    : t('command.not-listed', { program, list: listText(programs) })
}
