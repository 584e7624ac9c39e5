import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Throttle } from '../auth/throttle.ts'

export type ReserveAliasDependencies = {
  /** Counts requests with unknown hashes and aliases by address. */
  readonly throttleHashes: Throttle
}

/**
 * Runs work that may give an alias to a share. An alias of somebody else is refused as if it were a missing entry, and counts as a
 * request with an unknown hash, because users could guess the links of others in this way, too.
 */
export async function reservingAlias<T>(
  { throttleHashes }: ReserveAliasDependencies,
  { alias, address }: { readonly alias: string | undefined; readonly address: string },
  work: () => Promise<T>,
): Promise<T> {
  if (alias === undefined || alias === '') return work()
  let refusal: unknown = null
  const result = await throttleHashes({ account: '', address }, async () => {
    try {
      return { value: await work() }
    } catch (error) {
      if (!(error instanceof AppError) || error.refused !== 'alias' || codeOf(error) !== 'not-found')
        throw error
      refusal = error
      return null
    }
  })
  if (result === null) throw refusal
  return result.value
}
