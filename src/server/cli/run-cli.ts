import { shownDatabase } from '../../shared/domain/database-address.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { createPasswords } from '../auth/passwords.ts'
import { parseArguments, type Arguments } from '../config/arguments.ts'
import { CallError } from '../config/call-error.ts'
import { resolveConfig } from '../config/load-config.ts'
import type { Option } from '../config/option.ts'
import { servingOptionList } from '../config/serving-options.ts'
import { realSurroundings } from '../config/surroundings.ts'
import { openRecords } from '../records/open-records.ts'
import { failureLine } from './failure-line.ts'
import { helpText, isGroup, verbOf } from './help/help.ts'
import { hasDatabase, storedOptions } from './stored-options.ts'
import type { Call, Io, RecordsCall, Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/**
 * Does the verb of a command line and gives its exit code: 0 done, 1 failed, 2 called wrongly; `serve` when there is no verb. What
 * goes wrong is one line on the error output.
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number | 'serve'> {
  try {
    const wish = wishOf(argv)
    if (wish === 'serve') return 'serve'
    if ('help' in wish) io.stdout.write(`${wish.help}\n`)
    else await run(wish.verb, wish.given, io)
    return 0
  } catch (thrown) {
    io.stderr.write(`${failureLine(thrown)}\n`)
    return thrown instanceof CallError ? 2 : 1
  }
}

type Wish = 'serve' | { readonly help: string } | { readonly verb: Verb; readonly given: Arguments }

function wishOf(argv: readonly string[]): Wish {
  const asksForHelp = argv.some((word) => word === '--help' || word === '-h')
  const plain = argv.filter((word) => word !== '--help' && word !== '-h')
  if (plain.length === 1 && plain[0] === '--version') return wishOf(['version'])
  const words = leadingVerb(plain) ?? parseArguments(plain, everyOption()).words
  if (words[0] === 'help') return { help: helpText(words.slice(1)) }
  if (words[0] === undefined && !asksForHelp) return 'serve'
  if (asksForHelp || isGroup(words)) return { help: helpText(words) }
  const verb = verbOf(words)
  const { words: all, flags } = parseArguments(plain, [...verb.options, ...servingOptionList])
  const rest = all.slice(verb.name.split(' ').length)
  if (!isCount(verb.takes, rest.length))
    throw new CallError(`use it as: stowage ${[verb.name, ...verb.takes].join(' ')} [flags]`)
  return { verb, given: { words: rest, flags } }
}

/** A verb in front needs no look at the flags, whose letters may mean something else under it. */
function leadingVerb(argv: readonly string[]): readonly string[] | null {
  const front = argv.slice(0, 2)
  return verbs.some(({ name }) => name === front.join(' ')) ? front : null
}

/** Whether so many words are what a verb takes. */
function isCount(takes: readonly string[], count: number): boolean {
  const least = takes.filter((name) => !name.startsWith('[')).length
  const most = takes.at(-1)?.endsWith('…') ? Number.POSITIVE_INFINITY : takes.length
  return count >= least && count <= most
}

/** Enough to tell flags' values from words before the verb is known: one name takes a value under every verb or under none. */
const everyOption = (): readonly Option[] => [
  ...servingOptionList,
  ...verbs.flatMap(({ options }) => options),
]

async function run(verb: Verb, { words, flags }: Arguments, io: Io): Promise<void> {
  const print = (line: string): void => void io.stdout.write(`${line}\n`)
  if (verb.on === 'itself') return verb.run({ print })
  const surroundings = realSurroundings(io.env, io.cwd)
  const { database } = resolveConfig(flags, surroundings).config
  const stored = verb.on === 'nothing' ? {} : await storedOptions(database, io)
  const loaded = resolveConfig(flags, { ...surroundings, stored })
  const passwords = createPasswords({ randomBytes: io.randomBytes })
  const call: Call = { words, flags, loaded, io, passwords, print }
  if (verb.on === 'nothing' || verb.on === 'stored options') return verb.run(call)
  const onRecords = async (ifMissing: 'make' | 'refuse', work: (call: RecordsCall) => Promise<void>) => {
    const records = await openRecords({ database: database, nowMs: io.nowMs, ifMissing })
    try {
      await work({ ...call, records })
    } finally {
      await records.close()
    }
  }
  if (verb.on === 'any database') return verb.run({ ...call, withRecords: (work) => onRecords('make', work) })
  const isNew = verb.on === 'new database'
  if (isNew && (await hasDatabase(database, io)))
    throw new AppError('name-taken', { reason: `there is a database already: ${shownDatabase(database)}` })
  return onRecords(isNew ? 'make' : 'refuse', verb.run)
}
