import { onTestFinished } from 'vitest'

/** Records the addresses to which the page sends changes (PUT) until the end of the test. The requests are sent as always. */
export function recordChanges(): readonly string[] {
  const sent: string[] = []
  const fetchBefore = globalThis.fetch
  globalThis.fetch = (input, init) => {
    if (init?.method === 'PUT') sent.push(String(input instanceof Request ? input.url : input))
    return fetchBefore(input, init)
  }
  onTestFinished(() => {
    globalThis.fetch = fetchBefore
  })
  return sent
}
