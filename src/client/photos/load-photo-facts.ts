import { createRangeReader } from '../api/range-reader.ts'
import { type PhotoFacts, readPhotoFacts } from '../../shared/photos/photo-facts.ts'

/** Limits for one photo: what a camera writes is below 1 MB, and stands at the start or the end of the file. */
const limits = { requestBytes: 64 * 1024, maxBytes: 8 * 1024 * 1024, maxRequests: 60 }

type PhotoSource = {
  /** The URL of the bytes. */
  readonly address: string
  readonly sizeBytes: number
  readonly signal: AbortSignal
}

/** Reads what a camera has written into a photo from the parts of the file that contain it. Returns null when there is nothing. */
export const loadPhotoFacts = ({ address, sizeBytes, signal }: PhotoSource): Promise<PhotoFacts | null> =>
  readPhotoFacts(createRangeReader(address, { ...limits, signal }), sizeBytes)
