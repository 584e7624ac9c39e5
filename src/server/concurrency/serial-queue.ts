/** Runs asynchronous functions one after the other. Resolves or rejects with the outcome of the function. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Creates a queue that goes on with the next function after one has failed. */
export function createSerialQueue(): SerialQueue {
  let lastWork: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const result = lastWork.then(work)
    lastWork = result.catch(() => {})
    return result
  }
}
