/** Does an item of work in one go with others of the same line. Rejects with what the go, or this item alone, failed with. */
export type Together<T, R> = (line: string, item: T) => Promise<R>

export type TogetherOptions<T, R> = {
  /** How many goes of one line may be under way. */
  readonly atOnce: number
  /** How many items one go takes at most. */
  readonly mostInOne: number
  /** Gives the outcome of each item, in order. */
  readonly go: (items: readonly T[]) => Promise<readonly PromiseSettledResult<R>[]>
  /** Whether those who wait for the next go need not try, either, when one failed with this. */
  readonly isForAll: (error: unknown) => boolean
}

type Waiting<T, R> = {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

type Line<T, R> = { underWay: number; isGathering: boolean; readonly waiting: Waiting<T, R>[] }

/**
 * Lines of work that costs less by the item when it is done together: what comes in one turn of the event loop goes together, and so
 * does what comes while others are at it.
 */
export function createTogether<T, R>(options: TogetherOptions<T, R>): Together<T, R> {
  const { atOnce, mostInOne, go, isForAll } = options
  const lines = new Map<string, Line<T, R>>()

  function goOn(name: string, line: Line<T, R>): void {
    const { waiting, underWay, isGathering } = line
    if (waiting.length > 0 && underWay < atOnce && !isGathering) {
      line.isGathering = true
      setImmediate(() => void begin(name, line))
    } else if (waiting.length === 0 && underWay === 0) lines.delete(name)
  }

  async function begin(name: string, line: Line<T, R>): Promise<void> {
    const taken = line.waiting.splice(0, mostInOne)
    line.isGathering = false
    line.underWay += 1
    goOn(name, line)
    try {
      const outcomes = await go(taken.map(({ item }) => item))
      for (const [at, one] of taken.entries()) settle(one, outcomes[at])
    } catch (error) {
      const failed = isForAll(error) ? [...taken, ...line.waiting.splice(0)] : taken
      for (const { reject } of failed) reject(error)
    }
    line.underWay -= 1
    goOn(name, line)
  }

  return (name, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const line = lines.get(name) ?? { underWay: 0, isGathering: false, waiting: [] }
    lines.set(name, line)
    line.waiting.push({ item, resolve, reject })
    goOn(name, line)
    return promise
  }
}

function settle<T, R>(
  { resolve, reject }: Waiting<T, R>,
  outcome: PromiseSettledResult<R> | undefined,
): void {
  if (outcome?.status === 'fulfilled') resolve(outcome.value)
  else reject(outcome?.reason ?? new Error('an item had no outcome'))
}
