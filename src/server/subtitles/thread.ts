import { serve } from '../workers/serve.ts'
import { toVtt } from './to-vtt.ts'

/** Ten megabytes of cues take seconds: nobody else waits for them here. */
serve({ toVtt })
