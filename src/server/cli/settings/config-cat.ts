import { redactedDatabase } from '../../../shared/domain/database-url.ts'
import type { VerbCall, VerbCallWithRecords } from '../verb/verb.ts'
import { secret } from '../../config/option-kinds.ts'
import { servingOptions, type Config } from '../../config/serving-options.ts'
import { textOfOption } from '../../config/shown-options.ts'
import type { StoredServingOptions } from '../../records/settings.ts'
import { textTable } from '../verb/text-table.ts'

/**
 * Prints the settings and the stored serving options as a table, and the parameters of the login methods as JSON.
 * Secrets, such as the signing key, are never printed.
 */
export async function printConfiguration({
  records: { settings },
  print,
}: VerbCallWithRecords): Promise<void> {
  const [shown, server, signIn] = [await settings.get(), await settings.server(), await settings.signIn()]
  print(textTable([...rowsOf('', shown), ...rowsOf('server.', withoutSecrets(server))]))
  const recaptcha = signIn.recaptcha && { ...signIn.recaptcha, secret: '(kept)' }
  print(JSON.stringify({ ...signIn, recaptcha }, null, 2))
}

/** Returns one row for each value, with a dotted name. */
function rowsOf(prefix: string, members: object): (readonly [string, string])[] {
  return Object.entries(members).flatMap(([key, value]: readonly [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? rowsOf(`${prefix}${key}.`, value)
      : [[prefix + key, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  )
}

const optionNames = Object.keys(servingOptions) as (keyof Config)[]

/** The options whose values are not shown. The address of a Redis server often contains a password. */
const secrets: ReadonlySet<string> = new Set<keyof Config>([
  'password',
  'redisCacheUrl',
  ...optionNames.filter((name) => servingOptions[name].kind === secret),
])

const withoutSecrets = (server: StoredServingOptions): StoredServingOptions =>
  Object.fromEntries(
    Object.entries(server).map(([name, text]) => [name, secrets.has(name) ? '(given)' : text]),
  )

/** Prints the serving configuration, and the source of each value. */
export function printSources({ loaded: { config, sources, warnings }, print }: VerbCall): void {
  const names = Object.keys(config) as (keyof Config)[]
  const rows = names.map((key) => [
    servingOptions[key].name,
    secrets.has(key) && config[key] !== '' ? '(given)' : shownValue(key, config[key]),
    sources[key],
  ])
  print(textTable([['Option', 'Value', 'Source'], ...rows]))
  for (const warning of warnings) print(`warning: ${warning}`)
}

function shownValue(key: keyof Config, value: Config[keyof Config]): string {
  if (key === 'database') return redactedDatabase(String(value))
  return textOfOption(key, value)
}
