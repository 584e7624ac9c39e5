import { SharedCover } from './shared-cover.tsx'
import { sharedOrderOf, SharedTakenTimes } from './shared-taken-times.tsx'
import { sharedThumbnailOf } from './shared-thumbnail.ts'

/** The pictures of a shared folder and their order, which are not needed for its first rows. */
export const sharedPictures = { SharedCover, SharedTakenTimes, sharedOrderOf, sharedThumbnailOf }
