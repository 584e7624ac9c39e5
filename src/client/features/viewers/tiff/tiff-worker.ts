import type { TiffCommand } from './tiff-messages.ts'
import { createTiffSession } from './tiff-session.ts'

const answer = createTiffSession((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<TiffCommand>) => answer(data))
