import { serve } from '../workers/serve.ts'
import { toVtt } from './to-vtt.ts'

/**
 * Subtitles are converted in a worker thread, because 10 MB of cues take seconds, during which the main thread could
 * not respond to requests.
 */
serve({ toVtt })
