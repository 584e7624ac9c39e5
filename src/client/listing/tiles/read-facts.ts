import type { PictureLine } from '../../../shared/contract/previews.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'

/** The times and the proportions of pictures by their names, as far as they have come. */
type ArrivingFacts = {
  readonly times: Map<string, number>
  readonly proportions: Map<string, number>
}

/**
 * Adds the facts of a response as they arrive. Cameras write no time zone, so the times are taken as those of the browser's zone. A server
 * that was not updated yet sends times only.
 */
export async function readFacts(
  facts: ArrivingFacts,
  response: Response,
  onArrival: () => void,
): Promise<void> {
  const lines = createNdjsonReader()
  for await (const bytes of bytesOf(response)) {
    for (const line of lines.push(bytes)) addFacts(facts, line as PictureLine)
    onArrival()
  }
}

function addFacts({ times, proportions }: ArrivingFacts, line: PictureLine): void {
  for (const [name, time, width = 0, height = 0] of line) {
    if (time !== null) times.set(name, new Date(time).getTime())
    if (width > 0 && height > 0) proportions.set(name, width / height)
  }
}
