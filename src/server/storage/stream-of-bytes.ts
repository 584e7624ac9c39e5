import type { IncomingBody } from './change.ts'

/** Presents bytes that are already in memory as the stream that an upload expects. */
export const streamOfBytes = (bytes: Uint8Array): IncomingBody =>
  Object.assign(
    (async function* () {
      yield bytes
    })(),
    { whole: async () => bytes },
  )
