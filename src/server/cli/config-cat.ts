import { shownDatabase } from '../../shared/domain/database-address.ts'
import type { Call, RecordsCall } from './verb.ts'
import { servingOptions, type Config } from '../config/serving-options.ts'
import type { ServerRecord } from '../records/port.ts'
import { textTable } from './text-table.ts'

/** Settings as a table, then what is stored for serving and for logging in; never the key or a secret. */
export async function printConfiguration({ records: { settings }, print }: RecordsCall): Promise<void> {
  const [shown, server, signIn] = [await settings.get(), await settings.server(), await settings.signIn()]
  print(textTable([...rowsOf('', shown), ...rowsOf('server.', withoutSecrets(server))]))
  const recaptcha = signIn.recaptcha && { ...signIn.recaptcha, secret: '(kept)' }
  print(JSON.stringify({ ...signIn, recaptcha }, null, 2))
}

/** One row for each value, with a dotted name. */
function rowsOf(prefix: string, members: object): (readonly [string, string])[] {
  return Object.entries(members).flatMap(([key, value]: readonly [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? rowsOf(`${prefix}${key}.`, value)
      : [[prefix + key, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  )
}

/** The second is an address, which often holds a password. */
const secrets: ReadonlySet<string> = new Set<keyof Config>(['password', 'redisCacheUrl'])

const withoutSecrets = (server: ServerRecord): ServerRecord =>
  Object.fromEntries(
    Object.entries(server).map(([name, text]) => [name, secrets.has(name) ? '(given)' : text]),
  )

/** What serving would be configured with, and where each value comes from. */
export function printSources({ loaded: { config, sources, warnings }, print }: Call): void {
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
  if (key === 'database') return shownDatabase(String(value))
  const { name } = servingOptions[key].kind
  if (name === 'mode') return `0${Number(value).toString(8)}`
  if (name === 'duration') return `${Number(value) / 1000}s`
  return Array.isArray(value) ? value.join(',') : String(value)
}
