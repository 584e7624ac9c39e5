import { SharedCover } from './shared-cover.tsx'
import { sharedThumbnailOf } from './shared-thumbnail.ts'

/** The pictures of a shared folder, which are not needed for its first rows. */
export const sharedPictures = { SharedCover, sharedThumbnailOf }
