/**
 * Adds an item to the next batch of the key, and resolves with the result of this item. Rejects with the error of the
 * item or of the whole batch.
 */
export type Batcher<T, R> = (key: string, item: T) => Promise<R>

export type BatcherOptions<T, R> = {
  /** The maximum number of batches of one key that run at the same time. */
  readonly maxConcurrent: number
  /** The maximum number of items in one batch. */
  readonly maxBatchSize: number
  /** Processes the items of a batch. Resolves with their outcomes in the same order. */
  readonly runBatch: (items: readonly T[]) => Promise<readonly PromiseSettledResult<R>[]>
  /**
   * Returns true for an error of a batch with which the waiting items are also rejected, because the next batch would
   * fail with the same error.
   */
  readonly failsQueue: (error: unknown) => boolean
}

type QueuedItem<T, R> = {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

type BatchQueue<T, R> = {
  runningBatches: number
  /** The number of items in the running batches. */
  runningItems: number
  isCollecting: boolean
  readonly waiting: QueuedItem<T, R>[]
}

/**
 * Creates a batcher for work that costs less per item when several items are processed together. A batch contains the
 * items that arrived while earlier batches ran, and the items of successive iterations of the event loop. One batch
 * takes at most its share of all items (1 / maxConcurrent), so that the next batch can collect items while it runs. A
 * batch with the items of all clients would leave nothing to collect, because each client waits for its response before
 * it sends the next request.
 */
export function createBatcher<T, R>(options: BatcherOptions<T, R>): Batcher<T, R> {
  const { maxConcurrent, maxBatchSize, runBatch, failsQueue } = options
  const queues = new Map<string, BatchQueue<T, R>>()

  function advance(key: string, queue: BatchQueue<T, R>): void {
    const { waiting, runningBatches, isCollecting } = queue
    if (waiting.length > 0 && runningBatches < maxConcurrent && !isCollecting) {
      queue.isCollecting = true
      collectItems(key, queue, 0)
    } else if (waiting.length === 0 && runningBatches === 0) queues.delete(key)
  }

  /** Waits until an iteration of the event loop adds no item, or until the batch is full, and then starts the batch. */
  function collectItems(key: string, queue: BatchQueue<T, R>, lengthBefore: number): void {
    setImmediate(() => {
      const { length } = queue.waiting
      if (length > lengthBefore && length < maxBatchSize) collectItems(key, queue, length)
      else void startBatch(key, queue)
    })
  }

  async function startBatch(key: string, queue: BatchQueue<T, R>): Promise<void> {
    const batchShare = Math.ceil((queue.waiting.length + queue.runningItems) / maxConcurrent)
    const batch = queue.waiting.splice(0, Math.min(batchShare, maxBatchSize))
    queue.isCollecting = false
    queue.runningBatches += 1
    queue.runningItems += batch.length
    advance(key, queue)
    try {
      const outcomes = await runBatch(batch.map(({ item }) => item))
      for (const [index, queued] of batch.entries()) settle(queued, outcomes[index])
    } catch (error) {
      const failed = failsQueue(error) ? [...batch, ...queue.waiting.splice(0)] : batch
      for (const { reject } of failed) reject(error)
    }
    queue.runningBatches -= 1
    queue.runningItems -= batch.length
    advance(key, queue)
  }

  return (key, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const queue = queues.get(key) ?? { runningBatches: 0, runningItems: 0, isCollecting: false, waiting: [] }
    queues.set(key, queue)
    queue.waiting.push({ item, resolve, reject })
    advance(key, queue)
    return promise
  }
}

function settle<T, R>(
  { resolve, reject }: QueuedItem<T, R>,
  outcome: PromiseSettledResult<R> | undefined,
): void {
  if (outcome?.status === 'fulfilled') resolve(outcome.value)
  else reject(outcome?.reason ?? new Error('the batch returned no outcome for this item'))
}
