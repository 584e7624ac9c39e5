import { readAdvisoryRecord } from '../advisories/advisory-file.ts'
import { advisoriesAbout } from '../advisories/advisory-list.ts'
import type { Config } from '../config/serving-options.ts'
import { advisoryFileOf } from '../config/state-paths.ts'
import type { FoundOnMachine } from './check-machine.ts'

/**
 * Reports the advisories about a version in the last list that the server has received. Nothing is requested. Returns nothing where
 * the server does not ask for a list.
 */
export async function checkAdvisories(
  config: Pick<Config, 'advisories' | 'stateDir' | 'database'>,
  version: string,
): Promise<readonly FoundOnMachine[]> {
  const { advisories: url } = config
  if (url === '') return []
  const record = await readAdvisoryRecord(advisoryFileOf(config), url)
  const failure = record === null ? 'the server has not asked for it yet' : record.failure
  const known = advisoriesAbout(version, record?.list ?? []).map(
    ({ id, summary }) => ({ code: 'known-vulnerability', subject: `${id}: ${summary}` }) as const,
  )
  return failure === null ? known : [...known, { code: 'advisories-unread', subject: `${url}: ${failure}` }]
}
