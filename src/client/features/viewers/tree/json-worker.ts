import type { JsonCommand } from './json-messages.ts'
import { createJsonSession } from './json-session.ts'

const answer = createJsonSession((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<JsonCommand>) => answer(data))
