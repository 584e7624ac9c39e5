import { redactedDatabase } from '../../shared/domain/database-url.ts'
import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'
import { createPasswords } from '../auth/passwords.ts'
import { parseArguments, type ParsedArguments } from '../config/arguments.ts'
import { UsageError } from '../config/usage-error.ts'
import { resolveConfig, type LoadedConfig } from '../config/load-config.ts'
import type { Option } from '../config/option.ts'
import { servingOptionList } from '../config/serving-options.ts'
import { realEnvironment } from '../config/config-environment.ts'
import { openRecords } from '../records/open-records.ts'
import { helpText, isGroup, verbOf } from './help.ts'
import type { StateLocation } from '../takeover/state-location.ts'
import {
  findState,
  prepareState,
  takeoverLines,
  withDatabase,
  type ConfigResolver,
} from './verb/prepared-state.ts'
import { hasDatabase, storedOptions } from './verb/stored-state.ts'
import type { VerbCall, CliEnvironment, VerbCallWithRecords, CliVerb } from './verb/verb.ts'
import { verbs } from './verbs.ts'

/**
 * Runs the verb of a command line and returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command
 * line. Returns `serve` when the command line contains no verb. A failure is written to standard error as one line.
 */
export async function runCli(argv: readonly string[], io: CliEnvironment): Promise<number | 'serve'> {
  try {
    const command = parseCommand(argv)
    if (command === 'serve') return 'serve'
    if ('help' in command) io.stdout.write(`${command.help}\n`)
    else await run(command.verb, command.args, io)
    return 0
  } catch (thrown) {
    io.stderr.write(`${errorLine(thrown)}\n`)
    return thrown instanceof UsageError ? 2 : 1
  }
}

type ParsedCommand =
  | 'serve'
  | { readonly help: string }
  | { readonly verb: CliVerb; readonly args: ParsedArguments }

function parseCommand(argv: readonly string[]): ParsedCommand {
  const asksForHelp = argv.some((word) => word === '--help' || word === '-h')
  const plain = argv.filter((word) => word !== '--help' && word !== '-h')
  if (plain.length === 1 && plain[0] === '--version') return parseCommand(['version'])
  const words = verbWordsInFront(plain) ?? parseArguments(plain, allOptions()).words
  if (words[0] === 'help') return { help: helpText(words.slice(1)) }
  if (words[0] === undefined && !asksForHelp) return 'serve'
  if (asksForHelp || isGroup(words)) return { help: helpText(words) }
  const verb = verbOf(words)
  const { words: all, flags } = parseArguments(plain, [...verb.options, ...servingOptionList])
  const rest = all.slice(verb.name.split(' ').length)
  if (!acceptsWordCount(verb.parameters, rest.length))
    throw new UsageError(`usage: stowage ${[verb.name, ...verb.parameters].join(' ')} [flags]`)
  return { verb, args: { words: rest, flags } }
}

/**
 * Returns the words at the start of a command line when they are the name of a verb with two words; null otherwise. The
 * flags must not be parsed before the verb is known, since a verb may give another meaning to a short flag.
 */
function verbWordsInFront(argv: readonly string[]): readonly string[] | null {
  const front = argv.slice(0, 2)
  return verbs.some(({ name }) => name === front.join(' ')) ? front : null
}

/** Returns true when a verb with these parameters accepts `count` arguments. */
function acceptsWordCount(parameters: readonly string[], count: number): boolean {
  const minCount = parameters.filter((name) => !name.startsWith('[')).length
  const most = parameters.at(-1)?.endsWith('…') ? Number.POSITIVE_INFINITY : parameters.length
  return count >= minCount && count <= most
}

/**
 * Returns the serving options and the options of every verb. With this list, the values of flags can be separated from
 * other words while the verb is unknown, because a long flag takes a value either with every verb or with none.
 */
const allOptions = (): readonly Option[] => [...servingOptionList, ...verbs.flatMap(({ options }) => options)]

async function run(verb: CliVerb, { words, flags }: ParsedArguments, io: CliEnvironment): Promise<void> {
  const print = (line: string): void => void io.stdout.write(`${line}\n`)
  if (verb.worksOn === 'itself') return verb.run({ print })
  const environment = realEnvironment(io.env, io.cwd)
  const resolve: ConfigResolver = (stored) => resolveConfig(flags, { ...environment, stored })
  const passwords = createPasswords({ randomBytes: io.randomBytes, threads: io.passwordThreads })
  const callWith = (loaded: LoadedConfig): VerbCall => ({
    words,
    flags,
    loaded,
    resolve,
    io,
    passwords,
    print,
  })
  if (verb.worksOn === 'nothing') return verb.run(callWith(resolve({})))
  if (verb.worksOn === 'new database') await refuseExistingDatabase(resolve, io)
  const { database } = await locatedState(resolve, io)
  const call = callWith(withDatabase(resolve(await storedOptions(database, io)), database))
  if (verb.worksOn === 'stored options') return verb.run(call)
  const withOpenRecords = async (
    ifMissing: 'make' | 'refuse',
    work: (call: VerbCallWithRecords) => Promise<void>,
  ) => {
    const records = await openRecords({ database, nowMs: io.nowMs, ifMissing })
    try {
      await work({ ...call, records })
    } finally {
      await records.close()
    }
  }
  if (verb.worksOn === 'any database')
    return verb.run({ ...call, withRecords: (work) => withOpenRecords('make', work) })
  return withOpenRecords(verb.worksOn === 'new database' ? 'make' : 'refuse', verb.run)
}

/** Throws `name-taken` when there is a database, also when it is one of File Browser. */
async function refuseExistingDatabase(resolve: ConfigResolver, io: CliEnvironment): Promise<void> {
  const { location } = findState(resolve, io.nowMs)
  const existing = location.original ?? location.database
  if (location.status === 'own' && !(await hasDatabase(existing, io))) return
  throw new AppError('name-taken', { reason: `a database exists already: ${redactedDatabase(existing)}` })
}

/**
 * Finds the state that a verb works on. A takeover is reported on standard error, since programs may read the output of
 * the verb.
 */
async function locatedState(resolve: ConfigResolver, io: CliEnvironment): Promise<StateLocation> {
  const { location, takeover } = await prepareState(resolve, io)
  for (const line of takeoverLines(takeover)) io.stderr.write(`${line}\n`)
  return location
}

const sentences: Partial<Record<ErrorCode, string>> = {
  'name-taken': 'the name is taken',
  'not-found': 'there is no such thing',
}

/** Describes a failure for the user at the terminal, in one line without control characters. */
export function errorLine(thrown: unknown): string {
  const text =
    thrown instanceof AppError
      ? (thrown.reason ?? sentences[thrown.code] ?? thrown.code)
      : thrown instanceof Error
        ? thrown.message
        : String(thrown)
  return `stowage: ${text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')}`
}
