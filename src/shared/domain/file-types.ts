/**
 * The values of `type` in the API (contract 3.4). The empty string is the type of folders. The columns of a listing
 * contain indexes into this list.
 */
export const fileTypes = [
  '',
  'image',
  'video',
  'audio',
  'pdf',
  'text',
  'textImmutable',
  'blob',
  'invalid_link',
] as const
export type FileType = (typeof fileTypes)[number]
