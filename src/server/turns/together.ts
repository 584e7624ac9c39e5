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

type Line<T, R> = {
  goes: number
  /** In the goes that are under way. */
  items: number
  isGathering: boolean
  readonly waiting: Waiting<T, R>[]
}

/**
 * Lines of work that costs less by the item when it is done together. A go takes what comes in turns of the event loop that follow each
 * other, and what came while others were at it; but no more than its part of what there is to do, so that while one is under way the
 * next can gather: people wait for an answer before they ask again, and one go with all of them leaves nobody to ask.
 */
export function createTogether<T, R>(options: TogetherOptions<T, R>): Together<T, R> {
  const { atOnce, mostInOne, go, isForAll } = options
  const lines = new Map<string, Line<T, R>>()

  function goOn(name: string, line: Line<T, R>): void {
    const { waiting, goes, isGathering } = line
    if (waiting.length > 0 && goes < atOnce && !isGathering) {
      line.isGathering = true
      gather(name, line, 0)
    } else if (waiting.length === 0 && goes === 0) lines.delete(name)
  }

  /** Until a turn brings no more. */
  function gather(name: string, line: Line<T, R>, lengthBefore: number): void {
    setImmediate(() => {
      const { length } = line.waiting
      if (length > lengthBefore && length < mostInOne) gather(name, line, length)
      else void begin(name, line)
    })
  }

  async function begin(name: string, line: Line<T, R>): Promise<void> {
    const part = Math.ceil((line.waiting.length + line.items) / atOnce)
    const taken = line.waiting.splice(0, Math.min(part, mostInOne))
    line.isGathering = false
    line.goes += 1
    line.items += taken.length
    goOn(name, line)
    try {
      const outcomes = await go(taken.map(({ item }) => item))
      for (const [at, one] of taken.entries()) settle(one, outcomes[at])
    } catch (error) {
      const failed = isForAll(error) ? [...taken, ...line.waiting.splice(0)] : taken
      for (const { reject } of failed) reject(error)
    }
    line.goes -= 1
    line.items -= taken.length
    goOn(name, line)
  }

  return (name, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const line = lines.get(name) ?? { goes: 0, items: 0, isGathering: false, waiting: [] }
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
