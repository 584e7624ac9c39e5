import { createRangeReader } from '../../../api/range-reader.ts'
import { readRawPreview } from '../../../photos/raw-preview.ts'
import { useOpened, whenAborted } from '../frame/use-opened.ts'
import type { ViewedFile } from '../viewer.ts'

/** Limits for one file. Its directories need a few requests, and its image is read with one. */
const limitsFor = (sizeBytes: number) => ({
  requestBytes: 64 * 1024,
  maxBytes: sizeBytes + 16 * 1024 * 1024,
  maxRequests: 300,
})

/** Loads the image that is stored in a RAW file. Returns its URL, which is valid while the component is mounted, or null until then. */
export function useRawPreview(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  onFailed: () => void,
): string | null {
  return useOpened({
    key: `${address} ${sizeBytes}`,
    open: async (signal) => {
      const read = createRangeReader(address, { ...limitsFor(sizeBytes), signal })
      const url = URL.createObjectURL(await readRawPreview(read, sizeBytes))
      whenAborted(signal, () => URL.revokeObjectURL(url))
      return url
    },
    onFailed,
  })
}
