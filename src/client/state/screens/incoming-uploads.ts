import { createPersonalStore } from '../personal.ts'

/** Tells whether files are being sent into a folder now, or whether the uploads into it are paused or wait. */
export type IncomingUploads = 'uploading' | 'pending'

/** The uploads into the open folder that have not ended. Null without such uploads. */
export const incomingUploads = createPersonalStore<IncomingUploads | null>(null)
