import { serve } from '../workers/serve.ts'
import { toVtt } from './to-vtt.ts'

/** Subtitles are converted in a thread: 10 MB of cues take seconds, in which the main thread would answer nobody. */
serve({ toVtt })
