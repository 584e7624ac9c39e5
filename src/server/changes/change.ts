import type { Path } from '../../shared/domain/path.ts'

/** A mutation that is done, as announced: paths are relative to the caller's storage. */
export type Change = {
  readonly kind: 'created' | 'written' | 'moved' | 'copied' | 'removed'
  readonly path: Path
  /** Where it went, for `moved` and `copied`. */
  readonly to?: Path
  /** For `moved` and `copied`: whether nothing stood at `to` before; left out where that is not known. `created` always says so. */
  readonly isNew?: boolean
  readonly userId: number
  /** The scope of the caller, so that a subscriber can tell the same place seen by others. */
  readonly scope: Path
  /** The `X-Origin` of the request that caused it. */
  readonly origin: string | null
  readonly atMs: number
}

export type Announce = (change: Change) => void
