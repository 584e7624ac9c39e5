/** A message from the page to the worker of a TIFF. A new page cancels the one that is being decoded. */
export type TiffCommand =
  | { readonly kind: 'open'; readonly address: string; readonly sizeBytes: number }
  | { readonly kind: 'decode'; readonly page: number }

/** A message from the worker of a TIFF to the page. Pages are counted from 0. */
export type TiffMessage =
  | { readonly kind: 'opened'; readonly pages: number }
  /** `part` is the decoded part of the page, between 0 and 1. */
  | { readonly kind: 'progress'; readonly page: number; readonly part: number }
  | { readonly kind: 'decoded'; readonly page: number; readonly image: Blob }
  /** `page` is null when the file as a whole cannot be read. */
  | { readonly kind: 'failed'; readonly page: number | null; readonly isDamaged: boolean }
