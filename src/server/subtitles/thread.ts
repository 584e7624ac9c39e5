import { serve } from '../workers/serve.ts'
import type { SignaturesOf } from '../workers/task-signatures.ts'
import { toVtt } from './to-vtt.ts'

/**
 * Subtitles are converted in a worker thread. Converting 10 MB of cues takes seconds and would block all requests in
 * the main thread.
 */
const tasks = { toVtt }

export type SubtitleTasks = SignaturesOf<typeof tasks>

serve(tasks)
