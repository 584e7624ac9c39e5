import type { CommandLimits } from './command-limits.ts'
import { mayWrite, refusalOf, type Reach } from './refusal-of.ts'

type Watched = { readonly userId: number; readonly program: string; readonly reach: Reach }

type WatchNeeds = {
  readonly reachOf: (userId: number) => Promise<Reach | null>
  readonly limits: CommandLimits
}

/** A signal that comes when somebody may no longer run what they run, or no longer where and how they run it. */
export function untilRightsChange(
  { reachOf, limits }: WatchNeeds,
  { userId, program, reach }: Watched,
): { readonly signal: AbortSignal; end(): void } {
  const changed = new AbortController()
  const look = async (): Promise<void> => {
    // Who cannot be asked for is not known to be allowed.
    const now = await reachOf(userId).catch(() => null)
    const isSame =
      refusalOf(now, program) === null &&
      now?.user.scope === reach.user.scope &&
      mayWrite(now) === mayWrite(reach)
    if (!isSame) changed.abort()
  }
  const timer = setInterval(() => void look(), limits.lookMs)
  return { signal: changed.signal, end: () => clearInterval(timer) }
}
